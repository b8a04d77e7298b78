"""Measures the statement tables of filings by the accounting identities they must obey."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from finrag_pipeline.errors import SourceUnavailable
from finrag_pipeline.evaluation.reading.documents import ReadDocument, pdfs, read_documents
from finrag_pipeline.evaluation.report import Report, percent
from finrag_pipeline.records import PageReading, Table
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.facts.identities import (
    BALANCE,
    CASH,
    INCOME,
    Row,
    failures,
    kind_of,
    parse_value,
    plain_label,
)

_KINDS = {"资产负债表": BALANCE, "利润表": INCOME, "现金流量表": CASH}
_HEADING = re.compile(
    r"^(?:[（(]?[一二三四五六七八九十\d]+[)）、.．]*)?(?P<of>合并|母公司|公司)"
    r"(?:年初到报告期末)?(?P<kind>资产负债表|利润表|现金流量表)$"
)
_GROUP, _PARENT = "consolidated", "parent"


@dataclass(frozen=True)
class FoundStatement:
    """A statement in a filing: its kind, whose it is, where, and what is wrong with it."""

    kind: str
    whose: str
    table: Table
    failures: tuple[str, ...]


def measure(folder: Path, settings: Settings) -> Report:
    """Find the statements that each filing prints and check their identities.

    Raises:
        SourceUnavailable: the folder holds no PDF.
    """
    paths = pdfs(folder)
    if not paths:
        raise SourceUnavailable(f"{folder} holds no PDF")
    counts: Counter[tuple[str, str, str]] = Counter()
    misses: list[str] = []
    for document in read_documents(paths, settings):
        for kind, whose, failed in check(document):
            counts[whose, kind, "printed"] += 1
            counts[whose, kind, "found"] += failed is not None
            counts[whose, kind, "balances"] += failed == ()
            if failed != ():
                told = "not found" if failed is None else "; ".join(failed[:4])
                misses.append(f"{document.path.stem}: {whose} {kind}: {told}")
    rows = [
        (whose, kind, *_shares(counts, whose, (kind,)))
        for whose in (_GROUP, _PARENT)
        for kind in _KINDS.values()
    ]
    rows += [
        (whose, "all", *_shares(counts, whose, tuple(_KINDS.values())))
        for whose in (_GROUP, _PARENT)
    ]
    return Report(
        title="Statements of filings by their accounting identities",
        columns=("whose", "statement", "found", "balance"),
        rows=tuple(rows),
        notes=(
            "Of the statements that the filings print under a heading. A statement balances when "
            "its key totals are there and every identity of the lines that it has holds in both "
            "periods: totals, subtotals and the rows that add up to them.",
        ),
        misses=tuple(misses),
    )


def check(document: ReadDocument) -> Iterator[tuple[str, str, tuple[str, ...] | None]]:
    """Kind, whose, and failures (None: not found) of each statement that a document prints."""
    found = find_statements(document.tables)
    for kind, whose in sorted(printed_statements(document.pages)):
        matching = [f for f in found if (f.kind, f.whose) == (kind, whose)]
        yield kind, whose, min((f.failures for f in matching), key=len, default=None)


def printed_statements(pages: Sequence[PageReading]) -> set[tuple[str, str]]:
    """The statements whose heading stands alone on a line: kind and whose."""
    found: set[tuple[str, str]] = set()
    for page in pages:
        for line in page.lines:
            match = _HEADING.match("".join(line.text.split()))
            if match:
                found.add((_KINDS[match["kind"]], _GROUP if match["of"] == "合并" else _PARENT))
    return found


def find_statements(tables: Sequence[Table]) -> list[FoundStatement]:
    """The statements among the tables of a document, in reading order."""
    found: list[FoundStatement] = []
    for table in tables:
        rows = rows_of(table)
        kind = kind_of(rows)
        if kind is None:
            continue
        title = table.title or ""
        whose = _PARENT if "母公司" in title else _GROUP
        if "母公司" not in title and "合并" not in title:
            # filings print the consolidated statement of a kind first
            whose = _PARENT if any(f.kind == kind for f in found) else _GROUP
        found.append(FoundStatement(kind, whose, table, tuple(failures(kind, rows))))
    return found


def rows_of(table: Table) -> list[Row]:
    """Labels and the values of the last two columns of figures, from the top."""
    body = [cell for cell in table.cells if not cell.header and cell.text]
    numbers = Counter(
        cell.column
        for cell in body
        if cell.column and parse_value(cell.text) is not None and _is_amount(cell.text)
    )
    most = max(numbers.values(), default=0)
    columns = sorted(column for column, count in numbers.items() if 4 * count >= most)[-2:]
    rows: dict[int, Row] = {}
    for number in sorted({cell.row for cell in body}):
        held = {cell.column: cell.text for cell in body if cell.row == number}
        label = held.get(min(held), "")
        values = tuple(parse_value(held.get(column, "")) for column in columns)
        if plain_label(label) and parse_value(label) is None:
            rows[number] = Row(label, values)
    return list(rows.values())


def _is_amount(text: str) -> bool:
    """A figure as statements print it; a note's number is short and whole."""
    return "." in text or "," in text or len(text.strip()) > 3


def _shares(
    counts: Counter[tuple[str, str, str]], whose: str, kinds: Sequence[str]
) -> tuple[str, str]:
    printed = sum(counts[whose, kind, "printed"] for kind in kinds)
    shares = [
        percent(sum(counts[whose, kind, what] for kind in kinds), printed)
        for what in ("found", "balances")
    ]
    return shares[0], shares[1]
