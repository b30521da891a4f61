from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.language.text import detect_language, tokenize
from agents.language.times import TimeMention, TimeRange, find_times, range_text
from agents.language.times.model import as_datetime

NOW = datetime(2024, 3, 15, 10, 0)  # a Friday
CLOCKS = st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(2100, 12, 31))


def read(text: str, now: datetime = NOW, **settings: int) -> tuple[TimeMention, ...]:
    lang = detect_language(text)
    return find_times(text, tokenize(text, lang), lang, now, **settings)


def shown(mention: TimeMention) -> str:
    """``span = start..end``, ``span = by grain`` or ``span = cycle(members)``; ``?`` when uncertain."""
    doubt = "" if mention.certain else " ?"
    if mention.range is not None:
        start, end = mention.range.start or "", mention.range.end or ""
        return f"{mention.text} = {start}..{end}{doubt}"
    if mention.recurring is not None:
        members = ",".join(map(str, mention.recurring.members))
        return f"{mention.text} = {mention.recurring.cycle}({members}){doubt}"
    return f"{mention.text} = by {mention.grain}{doubt}"


def check(text: str, *expected: str, now: datetime = NOW, **settings: int) -> None:
    assert tuple(shown(m) for m in read(text, now, **settings)) == expected


YEAR_2023 = "2023-01-01..2024-01-01"

ENGLISH = [
    ("sales in 2023", f"2023 = {YEAR_2023}"),
    ("revenue 2023", f"2023 = {YEAR_2023} ?"),
    ("2023 orders", f"2023 = {YEAR_2023} ?"),
    ("songs of the 1990s", "the 1990s = 1990-01-01..2000-01-01"),
    ("the 80s", "the 80s = 1980-01-01..1990-01-01 ?"),
    ("buildings of the 19th century", "the 19th century = 1801-01-01..1901-01-01"),
    ("orders in 2023-05", "2023-05 = 2023-05-01..2023-06-01"),
    ("orders in May 2023", "May 2023 = 2023-05-01..2023-06-01"),
    ("orders in may, 2023", "may, 2023 = 2023-05-01..2023-06-01"),
    ("in Q3 2023", "Q3 2023 = 2023-07-01..2023-10-01"),
    ("in 2023Q3", "2023Q3 = 2023-07-01..2023-10-01"),
    ("H1 2023", "H1 2023 = 2023-01-01..2023-07-01"),
    ("first quarter of 2022", "first quarter of 2022 = 2022-01-01..2022-04-01"),
    ("second half of 2021", "second half of 2021 = 2021-07-01..2022-01-01"),
    ("last month of 2023", "last month of 2023 = 2023-12-01..2024-01-01"),
    ("on 5 May 2023", "5 May 2023 = 2023-05-05..2023-05-06"),
    ("on May 5, 2023", "May 5, 2023 = 2023-05-05..2023-05-06"),
    ("on the 5th of May 2023", "5th of May 2023 = 2023-05-05..2023-05-06"),
    ("on Oct 23, 2010", "Oct 23, 2010 = 2010-10-23..2010-10-24"),
    ("on 2023-05-01", "2023-05-01 = 2023-05-01..2023-05-02"),
    ("at 2024-03-01 14:00", "2024-03-01 14:00 = 2024-03-01 14:00:00..2024-03-01 14:01:00"),
    ("on 05/06/2023", "05/06/2023 = 2023-05-06..2023-05-07 ?"),
    ("on 25/12/2023", "25/12/2023 = 2023-12-25..2023-12-26"),
    ("on 25.12.2023", "25.12.2023 = 2023-12-25..2023-12-26"),
    (
        "How many events between 1 March and 31 March 2024?",
        "between 1 March and 31 March 2024 = 2024-03-01..2024-04-01",
    ),
    ("between November and February 2024", "between November and February 2024 = 2023-11-01..2024-03-01"),
    ("between March and May", "between March and May = 2024-03-01..2024-06-01 ?"),
    ("May 1 to May 5, 2023", "May 1 to May 5, 2023 = 2023-05-01..2023-05-06"),
    ("May 1-5, 2023", "May 1-5, 2023 = 2023-05-01..2023-05-06"),
    ("from 2019 to 2021", "from 2019 to 2021 = 2019-01-01..2022-01-01"),
    ("2019-2021", "2019-2021 = 2019-01-01..2022-01-01"),
    ("from January 2020 to March 2021", "from January 2020 to March 2021 = 2020-01-01..2021-04-01"),
    ("between 2000 and 2005", "between 2000 and 2005 = 2000-01-01..2006-01-01 ?"),
    ("since 2020", "since 2020 = 2020-01-01.."),
    ("from 2020 onwards", "from 2020 onwards = 2020-01-01.."),
    ("before 2019", "before 2019 = ..2019-01-01"),
    ("prior to May 2020", "prior to May 2020 = ..2020-05-01"),
    ("after 2020-05-01", "after 2020-05-01 = 2020-05-02.."),
    ("until 2021", "until 2021 = ..2022-01-01"),
    ("by the end of 2021", "by the end of 2021 = ..2022-01-01"),
    ("no later than June 2022", "no later than June 2022 = ..2022-07-01"),
    ("2018 or earlier", "2018 or earlier = ..2019-01-01"),
    ("before 1961 or after 1959", "before 1961 = ..1961-01-01", "after 1959 = 1960-01-01.."),
    ("since the beginning of 2023", "since the beginning of 2023 = 2023-01-01.."),
    ("today", "today = 2024-03-15..2024-03-16"),
    ("orders placed yesterday", "yesterday = 2024-03-14..2024-03-15"),
    ("the day before yesterday", "the day before yesterday = 2024-03-13..2024-03-14"),
    ("before yesterday", "before yesterday = ..2024-03-14"),
    ("tomorrow", "tomorrow = 2024-03-16..2024-03-17"),
    ("order amount this week", "this week = 2024-03-11..2024-03-18"),
    ("last week", "last week = 2024-03-04..2024-03-11"),
    ("total order amount last month", "last month = 2024-02-01..2024-03-01"),
    ("last quarter", "last quarter = 2023-10-01..2024-01-01"),
    ("this year", "this year = 2024-01-01..2025-01-01"),
    ("total order amount in the last 7 days", "the last 7 days = 2024-03-09..2024-03-16"),
    ("past 30 days", "past 30 days = 2024-02-15..2024-03-16"),
    ("last twelve months", "last twelve months = 2023-03-16..2024-03-16"),
    ("previous 2 quarters", "previous 2 quarters = 2023-07-01..2024-01-01"),
    ("past week", "past week = 2024-03-09..2024-03-16"),
    ("next 7 days", "next 7 days = 2024-03-15..2024-03-22"),
    ("last 24 hours", "last 24 hours = 2024-03-14 10:00:00..2024-03-15 10:00:00.000001"),
    ("3 days ago", "3 days ago = 2024-03-12..2024-03-13"),
    ("2 weeks ago", "2 weeks ago = 2024-02-26..2024-03-04"),
    ("a year ago", "a year ago = 2023-01-01..2024-01-01"),
    ("more than 30 days ago", "more than 30 days ago = ..2024-02-14"),
    ("year to date", "year to date = 2024-01-01..2024-03-16"),
    ("YTD sales", "YTD = 2024-01-01..2024-03-16"),
    ("MTD and QTD", "MTD = 2024-03-01..2024-03-16", "QTD = 2024-01-01..2024-03-16"),
    ("last January", "last January = 2024-01-01..2024-02-01"),
    ("last April", "last April = 2023-04-01..2023-05-01"),
    ("this March", "this March = 2024-03-01..2024-04-01"),
    ("last Monday", "last Monday = 2024-03-11..2024-03-12"),
    ("orders in May", "May = 2023-05-01..2023-06-01 ?"),
    ("in Q3", "Q3 = 2023-07-01..2023-10-01 ?"),
    ("March and April 2024", "March = 2024-03-01..2024-04-01", "April 2024 = 2024-04-01..2024-05-01"),
    ("Q1 and Q2 2023", "Q1 = 2023-01-01..2023-04-01", "Q2 2023 = 2023-04-01..2023-07-01"),
    ("2022 and 2023", "2022 = 2022-01-01..2023-01-01 ?", f"2023 = {YEAR_2023} ?"),
    ("fiscal year 2023", f"fiscal year 2023 = {YEAR_2023}"),
    ("daily sales", "daily = by day"),
    ("monthly revenue last year", "monthly = by month", f"last year = {YEAR_2023}"),
    ("revenue by month in 2023", "by month = by month", f"2023 = {YEAR_2023}"),
    ("orders per year", "per year = by year"),
    ("each quarter", "each quarter = by quarter"),
    ("by year and month", "by year and month = by month"),
    ("sales by region and month", "month = by month ?"),
    ("month by month", "month by month = by month"),
    ("which year has the most orders", "which year = by year ?"),
    ("orders by weekday", "by weekday = weekday()"),
    ("orders by day of the week", "by day of the week = weekday()"),
    ("by hour of day", "by hour of day = hour_of_day()"),
    ("by month of the year", "by month of the year = month_of_year()"),
    ("orders on Mondays", "Mondays = weekday(0)"),
    ("orders on weekends", "weekends = weekday(5,6)"),
    ("orders on Monday", "Monday = 2024-03-11..2024-03-12 ?"),
]

CHINESE = [
    ("今天的订单", "今天 = 2024-03-15..2024-03-16"),
    ("昨天的订单", "昨天 = 2024-03-14..2024-03-15"),
    ("前天", "前天 = 2024-03-13..2024-03-14"),
    ("大前天", "大前天 = 2024-03-12..2024-03-13"),
    ("本周", "本周 = 2024-03-11..2024-03-18"),
    ("上周", "上周 = 2024-03-04..2024-03-11"),
    ("上周五", "上周五 = 2024-03-08..2024-03-09"),
    ("上周末", "上周末 = 2024-03-09..2024-03-11"),
    ("本月", "本月 = 2024-03-01..2024-04-01"),
    ("上个月的销售金额是多少？", "上个月 = 2024-02-01..2024-03-01"),
    ("上月", "上月 = 2024-02-01..2024-03-01"),
    ("这个月", "这个月 = 2024-03-01..2024-04-01"),
    ("本季度", "本季度 = 2024-01-01..2024-04-01"),
    ("上季度", "上季度 = 2023-10-01..2024-01-01"),
    ("今年", "今年 = 2024-01-01..2025-01-01"),
    ("去年各地区的销售额", f"去年 = {YEAR_2023}"),
    ("去年前十名客户", f"去年 = {YEAR_2023}"),
    ("前年", "前年 = 2022-01-01..2023-01-01"),
    ("近7天", "近7天 = 2024-03-09..2024-03-16"),
    ("最近30天", "最近30天 = 2024-02-15..2024-03-16"),
    ("过去三个月", "过去三个月 = 2023-12-16..2024-03-16"),
    ("近半年", "近半年 = 2023-09-16..2024-03-16"),
    ("最近十二个月", "最近十二个月 = 2023-03-16..2024-03-16"),
    ("2023年", f"2023年 = {YEAR_2023}"),
    ("２０２４年 的订单", "２０２４年 = 2024-01-01..2025-01-01"),
    ("2023年5月", "2023年5月 = 2023-05-01..2023-06-01"),
    ("2010年10月23日入住", "2010年10月23日 = 2010-10-23..2010-10-24"),
    ("5月的订单", "5月 = 2023-05-01..2023-06-01 ?"),
    ("8月份出发的行程", "8月份 = 2023-08-01..2023-09-01 ?"),
    ("2023年第三季度", "2023年第三季度 = 2023-07-01..2023-10-01"),
    ("二〇二三年", f"二〇二三年 = {YEAR_2023}"),
    ("三季度的销量", "三季度 = 2023-07-01..2023-10-01 ?"),
    ("上半年的销量", "上半年 = 2024-01-01..2024-07-01 ?"),
    ("去年下半年", "去年下半年 = 2023-07-01..2024-01-01"),
    ("今年2月销售金额", "今年2月 = 2024-02-01..2024-03-01"),
    ("23年5月", "23年5月 = 2023-05-01..2023-06-01 ?"),
    ("从2019年到2021年", "从2019年到2021年 = 2019-01-01..2022-01-01"),
    ("2019-2021年", "2019-2021年 = 2019-01-01..2022-01-01"),
    ("在2020年和2022年之间", "在2020年和2022年之间 = 2020-01-01..2023-01-01"),
    ("2023年3月到5月", "2023年3月到5月 = 2023-03-01..2023-06-01"),
    ("2024年1月和2月", "2024年1月 = 2024-01-01..2024-02-01", "2月 = 2024-02-01..2024-03-01"),
    ("2020年以来", "2020年以来 = 2020-01-01.."),
    ("自2022年1月起", "自2022年1月起 = 2022-01-01.."),
    ("2019年之前", "2019年之前 = ..2019-01-01"),
    ("1961年之后或1959年之前", "1961年之后 = 1962-01-01..", "1959年之前 = ..1959-01-01"),
    ("2020年及以后", "2020年及以后 = 2020-01-01.."),
    ("截至2021年", "截至2021年 = ..2022-01-01"),
    ("今年以来", "今年以来 = 2024-01-01..2024-03-16"),
    ("3天前的订单", "3天前 = 2024-03-12..2024-03-13"),
    ("未来7天", "未来7天 = 2024-03-15..2024-03-22"),
    ("20世纪90年代", "20世纪90年代 = 1990-01-01..2000-01-01"),
    ("2023的销售额", f"2023 = {YEAR_2023} ?"),
    ("每月订单数", "每月 = by month"),
    ("按月统计", "按月 = by month"),
    ("每年", "每年 = by year"),
    ("按季度", "按季度 = by quarter"),
    ("每天", "每天 = by day"),
    ("月度销售额", "月度 = by month"),
    ("年度销售额", "年度 = by year"),
    ("每周订单", "每周 = by week"),
    ("2023年各月销售额", f"2023年 = {YEAR_2023}", "各月 = by month"),
    ("哪个月的订单最多", "哪个月 = by month ?"),
    ("按星期几统计订单", "按星期几 = weekday()"),
    ("周末的订单", "周末 = weekday(5,6)"),
]

NEVER_A_TIME = [
    "students who may have a pet",
    "it may contain 5 rows",
    "the second largest city",
    "soldiers who march",
    "ships in the sun",
    "order 2023",
    "customer id 2023",
    "more than 2000 dollars",
    "weight over 2000",
    "cars with price of $2000",
    "2000 students",
    "phones with 2048 MB",
    "population of 12000",
    "first name and last name",
    "the last order of each customer",
    "people older than 30 years",
    "years of experience",
    "what is the day of birth",
    "the year of the movie",
    "column sales_2023",
    "songs named 'May 2023'",
    "2023-02-30",
    "last 9999 years",
    "in total",
    "Jan Smith",
    "超过2000元",
    "2000个客户",
    "前十名",
    "三年级学生",
    "5年经验",
    "年龄大于30岁",
    "月票和日期",
    "每个客户",
    "周杰伦的季后赛",
    "月薪超过5000",
    "《2023年》",
    "年轻的日本人",
    "编号2023",
]


@pytest.mark.parametrize(("text", "expected"), [(row[0], row[1:]) for row in ENGLISH + CHINESE])
def test_times(text: str, expected: tuple[str, ...]) -> None:
    check(text, *expected)


@pytest.mark.parametrize("text", NEVER_A_TIME)
def test_no_time(text: str) -> None:
    check(text)


def test_week_start_and_fiscal_year() -> None:
    check("order amount this week", "this week = 2024-03-10..2024-03-17", week_start=6)
    check("this fiscal year", "this fiscal year = 2023-10-01..2024-10-01", fiscal_start_month=10)
    check("FY2024", "FY2024 = 2023-04-01..2024-04-01", fiscal_start_month=4)
    check("last fiscal quarter", "last fiscal quarter = 2023-11-01..2024-02-01", fiscal_start_month=2)
    check("2024财年", "2024财年 = 2023-04-01..2024-04-01", fiscal_start_month=4)


FISCAL = [
    ("FY24", "FY24 = 2023-04-01..2024-04-01"),
    ("FY23/24", "FY23/24 = 2023-04-01..2024-04-01"),
    ("FY2022-2024", "FY2022-2024 = 2021-04-01..2024-04-01"),
    ("fiscal year 2023/24", "fiscal year 2023/24 = 2023-04-01..2024-04-01"),
    ("Q2 FY24", "Q2 FY24 = 2023-07-01..2023-10-01"),
    ("second quarter of fiscal 2024", "second quarter of fiscal 2024 = 2023-07-01..2023-10-01"),
    ("second fiscal quarter of 2024", "second fiscal quarter of 2024 = 2023-07-01..2023-10-01"),
    ("first half of fiscal year 2024", "first half of fiscal year 2024 = 2023-04-01..2023-10-01"),
    ("Q1 of the fiscal year", "Q1 of the fiscal year = 2023-04-01..2023-07-01"),
    ("this business year", "this business year = 2023-04-01..2024-04-01"),
    ("the last two fiscal years", "the last two fiscal years = 2021-04-01..2023-04-01"),
    ("last 2 fiscal quarters", "last 2 fiscal quarters = 2023-07-01..2024-01-01"),
    ("fiscal year to date", "fiscal year to date = 2023-04-01..2024-03-16"),
    ("2024财年第二季度", "2024财年第二季度 = 2023-07-01..2023-10-01"),
    ("本会计年度", "本会计年度 = 2023-04-01..2024-04-01"),
    ("上一财年上半年", "上一财年上半年 = 2022-04-01..2022-10-01"),
    ("上一财季", "上一财季 = 2023-10-01..2024-01-01"),
    ("the fiscal year", ""),
    ("by fiscal quarter", ""),
]


@pytest.mark.parametrize(("text", "expected"), FISCAL)
def test_fiscal_years_that_begin_in_april(text: str, expected: str) -> None:
    check(text, *filter(None, [expected]), fiscal_start_month=4)


def test_leap_days_and_edges_of_the_year() -> None:
    check("yesterday", "yesterday = 2024-02-29..2024-03-01", now=datetime(2024, 3, 1))
    check("last month", "last month = 2023-12-01..2024-01-01", now=datetime(2024, 1, 1))
    check("last quarter", "last quarter = 2023-10-01..2024-01-01", now=datetime(2024, 1, 1))
    check("last 12 months", "last 12 months = 2023-03-01..2024-03-01", now=datetime(2024, 2, 29))
    check("Feb 29", "Feb 29 = 2020-02-29..2020-03-01 ?", now=datetime(2023, 5, 1))
    check("1 month ago", "1 month ago = 2024-02-01..2024-03-01", now=datetime(2024, 3, 31))


@given(CLOCKS)
@settings(max_examples=60, deadline=None)
def test_last_month_is_the_whole_calendar_month_before(now: datetime) -> None:
    for text in ("last month", "上个月"):
        (mention,) = read(text, now)
        assert mention.range is not None
        start, end = mention.range.start, mention.range.end
        assert end == now.date().replace(day=1)
        assert start == (now.date().replace(day=1) - timedelta(days=1)).replace(day=1)


@given(CLOCKS, st.integers(1, 400))
@settings(max_examples=60, deadline=None)
def test_last_n_days_are_n_days_that_end_with_today(now: datetime, count: int) -> None:
    for text in (f"last {count} days", f"最近{count}天"):
        (mention,) = read(text, now)
        assert mention.range == TimeRange(now.date() - timedelta(days=count - 1), now.date() + timedelta(days=1))
    (mention,) = read(f"{count} days ago", now)
    day = now.date() - timedelta(days=count)
    assert mention.range == TimeRange(day, day + timedelta(days=1))


@given(
    CLOCKS,
    st.lists(
        st.sampled_from(
            [
                "in",
                "since",
                "between",
                "and",
                "to",
                "from",
                "before",
                "after",
                "last",
                "this",
                "7",
                "days",
                "months",
                "year",
                "week",
                "May",
                "5",
                "March",
                "2023",
                "2023-05-01",
                "Q3",
                "ago",
                "31",
                "February",
                "去年",
                "上个月",
                "近",
                "天",
                "年",
                "月",
                "到",
                "2019",
                "以来",
                "之前",
                "第三季度",
                "每月",
                "按",
                "周",
                "一",
                "十",
                "99",
                "9999",
                "the",
                "of",
                "fiscal",
                "first",
                "half",
            ]
        ),
        max_size=9,
    ),
    st.integers(0, 6),
    st.integers(1, 12),
)
@settings(max_examples=400, deadline=None)
def test_every_range_starts_before_it_ends(now: datetime, words: list[str], week_start: int, fiscal: int) -> None:
    text = " ".join(words)
    for lang in ("en", "zh"):
        end = 0
        found = find_times(text, tokenize(text, lang), lang, now, week_start=week_start, fiscal_start_month=fiscal)
        for mention in found:
            assert end <= mention.start < mention.end
            assert text[mention.start : mention.end] == mention.text
            assert mention.reason
            assert mention.range is not None or mention.grain is not None or mention.recurring is not None
            if mention.range and mention.range.start and mention.range.end:
                assert as_datetime(mention.range.start) < as_datetime(mention.range.end)
            end = mention.end


@pytest.mark.parametrize(
    ("start", "end", "english", "chinese"),
    [
        (date(2023, 1, 1), date(2024, 1, 1), "2023", "2023年"),
        (date(2019, 1, 1), date(2022, 1, 1), "2019 – 2021", "2019年至2021年"),
        (date(2023, 5, 1), date(2023, 6, 1), "May 2023", "2023年5月"),
        (date(2023, 7, 1), date(2023, 10, 1), "Q3 2023", "2023年第三季度"),
        (date(2023, 7, 1), date(2024, 1, 1), "H2 2023", "2023年下半年"),
        (date(2023, 3, 1), date(2023, 5, 1), "Mar 2023 – Apr 2023", "2023年3月至2023年4月"),
        (date(2024, 3, 2), date(2024, 4, 1), "2 Mar 2024 – 31 Mar 2024", "2024年3月2日至2024年3月31日"),
        (date(2024, 3, 2), date(2024, 3, 3), "2 Mar 2024", "2024年3月2日"),
        (date(2020, 1, 1), None, "since 2020", "2020年起"),
        (None, date(2019, 1, 1), "before 2019", "2019年之前"),
        (None, date(2019, 5, 2), "before 2 May 2019", "2019年5月2日之前"),
        (
            datetime(2024, 3, 1, 14),
            datetime(2024, 3, 1, 15),
            "1 Mar 2024 14:00 – 1 Mar 2024 15:00",
            "2024年3月1日 14:00 至 2024年3月1日 15:00",
        ),
    ],
)
def test_range_text(start: date | None, end: date | None, english: str, chinese: str) -> None:
    assert range_text(TimeRange(start, end), "en") == english
    assert range_text(TimeRange(start, end), "zh") == chinese


def test_a_range_cannot_be_empty() -> None:
    for start, end in ((None, None), (date(2024, 1, 1), date(2024, 1, 1))):
        with pytest.raises(ValueError, match="time range"):
            TimeRange(start, end)
