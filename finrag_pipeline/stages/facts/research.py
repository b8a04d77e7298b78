"""What a filing spends on research, out of a table that prints it without a heading.

研发投入情况表 has a label and a figure a row, all of the filing's own period.
"""

from __future__ import annotations

from collections.abc import Iterator

from finrag_pipeline.records.facts import FinancialFact
from finrag_pipeline.stages.facts.columns import Column
from finrag_pipeline.stages.facts.filing import Filing
from finrag_pipeline.stages.facts.lines import ReadTable
from finrag_pipeline.stages.facts.making import Counted, Maker

_SPENT = frozenset(("research_investment", "research_intensity"))
_PARTS = frozenset(("expensed_research", "capitalized_research", "capitalized_research_share"))


def is_research(read: ReadTable) -> bool:
    """Whether a table prints what is spent on research, once a row and under no heading."""
    columns = {line.figure.column for line in read.lines}
    named = {line.metric.name for line in read.lines if line.metric}
    headless = not any(line.column for line in read.lines)
    return headless and len(columns) == 1 and bool(named & _SPENT)


def research_facts(read: ReadTable, filing: Filing) -> Iterator[FinancialFact]:
    """The facts of such a table in order of print."""
    maker = Maker(filing, read.table)
    own = Column(flow=filing.year_to_date)
    for line in read.lines:
        metric = line.metric
        if metric and metric.name in _SPENT | _PARTS:
            counted = Counted(metric.name, metric.kind, metric.timing)
            if fact := maker.fact(line, counted, own, discussion=True):
                yield fact
