"""Measures statements, forecasts and ratios in broker reports: tables found, labels, sums."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from finrag_pipeline.errors import SourceUnavailable
from finrag_pipeline.evaluation.reading.condensed import (
    STATEMENTS,
    Checks,
    check,
    folded,
    kind_of,
    wordings,
)
from finrag_pipeline.evaluation.reading.documents import ReadDocument, pdfs, read_documents
from finrag_pipeline.evaluation.report import Report, percent
from finrag_pipeline.grammar.metrics import labelled
from finrag_pipeline.grammar.quantities import is_figure, is_no_figure
from finrag_pipeline.records import Box, Cell, PageReading, Table
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.facts.identities import Row, parse_value
from finrag_pipeline.stages.tables.headers import header_paths
from finrag_pipeline.stages.tables.periods import period_of
from finrag_pipeline.stages.tables.phrases import is_number

#: A heading alone on its line: its name, and in brackets or behind a colon the unit.
_HEADING = re.compile(
    r"^[■●▶◼•\W\d]{0,4}?(?P<name>[^\d()%]{2,}?)(?:\((?:单位:?)?[^()]{1,16}\)|(?:单位|unit):.{1,10})?$"
)
_YEAR = re.compile(r"^(?:FY)?(?:19|20)?\d\d[AEF]?$", re.IGNORECASE)
#: Years stand beside their heading or under it, at most so many of its line heights below.
_BELOW = 3.5
#: A title may stand this far above the frame of its table, in points.
_ABOVE_PT = 24.0


@dataclass(frozen=True)
class Heading:
    """The heading of a statement where a page prints it over years."""

    page: int
    kind: str
    text: str
    box: Box


@dataclass(frozen=True)
class Found:
    """What one document's tables give.

    `labelled` rows have figures, a label of their own and a heading over each figure; `unlabelled`
    are the others, told in words; `checks` holds a statement each.
    """

    headings: tuple[Heading, ...]
    missing: tuple[Heading, ...]
    labelled: int
    unlabelled: tuple[str, ...]
    checks: tuple[tuple[str, Table, Checks], ...]


def measure(folders: Sequence[Path], settings: Settings) -> Report:
    """Read all reports below some folders.

    Raises:
        SourceUnavailable: the folders hold no PDF.
    """
    paths = pdfs(*folders)
    if not paths:
        raise SourceUnavailable(f"{', '.join(map(str, folders))} hold no PDF")
    documents = (d for d in read_documents(paths, settings) if d.error is None)
    return report([(document, assess(document)) for document in documents])


def report(found: Sequence[tuple[ReadDocument, Found]]) -> Report:
    """The table of what documents gave."""
    counts: Counter[tuple[str, str]] = Counter()
    misses: list[str] = []
    for document, each in found:
        name = document.path.stem
        for heading in each.headings:
            counts[heading.kind, "printed"] += 1
            counts[heading.kind, "found"] += heading not in each.missing
        misses += [f"{name}: p{h.page} no table for {h.text}" for h in each.missing]
        misses += [f"{name}: {told}" for told in each.unlabelled]
        for kind, table, checks in each.checks:
            counts[kind, "tables"] += 1
            counts[kind, "checkable"] += checks.checked > 0
            counts[kind, "balances"] += checks.checked > 0 and not checks.off
            counts[kind, "sums"] += checks.checked
            counts[kind, "right"] += checks.checked - len(checks.off)
            misses += [f"{name}: p{table.page} {kind}: {told}" for told in checks.off]
    labelled = sum(each.labelled for _, each in found)
    rows = labelled + sum(len(each.unlabelled) for _, each in found)
    kinds = (*STATEMENTS, *_OTHERS)
    for what in _COUNTED:
        counts["all", what] = sum(counts[kind, what] for kind in kinds)
    lines = [
        (
            kind,
            percent(counts[kind, "found"], counts[kind, "printed"]),
            counts[kind, "tables"] - counts[kind, "checkable"],
            percent(counts[kind, "balances"], counts[kind, "checkable"]),
            percent(counts[kind, "right"], counts[kind, "sums"]),
        )
        for kind in (*kinds, "all")
    ]
    return Report(
        title="Statements, forecasts and ratios in broker reports",
        columns=(
            "statement",
            "found as a table",
            "not checkable",
            "all sums hold",
            "sums that hold",
        ),
        rows=tuple(lines),
        notes=(
            f"Rows with a label of their own and a heading over every figure: "
            f"{percent(labelled, rows)}, in {len(found)} documents.",
            "Found: of the headings printed over years, those with a table of their own below: "
            "that name, periods that do not repeat, lines of that statement. A statement is not "
            "checkable where it prints no sum whole. Each sum is checked in every printed period.",
        ),
        misses=tuple(misses),
    )


#: Tables without sums.
_OTHERS = ("ratios", "forecasts")
_COUNTED = ("printed", "found", "tables", "checkable", "balances", "sums", "right")


def assess(document: ReadDocument) -> Found:
    """Judge the tables of one document by what its pages print."""
    headings = tuple(printed_headings(document.pages))
    pages = {heading.page for heading in headings if heading.kind != "forecasts"}
    tables = [t for t in document.tables if _is_forecast(t) or _is_frame(t, pages)]
    good_rows, unlabelled = 0, list[str]()
    for table in tables:
        for row, good in judged_rows(table):
            good_rows += good
            if not good:
                texts = " | ".join(cell.text for cell in row if cell.text)
                unlabelled.append(f"p{table.page} {(table.title or '')[:20]}: {texts[:80]}")
    missing = tuple(h for h in headings if not any(_answers(t, h) for t in document.tables))
    checks: list[tuple[str, Table, Checks]] = []
    for table in tables:
        rows = rows_of(table)
        kind = kind_of(rows)
        if kind is not None:
            forecast = [column.period.endswith("E") for column in table.periods]
            checks.append((kind, table, check(kind, rows, forecast)))
    return Found(headings, missing, good_rows, tuple(unlabelled), tuple(checks))


def printed_headings(pages: Sequence[PageReading]) -> Iterator[Heading]:
    """The headings of statements and ratios that stand beside or over two years or more."""
    names = wordings()[""]
    for page in pages:
        years = [line.bbox for line in page.lines if _names_years(line.text)]
        for line in page.lines:
            match = _HEADING.match(folded(line.text))
            kind = names.get(match["name"]) if match else None
            if kind is None:
                continue
            x0, y0, _, y1 = line.bbox
            height = y1 - y0
            low, high = y0 - height / 2, y1 + _BELOW * height
            right = [b for b in years if b[0] > x0 + height]
            under = [b for b in right if low < (b[1] + b[3]) / 2 < high]
            # years may stand once over several statements
            over = [b for b in right if kind in STATEMENTS and b[3] < y1]
            if len(under or over) > 1:
                yield Heading(page.page, kind, match["name"] if match else "", line.bbox)


def judged_rows(table: Table) -> Iterator[tuple[list[Cell], bool]]:
    """The rows of a table that hold figures, and whether each can be told.

    The text nearest to the left of every figure is the row's own label, no figure and in the first
    columns, and the figure's column has a heading that no other column has.
    """
    paths = header_paths(table.cells)
    counts = Counter(paths.values())
    first = min((column.column for column in table.periods), default=1)
    # growth stands beside years under a heading of its own
    headed = {c for c, path in paths.items() if path and counts[path] == 1 and table.periods}
    rows: dict[int, list[Cell]] = {}
    for cell in table.cells:
        if not cell.header or _holds_figure(cell.text):
            rows.setdefault(cell.row, []).append(cell)
    for number in sorted(rows):
        row = sorted(rows[number], key=lambda cell: cell.column)
        if any(cell.header for cell in row):
            yield row, False
            continue
        figures = [cell for cell in row if cell.column and is_figure(cell.text)]
        if figures:
            yield row, all(_told(cell, row, first) and cell.column in headed for cell in figures)


def rows_of(table: Table) -> list[Row]:
    """Labels with the values of all columns that have a period, from the top."""
    rows: dict[int, dict[int, str]] = {}
    for cell in table.cells:
        if not cell.header and cell.text:
            rows.setdefault(cell.row, {})[cell.column] = cell.text
    columns = [column.column for column in table.periods]
    return [
        Row(held.get(0, ""), tuple(parse_value(held.get(column, "")) for column in columns))
        for _, held in sorted(rows.items())
    ]


def _told(figure: Cell, row: Sequence[Cell], first: int) -> bool:
    texts = [
        cell
        for cell in row
        if cell.column < figure.column
        and cell.text
        and not is_figure(cell.text)
        and not is_no_figure(cell.text)
    ]
    label = texts[-1] if texts else figure
    return label.column < first and any(c.isalpha() or c in "%％" for c in label.text)


def _holds_figure(heading: str) -> bool:
    """Whether a heading of a column holds a year and the figure below it."""
    pieces = heading.split()
    return len(pieces) > 1 and period_of(pieces[0]) is not None and is_number(pieces[-1])


def _names_years(text: str) -> bool:
    shown = "".join(text.split())
    return bool(_YEAR.match(shown)) or (len(shown) < 40 and period_of(shown) is not None)


def _is_forecast(table: Table) -> bool:
    """Whether a table tells metrics by years: two years or more, three metrics or more."""
    years = {c.period for c in table.periods if re.match(r"(?:19|20)\d\d", c.period)}
    texts = {cell.text for cell in table.cells if not cell.header}
    lines = {line for kind in STATEMENTS for line in wordings()[kind]}
    metrics = {text for text in texts if folded(text) in lines or labelled(text)}
    return len(years) > 1 and len(metrics) > 2


def _is_frame(table: Table, pages: set[int]) -> bool:
    """Whether most cells of a table beside printed statements are figures, whatever it lost."""
    filled = [cell.text for cell in table.cells if cell.text]
    return table.page in pages and 2 * sum(map(is_figure, filled)) > len(filled)


def _answers(table: Table, heading: Heading) -> bool:
    """Whether a table is the one under a heading: there, named so, with years and its lines."""
    x, y = (heading.box[0] + heading.box[2]) / 2, (heading.box[1] + heading.box[3]) / 2
    x0, y0, x1, y1 = table.bbox
    if table.page != heading.page or not (x0 - 9 < x < x1 + 9 and y0 - _ABOVE_PT < y < y1):
        return False
    told = [table.title or "", *(cell.text for cell in table.cells if cell.header)]
    named = any(folded(heading.text) in folded(text) for text in told)
    counts = Counter(column.period for column in table.periods)
    own = [good for _, good in judged_rows(table)]
    lines = heading.kind in _OTHERS or kind_of(rows_of(table)) == heading.kind
    return named and lines and len(counts) > 1 and max(counts.values()) == 1 and sum(own) > 2
