"""What the guard lets through, what it refuses, and under which code."""

from __future__ import annotations

import pytest

from agents.catalog import Catalog, Column, Kind, Table
from agents.errors import GuardRejected
from agents.sql.allowed import AllowedSql
from agents.sql.guard import check, verdict


def _columns(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name, "TEXT", Kind.TEXT) for name in names)


CATALOG = Catalog(
    "shop",
    "sqlite",
    (
        Table("orders", _columns("id", "customer_id", "amount", "status", "update", "ship date")),
        Table("customers", _columns("id", "name", "city", "order")),
        Table("门店销售", _columns("门店", "销售额")),
        Table("busy", _columns("id", "n"), kind="view"),
    ),
)


def allows(sql: str, expected: str) -> None:
    assert check(sql, CATALOG).text == expected


def refuses(sql: str, code: str, hint: str = "") -> None:
    with pytest.raises(GuardRejected) as caught:
        check(sql, CATALOG)
    assert caught.value.code == code
    assert caught.value.message.endswith(".")
    assert hint in caught.value.hint
    assert "starchart_call_" not in caught.value.message + caught.value.hint


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("select amount from orders", "SELECT amount FROM orders"),
        ("SELECT amount FROM orders;", "SELECT amount FROM orders"),
        ("SELECT amount FROM orders;; -- done", "SELECT amount FROM orders"),
        ("/* a */ SELECT amount -- b\nFROM orders", "SELECT amount FROM orders"),
        ('SELECT "amount", [status], `id` FROM "orders"', "SELECT amount, status, id FROM orders"),
        ('SELECT "ship date", "update" FROM orders', 'SELECT orders."ship date", orders."update" FROM orders'),
        (
            "SELECT 门店, SUM(销售额) FROM 门店销售 GROUP BY 门店",
            "SELECT 门店, SUM(销售额) FROM 门店销售 GROUP BY 门店",
        ),
        ("SELECT REPLACE(status, 'DELETE', ';') FROM orders", "SELECT REPLACE(status, 'DELETE', ';') FROM orders"),
        ("SELECT '/*! harmless */'", "SELECT '/*! harmless */'"),
        ("SELECT o.* FROM orders o, customers c", "SELECT o.* FROM orders AS o, customers AS c"),
        ("SELECT 1 FROM orders CROSS JOIN customers", "SELECT 1 FROM orders CROSS JOIN customers"),
        ("SELECT mod(5.5, 2), 5 % 2", "SELECT MOD(5.5, 2), 5 % 2"),
        ("SELECT CAST(amount AS DECIMAL(9, 2)) FROM orders", "SELECT CAST(amount AS NUMERIC) FROM orders"),
        (
            "SELECT amount AS a FROM orders WHERE a > 1 ORDER BY a",
            "SELECT amount AS a FROM orders WHERE a > 1 ORDER BY a",
        ),
        ("SELECT city FROM customers JOIN orders USING (id) WHERE id = 1",) * 2,
        ("SELECT id FROM customers NATURAL JOIN orders",) * 2,
        ("SELECT rowid FROM orders",) * 2,
        ("SELECT main.orders.id FROM main.orders",) * 2,
        ("SELECT id FROM orders WHERE EXISTS(SELECT 1 FROM customers WHERE customers.id = customer_id)",) * 2,
        ("WITH t AS (SELECT id AS k FROM orders) SELECT k FROM t",) * 2,
        ("WITH t(k) AS (SELECT id FROM orders) SELECT k FROM t",) * 2,
        ("WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 9) SELECT n FROM t",) * 2,
        ("WITH b AS (SELECT k FROM a), a AS (SELECT id AS k FROM orders) SELECT k FROM b",) * 2,
        ("WITH orders AS (SELECT id AS k FROM customers) SELECT k FROM orders",) * 2,
        ("SELECT column1 FROM (VALUES (1), (2))",) * 2,
        (
            "(SELECT id FROM orders) UNION ALL (SELECT id FROM customers) ORDER BY 1",
            "SELECT id FROM orders UNION ALL SELECT id FROM customers ORDER BY 1",
        ),
        (
            "SELECT id FROM orders UNION (SELECT id FROM customers EXCEPT SELECT 1)",
            "SELECT id FROM orders UNION SELECT * FROM (SELECT id FROM customers EXCEPT SELECT 1)",
        ),
        ("SELECT SUM(amount) FILTER(WHERE status = 'x') OVER w FROM orders WINDOW w AS (PARTITION BY id)",) * 2,
        ("SELECT id FROM (orders JOIN busy USING (id)) JOIN customers USING (id)",) * 2,
        ("SELECT o.id FROM ((SELECT id FROM orders) AS o JOIN (SELECT id FROM busy) AS b ON o.id = b.id)",) * 2,
        ("SELECT * FROM ((orders JOIN customers USING (id)))",) * 2,
        ("SELECT status ->> '$.a[0]' FROM orders",) * 2,
        ("SELECT name COLLATE NOCASE FROM customers",) * 2,
    ],
)
def test_allowed(sql: str, expected: str) -> None:
    allows(sql, expected)
    allows(expected, expected)


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("", "guard.empty"),
        (" ;\n; ", "guard.empty"),
        ("-- nothing", "guard.empty"),
        ("SELECT 1; SELECT 2", "guard.not_one_statement"),
        ("SELECT id FROM orders; DROP TABLE orders", "guard.not_one_statement"),
        ("DELETE FROM orders", "guard.writes"),
        ("WITH k AS (SELECT 1) DELETE FROM orders", "guard.writes"),
        ("WITH k AS (DELETE FROM orders RETURNING id) SELECT * FROM k", "guard.writes"),
        ("INSERT INTO orders VALUES (1)", "guard.writes"),
        ("UPDATE orders SET amount = 0", "guard.writes"),
        ("DROP TABLE orders", "guard.writes"),
        ("CREATE TABLE x AS SELECT * FROM orders", "guard.writes"),
        ("ALTER TABLE orders ADD COLUMN x", "guard.writes"),
        ("SELECT * INTO copy FROM orders", "guard.writes"),
        ("REPLACE INTO orders VALUES (1)", "guard.writes"),
        ("PRAGMA writable_schema = 1", "guard.not_a_query"),
        ("ATTACH DATABASE 'x.db' AS x", "guard.not_a_query"),
        ("DETACH x", "guard.not_a_query"),
        ("VACUUM INTO 'x.db'", "guard.not_a_query"),
        ("EXPLAIN SELECT 1", "guard.not_a_query"),
        ("BEGIN", "guard.not_a_query"),
        ("COMMIT", "guard.not_a_query"),
        ("REINDEX orders", "guard.not_a_query"),
        ("ANALYZE", "guard.not_a_query"),
        ("orders", "guard.not_a_query"),
        ("SELECT id FROM orders FOR UPDATE", "guard.locks"),
        ("SELECT 7 /*!50000 INTO OUTFILE 'x' */", "guard.executable_comment"),
        ("SELECT 7 /*M! , 8 */", "guard.executable_comment"),
        ("SELECT '/*!' || /*! x */ '/*!'", "guard.executable_comment"),
        ("SELECT load_extension('x')", "guard.function"),
        ("SELECT \"load_extension\"('x')", "guard.function"),
        ("SELECT [readfile] ('x')", "guard.function"),
        ("SELECT writefile('a', 'b')", "guard.function"),
        ("SELECT fts3_tokenizer('a')", "guard.function"),
        ("SELECT zeroblob(1000000000)", "guard.function"),
        ("SELECT id FROM orders WHERE id IN (SELECT randomblob(9))", "guard.function"),
        ("SELECT id FROM orders WHERE status REGEXP 'x'", "guard.function"),
        ("SELECT no_such(id) FROM orders", "guard.function"),
        ("SELECT LEFT(status, 2) FROM orders", "guard.function"),
        ("SELECT ROW(1, 2)", "guard.function"),
        ("SELECT * FROM pragma_table_info('orders')", "guard.table_function"),
        ("SELECT * FROM json_each('[1]')", "guard.table_function"),
        ("SELECT * FROM generate_series(1, 9)", "guard.table_function"),
        ("SELECT DATE '2024-01-01'", "guard.cast"),
        ("SELECT CAST(status AS DATE) FROM orders", "guard.cast"),
        ("SELECT ?", "guard.parameter"),
        ("SELECT :name", "guard.parameter"),
        ("SELECT id FROM orders WHERE status MATCH 'x'", "guard.construct"),
        ("SELECT id FROM orders INDEXED BY x", "guard.construct"),
        ("SELECT id FROM orders TABLESAMPLE (10)", "guard.construct"),
        ("SELECT DISTINCT ON (status) id FROM orders", "guard.construct"),
        ("SELECT INTERVAL '1 day'", "guard.construct"),
        ("SELECT id FROM orders AS o(k)", "guard.construct"),
        ("SELECT +amount FROM orders", "guard.syntax"),
        ("SELECT FROM WHERE", "guard.syntax"),
        ("SELECT 'open", "guard.syntax"),
        ("SELECT id FROM orders WHERE status = 'a\x00b'", "guard.syntax"),
        ("SELECT '\ud800'", "guard.syntax"),
        ("SELECT status ->> '$[#-1].*' FROM orders", "guard.syntax"),
        ("SELECT * FROM sqlite_master", "guard.system_table"),
        ("SELECT * FROM main.sqlite_schema", "guard.system_table"),
        ('SELECT * FROM "SQLITE_MASTER"', "guard.system_table"),
        ("SELECT * FROM temp.orders", "guard.system_table"),
        ("SELECT * FROM dbstat", "guard.system_table"),
        ("SELECT other.orders.id FROM orders", "guard.system_table"),
        ("SELECT * FROM invoices", "guard.unknown_table"),
        ("SELECT c.id FROM orders", "guard.unknown_table"),
        ("SELECT orders.id FROM orders AS o", "guard.unknown_table"),
        ("SELECT * FROM orders, (SELECT 1 FROM customers WHERE orders.id = 1)", "guard.unknown_table"),
        ("SELECT price FROM orders", "guard.unknown_column"),
        ("SELECT orders.price FROM orders", "guard.unknown_column"),
        ('SELECT id FROM orders WHERE "statuz" = 1', "guard.unknown_column"),
        ('SELECT amount AS a, "a" FROM orders', "guard.unknown_column"),
        ("SELECT rowid FROM busy", "guard.unknown_column"),
        ("SELECT 1 FROM orders JOIN customers USING (amount)", "guard.unknown_column"),
        ("SELECT * FROM (SELECT id FROM orders) AS t WHERE t.amount > 1", "guard.unknown_column"),
        ("SELECT id FROM orders, customers", "guard.ambiguous_column"),
        ("SELECT id = amount NOT IN (1, 2) FROM orders", "guard.ambiguous_comparison"),
        ("WITH t AS (SELECT * FROM t) SELECT * FROM t", "guard.circular"),
        ("SELECT " + "(" * 5_000 + "1" + ")" * 4_000, "guard.too_complex"),
        ("SELECT " + "NOT " * 4_000 + "1", "guard.too_complex"),
        ("SELECT 1 FROM orders " + "JOIN orders " * 200, "guard.too_complex"),
        ("SELECT " + "1," * 30_000 + "1", "guard.too_complex"),
    ],
)
def test_refused(sql: str, code: str) -> None:
    refuses(sql, code)


@pytest.mark.parametrize(
    "place",
    [
        "SELECT * FROM orders JOIN {}",
        "SELECT * FROM orders, {}",
        "SELECT * FROM ((orders JOIN {}))",
        "SELECT * FROM (orders JOIN (busy JOIN {}))",
        "SELECT * FROM (SELECT 1 UNION SELECT sql FROM {})",
        "WITH unused AS (SELECT * FROM {}) SELECT 1",
        "SELECT (SELECT sql FROM {})",
        "SELECT id FROM orders WHERE id IN (SELECT sql FROM {})",
        "SELECT n FROM orders JOIN busy ON EXISTS (SELECT 1 FROM {})",
        "SELECT id FROM orders GROUP BY (SELECT sql FROM {})",
        "SELECT id FROM orders GROUP BY id HAVING (SELECT sql FROM {})",
        "SELECT id FROM orders ORDER BY (SELECT sql FROM {})",
        "SELECT id FROM orders LIMIT (SELECT 1 FROM {})",
        "SELECT id FROM orders LIMIT 1 OFFSET (SELECT 1 FROM {})",
        "(SELECT id FROM orders) LIMIT (SELECT 1 FROM {})",
        "SELECT id FROM orders UNION SELECT 1 ORDER BY (SELECT sql FROM {})",
        "SELECT SUM(id) OVER (PARTITION BY (SELECT sql FROM {})) FROM orders",
        "SELECT SUM(id) OVER w FROM orders WINDOW w AS (ORDER BY (SELECT sql FROM {}))",
        "SELECT SUM(id) FILTER (WHERE (SELECT sql FROM {})) FROM orders",
        "SELECT CASE WHEN 1 THEN (SELECT sql FROM {}) END",
        "VALUES ((SELECT sql FROM {}))",
    ],
)
def test_no_place_hides_a_table(place: str) -> None:
    refuses(place.format("sqlite_master"), "guard.system_table")
    refuses(place.format("nowhere"), "guard.unknown_table")


@pytest.mark.parametrize(
    ("sql", "code", "hint"),
    [
        ("SELECT * FROM costumers", "guard.unknown_table", "customers"),
        ("SELECT amuont FROM orders", "guard.unknown_column", "amount"),
        ('SELECT id FROM orders WHERE status = "paid in full"', "guard.unknown_column", "'paid in full'"),
        ("SELECT year(status) FROM orders", "guard.function", "strftime"),
        ("SELECT id FROM orders, customers", "guard.ambiguous_column", "orders.id"),
    ],
)
def test_hints_say_what_to_write_instead(sql: str, code: str, hint: str) -> None:
    refuses(sql, code, hint)


def test_tables_are_named_as_in_the_catalog() -> None:
    allowed = check("WITH t AS (SELECT * FROM CUSTOMERS) SELECT * FROM t, Orders", CATALOG)
    assert allowed.tables == ("customers", "orders")


def test_long_flat_statements_pass() -> None:
    conditions = " OR ".join(f"id = {number}" for number in range(900))
    assert check(f"SELECT id FROM orders WHERE {conditions}", CATALOG).tables == ("orders",)


def test_unknown_dialect_is_refused() -> None:
    with pytest.raises(GuardRejected) as caught:
        check("SELECT 1", CATALOG, dialect="oracle")
    assert caught.value.code == "guard.dialect"


def test_verdict_is_json_for_both_outcomes() -> None:
    assert verdict("select id from orders", CATALOG) == {
        "verdict": "allow",
        "code": "",
        "reasons": [],
        "sql": "SELECT id FROM orders",
        "tables": ["orders"],
    }
    blocked = verdict("DROP TABLE orders", CATALOG)
    assert (blocked["verdict"], blocked["code"], blocked["sql"]) == ("block", "guard.writes", "")
    assert blocked["reasons"]


def test_only_the_guard_can_make_the_permit() -> None:
    with pytest.raises(TypeError):
        AllowedSql("DROP TABLE orders", "sqlite", (), object())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "sql", ["select", "SELECT FROM orders", "SELECT 1 UNION SELECT", "SELECT id FROM orders WHERE id IN (SELECT)"]
)
def test_a_select_of_nothing_is_no_sql(sql: str) -> None:
    refuses(sql, "guard.syntax")


@pytest.mark.parametrize(
    "call",
    [
        "printf('%1000000000d', 1)",
        "printf('%*d', 1000000000, 1)",
        "printf('%.1000000000f', 1)",
        "printf('%.*f', 1000000000, 1)",
        "printf('%d%%%-,1000000000d', 1, 1)",
        "format('%5000s', status)",
        "format(status, 1)",
        "format('%1' || '000000000d', 1)",
        "format((SELECT status FROM orders), 1)",
        "printf('%1000000000%')",
        "printf()",
    ],
)
def test_formats_that_pad_without_end(call: str) -> None:
    refuses(f"SELECT {call} FROM orders", "guard.function")


@pytest.mark.parametrize(
    "call",
    ["PRINTF('%.2f', amount)", "FORMAT('%08.3f%% 100000', amount)", "PRINTF('%,d', id)", "PRINTF('%-10s|', status)"],
)
def test_plain_formats(call: str) -> None:
    allows(f"SELECT {call} FROM orders", f"SELECT {call} FROM orders")
