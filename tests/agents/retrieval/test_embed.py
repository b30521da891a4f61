from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from agents.retrieval.embed import Embedder

NEARER = [
    ("clients", "customers", "temperature"),
    ("各产地的平均马力", "average horsepower by origin", "first name of the singer"),
    ("how old are they", "age", "price"),
]


def test_shapes(model: Embedder) -> None:
    assert model.dimension == 384
    assert model.query([]).shape == model.passages([]).shape == (0, 384)
    vectors = model.passages(["a table", "a much longer text about many orders", ""])
    assert vectors.shape == (3, 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-3)


@pytest.mark.parametrize(("text", "near", "far"), NEARER)
def test_meaning(model: Embedder, text: str, near: str, far: str) -> None:
    close, distant = model.names([near, far]) @ model.query([text])[0]
    assert close > distant


def test_a_question_has_one_vector_whatever_its_company_or_thread(model: Embedder) -> None:
    texts = ["clients", "a longer question about the revenue of last year", "收入"]
    alone = np.stack([Embedder().query([text])[0] for text in texts])
    assert np.array_equal(model.query(texts), alone)
    with ThreadPoolExecutor(4) as pool:
        fresh = Embedder()
        together = list(pool.map(lambda text: fresh.query([text])[0], texts * 4))
    assert np.array_equal(np.stack(together[:3]), alone)


def test_fingerprint_is_stable(model: Embedder) -> None:
    assert model.fingerprint == Embedder().fingerprint
