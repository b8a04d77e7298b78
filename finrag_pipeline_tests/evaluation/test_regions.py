"""The measure of kept and dropped text on pages that the tests make and label."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pymupdf
import pytest

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.evaluation.reading.labels import Label, Piece, read_labels, weigh
from finrag_pipeline.evaluation.reading.regions import measure
from finrag_pipeline.records import Box, Region, TextLine
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.stages.read_pages import PROSE, line, make_pdf, write

CLASSES = {"body": "body", "header": "noise", "footer": "noise", "cover": "either"}
HEADER: Box = (50, 20, 545, 45)
BODY: Box = (50, 90, 545, 240)
FOOTER: Box = (50, 780, 545, 830)


def label(name: str, bbox: Box) -> Label:
    return Label.model_validate({"bbox": bbox, "class": name})


def region(ordinal: int, lines: Sequence[TextLine], rule: str | None = None) -> Region:
    """A region that holds some lines, as cleaning makes it."""
    boxes = [line.bbox for line in lines]
    x0, y0 = (min(box[i] for box in boxes) for i in (0, 1))
    x1, y1 = (max(box[i] for box in boxes) for i in (2, 3))
    text = "".join(line.text for line in lines)
    return Region(ordinal, 1, (x0, y0, x1, y1), "text", text, rule)


def found(pieces: Sequence[Piece]) -> dict[tuple[str | None, bool], str]:
    return {(piece.label, piece.kept): piece.text for piece in pieces}


def test_lines_come_to_their_label_and_their_region() -> None:
    head, foot = line("研究报告 2026", y=30), line("第 1 页", y=800)
    first, second = line("营收增长百分之八。", y=100), line("利润率保持稳定。", y=120)
    regions = [region(0, [head], "page_header"), region(1, [first, foot]), region(2, [second], "x")]
    boxes = [label("header", HEADER), label("body", BODY), label("footer", FOOTER)]
    assert found(weigh([head, foot, second, first], regions, boxes)) == {
        ("header", False): "研究报告2026",
        ("footer", True): "第1页",
        ("body", False): "利润率保持稳定。",
        ("body", True): "营收增长百分之八。",
    }


def test_a_region_that_spans_the_page_claims_only_its_own_lines() -> None:
    marks = [line("样张", x=60, y=20), line("样张", x=500, y=800)]
    inner = line("营收增长百分之八。", y=100)
    regions = [region(0, marks, "watermark"), region(1, [inner])]
    boxes = [label("header", (0, 0, 595, 842)), label("body", BODY)]
    assert found(weigh([*marks, inner], regions, boxes)) == {
        ("header", False): "样张样张",
        ("body", True): "营收增长百分之八。",
    }


def test_of_overlapping_regions_the_one_that_holds_the_line_has_it() -> None:
    """The boxes of both regions cover both rows; the smaller one holds the other row's letters."""
    row, axis = line("营收增长 2026", y=100), line("增长 2026 营收", y=120)
    text = Region(0, 1, (50, 90, 545, 240), "text", row.text)
    chart = Region(1, 1, (50, 90, 300, 140), "picture", axis.text, "chart")
    pieces = weigh([row, axis], [text, chart], [label("body", BODY)])
    assert found(pieces) == {("body", True): "营收增长2026", ("body", False): "增长2026营收"}


def test_a_line_printed_twice_comes_once_to_each_region() -> None:
    """The third row has some of the same digits, which the second row must not take."""
    rows = [line("2026", y=100), line("2026", y=120), line("2066", y=130)]
    text = Region(0, 1, (50, 90, 545, 240), "text", "2026")
    chart = Region(1, 1, (50, 90, 300, 140), "picture", "2026 2066", "chart")
    pieces = weigh(rows, [text, chart], [label("body", BODY)])
    assert found(pieces) == {("body", False): "20262066", ("body", True): "2026"}


def test_a_line_that_cleaning_splits_is_shared_by_its_regions() -> None:
    whole = line("风险提示：需求不及预期。", x=60, y=100)
    lead = Region(0, 1, (60, 100, 110, 110), "heading", "风险提示：", "repeated_line")
    rest = Region(1, 1, (110, 100, 180, 110), "text", "需求不及预期。")
    pieces = weigh([whole], [lead, rest], [label("body", BODY)])
    assert found(pieces) == {("body", False): "风险提示:", ("body", True): "需求不及预期。"}


def test_no_character_is_lost() -> None:
    bullet, alone = line("\uf06e营收增长", y=100), line("页边", x=60, y=400)
    made = region(0, [line("•营收增长", y=100)])
    pieces = weigh([bullet, alone], [made], [label("body", BODY)])
    assert found(pieces) == {("body", True): "营收增长\uf06e", (None, False): "页边"}


def write_labels(path: Path, pdf: Path, boxes: Sequence[Mapping[str, object]]) -> Path:
    known = {"file_sha256": hashlib.sha256(pdf.read_bytes()).hexdigest(), "page": 1, "boxes": boxes}
    gone = {"file_sha256": "0" * 64, "page": 1, "boxes": []}
    path.write_text(json.dumps({"classes": CLASSES, "pages": [known, gone]}), encoding="utf-8")
    return path


def test_shares_and_misses_of_a_folder(tmp_path: Path) -> None:
    def draw(page: pymupdf.Page) -> None:
        write(page, "请务必阅读正文之后的免责声明", (60, 820))
        for row in range(4):
            write(page, PROSE[:40], (60, 110 + 20 * row))

    folder = tmp_path / "reports"
    folder.mkdir()
    pdf = make_pdf(folder / "report.pdf", draw)
    # the first row is labelled as a footer, and the notice as body: each a miss of its kind
    labels = write_labels(
        tmp_path / "labels.json",
        pdf,
        [
            {"bbox": [50, 95, 545, 115], "class": "footer"},
            {"bbox": [50, 116, 545, 240], "class": "body"},
            {"bbox": FOOTER, "class": "body"},
        ],
    )
    report = measure(folder, labels, Settings(_env_file=None, home=tmp_path, workers=1))
    rows = {row[0]: row[1:4] for row in report.rows}
    assert rows["kept text that is noise"] == (40, 160, "25.00 %")
    assert rows["body text dropped"] == (14, 134, "10.45 %")
    assert rows["body (body) kept"] == (120, 134, "89.55 %")
    assert rows["footer (noise) kept"] == (40, 40, "100.00 %")
    assert rows["cover (either) kept"] == (0, 0, "none")
    assert report.notes[:2] == (
        "1 of 2 labelled pages were read.",
        "No file here has the content 000000000000…",
    )
    kept, dropped = sorted(report.misses, key=lambda miss: "dropped" in miss)
    assert kept.startswith("report.pdf p.1 kept footer, 40 characters: 公司全年")
    assert dropped.startswith("report.pdf p.1 dropped body (")
    assert dropped.endswith("), 14 characters: 请务必阅读正文之后的免责声明")


def test_labels_say_what_is_wrong_with_them(tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    path.write_text('{"classes": {"body": "kept"}, "pages": []}', encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"labels\.json holds no labels: classes\.body"):
        read_labels(path)
    page = {"file_sha256": "0", "page": 1, "boxes": [{"bbox": BODY, "class": "margin"}]}
    path.write_text(json.dumps({"classes": CLASSES, "pages": [page]}), encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"labels\.json: add margin to its classes"):
        read_labels(path)
