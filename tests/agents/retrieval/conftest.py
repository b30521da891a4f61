"""A small shop with a glossary in two languages, and a stand-in for the model that counts what it is asked."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import pytest

from agents.catalog import Catalog, Column, ForeignKey, Kind, Table
from agents.glossary import Glossary, load_glossary
from agents.retrieval.embed import Embedder, Vectors

GLOSSARY = """
tables:
  customers:
    names: {en: [customer], zh: [客户, 顾客]}
    columns:
      city: {names: {en: [city], zh: [城市]}}
      secret_note: {hidden: true}
  orders:
    names: {en: [order, purchase], zh: [订单]}
    columns:
      ordered_at: {names: {en: [order date], zh: [下单日期]}}
  products:
    names: {en: [product], zh: [产品, 商品]}
    columns:
      category: {names: {en: [category], zh: [类别]}, values: {KIT: {en: [kitchen], zh: [厨房]}}}
measures:
  revenue:
    names: {en: [revenue, sales], zh: [销售额]}
    expression: SUM(order_lines.qty * order_lines.unitPrice)
questions: {en: [top 5 products by revenue], zh: [各城市的客户数]}
"""


def _table(name: str, columns: dict[str, Kind], *, keys: tuple[ForeignKey, ...] = ()) -> Table:
    samples = {"city": ("Berlin", "Paris"), "category": ("KIT", "GAR")}
    return Table(
        name,
        tuple(Column(column, "", kind, samples=samples.get(column, ())) for column, kind in columns.items()),
        foreign_keys=keys,
    )


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    number, text = Kind.INTEGER, Kind.TEXT
    return Catalog(
        "shop",
        "sqlite",
        (
            _table(
                "customers", {"id": number, "name": text, "city": text, "birth_date": Kind.DATE, "secret_note": text}
            ),
            _table(
                "orders",
                {"id": number, "customer_id": number, "ordered_at": Kind.DATETIME, "shipped_at": Kind.DATETIME},
                keys=(ForeignKey(("customer_id",), "customers", ("id",)),),
            ),
            _table("order_lines", {"order_id": number, "product_id": number, "qty": number, "unitPrice": Kind.DECIMAL}),
            _table("products", {"id": number, "name": text, "category": text}),
            _table("employees", {"id": number, "mgr_id": number, "name": text, "salary": Kind.DECIMAL}),
        ),
    )


@pytest.fixture(scope="session")
def glossary(catalog: Catalog) -> Glossary:
    return load_glossary(GLOSSARY, catalog)


@pytest.fixture(scope="session")
def model() -> Embedder:
    """The model that comes with the package."""
    return Embedder()


class CountingEmbedder(Embedder):
    """Vectors made from a hash, so that no model is needed; ``embedded`` counts texts that are no questions."""

    def __init__(self) -> None:
        super().__init__()
        self.embedded = 0

    @property
    def dimension(self) -> int:
        return 8

    @property
    def fingerprint(self) -> str:
        return "counting"

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.embedded += len(texts)
        return self._hashed(texts)

    def names(self, texts: Sequence[str]) -> Vectors:
        return self.passages(texts)

    def query(self, texts: Sequence[str]) -> Vectors:
        return self._hashed(texts)

    def _hashed(self, texts: Sequence[str]) -> Vectors:
        rows = [np.frombuffer(hashlib.sha256(text.encode()).digest(), np.uint8)[:8] for text in texts]
        vectors = np.array(rows, np.float32).reshape(len(texts), 8) + 1
        return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture
def counting() -> CountingEmbedder:
    return CountingEmbedder()
