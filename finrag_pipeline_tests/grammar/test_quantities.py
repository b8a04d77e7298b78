"""Quantities: exact decimals, whatever their digits, words of scale, signs and units."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.grammar.numerals import chinese_number, narrow
from finrag_pipeline.grammar.quantities import (
    is_figure,
    number_of,
    numbers_in,
    parse_quantity,
    quantities_in,
)

#: More digits than a float or the default context of decimals holds.
DIGITS = st.decimals(0, 10**30, allow_nan=False, allow_infinity=False, places=6)
SCALES = {
    "": 0,
    "千": 3,
    "万": 4,
    "百万": 6,
    "千万": 7,
    "亿": 8,
    "万亿": 12,
    " mn": 6,
    " billion": 9,
}
UNITS = {"元": "CNY", "港元": "HKD", "美元": "USD", "%": "%", "吨": "吨", "倍": "x", "": ""}
WIDE = str.maketrans("0123456789.%-", "０１２３４５６７８９．％－")
DIGIT = "零一二三四五六七八九"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("营收1,234.5万元", [("12345000", None, "CNY")]),
        ("下降3.2%", [("3.2", None, "%")]),
        ("同比-3.2%", [("-3.2", None, "%")]),
        ("（+11.8%）", [("11.8", None, "%")]),
        ("亏损(1,234)千元", [("-1234000", None, "CNY")]),
        ("增长10-15%", [("10", "15", "%")]),
        ("10%~15%", [("10", "15", "%")]),
        ("3.2亿元至3.5亿元", [("320000000", "350000000", "CNY")]),
        ("5000万-1亿元", [("50000000", "100000000", "CNY")]),
        ("US$3.5bn and HK$1,200", [("3500000000", None, "USD"), ("1200", None, "HKD")]),
        ("-$5k", [("-5000", None, "USD")]),
        ("提升2.3个百分点，下降50bp", [("2.3", None, "pp"), ("50", None, "bp")]),
        ("千分之3‰", [("3", None, "‰")]),
        ("约三点五亿元", [("350000000", None, "CNY")]),
        ("负五亿元", [("-500000000", None, "CNY")]),
        ("半个百分点", [("0.5", None, "pp")]),
        ("百分之三十五点二", [("35.2", None, "%")]),
        ("5千克", [("5", None, "千克")]),
        ("5.5元/吨", [("5.5", None, "CNY/吨")]),
        ("2025年-2027年", [("2025", None, ""), ("2027", None, "")]),
        ("５，０００万元", [("50000000", None, "CNY")]),
        ("千万不要，万一，亿元", []),
    ],
)
def test_quantities_of_a_text(text: str, found: list[tuple[str, str | None, str]]) -> None:
    shown = [
        (f"{each.value:f}", None if each.upper is None else f"{each.upper:f}", each.unit)
        for each in quantities_in(text)
    ]
    assert shown == found
    assert all(text[each.start : each.end] == each.text for each in quantities_in(text))


@given(DIGITS, st.sampled_from(list(SCALES)), st.sampled_from(list(UNITS)), st.booleans())
def test_what_is_written_is_read_back(value: Decimal, scale: str, unit: str, less: bool) -> None:
    for text in (f"{value:f}{scale}{unit}", f"{value:,f}{scale}{unit}"):
        found = parse_quantity(f"-{text}" if less else text)
        assert found is not None
        assert found.number == (value.copy_negate() if less else value)
        assert f"{found.value:f}".strip("-") == f"{Decimal(f'{value:f}E{SCALES[scale]}'):f}"
        assert found.unit == UNITS[unit]
        (same,) = quantities_in(f"约 {text}。")
        assert (same.value, same.unit) == (found.value.copy_abs(), found.unit)


@given(DIGITS)
def test_brackets_signs_and_width_say_the_same(value: Decimal) -> None:
    spelt = {f"({value:,f})", f"-{value:f}", f"−{value:f}", f"－{value:f}", f"负{value:f}"}
    spelt.add(f"-{value:f}".translate(WIDE))
    assert {number_of(text) for text in spelt} == {value.copy_negate()}


@given(st.integers(0, 10**16 - 1))
def test_chinese_numbers_are_read_back(number: int) -> None:
    assert chinese_number("".join(DIGIT[int(each)] for each in str(number))) == number
    assert chinese_number(written(number)) == number


def written(number: int) -> str:
    """A whole number below 10^16 in Chinese with its tens."""
    if number == 0:
        return "零"
    for size, word in ((10**8, "亿"), (10**4, "万")):
        if number >= size:
            rest = number % size
            gap = "零" if rest and rest < size // 10 else ""
            return f"{written(number // size)}{word}{gap}{written(rest) if rest else ''}"
    text = ""
    for size, word in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // size % 10
        if digit:
            text += DIGIT[digit] + word
        elif text and number % size and not text.endswith("零"):
            text += "零"
    return text


@given(st.text(max_size=60))
def test_any_text_is_read_without_complaint(text: str) -> None:
    assert len(narrow(text)) == len(text)
    for each in quantities_in(text):
        assert isinstance(each.value, Decimal) and each.value.is_finite()
    parse_quantity(text)
    is_figure(text)


def test_numbers_that_an_answer_quotes() -> None:
    assert numbers_in("营收1,234.5万元，２０２５年 (3)") == {"1234.5", "2025", "3"}
