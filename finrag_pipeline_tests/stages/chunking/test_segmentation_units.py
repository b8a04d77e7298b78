"""Units: short sentences bound to a neighbour, long ones cut, no sentence lost."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.records import Place, Sentence
from finrag_pipeline.stages.chunking.segmentation_units import (
    BOUND_TOKENS,
    MAX_TOKENS,
    SHORT_TOKENS,
    bind,
    count_tokens,
    cut_long,
)

FULL = "公司全年收入增长，利润率同步回升。"
PLACES = (Place(1, (0.0, 0.0, 1.0, 1.0)),)


def bound(*texts: str, headings: int = 0) -> list[list[str]]:
    units = bind([Sentence(text, PLACES) for text in texts], headings)
    return [list(texts[unit.start : unit.stop]) for unit in units]


def test_units_of_money_and_figure_labels_go_with_what_follows():
    label = "图 3：分业务收入及其增速"
    assert bound(FULL, "单位：万元", FULL) == [[FULL], ["单位：万元", FULL]]
    assert bound(FULL, label, FULL) == [[FULL], [label, FULL]]
    assert bound(FULL, "主要风险：", FULL) == [[FULL], ["主要风险：", FULL]]


def test_source_notes_and_remarks_go_with_what_precedes():
    source = "资料来源：公司公告，某某证券研究所整理测算"
    assert bound(FULL, source, FULL) == [[FULL, source], [FULL]]
    assert bound(FULL, "符合预期。", FULL) == [[FULL, "符合预期。"], [FULL]]


def test_headings_go_with_the_first_text():
    assert bound("一、业绩", "1.1 收入", FULL, FULL, headings=2) == [
        ["一、业绩", "1.1 收入", FULL],
        [FULL],
    ]


def test_short_sentences_at_the_start_wait_for_enough_text_and_at_the_end_join_the_last():
    assert bound("点评", FULL, "完。") == [["点评", FULL, "完。"]]
    assert bound("甲。", "乙。") == [["甲。", "乙。"]]


def test_a_list_of_short_items_does_not_pile_up_on_one_sentence():
    units = bind([Sentence(text, PLACES) for text in [FULL, *["原料涨价。"] * 60]], 0)
    assert len(units) > 5
    assert all(unit.tokens <= count_tokens(FULL) + BOUND_TOKENS for unit in units)


def test_clauses_that_end_with_a_semicolon_stay_with_their_sentence_unless_that_grows_long():
    clause = FULL[:-1] + "；"
    assert bound(FULL, clause, FULL, FULL) == [[FULL], [clause, FULL], [FULL]]
    assert [len(unit) for unit in bound(*[clause] * 20)] == [7, 7, 6]


def test_tokens_are_about_those_of_language_models():
    assert count_tokens("光伏，") == 2
    assert count_tokens("a of internationalisation") == 1 + 1 + 5
    assert count_tokens("1,234.56") == 1 + 1 + 1


texts = st.lists(
    st.sampled_from([FULL, "甲。", "单位：元", "资料来源：公司", "长" * 300, "很" * 500, "，"]),
    max_size=25,
)


@given(texts, st.integers(0, 3))
def test_each_sentence_is_in_one_unit_and_only_a_lone_unit_is_short(given_texts, headings):
    sentences = [Sentence(text, PLACES) for text in given_texts]
    units = bind(sentences, min(headings, len(sentences)))
    assert [unit.start for unit in units] == [0, *(unit.stop for unit in units)][: len(units)]
    assert (units[-1].stop if units else 0) == len(sentences)
    for unit in units:
        tokens = [count_tokens(text) for text in given_texts[unit.start : unit.stop]]
        assert unit.tokens == sum(tokens) <= MAX_TOKENS
    for unit, after in pairwise(units):
        room = unit.tokens + after.tokens <= MAX_TOKENS
        assert min(unit.tokens, after.tokens) >= SHORT_TOKENS or not room


@given(
    st.lists(st.sampled_from(["甲乙丙，", "long words ", "字" * 600, "（三）", " "]), max_size=400)
)
def test_a_cut_sentence_keeps_its_characters_and_no_piece_is_over_long(parts: list[str]):
    text = "".join(parts).strip()
    pieces = list(cut_long(Sentence(text, PLACES)))
    assert "".join("".join(p.text.split()) for p in pieces) == "".join(text.split())
    assert all(count_tokens(piece.text) <= MAX_TOKENS for piece in pieces)
