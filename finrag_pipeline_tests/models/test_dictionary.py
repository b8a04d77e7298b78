"""The dictionary: what glosses say, and how names sound."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.models.dictionary import MOST, sound, translations
from finrag_pipeline.words import stem

_HAN = re.compile(r"[\u3400-\u9fff]{2,6}")


@pytest.mark.parametrize(
    ("words", "chinese"),
    [
        (("vaccination",), "接种"),
        (("customers",), "客户"),
        (("peru",), "秘鲁"),
        (("sichuan",), "四川"),
        (("european",), "欧洲"),
        (("net", "profit"), "净利润"),
        (("white", "paper"), "白皮书"),
    ],
)
def test_a_word_has_those_that_say_the_same(words: tuple[str, ...], chinese: str) -> None:
    assert chinese in translations(*words)
    assert chinese in translations(*map(stem, words))


@pytest.mark.parametrize("words", [("zyntrex",), ("sampling",) * 3, ("",), ("42",)])
def test_what_no_gloss_says_has_none(words: tuple[str, ...]) -> None:
    assert translations(*words) == ()


@given(st.text("abcdefghijklmnopqrstuvwxyz", max_size=12))
def test_translations_are_few_words_of_chinese(word: str) -> None:
    found = translations(word)
    assert len(found) <= MOST and all(map(_HAN.fullmatch, found))


def test_names_sound_as_they_are_read_together() -> None:
    assert sound("长江电力") == "changjiangdianli"
    assert sound("迪安诊断") == "dianzhenduan"
    assert sound("😀三九") == ""
