"""English numbers: digits with scales and suffixes (1.5k, 2 million), number words, ordinals, once and twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agents.language.numbers.model import NumberMention, parse_digits, plain
from agents.language.text import Language, Token

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
    "kg": "kg", "g": "g", "mg": "mg", "lb": "lb", "lbs": "lb", "oz": "oz", "km": "km", "m": "m", "cm": "cm",
    "mm": "mm", "mi": "mile",
    "ft": "foot", "in": "inch", "kb": "kb", "mb": "mb", "gb": "gb", "tb": "tb", "ms": "ms", "mph": "mph", "kwh": "kwh",
    "hp": "hp",
    "mpg": "mpg", "cc": "cc", "ml": "ml", "l": "l",
}  # fmt: skip
_WORD_UNIT = {
    "percent": "percent", "pct": "percent", "dollar": "USD", "usd": "USD", "buck": "USD", "euro": "EUR", "eur": "EUR",
    "gbp": "GBP",
    "yuan": "CNY", "rmb": "CNY", "cny": "CNY", "yen": "JPY", "jpy": "JPY", "rupee": "INR", "kg": "kg",
    "kilogram": "kg", "kilo": "kg",
    "gram": "g", "lb": "lb", "lbs": "lb", "tonne": "tonne", "ton": "ton", "km": "km", "kilometer": "km",
    "kilometre": "km", "mile": "mile",
    "meter": "m", "metre": "m", "cm": "cm", "centimeter": "cm", "mm": "mm", "foot": "foot", "inch": "inch", "kb": "kb",
    "mb": "mb",
    "gb": "gb", "tb": "tb", "liter": "l", "litre": "l", "horsepower": "hp", "mph": "mph", "cent": "cent",
    "year": "year", "month": "month",
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


def english_numbers(text: str, tokens: Sequence[Token], lang: Language) -> Iterator[NumberMention]:
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
        value = parse_digits(token.norm)
        value, after_index = _scaled(tokens, after_index, value)
    elif token.kind != "word":
        return None
    elif attached := _ATTACHED.fullmatch(token.norm):
        value = parse_digits(attached[1])
        suffix = attached[2]
        money = before is not None and before.norm in _CURRENCY
        if suffix in ("st", "nd", "rd", "th"):
            ordinal = True
        elif suffix in _SUFFIX_SCALE:
            value = plain(value * _SUFFIX_SCALE[suffix])
        elif money and suffix in _MONEY_SCALE:
            value = plain(value * _MONEY_SCALE[suffix])
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
        value = plain(value * _SCALES[tokens[index].norm])
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
