"""The writer of answers to questions for figures: understood, looked up, told or refused.

It says nothing of questions that ask for no figure of the vocabulary: those are read from text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from finrag_pipeline.query.answers.numbers import clarifying, refusals
from finrag_pipeline.query.answers.numbers.composed import compose, compose_whether
from finrag_pipeline.query.answers.numbers.lines import Lines, differs
from finrag_pipeline.query.answers.numbers.marks import Marks
from finrag_pipeline.query.answers.numbers.wording import say
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.evidence.fact import FactItem, read_facts
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.numbers.execute import answer_numbers
from finrag_pipeline.query.numbers.expressions import Figure, growth
from finrag_pipeline.query.numbers.reading import read_numbers
from finrag_pipeline.query.numbers.records import (
    AskedCompany,
    HeldFact,
    Measure,
    NumberQuestion,
    NumberResult,
    NumberRow,
)
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.signals import wanted_kind
from finrag_pipeline.records.facts import FinancialFact
from finrag_pipeline.stages.facts.sources import fact_sources
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.facts import cited_facts
from finrag_pipeline.words import is_chinese

Json = dict[str, Any]

_REFUSED = "insufficient_evidence"
_ASKED_BACK = "needs_clarification"
#: What is made of several figures says nothing where one of them is missing.
_NEEDS_ALL = frozenset(("sum", "mean", "median", "maximum", "minimum", "cagr", "range"))
#: Of an order of which the first is asked for.
_COMPARED = 10
#: Figures that contradict the one told, at most.
_CONTRADICTING = 2
_WAY = "figures as documents print them, by company, metric and period"


@dataclass(frozen=True, slots=True)
class _Found:
    """What the store has for one question."""

    result: NumberResult
    items: dict[str, FactItem]
    grown: NumberRow | None = None
    alike: tuple[str, ...] = ()


class NumbersWriter:
    """Writes answers from single figures.

    Args:
        reader: of an open store.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """A draft; None where the question asks for no figure."""
        catalogue = asked.scope.catalogue
        question = read_numbers(asked.question, catalogue, asked.where.as_of)
        if question is None:
            return None
        chinese = is_chinese(asked.question)
        kind = asked.options.kind or wanted_kind(asked.question)
        question, notes = _of_whom(question, asked)
        if question.not_understood:
            names = [each.text for each in question.companies]
            text = refusals.not_understood(question, names, chinese)
            return Draft(text, status=_REFUSED, kind=kind, way=_WAY)
        if back := clarifying.which_company(question, catalogue, chinese):
            return _asking(back, kind)
        whether = kind == "boolean" and bool(question.conditions)
        looked_up = _every(question) if whether else _in_order(question)
        with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            held = _look_up(connection, looked_up)
        lines = Lines(question, chinese, Marks(held.items))
        draft = _draft(lines, held, question, kind, whether)
        return replace(draft, text="\n".join(filter(None, [draft.text, *notes])))


def _draft(lines: Lines, held: _Found, question: NumberQuestion, kind: str, whether: bool) -> Draft:
    result = held.result
    rows = [row for row in result.rows if row.value is not None]
    lost = [row for row in result.rows if row.value is None]
    if currency := question.currency:
        other = [row for row in rows if FinancialFact.currency_of(row.unit) not in (None, currency)]
        if other:
            text = refusals.other_currency(lines, other[0], currency)
            return _said(lines, text, result, kind, status=_REFUSED)
    summed = result.summary is not None and result.summary.value is not None
    named = bool(question.companies) and not question.everyone
    incomplete = question.operation in _NEEDS_ALL and named and bool(lost or result.without)
    if (not rows and not summed) or incomplete or (whether and lost):
        gone = lost or list(result.without) or [*filter(None, [result.summary])]
        text = refusals.missing(lines, result, gone)
        return _said(lines, text, result, kind, status=_REFUSED)
    if back := clarifying.which_broker(lines, rows) or clarifying.which_segment(lines, rows):
        return replace(
            _asking(back, kind),
            citations=tuple(lines.marks.made),
            sources=lines.marks.sources,
            numbers=result,
        )
    composed = None
    if whether:
        composed = compose_whether(lines, rows, question.conditions)
    if composed is None:
        composed = compose(lines, result, held.grown, kind)
    told = [*composed.lines, *_contradicting(lines, held, rows)]
    told += [refusals.missing(lines, result, [row]) for row in lost]
    draft = _said(lines, "\n".join(told), result, composed.kind)
    return replace(draft, value=composed.value)


def _of_whom(question: NumberQuestion, asked: Asked) -> tuple[NumberQuestion, list[str]]:
    """A question with the company that the options or the store leave no doubt of."""
    catalogue = asked.scope.catalogue
    if question.companies or question.everyone:
        return question, []
    if code := asked.where.company:
        bearing = [
            key
            for key, held in catalogue.by_company.items()
            if any(each.bears(code.casefold()) for each in held)
        ]
        if bearing:
            return replace(question, companies=(AskedCompany(tuple(bearing), code),)), []
    if len(catalogue.by_company) == 1 and not question.not_understood:
        (key,) = catalogue.by_company
        name = catalogue.name_of(key)
        note = say("one_company", is_chinese(asked.question), name=name)
        return replace(question, companies=(AskedCompany((key,), name),)), [note]
    return question, []


def _every(question: NumberQuestion) -> NumberQuestion:
    """A question whether something is so, as one for all that has to be compared."""
    compared = [each.measure for each in question.conditions]
    compared += [each.other for each in question.conditions if each.other is not None]
    measures = tuple(dict.fromkeys(compared))
    return replace(question, operation="value", conditions=(), measures=measures)


def _in_order(question: NumberQuestion) -> NumberQuestion:
    """A question for the greatest or least as one for all in order: what it was held against is
    told, too."""
    if question.operation not in ("maximum", "minimum"):
        return question
    greatest = question.operation == "maximum"
    return replace(question, operation="rank", descending=greatest, limit=_COMPARED)


def _look_up(connection: Connection[Row], question: NumberQuestion) -> _Found:
    result = answer_numbers(question, connection)
    rows = [row for row in result.rows if row.value is not None]
    grown = _growth(connection, question, rows)
    single = len(rows) == 1 and not rows[0].steps
    alike = _said_alike(connection, rows[0].facts[0]) if single and rows[0].facts else []
    every = [*_fact_ids(result), *([*grown.fact_ids] if grown else [])]
    every += alike
    return _Found(result, read_facts(connection, every), grown, tuple(alike))


def _said_alike(connection: Connection[Row], fact: HeldFact) -> list[str]:
    return cited_facts.said_alike(
        connection,
        company_key=fact.company_key,
        metric=fact.metric,
        segment=fact.segment,
        fiscal_year=fact.fiscal_year,
        period=fact.period,
        scope=fact.scope,
        nature=fact.nature,
        broker=fact.broker,
    )


def _fact_ids(result: NumberResult) -> Iterable[str]:
    for row in (*result.rows, *filter(None, [result.summary]), *result.without):
        yield from row.fact_ids
        for step in row.steps:
            yield from step.fact_ids
    yield from (each.fact_id for each in result.nearest)


def _growth(
    connection: Connection[Row], question: NumberQuestion, rows: Sequence[NumberRow]
) -> NumberRow | None:
    """How far the one sum of money that is asked for has grown on the year before."""
    if question.operation != "value" or len(rows) != 1 or len(question.measures) != 1:
        return None
    (row,), (measure,) = rows, question.measures
    money = FinancialFact.currency_of(row.unit)
    if not isinstance(measure.expression, Figure) or not money or row.nature != "actual":
        return None
    if row.period is None or "/" in row.unit:
        return None
    grown = Measure(
        f"{measure.name}_growth",
        growth(measure.expression),
        "percent",
        f"{measure.name_zh}同比",
        f"{measure.name_en} growth",
        change="year_on_year",
    )
    wanted = replace(question, measures=(grown,), periods=(row.period,), latest=False, unit="")
    found = [each for each in answer_numbers(wanted, connection).rows if each.value is not None]
    return found[0] if len(found) == 1 else None


def _contradicting(lines: Lines, held: _Found, rows: Sequence[NumberRow]) -> list[str]:
    """Figures of other sources that speak of the same and say something else."""
    if len(rows) != 1 or rows[0].value is None or rows[0].steps:
        return []
    told: list[str] = []
    seen = {rows[0].value}
    for fact_id in held.alike:
        item = held.items.get(fact_id)
        if item is None or fact_id in rows[0].fact_ids or item.unit != rows[0].unit:
            continue
        if any(not differs(item.value, each) for each in seen):
            continue
        seen.add(item.value)
        figure = lines.short(replace(rows[0], value=item.value, facts=(), notes=()))
        marks = lines.marks.of([item.fact_id])
        told.append(
            say("other_source", lines.chinese, source=_source(item, lines.chinese), figure=figure)
            + ("" if lines.chinese else " ")
            + marks
        )
    return told[:_CONTRADICTING]


def _source(item: FactItem, chinese: bool) -> str:
    restated = say("restated", chinese) if item.restated else ""
    kind = _kind(item, chinese)
    inside = ("，" if chinese else ", ").join(filter(None, [kind, restated]))
    return f"{item.source}（{inside}）" if chinese else f"{item.source} ({inside})"


def _asking(back: clarifying.AskedBack, kind: str) -> Draft:
    return Draft(back.text, status=_ASKED_BACK, kind=kind, choices=back.choices, way=_WAY)


def _said(lines: Lines, text: str, result: NumberResult, kind: str, status: str = "") -> Draft:
    return Draft(
        text,
        tuple(lines.marks.made),
        lines.marks.sources,
        way=_WAY,
        status=status,
        kind=kind,
        numbers=result,
    )


def _kind(item: FactItem, chinese: bool) -> str:
    source = fact_sources().get(item.kind_of_source)
    return "" if source is None else source.name_zh if chinese else source.name_en
