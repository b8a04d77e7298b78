"""The measures of the embedder: headings that find their section, pairs of sentences, speed."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pymupdf
import pytest

from finrag_pipeline.evaluation.chunking import cohesion, headings, lengths, speed
from finrag_pipeline.evaluation.chunking.headings import (
    HeadedSection,
    rank_by_lane,
    unique_sections,
    without_words_of,
)
from finrag_pipeline.evaluation.reading.documents import ReadDocument
from finrag_pipeline.models.offline import OfflineEmbedder
from finrag_pipeline.records import Metadata, Region
from finrag_pipeline.settings import Settings
from finrag_pipeline.words import search_words
from finrag_pipeline_tests.stages.read_pages import make_pdf, write

BODIES = {
    "硅料价格回落": "硅料报价连续三周下行，价格低于成本，组件厂商采购意愿改善，电池片环节毛利修复。"
    * 6,
    "存款成本下降": "存款挂牌利率下调，银行负债成本压力缓解，净息差企稳，拨备覆盖率保持在较高水平。"
    * 6,
    "新药获批上市": "肿瘤新药进入收获期，上市申请获受理，临床数据优于同类，医保谈判预计四季度启动。"
    * 6,
}


def region(ordinal: int, text: str, kind: str = "text") -> Region:
    return Region(ordinal, 1, (0.0, float(ordinal), 1.0, ordinal + 1.0), kind, text)


def document(name: str, sections: dict[str, str]) -> ReadDocument:
    regions: list[Region] = []
    for heading, body in sections.items():
        regions.append(region(len(regions), heading, "heading"))
        regions.append(region(len(regions), body))
    return ReadDocument(Path(f"{name}.pdf"), (), tuple(regions), Metadata())


def test_only_headings_that_name_one_section_are_asked_for() -> None:
    body = "原料价格波动可能影响利润，需求不及预期。" * 10
    found = unique_sections(
        [document("a", BODIES | {"风险提示": body}), document("b", {"风险提示": body, "短": body})]
    )
    assert [section.heading for section in found] == list(BODIES)
    assert all(section.heading not in section.text for section in found)


def test_no_word_of_the_heading_is_left() -> None:
    left = without_words_of(
        "Gross margin of 硅料", "硅料报价走低，gross margins fell; the price too"
    )
    assert set(search_words(left)).isdisjoint(search_words("Gross margin of 硅料"))
    assert left == "报价走低  fell the pric too"


def test_ranks_are_those_of_the_own_section() -> None:
    sections = [HeadedSection(heading, body, heading) for heading, body in BODIES.items()]
    ranks = rank_by_lane(sections, OfflineEmbedder())
    assert ranks["vector"] == ranks["fused"] == [1, 1, 1]
    bare = [HeadedSection(s.heading, without_words_of(s.heading, s.text), "r") for s in sections]
    assert rank_by_lane(bare, OfflineEmbedder())["keyword"] == [0, 0, 0]


def test_the_area_under_the_curve_counts_ties_half() -> None:
    assert cohesion.auc(np.array([1.0, 2.0]), np.array([0.0])) == 1.0
    assert cohesion.auc(np.array([1.0, 1.0]), np.array([1.0])) == 0.5


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reports")
    for name in ("one", "two"):
        make_pdf(folder / f"{name}.pdf", partial(draw, name))
    return folder


def draw(name: str, page: pymupdf.Page) -> None:
    """Three sections of two paragraphs each."""
    top = 60.0
    for heading, body in BODIES.items():
        write(page, f"{name} {heading}", (60, top), 16)
        for start in range(0, len(body), 40):
            top += 15 + 12 * (start == 120)
            write(page, body[start : start + 40], (60, top))
        top += 50


@pytest.mark.parametrize("module", [headings, cohesion, lengths, speed])
def test_a_folder_of_reports_gives_a_table(module, folder: Path, tmp_path: Path) -> None:
    report = module.measure([folder], Settings(_env_file=None, home=tmp_path, workers=1))
    assert report.rows
    assert all(len(row) == len(report.columns) for row in report.rows)


def test_short_chunks_are_counted_and_named(tmp_path: Path) -> None:
    folder = tmp_path / "reports"
    folder.mkdir()
    make_pdf(folder / "short.pdf", lambda page: write(page, "仅此一句，别无其他。", (60, 110)))
    report = lengths.measure([folder], Settings(_env_file=None, home=tmp_path, workers=1))
    assert [row[:5] for row in report.rows] == [("reports", 1, 10, 1, "100.0 %")]
    assert report.misses == ("short.pdf p.1: 仅此一句，别无其他。",)
