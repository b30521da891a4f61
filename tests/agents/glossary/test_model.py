from __future__ import annotations

import pytest

from agents.glossary import Glossary

GLOSSARY = Glossary.model_validate(
    {
        "currency": "EUR",
        "tables": {
            "Orders": {
                "names": {"en": [" sales   order ", ""]},
                "columns": {"Id": {"unit": "money"}, "note": {"hidden": True}},
            },
            "log": {"hidden": True, "columns": {"at": {"names": {"en": "time"}}}},
        },
        "measures": {
            "profit": {"expression": "SUM(orders.id)", "unit": "money"},
            "n": {"expression": "COUNT(orders.id)"},
        },
        "remembered": [
            {"phrase": "web sales", "means": {"table": "orders", "column": "channel", "value": "online"}},
            {"phrase": "takings", "means": {"measure": "profit"}, "question": "takings in May"},
        ],
    }
)


@pytest.mark.parametrize(
    ("table", "column", "hidden"),
    [
        ("orders", None, False),
        ("ORDERS", "id", False),
        ("orders", "NOTE", True),
        ("orders", "other", False),
        ("log", None, True),
        ("LOG", "at", True),
        ("log", "other", True),
        ("nowhere", "other", False),
    ],
)
def test_hidden(table: str, column: str | None, hidden: bool) -> None:
    assert GLOSSARY.is_hidden(table, column) is hidden
    if column:
        assert GLOSSARY.column(table, column).hidden is hidden


def test_looking_up_ignores_case_and_names_have_even_blanks() -> None:
    assert GLOSSARY.table("ORDERS").names.en == ("sales order",)
    assert GLOSSARY.column("log", "AT").names.en == ("time",)
    assert (GLOSSARY.unit("orders", "ID"), GLOSSARY.measure_unit("profit"), GLOSSARY.measure_unit("n")) == (
        "EUR",
        "EUR",
        None,
    )


def test_remembered_phrases_and_their_meanings() -> None:
    assert [(phrase, str(means)) for phrase, means in GLOSSARY.extra_names()] == [
        ("web sales", "orders.channel = online"),
        ("takings", "profit"),
    ]
    assert GLOSSARY.extra_names()[0][1].value == "online"


def test_year_begins_in_january_when_nobody_says() -> None:
    assert GLOSSARY.fiscal_year_start == 1
