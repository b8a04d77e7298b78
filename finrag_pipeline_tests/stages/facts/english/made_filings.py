"""Filings of companies that do not exist, as tables of rows, and their facts in short."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from finrag_pipeline.records import Metadata, Region, Table
from finrag_pipeline.records.facts import FinancialFact
from finrag_pipeline.stages.facts.reading import read_facts


def filing(
    last: date,
    first: date,
    year: int,
    title: str = "Form 10-K",
    name: str = "Starlight Foods, Inc.",
) -> Metadata:
    """What an English filing says of itself."""
    return Metadata(
        title=title,
        kind="filing",
        language="en",
        company_name=name,
        published_on=last,
        period_first_on=first,
        period_last_on=last,
        fiscal_year=year,
    )


def facts(
    metadata: Metadata, *tables: Table, regions: Sequence[Region] = ()
) -> tuple[FinancialFact, ...]:
    """All facts of a filing; its tables are numbered in order."""
    numbered = [replace(each, ordinal=at) for at, each in enumerate(tables)]
    return read_facts("filing.pdf", metadata, numbered, regions)


def told(found: Sequence[FinancialFact], metric: str) -> dict[str, str]:
    """Values of a metric by fiscal year and part, as plain numbers."""
    return {
        f"{each.period.fiscal_year}{each.period.kind}": f"{each.value.normalize():f}"
        for each in found
        if each.metric == metric
    }
