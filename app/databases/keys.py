"""Foreign keys that nobody declared, found from names, types and contained values.

Only three patterns are believed, each with a target that is unique, so that a wrong guess can never multiply rows:
``customer_id`` -> ``customers.id``, ``customer_id`` -> ``customers.customer_id``, and a column with the same name as
the primary key of exactly one other table. What is found is marked ``inferred`` with its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from agents.catalog import Catalog, Column, ForeignKey, Kind, Table

# Says whether every sample of the first column is found in the second.
Contains = Callable[[Table, Column, Table, Column], bool]

_GENERIC = frozenset({"id", "name", "code", "key", "type", "title", "rowid", "no", "number"})
_FAMILY = {Kind.INTEGER: "number", Kind.DECIMAL: "number", Kind.TEXT: "text"}


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
    for ending in ("id", "code", "key", "no"):
        if squeezed.endswith(ending) and len(squeezed) > len(ending) + 1:
            return squeezed[: -len(ending)]
    return None


def _key_column(table: Table) -> Column | None:
    if table.kind != "table" or len(table.primary_key) != 1:
        return None
    return table.column(table.primary_key[0])


def _candidates(catalog: Catalog, table: Table, column: Column) -> Iterator[tuple[Table, Column, str]]:
    stem = _stem(column.name)
    same_name: list[tuple[Table, Column]] = []
    for other in catalog.tables:
        key = _key_column(other)
        if key is None or other.name == table.name:
            continue
        if stem is not None and stem in _singulars(other.name) and _squeezed(key.name) in ("id", "code", "key", "no"):
            yield other, key, f"{column.name} names {other.name}.{key.name}"
        elif _squeezed(key.name) == _squeezed(column.name) and _squeezed(column.name) not in _GENERIC:
            same_name.append((other, key))
    if len(same_name) == 1:
        other, key = same_name[0]
        yield other, key, f"same name as the key of {other.name}"


def infer_foreign_keys(catalog: Catalog, contains: Contains) -> Catalog:
    """The catalog with undeclared single-column keys added, where name, type and values agree.

    :param contains: checks values against the database; called only for pairs whose names and types already agree.
    """
    tables: list[Table] = []
    for table in catalog.tables:
        taken = {name.lower() for key in table.foreign_keys for name in key.columns}
        found: list[ForeignKey] = []
        for column in table.columns:
            if table.kind != "table" or column.name.lower() in taken or not column.samples:
                continue
            if table.primary_key == (column.name,):
                continue
            for other, key, reason in _candidates(catalog, table, column):
                family = _FAMILY.get(column.kind)
                if family is None or _FAMILY.get(key.kind) != family or not contains(table, column, other, key):
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
