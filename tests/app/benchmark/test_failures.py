"""What is said to be wrong with a statement, clause by clause."""

from __future__ import annotations

import pytest

from app.benchmark.clauses import facts_of, parse
from app.benchmark.facts import Facts
from app.benchmark.failures import NOT_PARSED, SAME_CLAUSES, differences

SCHEMA = {
    "owners": ("id", "name", "city", "age"),
    "pets": ("id", "owner_id", "sitter_id", "name", "weight", "born"),
    "toys": ("id", "pet_id", "kind"),
}
JOINED = "pets AS p JOIN owners AS o ON p.owner_id = o.id"


@pytest.mark.parametrize(
    ("gold", "got", "classes"),
    [
        # tables and joins
        ("SELECT name FROM pets", "SELECT name FROM owners", {"wrong table", "wrong column (shown)"}),
        (f"SELECT p.name FROM {JOINED}", "SELECT name FROM pets", {"missing table"}),
        ("SELECT name FROM pets", f"SELECT p.name FROM {JOINED}", {"extra table"}),
        (
            f"SELECT o.name FROM {JOINED}",
            "SELECT o.name FROM pets AS p JOIN owners AS o ON p.sitter_id = o.id",
            {"wrong join"},
        ),
        (
            f"SELECT o.name FROM {JOINED}",
            f"SELECT o.name FROM {JOINED.replace('JOIN', 'LEFT JOIN')}",
            {"extra outer join"},
        ),
        # a positive subquery, or a condition, is another way to join
        (
            "SELECT name FROM owners WHERE id IN (SELECT owner_id FROM pets)",
            f"SELECT o.name FROM {JOINED}",
            {SAME_CLAUSES},
        ),
        (
            "SELECT name FROM owners WHERE EXISTS (SELECT 1 FROM pets WHERE owner_id = owners.id)",
            "SELECT o.name FROM owners AS o, pets AS p WHERE p.owner_id = o.id",
            {SAME_CLAUSES},
        ),
        # the same by another column that the join makes equal
        (
            "SELECT o.name FROM pets AS p JOIN owners AS o ON p.owner_id = o.id GROUP BY p.owner_id",
            f"SELECT o.name FROM {JOINED} GROUP BY o.id",
            {SAME_CLAUSES},
        ),
        # nesting
        (
            "SELECT name FROM owners WHERE id NOT IN (SELECT owner_id FROM pets)",
            "SELECT name FROM owners",
            {"missing table", "missing nesting (not in, except)"},
        ),
        (
            "SELECT name FROM owners WHERE id NOT IN (SELECT owner_id FROM pets)",
            "SELECT name FROM owners WHERE NOT EXISTS (SELECT 1 FROM pets WHERE owner_id = owners.id)",
            {SAME_CLAUSES},
        ),
        (
            "SELECT city FROM owners WHERE age > 40 INTERSECT SELECT city FROM owners WHERE age < 20",
            "SELECT city FROM owners WHERE age > 40 AND age < 20",
            {"missing nesting (intersect)"},
        ),
        (
            "SELECT name FROM pets WHERE weight > (SELECT avg(weight) FROM pets)",
            "SELECT name FROM pets WHERE weight > 3",
            {"missing nesting (compared with a subquery)", "wrong value"},
        ),
        (
            "SELECT name FROM pets WHERE weight > (SELECT avg(weight) FROM pets)",
            "SELECT name FROM pets WHERE weight > (SELECT max(weight) FROM pets)",
            {"wrong value"},
        ),
        # what is shown
        ("SELECT name FROM pets", "SELECT weight FROM pets", {"wrong column (shown)"}),
        ("SELECT name, weight FROM pets", "SELECT weight FROM pets", {"missing column"}),
        ("SELECT name FROM pets", "SELECT weight, name FROM pets", {"extra column"}),
        ("SELECT avg(weight) FROM pets", "SELECT sum(weight) FROM pets", {"wrong aggregate"}),
        ("SELECT avg(weight) FROM pets", "SELECT weight FROM pets", {"wrong aggregate"}),
        ("SELECT avg(weight) FROM pets", "SELECT avg(born) FROM pets", {"wrong column (in aggregate)"}),
        ("SELECT count(*) FROM pets", "SELECT count(DISTINCT name) FROM pets", {"distinct in aggregate"}),
        ("SELECT count(*) FROM pets", "SELECT COUNT(id) AS n FROM pets", {SAME_CLAUSES}),
        ("SELECT DISTINCT name FROM pets", "SELECT name FROM pets", {"missing distinct"}),
        ("SELECT name FROM pets", "SELECT DISTINCT name FROM pets", {"extra distinct"}),
        # conditions
        ("SELECT name FROM pets WHERE weight > 3", "SELECT name FROM pets", {"missing condition"}),
        ("SELECT name FROM pets WHERE name = 'Rex'", "SELECT name FROM pets", {"missing value link"}),
        ("SELECT name FROM pets", "SELECT name FROM pets WHERE weight > 3", {"extra condition"}),
        ("SELECT name FROM pets WHERE weight > 3", "SELECT name FROM pets WHERE weight > 4", {"wrong value"}),
        ("SELECT name FROM pets WHERE weight > 3", "SELECT name FROM pets WHERE weight >= 3", {"wrong operator"}),
        (
            "SELECT name FROM pets WHERE weight > 3",
            "SELECT name FROM pets WHERE born > 3",
            {"wrong column (in condition)"},
        ),
        ("SELECT name FROM pets WHERE weight > 3", "SELECT name FROM pets WHERE 3 < weight", {SAME_CLAUSES}),
        ("SELECT name FROM pets WHERE NOT weight > 3", "SELECT name FROM pets WHERE weight <= 3", {SAME_CLAUSES}),
        (
            "SELECT name FROM pets WHERE weight BETWEEN 3 AND 4",
            "SELECT name FROM pets WHERE weight >= 3 AND weight <= 4",
            {SAME_CLAUSES},
        ),
        (
            "SELECT name FROM pets WHERE weight = 3 OR weight = 4",
            "SELECT name FROM pets WHERE weight IN (3, 4)",
            {SAME_CLAUSES},
        ),
        (
            "SELECT name FROM pets WHERE weight = 3 OR born = 4",
            "SELECT name FROM pets WHERE weight = 3 AND born = 4",
            {"wrong and, or"},
        ),
        # SQLite takes a quoted name that is no column for text
        ('SELECT name FROM pets WHERE name = "Rex"', "SELECT name FROM pets WHERE name = 'Rex'", {SAME_CLAUSES}),
        ('SELECT name FROM pets WHERE "name" = "Rex"', "SELECT name FROM pets WHERE name = 'Tom'", {"wrong value"}),
        # groups
        ("SELECT count(*) FROM pets GROUP BY name", "SELECT count(*) FROM pets", {"missing group"}),
        ("SELECT count(*) FROM pets", "SELECT count(*) FROM pets GROUP BY name", {"extra group"}),
        ("SELECT count(*) FROM pets GROUP BY name", "SELECT count(*) FROM pets GROUP BY weight", {"wrong group"}),
        ("SELECT count(*) FROM pets GROUP BY id", "SELECT count(*) FROM pets GROUP BY id, name", {SAME_CLAUSES}),
        (
            "SELECT name FROM pets GROUP BY name HAVING count(*) > 1",
            "SELECT name FROM pets GROUP BY name",
            {"missing having"},
        ),
        (
            "SELECT name FROM pets GROUP BY name HAVING count(*) > 1",
            "SELECT name, count(*) AS n FROM pets GROUP BY name HAVING n >= 1",
            {"extra column", "wrong having"},
        ),
        # order
        ("SELECT name FROM pets ORDER BY weight", "SELECT name FROM pets", {"missing order"}),
        ("SELECT name FROM pets", "SELECT name FROM pets ORDER BY weight", {SAME_CLAUSES}),
        (
            "SELECT name FROM pets ORDER BY weight",
            "SELECT name FROM pets ORDER BY weight DESC",
            {"wrong order (direction)"},
        ),
        ("SELECT name FROM pets ORDER BY weight", "SELECT name FROM pets ORDER BY name", {"wrong order (by what)"}),
        (
            "SELECT name FROM pets ORDER BY weight",
            "SELECT name FROM pets ORDER BY weight NULLS LAST, name",
            {SAME_CLAUSES},
        ),
        ("SELECT name FROM pets ORDER BY weight LIMIT 1", "SELECT name FROM pets", {"missing order and limit"}),
        (
            "SELECT name FROM pets ORDER BY weight LIMIT 1",
            "SELECT name FROM pets ORDER BY weight LIMIT 3",
            {"wrong limit"},
        ),
        (
            "SELECT name FROM pets GROUP BY name ORDER BY count(*) DESC",
            "SELECT name FROM (SELECT name, count(*) AS n FROM pets GROUP BY name) AS t ORDER BY n DESC",
            {"extra nesting (in from)", "wrong order (by what)"},
        ),
        ("SELECT name FROM pets ORDER BY 1", "SELECT name FROM pets ORDER BY name", {SAME_CLAUSES}),
        ("SELECT ??", "SELECT name FROM pets", {NOT_PARSED}),
    ],
)
def test_differences(gold: str, got: str, classes: set[str]) -> None:
    assert set(differences(gold, got, SCHEMA)) == classes
    assert differences(gold, gold, SCHEMA) == ((NOT_PARSED,) if NOT_PARSED in classes else (SAME_CLAUSES,))


def facts(sql: str) -> Facts:
    tree = parse(sql)
    assert tree is not None
    return facts_of(tree, SCHEMA)


@pytest.mark.parametrize(
    ("sql", "tables", "columns"),
    [
        ("SELECT T1.name FROM owners AS T1", {"owners"}, {"owners.name"}),
        ("SELECT Name FROM Owners", {"owners"}, {"owners.name"}),
        (f"SELECT weight FROM {JOINED}", {"owners", "pets"}, {"owners.id", "pets.owner_id", "pets.weight"}),
        ("SELECT avg(n) FROM (SELECT weight AS n FROM pets)", {"pets"}, {"pets.weight"}),
        ("WITH c AS (SELECT weight AS n FROM pets) SELECT n FROM c", {"pets"}, {"pets.weight"}),
        ("SELECT count(*) FROM toys UNION SELECT age FROM owners", {"owners", "toys"}, {"owners.age"}),
        (
            "SELECT name FROM owners WHERE EXISTS (SELECT 1 FROM pets WHERE owner_id = owners.id AND city = 'Rome')",
            {"owners", "pets"},
            {"owners.name", "owners.id", "owners.city", "pets.owner_id"},
        ),
    ],
)
def test_facts_name_tables_and_columns(sql: str, tables: set[str], columns: set[str]) -> None:
    found = facts(sql)
    assert found.tables == tables
    assert {column for column in found.columns if "." in column and "(" not in column} == columns
