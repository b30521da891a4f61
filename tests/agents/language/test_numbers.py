from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.language.numbers import NumberMention, find_numbers
from agents.language.text import detect_language, tokenize


def read(text: str) -> tuple[NumberMention, ...]:
    lang = detect_language(text)
    return find_numbers(text, tokenize(text, lang), lang)


def check(text: str, expected: str) -> None:
    """``expected`` lists ``span=value``, with ``/unit``, ``#`` for an ordinal, ``~`` for an approximation."""
    shown = [
        f"{m.text}={m.value}{f'/{m.unit}' if m.unit else ''}{'#' if m.ordinal else ''}{'~' if m.approx else ''}"
        for m in read(text)
    ]
    assert "; ".join(shown) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("older than 56", "56=56"),
        ("more than two million dollars", "two million=2000000/USD"),
        ("more than 1.5k users", "1.5k=1500"),
        ("revenue over $2m and $3.5bn", "$2m=2000000/USD; $3.5bn=3500000000/USD"),
        ("€1,000.50 or about 20 euros", "€1,000.50=1000.5/EUR; 20=20/EUR~"),
        ("a dozen eggs and 2 dozen", "dozen=12; 2 dozen=24"),
        ("three hundred and five", "three hundred and five=305"),
        ("one hundred twenty three thousand", "one hundred twenty three thousand=123000"),
        ("two hundred thousand and five", "two hundred thousand and five=200005"),
        ("between one hundred and two hundred", "one hundred=100; two hundred=200"),
        ("between one hundred and five", "one hundred=100; five=5"),
        ("between 10 and 15", "10=10; 15=15"),
        ("twenty-five or twenty five", "twenty-five=25; twenty five=25"),
        ("the third and 3rd and twenty-first", "third=3#; 3rd=3#; twenty-first=21#"),
        ("first and last name of the first three", "first=1#; three=3"),
        ("at least twice", "twice=2/times"),
        ("at least two times", "two=2/times"),
        ("two or more rooms", "two=2"),
        ("more than one room", "one=1"),
        ("20% and 5 percent and 3 per cent", "20%=20/percent; 5 percent=5/percent; 3 per cent=3/percent"),
        ("below -5 and in 10-20", "-5=-5; 10=10; 20=20"),
        ("over 500 miles and 10kg", "500=500/mile; 10kg=10/kg"),
        ("the second largest city", "second=2#"),
        ("1.5 million", "1.5 million=1500000"),
        ("top 5 and top3 and top-7", "5=5; 3=3; 7=7"),
        ("older than 30 years", "30=30/year"),
        ("zero", "zero=0"),
        ("超过三百万", "三百万=3000000"),
        ("大于十二的两千个", "十二=12; 两千=2000"),
        ("前十名客户", "十=10"),
        ("TOP3客户", "3=3"),
        ("超过3万元", "3万=30000/CNY"),
        ("１.５亿美元", "１.５亿=150000000/USD"),
        ("1亿2千万", "1亿2千万=120000000"),
        ("3万5千人", "3万5千=35000"),
        ("3千5百", "3千5百=3500"),
        ("10万-20万之间", "10万=100000; 20万=200000"),
        ("百分之二十的订单", "百分之二十=20/percent"),
        ("20%的客户", "20%=20/percent"),
        ("第三名", "第三=3#"),
        ("一百五十和一百零五人", "一百五十=150; 一百零五=105"),
        ("一千零五十万", "一千零五十万=10500000"),
        ("三千三百三十三亿", "三千三百三十三亿=333300000000"),
        ("三万五", "三万五=35000"),
        ("两千三", "两千三=2300"),
        ("大约30岁左右", "30=30/year~"),
        ("三成的订单", "三成=30/percent"),
        ("二〇二三年", "二〇二三=2023/year"),
        ("零点五", "零点五=0.5"),
        ("气温低于-5度，负3度", "-5=-5; 负3=-3"),
        ("至少赢过两次比赛", "两=2/times"),
        ("卧室超过两间", "两=2"),
        ("评分最高的三首歌", "三=3"),
        ("教不止一个班的教授", "一=1"),
        ("￥500以上", "￥500=500/CNY"),
        ("不超过一千", "一千=1000"),
    ],
)
def test_numbers(text: str, expected: str) -> None:
    check(text, expected)


@pytest.mark.parametrize(
    "text",
    [
        "what is the first name of the customer",
        "first and last names",
        "the one with the most orders",
        "which one is it",
        "one of the rooms",
        "no one",
        "average per second",
        "747s from the 1990s",
        "on 2023-05-01 or 5/6/2023",
        "table t_order_2024",
        "hundreds of users",
        "orders 'over 30'",
        "2m",
        "一些客户",
        "每一个产品",
        "张三和李四",
        "百货商店",
        "十分重要",
        "三分之一",
        "两者都有",
        "有几种产品",
        "完成的订单",
        "万一没有",
        "“Top 10” 和《第三人》",
    ],
)
def test_no_number(text: str) -> None:
    check(text, "")


@given(st.integers(min_value=0, max_value=10**15))
@settings(max_examples=200)
def test_digits_keep_their_value(value: int) -> None:
    for written in (str(value), f"{value:,}"):
        assert [m.value for m in read(f"more than {written} rows")] == [value]
        assert [m.value for m in read(f"超过{written}元的订单")] == [value]


@given(st.text(alphabet="一二三四十百千万亿零两点第前个人 01.9,%-$成负abk half dozen and", max_size=30))
@settings(max_examples=400, deadline=None)
def test_spans_are_exact_ordered_and_never_overlap(text: str) -> None:
    for lang in ("en", "zh"):
        end = 0
        for mention in find_numbers(text, tokenize(text, lang), lang):
            assert end <= mention.start < mention.end
            assert text[mention.start : mention.end] == mention.text
            end = mention.end
