"""Chunks: a partition of kept text in order, inside sections and length bounds."""

from __future__ import annotations

from datetime import date

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from finrag_pipeline.records import Metadata, Region
from finrag_pipeline.stages.chunks import (
    MAX_TOKENS,
    META_CHARACTERS,
    MIN_TOKENS,
    count_tokens,
    describe,
    segment,
)

NOBODY = Metadata()


def region(ordinal: int, text: str, kind: str = "text", section: tuple[str, ...] = ()) -> Region:
    return Region(
        ordinal, 1, (0.0, float(ordinal), 100.0, ordinal + 1.0), kind, text, None, section
    )


def by_first_character(texts):
    """Sentences that begin alike are alike; others are orthogonal."""
    rows = np.zeros((len(texts), 97), dtype=np.float32)
    for row, text in enumerate(texts):
        rows[row, ord(text[0]) % 97] = 1
    return rows


def inked(text: str) -> str:
    return "".join(text.split())


def test_two_topics_of_one_section_become_two_chunks():
    steel = "钢铁" + "价" * 58 + "。"
    pork = "猪肉" + "价" * 58 + "。"
    chunks = segment([region(0, steel * 3 + pork * 3)], NOBODY, by_first_character, 0.5)
    assert [chunk.content.count("钢铁") for chunk in chunks] == [3, 0]
    assert [chunk.content.count("猪肉") for chunk in chunks] == [0, 3]


def test_a_chunk_never_holds_text_of_two_sections():
    regions = [
        region(0, "业绩", "heading", ("业绩",)),
        region(1, "收入增长。", section=("业绩",)),
        region(2, "风险", "heading", ("风险",)),
        region(3, "原料涨价。", section=("风险",)),
    ]
    chunks = segment(regions, NOBODY, by_first_character, 0.5)
    assert [chunk.content for chunk in chunks] == ["业绩\n收入增长。", "风险\n原料涨价。"]
    assert [chunk.section for chunk in chunks] == [("业绩",), ("风险",)]


def test_an_over_long_sentence_is_cut_at_clause_ends():
    chunks = segment([region(0, "甲乙丙丁，" * 400)], NOBODY, by_first_character, 0.5)
    assert len(chunks) >= 4
    assert all(chunk.content.endswith("，") for chunk in chunks)


def test_meta_names_company_month_and_section_within_its_length():
    metadata = Metadata(company_name="星河新材", published_on=date(2025, 4, 18))
    assert describe(metadata, ("投资要点",)) == "星河新材 2025-04 | 投资要点"
    long = describe(Metadata(title="很" * 80), ("长" * 80,))
    assert len(long) <= META_CHARACTERS


paragraph = st.text(alphabet="甲乙丙丁ab 。，；", max_size=300)
document = st.lists(
    st.tuples(paragraph, st.sampled_from(["text", "list-item", "heading"])), max_size=6
)


@settings(max_examples=60, deadline=None)
@given(document, st.sampled_from([0.0, 0.5, 2.0]))
def test_chunks_partition_kept_text_in_order_and_bounds(pieces, threshold):
    regions = [region(i, text, kind) for i, (text, kind) in enumerate(pieces)]
    chunks = segment(regions, NOBODY, by_first_character, threshold)
    assert inked("".join(c.content for c in chunks)) == inked("".join(r.text for r in regions))
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    for chunk in chunks:
        assert chunk.token_count == count_tokens(chunk.content) <= MAX_TOKENS
        assert chunk.places


def test_short_pieces_of_one_section_are_joined():
    text = "".join(f"{c}{'料' * 20}。" for c in "甲乙丙丁戊己庚辛壬癸")
    chunks = segment([region(0, text)], NOBODY, by_first_character, 0.5)
    assert all(chunk.token_count >= MIN_TOKENS for chunk in chunks)
