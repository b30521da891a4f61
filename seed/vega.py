"""Public data sets from the files of the vega-datasets package, made tidy: types, keys, one fact a row.

Changes against the files: wide tables of like columns became long (employment, deaths by cause, antibiotics), the two
hourly temperature files one table, dates ISO text, and what is only layout (``side`` of driving, a month's change) is
left out. The files are read without importing the package, which would import pandas.
"""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

Row = tuple[Any, ...]

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

_COMPANIES = {"AAPL": "Apple", "AMZN": "Amazon", "GOOG": "Google", "IBM": "IBM", "MSFT": "Microsoft"}

_SECTORS: tuple[tuple[str, str, str, str | None], ...] = (
    # column of the file, name, level, part of
    ("nonfarm", "Total nonfarm", "total", None),
    ("private", "Private", "total", "Total nonfarm"),
    ("goods_producing", "Goods-producing", "group", "Total nonfarm"),
    ("service_providing", "Service-providing", "group", "Total nonfarm"),
    ("private_service_providing", "Private service-providing", "group", "Service-providing"),
    ("mining_and_logging", "Mining and logging", "sector", "Goods-producing"),
    ("construction", "Construction", "sector", "Goods-producing"),
    ("manufacturing", "Manufacturing", "sector", "Goods-producing"),
    ("durable_goods", "Durable goods", "detail", "Manufacturing"),
    ("nondurable_goods", "Nondurable goods", "detail", "Manufacturing"),
    ("trade_transportation_utilties", "Trade, transportation and utilities", "sector", "Private service-providing"),
    ("wholesale_trade", "Wholesale trade", "detail", "Trade, transportation and utilities"),
    ("retail_trade", "Retail trade", "detail", "Trade, transportation and utilities"),
    (
        "transportation_and_warehousing",
        "Transportation and warehousing",
        "detail",
        "Trade, transportation and utilities",
    ),
    ("utilities", "Utilities", "detail", "Trade, transportation and utilities"),
    ("information", "Information", "sector", "Private service-providing"),
    ("financial_activities", "Financial activities", "sector", "Private service-providing"),
    ("professional_and_business_services", "Professional and business services", "sector", "Private service-providing"),
    ("education_and_health_services", "Education and health services", "sector", "Private service-providing"),
    ("leisure_and_hospitality", "Leisure and hospitality", "sector", "Private service-providing"),
    ("other_services", "Other services", "sector", "Private service-providing"),
    ("government", "Government", "sector", "Service-providing"),
)


def fill(connection: sqlite3.Connection) -> None:
    """Create all tables and insert all rows."""
    schema = Path(__file__).with_name("vega.schema.sql").read_text(encoding="utf-8")
    for statement in schema.split(";"):
        if statement.strip():
            connection.execute(statement)
    for table, rows in _TABLES.items():
        _insert(connection, table, rows())


def _insert(connection: sqlite3.Connection, table: str, rows: Iterable[Row]) -> None:
    width = len(connection.execute(f"PRAGMA table_info({table})").fetchall())
    connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * width)})", rows)


def _file(name: str) -> Path:
    spec = find_spec("vega_datasets")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("the package vega-datasets is not installed")
    return Path(spec.submodule_search_locations[0]) / "_data" / name


def _csv(name: str) -> Iterator[dict[str, str]]:
    with _file(name).open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines)


def _json(name: str) -> list[dict[str, Any]]:
    document: list[dict[str, Any]] = json.loads(_file(name).read_text(encoding="utf-8"))
    return document


def _iso(text: str) -> str:
    # "Mar 1 2000"; strptime's %b would read month names in the locale of the process.
    month, day, year = text.split(" ")
    return f"{year}-{_MONTHS.index(month) + 1:02}-{int(day):02}"


def _airports() -> Iterator[Row]:
    for r in _csv("airports.csv"):
        # The file spells an unknown city or state as "NA".
        city, state = (None if r[name] in ("", "NA") else r[name] for name in ("city", "state"))
        yield r["iata"], r["name"].strip(), city, state, r["country"], float(r["latitude"]), float(r["longitude"])


def _anscombe() -> Iterator[Row]:
    for i, r in enumerate(_json("anscombe.json"), 1):
        yield i, r["Series"], float(r["X"]), float(r["Y"])


def _bacteria() -> Iterator[Row]:
    for r in _json("burtin.json"):
        yield r["Bacteria"], r["Genus"], r["Gram_Staining"]


def _antibiotic_tests() -> Iterator[Row]:
    for r in _json("burtin.json"):
        for antibiotic in ("Penicillin", "Streptomycin", "Neomycin"):
            yield r["Bacteria"], antibiotic, float(r[antibiotic])


def _barley() -> Iterator[Row]:
    for i, r in enumerate(_json("barley.json"), 1):
        yield i, r["variety"], r["site"], r["year"], float(r["yield"])


def _cars() -> Iterator[Row]:
    columns = (
        "Name",
        "Miles_per_Gallon",
        "Cylinders",
        "Displacement",
        "Horsepower",
        "Weight_in_lbs",
        "Acceleration",
        "Year",
        "Origin",
    )
    for i, r in enumerate(_json("cars.json"), 1):
        yield i, *(r[column] for column in columns)


def _companies() -> Iterator[Row]:
    yield from _COMPANIES.items()


def _stocks() -> Iterator[Row]:
    for r in _csv("stocks.csv"):
        yield r["symbol"], _iso(r["date"]), float(r["price"])


def _crimean_war_deaths() -> Iterator[Row]:
    for r in _json("crimea.json"):
        for cause in ("disease", "wounds", "other"):
            yield r["date"], cause, r[cause]


def _daily_prices() -> Iterator[Row]:
    for r in _json("ohlc.json"):
        yield r["date"], r["open"], r["high"], r["low"], r["close"], r["signal"], r["ret"]


def _driving() -> Iterator[Row]:
    for r in _json("driving.json"):
        yield r["year"], r["miles"], r["gas"]


def _hourly_temperatures() -> Iterator[Row]:
    for city, name in (("Seattle", "seattle-temps.csv"), ("San Francisco", "sf-temps.csv")):
        for r in _csv(name):
            day, time = r["date"].split(" ")
            yield city, f"{day.replace('/', '-')} {time[:5]}:00", float(r["temp"])


def _iowa_electricity() -> Iterator[Row]:
    for r in _csv("iowa-electricity.csv"):
        yield int(r["year"][:4]), r["source"], int(r["net_generation"])


def _iris() -> Iterator[Row]:
    for i, r in enumerate(_json("iris.json"), 1):
        yield i, r["sepalLength"], r["sepalWidth"], r["petalLength"], r["petalWidth"], r["species"]


def _la_riots_deaths() -> Iterator[Row]:
    texts = ("address", "neighborhood", "type")
    for i, r in enumerate(_csv("la-riots.csv"), 1):
        age = int(float(r["age"])) if r["age"] else None
        yield (
            i, r["first_name"], r["last_name"], age, r["gender"], r["race"], r["death_date"],
            *(r[name] for name in texts), float(r["longitude"]), float(r["latitude"]),
        )  # fmt: skip


def _seattle_weather() -> Iterator[Row]:
    for r in _csv("seattle-weather.csv"):
        numbers = (float(r[name]) for name in ("precipitation", "temp_max", "temp_min", "wind"))
        yield r["date"].replace("/", "-"), *numbers, r["weather"]


def _sectors() -> Iterator[Row]:
    for _, name, level, part_of in _SECTORS:
        yield name, level, part_of


def _employment() -> Iterator[Row]:
    for r in _csv("us-employment.csv"):
        for column, name, _, _ in _SECTORS:
            yield r["month"], name, float(r[column])


def _wheat() -> Iterator[Row]:
    for r in _json("wheat.json"):
        yield int(r["year"]), float(r["wheat"]), r.get("wages")


_TABLES: dict[str, Callable[[], Iterator[Row]]] = {
    "airports": _airports,
    "anscombe": _anscombe,
    "bacteria": _bacteria,
    "antibiotic_tests": _antibiotic_tests,
    "barley": _barley,
    "cars": _cars,
    "companies": _companies,
    "stocks": _stocks,
    "crimean_war_deaths": _crimean_war_deaths,
    "daily_prices": _daily_prices,
    "driving": _driving,
    "hourly_temperatures": _hourly_temperatures,
    "iowa_electricity": _iowa_electricity,
    "iris": _iris,
    "la_riots_deaths": _la_riots_deaths,
    "seattle_weather": _seattle_weather,
    "sectors": _sectors,
    "employment": _employment,
    "wheat": _wheat,
}
