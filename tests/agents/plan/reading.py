"""An engine over the small catalog, with a few stored values and a glossary in both languages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import pyarrow as pa

from agents.catalog import Catalog
from agents.engine import Engine
from agents.glossary import load_glossary
from agents.language.values import ValueIndex
from agents.learn.scorer import Scorer
from agents.ports import CancelToken, Connection, Retrieval, Rows
from agents.sql.allowed import AllowedSql

NOW = datetime(2026, 11, 30, 10)

GLOSSARY = """
currency: EUR
tables:
  customers: {names: {en: [customer], zh: [客户]}, columns: {country: {names: {en: [country], zh: [国家]}}}}
  orders:
    names: {en: [order], zh: [订单]}
    columns:
      ordered_on: {names: {en: [order date], zh: [下单日期]}}
      shipping: {names: {en: [shipping cost], zh: [运费]}, unit: money}
  products: {names: {en: [product], zh: [产品]}, columns: {group: {names: {en: [product group], zh: [类别]}}}}
measures:
  revenue:
    names: {en: [revenue, sales], zh: [销售额]}
    expression: SUM("order lines".quantity * "order lines".price)
    unit: money
    date: orders.ordered_on
"""

VALUES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("customers", "country", ("Germany", "France", "New Zealand")),
    ("products", "group", ("Garden", "Toys")),
    ("airports", "city", ("Paris", "Oslo")),
)


class NoSearch:
    """Schema search switched off: the reading must not depend on it."""

    def search(self, question: str, *, limit: int = 24) -> Retrieval:
        return Retrieval((), "none")


class NoDatabase:
    """Reading never runs a statement."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog

    def execute(self, sql: AllowedSql, *, limit: int, seconds: float, cancel: CancelToken | None = None) -> Rows:
        return Rows(pa.table({}), False, 0.0)


def engine_over(
    catalog: Catalog, glossary: str = GLOSSARY, values: Sequence[tuple[str, str, tuple[str, ...]]] = VALUES
) -> Engine:
    known = load_glossary(glossary, catalog)
    index = ValueIndex(values, known)
    return Engine(Connection("small", catalog, known, NoDatabase(catalog), NoSearch(), index), scorer=Scorer())


def sql_of(engine: Engine, question: str) -> str:
    """The SQL of the best reading on one line; the reason in brackets when there is none."""
    lang, _ = engine.route(question)
    understood = engine.read(question, lang, NOW)
    if not understood.candidates:
        return f"[{understood.reason}]"
    return " ".join(understood.candidates[0].sql.replace("( ", "(").split()).replace("( ", "(").replace(" )", ")")
