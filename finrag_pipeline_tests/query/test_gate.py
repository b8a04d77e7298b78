"""Checks see what is wrong: a number from nowhere, a quote that its page does not hold."""

from __future__ import annotations

from dataclasses import replace

import pytest

from finrag_pipeline.grammar.measures import Measure
from finrag_pipeline.models.offline import OfflineEmbedder
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.clauses import split
from finrag_pipeline.query.evidence.keys import content_key
from finrag_pipeline.query.evidence.places import locate, numbers_grounded
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.gate import citations_verified, decide
from finrag_pipeline.query.plan import Plan
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.options import PLAIN
from finrag_pipeline.query.question.reading import read_question
from finrag_pipeline.query.question.scope import Scope
from finrag_pipeline.records import Cell, Place
from finrag_pipeline.stages.tables.figures import Figure
from finrag_pipeline.stages.tables.row_quotes import table_rows
from finrag_pipeline.store.search.filters import Filter
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.grounding.evidence import catalogue, passage

FIRST, SECOND = Place(1, (0, 0, 9, 9)), Place(2, (0, 0, 9, 9))
REGIONS = ((FIRST, "营收 1,234.5\n万元，同比"), (SECOND, "增长12%。利润持平。"))
CHUNK = ChunkItem(
    content_key("chunk", "d1", "r1", 0),
    text="营收1,234.5万元，同比增长12%。利润持平。",
    source="d1.pdf",
    places=(FIRST, SECOND),
    regions_text=REGIONS,
)
QUOTED = CHUNK.cite(1, "营收1,234.5万元，同比增长12%。", (FIRST, SECOND))


@pytest.mark.parametrize(
    ("answer", "grounded"),
    [
        ("营收1234.5万元[1]", True),
        ("营收１，２３４．５万元，增长12%[1]", True),
        ("营收1,234.6万元[1]", False),
        ("营收增长2倍[1]", False),
        ("营收增长[12]", True),
    ],
)
def test_numbers_must_stand_in_a_quote(answer: str, grounded: bool) -> None:
    assert numbers_grounded(answer, [QUOTED.quote]) is grounded


def test_a_quote_is_located_across_regions() -> None:
    assert locate(QUOTED.quote, REGIONS) == (FIRST, SECOND)
    assert locate("利润持平。", REGIONS) == (SECOND,)
    assert locate("利润大增。", REGIONS) is None
    assert locate(" ", REGIONS) is None


def test_a_quote_must_stand_on_its_page() -> None:
    assert citations_verified([QUOTED], [CHUNK])
    assert not citations_verified([replace(QUOTED, quote="营收1,234.5亿元")], [CHUNK])
    elsewhere = content_key("chunk", "d2", "r1", 0)
    assert not citations_verified([replace(QUOTED, key=elsewhere)], [CHUNK])
    assert not citations_verified([QUOTED], [])


def test_figures_are_marked_where_they_stand_in_what_is_said() -> None:
    question, known, where = "星河电器2024年营收和利润", catalogue(), Filter("default")
    scope = Scope(read_question(question, known, None), known, where)
    asked = Asked(question, where, OfflineEmbedder, PLAIN, None, scope)
    chunk = passage("2024年营收121.96亿元，归母净利润13.2亿元。")
    cited = (chunk.cite(1, chunk.text, chunk.places),)
    draft = Draft(
        "2024年营收约122亿元[1]。利润13.3亿元[1]。2024年归母净利润约13亿元[1]。", cited, (chunk,)
    )
    said = decide(asked, Plan(()), SearchResult(question, (), {}), draft, lambda _: ())
    assert said is not None and said.grounding is not None
    assert said.answer == "2024年营收约122亿元[1]。2024年归母净利润约13亿元[1]。"
    spans = said.grounding["spans"]
    assert [each["text"] for each in spans] == ["2024年", "122亿元", "2024年", "13亿元"]
    for each in spans:
        assert said.answer[each["start"] : each["end"]] == each["text"]


def test_rows_carry_the_header_above_them() -> None:
    cells = simple_table("", [["指标", "2025A", "2026E"], ["营收", "1", "2"], ["合计", "", ""]])[
        "cells"
    ]
    (row,) = table_rows([Cell(**cell) for cell in cells])
    assert row.quote == "指标 2025A 2026E\n营收 1 2"
    assert row.sentence(None, "营收？") == "营收：2025A 1；2026E 2"


def test_spans_of_a_header_reach_every_column_below() -> None:
    cells = [
        {"row": 0, "column": 0, "text": "", "row_span": 2, "column_span": 1, "header": True},
        {"row": 0, "column": 1, "text": "营收", "row_span": 1, "column_span": 2, "header": True},
        {"row": 1, "column": 1, "text": "2025", "header": True},
        {"row": 1, "column": 2, "text": "2026", "header": True},
        {"row": 2, "column": 0, "text": "薄膜", "header": False},
        {"row": 2, "column": 1, "text": "7", "header": False},
        {"row": 2, "column": 2, "text": "8", "header": False},
    ]
    figure = Figure("8", ("新材料", "薄膜"), (), Measure("亿元", "CNY", 8), "table", 2, 2)
    (row,) = table_rows([Cell(**cell) for cell in cells], [figure])
    assert row.header == {1: "营收 2025", 2: "营收 2026"}
    assert row.sentence(None, "2026年") == "新材料 薄膜：营收 2026 8（亿元）"


def test_sentences_are_exact() -> None:
    text = "营收3.5亿元。“增长。”利润持平；\n展望 Revenue rose 3.4% to $1.2bn. Margins fell."
    pieces = split(text)
    assert pieces == [
        *("营收3.5亿元。", "“增长。”", "利润持平；"),
        *("展望 Revenue rose 3.4% to $1.2bn.", "Margins fell."),
    ]
    assert all(piece in text for piece in pieces)
