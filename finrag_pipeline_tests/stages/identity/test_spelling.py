"""Stretches of a question that may be names."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.stages.identity.spelling import MOST_SPELLINGS, question_spellings, spelling


def test_names_of_a_question_are_among_its_spellings():
    question = "请问澄光储能（04917.HK）与Xinghe Advanced Materials的储芯一哥谁更大？"
    found = question_spellings(question)
    for name in ("澄光储能", "04917.HK", "Xinghe Advanced Materials", "储芯一哥"):
        assert spelling(name) in found, name


def test_names_at_any_character_of_a_short_question():
    assert "岫云" in question_spellings("中国岫云软件怎么样")


def test_names_of_a_long_question_are_found_at_words():
    question = (
        "公司的主营业务收入在报告期内保持增长。" * 100
        + "澄光储能的利润是多少？"
        + "原因何在，" * 300
    )
    assert len(question) > 3_000
    found = question_spellings(question)
    assert "澄光储能" in found


@given(st.text(st.sampled_from("星河新材料的是 ,。AbＣ12()\n"), max_size=400))
def test_spellings_are_bounded_spelled_and_longest_first(question: str):
    found = question_spellings(question)
    assert len(found) <= MOST_SPELLINGS
    assert len(set(found)) == len(found)
    assert [len(each) for each in found] == sorted(map(len, found), reverse=True)
    assert all(spelling(each) == each for each in found)


def test_four_thousand_characters_stay_within_the_bound():
    question = "".join(chr(0x4E00 + (at * 7919) % 20000) for at in range(4_000))
    assert len(question_spellings(question)) <= MOST_SPELLINGS
