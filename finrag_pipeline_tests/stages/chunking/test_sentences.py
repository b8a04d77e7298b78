"""Sections at headings, joins across regions, and that no character is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.records import Region
from finrag_pipeline.stages.chunking.sentences import read_sections


def region(ordinal: int, text: str, kind: str = "text", page: int = 1, **more: object) -> Region:
    return Region(
        ordinal, page, (0.0, ordinal * 10.0, 100.0, ordinal * 10.0 + 9), kind, text, **more
    )  # type: ignore[arg-type]


def inked(text: str) -> str:
    return "".join(text.split())


def test_a_paragraph_that_crosses_pages_is_one_sentence_with_both_places():
    (section,) = read_sections(
        [region(0, "公司产能持续爬坡，预计明年"), region(1, "将实现满产。需求稳定。", page=2)]
    )
    first, second = section.sentences
    assert first.text == "公司产能持续爬坡，预计明年将实现满产。"
    assert [place.page for place in first.places] == [1, 2]
    assert [place.page for place in second.places] == [2]


def test_list_items_and_dropped_regions_do_not_join():
    (section,) = read_sections(
        [
            region(0, "没有句号的一段"),
            region(1, "页眉", rule="page_header"),
            region(2, "第一项", kind="list-item"),
            region(3, "第二项", kind="list-item"),
        ]
    )
    assert [s.text for s in section.sentences] == ["没有句号的一段", "第一项", "第二项"]


def test_headings_open_sections_and_consecutive_ones_share_one():
    sections = read_sections(
        [
            region(0, "星河新材点评", kind="title"),
            region(0, "一、业绩", kind="heading"),
            region(1, "1.1 收入", kind="heading"),
            region(2, "收入增长。"),
            region(3, "二、风险", kind="heading"),
            region(4, "原料涨价。"),
        ]
    )
    texts = [[s.text for s in section.sentences] for section in sections]
    assert texts == [
        ["星河新材点评", "一、业绩", "1.1 收入", "收入增长。"],
        ["二、风险", "原料涨价。"],
    ]
    assert [section.heading_count for section in sections] == [3, 1]


words = st.text(alphabet="光伏a b1。！.？；,，”)…\n", min_size=0, max_size=40)


@given(st.lists(st.tuples(words, st.sampled_from(["text", "list-item", "heading"])), max_size=8))
def test_every_kept_character_is_in_exactly_one_sentence(pieces: list[tuple[str, str]]):
    regions = [region(i, text, kind) for i, (text, kind) in enumerate(pieces)]
    sections = read_sections(regions)
    out = "".join(inked(s.text) for section in sections for s in section.sentences)
    assert out == "".join(inked(r.text) for r in regions)
