"""What can be wrong with a glossary, at which place of the text, and what to do about it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class GlossaryProblem:
    """What is wrong at one place.

    :ivar path: keys and list positions down to the place, such as ``("tables", "orders", "label")``; empty for the
        text as a whole.
    :ivar line: 1-based line of the text; ``None`` where the text was not at hand.
    :ivar template: the sentence, with ``%(name)s`` for the parts in ``values``, so that it can be translated first.
    :ivar hint: what to do, a template over ``values`` too.
    """

    code: str
    template: str
    values: dict[str, str] = field(default_factory=dict)
    hint: str = ""
    path: tuple[str, ...] = ()
    line: int | None = None

    @property
    def message(self) -> str:
        return self.template % self.values if self.values else self.template

    @property
    def advice(self) -> str:
        return self.hint % self.values if self.values else self.hint


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that is spelt most like this one, with or without its table; empty when none is near."""
    by_lower: dict[str, str] = {}
    for one in known:
        by_lower.setdefault(one.lower(), one)
        by_lower.setdefault(one.lower().rsplit(".", 1)[-1], one)
    found = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.75)
    return by_lower[found[0]] if found else ""


def unknown(what: str, path: tuple[str, ...], meant: str = "") -> GlossaryProblem:
    """A name that the database does not have. :param meant: a name that it has."""
    return GlossaryProblem(
        "glossary.unknown_name",
        "The glossary names %(what)s, which the database does not have.",
        {"what": what, **({"meant": meant} if meant else {})},
        "Correct or remove it; the database has %(meant)s." if meant else "Correct or remove it.",
        path,
    )
