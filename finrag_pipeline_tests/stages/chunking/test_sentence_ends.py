"""Sentence ends in both languages, by spaCy and by the fall-back, and that no character is lost."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.stages.chunking import sentence_ends
from finrag_pipeline.stages.chunking.sentence_ends import split_sentences


def inked(text: str) -> str:
    return "".join(text.split())


@pytest.fixture
def without_spacy(monkeypatch: pytest.MonkeyPatch):
    sentence_ends._pipeline.cache_clear()
    monkeypatch.setitem(sys.modules, "spacy", None)
    yield
    sentence_ends._pipeline.cache_clear()


PLAIN = [
    ["公司称“需求回暖。”", "预计增长。"],
    ["（同比增长11.8%。）", "利润承压；", "预计回升！"],
    ["Xinghe Inc. grew 3.5% in the U.S. market.", "Costs fell (by 2.0%).", "Why?", "Prices."],
    ["见www.example.com与3.14；", "另见附录。"],
]
RULES = [
    ["“要不要涨价？”的问题仍在。", "答案未知。"],
    ["煤炭、钢铁……等行业承压。", "其他回升。"],
    ["营收增长.", "预计回升.EPS为0.5元."],
    ["1. 收入增长；", "2. 成本下降；", "（3）风险。"],
    ["1. Revenue rose.", "2. Costs fell."],
    ["J. P. Morgan and Mr. Li agreed, e.g. on No. 5.", "It sells to Apple Inc.", "The price rose."],
    ["It said: “Prices fell.”", "“Costs rose.”"],
    ["Sales fell in the U.S.", "The rest rose at Xinghe Corp. in 2024."],
    ["Yahoo! said so; not more.", "Really?", "Yes."],
    ["Margins (see Fig. 3) were approx. 5%, vs. 4% in Jan. 2024.", "Net income rose."],
]


@pytest.mark.parametrize("pieces", PLAIN + RULES)
def test_sentences_end_where_a_reader_ends_them(pieces: list[str]):
    gap = " " if pieces[-1][0].isascii() or "“" in pieces[-1] else ""
    assert split_sentences(gap.join(pieces)) == pieces


@pytest.mark.parametrize("pieces", PLAIN)
@pytest.mark.usefixtures("without_spacy")
def test_the_fall_back_finds_plain_ends(pieces: list[str]):
    gap = " " if pieces[0].isascii() else ""
    assert split_sentences(gap.join(pieces)) == pieces


def test_a_text_that_spacy_refuses_is_split_all_the_same():
    sentence = "公司" * 499 + "增长。"
    text = sentence * 1000  # over the million characters that a pipeline takes
    assert split_sentences(text) == [sentence] * 1000


text = st.text(alphabet="光伏aB1 .。！!？?；;…，\n”“\"’'（）()Inc", max_size=60)


@given(text)
def test_no_character_is_lost_and_pieces_are_slices_in_order(given_text: str):
    pieces = split_sentences(given_text)
    assert inked("".join(pieces)) == inked(given_text)
    position = 0
    for piece in pieces:
        assert piece and piece == piece.strip()
        position = given_text.index(piece, position) + len(piece)


def test_the_fall_back_loses_no_character_either(without_spacy: None):
    @given(text)
    def holds(given_text: str):
        pieces = split_sentences(given_text)
        assert all(pieces) and inked("".join(pieces)) == inked(given_text)

    holds()
