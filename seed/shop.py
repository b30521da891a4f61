"""A made retail company: four years of orders with growth, seasons, returns, price changes and gaps.

Everything hangs on one fixed seed. Money is EUR with two decimals. ``shop_orders`` writes what was sold, this module
what it was sold from: people, places, goods and prices.
"""

from __future__ import annotations

import sqlite3
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from seed.draw import Draw, Weighted
from seed.shop_goods import CATEGORIES, Category
from seed.shop_orders import sell
from seed.shop_people import COUNTRIES, GIVEN_NAME_LAST, NAMES, STORES, SUPPLIERS, Country

SEED = 20220101
FIRST_DAY = date(2022, 1, 1)
LAST_DAY = date(2025, 12, 31)

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Customer:
    """``activity``: chance that an offered order is taken; zero for those who never bought."""

    id: int
    country: Country
    joined_on: date
    activity: float


@dataclass(frozen=True, slots=True)
class Article:
    """A product with its price over time: ``prices[i]`` holds from ``since[i]`` on."""

    id: int
    category: Category
    popularity: float
    cost_share: float
    launched_on: date
    discontinued_on: date | None
    since: tuple[date, ...]
    prices: tuple[float, ...]

    def price(self, day: date) -> float:
        return self.prices[bisect_right(self.since, day) - 1]


@dataclass(frozen=True, slots=True)
class Seller:
    """Someone in a store, or on the phone (``store_id`` is ``None``), who takes orders."""

    id: int
    store_id: int | None
    hired_on: date
    left_on: date | None


def fill(connection: sqlite3.Connection) -> None:
    """Create all tables and insert all rows."""
    schema = Path(__file__).with_name("shop.schema.sql").read_text(encoding="utf-8")
    statements = [statement for statement in schema.split(";") if statement.strip()]
    for statement in statements:
        if "CREATE TABLE" in statement:
            connection.execute(statement)
    draw = Draw(SEED)
    insert(connection, "countries", ((c.code, c.name, c.region) for c in COUNTRIES))
    customers = _customers(connection, draw)
    sellers = _staff(connection, draw)
    articles = _goods(connection, draw)
    _suppliers(connection, draw, articles)
    for table, rows in sell(draw, FIRST_DAY, LAST_DAY, customers, sellers, articles).items():
        insert(connection, table, rows)
    for statement in statements:
        if "CREATE INDEX" in statement:
            connection.execute(statement)


def insert(connection: sqlite3.Connection, table: str, rows: Iterable[Row]) -> None:
    width = len(connection.execute(f"PRAGMA table_info({table})").fetchall())
    connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * width)})", rows)


def _customers(connection: sqlite3.Connection, draw: Draw) -> list[Customer]:
    countries = Weighted(COUNTRIES, [c.weight for c in COUNTRIES])
    segments = Weighted(("consumer", "business", "education"), (80, 15, 5))
    customers: list[Customer] = []
    rows: list[Row] = []
    day = date(2021, 3, 1)
    while day <= LAST_DAY:
        for _ in range(int(3.5 + (day - date(2021, 3, 1)).days / 450 + draw.between(0, 4))):
            country = draw.weighted(countries)
            name = _name(draw, country.tongue)
            number = len(customers) + 1
            activity = 0.0 if draw.chance(0.07) else draw.between(0.05, 1.0) ** 2
            customers.append(Customer(number, country, day, activity))
            segment = draw.weighted(segments)
            rows.append(
                (
                    number,
                    name,
                    None if draw.chance(0.06) else _email(name, number),
                    country.code,
                    None if draw.chance(0.04) else draw.pick(country.cities),
                    segment,
                    None if segment != "consumer" or draw.chance(0.12) else draw.integer(1946, 2005),
                    int(draw.chance(0.42)),
                    day.isoformat(),
                )
            )
        day += timedelta(days=1)
    insert(connection, "customers", rows)
    return customers


def _name(draw: Draw, tongue: str) -> str:
    given, family = (draw.pick(names) for names in NAMES[tongue])
    between = GIVEN_NAME_LAST.get(tongue)
    return f"{given} {family}" if between is None else f"{family}{between}{given}"


def _email(name: str, number: int) -> str:
    letters = unicodedata.normalize("NFKD", name.lower().replace(" ", ".")).encode("ascii", "ignore").decode()
    plain = "".join(c for c in letters if c.isalpha() or c == ".").strip(".")
    return f"{plain or 'customer'}.{number}@example.com"


def _staff(connection: sqlite3.Connection, draw: Draw) -> list[Seller]:
    """Stores and employees: a managing director, heads of department, store managers, and those who do the work."""
    insert(
        connection,
        "stores",
        (
            (i, s.name, s.city, "closed" if s.closed_on else "open", s.area_m2, s.opened_on, s.closed_on)
            for i, s in enumerate(STORES, 1)
        ),
    )
    rows: list[Row] = []
    sellers: list[Seller] = []

    def hire(
        title: str,
        department: str,
        boss: int | None,
        salary: int,
        since: date,
        store: int | None = None,
        until: date | None = None,
    ) -> int:
        left_on = until
        if boss and title not in ("Store Manager",) and not title.startswith("Head") and draw.chance(0.15):
            leaves = since + timedelta(days=draw.integer(400, 1500))
            left_on = leaves if leaves < (until or LAST_DAY) else until
        number = len(rows) + 1
        name = _name(draw, draw.pick(("de", "de", "de", "fr", "nl", "pl", "it", "en", "nordic", "zh")))
        pay = int(salary * draw.between(0.92, 1.15)) // 100 * 100
        rows.append(
            (number, name, title, department, boss, store, pay, since.isoformat(), left_on and left_on.isoformat())
        )
        if department == "Sales" and not title.startswith("Head"):
            sellers.append(Seller(number, store, since, left_on))
        return number

    director = hire("Managing Director", "Management", None, 145_000, date(2014, 9, 1))
    heads = {
        department: hire(f"Head of {department}", department, director, 92_000, date(2015 + i, 1 + 2 * i, 1))
        for i, department in enumerate(("Sales", "Logistics", "Finance", "Marketing", "IT"))
    }
    for i, store in enumerate(STORES, 1):
        opened = date.fromisoformat(store.opened_on)
        closed = date.fromisoformat(store.closed_on) if store.closed_on else None
        manager = hire("Store Manager", "Sales", heads["Sales"], 54_000, opened, i, closed)
        for _ in range(3 + store.area_m2 // 200):
            hire("Sales Associate", "Sales", manager, 33_000, opened + timedelta(days=draw.integer(0, 500)), i, closed)
    for department, title, count, salary in (
        ("Sales", "Phone Sales Agent", 5, 35_000),
        ("Logistics", "Warehouse Worker", 12, 31_000),
        ("Finance", "Accountant", 4, 52_000),
        ("Marketing", "Campaign Manager", 5, 49_000),
        ("IT", "Software Developer", 6, 66_000),
    ):
        for i in range(count):
            since = date(2020, 1, 7) if i == 0 else date(2018, 1, 7) + timedelta(days=draw.integer(0, 2400))
            hire(title, department, heads[department], salary, since)
    insert(connection, "employees", rows)
    return sellers


def _goods(connection: sqlite3.Connection, draw: Draw) -> list[Article]:
    insert(connection, "categories", ((i, c.name, c.division) for i, c in enumerate(CATEGORIES, 1)))
    articles: list[Article] = []
    rows: list[Row] = []
    for number, category in enumerate(CATEGORIES, 1):
        for thing, base in category.goods:
            for brand in category.brands:
                if brand != category.brands[0] and draw.chance(0.45):
                    continue
                article = _article(draw, len(articles) + 1, category, base)
                articles.append(article)
                rows.append(
                    (
                        article.id,
                        f"{category.division[:2].upper()}{number:02}-{article.id:04}",
                        f"{brand} {thing}",
                        number,
                        None if draw.chance(0.05) else brand,
                        "discontinued" if article.discontinued_on else "active",
                        article.prices[-1],
                        None if draw.chance(0.08) else round(base * draw.between(0.008, 0.04) + 0.05, 2),
                        article.launched_on.isoformat(),
                    )
                )
    insert(connection, "products", rows)
    insert(
        connection,
        "price_history",
        (
            (
                a.id,
                since.isoformat(),
                (a.since[i + 1] - timedelta(days=1)).isoformat() if i + 1 < len(a.since) else None,
                a.prices[i],
            )
            for a in articles
            for i, since in enumerate(a.since)
        ),
    )
    return articles


def _article(draw: Draw, number: int, category: Category, base: int) -> Article:
    late = draw.chance(0.25)
    launched = (
        FIRST_DAY + timedelta(days=draw.integer(60, 1200))
        if late
        else FIRST_DAY - timedelta(days=draw.integer(60, 900))
    )
    discontinued = None
    if draw.chance(0.08):
        discontinued = max(launched, FIRST_DAY) + timedelta(days=draw.integer(250, 700))
        if discontinued > LAST_DAY:
            discontinued = None
    price = _retail(base * draw.between(0.8, 1.35))
    since, prices = [launched], [price]
    change = max(launched, FIRST_DAY) + timedelta(days=draw.integer(90, 500))
    while change <= (discontinued or LAST_DAY):
        month = change.replace(day=1)
        step = draw.between(1.01, 1.09) if draw.chance(0.85) else draw.between(0.88, 0.97)
        price = _retail(price * step)
        if price != prices[-1]:
            since.append(month)
            prices.append(price)
        change += timedelta(days=draw.integer(180, 520))
    popularity = draw.between(0.15, 1.0) ** 2 * (60 / (base + 25) + 0.35)
    return Article(
        number, category, popularity, draw.between(0.42, 0.68), launched, discontinued, tuple(since), tuple(prices)
    )


def _retail(price: float) -> float:
    """Prices as shops write them: 12.49, 12.99, and whole euros less a cent above 50."""
    return round((int(price) + 1 if price > 50 else (int(price * 2) + 1) / 2) - 0.01, 2)


def _suppliers(connection: sqlite3.Connection, draw: Draw, articles: list[Article]) -> None:
    insert(connection, "suppliers", ((i, *supplier) for i, supplier in enumerate(SUPPLIERS, 1)))
    rows: list[Row] = []
    for article in articles:
        first = draw.integer(1, len(SUPPLIERS) - 1)  # the last supplier is registered but delivers nothing yet
        second = first % (len(SUPPLIERS) - 1) + 1
        for supplier in (first, second) if draw.chance(0.4) else (first,):
            price = round(article.prices[-1] * article.cost_share * draw.between(0.94, 1.06), 2)
            rows.append((article.id, supplier, price))
    insert(connection, "product_suppliers", rows)
