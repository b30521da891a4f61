"""Questions and the SQL they are read as, pair by pair, over the small catalog."""

from __future__ import annotations

import pytest

from agents.catalog import Catalog
from tests.agents.plan.reading import NOW, engine_over, sql_of

READS: list[tuple[str, str]] = [
    ('how many customers are there?',
     'SELECT COUNT(*) AS number_of_customers FROM customers'),
    ('number of orders by country',
     'SELECT customers.country, COUNT(*) AS number_of_orders FROM orders JOIN customers ON orders.customer_id = customers.id GROUP BY customers.country ORDER BY number_of_orders DESC, customers.country NULLS LAST'),
    ('orders per month in 2025',
     "SELECT STRFTIME('%Y-%m', ordered_on) AS month, COUNT(*) AS number_of_orders FROM orders WHERE ordered_on >= '2025-01-01' AND ordered_on < '2026-01-01' GROUP BY STRFTIME('%Y-%m', ordered_on) ORDER BY month NULLS LAST"),
    ('average shipping cost of orders',
     'SELECT AVG(shipping) AS average_shipping_cost FROM orders'),
    ('average shipping cost by country',
     'SELECT customers.country, AVG(orders.shipping) AS average_shipping_cost FROM orders JOIN customers ON orders.customer_id = customers.id GROUP BY customers.country ORDER BY average_shipping_cost DESC, customers.country NULLS LAST'),
    ('minimum, average and maximum shipping cost',
     'SELECT MIN(shipping) AS lowest_shipping_cost, AVG(shipping) AS average_shipping_cost, MAX(shipping) AS highest_shipping_cost FROM orders'),
    ('total shipping cost last year',
     "SELECT SUM(shipping) AS total_shipping_cost FROM orders WHERE ordered_on >= '2025-01-01' AND ordered_on < '2026-01-01'"),
    ('customers from Germany',
     "SELECT name FROM customers WHERE country = 'Germany'"),
    ('customers in Germany or France',
     "SELECT name FROM customers WHERE country IN ('Germany', 'France')"),
    ('customers not from Germany',
     "SELECT name FROM customers WHERE country <> 'Germany'"),
    ('how many orders did customers from New Zealand place?',
     "SELECT COUNT(*) AS number_of_orders FROM orders JOIN customers ON orders.customer_id = customers.id WHERE customers.country = 'New Zealand'"),
    ('revenue by product group',
     'SELECT products."group", SUM("order lines".quantity * "order lines".price) AS revenue FROM "order lines" JOIN products ON "order lines".product_id = products.id GROUP BY products."group" ORDER BY revenue DESC, products."group" NULLS LAST'),
    ('top 5 products by revenue in 2023',
     'SELECT products.name, SUM("order lines".quantity * "order lines".price) AS revenue FROM "order lines" JOIN products ON "order lines".product_id = products.id JOIN orders ON "order lines".order_id = orders.id WHERE orders.ordered_on >= \'2023-01-01\' AND orders.ordered_on < \'2024-01-01\' GROUP BY products.name ORDER BY revenue DESC LIMIT 5'),
    ('the 3 products with the lowest revenue',
     'SELECT products.name, SUM("order lines".quantity * "order lines".price) AS revenue FROM "order lines" JOIN products ON "order lines".product_id = products.id GROUP BY products.name ORDER BY revenue NULLS LAST LIMIT 3'),
    ('which country has the most customers?',
     'SELECT country FROM customers GROUP BY country ORDER BY COUNT(*) DESC LIMIT 1'),
    ('orders with a shipping cost above 10',
     'SELECT id, customer_id, ordered_on, shipping FROM orders WHERE shipping > 10'),
    ('orders with shipping between 5 and 10',
     'SELECT id, customer_id, ordered_on, shipping FROM orders WHERE shipping >= 5 AND shipping <= 10'),
    ('orders placed between 2024-03-01 and 2024-03-15',
     "SELECT id, customer_id, ordered_on, shipping FROM orders WHERE ordered_on >= '2024-03-01' AND ordered_on < '2024-03-16'"),
    ('orders in the last 7 days',
     "SELECT id, customer_id, ordered_on, shipping FROM orders WHERE ordered_on >= '2026-11-24' AND ordered_on < '2026-12-01'"),
    ('which customers never ordered?',
     'SELECT customers.name FROM customers WHERE NOT EXISTS(SELECT 1 FROM orders WHERE orders.customer_id = customers.id)'),
    ('countries with more than 5 customers',
     'SELECT country FROM customers GROUP BY country HAVING COUNT(*) > 5'),
    ('customers with at least 3 orders',
     'SELECT customers.name FROM orders JOIN customers ON orders.customer_id = customers.id GROUP BY customers.name, customers.id HAVING COUNT(*) >= 3'),
    ('list the names and countries of all customers',
     'SELECT name, country FROM customers'),
    ('how many different countries are there?',
     'SELECT COUNT(DISTINCT country) AS number_of_countries FROM customers'),
    ('list customers sorted by name',
     'SELECT name FROM customers ORDER BY name NULLS LAST'),
    ('what is the highest price?',
     'SELECT MAX(price) AS highest_price FROM "order lines"'),
    ('which product has the highest price?',
     'SELECT products.name FROM products JOIN "order lines" ON products.id = "order lines".product_id ORDER BY "order lines".price DESC LIMIT 1'),
    ('average quantity per product',
     'SELECT products.name, AVG("order lines".quantity) AS average_quantity FROM "order lines" JOIN products ON "order lines".product_id = products.id GROUP BY products.name ORDER BY average_quantity DESC, products.name NULLS LAST'),
    ('sales of Garden products by year',
     'SELECT CAST(STRFTIME(\'%Y\', orders.ordered_on) AS INTEGER) AS year, SUM("order lines".quantity * "order lines".price) AS revenue FROM "order lines" JOIN orders ON "order lines".order_id = orders.id JOIN products ON "order lines".product_id = products.id WHERE products."group" = \'Garden\' GROUP BY CAST(STRFTIME(\'%Y\', orders.ordered_on) AS INTEGER) ORDER BY year NULLS LAST'),
    ('number of orders this month',
     "SELECT COUNT(*) AS number_of_orders FROM orders WHERE ordered_on >= '2026-11-01' AND ordered_on < '2026-12-01'"),
    ("customers whose name starts with 'A'",
     "SELECT name FROM customers WHERE name LIKE 'A%'"),
    ('各国家的客户数量',
     'SELECT country, COUNT(*) AS "客户数量" FROM customers GROUP BY country ORDER BY "客户数量" DESC, country NULLS LAST'),
    ('2023年销售额最高的5个产品',
     'SELECT products.name, SUM("order lines".quantity * "order lines".price) AS "销售额" FROM "order lines" JOIN products ON "order lines".product_id = products.id JOIN orders ON "order lines".order_id = orders.id WHERE orders.ordered_on >= \'2023-01-01\' AND orders.ordered_on < \'2024-01-01\' GROUP BY products.name ORDER BY "销售额" DESC LIMIT 5'),
    ('每月的订单数',
     'SELECT STRFTIME(\'%Y-%m\', ordered_on) AS "月份", COUNT(*) AS "订单数量" FROM orders GROUP BY STRFTIME(\'%Y-%m\', ordered_on) ORDER BY "月份" NULLS LAST'),
    ('平均运费',
     'SELECT AVG(shipping) AS "平均运费" FROM orders'),
    ('运费大于10的订单有多少',
     'SELECT COUNT(*) AS "订单数量" FROM orders WHERE shipping > 10'),
    ('去年的销售额',
     'SELECT SUM("order lines".quantity * "order lines".price) AS "销售额" FROM "order lines" JOIN orders ON "order lines".order_id = orders.id WHERE orders.ordered_on >= \'2025-01-01\' AND orders.ordered_on < \'2026-01-01\''),
    ('没有订单的客户',
     'SELECT customers.name FROM customers WHERE NOT EXISTS(SELECT 1 FROM orders WHERE orders.customer_id = customers.id)'),
    ('revenue by customer',
     'SELECT customers.name, SUM("order lines".quantity * "order lines".price) AS revenue FROM "order lines" JOIN orders ON "order lines".order_id = orders.id JOIN customers ON orders.customer_id = customers.id GROUP BY customers.name, customers.id ORDER BY revenue DESC, customers.name NULLS LAST'),
    ('average order lines price by product',
     'SELECT products.name, AVG("order lines".price) AS average_price FROM "order lines" JOIN products ON "order lines".product_id = products.id GROUP BY products.name ORDER BY average_price DESC, products.name NULLS LAST'),
    ('total revenue',
     'SELECT SUM(quantity * price) AS revenue FROM "order lines"'),
    ('customers with 5 or more orders',
     'SELECT customers.name FROM orders JOIN customers ON orders.customer_id = customers.id GROUP BY customers.name, customers.id HAVING COUNT(*) >= 5'),
    ('运费10以上的订单',
     'SELECT id, customer_id, ordered_on, shipping FROM orders WHERE shipping >= 10'),
    ('how many orders without a shipping cost',
     'SELECT COUNT(*) AS number_of_orders FROM orders WHERE shipping IS NULL'),
    ('orders whose shipping cost is missing',
     'SELECT id, customer_id, ordered_on, shipping FROM orders WHERE shipping IS NULL'),
    ('customers from France sorted by name',
     "SELECT name FROM customers WHERE country = 'France' ORDER BY name NULLS LAST"),
    ('the first 3 customers',
     'SELECT name FROM customers LIMIT 3'),
    ('average price of Toys products',
     'SELECT AVG("order lines".price) AS average_price FROM "order lines" JOIN products ON "order lines".product_id = products.id WHERE products."group" = \'Toys\''),
    ('how many customers per country in descending order',
     'SELECT country, COUNT(*) AS number_of_customers FROM customers GROUP BY country ORDER BY number_of_customers DESC'),
]  # fmt: skip


@pytest.mark.parametrize(("question", "sql"), READS, ids=[question for question, _ in READS])
def test_reads_as(catalog: Catalog, question: str, sql: str) -> None:
    assert sql_of(engine_over(catalog), question) == sql


DECLINED: list[tuple[str, str, str]] = [
    ("how many unicorns are there?", "nothing_asked", "unicorns"),
    ("share of orders by country", "not_expressible", "share of"),
    ("median shipping cost", "not_expressible", "median"),
    ("how many orders and customers are there", "", ""),
    ("How many customers live in Atlantis?", "", "Atlantis"),
    ("how many pets do our customers own?", "unknown_words", "pets"),
    ("火星的客户有多少？", "", "火星"),
    ("revenue by country by month by airport", "", ""),
    ("total shipping cost by product", "", ""),
    ("customers in the island", "", ""),
]


@pytest.mark.parametrize(("question", "reason", "word"), DECLINED, ids=[case[0] for case in DECLINED])
def test_is_not_answered(catalog: Catalog, question: str, reason: str, word: str) -> None:
    """Whatever the best reading is, it is not trusted; where a word is to blame, it is named."""
    engine = engine_over(catalog)
    lang, _ = engine.route(question)
    understood = engine.read(question, lang, NOW)
    best = understood.candidates[0] if understood.candidates else None
    assert best is None or best.problem is not None or understood.confidence < 0.5
    assert not reason or understood.reason == reason
    assert not word or word in (*understood.unknown, understood.detail)


INTENTS = {
    "hello": "talk.greeting",
    "thank you very much": "talk.thanks",
    "what can you do?": "talk.help",
    "delete all customers": "write",
    "set the price of every product to 0": "write",
    "删除所有订单": "write",
    "what tables are there?": "schema",
    "有哪些表？": "schema",
    "hello, how many customers are there?": "data",
    "orders by country": "data",
}


@pytest.mark.parametrize("question", INTENTS)
def test_intent(catalog: Catalog, question: str) -> None:
    assert engine_over(catalog).route(question)[1] == INTENTS[question]
