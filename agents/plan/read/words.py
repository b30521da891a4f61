"""What the columns of a plan are called, in both languages."""

from __future__ import annotations

from agents.glossary import Glossary
from agents.language.ir import MeasureTarget, TableTarget
from agents.plan.ir import Function
from agents.plan.labels import aggregate_label, column_label, measure_label, plural, table_label
from agents.plan.read.draft import MeasureDraft

_FUNCTION_LABELS = {
    "en": {
        Function.COUNT: "number of {}",
        Function.SUM: "total {}",
        Function.AVG: "average {}",
        Function.MIN: "lowest {}",
        Function.MAX: "highest {}",
    },
    "zh": {
        Function.COUNT: "{}数量",
        Function.SUM: "{}合计",
        Function.AVG: "平均{}",
        Function.MIN: "最低{}",
        Function.MAX: "最高{}",
    },
}

_GRAIN_LABELS = {
    "en": {"month_of_year": "month of the year", "hour_of_day": "hour of the day"},
    "zh": {
        "year": "年份",
        "quarter": "季度",
        "month": "月份",
        "week": "周",
        "day": "日期",
        "hour": "小时",
        "weekday": "星期",
        "month_of_year": "月份",
        "hour_of_day": "时段",
    },
}


def measure_words(measure: MeasureDraft, glossary: Glossary, lang: str) -> str:
    """A measure in words: "average horsepower", 平均马力, "number of orders"."""
    target = measure.target
    if isinstance(target, MeasureTarget):
        return measure_label(target, glossary, lang)
    if target is None:
        return "数量" if lang == "zh" else "count"
    assert measure.function is not None
    name = (
        table_label(target, glossary, lang) if isinstance(target, TableTarget) else column_label(target, glossary, lang)
    )
    if lang == "en" and measure.function is Function.COUNT:
        name = plural(name, "rows" if isinstance(target, TableTarget) else "values")
    return aggregate_label(_FUNCTION_LABELS[lang][measure.function], name)


def grain_label(grain: str, lang: str) -> str:
    return _GRAIN_LABELS[lang].get(grain, grain)
