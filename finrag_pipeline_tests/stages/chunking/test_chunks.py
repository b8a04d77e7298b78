"""Chunks: a partition of kept text in order, inside sections, questions and length bounds."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from finrag_pipeline.records import Region
from finrag_pipeline.stages.chunking.calibration import Calibration
from finrag_pipeline.stages.chunking.chunks import (
    MAX_TOKENS,
    MIN_TOKENS,
    count_tokens,
    divide,
    segment,
)
from finrag_pipeline.stages.chunking.sentences import read_sections
from finrag_pipeline.stages.chunking.short_pieces import LEAST
from finrag_pipeline.stages.chunking.transcripts import question_starts

VALUES = Calibration(threshold=0.5, window=20, separation=0.2)


def region(
    ordinal: int, text: str, kind: str = "text", section: tuple[str, ...] = (), page: int = 1
) -> Region:
    box = (0.0, float(ordinal), 100.0, ordinal + 1.0)
    return Region(ordinal, page, box, kind, text, None, section)


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
    chunks = segment([region(0, steel * 3 + pork * 3)], by_first_character, VALUES)
    assert [chunk.content.count("钢铁") for chunk in chunks] == [3, 0]
    assert [chunk.content.count("猪肉") for chunk in chunks] == [0, 3]


def test_a_remark_between_two_sentences_of_a_topic_stays_with_them():
    steel, remark, pork = (
        "钢" + "价" * 59 + "。",
        "另" + "外" * 20 + "。",
        "猪" + "价" * 59 + "。",
    )
    text = steel + remark + steel + pork * 2
    chunks = segment([region(0, text)], by_first_character, VALUES)
    assert [chunk.content[0] for chunk in chunks] == ["钢", "猪"]
    assert remark in chunks[0].content


FULL = "收入增长，需求回暖，产能爬坡，" * 5 + "。"


def test_a_chunk_never_holds_text_of_two_sections():
    regions = [
        region(0, "业绩", "heading", ("业绩",)),
        region(1, FULL, section=("业绩",)),
        region(2, "风险", "heading", ("风险",)),
        region(3, FULL, section=("风险",)),
    ]
    chunks = segment(regions, by_first_character, VALUES)
    assert [chunk.content for chunk in chunks] == [f"业绩\n{FULL}", f"风险\n{FULL}"]
    assert [chunk.section for chunk in chunks] == [("业绩",), ("风险",)]


def test_a_question_and_its_answer_are_chunks_of_their_own():
    regions = [
        region(0, "问答", "heading", ("问答",)),
        region(1, "问：需求如何？", section=("问答",)),
        region(2, f"答：{FULL}", section=("问答",)),
        region(3, "问：产能如何？", section=("问答",)),
        region(4, f"答：{FULL}", section=("问答",)),
    ]
    chunks = segment(regions, by_first_character, VALUES)
    assert [chunk.content for chunk in chunks] == [
        f"问答\n问：需求如何？\n答：{FULL}",
        f"问：产能如何？\n答：{FULL}",
    ]
    assert [chunk.section for chunk in chunks] == [("问答", "需求如何？"), ("问答", "产能如何？")]


def test_an_over_long_sentence_is_cut_at_clause_ends():
    chunks = segment([region(0, "甲乙丙丁，" * 400)], by_first_character, VALUES)
    assert len(chunks) >= 4
    assert all(chunk.content.endswith("，") for chunk in chunks)


def test_the_parent_page_is_that_of_most_characters():
    regions = [
        region(0, "开头一句。", page=1),
        region(1, "第二页有" + "很" * 40 + "多字。", page=2),
        region(2, "第三页又短。", page=3),
    ]
    (chunk,) = segment(regions, by_first_character, VALUES)
    assert (chunk.page, chunk.parent_page, chunk.last_page) == (1, 2, 3)


def test_the_earlier_page_is_parent_where_both_hold_as_much():
    (chunk,) = segment([region(0, "第四页。", page=4), region(1, "第五页。", page=5)], None, VALUES)
    assert chunk.parent_page == 4


paragraph = st.text(alphabet="甲乙丙丁ab 。，；？：问答", max_size=300)
document = st.lists(
    st.tuples(
        st.sampled_from(["", "问：", "答：", "1、问："]),
        paragraph,
        st.sampled_from(["text", "text", "caption", "heading"]),
    ),
    max_size=8,
)
values = st.builds(
    Calibration,
    threshold=st.sampled_from([0.0, 0.5, 2.0]),
    window=st.sampled_from([2, 20, 80]),
    separation=st.sampled_from([-1.0, 0.1, 2.0]),
)


@settings(max_examples=100, deadline=None)
@given(document, values)
def test_chunks_partition_kept_text_in_order_sections_and_bounds(pieces, calibration):
    regions = [region(i, label + text, kind) for i, (label, text, kind) in enumerate(pieces)]
    chunks = segment(regions, by_first_character, calibration)
    assert inked("".join(c.content for c in chunks)) == inked("".join(r.text for r in regions))
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    for chunk in chunks:
        assert chunk.token_count == count_tokens(chunk.content) <= MAX_TOKENS
        assert chunk.page <= chunk.parent_page <= chunk.last_page
    # a question is never inside a section; chunks end where sections do, save beside a short one
    ends = [0, *np.cumsum([len(inked(chunk.content)) for chunk in chunks]).tolist()]
    joints = [0]
    for section in read_sections(regions):
        joints.append(joints[-1] + sum(len(inked(s.text)) for s in section.sentences))
        assert question_starts(section.sentences[section.heading_count :]) == []
    for joint, after in pairwise(joints[1:]):
        if joint not in ends:
            start = max(end for end in ends if end < joint)
            stop = min(after, *(end for end in ends if end > joint))
            assert joint - start < LEAST or stop - joint < LEAST


@st.composite
def sections(draw: st.DrawFn) -> tuple[np.ndarray, list[int]]:
    """Units of a few topics with noise, and their lengths."""
    count = draw(st.integers(1, 40))
    lengths = draw(st.lists(st.integers(1, MAX_TOKENS), min_size=count, max_size=count))
    floats = st.floats(-1, 1, width=32)
    rows = draw(arrays.arrays(np.float32, (count, 3), elements=floats))
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(norms > 1e-3, norms, np.inf), lengths


@settings(max_examples=150, deadline=None)
@given(sections(), st.sampled_from([0.2, 0.5, 0.9]), st.sampled_from([2, 5, 20]))
def test_every_two_anchors_of_a_chunk_are_in_one_clique(section, threshold, window):
    vectors, lengths = section
    parts = divide(vectors, lengths, Calibration(threshold, window, separation=0.1))
    assert [part.start for part in parts] == [0, *(part.stop for part in parts[:-1])]
    assert parts[-1].stop == len(lengths)
    for part in parts:
        assert sum(lengths[part.start : part.stop]) <= MAX_TOKENS
        assert part.anchors and all(part.start <= a < part.stop for a in part.anchors)
        # pairwise joined in the graph: a clique, and so within a maximal one
        for first, second in combinations(part.anchors, 2):
            assert second - first < window
            assert vectors[first] @ vectors[second] >= threshold - 1e-5


@settings(max_examples=60, deadline=None)
@given(sections())
def test_a_chunk_is_short_only_if_no_neighbour_has_room(section):
    vectors, lengths = section
    parts = divide(vectors, lengths, VALUES)
    sizes = [sum(lengths[part.start : part.stop]) for part in parts]
    for before, after in pairwise(sizes):
        assert min(before, after) >= MIN_TOKENS or before + after > MAX_TOKENS


@pytest.mark.parametrize("count", [1, 400])
def test_near_identical_sentences_fill_chunks_to_the_most(count: int):
    vectors = np.ones((count, 1), dtype=np.float32)
    parts = divide(vectors, [30] * count, VALUES)
    assert len(parts) == -(-count * 30 // (MAX_TOKENS // 30 * 30))
    assert all(part.anchors == tuple(range(part.start, part.stop)) for part in parts[:1])
