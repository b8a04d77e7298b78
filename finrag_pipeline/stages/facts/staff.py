"""Figures of a filing's tables of employees: how many, at what work, with which education.

Those of its research staff are of a segment: they are no figures of the whole company.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from finrag_pipeline.grammar.fact_metrics import FactMetric, metric_of_label
from finrag_pipeline.records.facts import FinancialFact
from finrag_pipeline.stages.facts.columns import Column
from finrag_pipeline.stages.facts.filing import Filing, instant
from finrag_pipeline.stages.facts.lines import Line, ReadTable
from finrag_pipeline.stages.facts.making import Counted, Maker

#: What research staff are called as a segment.
RESEARCH = "研发人员"
_STAFF = re.compile(r"在职员工|专业构成|教育程度|领取薪酬员工")
_RESEARCH = re.compile(r"研发人员(?:数量|的数量|学历|情况|年龄)|学历结构|年龄结构")
_WHEN = re.compile(r"^(?:(?:本)?报告期末|期末|截[至止]报告期末)")
#: No figure of people: ages, shares, seats.
_NO_PEOPLE = re.compile(r"岁|占|比例|平均|[%％]|薪酬|离退休")


def is_staff(read: ReadTable, over: Sequence[str]) -> bool:
    """Whether a table counts the filer's employees, by its labels and the lines over it."""
    texts = [*(label for _, _, label in read.labels), *over[:1]]
    texts += [text for path in read.paths.values() for text in path]
    counted = any(_metric(line) for line in read.lines)
    return counted and any(_STAFF.search(text) or _RESEARCH.search(text) for text in texts)


def staff_facts(read: ReadTable, filing: Filing) -> Iterator[FinancialFact]:
    """The facts of a table of employees in order of print; one figure a row, or one a period."""
    if filing.last_on is None:
        return
    research = any(_RESEARCH.search(label) for _, _, label in read.labels)
    maker = Maker(filing, read.table)
    told: set[tuple[int, Column]] = set()
    periods = any(line.column for line in read.lines)
    for line in read.lines:
        metric = _metric(line)
        column = line.column if periods else Column(instant=instant(filing.last_on))
        if metric is None or column is None or (line.figure.row, column) in told:
            continue
        told.add((line.figure.row, column))
        column = replace(column, scope=None)
        whole = not research or metric.name == "research_staff"
        fact = maker.fact(
            line,
            Counted(metric.name, metric.kind, metric.timing),
            column,
            segment="" if whole else RESEARCH,
        )
        if fact:
            yield fact


def _metric(line: Line) -> FactMetric | None:
    label = _WHEN.sub("", "".join(line.label.split()))
    if _NO_PEOPLE.search(label) or "." in line.figure.text:
        return None
    metric = metric_of_label(label)
    return metric if metric and metric.kind == "people" else None
