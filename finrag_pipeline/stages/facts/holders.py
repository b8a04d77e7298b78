"""How many shareholders a filing counts at the end of its period: 报告期末普通股股东总数.

Its table is a form: each figure stands to the right of its label, two of them in a row perhaps, and
the unit over it, shares, is that of what follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from finrag_pipeline.grammar.fact_metrics import fact_metrics
from finrag_pipeline.grammar.measures import Measure
from finrag_pipeline.records.facts import FinancialFact
from finrag_pipeline.stages.facts.columns import Column
from finrag_pipeline.stages.facts.filing import Filing, instant
from finrag_pipeline.stages.facts.lines import ReadTable, form_lines
from finrag_pipeline.stages.facts.making import Counted, Maker

METRIC = "shareholders"
#: Beside them stand those of preferred shares, and those of the month before an annual report.
_LABEL = re.compile(
    r"^(?:截[至止])?本?报告期期?末的?(?:普通股)?股东(?:总户数|总数|户数|人数)"
    r"(?:[(（](?:户|\d)[)）])*$"
)
_HOLDERS = Measure("户", "户")


def holder_facts(read: ReadTable, filing: Filing) -> Iterator[FinancialFact]:
    """The fact of such a table; none of another."""
    if filing.last_on is None:
        return
    for label, line in form_lines(read):
        if not _LABEL.match(label):
            continue
        own = replace(line, figure=replace(line.figure, measure=_HOLDERS), label=label)
        metric = fact_metrics()[METRIC]
        counted = Counted(METRIC, metric.kind, metric.timing)
        column = Column(instant=instant(filing.last_on))
        if fact := Maker(filing, read.table).fact(own, counted, column):
            yield fact
        return
