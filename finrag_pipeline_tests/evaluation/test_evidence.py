"""The measure of evidences, on PDFs and questions that the tests make."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pymupdf
import pytest

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.evaluation.reading.evidence import GoldEvidence, find, measure, read_gold
from finrag_pipeline.evaluation.report import Report
from finrag_pipeline.records import Box, Cell, Place, Region, Table
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.stages.read_pages import make_pdf

BOX: Box = (50, 100, 500, 120)
HEAD = "Starlight Works annual report"
SALES = "Net sales of the year rose by eight percent to $1,234.5 million, driven by new orders."
COSTS = "Operating costs fell by 3% in the same period, since energy and freight were cheaper."

OUTLOOK = "Management expects a recovery of demand in the second half, and prices to hold."


def draw(page: pymupdf.Page) -> None:
    page.insert_text((60, 30), HEAD, fontsize=8)
    page.insert_text((60, 110), (SALES, COSTS, OUTLOOK)[page.number or 0], fontsize=10)
    page.insert_text((290, 820), str((page.number or 0) + 1), fontsize=8)


def question(name: str, *evidence: tuple[int, str]) -> Mapping[str, object]:
    """A line of gold as FinanceBench has it: pages count from 0."""
    return {
        "doc_name": name,
        "question": "How did it go?",
        "evidence": [{"page_index": page, "text": text} for page, text in evidence],
    }


def write_gold(folder: Path, questions: Sequence[Mapping[str, object]]) -> Path:
    path = folder / "questions_gold.jsonl"
    path.write_text("\n".join(map(json.dumps, questions)) + "\n\n", encoding="utf-8")
    return path


def measured(folder: Path, *questions: Mapping[str, object]) -> Report:
    """The measure over a folder with one PDF of three pages."""
    make_pdf(folder / "report.pdf", draw, pages=3)
    write_gold(folder, questions)
    return measure(folder, Settings(_env_file=None, home=folder / "home", workers=1))


def reached(report: Report) -> list[object]:
    return [row[1] for row in report.rows]


def test_evidences_with_all_words(tmp_path: Path) -> None:
    """Case, line breaks and commas in figures do not matter; one text counts once."""
    glued = SALES.upper().replace("BY EIGHT", "BYEIGHT").replace(" ", "\n").replace("1,234", "1234")
    report = measured(
        tmp_path, question("report", (0, SALES), (1, COSTS)), question("report", (0, SALES))
    )
    assert reached(report) == ["100.0 % (2 of 2)", "100.00 %"] * 2
    assert report.misses == ()
    again = measured(tmp_path, question("report", (0, glued)))
    assert reached(again)[0] == "100.0 % (1 of 1)", again.misses


def test_a_word_that_is_missing_is_named(tmp_path: Path) -> None:
    report = measured(
        tmp_path,
        question("report", (0, SALES), (1, COSTS + " Dividends doubled 7.5")),
        # the words stand on another page
        question("report", (1, SALES)),
    )
    assert reached(report)[0] == "33.3 % (1 of 3)"
    first, second = report.misses
    assert first == "report p.2 lacks 3 of 18 words (not printed so): 7.5 dividends doubled"
    assert second.startswith("report p.2 lacks ")


def test_words_of_running_heads_count_in_the_strict_rows_alone(tmp_path: Path) -> None:
    report = measured(tmp_path, question("report", (1, f"{HEAD} {COSTS} 2")))
    assert reached(report) == ["100.0 % (1 of 1)", "100.00 %", "0.0 % (0 of 1)", "75.00 %"]
    assert report.misses == ()


def test_a_file_that_is_lacking_or_damaged_finds_nothing(tmp_path: Path) -> None:
    (tmp_path / "cut.pdf").write_bytes(b"no PDF")
    report = measured(
        tmp_path,
        question("report", (0, SALES)),
        question("cut", (0, SALES)),
        question("gone", (0, SALES)),
    )
    assert reached(report) == ["33.3 % (1 of 3)", "33.33 %"] * 2
    assert report.misses[0].startswith("cut.pdf: not_a_pdf: ")
    assert report.misses[1] == "gone: no such PDF here"
    assert [miss.split(" lacks ")[0] for miss in report.misses[2:]] == ["cut p.1", "gone p.1"]


def test_rules_that_dropped_the_words_are_named() -> None:
    regions = [
        Region(0, 1, BOX, "text", "Revenue rose."),
        Region(1, 1, BOX, "text", "Call 555 1234", "contact"),
        Region(2, 1, BOX, "header", "Annual report", "repeated_line"),
        Region(3, 2, BOX, "text", "Costs fell."),
    ]
    evidence = GoldEvidence("report", 1, "Annual report: revenue rose, costs fell. Call 555")
    finding = find(evidence, regions, [])
    assert finding.words == 8
    assert finding.missing == ("555", "call", "costs", "fell")
    assert finding.running == ("annual", "report")
    assert finding.rules == ("contact",)


def test_cells_count_on_the_page_that_they_stand_on() -> None:
    table = Table(
        0,
        1,
        BOX,
        (Cell(0, 0, "Revenue", page=1), Cell(0, 1, "1,234", page=1), Cell(1, 0, "Costs", page=2)),
        title="Income",
        places=(Place(1, BOX), Place(2, BOX)),
    )
    first = find(GoldEvidence("report", 1, "Income: revenue 1,234 costs"), [], [table])
    assert first.missing == ("costs",)
    assert find(GoldEvidence("report", 2, "Income: costs"), [], [table]).missing == ()
    assert find(GoldEvidence("report", 2, "Revenue 1234"), [], [table]).missing == (
        "1234",
        "revenue",
    )


def test_gold_says_what_is_wrong_with_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"questions_gold\.jsonl holds no evidence: "):
        read_gold(tmp_path / "questions_gold.jsonl")
    path = write_gold(tmp_path, [{"doc_name": "report", "evidence": [{"text": SALES}]}])
    with pytest.raises(ConfigurationError, match=r"holds no evidence: 'page_index'"):
        read_gold(path)
    path = write_gold(tmp_path, [question("report", (4, SALES))])
    assert read_gold(path) == [GoldEvidence("report", 5, SALES)]
