"""The measure of boundaries: its figures on cuts made by hand, its documents and methods."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pymupdf
import pytest

from finrag_pipeline.evaluation.chunking.boundaries import Score, measure, score
from finrag_pipeline.evaluation.chunking.methods import (
    adjacent_drops,
    clique_chunks,
    fixed_windows,
    recursive_splitting,
)
from finrag_pipeline.evaluation.chunking.sections import (
    SECTIONS_PER_DOCUMENT,
    JoinedDocument,
    SourceSection,
    half_of,
    join_sections,
    usable_sections,
)
from finrag_pipeline.records import Metadata, Region
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.chunking.calibration import Calibration
from finrag_pipeline_tests.stages.read_pages import make_pdf, write


def section(topic: str, sentences: int = 4, length: int = 100) -> SourceSection:
    """Two paragraphs about one thing, each sentence of so many characters."""
    sentence = topic + "价" * (length - len(topic) - 1) + "。"
    half = (sentence,) * (sentences // 2)
    return SourceSection(f"{topic}.pdf", Metadata(), (half, half))


def joined(*topics: str) -> JoinedDocument:
    return JoinedDocument(tuple(section(topic) for topic in topics))


def by_topic(texts):
    rows = np.zeros((len(texts), 101), dtype=np.float32)
    for row, text in enumerate(texts):
        for sentence in text.split("\n"):
            rows[row, ord(sentence[0]) % 101] += 1
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_joints_are_counted_in_characters_without_white_space():
    document = joined("钢铁", "猪肉", "光伏")
    assert document.joints == (400, 800)
    assert document.length == 1200
    assert len(document.regions) == 6


def test_true_cuts_score_nothing_and_missing_ones_what_the_definition_says():
    documents = [joined("钢铁", "猪肉")]
    assert score(documents, lambda document: document.joints) == Score(0.0, 0.0, 400.0)
    # k is 200: of the 600 probes those 200 that span the joint disagree
    assert score(documents, lambda _: ()) == Score(pytest.approx(1 / 3), pytest.approx(1 / 3), 800)


def test_a_near_miss_costs_as_much_as_it_is_off_and_window_diff_sees_what_pk_does_not():
    documents = [joined("钢铁", "猪肉")]
    near = score(documents, lambda _: (350,))
    # the 50 probes that span only the cut and the 50 that span only the joint
    assert near.pk == near.window_diff == pytest.approx(100 / 600)
    extra = score(documents, lambda _: (400, 410))
    assert extra.pk == pytest.approx(10 / 600)
    assert extra.window_diff == pytest.approx(200 / 600)


def test_fixed_windows_cut_in_the_middle_of_what_they_share():
    cuts = fixed_windows(joined("钢铁", "猪肉", "光伏"), 300)
    # windows of 400 that begin every 300: they share 300..400, 600..700, 900..1000
    assert list(cuts) == [350, 650, 950]


def test_recursive_splitting_keeps_paragraphs_then_sentences_then_characters():
    document = joined("钢铁", "猪肉")
    assert list(recursive_splitting(document, 400)) == [400]
    assert list(recursive_splitting(document, 250)) == [200, 400, 600]
    assert list(recursive_splitting(document, 150)) == [100, 200, 300, 400, 500, 600, 700]
    assert list(recursive_splitting(document, 60))[:4] == [60, 100, 160, 200]


def test_adjacent_drops_cut_where_neighbours_differ_most():
    document = joined("钢铁", "猪肉", "光伏")
    cut = adjacent_drops(by_topic)
    assert set(cut(document, 80)) <= {300, 400, 500, 700, 800, 900}
    assert {400, 800} <= set(cut(document, 60))


def test_clique_chunks_cut_at_the_joints():
    values = Calibration(threshold=0.5, window=20, separation=0.55)
    assert list(clique_chunks(joined("钢铁", "猪肉", "光伏"), by_topic, values)) == [400, 800]


def test_documents_hold_sections_of_different_reports_and_come_out_the_same_again():
    sections = [section(topic) for topic in "钢猪光银芯白航医煤" for _ in range(2)]
    documents = join_sections(sections, count=5, seed=1)
    assert len(documents) == 5
    for document in documents:
        reports = [one.report for one in document.sections]
        assert len(set(reports)) == len(reports) == SECTIONS_PER_DOCUMENT
    again = join_sections(sections, count=5, seed=1)
    assert [d.sections for d in again] == [d.sections for d in documents]
    assert join_sections(sections[:4], count=5, seed=1) == ()


def test_sections_lose_headings_and_ends_without_a_full_stop_and_keep_their_paragraphs():
    def region(ordinal: int, text: str, kind: str = "text") -> Region:
        return Region(ordinal, 1, (0, ordinal, 1, ordinal + 1), kind, text)

    regions = [
        region(0, "业绩", "heading"),
        region(1, "收入增长。" * 40),
        region(2, "成本下降。" * 40),
        region(3, "图 1：收入", "caption"),
        region(4, "太短", "heading"),
        region(5, "风险提示。"),
    ]
    (found,) = usable_sections("a.pdf", Metadata(), regions)
    assert [len(paragraph) for paragraph in found.paragraphs] == [40, 40]


def names_of_half(half: int, count: int) -> list[str]:
    names = (f"report-{i}.pdf" for i in range(1000))
    return [name for name in names if half_of(name) == half][:count]


NEWS = (
    "高炉开工率回落，螺纹钢库存下降，铁矿石到港量增加",
    "能繁母猪存栏减少，仔猪价格上涨，豆粕饲料成本下行",
    "硅料报价企稳，电池组件排产提升，逆变器出口恢复",
    "净息差收窄，不良贷款率平稳，拨备覆盖率继续提高",
)


def write_report(path: Path, news: str) -> None:
    """One page with a heading and a section of five paragraphs that tell the same news."""

    def draw(page: pymupdf.Page) -> None:
        write(page, "经营情况", (60, 80), 16)
        for row in range(20):
            text = f"第{row + 1}周{news}" + ("。" if row % 2 else "，")
            write(page, text, (60, 120 + row * 15 + row // 4 * 12))

    make_pdf(path, draw)


def test_the_command_scores_all_methods_on_the_half_kept_aside(tmp_path: Path):
    for news, name in zip(NEWS, names_of_half(1, 4), strict=True):
        write_report(tmp_path / name, news)
    report = measure([tmp_path], Settings(_env_file=None, home=tmp_path / "home", workers=1))
    assert {row[1] for row in report.rows} == {
        "clique chunks",
        "adjacent drops, same embedder",
        "recursive splitting",
        "fixed windows, a quarter shared",
        "no cut",
    }
    assert {row[0] for row in report.rows} == {"zh"}
    pk = {str(row[1]): float(str(row[2])) for row in report.rows}
    assert pk["clique chunks"] < pk["no cut"]


def test_without_reports_of_that_half_there_is_nothing_to_show(tmp_path: Path):
    write_report(tmp_path / names_of_half(0, 1)[0], NEWS[0])
    assert (
        measure([tmp_path], Settings(_env_file=None, home=tmp_path / "home", workers=1)).rows == ()
    )
