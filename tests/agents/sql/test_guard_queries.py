"""Analytic SQL of every common shape passes the guard, and gives the same rows after it was written anew."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from agents.catalog import Catalog
from agents.sql.guard import check
from app.databases.catalog import take_catalog

QUERIES = [
    "SELECT COUNT(*) FROM orders",
    "SELECT DISTINCT status FROM orders ORDER BY status",
    "SELECT status, COUNT(*) n, SUM(amount) FROM orders GROUP BY status HAVING COUNT(*) > 1 ORDER BY n DESC, 1",
    "SELECT AVG(amount), MIN(amount), MAX(qty), TOTAL(qty) FROM orders WHERE amount IS NOT NULL",
    "SELECT c.name, o.amount FROM customers c JOIN orders o ON o.customer_id = c.id ORDER BY o.id",
    "SELECT c.name, COUNT(o.id) FROM customers AS c LEFT JOIN orders AS o ON o.customer_id = c.id GROUP BY c.id",
    "SELECT c.name FROM customers c, orders o WHERE c.id = o.customer_id AND o.amount > 8 ORDER BY c.name, o.id",
    "SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders WHERE customer_id IS NOT NULL)",
    "SELECT name FROM customers WHERE EXISTS (SELECT 1 FROM orders WHERE customer_id = customers.id AND qty > 2)",
    "SELECT name FROM customers c WHERE (SELECT SUM(amount) FROM orders WHERE customer_id = c.id) > 10",
    "SELECT strftime('%Y', \"order date\") y, SUM(amount) FROM orders GROUP BY y ORDER BY y",
    "SELECT strftime('%Y-%m', \"order date\") AS m, COUNT(*) FROM orders WHERE \"order date\" >= '2024-01-01' "
    "GROUP BY 1",
    "SELECT date(\"order date\", 'start of month', '+1 month', '-1 day') FROM orders ORDER BY id",
    "SELECT julianday('2024-03-01') - julianday(\"order date\") FROM orders ORDER BY id",
    "SELECT * FROM orders WHERE amount BETWEEN 5 AND 20 AND NOT status = 'open' ORDER BY id LIMIT 2 OFFSET 1",
    "SELECT * FROM orders ORDER BY amount DESC NULLS LAST LIMIT 3",
    "SELECT * FROM orders ORDER BY amount ASC NULLS LAST, id",
    "SELECT id FROM orders ORDER BY id LIMIT 1, 2",
    "SELECT CASE WHEN amount > 15 THEN 'big' WHEN amount IS NULL THEN '?' ELSE 'small' END AS size, COUNT(*) "
    "FROM orders GROUP BY size ORDER BY size",
    "SELECT CASE status WHEN 'paid' THEN 1 ELSE 0 END FROM orders ORDER BY id",
    "SELECT IIF(qty > 2, 'many', 'few'), IFNULL(amount, 0), COALESCE(status, '-'), NULLIF(qty, 3) FROM orders "
    "ORDER BY id",
    "SELECT CAST(SUM(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) AS REAL) / COUNT(*) FROM orders",
    "SELECT SUM(qty) * 1.0 / COUNT(DISTINCT customer_id) FROM orders",
    "SELECT qty / 2, qty % 2, qty * 1.0 / 2, mod(qty, 2.5), round(amount, 1), abs(amount) FROM orders ORDER BY id",
    "SELECT ROW_NUMBER() OVER (ORDER BY amount DESC), id FROM orders ORDER BY 1",
    "SELECT id, RANK() OVER (PARTITION BY status ORDER BY qty DESC) r FROM orders ORDER BY id",
    "SELECT id, SUM(amount) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM orders",
    "SELECT id, AVG(amount) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM orders",
    "SELECT id, LAG(amount, 1, 0) OVER w, LEAD(amount) OVER w FROM orders WINDOW w AS (ORDER BY id) ORDER BY id",
    "SELECT id, COUNT(*) FILTER (WHERE status = 'paid') OVER () FROM orders ORDER BY id",
    "SELECT id, NTILE(2) OVER (ORDER BY id), FIRST_VALUE(id) OVER (ORDER BY qty, id) FROM orders ORDER BY id",
    "SELECT * FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY amount DESC) AS k FROM orders) t "
    "WHERE k = 1 ORDER BY id",
    "WITH paid AS (SELECT * FROM orders WHERE status = 'paid') SELECT COUNT(*), SUM(amount) FROM paid",
    "WITH a AS (SELECT customer_id k, SUM(amount) s FROM orders GROUP BY 1), b AS (SELECT AVG(s) m FROM a) "
    "SELECT k FROM a, b WHERE s > m ORDER BY k",
    "WITH RECURSIVE up(id, name, depth) AS (SELECT id, name, 0 FROM staff WHERE boss_id IS NULL UNION ALL "
    "SELECT s.id, s.name, up.depth + 1 FROM staff s JOIN up ON s.boss_id = up.id) SELECT * FROM up ORDER BY id",
    "WITH RECURSIVE days(d) AS (VALUES ('2024-01-01') UNION ALL SELECT date(d, '+1 day') FROM days LIMIT 5) "
    "SELECT d FROM days",
    "SELECT name FROM customers UNION SELECT name FROM staff ORDER BY name",
    "SELECT city FROM customers UNION ALL SELECT name FROM staff ORDER BY 1 DESC LIMIT 3",
    "SELECT id FROM customers INTERSECT SELECT customer_id FROM orders",
    "SELECT id FROM customers EXCEPT SELECT customer_id FROM orders",
    "SELECT id FROM customers UNION SELECT id FROM staff EXCEPT SELECT 2 ORDER BY id",
    "SELECT a.name, b.name AS boss FROM staff a LEFT JOIN staff b ON a.boss_id = b.id ORDER BY a.id",
    "SELECT * FROM customers JOIN orders USING (id) ORDER BY id",
    "SELECT id, name FROM customers NATURAL JOIN staff ORDER BY id",
    "SELECT COUNT(*) FROM customers CROSS JOIN staff",
    "SELECT c.*, o.id FROM customers c JOIN (SELECT * FROM orders WHERE qty > 1) AS o ON c.id = o.customer_id "
    "ORDER BY o.id",
    "SELECT city, total FROM city_totals WHERE total > 5 ORDER BY total",
    "SELECT name FROM customers WHERE name LIKE '%a%' OR city GLOB 'R*' ORDER BY id",
    "SELECT note FROM orders WHERE note LIKE '%;%' OR note = 'DROP TABLE' ORDER BY id",
    "SELECT name FROM customers WHERE city COLLATE NOCASE = 'oslo' ORDER BY name COLLATE NOCASE DESC",
    "SELECT UPPER(name) || '-' || LOWER(city), LENGTH(name), SUBSTR(name, 1, 1), TRIM(name), INSTR(name, 'a') "
    "FROM customers",
    "SELECT REPLACE(name, 'a', 'b'), PRINTF('%05.1f', id), HEX(name), QUOTE(name), TYPEOF(id) FROM customers "
    "ORDER BY id",
    "SELECT GROUP_CONCAT(name), GROUP_CONCAT(DISTINCT city), GROUP_CONCAT(name, '; ') FROM customers",
    "SELECT json_extract(note, '$.a.b[1]'), note -> '$.a' ->> 'b' FROM orders WHERE id = 2",
    "SELECT MAX(amount, qty), MIN(id) FROM orders",
    "SELECT COUNT(*) FROM orders WHERE (customer_id, status) IN (SELECT customer_id, 'paid' FROM orders)",
    "SELECT status IS 'paid', status IS NOT 'paid', amount ISNULL, amount NOTNULL FROM orders ORDER BY id",
    "SELECT vip, COUNT(*) FROM customers GROUP BY vip HAVING vip IN (0, 1) ORDER BY vip",
    "SELECT customer_id, SUM(amount) / (SELECT SUM(amount) FROM orders) AS share FROM orders GROUP BY "
    "customer_id ORDER BY 1",
    "SELECT (SELECT name FROM customers c WHERE c.id = o.customer_id) AS who, amount FROM orders o ORDER BY o.id",
    "SELECT -amount, ~qty, qty & 1, qty | 8, qty << 2, qty >> 1 FROM orders ORDER BY id",
    "SELECT 1e3, .5, 0x1F, 'it''s', x'41', NULL, TRUE, FALSE",
    'SELECT o.amount AS "Amount (€)", o.id AS "select" FROM orders o ORDER BY "Amount (€)" DESC, "select"',
    "SELECT rowid, * FROM staff ORDER BY rowid",
    "VALUES (1, 'a'), (2, 'b')",
    "SELECT column1 + 1 FROM (VALUES (1), (2))",
]


@pytest.fixture(scope="module")
def catalog(scratch: Path) -> Catalog:
    return take_catalog(scratch, "scratch").catalog


@pytest.mark.parametrize("sql", QUERIES)
def test_same_rows_after_the_guard(sql: str, scratch: Path, catalog: Catalog) -> None:
    connection = sqlite3.connect(scratch)
    wanted = connection.execute(sql)
    titles, rows = [entry[0] for entry in wanted.description], wanted.fetchall()
    again = connection.execute(check(sql, catalog).text)
    assert again.fetchall() == rows
    assert len(again.description) == len(titles)
    connection.close()
