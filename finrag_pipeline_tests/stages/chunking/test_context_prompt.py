"""What a chat model is told of a chunk, within bounds, and which replies are lines."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.records import Chunk, Metadata, Place
from finrag_pipeline.stages.chunking.context_prompt import (
    context_line,
    context_prompt,
    document_card,
)

METADATA = Metadata(
    title="星河新材2025年年报点评",
    kind="company",
    company_name="星河新材",
    company_code="300999.SZ",
    broker="远山证券",
    published_on=date(2026, 3, 1),
)


def chunk(ordinal: int, content: str, *section: str) -> Chunk:
    return Chunk(ordinal, content, (Place(1, (0, 0, 1, 1)),), section)


CHUNKS = [
    chunk(0, "公司收入增长。", "业绩"),
    chunk(1, "毛利率因原材料涨价下降。", "业绩", "毛利率"),
    chunk(2, "风险：需求不及预期。", "风险提示"),
]


def test_the_message_holds_document_outline_section_neighbours_and_passage() -> None:
    card = document_card(METADATA, [c.section for c in CHUNKS])
    message = context_prompt(card, "zh", CHUNKS, 1)
    assert message.startswith(card)  # the part that a server can keep
    for told in ("星河新材2025年年报点评", "300999.SZ", "远山证券", "2026-03-01"):
        assert told in card
    assert card.index("业绩\n业绩 / 毛利率\n风险提示")
    assert "<section>业绩 / 毛利率</section>" in message
    assert "<before>\n公司收入增长。\n</before>" in message
    assert "<passage>\n毛利率因原材料涨价下降。\n</passage>" in message
    assert "<after>\n风险：需求不及预期。\n</after>" in message
    assert message.endswith("One line in Chinese (简体中文):")
    assert "<before>\n\n</before>" in context_prompt(card, "en", CHUNKS, 0)


def test_the_message_is_bounded_whatever_the_document() -> None:
    long = [chunk(n, "长" * 50_000, *["节" * 3000] * 9) for n in range(50)]
    title = Metadata(title="题" * 9000, broker="券" * 9000)
    card = document_card(title, [(str(n), "节" * 3000) for n in range(500)])
    assert len(context_prompt(card, "zh", long, 25)) < 5000


@pytest.mark.parametrize(
    ("reply", "language", "line"),
    [
        ("星河新材2025年报：毛利率下降的原因。", "zh", "星河新材2025年报：毛利率下降的原因。"),
        ("\n\n上下文：星河新材的毛利率\n\n第二行", "zh", "星河新材的毛利率"),
        ("- **“星河新材的毛利率”**", "zh", "星河新材的毛利率"),
        ("Context: Alder's  hog margins in 2026.", "en", "Alder's hog margins in 2026."),
        ("EPS、ROE与PE：星河新材估值", "zh", "EPS、ROE与PE：星河新材估值"),
        ("This is about the margin of the firm.", "zh", None),
        ("星河新材的毛利率为什么下降", "en", None),
        ("", "zh", None),
        (" \n\t", "en", None),
        ("……", "zh", None),
    ],
)
def test_a_reply_is_one_line_in_the_language_or_none(reply, language, line) -> None:
    assert context_line(reply, language) == line


def test_a_line_that_is_too_long_is_cut() -> None:
    line = context_line("长句子" * 500, "zh")
    assert line is not None and len(line) == 160 and line.endswith("…")


@given(st.text(), st.sampled_from(["zh", "en"]))
def test_any_reply_gives_one_line_at_most(reply: str, language: str) -> None:
    line = context_line(reply, language)
    assert line is None or (0 < len(line) <= 160 and len(line.splitlines()) == 1)
