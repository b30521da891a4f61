"""What people call things: names and synonyms in both languages, measures, defaults, units. YAML, one per connection.

The file's shape (every part optional)::

    about: {en: "A made retail company.", zh: "一家虚构的零售公司。"}
    currency: EUR                      # unit of money columns and measures that say `unit: money`
    fiscal_year_start: 4               # month (1 to 12) in which a business year begins; 1 when nobody says
    tables:
      orders:
        names: {en: [order, purchase], zh: [订单, 单子]}
        description: {en: "One row per order.", zh: "每个订单一行。"}
        default_date: ordered_at       # the date that "last year" means here
        label: null                    # column that names a row ("name" of a customer)
        hidden: false                  # true: questions do not use this table
        columns:
          ordered_at:
            names: {en: [order date, ordered], zh: [下单日期]}
            description: {en: "", zh: ""}
            unit: null                 # shown with numbers: EUR, kg, %, money
            aggregation: sum           # how a number is put together when nobody says (sum, avg, min, max, count)
            hidden: false
            indexed: null              # false: its values are not read; true: they are, though they look secret or long
            values: {DE: {en: [Germany, german], zh: [德国]}}     # stored value -> what people say
    measures:
      revenue:
        names: {en: [revenue, sales, turnover], zh: [销售额, 收入, 营收]}
        description: {en: "", zh: ""}
        expression: SUM(order_lines.quantity * order_lines.unit_price)    # one aggregate, columns qualified
        unit: money
        date: orders.ordered_at        # the date that "last year" means for it
    questions: {en: [..], zh: [..]}    # starter questions; verified by the seed's tests
    remembered:                        # phrases whose meaning was settled when Starchart asked back
      - phrase: web sales
        means: {table: orders, column: channel, value: online}    # or a measure, a table, a column
        question: web sales in 2024

Names and values are text, quoted or not: ``NO``, ``1`` and ``2024-01-01`` stay what they look like.

``model`` has the entries, ``load`` reads and checks a text, ``text`` writes one and changes parts of it in place,
``draft`` makes a first one from a catalog.
"""

from agents.glossary.load import (
    check_glossary,
    load_glossary,
    measure_expression,
    parse_yaml,
    usable_glossary,
)
from agents.glossary.model import (
    AGGREGATIONS,
    Aggregation,
    ColumnEntry,
    Glossary,
    Meaning,
    MeasureEntry,
    Remembered,
    TableEntry,
    Texts,
    Words,
)
from agents.glossary.problems import GlossaryProblem
from agents.glossary.visible import visible

__all__ = [
    "AGGREGATIONS",
    "Aggregation",
    "ColumnEntry",
    "Glossary",
    "GlossaryProblem",
    "Meaning",
    "MeasureEntry",
    "Remembered",
    "TableEntry",
    "Texts",
    "Words",
    "check_glossary",
    "load_glossary",
    "measure_expression",
    "parse_yaml",
    "usable_glossary",
    "visible",
]
