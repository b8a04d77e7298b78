"""Words of texts and questions: what must be equal is equal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.words import (
    WORDS_VERSION,
    fold,
    is_chinese,
    keywords,
    search_words,
    stem,
    subject,
    words,
)

LETTERS = "凯莱英营收同比增长亿元ＡＢａbéいㇰed ingsyx,.%1234567890０１-&'（）。ﬁ가"
TEXTS = st.text(st.sampled_from(LETTERS), max_size=40)
SPELLINGS = ["Revenue", "revenues", "1,234.5", "002821.SZ", "Q3", "margins", "long-term"]


@given(st.one_of(st.text(max_size=60), TEXTS))
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text("abcdeginlrstuy", max_size=14))
def test_stemming_twice_changes_nothing(word: str) -> None:
    assert stem(stem(word)) == stem(word)


@given(st.lists(st.sampled_from(SPELLINGS)))
def test_words_of_words_are_the_same_words(pieces: list[str]) -> None:
    once = words(" ".join(pieces))
    assert words(" ".join(once)) == once


@given(TEXTS)
def test_search_words_hold_every_word(text: str) -> None:
    assert set(words(text)) <= set(search_words(text))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,234.5", "1234.5"),
        ("１２３４．５", "1234.5"),
        ("Revenues INCREASED", "revenue increase"),
        ("Nestlé", "nestle"),
        ("company's", "company"),
        ("SZ002821", "002821.SZ"),
        ("0700.HK", "00700.hk"),
        ("600519.SS", "600519.SH"),
        ("ＰＥ（倍）", "pe(倍)"),
    ],
)
def test_other_spellings_are_the_same_words(one: str, other: str) -> None:
    assert words(one) == words(other)


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("凯莱英(002821.SZ)发布年报", "002821"),
        ("星河智造发布年报", "河智"),
        ("GLP-1 demand", "glp1"),
        ("GLP-1 demand", "GLP"),
        ("动力电池市占率", "电池"),
    ],
)
def test_other_forms_are_found(written: str, asked: str) -> None:
    assert set(words(asked)) <= set(search_words(written))


def test_a_code_is_one_word_and_neighbours_stay_apart() -> None:
    assert words("见600519.SH，12,34和1,234,567") == (
        ["见", "600519.sh", "12", "34", "和", "1234567"]
    )


def test_the_subject_of_a_question() -> None:
    assert subject("请问星河智造2024年的营收是多少？") == "星河智造 2024 营收"
    assert subject("What was the gross margin of Zyntrex in 2024?") == "gross margin zyntrex 2024"
    assert subject("是多少？") == ""


def test_the_language_of_a_question() -> None:
    assert (
        is_chinese("凯莱英TIDES业务如何") and not is_chinese("What is A股?") and not is_chinese("")
    )


def test_words_change_only_with_the_version() -> None:
    """Copies derived with other words must be built again: raise WORDS_VERSION with this line."""
    text = "2024年，凯莱英（002821.SZ）Revenues grew 1,234.5万元；GLP-1's long-term；冷鏈"
    frozen = (
        "2024 年 凯莱 英 莱英 002821.sz 002821 revenu grew 1234.5 万元 "
        "glp1 glp 1 longterm long term 冷链"
    )
    assert (WORDS_VERSION, " ".join(search_words(text))) == (3, frozen)
    assert keywords(text) == frozen.split()
