"""Foreign keys that nobody declared, found from names, types and contained values.

Only four patterns are believed, each with a target that is unique, so that a wrong guess can never multiply rows:
``customer_id`` -> ``customers.id``, ``customer_id`` -> ``customers.customer_id``, a column with the same name as the
primary key of exactly one other table, and any of these behind a role (``billing_customer_id``). What is found is
marked ``inferred`` with its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from agents.catalog import Catalog, Column, ForeignKey, Kind, Table
from agents.language.text import split_identifier

# Says whether every sample of the first column is found in the second.
Contains = Callable[[Table, Column, Table, Column], bool]

_GENERIC = frozenset({"id", "name", "code", "key", "type", "title", "rowid", "no", "number"})
_ENDINGS = ("id", "code", "key", "no")
# Numbers kept as text join with numbers: where the values agree, the declared types may differ.
_JOINED = frozenset({Kind.INTEGER, Kind.DECIMAL, Kind.TEXT})


def _squeezed(name: str) -> str:
    return name.lower().replace("_", "").replace(" ", "").replace("-", "")


def _singulars(name: str) -> frozenset[str]:
    squeezed = _squeezed(name)
    forms = {squeezed}
    for ending, replacement in (
        ("ies", "y"),
        ("ses", "s"),
        ("xes", "x"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("s", ""),
    ):
        if squeezed.endswith(ending) and len(squeezed) > len(ending) + 1:
            forms.add(squeezed[: -len(ending)] + replacement)
    return frozenset(forms)


def _stem(column: str) -> str | None:
    """``customer`` for ``customer_id``, ``customerId``, ``customer code``; ``None`` when the name is no reference."""
    squeezed = _squeezed(column)
    for ending in _ENDINGS:
        if squeezed.endswith(ending) and len(squeezed) > len(ending) + 1:
            return squeezed[: -len(ending)]
    return None


def _key_column(table: Table) -> Column | None:
    if table.kind != "table" or len(table.primary_key) != 1:
        return None
    return table.column(table.primary_key[0])


class _Keys:
    """The single-column primary keys of a catalog, found by what a reference to them would be called."""

    def __init__(self, catalog: Catalog) -> None:
        self._by_stem: dict[str, list[tuple[Table, Column]]] = {}
        self._by_name: dict[str, list[tuple[Table, Column]]] = {}
        for table in catalog.tables:
            key = _key_column(table)
            if key is None:
                continue
            name = _squeezed(key.name)
            if name in _ENDINGS:
                for stem in _singulars(table.name):
                    self._by_stem.setdefault(stem, []).append((table, key))
            if name not in _GENERIC:
                self._by_name.setdefault(name, []).append((table, key))

    def candidates(self, table: Table, column: Column) -> Iterator[tuple[Table, Column, str]]:
        """What the column may refer to, with the reason."""
        for other, key in self._by_stem.get(_stem(column.name) or "", ()):
            if other.name != table.name:
                yield other, key, f"{column.name} names {other.name}.{key.name}"
        same = [
            (other, key) for other, key in self._by_name.get(_squeezed(column.name), ()) if other.name != table.name
        ]
        if len(same) == 1:
            other, key = same[0]
            yield other, key, f"same name as the key of {other.name}"
        for tail in _tails(column.name):
            # "start_station_id" is a station's, in a role.
            found = self._by_stem.get(_stem(tail) or "", ()) or self._by_name.get(_squeezed(tail), ())
            for other, key in found if len(found) == 1 else ():
                yield other, key, f"{column.name} ends with the name of {other.name}.{key.name}"


def _tails(column: str) -> Iterator[str]:
    """The name without its first words, the longest first: what is left when a role is taken away."""
    words = split_identifier(column)
    for start in range(1, len(words) - 1):
        yield "_".join(words[start:])


def _is_credible(key: ForeignKey, catalog: Catalog) -> bool:
    """Whether a declared key may be the only one of its column. One whose name says another thing than what it refers
    to (``actor_id`` to ``city.city_id``) is kept, but what the name says is looked for too."""
    if len(key.columns) != 1:
        return True
    stem = _stem(key.columns[0])
    if stem is None or key.ref_table not in catalog:
        return True
    target = _squeezed(key.ref_columns[0]) if key.ref_columns else ""
    said = {*_singulars(key.ref_table), target, _stem(target) or ""}
    return any(stem in one or one in stem for one in said if one and one not in _GENERIC)


def infer_foreign_keys(catalog: Catalog, contains: Contains) -> Catalog:
    """The catalog with undeclared single-column keys added, where name, type and values agree.

    :param contains: checks values against the database; called only for pairs whose names and types already agree.
    """
    keys = _Keys(catalog)
    tables: list[Table] = []
    for table in catalog.tables:
        taken = {name.lower() for key in table.foreign_keys for name in key.columns if _is_credible(key, catalog)}
        found: list[ForeignKey] = []
        for column in table.columns:
            if table.kind != "table" or column.name.lower() in taken or not column.samples:
                continue
            if table.primary_key == (column.name,):
                continue
            declared = {key.ref_table for key in table.foreign_keys if key.columns == (column.name,)}
            for other, key, reason in keys.candidates(table, column):
                if other.name in declared:
                    continue
                if column.kind not in _JOINED or key.kind not in _JOINED or not contains(table, column, other, key):
                    continue
                found.append(
                    ForeignKey(
                        (column.name,),
                        other.name,
                        (key.name,),
                        True,
                        f"{reason}; all samples found there",
                    )
                )
                break
        tables.append(replace(table, foreign_keys=table.foreign_keys + tuple(found)))
    return replace(catalog, tables=tuple(tables))
