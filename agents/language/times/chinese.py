"""Chinese time expressions.

Rules where Chinese leaves a choice: 近/最近/过去 N 天, 月 … are the units that end with today, today included; 前 N
个月 are the whole units before the current one, never certain; 去年, 上个月 are whole calendar units; 今年以来,
年初至今 end with today; 2020年以来 and 2020年以后 include 2020 only with 以来, 起, 及以后; 之后 begins when 2020 is
over; 截至2020年 includes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from agents.language.times.calendar import Clock, OutOfCalendar, add_days, day_range, month_range, year_range
from agents.language.times.combine import Atom, Operators
from agents.language.times.fiscal import fiscal_atoms
from agents.language.times.model import Cycle, Grain, Recurring, TimeMention, TimeRange
from agents.language.times.numeric import (
    bare_years,
    month_without_year,
    numeric_atoms,
    part_without_year,
    plausible,
    year_part,
)

_DIGIT = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_HAN = "〇零一二三四五六七八九两"
_UNITS = {
    "小时": Grain.HOUR, "钟头": Grain.HOUR, "天": Grain.DAY, "日": Grain.DAY, "周": Grain.WEEK, "星期": Grain.WEEK,
    "礼拜": Grain.WEEK,
    "月": Grain.MONTH, "季度": Grain.QUARTER, "季": Grain.QUARTER, "年": Grain.YEAR,
}  # fmt: skip
_U = r"(?P<unit>小时|钟头|天|日|周|星期|礼拜|月|季度|季|年)"
_N = rf"(?P<count>\d{{1,4}}|[{_HAN}十]{{1,3}})"
_SMALL = r"(?:1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])"
_DAY = r"(?:[12]\d|3[01]|0?[1-9]|[二三]?十[一二三四五六七八九]?|[一二三四五六七八九])"
_YEAR = (
    rf"(?P<year>(?<!\d)(?:1[5-9]\d\d|20\d\d|[一二][{_HAN}]{{3}})\s*(?:年度?|(?=[-/.]?\s*第?[一二三四1-4]季度|[上下]半年))"
    r"|(?P<short>(?<![\d近去前后过满达超第个至少于多每])[0-3]\d)\s*年(?![前后内来以级])"
    r"|(?P<relative>今年|本年度?|当年|去年|上一?年度?|前年|大前年|明年|下一?年度?|后年))"
)
_RELATIVE_YEAR = {"今": 0, "本": 0, "当": 0, "去": -1, "上": -1, "前": -2, "大": -3, "明": 1, "下": 1, "后": 2}
_DATED = re.compile(
    rf"{_YEAR}(?:\s*的?\s*(?:"
    rf"(?P<month>{_SMALL})\s*月(?:份|(?P<day>{_DAY})\s*[日号])?(?!\s*[{_HAN}\d]+\s*[日号])"
    rf"|第?\s*(?P<quarter>[一二三四1-4])\s*季度?|q(?P<q>[1-4])|(?P<half>[上下])半年|(?P<edge>年?[初底末])(?![{_HAN}])|全年|整年))?"
)
_MONTH_DAY = re.compile(
    rf"(?<![\d{_HAN}十年个几])(?P<month>{_SMALL})\s*月(?:份|(?P<day>{_DAY})\s*[日号]|(?![\d{_HAN}季花]))"
)
_PART = re.compile(r"(?<![每各按度第])第?(?P<quarter>[一二三四1-4])\s*季度|(?P<half>[上下])半年")
_NAMED_DAY = re.compile(r"(?P<day>今天|今日|当天|昨天|昨日|大前天|前天|明天|明日|大后天|后天)")
_NAMED_DAYS = {
    "今天": 0,
    "今日": 0,
    "当天": 0,
    "昨天": -1,
    "昨日": -1,
    "大前天": -3,
    "前天": -2,
    "明天": 1,
    "明日": 1,
    "大后天": 3,
    "后天": 2,
}
_NEAR = re.compile(
    r"(?P<which>上上|下下|本|这|当前?|上|下)(?:个|一个|一)?(?P<unit>周|星期|礼拜|月|季度|季|小时)(?P<monthpart>份)?(?!\s*[一二三四五六日天]|度|[前后]的?)"
    r"(?P<todate>\s*(?:至今|以来|到目前为止))?"
)
_WEEKDAY_NEAR = re.compile(r"(?P<which>上上|上|本|这|下)(?:个|一)?(?:周|星期|礼拜)(?P<day>[一二三四五六日天]|末)")
_WEEKDAY = re.compile(
    r"(?P<every>每(?:个|逢)?)?(?:周|星期|礼拜)(?P<day>[一二三四五六日天](?![\d一二三四五六七八九十天个年月])|末)(?P<to>[到至]?)"
)
_WORKDAY = re.compile(r"工作日")
_ROLLING = re.compile(
    rf"(?:最近|近|过去|之前的?|刚过去)的?\s*(?:{_N}|(?P<half>半))\s*(?:个|整)?{_U}(?:以?内|里|间|期间|来)?(?![前龄])"
)
_WITHIN = re.compile(rf"(?<![\d.]){_N}\s*个?{_U}(?:以内|之内|内)")
_AGO = re.compile(rf"(?<![\d.近过去前后超]){_N}\s*个?{_U}(?:以前|之前|前)(?![{_HAN}\d十])")
_PREVIOUS = re.compile(
    r"(?:前|上)(?P<count>[两二三四五六七八九十]|\d{1,3})\s*(?:个)?(?P<unit>小时|天|日|周|星期|月|季度|年)(?!级|[前后度])"
)
_COMING = re.compile(
    rf"(?:未来|今后|接下来|下)的?\s*(?P<count>[两二三四五六七八九十]|\d{{1,3}}|一)\s*个?{_U}(?:以?内|里)?"
)
_TO_DATE = re.compile(
    r"(?:今年|本年|年初)(?:以来|至今|到现在|到目前(?:为止)?|到今天)|(?P<month>本月|月初|这个月)(?:以来|至今|到现在)|(?P<quarter>本季度?|这个季度)(?:以来|至今)"
)
_DECADE = re.compile(
    r"(?P<full>1[5-9]\d0|20\d0)\s*年代|(?:(?P<century>\d\d|[一二]?十[一二三四五六七八九]?)世纪)?(?P<short>[1-9]0|[二三四五六七八九]十)年代"
)
_CENTURY = re.compile(rf"(?P<century>1[5-9]|2[01]|[一二]?十[一二五六七八九]?)世纪(?!\s*[{_HAN}\d十]+年代)")

_YEAR_CERTAIN = re.compile(
    r"(?:在|自|从|于|截至|截止|早于|晚于|比|与|和|到|至|年份?|年份?[为是])\s*$|\d{4}年?\s*[、和与及或]\s*$"
)
_YEAR_REFUSED = re.compile(
    r"(?:超过|大于|高于|低于|小于|少于|多于|不到|达到?|至少|最多|至多|不足|满|等于|前|后|编号|代码|号|id|的?值为|[<>=≥≤#$€£¥])\s*$"
)
_YEAR_QUANTITY = re.compile(
    r"\s*(?:多|余|左右|[个名位元块人次条件份只台辆张篇本家所间种吨克米秒分天周倍岁票万亿千百]|公里|公斤|美元|欧元|英里|小时|月|日|号|及?以[上下]|以[内外]|代)"
)

OPERATORS = Operators(
    prefixes=(
        (re.compile(r"(?:不早于|不先于)\s*$"), "since"),
        (re.compile(r"(?:截至|截止到?|直到|不晚于|不迟于)\s*$"), "until"),
        (re.compile(r"(?:早于|先于)\s*$"), "before"),
        (re.compile(r"(?:晚于|迟于)\s*$"), "after"),
    ),
    suffixes=(
        (re.compile(
            r"\s*(?:以来|至今|[及和或](?:之后|以后)|开始(?!日|时|的?日)|起(?![始飞点诉价床来草码])|到现在"
            r"|到目前)"), "since"),
        (re.compile(r"\s*(?:[及和或](?:之前|以前)|为止|底(?:之?前|以前))"), "until"),
        (re.compile(r"\s*(?:之后|以后|后(?![续面台天来备缀]))"), "after"),
        (re.compile(rf"\s*(?:之前|以前|前(?!\s*[{_HAN}\d十几台]))"), "before"),
    ),
    between_prefix=re.compile(r"(?:在|介于)\s*$"),
    between_gap=re.compile(r"\s*[和与跟及]\s*"),
    between_suffix=re.compile(r"\s*(?:之间|期间|这段时间|间)"),
    from_prefix=re.compile(r"(?:自从|从|自|在|介于|由)\s*$"),
    range_gap=re.compile(r"\s*(?:到|至|直到|[-–—~～])\s*"),
    list_gap=re.compile(r"\s*(?:[、,，和与跟及或]|以及|对比|相比)\s*"),
)  # fmt: skip

_BUCKETS = (
    (Grain.HOUR, "小时"),
    (Grain.DAY, "天|日"),
    (Grain.WEEK, "周|星期|礼拜"),
    (Grain.MONTH, "月份|月"),
    (Grain.QUARTER, "季度|季"),
    (Grain.YEAR, "年份|年度|年"),
)
_BUCKET = re.compile(
    r"(?:每一?个?|按照?|逐|各个?|分|以|历)(?:"
    + "|".join(f"(?P<{grain}>{words})" for grain, words in _BUCKETS)
    + r")(?:度|份)?(?!\s*[一二三四五六七八九\d几末]|期|龄|纪|级|轻|代|内|前|后|初|底|增|均价|来)"
)
_BUCKET_ADJECTIVE = re.compile(
    r"(?P<month>月度)|(?P<year>年度)|(?P<quarter>季度)(?=的|销|营|收|报|趋|统|汇|数|利|总|平)|(?P<week>周度)|(?P<day>日度)"
)
_BUCKET_ASKED = re.compile(
    r"(?P<hour>哪个小时|哪个时段)|(?P<day>哪一?天)|(?P<week>哪一?个?(?:周|星期)(?!几))|(?P<month>哪一?个?月|几月份?)|(?P<quarter>哪一?个?季度)|(?P<year>哪一?年|哪个年份)"
)
_CYCLES = (
    (Cycle.WEEKDAY, re.compile(r"(?:按照?|每|分|各)?(?:星期几|周几|礼拜几)|按工作日和周末")),
    (
        Cycle.HOUR_OF_DAY,
        re.compile(r"(?:按|每|分|各)(?:个)?(?:时段|钟点|时间段)|一天中的?(?:哪个|每个|各)?(?:小时|时段)|几点钟?"),
    ),
    (Cycle.MONTH_OF_YEAR, re.compile(r"一年中的?(?:哪个|每个|各个?)?月份?|按自然月份")),
    (Cycle.DAY_OF_MONTH, re.compile(r"一个月中的?(?:哪一?|每一?)天")),
)
_GRAIN_NAMES = {
    Grain.HOUR: "小时", Grain.DAY: "天", Grain.WEEK: "周", Grain.MONTH: "月", Grain.QUARTER: "季度", Grain.YEAR: "年",
}  # fmt: skip
_CYCLE_NAMES = {
    Cycle.HOUR_OF_DAY: "一天中的小时", Cycle.WEEKDAY: "星期几", Cycle.DAY_OF_MONTH: "一个月中的日",
    Cycle.MONTH_OF_YEAR: "一年中的月份",
    Cycle.QUARTER_OF_YEAR: "一年中的季度",
}  # fmt: skip
_WEEKDAY_NUMBERS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}


def chinese_atoms(text: str, folded: str, clock: Clock) -> Iterator[Atom]:
    yield from fiscal_atoms(folded, "zh", clock)
    yield from numeric_atoms(folded, clock)
    yield from bare_years(folded, _YEAR_CERTAIN, _YEAR_REFUSED, _YEAR_QUANTITY)
    for reader in (_dated, _near, _windows, _eras):
        yield from reader(folded, clock)


def _number(word: str) -> int:
    """Digits, or Chinese numerals below one hundred, or a year told digit by digit."""
    if word.isdigit() and word.isascii():
        return int(word)
    if "十" not in word:
        return int("".join(str(_DIGIT[c]) for c in word))
    tens, _, ones = word.partition("十")
    return (_DIGIT[tens] if tens else 1) * 10 + (_DIGIT[ones] if ones else 0)


def _when_possible(
    start: int, end: int, make: Callable[[], TimeRange], grain: Grain, note: str, certain: bool = True
) -> Iterator[Atom]:
    try:
        yield Atom(start, end, make(), grain, note, certain)
    except OutOfCalendar:
        return


def _dated(folded: str, clock: Clock) -> Iterator[Atom]:
    for found in _DATED.finditer(folded):
        start, end = found.span()
        certain, note = True, ""
        if found["relative"]:
            year = clock.today.year + _RELATIVE_YEAR[found["relative"][0]]
            note = found["relative"]
        elif found["short"]:
            two = int(found["short"])
            year, certain, note = 2000 + two, False, "a year of two digits"
        else:
            year = _number(found["year"].rstrip("年度 "))
        if not plausible(year) and not found["relative"]:
            continue
        quarter = found["quarter"] or found["q"]
        if found["month"]:
            month = _number(found["month"])
            if found["day"]:
                day = _number(found["day"])
                yield from _when_possible(start, end, partial(day_range, year, month, day), Grain.DAY, note, certain)
            else:
                yield from _when_possible(start, end, partial(month_range, year, month), Grain.MONTH, note, certain)
        elif quarter:
            yield Atom(start, end, year_part(year, f"q{_number(quarter)}"), Grain.QUARTER, note, certain)
        elif found["half"]:
            yield Atom(start, end, year_part(year, "h1" if found["half"] == "上" else "h2"), Grain.MONTH, note, certain)
        else:
            end = found.start("edge") if found["edge"] else end
            yield from _when_possible(start, end, partial(year_range, year), Grain.YEAR, note, certain)
    for found in _MONTH_DAY.finditer(folded):
        day_of_month = _number(found["day"]) if found["day"] else None
        yield from month_without_year(found.start(), found.end(), _number(found["month"]), day_of_month, clock)
    for found in _PART.finditer(folded):
        part = f"q{_number(found['quarter'])}" if found["quarter"] else ("h1" if found["half"] == "上" else "h2")
        yield part_without_year(found.start(), found.end(), part, clock)


def _near(folded: str, clock: Clock) -> Iterator[Atom]:
    for found in _NAMED_DAY.finditer(folded):
        shift = _NAMED_DAYS[found["day"]]
        yield Atom(found.start(), found.end(), clock.units(Grain.DAY, shift), Grain.DAY, found["day"])
    for found in _NEAR.finditer(folded):
        grain = _UNITS[found["unit"]]
        if found["todate"]:
            yield Atom(found.start(), found.end(), clock.to_date(grain), grain, "至今")
            continue
        shift = {"上上": -2, "上": -1, "下": 1, "下下": 2}.get(found["which"], 0)
        yield Atom(found.start(), found.end(), clock.units(grain, shift), grain, found.group())
    for found in _WEEKDAY_NEAR.finditer(folded):
        shift = {"上上": -2, "上": -1, "下": 1}.get(found["which"], 0)
        monday = add_days(clock.today, 7 * shift - clock.today.weekday())
        first, length = (5, 2) if found["day"] == "末" else (_WEEKDAY_NUMBERS[found["day"]], 1)
        start = add_days(monday, first)
        yield Atom(found.start(), found.end(), TimeRange(start, add_days(start, length)), Grain.DAY, found.group())


def _windows(folded: str, clock: Clock) -> Iterator[Atom]:
    for found in _ROLLING.finditer(folded):
        grain = _UNITS[found["unit"]]
        if found["half"]:
            if grain not in (Grain.YEAR, Grain.MONTH):
                continue
            grain, count = (Grain.MONTH, 6) if grain is Grain.YEAR else (Grain.DAY, 15)
        else:
            count = _number(found["count"])
        if count:
            yield from _when_possible(*found.span(), partial(clock.rolling, grain, count), grain, "到今天为止，含今天")
    for found in _WITHIN.finditer(folded):
        count, grain = _number(found["count"]), _UNITS[found["unit"]]
        if count:
            yield from _when_possible(
                *found.span(), partial(clock.rolling, grain, count), grain, "到今天为止，含今天", False
            )
    for found in _AGO.finditer(folded):
        count, grain = _number(found["count"]), _UNITS[found["unit"]]
        if count and not (grain is Grain.YEAR and count > 500):
            yield from _when_possible(*found.span(), partial(clock.units, grain, -count), grain, found.group())
    for found in _PREVIOUS.finditer(folded):
        count, grain = _number(found["count"]), _UNITS[found["unit"]]
        make = partial(clock.units, grain, -count, count)
        if count:
            yield from _when_possible(*found.span(), make, grain, f"当前{found['unit']}之前的完整周期", False)
    for found in _COMING.finditer(folded):
        count, grain = _number(found["count"]), _UNITS[found["unit"]]
        if count and not (found.group().startswith("下") and count == 1):
            yield from _when_possible(*found.span(), partial(clock.coming, grain, count), grain, "从今天起")
    for found in _TO_DATE.finditer(folded):
        grain = Grain.MONTH if found["month"] else Grain.QUARTER if found["quarter"] else Grain.YEAR
        yield Atom(found.start(), found.end(), clock.to_date(grain), grain, "至今")


def _eras(folded: str, clock: Clock) -> Iterator[Atom]:
    for found in _DECADE.finditer(folded):
        if found["full"]:
            start, certain = int(found["full"]), True
        else:
            century = _number(found["century"]) if found["century"] else 20
            start, certain = 100 * (century - 1) + _number(found["short"]), found["century"] is not None
        if plausible(start):
            note = "" if certain else "上世纪"
            yield Atom(found.start(), found.end(), year_range(start, 10), Grain.YEAR, note, certain)
    for found in _CENTURY.finditer(folded):
        start = 100 * (_number(found["century"]) - 1) + 1
        if plausible(start):
            yield Atom(found.start(), found.end(), year_range(start, 100), Grain.YEAR, "")


def chinese_buckets(text: str, folded: str) -> Iterator[TimeMention]:
    """每月, 按年, 各季度, 月度, 按星期几, 周末: how to cut or filter time without a range."""
    for found in _WEEKDAY.finditer(folded):
        members = (5, 6) if found["day"] == "末" else (_WEEKDAY_NUMBERS[found["day"]],)
        yield _bucket(text, found.start(), found.end("day"), None, Recurring(Cycle.WEEKDAY, members))
    for found in _WORKDAY.finditer(folded):
        yield _bucket(text, *found.span(), None, Recurring(Cycle.WEEKDAY, (0, 1, 2, 3, 4)), certain=False)
    for cycle, pattern in _CYCLES:
        for found in pattern.finditer(folded):
            yield _bucket(text, *found.span(), None, Recurring(cycle))
    for pattern, certain in ((_BUCKET, True), (_BUCKET_ADJECTIVE, True), (_BUCKET_ASKED, False)):
        for found in pattern.finditer(folded):
            grain = Grain(found.lastgroup or "")
            clear = certain and not found.group().startswith(("以", "分", "历年"))
            yield _bucket(text, *found.span(), grain, None, certain=clear)


def _bucket(
    text: str, start: int, end: int, grain: Grain | None, recurring: Recurring | None, certain: bool = True
) -> TimeMention:
    if recurring is None:
        reason = f"按{_GRAIN_NAMES[grain]}" if grain else ""
    elif recurring.members:
        reason = f"只看{'、'.join('周' + '一二三四五六日'[m] for m in recurring.members)}"
    else:
        reason = f"按{_CYCLE_NAMES[recurring.cycle]}"
    return TimeMention(start, end, text[start:end], None, grain, reason, recurring, certain)
