"""A golden case, and the YAML files that hold them: one file per connection, named like it."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias

import yaml
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

Status: TypeAlias = Literal["answered", "clarify", "declined", "error"]

CASES = Path(__file__).parent / "cases"
CLOCK = datetime(2026, 11, 30, 10, 0)
"""What "now" is in a case that does not say."""


class Case(BaseModel):
    """One question and what must come back.

    :ivar connection: name of the connection that is asked; the stem of the case's file.
    :ivar now: what "last year" counts from.
    :ivar after: questions asked before this one in the same session, oldest first.
    :ivar sql: SQLite, written by hand from the question and the schema; none where no answer may come.
    :ivar order: the rows must come in the order of the SQL.
    :ivar expect: the statuses that are right; anything but ``answered`` means that no rows may come.
    :ivar extra_ok: the answer may have more columns than the SQL (a label beside a key).
    :ivar empty_ok: the SQL may return nothing, or only NULL.
    :ivar tags: what the case exercises, for the report.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    connection: str
    question: str = Field(min_length=1)
    lang: Literal["en", "zh"]
    now: datetime = CLOCK
    after: tuple[str, ...] = ()
    sql: str | None = None
    order: bool = False
    expect: tuple[Status, ...] = ("answered",)
    extra_ok: bool = False
    empty_ok: bool = False
    tags: tuple[str, ...] = ()

    @field_validator("expect", mode="before")
    @classmethod
    def _one_or_several(cls, value: Any) -> Any:
        return (value,) if isinstance(value, str) else value

    @model_validator(mode="after")
    def _sql_where_an_answer_is_due(self) -> Case:
        if ("answered" in self.expect) != (self.sql is not None):
            raise ValueError("a case has SQL exactly when an answer is expected")
        if "answered" in self.expect and len(self.expect) > 1:
            raise ValueError("a case is answered or it is not")
        return self

    @property
    def answerable(self) -> bool:
        return self.sql is not None


def load_cases(directory: Path = CASES) -> tuple[Case, ...]:
    """All cases of a directory, in the order of files and lines.

    :raises ValueError: for a case that is malformed or an id that is used twice.
    """
    cases: list[Case] = []
    for path in sorted(directory.glob("*.yaml")):
        for entry in yaml.safe_load(path.read_text(encoding="utf-8")) or ():
            cases.append(Case.model_validate({"connection": path.stem, **entry}))
    twice = [name for name, count in Counter(case.id for case in cases).items() if count > 1]
    if twice:
        raise ValueError(f"golden cases share an id: {', '.join(twice)}")
    return tuple(cases)
