"""The learned scorer: complete, with a part missing, with a part broken."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from agents.learn.ranker import CONFIDENCE_FEATURES, confidence_row
from agents.learn.scorer import MODELS, PARTS, load_scorer
from agents.understood import Understood
from tests.agents.plan.conftest import CATALOG
from tests.agents.plan.reading import NOW, engine_over

NEEDED = ("sketch", "roles", "ranker")
"""Without one of these nothing is ranked; the encoder has tests of its own."""


def understood(question: str) -> Understood:
    engine = engine_over(CATALOG)
    return engine.read(question, engine.route(question)[0], NOW)


def path_of(folder: Path, part: str) -> Path:
    return folder / ("encoder" if part == "encoder" else f"{part}.npz")


def folder_with(tmp_path: Path, *parts: str) -> Path:
    for part in parts:
        copy = shutil.copytree if (MODELS / part).is_dir() else shutil.copy
        copy(path_of(MODELS, part), path_of(tmp_path, part))
    return tmp_path


def test_every_candidate_gets_a_score() -> None:
    read = understood("number of customers by country")
    ranking = load_scorer().rank(read.linked, read.candidates, CATALOG)
    assert ranking is not None
    assert len(ranking.scores) == len(read.candidates)
    assert 0.0 <= ranking.confidence <= 1.0


def test_the_same_candidates_get_the_same_scores_in_any_order() -> None:
    read = understood("names of customers")
    scorer = load_scorer()
    forth = scorer.rank(read.linked, read.candidates, CATALOG)
    back = scorer.rank(read.linked, read.candidates[::-1], CATALOG)
    assert forth is not None
    assert back is not None
    assert back.scores[::-1] == pytest.approx(forth.scores)


@pytest.mark.parametrize("question", ["每个国家的客户数量", "客户"])
def test_nothing_is_learned_of_chinese(question: str) -> None:
    read = understood(question)
    assert load_scorer().rank(read.linked, read.candidates, CATALOG) is None


def test_nothing_to_rank() -> None:
    assert load_scorer().rank(understood("customers").linked, (), CATALOG) is None


@pytest.mark.parametrize("lost", NEEDED)
def test_a_part_may_be_missing(tmp_path: Path, lost: str) -> None:
    scorer = load_scorer(folder_with(tmp_path, *(part for part in PARTS if part != lost)))
    read = understood("number of customers by country")
    assert list(scorer.missing) == [lost]
    assert not scorer.complete
    assert scorer.rank(read.linked, read.candidates, CATALOG) is None


@pytest.mark.parametrize("lost", NEEDED)
def test_a_part_may_be_left_out(lost: str) -> None:
    scorer = load_scorer().without((lost,))
    assert scorer.missing == {lost: "left out"}
    assert not scorer.complete


@pytest.mark.parametrize("broken", NEEDED)
@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut off", b"no archive at all"])
def test_a_part_may_be_broken(tmp_path: Path, broken: str, content: bytes) -> None:
    folder = folder_with(tmp_path, *PARTS)
    (folder / f"{broken}.npz").write_bytes(content)
    assert list(load_scorer(folder).missing) == [broken]


@pytest.mark.parametrize("old", NEEDED)
def test_a_part_may_be_made_for_other_features(tmp_path: Path, old: str) -> None:
    folder = folder_with(tmp_path, *PARTS)
    with np.load(folder / f"{old}.npz") as data:
        arrays = dict(data)
    for name in ("heads", "columns"):
        if name in arrays:
            arrays[name] = arrays[name][:-1]
    np.savez_compressed(folder / f"{old}.npz", **arrays)
    assert "trained for other" in load_scorer(folder).missing[old]


def test_confidence_looks_at_the_lead() -> None:
    close = dict(zip(CONFIDENCE_FEATURES, confidence_row(np.array([1.0, 0.9]), np.zeros(2), 0.4), strict=True))
    clear = dict(zip(CONFIDENCE_FEATURES, confidence_row(np.array([1.0, -3.0]), np.zeros(2), 0.4), strict=True))
    single = dict(zip(CONFIDENCE_FEATURES, confidence_row(np.array([1.0]), np.zeros(1), 0.4), strict=True))
    assert close["lead"] == pytest.approx(0.1)
    assert clear["share"] > close["share"]
    assert clear["spread"] < close["spread"]
    assert (single["alone"], single["share"]) == (1.0, 1.0)
