from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.language.text import detect_language, fold, lemmatize, shadow, split_identifier, tokenize

QUESTION_LIKE = st.text(
    alphabet=st.one_of(
        st.characters(),
        st.sampled_from("aeInst 0123456789,.'\"-_%$“”‘’「」《》三百万订单客户，？／ｱＡ１ﬁß\u0301\u00a0İ"),
    ),
    max_size=60,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How many customers are there?", "en"),
        ("有多少客户", "zh"),
        ("Which customers are in “北京”?", "en"),
        ("Show orders of 张三", "en"),
        ("customers 有多少", "zh"),
        ("每个 customer 的 orders 数量", "zh"),
        ("谁给《Gone with the Wind》打过分？", "zh"),
        ("“Emma”管理哪些楼？", "zh"),
        ("top 5 产品", "en"),
        ("TOP3客户", "zh"),
        ("订单", "zh"),
        ("revenue", "en"),
        ("“北京”", "zh"),
        ("", "en"),
        ("?!?", "en"),
        ("🚀🚀", "en"),
    ],
)
def test_language(text: str, expected: str) -> None:
    assert detect_language(text) == expected


def check_tokens(text: str, expected: str) -> None:
    """``expected`` writes each token as ``lemma`` or ``lemma:kind``, separated by two spaces."""
    tokens = tokenize(text, detect_language(text))
    shown = "  ".join(t.lemma if t.kind == "word" else f"{t.lemma}:{t.kind}" for t in tokens)
    assert shown == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What's the customer's name?", "what  's  the  customer  's  name  ?:punct"),
        ("names of O'Brien", "name  of  o'brien"),
        ("orders of 'O'Brien' and 'New York'", "order  of  o'brien:quoted  and  new york:quoted"),
        ("the customers' names and employees' ages", "the  customer  ':punct  name  and  employee  ':punct  age"),
        ("don't can’t won't", "do  not  can  not  will  not"),
        ("who didnt or dont, wasnt' here", "who  do  not  or  do  not  ,:punct  be  not  ':punct  here"),
        ('name “Noel CV” or ‘x y’ or "A"', "name  noel cv:quoted  or  x y:quoted  or  a:quoted"),
        ("a ``b c'' d", "a  b c:quoted  d"),
        ('15" laptops and 17" screens', '15:number  ":punct  laptop  and  17:number  ":punct  screen'),
        ("order_lines.unit_price", "order line unit price"),
        ("orderDate of CustomerID", "order date  of  customer id"),
        ("low-cost McDonald", "low cost  mcdonald"),
        ("over 1,000.50 or .5", "over  1000.50:number  or  .5:number"),
        ("1.5k 3rd 1990s 10kg", "1.5k  3rd  1990s  10kg"),
        ("2023-05-01 2023-05 5/6/2023 10:30", "2023-05-01  2023-05  5/6/2023  10:30"),
        ("2019-2021", "2019:number  -:punct  2021:number"),
        ("$20 at 5%", "$:punct  20:number  at  5:number  %:punct"),
        ("price>=3", "price  >=:punct  3:number"),
        ("the U.S. a@b.com", "the  us  a@b.com"),
        ("每个客户的平均订单金额", "每个:cjk  客户:cjk  的:cjk  平均:cjk  订单:cjk  金额:cjk"),
        ("２０２４年《红楼梦》销量？", "2024:number  年:cjk  红楼梦:quoted  销量:cjk  ?:punct"),
        ("价格 ＞ ３万", "价格:cjk  >:punct  3:number  万:cjk"),
        ("Café", "café"),
    ],
)
def test_tokens(text: str, expected: str) -> None:
    check_tokens(text, expected)


@pytest.mark.parametrize(
    ("word", "lemma"),
    [
        ("status", "status"),
        ("statuses", "status"),
        ("address", "address"),
        ("addresses", "address"),
        ("analysis", "analysis"),
        ("series", "series"),
        ("species", "species"),
        ("data", "data"),
        ("miles", "mile"),
        ("gas", "gas"),
        ("bus", "bus"),
        ("buses", "bus"),
        ("sales", "sales"),
        ("news", "news"),
        ("people", "people"),
        ("children", "child"),
        ("men", "man"),
        ("left", "left"),
        ("found", "find"),
        ("ratings", "rating"),
        ("ordered", "order"),
        ("orders", "order"),
        ("sold", "sell"),
        ("countries", "country"),
        ("Cities", "city"),
        ("campuses", "campus"),
        ("indices", "index"),
        ("singing", "sing"),
        ("wives", "wife"),
        ("bigger", "big"),
        ("Texas", "texas"),
        ("founded", "found"),
        ("IDs", "id"),
    ],
)
def test_lemma(word: str, lemma: str) -> None:
    assert lemmatize(word) == lemma


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("orderDate", "order date"),
        ("CustomerID", "customer id"),
        ("t_order_2024", "t order 2024"),
        ("MPG", "mpg"),
        ("HTTPServer", "http server"),
        ("IDs", "ids"),
        ("unit-price", "unit price"),
        ("Order Lines", "order lines"),
        ("客户名称", "客户名称"),
        ("客户ID", "客户 id"),
        ("address1", "address 1"),
        ("añoNuevo", "año nuevo"),
        ("ＡＢＣ", "abc"),
        ("__", ""),
        ("", ""),
    ],
)
def test_split_identifier(name: str, parts: str) -> None:
    assert " ".join(split_identifier(name)) == parts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  Ærø  CAFÉ ", "aero cafe"),
        ("ＡＢＣ１", "abc1"),
        ("Straße", "strasse"),
        ("İstanbul", "istanbul"),
        ("O’Brien", "o'brien"),
        ("北京　市", "北京 市"),
        ("São Paulo", "sao paulo"),
    ],
)
def test_fold(text: str, expected: str) -> None:
    assert fold(text) == expected


@given(QUESTION_LIKE, st.sampled_from(["en", "zh"]))
@settings(max_examples=400, deadline=None)
def test_spans_slice_the_original(text: str, lang: str) -> None:
    end = 0
    for token in tokenize(text, lang):  # type: ignore[arg-type]
        assert token.start >= end
        assert token.start < token.end
        assert text[token.start : token.end] == token.text
        assert text[end : token.start].strip() == ""
        end = token.end
    assert text[end:].strip() == ""


@given(QUESTION_LIKE)
@settings(max_examples=300, deadline=None)
def test_total_functions(text: str) -> None:
    assert detect_language(text) in ("en", "zh")
    assert len(shadow(text)) == len(text)
    assert fold(fold(text)) == fold(text)
    assert all(part == part.strip() and part for part in split_identifier(text))


@pytest.mark.parametrize("piece", ["a", "'a ", "+", "a+", ".", "1,", '"', "`", "字", "a-", "1.", "'", "A.", "a@"])
def test_long_input_stays_linear(piece: str) -> None:
    text = piece * (60_000 // len(piece))
    # Time of this process alone, far above what a linear pass takes and far below a quadratic one.
    started = time.process_time()
    tokenize(text, "en")
    assert time.process_time() - started < 15
