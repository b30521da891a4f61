"""What only Chinese says: measure words behind numbers, attributes before 的, and extremes as one word (最高工资)."""

from __future__ import annotations

import re

from agents.language.ir import ColumnTarget, MeasureTarget, PhraseTarget, TableTarget
from agents.plan.read.draft import Item, Reading

_CLASSIFIER = frozenset("个名位条种场件家辆门部首篇间张本台座所只支项款份笔架艘套队组层届节人次")
"""Measure words: behind a number they say that things are counted."""
_HOW_MUCH = re.compile(r"\s*(各自|分别)?(是|为|有|达到?)?多少(?![名人个家位])")
_SAYS_IDENTIFIER = re.compile(r"id|编号|标识|号|代码|编码|代号|序号", re.IGNORECASE)
_AND = ("和", "及", "以及", "与", "、", "，", "并", "及其")


def counted_by(reading: Reading, number: Item, after: Item | None) -> bool:
    """3座桥, 两门不同的课: only a measure word between the number and what is counted."""
    if not reading.chinese or after is None or not isinstance(after.schema, (TableTarget, ColumnTarget)):
        return False
    gap = reading.gap(number, after).replace("不同的", "").replace("不同", "").strip()
    return len(gap) == 1 and gap in _CLASSIFIER


def has_measure_word(reading: Reading, number: Item) -> bool:
    """文档不少于三份, 员工超过2人: what stands before is counted, not its number compared."""
    inside = number.mention.text.rstrip("及或者以上下内之更多")[-1:]
    return reading.chinese and (
        inside in _CLASSIFIER or reading.linked.text[number.mention.end :][:1] in (*_CLASSIFIER,)
    )


def is_attribute(reading: Reading, item: Item) -> bool:
    """城市的人口, 屏幕模式类型: what stands before 的, or right before another name, says of what, and is not asked
    for."""
    if not reading.chinese:
        return False
    following = next(iter(reading.after(item)[:1]), None)
    if following is None or following.schema is None or isinstance(following.schema, MeasureTarget):
        return False
    return reading.gap(item, following).strip() in ("", "的") and following.schema != item.schema


def only_an_identifier(reading: Reading, item: Item, target: ColumnTarget) -> bool:
    """属性 for ``attribute_id``: where the number is not spoken of, the thing itself is meant."""
    if not reading.chinese or item.mention.score >= 0.75 or _SAYS_IDENTIFIER.search(item.mention.text):
        return False
    return reading.catalog.table(target.table).primary_key == (target.column,)


def row_of(reading: Reading, item: Item, target: ColumnTarget) -> ColumnTarget | TableTarget:
    """各地点的文档数 over ``(location, document_id)``: the rows are counted, where the number is not spoken of."""
    if not reading.chinese or item.mention.score >= 0.75 or _SAYS_IDENTIFIER.search(item.mention.text):
        return target
    table = reading.catalog.table(target.table)
    return TableTarget(table.name) if target.column in table.primary_key else target


def counts_alone(reading: Reading, item: Item) -> bool:
    """列出城市和数量, 部门及人数: behind "and" the word for a number counts what the question is about, not the word
    before it."""
    if not reading.chinese or not item.is_concept("aggregate.count"):
        return False
    if any(c in item.mention.text for c in "多几"):
        return False
    before = next(iter(reading.before(item)[:1]), None)
    if before is None or reading.gap(before, item).strip(" 的其相应对") not in _AND:
        return False
    after = next(iter(reading.after(item)[:1]), None)
    return after is None or after.schema is None or reading.gap_words(item, after) > 0


def counts_within(reading: Reading, group: Item | None, item: Item) -> bool:
    """每个国家的人数: what is counted lies in the group, which is not counted itself."""
    if not reading.chinese or group is None or not item.is_concept("aggregate.count"):
        return False
    before = next(iter(reading.before(group)[:1]), None)
    each = before is not None and before.is_concept("group.each") and not reading.gap(before, group).strip()
    return each and not any(c in item.mention.text for c in "多几")


_IS_WHICH = re.compile(r"(的)?(是|为|在|来自|属于)(哪|什么)")


def asked_behind(reading: Reading, item: Item) -> Item | None:
    """评分最高的是哪部电影: what is asked for stands behind the extreme."""
    if not reading.chinese or not _IS_WHICH.match(reading.linked.text, item.mention.end):
        return None
    return next((o for o in reading.after(item)[:2] if o.schema is not None and reading.free(o)), None)


def is_one_word(reading: Reading, extreme: Item, number: Item) -> bool:
    """最高工资, not 最高的工资: the extreme of a number, as one word."""
    payload = extreme.mention.target
    wanted = payload.get("n") if isinstance(payload, PhraseTarget) else None
    return (
        reading.is_number(number.schema)
        and not extreme.mention.text.endswith("的")
        and not reading.gap(extreme, number).strip()
        and wanted is None
    )


def extreme_asked(reading: Reading, extreme: Item, number: Item | None) -> bool:
    """每个部门的最高工资, 纬度最高是多少: the extreme itself is asked for, of each group where there are groups; not so
    工资最高的员工, 最高工资的员工, 谁的工资最高.

    :param number: the number behind the extreme; ``None`` when it stands before it.
    """
    text = reading.linked.text
    if not reading.chinese or any(word in text for word in ("哪", "谁")):
        return False
    if number is not None:
        following = next(iter(reading.after(number)[:1]), None)
        owned = following is not None and following.schema is not None
        ranked = owned and following is not None and reading.gap(number, following).strip() == "的"
        return is_one_word(reading, extreme, number) and not ranked
    return _HOW_MUCH.match(text, extreme.mention.end) is not None and not extreme.mention.text.endswith("的")
