"""Reads every figure of a document: from a filing's statements, main figures, staff, segments.

Which tables hold which is decided in their rooms; what a broker forecasts is in its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from finrag_pipeline.records import Metadata, Region, Table
from finrag_pipeline.records.facts import FinancialFact
from finrag_pipeline.stages.facts.cover import read_cover
from finrag_pipeline.stages.facts.dividends import PER_TEN, dividend_facts, dividend_sentences
from finrag_pipeline.stages.facts.english.reading import english_facts
from finrag_pipeline.stages.facts.filing import Filing, filing_of
from finrag_pipeline.stages.facts.forecasts import read_forecasts
from finrag_pipeline.stages.facts.holders import holder_facts
from finrag_pipeline.stages.facts.indicators import indicator_facts, is_discussion, is_main
from finrag_pipeline.stages.facts.lines import ReadTable, read_table
from finrag_pipeline.stages.facts.parents import parent_sentences
from finrag_pipeline.stages.facts.partners import partner_facts, partner_sentences
from finrag_pipeline.stages.facts.peers import read_peers
from finrag_pipeline.stages.facts.report import report_of
from finrag_pipeline.stages.facts.research import is_research, research_facts
from finrag_pipeline.stages.facts.segments import (
    is_composition,
    segment_columns,
    segment_facts,
)
from finrag_pipeline.stages.facts.sentences import read_sentences
from finrag_pipeline.stages.facts.staff import is_staff, staff_facts
from finrag_pipeline.stages.facts.statements import statement_facts, statements_in
from finrag_pipeline.stages.facts.target_prices import read_target_prices
from finrag_pipeline.stages.facts.titles import lines_over
from finrag_pipeline.stages.tables.counting import Surroundings
from finrag_pipeline.stages.tables.surroundings import surroundings


def read_facts(
    source_name: str,
    metadata: Metadata,
    tables: Sequence[Table],
    regions: Sequence[Region],
) -> tuple[FinancialFact, ...]:
    """The figures of a document in order of print.

    Args:
        source_name: name of its file.
        metadata: what it says of itself.
        tables: all of it, with their cells.
        regions: all of it, kept and dropped.

    Returns:
        One fact a figure; the same figure printed twice is two facts.
    """
    around = surroundings(tables)
    found: list[FinancialFact] = []
    if filing := filing_of(metadata, source_name):
        found += _of_filing(tables, around, regions, filing)
        if not any(each.metric == PER_TEN for each in found):
            found += dividend_sentences(regions, filing)
        if not any(each.scope == "parent" for each in found):
            found += parent_sentences(regions, filing)
    elif metadata.kind == "filing" and metadata.language == "en":
        found += english_facts(source_name, metadata, tables, regions)
    if report := report_of(metadata, source_name, tables):
        found += read_forecasts(report, tables)
        found += read_target_prices(report, metadata, tables, regions)
        found += read_peers(report, tables)
        found += read_sentences(report, metadata, regions, found)
        found += read_cover(report, metadata, regions, found)
    return tuple(sorted(found, key=_order))


def _of_filing(
    tables: Sequence[Table],
    around: Sequence[Surroundings],
    regions: Sequence[Region],
    filing: Filing,
) -> Iterator[FinancialFact]:
    statements = statements_in(tables, around, regions, filing)
    taken = {part.table.ordinal for each in statements for part in each.parts}
    for statement in statements:
        yield from statement_facts(statement, filing)
    before, discussed = None, False
    for table, surrounding in zip(tables, around, strict=True):
        if table.ordinal in taken:
            continue
        if taken and table.ordinal > max(taken):
            break  # notes: of lines, of others, of parts
        over = lines_over(table, regions)
        read = read_table(table, surrounding, filing, over[0] if over else "")
        of_forms = (holder_facts, partner_facts, dividend_facts)
        if held := [fact for facts in of_forms for fact in facts(read, filing)]:
            yield from held
        elif before and _goes_on(before, table):
            read = read_table(table, before.counted(surrounding), filing, "", before.paths)
            yield from indicator_facts(read, filing, discussion=discussed)
            before = read
        elif is_main(read, over):
            yield from indicator_facts(read, filing)
            before, discussed = read, False
        elif metrics := segment_columns(read):
            yield from segment_facts(read, filing, metrics)
        elif is_composition(read, over):
            yield from segment_facts(read, filing, {})
        elif is_research(read):
            yield from research_facts(read, filing)
        elif is_staff(read, over):
            yield from staff_facts(read, filing)
        elif is_discussion(read, over):
            yield from indicator_facts(read, filing, discussion=True)
            before, discussed = read, True
    yield from partner_sentences(regions, filing)


def _goes_on(before: ReadTable, table: Table) -> bool:
    """Whether a table without headings is the rest of the one before it, on the next page."""
    end = max([before.table.page, *(place.page for place in before.table.places)])
    alone = not any(cell.header and cell.text for cell in table.cells)
    return alone and table.ordinal == before.table.ordinal + 1 and table.page - end == 1


def _order(fact: FinancialFact) -> tuple[int, int, int, int]:
    return (fact.place.page, fact.table or 0, fact.row or 0, fact.column or 0)
