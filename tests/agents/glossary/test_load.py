"""Texts, and what is wrong with them."""

from __future__ import annotations

import pytest

from agents.catalog import Catalog
from agents.errors import GlossaryError
from agents.glossary import Glossary, check_glossary, load_glossary, usable_glossary
from agents.glossary.spelling import spelled
from agents.glossary.text import dump, entry_data

FINE = [
    "",
    "# only a comment",
    "tables:",
    "tables: {orders: }",
    "tables: {ORDERS: {label: Channel, default_date: ordered_on}}",
    "tables: {orders: {default_date: year}}",
    "tables: {customers: {columns: {NO: {values: {NO: {en: [Norway]}, 1: {zh: [一]}, 2024-01-01: }}}}}",
    "tables: {orders: {hidden: yes, columns: {id: {hidden: true, aggregation: count}}}}",
    "fiscal_year_start: 12",
    "measures: {n: {expression: COUNT(DISTINCT orders.id)}}",
    "measures: {n: {expression: '100.0 * SUM(orders.amount) / COUNT(orders.id)', date: orders.ordered_on, unit: x}}",
    "remembered: [{phrase: web, means: {table: orders, column: channel, value: online}}]",
    "remembered: [{phrase: web, means: {table: orders, column: channel}}, {phrase: x, means: {table: orders}}]",
    "measures: {n: {expression: SUM(orders.amount)}}\nremembered: [{phrase: takings, means: {measure: n}}]",
    "tables: &t {orders: &o {description: {en: rows}}, customers: {<<: *o}}",
]

WRONG = [
    ("tables: [", 1, "glossary.syntax", ()),
    ("a: 1\n\tb: 2", 2, "glossary.syntax", ()),
    ("tables:\n  orders: {}\n  orders: {}", 3, "glossary.syntax", ()),
    ("a: \x07", None, "glossary.syntax", ()),
    ("&a [*a]", 1, "glossary.syntax", ()),
    ("[" * 3000, 1, "glossary.syntax", ()),
    ("- tables", 1, "glossary.shape", ()),
    ("just words", 1, "glossary.shape", ()),
    ("tabels: {}", 1, "glossary.shape", ("tabels",)),
    ("tables: [orders]", 1, "glossary.shape", ("tables",)),
    ("tables:\n  orders:\n    labell: id", 3, "glossary.shape", ("tables", "orders", "labell")),
    ("tables:\n  orders: {names: {en: {a: b}}}", 2, "glossary.shape", ("tables", "orders", "names", "en")),
    ("tables:\n  orders:\n    hidden: perhaps", 3, "glossary.shape", ("tables", "orders", "hidden")),
    (
        "tables:\n  orders:\n    columns:\n      id: {aggregation: total}",
        4,
        "glossary.shape",
        ("tables", "orders", "columns", "id", "aggregation"),
    ),
    ("fiscal_year_start: 0", 1, "glossary.shape", ("fiscal_year_start",)),
    ("fiscal_year_start: 13", 1, "glossary.shape", ("fiscal_year_start",)),
    ("fiscal_year_start: April", 1, "glossary.shape", ("fiscal_year_start",)),
    ("measures: {n: {unit: kg}}", 1, "glossary.shape", ("measures", "n", "expression")),
    ("\ntables:\n\n  lorders: {}", 4, "glossary.unknown_name", ("tables", "lorders")),
    ("tables: {orders: {label: name}}", 1, "glossary.unknown_name", ("tables", "orders", "label")),
    ("tables: {orders: {default_date: paid_on}}", 1, "glossary.unknown_name", ("tables", "orders", "default_date")),
    ("tables: {orders: {default_date: amount}}", 1, "glossary.date", ("tables", "orders", "default_date")),
    ("tables: {orders: {columns: {x: {}}}}", 1, "glossary.unknown_name", ("tables", "orders", "columns", "x")),
    *(
        (f"measures:\n  n:\n    expression: {sql}", 3, code, ("measures", "n", "expression"))
        for sql, code in (
            ("SUM(", "glossary.measure"),
            ("orders.amount", "glossary.measure"),
            ("COUNT(*)", "glossary.measure"),
            ("SUM(orders.amount) AS total", "glossary.measure"),
            ("SELECT SUM(orders.amount) FROM orders", "glossary.measure"),
            ("SUM(orders.amount); DROP TABLE orders", "glossary.measure"),
            ("(SELECT MAX(orders.id))", "glossary.measure"),
            ("SUM(orders.amount) OVER ()", "glossary.measure"),
            ("DROP TABLE orders", "glossary.measure"),
            ("'nothing'", "glossary.measure"),
            ("SUM(SUM(orders.amount))", "glossary.measure"),
            ("SUM(orders.amount) + orders.amount", "glossary.measure"),
            ("SUM(orders.amount) IN (1, 2)", "glossary.measure"),
            ("SUM(orders.amount) > 5", "glossary.measure"),
            ("CASE WHEN SUM(orders.amount) > 1 THEN 'x' END", "glossary.measure"),
            ("GROUP_CONCAT(orders.channel)", "glossary.measure"),
            ("SUM(main.orders.amount)", "glossary.measure"),
            ("SUM(orders.*)", "glossary.measure"),
            ("SUM(" + "(" * 60 + "orders.amount" + ")" * 60 + ")", "glossary.measure"),
            ("SUM(amount)", "glossary.unknown_name"),
            ("SUM(orders.price)", "glossary.unknown_name"),
            ("SUM(lines.amount)", "glossary.unknown_name"),
        )
    ),
    (
        "measures: {n: {expression: SUM(orders.amount), date: orders.when}}",
        1,
        "glossary.unknown_name",
        ("measures", "n", "date"),
    ),
    (
        "measures: {n: {expression: SUM(orders.amount), date: orders.amount}}",
        1,
        "glossary.date",
        ("measures", "n", "date"),
    ),
    ("tables:\n  orders: {}\n  ORDERS: {}", 3, "glossary.twice", ("tables", "ORDERS")),
    (
        "tables:\n  orders:\n    columns:\n      id: {}\n      Id: {}",
        5,
        "glossary.twice",
        ("tables", "orders", "columns", "Id"),
    ),
    (
        "tables: {orders: {names: {en: [thing]}}, customers: {names: {en: [customer, Thing]}}}",
        1,
        "glossary.shared_name",
        ("tables", "customers", "names", "en", "1"),
    ),
    (
        "tables: {customers: {names: {zh: [orders]}}}",
        1,
        "glossary.shared_name",
        ("tables", "customers", "names", "zh", "0"),
    ),
    (
        "measures: {a: {names: {en: [x]}, expression: SUM(orders.amount)}, b: {names: {en: [x]}, expression: "
        "COUNT(orders.id)}}",
        1,
        "glossary.shared_name",
        ("measures", "b", "names", "en", "0"),
    ),
    ("tables: {orders: {default_date: channel}}", 1, "glossary.date", ("tables", "orders", "default_date")),
    ("tables: {orders: {default_date: customer_id}}", 1, "glossary.date", ("tables", "orders", "default_date")),
    (
        "tables: {orders: {columns: {channel: {aggregation: sum}}}}",
        1,
        "glossary.aggregation",
        ("tables", "orders", "columns", "channel", "aggregation"),
    ),
    (
        "tables: {orders: {columns: {amount: {values: {abc: {en: x}}}}}}",
        1,
        "glossary.value",
        ("tables", "orders", "columns", "amount", "values", "abc"),
    ),
    (f"about: {{en: {'long ' * 500}}}", 1, "glossary.too_long", ("about", "en")),
    *(
        (f'tables: {{orders: {{names: {{en: ["{said}"]}}}}}}', 1, code, ("tables", "orders", "names", "en", "0"))
        for said, code in (
            ("x" * 201, "glossary.too_long"),
            ("a\\u001bb", "glossary.character"),
            ("a\\u202eb", "glossary.character"),
        )
    ),
    ('currency: "E\\u0007"', 1, "glossary.character", ("currency",)),
    (
        "measures: {n: {expression: SUM(orders.amount), date: ordered_on}}",
        1,
        "glossary.unknown_name",
        ("measures", "n", "date"),
    ),
    *(
        (f"remembered:\n- {{phrase: x, means: {{{means}}}}}", 2, code, ("remembered", "0", "means"))
        for means, code in (
            ("measure: n", "glossary.unknown_name"),
            ("table: lines", "glossary.unknown_name"),
            ("table: orders, column: x", "glossary.unknown_name"),
            ("table: orders, value: x", "glossary.shape"),
            ("column: id", "glossary.shape"),
            ("measure: n, table: orders", "glossary.shape"),
            ("", "glossary.shape"),
        )
    ),
]


@pytest.mark.parametrize("text", FINE)
def test_fine(text: str, catalog: Catalog) -> None:
    glossary, problems = check_glossary(text, catalog)
    assert problems == ()
    assert glossary is not None
    assert load_glossary(text, catalog) == spelled(glossary, catalog) == usable_glossary(text, catalog)[0]


@pytest.mark.parametrize(("text", "line", "code", "path"), WRONG)
def test_wrong(text: str, line: int | None, code: str, path: tuple[str, ...], catalog: Catalog) -> None:
    _glossary, problems = check_glossary(text, catalog)
    assert [(p.line, p.code, p.path) for p in problems] == [(line, code, path)]
    assert problems[0].message and "%(" not in problems[0].message and problems[0].hint
    with pytest.raises(GlossaryError) as raised:
        load_glossary(text, catalog)
    assert (raised.value.code, raised.value.message) == (code, problems[0].message)
    kept, said = usable_glossary(text, catalog)
    assert said == problems
    assert check_glossary(dump(entry_data(kept)), catalog)[1] == ()


def test_all_problems_are_told_at_once_in_the_order_of_the_text(catalog: Catalog) -> None:
    text = (
        "tables:\n  orders:\n    label: a\n    columns:\n      b: {}\n  c: {}\nmeasures:\n  d: {expression: SUM(e.f)}"
    )
    assert [(p.line, p.values["what"]) for p in check_glossary(text, catalog)[1]] == [
        (3, "column orders.a"),
        (5, "column orders.b"),
        (6, "table 'c'"),
        (8, "e.f in measure 'd'"),
    ]


ADVICE = [
    ("tables: {orders: {lable: id}}", "Did you mean label?"),
    ("tables: {orders: {colour: x}}", "Known here are: names, description, default_date, label, hidden, columns."),
    ("tables: {oders: {}}", "Correct or remove it; the database has orders."),
    ("tables: {orders: {label: chanel}}", "Correct or remove it; the database has channel."),
    ("measures: {n: {expression: SUM(orders.amuont)}}", "Correct or remove it; the database has orders.amount."),
    ("measures: {n: {expression: SUM(amount)}}", "Correct or remove it; the database has orders.amount."),
    ("tables: {orders: {default_date: amount}}", "Choose a column with dates: ordered_on."),
    ("tables: {xyz: {}}", "Correct or remove it."),
]


@pytest.mark.parametrize(("text", "expected"), ADVICE)
def test_every_problem_says_what_to_do(text: str, expected: str, catalog: Catalog) -> None:
    assert [problem.advice for problem in check_glossary(text, catalog)[1]] == [expected]


def test_names_are_used_as_the_database_spells_them(catalog: Catalog) -> None:
    text = """
tables: {ORDERS: {label: CHANNEL, columns: {Amount: {unit: kg}}}}
measures: {n: {expression: SUM(Orders.AMOUNT) / 2, date: ORDERS.Ordered_On}, m: {expression: SUM( orders.amount )}}
remembered: [{phrase: web, means: {table: Orders, column: Channel, value: ONLINE}}]
"""
    glossary = load_glossary(text, catalog)
    assert list(glossary.tables) == ["orders"] and list(glossary.tables["orders"].columns) == ["amount"]
    assert glossary.table("orders").label == "channel"
    assert glossary.measures["n"].expression == 'SUM("orders"."amount") / 2'
    assert glossary.measures["n"].date == "orders.ordered_on"
    assert glossary.measures["m"].expression == "SUM( orders.amount )"
    assert str(glossary.remembered[0].means) == "orders.channel = ONLINE"


USABLE = [
    ("tables: {orders: {label: gone, names: {en: order}}}", {"tables": {"orders": {"names": {"en": ("order",)}}}}),
    ("tables: {gone: {}, orders: {names: {zh: [订单]}}}", {"tables": {"orders": {"names": {"zh": ("订单",)}}}}),
    ("currency: EUR\nmeasures: {a: {expression: SUM(gone.x)}}", {"currency": "EUR", "measures": {}}),
    # What has no shape hides what has no column; both go.
    ("currency: EUR\nfoo: 1\ntables: {orders: {label: gone}}", {"currency": "EUR", "tables": {"orders": {}}}),
    # A measure takes with it what was remembered of it.
    (
        "currency: EUR\nmeasures: {a: {expression: SUM(gone.x)}}\nremembered: [{phrase: x, means: {measure: a}}]",
        {"currency": "EUR", "measures": {}, "remembered": ()},
    ),
    ("currency: EUR\ntables: [", {}),
]


@pytest.mark.parametrize(("text", "expected"), USABLE)
def test_what_fits_is_used(text: str, expected: dict[str, object], catalog: Catalog) -> None:
    glossary, problems = usable_glossary(text, catalog)
    assert problems
    assert glossary == Glossary.model_validate(expected)


def test_aliases_that_stand_for_billions_are_refused(catalog: Catalog) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    [problem] = check_glossary("\n".join(lines), catalog)[1]
    assert problem.code == "glossary.syntax" and "stand for too much" in problem.message


def test_plain_scalars_stay_text(catalog: Catalog) -> None:
    text = "tables: {customers: {columns: {NO: {names: {en: [on, no, 1.0, 2024-01-01]}, values: {NO: {en: yes}}}}}}"
    column = load_glossary(text, catalog).column("customers", "no")
    assert column.names.en == ("on", "no", "1.0", "2024-01-01")
    assert {value: words.en for value, words in column.values.items()} == {"NO": ("yes",)}
