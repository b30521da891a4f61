"""Writing glossaries: data to YAML, and changes put into a text where they belong, so that comments and order stay."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import Any, TypeAlias

import yaml
from pydantic import BaseModel

from agents.errors import GlossaryError
from agents.glossary.load import parse_yaml
from agents.glossary.model import ColumnEntry

Parsed: TypeAlias = tuple[dict[str, Any], yaml.MappingNode | None]

LONG = 100
"""Characters of a line from which on names and small mappings go on lines of their own."""

_WIDE = 1_000_000
_ODD = re.compile("[\\x00-\\x1f\\x7f-\\xa0\\u2028\\u2029\\ufeff]")
"""Characters that only survive behind a backslash."""

_LINE_END = re.compile("\r\n|[\n\r\x85\u2028\u2029]")


class _Block(dict[str, Any]):
    """A mapping that is written one key a line, however small it is."""


class _Dumper(yaml.SafeDumper):
    """Lists of names and small mappings on one line, as people write them; the rest in blocks."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


class _InlineDumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """Everything on one line."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _string(dumper: yaml.SafeDumper, data: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", data, style='"' if _ODD.search(data) else None)


def _block(dumper: yaml.SafeDumper, data: _Block) -> yaml.MappingNode:
    return dumper.represent_mapping("tag:yaml.org,2002:map", data.items(), flow_style=False)


def _mapping(dumper: yaml.SafeDumper, data: dict[str, Any]) -> yaml.MappingNode:
    return dumper.represent_mapping("tag:yaml.org,2002:map", data.items(), flow_style=_is_small(data))


def _sequence(dumper: yaml.SafeDumper, data: list[Any]) -> yaml.SequenceNode:
    small = not any(isinstance(item, dict) for item in data) and len(inline(data)) <= LONG
    return dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=small)


_InlineDumper.add_representer(str, _string)
_Dumper.add_representer(str, _string)
_Dumper.add_representer(_Block, _block)
_Dumper.add_representer(dict, _mapping)
_Dumper.add_representer(list, _sequence)


def _is_small(data: dict[str, Any]) -> bool:
    """Names, texts, meanings, and columns of which little is said."""
    deep = any(isinstance(value, dict) for value in data.values())
    return (not deep or set(data) <= set(ColumnEntry.model_fields)) and len(inline(data)) <= LONG


def dump(data: dict[str, Any]) -> str:
    """Plain data as YAML in the glossary's own style; an empty text for no data."""
    return yaml.dump(_Block(data), Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=_WIDE) if data else ""


def inline(value: Any) -> str:
    """A value on one line, as it may stand behind its key."""
    text: str = yaml.dump(
        value, Dumper=_InlineDumper, allow_unicode=True, sort_keys=False, width=_WIDE, default_flow_style=True
    )
    return text.removesuffix("\n").removesuffix("\n...")


def entry_data(entry: BaseModel) -> dict[str, Any]:
    """A model as the plain data to write: what says nothing is left out."""
    kept: dict[str, Any] = _plain(entry.model_dump(exclude_defaults=True))
    return kept


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, bool | int) else str(value)


def merge(raw: Any, old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """``raw`` with what differs between ``old`` and ``new``; what is the same stays as it was written."""
    merged = dict(raw) if isinstance(raw, dict) else {}
    for key in dict.fromkeys([*old, *new]):
        if old.get(key) == new.get(key):
            continue
        if key not in new:
            merged.pop(key, None)
        elif isinstance(old.get(key), dict) and isinstance(new[key], dict):
            merged[key] = merge(merged.get(key), old[key], new[key])
        else:
            merged[key] = new[key]
    return merged


def patch(text: str, data: dict[str, Any], parsed: Parsed | None = None) -> str:
    """The text, changed to say ``data``: only entries that differ are written anew.

    Where that cannot be done in place (entries that share an anchor, an unusual layout) the whole is written anew.

    :param parsed: what reading the text gave, where it was read already.
    :raises GlossaryError: ``glossary.syntax`` or ``glossary.shape`` when the given text cannot be read.
    """
    old, node = parsed or parse_yaml(text)
    if _as_text(old) == _as_text(data):
        return text
    patched = text
    if node is None:
        patched = _Lines(text).text + dump(data)
    elif not node.flow_style:
        lines = _Lines(text)
        edits: list[tuple[int, int, str]] = []
        _edit_block(lines, node, old, data, edits)
        patched = lines.replaced(edits)
    try:
        return patched if _as_text(parse_yaml(patched)[0]) == _as_text(data) else dump(data)
    except GlossaryError:
        return dump(data)


def _as_text(value: Any) -> Any:
    """Data as reading gives them: every scalar a text."""
    if isinstance(value, dict):
        return {key: _as_text(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_as_text(item) for item in value]
    return value if value is None else str(value).lower() if isinstance(value, bool) else str(value)


class _Lines:
    """A text by its lines; marks of the YAML reader become positions."""

    def __init__(self, text: str) -> None:
        self.text = text if not text or text.endswith("\n") else text + "\n"
        # YAML's line ends, not Python's many others.
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    def at(self, mark: yaml.Mark) -> int:
        return self._starts[mark.line] + int(mark.column)

    def line_start(self, position: int) -> int:
        return self._starts[bisect_right(self._starts, position) - 1]

    def line_end(self, position: int) -> int:
        """Behind the end of the line; for a position at the start of a line, that position."""
        place = bisect_left(self._starts, position)
        return self._starts[place] if place < len(self._starts) else len(self.text)

    def replaced(self, edits: list[tuple[int, int, str]]) -> str:
        pieces: list[str] = []
        last = 0
        for start, end, new in sorted(edits, key=lambda edit: edit[:2]):
            pieces += [self.text[last:start], new]
            last = end
        return "".join([*pieces, self.text[last:]])


def _edit_block(
    lines: _Lines, node: yaml.MappingNode, old: dict[str, Any], new: dict[str, Any], edits: list[tuple[int, int, str]]
) -> None:
    """Collect what has to change in a block mapping: entries removed, replaced or put behind the last one."""
    indent = node.value[0][0].start_mark.column if node.value else 0
    for key, value in node.value:
        name = key.value
        start, end = lines.at(key.start_mark), _end(lines, (key, value))
        if name not in new:
            edits.append((lines.line_start(start), lines.line_end(end), ""))
        elif _as_text(old.get(name)) != _as_text(new[name]):
            _edit_entry(lines, (key, value), old.get(name), new[name], edits)
    added = {name: value for name, value in new.items() if name not in old}
    if added and node.value:
        # Small keys of a table stay above its columns, those of the whole above its tables.
        names = [key.value for key, _value in node.value]
        big = next((place for place, name in enumerate(names) if name in ("tables", "columns")), 0)
        for name, value in added.items():
            small = not isinstance(value, dict) or _is_small(value)
            last = node.value[big - 1 if big and small else -1]
            at = lines.line_end(_end(lines, last))
            edits.append((at, at, _indented(dump({name: value}), indent)))


def _edit_entry(
    lines: _Lines, pair: tuple[yaml.Node, yaml.Node], old: Any, new: Any, edits: list[tuple[int, int, str]]
) -> None:
    key, value = pair
    start, end = lines.at(value.start_mark), _end(lines, (key, value))
    block = isinstance(value, yaml.CollectionNode) and not value.flow_style
    elsewhere = _elsewhere(lines, pair)
    within = block and not elsewhere and isinstance(old, dict) and isinstance(new, dict) and any(k in old for k in new)
    if within and isinstance(value, yaml.MappingNode):
        _edit_block(lines, value, old, new, edits)
        return
    if not elsewhere and not block and start < end and "\n" not in lines.text[start:end]:
        edits.append((start, end, inline(new)))
        return
    indent = key.start_mark.column
    edits.append(
        (lines.line_start(lines.at(key.start_mark)), lines.line_end(end), _indented(dump({key.value: new}), indent))
    )


def _end(lines: _Lines, pair: tuple[yaml.Node, yaml.Node]) -> int:
    """Behind the last character of an entry; the reader puts the end of a block behind the comments that follow it."""
    key, value = pair
    if _elsewhere(lines, pair):
        return lines.line_end(lines.at(key.end_mark))
    if isinstance(value, yaml.CollectionNode) and not value.flow_style and value.value:
        last = value.value[-1]
        return _end(lines, last if isinstance(last, tuple) else (value, last))
    end = lines.at(value.end_mark)
    if isinstance(value, yaml.ScalarNode) and value.style in ("|", ">"):
        return len(lines.text[:end].rstrip()) if lines.text[:end].strip() else end
    return end


def _elsewhere(lines: _Lines, pair: tuple[yaml.Node, yaml.Node]) -> bool:
    """Whether the value is an alias: what it stands for is where its anchor is."""
    key, value = pair
    return lines.at(value.start_mark) < lines.at(key.start_mark)


def _indented(text: str, indent: int) -> str:
    return "".join(" " * indent + line for line in text.splitlines(keepends=True))
