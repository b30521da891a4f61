"""Reading a glossary: YAML to plain data, plain data to a checked model, every problem with its place in the text."""

from __future__ import annotations

import difflib
from typing import Any

import sqlglot
import yaml
from pydantic import ValidationError
from sqlglot import exp

from agents.catalog import Catalog
from agents.errors import GlossaryError
from agents.glossary.fits import MeasureCheck, misfits
from agents.glossary.model import AGGREGATIONS, Glossary, MeasureEntry, keys_of
from agents.glossary.problems import GlossaryProblem
from agents.glossary.spelling import spelled

LARGEST = 500_000
"""Most nodes a text may stand for: a short text whose aliases refer to each other can stand for billions."""


_SYNTAX_AT = "The glossary is not valid YAML: line %(line)s, %(problem)s."

_FORMS = {
    "model_": "“%(where)s” must be keys with values.",
    "dict_": "“%(where)s” must be keys with values.",
    "tuple_": "“%(where)s” must be a list.",
    "string_type": "“%(where)s” must be a text.",
    "string_too_short": "“%(where)s” must not be empty.",
    "bool_": "“%(where)s” must be true or false.",
}
"""What a value should have been, by how pydantic's name of the error begins."""


_TEXT = "tag:yaml.org,2002:str"
_MERGE = "tag:yaml.org,2002:merge"
_PLAIN = dict.fromkeys(("", "~", "null", "Null", "NULL"), "tag:yaml.org,2002:null") | {"<<": _MERGE}


class _TextLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # the C one where it was built
    """YAML whose plain scalars are text, whatever they look like: the country ``NO`` is not false."""

    def resolve(self, kind: type[yaml.Node], value: str, implicit: Any) -> str:
        if kind is not yaml.ScalarNode:
            tag: str = super().resolve(kind, value, implicit)
            return tag
        return _PLAIN.get(value, _TEXT) if implicit[0] else _TEXT

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _value in node.value:
            if key.value in seen and key.tag != _MERGE:
                raise yaml.constructor.ConstructorError(None, None, f"“{key.value}” stands here twice", key.start_mark)
            seen.add(key.value if isinstance(key, yaml.ScalarNode) else repr(key))
        found: dict[Any, Any] = super().construct_mapping(node, deep)
        return found


def parse_yaml(text: str) -> tuple[dict[str, Any], yaml.MappingNode | None]:
    """The text as plain data, with its tree (``None`` for an empty text), which knows the lines.

    :raises GlossaryError: ``glossary.syntax`` or ``glossary.shape``.
    """
    try:
        loader = _TextLoader(text)
        try:
            node = loader.get_single_node()
            if node is None or node.tag == "tag:yaml.org,2002:null":
                return {}, None
            _count(node, {})
            data = loader.construct_document(node)
        finally:
            loader.dispose()
    except (yaml.YAMLError, RecursionError) as error:
        problem = _syntax(error, text)
        raise GlossaryError(problem.code, problem.message, problem.advice) from error
    if not isinstance(data, dict) or not isinstance(node, yaml.MappingNode):
        raise GlossaryError("glossary.shape", "A glossary is a list of keys with values.", "Begin with “tables:”.")
    return data, node


def _unasked(name: str, expression: str) -> GlossaryProblem | None:
    """Nobody is asked whether the database can compute a measure."""
    return None


def check_glossary(
    text: str, catalog: Catalog, computes: MeasureCheck = _unasked
) -> tuple[Glossary | None, tuple[GlossaryProblem, ...]]:
    """Read a text and say everything that is wrong with it, in the order of the text.

    The glossary is there when its shape is right, even if names in it are not in the catalog, and as it is spelt.

    :param computes: says of a measure why the database cannot compute it.
    """
    try:
        data, node = parse_yaml(text)
    except GlossaryError as error:
        if isinstance(error.__cause__, yaml.YAMLError | RecursionError):
            return None, (_syntax(error.__cause__, text),)
        return None, (GlossaryProblem(error.code, error.message, hint=error.hint, line=1),)
    glossary, found = _checked(data, catalog, computes)
    placed = [
        GlossaryProblem(p.code, p.template, p.values, p.hint, p.path, _line(node, p.path) if node else 1) for p in found
    ]
    return glossary, tuple(sorted(placed, key=lambda problem: problem.line or 0))


def load_glossary(text: str, catalog: Catalog) -> Glossary:
    """Parse YAML and check it against the catalog; its names are as the catalog spells them.

    :raises GlossaryError: ``glossary.syntax`` or ``glossary.shape`` for a text that is no glossary,
        ``glossary.unknown_name`` for a table or column that is not in the catalog, ``glossary.date`` for a date that
        is none, ``glossary.measure`` for an expression that is not one aggregate over known columns.
    """
    glossary, problems = check_glossary(text, catalog)
    if problems or glossary is None:
        first = problems[0]
        raise GlossaryError(first.code, first.message, first.advice)
    return spelled(glossary, catalog)


def usable_glossary(
    text: str, catalog: Catalog, computes: MeasureCheck = _unasked
) -> tuple[Glossary, tuple[GlossaryProblem, ...]]:
    """The parts of a text that fit the catalog, as it spells them, and what was wrong with the others.

    A database that lost a column must still answer: entries that name what is gone are left out.
    """
    glossary, problems = check_glossary(text, catalog, computes)
    if glossary is not None and not problems:
        return spelled(glossary, catalog), ()
    data = parse_yaml(text)[0] if any(problem.path for problem in problems) else {}
    faults = problems
    # Names are looked up only where the shape is right: removing what has no shape may show what has no column.
    while faults and data:
        _remove_all(data, faults)
        glossary, faults = _checked(data, catalog, computes)
    return spelled(glossary, catalog) if glossary is not None and data else Glossary(), problems


def measure_expression(measure: MeasureEntry, dialect: str = "") -> exp.Expr:
    """The measure's SQL as a sqlglot tree."""
    return sqlglot.parse_one(measure.expression, dialect=dialect or None)


# -- what is wrong


def _checked(
    data: dict[str, Any], catalog: Catalog, computes: MeasureCheck
) -> tuple[Glossary | None, tuple[GlossaryProblem, ...]]:
    try:
        glossary = Glossary.model_validate(data)
    except ValidationError as error:
        return None, tuple(_shape(details) for details in error.errors())
    return glossary, tuple(misfits(glossary, data, catalog, computes))


def _shape(details: Any) -> GlossaryProblem:
    """One of pydantic's findings in our words."""
    # Pydantic ends a path with the names of the types it tried; what is a place of the text comes before them.
    path = tuple(str(part) for part in details["loc"])
    name = path[-1] if path else ""
    kind = details["type"]
    hint = "Compare with the documented shape."
    if kind == "extra_forbidden":
        known = keys_of(path[:-1])
        near = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.7)
        allowed = ", ".join(near or known)
        values = {"name": name, **({"known": allowed} if allowed else {})}
        if allowed:
            hint = "Did you mean %(known)s?" if near else "Known here are: %(known)s."
        return GlossaryProblem("glossary.shape", "“%(name)s” has no meaning here.", values, hint, path)
    if kind == "missing":
        return GlossaryProblem(
            "glossary.shape",
            "“%(where)s” is missing.",
            {"where": " → ".join(path)},
            hint,
            path,
        )
    if kind == "literal_error":
        return GlossaryProblem(
            "glossary.shape",
            "“%(value)s” is none of %(choices)s.",
            {"value": str(details["input"])[:60], "choices": ", ".join(AGGREGATIONS)},
            hint,
            path,
        )
    if kind.startswith(("greater_than", "less_than", "int_")):
        return GlossaryProblem("glossary.shape", "“%(name)s” must be a month from 1 to 12.", {"name": name}, hint, path)
    template = next((words for start, words in _FORMS.items() if kind.startswith(start)), "%(where)s: %(problem)s")
    problem = str(details["msg"]).removeprefix("Value error, ")
    values = {"where": " → ".join(path), "problem": problem}
    kept = {key: value for key, value in values.items() if f"%({key})s" in template}
    return GlossaryProblem("glossary.shape", template, kept, hint, path)


def _syntax(error: BaseException, text: str) -> GlossaryProblem:
    mark = getattr(error, "problem_mark", None)
    # What is missing at the end is missed on the last line.
    line = min(mark.line + 1, len(text.splitlines()) or 1) if mark is not None else None
    what = getattr(error, "problem", None) or getattr(error, "reason", None) or "it is nested too deeply"
    return GlossaryProblem(
        "glossary.syntax",
        _SYNTAX_AT if line else "The glossary is not valid YAML: %(problem)s.",
        {"problem": str(what), **({"line": str(line)} if line else {})},
        "Fix the line it names." if line else "Remove what does not belong there.",
        line=line,
    )


# -- places


def _count(node: yaml.Node, known: dict[int, int]) -> int:
    """How many nodes a tree stands for when its aliases are written out.

    :raises yaml.YAMLError: for more than :data:`LARGEST`, or for an alias inside of what it stands for.
    """
    if isinstance(node, yaml.ScalarNode):
        return 1
    size = known.get(id(node))
    if size is None:
        known[id(node)] = -1
        parts = (
            [part for pair in node.value for part in pair] if isinstance(node, yaml.MappingNode) else list(node.value)
        )
        size = known[id(node)] = 1 + sum(_count(part, known) for part in parts)
    if size < 0 or size > LARGEST:
        what = "an alias stands inside of itself" if size < 0 else "its aliases stand for too much"
        raise yaml.MarkedYAMLError(None, None, what, node.start_mark)
    return size


def _line(node: yaml.Node, path: tuple[str, ...]) -> int:
    """The line of the deepest key on the path that the text has."""
    line = 1
    for part in path:
        if isinstance(node, yaml.MappingNode):
            pair = next(((key, value) for key, value in node.value if key.value == part), None)
            if pair is None:
                return line
            line, node = pair[0].start_mark.line + 1, pair[1]
        elif isinstance(node, yaml.SequenceNode) and part.isdigit() and int(part) < len(node.value):
            node = node.value[int(part)]
            line = node.start_mark.line + 1
        else:
            return line
    return line


def _entry_of(path: tuple[str, ...]) -> tuple[str, ...]:
    """The smallest part whose removal leaves a glossary: a measure, a remembered phrase, else the very place."""
    return path[:2] if path[0] in ("measures", "remembered") else path


def _order(path: tuple[str, ...]) -> tuple[tuple[int, str], ...]:
    return tuple((int(part) if part.isdigit() else -1, part) for part in path)


def _remove_all(data: dict[str, Any], faults: tuple[GlossaryProblem, ...]) -> None:
    """Remove the entries at fault, from the back, so that positions in lists stay those of the text."""
    for path in sorted({_entry_of(fault.path) for fault in faults}, key=_order, reverse=True):
        _remove(data, path)


def _remove(data: Any, path: tuple[str, ...]) -> None:
    """Remove the deepest part of the path that the data have."""
    for position, part in enumerate(path):
        key: Any = int(part) if isinstance(data, list) else part
        below = data.get(key) if isinstance(data, dict) else dict(enumerate(data)).get(key)
        if position == len(path) - 1 or not isinstance(below, dict | list):
            if isinstance(data, dict):
                data.pop(key, None)
            else:
                del data[key : key + 1]
            return
        data = below
