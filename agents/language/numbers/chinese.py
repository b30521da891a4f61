"""Chinese numbers: 三百万, 1.5亿, 百分之二十, 第三, with measure words to tell them from words that only look like
numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agents.language.numbers.model import NumberMention, parse_digits, plain
from agents.language.text import Token, shadow

_HAN_DIGITS = (
    {c: n for n, c in enumerate("零一二三四五六七八九")}
    | {"〇": 0, "两": 2, "俩": 2}
    | {c: n for n, c in enumerate("壹贰叁肆伍陆柒捌玖", start=1)}
)
_HAN_SCALES = {
    "十": 10,
    "拾": 10,
    "百": 100,
    "佰": 100,
    "千": 1000,
    "仟": 1000,
    "万": 10**4,
    "萬": 10**4,
    "亿": 10**8,
    "億": 10**8,
}
_HAN_D = "".join(_HAN_DIGITS)
_HAN_S = "".join(_HAN_SCALES)
_HAN_UNITS = {
    "元": "CNY", "块钱": "CNY", "块": "CNY", "人民币": "CNY", "美元": "USD", "美金": "USD", "欧元": "EUR",
    "英镑": "GBP", "日元": "JPY",
    "公斤": "kg", "千克": "kg", "克": "g", "吨": "tonne", "公里": "km", "千米": "km", "米": "m", "厘米": "cm",
    "毫米": "mm", "英里": "mile",
    "小时": "hour", "分钟": "minute", "秒": "second", "天": "day", "周": "week", "个月": "month", "年": "year",
    "岁": "year", "次": "times",
    "回": "times", "升": "l", "马力": "hp", "kb": "kb", "mb": "mb", "gb": "gb", "kg": "kg", "km": "km", "cm": "cm",
    "个百分点": "percent",
}  # fmt: skip
_MEASURE_WORDS = (
    "个 名 位 次 条 种 场 件 家 辆 门 部 首 篇 间 张 本 台 座 所 只 支 项 款 份 笔 架 艘 双 套 队 组 类 级 层 页 段 "
    "册 星 枚 颗 株 棵 人 天 年 月 "
    "日 周 岁 元 块 美元 欧元 公里 公斤 千米 千克 克 米 厘米 毫米 吨 小时 分钟 秒 分 倍 成 大 行 列 城 国 省 市 区 "
    "县 期 届 轮 局 球 票 点 环 号 学分 "
    "课时 季度 回 升 马力 步 件套 批 班 样 根 句 字 户 处 口 声 盘 瓶 杯 箱 包 袋 盒 幅 片 块钱 以上 以下 以内"
)
_MEASURE = "|".join(sorted(_MEASURE_WORDS.split(), key=len, reverse=True))
_HAN_NUMBER = re.compile(
    rf"""
    (?P<rank>第\s*)?
    (?P<percent>百分之)?
    (?P<minus>负|(?<![\da-z%)十百千万亿元年月日号岁个人])-)?
    (?:
        (?P<digits>(?:(?<=top)|(?<![\d.a-z_]))\d[\d,]*(?:\.\d+)?)\s*(?P<scale>[{_HAN_S}]+(?:\d+[{_HAN_S}]+)*)?(?![a-z_])
      | (?P<han>[{_HAN_D}{_HAN_S}]+)(?:点(?P<fraction>[{_HAN_D}]+))?
    )
    (?P<sign>\s*%|成(?![立功本为员交效就绩长分都]))?
    """,
    re.VERBOSE,
)
_HAN_APPROX_BEFORE = re.compile(r"(?:大约|大概|将近|接近|差不多|约)\s*$")
_HAN_APPROX_AFTER = re.compile(rf"\s*(?:{_MEASURE})?\s*(?:左右|上下)")
_HAN_UNIT = re.compile(r"\s*(" + "|".join(sorted(_HAN_UNITS, key=len, reverse=True)) + ")")
_HAN_COUNTED = re.compile(rf"\s*(?:{_MEASURE})")
_HAN_COMPARING = re.compile(
    r"(?:前|后|超过|大于|小于|高于|低于|多于|少于|等于|不到|达到|至少|最多|至多|不少于|不多于|不超过|为|是|到|至|和|与|在|过|满|分|top|[<>=≥≤])\s*$"
)
_HAN_ONE_IS_A_WORD = re.compile(r"[每任某哪同这那另之唯统单万专进逐]$")


def chinese_numbers(text: str, tokens: Sequence[Token]) -> Iterator[NumberMention]:
    folded = shadow(text)
    starts = {token.start: token for token in tokens}
    inside = [(t.start, t.end) for t in tokens if t.kind == "quoted" or (t.kind == "word" and not t.norm.isalpha())]
    for found in _HAN_NUMBER.finditer(folded):
        start, end = found.span()
        if any(a <= start < b for a, b in inside):
            continue
        han = found["han"]
        if han is not None and not _stands_alone(folded, found, starts):
            continue
        value = _han_value(found)
        if value is None:
            continue
        unit = None
        if found["percent"] or (found["sign"] or "").strip() == "%":
            unit = "percent"
        elif found["sign"]:
            value, unit = value * 10, "percent"
        elif counted := _HAN_UNIT.match(folded, end):
            unit = _HAN_UNITS[counted[1]]
        if start and folded[start - 1] in "$€£¥":
            unit, start = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "CNY"}[folded[start - 1]], start - 1
        approx = bool(
            _HAN_APPROX_BEFORE.search(folded[max(0, start - 4) : start]) or _HAN_APPROX_AFTER.match(folded, end)
        )
        yield NumberMention(start, end, text[start:end], value, unit, found["rank"] is not None, approx)


def _stands_alone(folded: str, found: re.Match[str], starts: dict[int, Token]) -> bool:
    """Whether Chinese numerals are a number here, and not part of a word or a name (一些, 张三, 百货)."""
    if found["rank"] or found["percent"] or found["fraction"]:
        return True
    start, end = found.span("han")
    han = found["han"]
    before = folded[max(0, start - 6) : start]
    counted = found["sign"] is not None or _HAN_COUNTED.match(folded, end) is not None
    if folded.startswith("分之", end) or (han == "十" and folded.startswith("分", end)):
        return _HAN_COMPARING.search(before) is not None and not folded.startswith("分之", end)
    if han in ("百", "千", "万", "亿", "拾", "零"):
        return False
    if han == "一" and (
        _HAN_ONE_IS_A_WORD.search(before) or not counted or re.match("[样起些共下般直旦]", folded[end : end + 1])
    ):
        return False
    if start not in starts and found.start() not in starts and not re.search(r"[\d前后超第]$", before):
        return False
    token = starts.get(start)
    whole = token is not None and token.end > end and not counted
    if whole:
        return False
    if len(han) == 1:
        return counted or _HAN_COMPARING.search(before) is not None
    return True


def _han_value(found: re.Match[str]) -> int | float | None:
    value: float | None
    if found["digits"]:
        value = _mixed(found["digits"], found["scale"] or "")
    else:
        value = _han_integer(found["han"])
        if value is not None and found["fraction"]:
            value += float("0." + "".join(str(_HAN_DIGITS[c]) for c in found["fraction"]))
    if value is None:
        return None
    return plain(-value if found["minus"] else value)


def _mixed(digits: str, scale: str) -> int | float:
    """Digits followed by scales: 3万, 1.5亿, 1亿2千万, 3千5百."""
    value = parse_digits(digits)
    if not scale:
        return value
    total, section, digit = 0.0, 0.0, float(value)
    for part in re.findall(rf"\d+|[{_HAN_S}]", scale):
        if part.isdigit():
            digit = float(part)
        elif _HAN_SCALES[part] < 10**4:
            section, digit = section + digit * _HAN_SCALES[part], 0.0
        elif part in "亿億":
            total, section, digit = (total + section + digit) * 10**8, 0.0, 0.0
        else:
            total, section, digit = total + (section + digit) * 10**4, 0.0, 0.0
    return plain(total + section + digit)


def _han_integer(numerals: str) -> int | None:
    """三百万, 十二, 两千三 (2300), 一百零五, 二〇二三 (digit by digit)."""
    if all(c in _HAN_DIGITS for c in numerals):
        return int("".join(str(_HAN_DIGITS[c]) for c in numerals)) if len(numerals) < 19 else None
    total, section, digit, last_scale = 0, 0, None, 1
    zero = False
    for c in numerals:
        if c in _HAN_DIGITS:
            if digit not in (None, 0):
                return None
            digit = _HAN_DIGITS[c]
            zero = zero or digit == 0
            continue
        scale = _HAN_SCALES[c]
        if scale >= 10**4:
            section += digit or 0
            if section == 0 and total == 0:
                return None
            total = (total + section) * scale if scale > 10**4 or total == 0 else total + section * scale
            section, digit = 0, None
        else:
            section += (1 if digit is None else digit) * scale
            digit = None
        last_scale, zero = scale, False
    if digit is not None:
        section += digit * (last_scale // 10) if last_scale >= 100 and not zero and digit else digit
    return total + section
