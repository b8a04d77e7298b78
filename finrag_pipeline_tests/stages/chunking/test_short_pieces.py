"""What is too short to stand alone goes with a neighbour, and nothing is lost on the way."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.records import Place, Sentence
from finrag_pipeline.stages.chunking.segmentation_units import MAX_TOKENS
from finrag_pipeline.stages.chunking.short_pieces import LEAST, Piece, join_short

PLACE = Place(1, (0, 0, 1, 1))


def piece(text: str, *path: str, bare: bool = False) -> Piece:
    return Piece(((path, (Sentence(text, (PLACE,), path),)),), bare)


def texts(pieces: list[Piece]) -> list[str]:
    return ["".join(sentence.text for sentence in piece.sentences) for piece in pieces]


LONG = "长" * LEAST


def test_a_heading_with_nothing_below_it_goes_to_what_follows():
    pieces = [piece(LONG, "一"), piece("二、其他", "二", bare=True), piece(LONG, "三")]
    assert texts(join_short(pieces)) == [LONG, "二、其他" + LONG]


def test_a_short_section_stays_under_its_own_heading():
    under = [piece(LONG, "风险"), piece("无。", "风险", "诉讼"), piece(LONG, "附录")]
    assert texts(join_short(under)) == [LONG + "无。", LONG]
    above = [piece(LONG, "业绩"), piece("概述。", "风险"), piece(LONG, "风险", "诉讼")]
    assert texts(join_short(above)) == [LONG, "概述。" + LONG]


def test_many_short_sections_become_one_piece_under_what_is_over_all_of_them():
    pieces = [piece("托管情况无。" * 3, "重大合同", str(n)) for n in range(6)]
    (joined,) = join_short(pieces)
    assert joined.path == ("重大合同",) and len(joined.parts) == 6


def test_a_joined_piece_stands_under_the_headings_of_most_of_it():
    (joined,) = join_short([piece("概述。", "一"), piece(LONG, "二", "甲")])
    assert joined.path == ("二", "甲")


def test_what_is_short_to_the_end_of_a_document_goes_to_what_precedes_it():
    pieces = [piece(LONG, "一"), piece("附录", "附录", bare=True)]
    assert texts(join_short(pieces)) == [LONG + "附录"]
    assert texts(join_short([piece("附录", bare=True)])) == ["附录"]


@given(
    st.lists(
        st.tuples(
            st.sampled_from([1, 9, LEAST - 1, LEAST, 300, MAX_TOKENS]),
            st.lists(st.sampled_from("甲乙"), max_size=2),
            st.booleans(),
        ),
        max_size=12,
    )
)
def test_nothing_is_lost_and_a_short_piece_has_no_neighbour_with_room(given_pieces):
    pieces = [piece("字" * size, *path, bare=bare) for size, path, bare in given_pieces]
    joined = join_short(pieces)
    assert "".join(texts(joined)) == "".join(texts(pieces))
    assert all(each.tokens <= MAX_TOKENS for each in joined)
    for before, after in pairwise(joined):
        if before.short or after.short:
            assert before.tokens + after.tokens > MAX_TOKENS
