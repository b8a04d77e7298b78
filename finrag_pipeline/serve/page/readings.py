"""How a question was read, as choices that can be changed: each changes its words and asks again.

What reads is `query.question` and `query.numbers`; nothing here decides what is answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from finrag_pipeline.grammar.fact_metrics import fact_metrics, fact_metrics_in
from finrag_pipeline.grammar.periods import ReportingPeriod
from finrag_pipeline.query.question.names import Named
from finrag_pipeline.query.question.reading import read_question
from finrag_pipeline.serve.page.visits import Visit
from finrag_pipeline.words import is_chinese

#: Companies that are offered, those with the most documents.
_MOST_COMPANIES = 60
#: Years offered before and after that of the newest document.
_YEARS = (-3, 2)
_METRICS = (
    "revenue",
    "net_profit_attributable",
    "eps",
    "printed_gross_margin",
    "research_expenses",
)
_PARTS_ZH = {"H1": "{}年上半年", "9M": "{}年前三季度", "Q1": "{}年第一季度", "Q3": "{}年第三季度"}


@dataclass(frozen=True, slots=True)
class Choice:
    """What may be chosen: how it is called, and the question that asks for it."""

    label: str
    question: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Chip:
    """One thing that a question was read to say."""

    name: str
    choices: tuple[Choice, ...]


def chips(question: str, visit: Visit) -> tuple[Chip, ...]:
    """Company, house, period and metric of a question, each with what it could say instead."""
    reading = read_question(question, visit.catalogue, visit.as_of)
    metrics = list(fact_metrics_in(question))[:1]
    found = [
        _companies(question, reading.companies, visit),
        _periods(question, reading.periods, visit),
    ]
    if reading.publishers:
        found.append(_houses(question, reading.publishers[0], visit))
    if metrics:
        place = (metrics[0].start, metrics[0].end)
        found.append(_metrics(question, metrics[0].metric.name, place))
    return tuple(each for each in found if len(each.choices) > 1)


def _companies(question: str, named: Sequence[Named], visit: Visit) -> Chip:
    catalogue = visit.catalogue
    held = {
        key: sum(visit.as_of is None or each.row.published_on <= visit.as_of for each in documents)
        for key, documents in catalogue.by_company.items()
    }
    keys = sorted((key for key in held if held[key]), key=lambda key: (-held[key], key))
    first = named[0] if named else None
    meant = first.keys[0] if first else ""
    choices = [_said(question, first.text if first else "any company")]
    for key in keys[:_MOST_COMPANIES]:
        if key != meant:
            name = catalogue.name_of(key)
            place = (first.start, first.end) if first else None
            choices.append(Choice(name, _replaced(question, place, name)))
    return Chip("Company", tuple(choices))


def _houses(question: str, named: Named, visit: Visit) -> Chip:
    others = sorted(set(visit.catalogue.by_publisher) - set(named.keys))
    choices = [Choice(name, _replaced(question, (named.start, named.end), name)) for name in others]
    return Chip("House", (_said(question, named.text), *choices))


def _periods(question: str, periods: Sequence[ReportingPeriod], visit: Visit) -> Chip:
    written = next((each for each in periods if each.text and each.end > each.start), None)
    place = (written.start, written.end) if written else None
    said = written.text if written else str(periods[0]) if periods else "the latest"
    newest = visit.as_of or visit.catalogue.newest_on
    first, last = _YEARS
    years = range(newest.year + last, newest.year + first - 1, -1) if newest.year > 1 else ()
    names = [f"{year}年" if is_chinese(question) else f"FY{year}" for year in years]
    if is_chinese(question):
        names += [form.format(newest.year) for form in _PARTS_ZH.values()]
    choices = [Choice(each, _replaced(question, place, each)) for each in names if each != said]
    return Chip("Period", (_said(question, said), *choices))


def _metrics(question: str, metric: str, place: tuple[int, int]) -> Chip:
    chinese = is_chinese(question)
    held = fact_metrics()
    named = [held[name] for name in dict.fromkeys((metric, *_METRICS)) if name in held]
    names = [each.name_zh if chinese else each.name_en for each in named]
    choices = [Choice(name, _replaced(question, place, name)) for name in names[1:]]
    return Chip("Metric", (_said(question, names[0]), *choices))


def _said(question: str, label: str) -> Choice:
    return Choice(label, question, chosen=True)


def _replaced(question: str, place: tuple[int, int] | None, name: str) -> str:
    """A question that says something else in a place, or before all where it said nothing."""
    if place is None:
        return f"{name}{question}" if is_chinese(question) else f"{name}: {question}"
    return question[: place[0]] + name + question[place[1] :]
