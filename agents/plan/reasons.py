"""Why a question was not answered and what to ask instead, in both languages, one entry per reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """A sentence in both languages.

    :ivar bare: what is said when nothing is known to fill the slots with.
    """

    en: str
    zh: str
    bare_en: str = ""
    bare_zh: str = ""

    def text(self, lang: str, *filling: str) -> str:
        filled = bool(filling) and all(filling)
        if lang == "zh":
            return self.zh.format(*filling) if filled or not self.bare_zh else self.bare_zh
        return self.en.format(*filling) if filled or not self.bare_en else self.bare_en


REASONS = {
    "unknown_words": Words(
        "Nothing in this data is called {}.",
        "这些数据里没有找到{}。",
        "Part of this question is about something that was not found in the data.",
        "问题里有一部分内容在数据中没有找到。",
    ),
    "guessed": Words(
        "Nothing in this data is called “{}”. The nearest is “{}”.",
        "这些数据里没有“{}”，最接近的是“{}”。",
    ),
    "nothing_known": Words(
        "None of the words in this question were found in the data.",
        "问题里的词在数据中都没有找到。",
    ),
    "nothing_asked": Words(
        "The question does not say what of this data it is about.",
        "问题没有说明要查询哪些数据。",
    ),
    "no_ground": Words(
        "This goes on from a question that was not answered, so there is nothing to change.",
        "这句话接着的问题没有得到回答，因此没有可以修改的内容。",
    ),
    "no_operand": Words(
        "The question asks for a sum, an average or an extreme, but not of what.",
        "问题要求合计、平均或最值，但没有说明针对什么。",
    ),
    "no_date": Words(
        "The question names a time, but “{}” has no date that fits it.",
        "问题里有时间，但“{}”没有合适的日期列。",
        "The question names a time, but what it asks about has no date.",
        "问题里有时间，但所问的数据没有日期列。",
    ),
    "not_connected": Words(
        "No key connects {}, so they cannot be put together safely.",
        "{}之间没有键相连，无法可靠地合并。",
        "No key connects the parts of this question, so they cannot be put together safely.",
        "问题涉及的数据之间没有键相连，无法可靠地合并。",
    ),
    "fan_out": Words(
        "One row of “{1}” can go with several of {2}, so “{0}” would be counted more than once.",
        "一条“{1}”可能对应多条{2}，“{0}”会被重复计算。",
        "Answering this would count some rows more than once.",
        "这样回答会重复计算一部分记录。",
    ),
    "not_expressible": Words(
        "I cannot work out “{}” yet.",
        "目前还不能计算“{}”。",
        "I cannot work this out yet.",
        "目前还不能计算这个问题。",
    ),
    "several_counts": Words(
        "I cannot count two different things in one answer yet.",
        "目前还不能在一个回答里同时统计两种对象。",
    ),
    "top_per_group": Words(
        "I can rank everything, but not yet the first ones of each group.",
        "目前可以整体排名，还不能在每个分组内分别取前几名。",
    ),
    "no_order_key": Words(
        "The question asks for the top rows, but not by what.",
        "问题要求排名，但没有说明按什么排。",
    ),
    "nothing_grouped": Words(
        "The question ranks by a number of a whole group, but does not say what the groups are.",
        "问题按汇总数字排名，但没有说明按什么分组。",
    ),
    "not_a_number": Words(
        "That column does not hold numbers that can be put together.",
        "该列不是可以汇总的数字。",
    ),
    "invalid": Words(
        "The parts of this question do not fit together in one query.",
        "问题的各个部分无法组合成一个查询。",
    ),
    "unsure": Words(
        "I could not read this question well enough to trust the answer.",
        "对这个问题的理解不够可靠，因此没有给出答案。",
    ),
}

HINTS = {
    "tables": Words("There is data about {}.", "可以询问：{}。"),
    "dated": Words("Dates are known for {}.", "有日期的数据：{}。"),
    "apart": Words("Ask for each of them on its own.", "请分开提问。"),
    "own": Words("Ask for “{}” as a whole, or by {}.", "可以询问“{}”的总体数值，或按{}统计。"),
    "whole": Words("Ask for “{}” as a whole.", "可以询问“{}”的总体数值。"),
    "overall": Words(
        "Ask for the first ones overall, or within one group at a time.", "可以询问整体排名，或一次只问一个分组。"
    ),
    "key": Words("Say by what, for example by {}.", "请说明按什么排，例如按{}。"),
    "numbers": Words("Numbers are, for example, {}.", "数字列例如：{}。"),
    "group": Words("Name the groups, for example “by {}”.", "请说明分组，例如“按{}”。"),
}
