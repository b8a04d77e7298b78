"""Sentences that carry a figure of their document's company, where nothing about it is unsure.

How a sentence is read is `clauses`; what a table of the document prints is not taken again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import date
from decimal import Decimal

from finrag_pipeline.records import Metadata, Region
from finrag_pipeline.records import Sentence as Printed
from finrag_pipeline.records.facts import FactPeriod, FinancialFact, Nature
from finrag_pipeline.stages.chunking.sentences import read_sections
from finrag_pipeline.stages.facts.clauses import Said, State, read_clauses
from finrag_pipeline.stages.facts.filing import span
from finrag_pipeline.stages.facts.measured import measured
from finrag_pipeline.stages.facts.report import Company, Report

#: Pages of a report on which 公司 is its own company; further on it may be any.
_FIRST_PAGES = 2
#: No company of a report earns less, in whole units: a scale was forgotten.
_LEAST = 100_000
_LONGEST = 400


def read_sentences(
    report: Report,
    metadata: Metadata,
    regions: Sequence[Region],
    held: Collection[FinancialFact],
) -> tuple[FinancialFact, ...]:
    """The figures that sentences of a report's first pages state, in order.

    Args:
        held: what its tables print: of these no sentence is taken.

    Returns:
        None of those that two sentences state differently.
    """
    if report.company is None or metadata.language != "zh" or report.published_on is None:
        return ()
    known = {
        (each.company_key, each.metric, each.period.fiscal_year, each.period.kind) for each in held
    }
    found: dict[tuple[object, ...], list[FinancialFact]] = {}
    for sentence, said in _said(report.company, regions):
        fact = _fact(report, report.company, sentence, said)
        if fact is None:
            continue
        key = (fact.company_key, fact.metric, fact.period.fiscal_year, fact.period.kind)
        if key not in known:
            found.setdefault((*key, fact.unit), []).append(fact)
    return tuple(facts[0] for facts in found.values() if _alike(facts))


def _said(company: Company, regions: Sequence[Region]) -> Iterator[tuple[Printed, Said]]:
    names = (company.name,) if company.name else ()
    for section in read_sections([each for each in regions if each.page <= _FIRST_PAGES]):
        state = State()
        for sentence in section.sentences[section.heading_count :]:
            if len(sentence.text) > _LONGEST:
                state = State()
                continue
            said, state = read_clauses(sentence.text, names, state)
            yield from ((sentence, each) for each in said)
            if not said:
                state = State()


def _fact(report: Report, company: Company, sentence: Printed, said: Said) -> FinancialFact | None:
    assert report.published_on is not None
    period = span(said.period.first_on, said.period.last_on)
    value = measured(said.metric.kind, said.number, said.measure, report.currency)
    nature = _nature(period, said, report.published_on)
    if value is None or nature is None or period.kind == "other":
        return None
    if said.metric.kind == "amount" and 0 < abs(value[0]) < _LEAST:
        return None
    return FinancialFact(
        metric=said.metric.name,
        company_key=company.key,
        company_code=company.code,
        company_name=company.name,
        period=period,
        value=value[0],
        unit=value[1],
        text=said.text,
        printed_unit=said.measure.text,
        source="report_actual_sentence" if nature == "actual" else "report_forecast_sentence",
        place=sentence.places[0],
        quote=sentence.text,
        nature=nature,
        broker=report.broker if nature == "forecast" else None,
    )


def _nature(period: FactPeriod, said: Said, published: date) -> Nature | None:
    """Whether it is over, expected by the house or by the company; None where that is unsure."""
    over = period.last_on < published
    if said.by_company:
        return "guidance" if not over else None
    if said.expects:
        return "forecast" if not over else None
    return "actual" if over else None


def _alike(facts: Sequence[FinancialFact]) -> bool:
    """Whether sentences state one figure, each rounded its own way."""
    values = [each.value for each in facts]
    return max(values) - min(values) <= Decimal("0.01") * max(map(abs, values))
