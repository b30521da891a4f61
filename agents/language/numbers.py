"""Numbers in a question: digits and words, English and Chinese, with unit, ordinal and approximation.

A mention's span covers the digits or number words, an attached suffix (``1.5k``, ``10kg``), a leading currency symbol and
a following percent sign or word. A separate unit word ("500 miles", "30 years", "三万元") stays outside the span, because it
may name a column; ``unit`` still tells it.

Left out on purpose: "one" as a pronoun ("the one with", "which one"), "first name", "2m" without a currency symbol (metres
or millions), Chinese numerals inside other words (一些, 张三, 百货), and digits that are part of an identifier or a date token.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.language.text import Language, Token, shadow


@dataclass(frozen=True, slots=True)
class NumberMention:
    """A number and where it stands.

    :param start: offset of its first character in the question; ``end`` is exclusive.
    :param value: int where the number is whole, else float; for 20 % the value is 20 and the unit ``percent``.
    :param unit: ``percent``, an ISO 4217 code, ``times`` (twice, 三次), or a measure in the singular (``kg``, ``km``, ``mile``,
        ``year`` …); None where none is written.
    :param ordinal: a rank (third, 3rd, 第三) instead of a quantity.
    :param approx: softened by "about", "around", 约, 左右 …
    """

    start: int
    end: int
    text: str
    value: int | float
    unit: str | None = None
    ordinal: bool = False
    approx: bool = False


def find_numbers(text: str, tokens: Sequence[Token], lang: Language) -> tuple[NumberMention, ...]:
    """All numbers in order, without overlaps; a Chinese question may hold English digits and words too."""
    found = list(_english(text, tokens, lang))
    if lang == "zh":
        taken = [(m.start, m.end) for m in found]
        chinese = list(_chinese(text, tokens))
        spans = [(m.start, m.end) for m in chinese]
        found = [m for m, span in zip(found, taken, strict=True) if not any(_overlap(span, s) for s in spans)] + chinese
    return tuple(sorted(found, key=lambda m: m.start))


def _overlap(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return a[0] < b[1] and b[0] < a[1]


def _plain(value: float) -> int | float:
    return int(value) if value == int(value) and abs(value) < 2**63 else value


def _parse_digits(digits: str) -> int | float:
    cleaned = digits.replace(",", "")
    return int(cleaned) if cleaned.isdigit() and len(cleaned) < 19 else _plain(min(float(cleaned), 1e300))


# English ---------------------------------------------------------------------------------------------------------------

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_UNITS = {word: n for n, word in enumerate(_SMALL.split())} | {
    word: 10 * n for n, word in enumerate(_TENS.split(), start=2)
}
_SCALES = {"hundred": 100, "dozen": 12, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_SMALL_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
)
_ORDINALS = {word: n for n, word in enumerate(_SMALL_ORDINALS.split(), start=1)}
_TIMES = {"once": 1, "twice": 2, "thrice": 3}
_CURRENCY = {"$": "USD", "€": "EUR", "£": "GBP", "₹": "INR", "₩": "KRW", "₽": "RUB"}
_SUFFIX_SCALE = {"k": 10**3, "mn": 10**6, "mio": 10**6, "bn": 10**9, "tn": 10**12}
_MONEY_SCALE = {"m": 10**6, "b": 10**9, "mm": 10**6, "t": 10**12}
_SUFFIX_UNIT = {
    "kg": "kg", "g": "g", "mg": "mg", "lb": "lb", "lbs": "lb", "oz": "oz", "km": "km", "m": "m", "cm": "cm", "mm": "mm", "mi": "mile",
    "ft": "foot", "in": "inch", "kb": "kb", "mb": "mb", "gb": "gb", "tb": "tb", "ms": "ms", "mph": "mph", "kwh": "kwh", "hp": "hp",
    "mpg": "mpg", "cc": "cc", "ml": "ml", "l": "l",
}  # fmt: skip
_WORD_UNIT = {
    "percent": "percent", "pct": "percent", "dollar": "USD", "usd": "USD", "buck": "USD", "euro": "EUR", "eur": "EUR", "gbp": "GBP",
    "yuan": "CNY", "rmb": "CNY", "cny": "CNY", "yen": "JPY", "jpy": "JPY", "rupee": "INR", "kg": "kg", "kilogram": "kg", "kilo": "kg",
    "gram": "g", "lb": "lb", "lbs": "lb", "tonne": "tonne", "ton": "ton", "km": "km", "kilometer": "km", "kilometre": "km", "mile": "mile",
    "meter": "m", "metre": "m", "cm": "cm", "centimeter": "cm", "mm": "mm", "foot": "foot", "inch": "inch", "kb": "kb", "mb": "mb",
    "gb": "gb", "tb": "tb", "liter": "l", "litre": "l", "horsepower": "hp", "mph": "mph", "cent": "cent", "year": "year", "month": "month",
    "week": "week", "day": "day", "hour": "hour", "minute": "minute", "second": "second", "time": "times",
}  # fmt: skip
_ATTACHED = re.compile(r"(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)([a-z]+)")
_COMPARING = frozenset(
    [
        "than",
        "least",
        "most",
        "exactly",
        "only",
        "just",
        "top",
        "over",
        "under",
        "above",
        "below",
        "by",
        "about",
        "with",
    ]
)
_NOT_A_COUNT_AFTER = frozenset(
    ["the", "which", "that", "this", "no", "any", "every", "each", "some", "another", "other", "these", "those", "such"]
)
_APPROX = frozenset(["about", "around", "approximately", "roughly", "nearly", "almost", "~", "approx", "circa"])
_TIME_BEFORE_SECOND = frozenset(["per", "a", "each", "every", "of"])


def _english(text: str, tokens: Sequence[Token], lang: Language) -> Iterator[NumberMention]:
    index = 0
    while index < len(tokens):
        read = _read_english(text, tokens, index, lang)
        if read is None:
            index += 1
            continue
        mention, index = read
        yield mention


def _read_english(text: str, tokens: Sequence[Token], index: int, lang: Language) -> tuple[NumberMention, int] | None:
    token = tokens[index]
    before = tokens[index - 1] if index else None
    after_index = index + 1
    unit: str | None = None
    ordinal = False
    value: int | float
    if token.kind == "number":
        value = _parse_digits(token.norm)
        value, after_index = _scaled(tokens, after_index, value)
    elif token.kind != "word":
        return None
    elif attached := _ATTACHED.fullmatch(token.norm):
        value = _parse_digits(attached[1])
        suffix = attached[2]
        money = before is not None and before.norm in _CURRENCY
        if suffix in ("st", "nd", "rd", "th"):
            ordinal = True
        elif suffix in _SUFFIX_SCALE:
            value = _plain(value * _SUFFIX_SCALE[suffix])
        elif money and suffix in _MONEY_SCALE:
            value = _plain(value * _MONEY_SCALE[suffix])
        elif suffix in _SUFFIX_UNIT and suffix != "m":
            unit = _SUFFIX_UNIT[suffix]
        else:
            return None
    elif token.norm in _TIMES:
        value, unit = _TIMES[token.norm], "times"
    else:
        words = _read_words(tokens, index)
        if words is None:
            return None
        value, after_index, ordinal = words
    start, end = token.start, tokens[after_index - 1].end
    after = tokens[after_index] if after_index < len(tokens) else None
    if before is not None and before.end == start:
        if before.norm in _CURRENCY or before.norm in ("¥", "¥"):
            unit = _CURRENCY.get(before.norm, "CNY" if lang == "zh" else "JPY")
            start = before.start
            before = tokens[index - 2] if index > 1 else None
        if before is not None and before.norm == "-" and before.end == start and _signs(tokens, before):
            value, start = -value, before.start
    if after is not None and unit is None and not ordinal:
        if after.norm in ("%", "‰") or after.norm in ("percent", "pct"):
            unit, end = "percent", after.end
            value = value / 10 if after.norm == "‰" else value
        elif after.norm == "per" and after_index + 1 < len(tokens) and tokens[after_index + 1].norm == "cent":
            unit, end = "percent", tokens[after_index + 1].end
        else:
            unit = _WORD_UNIT.get(after.lemma) or _SUFFIX_UNIT.get(after.norm) if after.norm != "in" else None
    approx = before is not None and before.norm in _APPROX
    mention = NumberMention(start, end, text[start:end], value, unit, ordinal, approx)
    return mention, after_index


def _signs(tokens: Sequence[Token], minus: Token) -> bool:
    """A minus is a sign only where no operand touches it on the left: "below -5", but not "10-20"."""
    return not any(token.end == minus.start for token in tokens) or minus.start == 0


def _scaled(tokens: Sequence[Token], index: int, value: float) -> tuple[int | float, int]:
    while index < len(tokens) and tokens[index].norm in _SCALES:
        value = _plain(value * _SCALES[tokens[index].norm])
        index += 1
    return value, index


def _pieces(tokens: Sequence[Token], index: int) -> list[str]:
    if index >= len(tokens) or tokens[index].kind != "word":
        return []
    return tokens[index].norm.split("-")


def _read_words(tokens: Sequence[Token], index: int) -> tuple[int | float, int, bool] | None:
    """Read number words from ``index``; gives value, index after them, and whether it is an ordinal."""
    total, group, last, cursor, ordinal = 0, 0, 0, index, False
    first = tokens[index].norm
    if first in _SCALES:
        before = tokens[index - 1].norm if index else ""
        if before not in ("a", "an"):
            return None
        group = 1
    while cursor < len(tokens) and not ordinal:
        pieces = _pieces(tokens, cursor)
        if cursor > index and pieces == ["and"] and _and_continues(tokens, index, cursor, last):
            cursor += 1
            continue
        if not pieces or not all(p in _UNITS or p in _SCALES or p in _ORDINALS for p in pieces):
            break
        if len(pieces) > 1 and pieces[0] not in _UNITS:
            break
        read = _add_pieces(pieces, total, group, last)
        if read is None:
            break
        total, group, last, ordinal = read
        cursor += 1
    if cursor == index or not _is_quantity(tokens, index, cursor, ordinal):
        return None
    return total + group, cursor, ordinal


def _add_pieces(pieces: list[str], total: int, group: int, last: int) -> tuple[int, int, int, bool] | None:
    ordinal = False
    for piece in pieces:
        if piece in _SCALES:
            scale = _SCALES[piece]
            if not group:
                return None
            if scale in (100, 12):
                group *= scale
            else:
                total, group = total + group * scale, 0
            last = scale
        else:
            value = _UNITS.get(piece, _ORDINALS.get(piece, 0))
            fits = not last or last >= 100 or (20 <= last < 100 and last % 10 == 0 and 0 < value < 10)
            if not fits:
                return None
            ordinal = piece in _ORDINALS
            group, last = group + value, value or 1
    return total, group, last, ordinal


def _and_continues(tokens: Sequence[Token], index: int, cursor: int, last: int) -> bool:
    """ "three hundred and five" goes on; "one hundred and two hundred" and "between … and …" do not."""
    if last < 100 or any(t.norm == "between" for t in tokens[max(0, index - 2) : index]):
        return False
    pieces = _pieces(tokens, cursor + 1)
    if not pieces or not all(p in _UNITS for p in pieces):
        return False
    after = cursor + 2
    while after < len(tokens) and tokens[after].norm in _UNITS:
        after += 1
    return not (after < len(tokens) and tokens[after].norm in _SCALES)


def _is_quantity(tokens: Sequence[Token], index: int, after: int, ordinal: bool) -> bool:
    word = tokens[index].norm
    if after - index > 1:
        return True
    before = tokens[index - 1].norm if index else ""
    follower = tokens[after].norm if after < len(tokens) else ""
    if ordinal:
        if follower in ("name", "names") or (
            follower == "and" and tokens[after + 1 : after + 2] and _is_last_name(tokens, after)
        ):
            return False
        return not (word == "second" and before in _TIME_BEFORE_SECOND)
    if word == "one":
        if before in _COMPARING:
            return True
        return before not in _NOT_A_COUNT_AFTER and follower not in ("of", "another") and bool(follower)
    return True


def _is_last_name(tokens: Sequence[Token], after: int) -> bool:
    return [t.norm for t in tokens[after + 1 : after + 3]] in (["last", "name"], ["last", "names"])


# Chinese ---------------------------------------------------------------------------------------------------------------

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
    "元": "CNY", "块钱": "CNY", "块": "CNY", "人民币": "CNY", "美元": "USD", "美金": "USD", "欧元": "EUR", "英镑": "GBP", "日元": "JPY",
    "公斤": "kg", "千克": "kg", "克": "g", "吨": "tonne", "公里": "km", "千米": "km", "米": "m", "厘米": "cm", "毫米": "mm", "英里": "mile",
    "小时": "hour", "分钟": "minute", "秒": "second", "天": "day", "周": "week", "个月": "month", "年": "year", "岁": "year", "次": "times",
    "回": "times", "升": "l", "马力": "hp", "kb": "kb", "mb": "mb", "gb": "gb", "kg": "kg", "km": "km", "cm": "cm", "个百分点": "percent",
}  # fmt: skip
_MEASURE_WORDS = (
    "个 名 位 次 条 种 场 件 家 辆 门 部 首 篇 间 张 本 台 座 所 只 支 项 款 份 笔 架 艘 双 套 队 组 类 级 层 页 段 册 星 枚 颗 株 棵 人 天 年 月 "
    "日 周 岁 元 块 美元 欧元 公里 公斤 千米 千克 克 米 厘米 毫米 吨 小时 分钟 秒 分 倍 成 大 行 列 城 国 省 市 区 县 期 届 轮 局 球 票 点 环 号 学分 "
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


def _chinese(text: str, tokens: Sequence[Token]) -> Iterator[NumberMention]:
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
    return _plain(-value if found["minus"] else value)


def _mixed(digits: str, scale: str) -> int | float:
    """Digits followed by scales: 3万, 1.5亿, 1亿2千万, 3千5百."""
    value = _parse_digits(digits)
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
    return _plain(total + section + digit)


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
