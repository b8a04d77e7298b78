"""Headings and unit that a table's grid lacks: printed in lines above it, or at the end of a page.

A statement that begins at the foot of a page leaves its headings there; its grid begins overleaf.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from finrag_pipeline.grammar.kinds import counts
from finrag_pipeline.grammar.measures import Measure, measure_of
from finrag_pipeline.grammar.numerals import narrow
from finrag_pipeline.grammar.periods import periods_in
from finrag_pipeline.records import Region, Table
from finrag_pipeline.stages.facts.lines import ReadTable
from finrag_pipeline.stages.facts.titles import StatementName, statement_named

_UNIT = re.compile(r"单位\s*[:：]?\s*(?:人民币)?\s*(?P<unit>[百千万亿]*元)")
_RELATIVE = re.compile(
    r"(?:期末|期初|年末|年初|本期|上期|本年|上年)(?:余额|金额|发生额|数|累计数?)?|上年同期"
)
#: Lines above that may hold them, and how far from the head of a page a table begins it, in points.
_LINES, _HEAD_PT = 8, 130.0


def lines_before(table: Table, regions: Sequence[Region]) -> list[str]:
    """Lines above a table, the nearest first; at the head of a page those that end the one before.

    Header rows that were taken for a table of their own count as lines.
    """
    above = [each for each in regions if each.page == table.page and _over(each, table)]
    found = sorted(above, key=lambda each: -each.bbox[3])
    if table.bbox[1] < _HEAD_PT:
        before = [each for each in regions if each.page == table.page - 1]
        found += sorted(before, key=lambda each: -each.bbox[3])
    lines: list[str] = []
    for region in found:
        if region.kind in ("header", "footer") or region.rule in ("page_header", "page_footer"):
            continue
        own = region.text.splitlines()
        if (region.kind == "table" or region.rule == "table") and len(own) > 3:
            break
        lines += reversed(own)
    return lines[:_LINES]


def name_before(lines: Sequence[str]) -> StatementName | None:
    """The statement that the nearest of some lines names."""
    return next(filter(None, map(statement_named, lines)), None)


def unit_before(lines: Sequence[str]) -> Measure | None:
    """The unit of amounts that the nearest of some lines states."""
    for line in lines:
        match = _UNIT.search("".join(narrow(line).split()))
        measure = measure_of(match["unit"]) if match else None
        if measure and counts("amount", measure):
            return measure
    return None


def headings_before(lines: Sequence[str], read: ReadTable) -> Mapping[int, tuple[str, ...]]:
    """Headings by column where a line names as many periods as the table has columns of figures."""
    columns = sorted({line.figure.column for line in read.lines if line.figure.column})
    counted = [
        column
        for column in columns
        if 3 * sum(line.figure.column == column for line in read.lines) > len(read.labels) // 4
    ]
    for line in lines:
        shown = narrow(line)
        periods = [each.text for each in periods_in(shown, "heading")]
        words = periods if len(periods) >= len(counted) else _RELATIVE.findall(shown)
        if len(words) >= 2 and len(words) == len(counted):
            pairs = zip(counted, words, strict=True)
            return {column: (word, *read.paths.get(column, ())) for column, word in pairs}
    return {}


def _over(region: Region, table: Table) -> bool:
    return region.bbox[3] <= table.bbox[1] + 2
