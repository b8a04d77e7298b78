"""The figure that a sentence or a row states of what is asked: the `value` of an answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from finrag_pipeline.grammar.fact_metrics import FactMetric, MetricKind, fact_metrics_in
from finrag_pipeline.grammar.measures import measure_of
from finrag_pipeline.grammar.periods import ReportingPeriod, periods_in
from finrag_pipeline.grammar.quantities import (
    Quantity,
    is_figure,
    parse_quantity,
    prints_figure,
    quantities_in,
)
from finrag_pipeline.query.answers.passages.asks import asks_of
from finrag_pipeline.query.answers.passages.candidates import Candidate
from finrag_pipeline.query.answers.passages.choosing import stands_beside
from finrag_pipeline.query.answers.passages.counting import asks_share, counted, counted_as
from finrag_pipeline.query.answers.passages.respective import belongs, respective
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.answers.values import printed_value
from finrag_pipeline.query.evidence.kinds import Quotable
from finrag_pipeline.query.question.signals import asks_figure, cue
from finrag_pipeline.records.facts import FinancialFact
from finrag_pipeline.words import is_chinese

#: What may stand between a metric and its figure, within a clause.
_BETWEEN = re.compile(r"[^，。；,;：:\d%％]{0,12}[：:]?\s*")
#: Who asks how a figure has grown, or for one of each of several, is not told one figure.
_MORE = re.compile(
    r"同比|环比|增[长速幅]|变动|分别|各|前一年|合计|加起来|之和|总和|growth|grew|year on year|"
    r"respectively|\beach\b",
    re.IGNORECASE,
)
#: The share of the words of a question from which a sentence says all of them.
_ALL = 0.95
#: The same from which one is about what is asked, and by which one figure has to say more of it
#: than any other of its sentence.
_MOST, _CLEAR = 0.5, 0.1
_RATES = ("%", "pp", "bp")
#: What a column compares with, and how far it changed.
_OTHER_COLUMN = re.compile(
    r"上年|上期|去年|期初|年初(?!至)|前期|增减|变动|增长|同比|环比|yoy|change|growth",
    re.IGNORECASE,
)
_WHY = re.compile(r"为[啥什何]|原因|怎么|如何|是否|吗|说明|why|how", re.IGNORECASE)
#: What tells how far something changed, and not what it has become: 增长至.
_CHANGED = re.compile(
    r"(?:新增|净增|增加|增长|减少|下降|下滑|提升|提高|上升|上涨|下跌|多出|多了|少了|涨了|跌了)(?![至到为达])"
)
_UNIT_BEHIND = re.compile(r"（([^（）]+)）$")
_CLAUSE = re.compile(r"[，；。,;]")
_SENTENCE = re.compile(r"[。；;！？!?\n]")


def value_of(
    wanted: Wanted, chosen: Sequence[Candidate], others: Sequence[Candidate]
) -> tuple[dict[str, Any], Candidate] | None:
    """The value that a line states, with the line: of those that are told the first that has one,
    else what stands beside the best; None where several things are asked, or none has one figure
    of what is.

    Args:
        chosen: what is told, best first.
        others: what may answer, too.
    """
    question = wanted.question
    asks = [each for each in asks_of(wanted) if _asks(each.text)]
    if not chosen or not asks_figure(question) or len(asks) > 1 or _MORE.search(question):
        return None
    best = chosen[0]
    beside = [each for each in others if each not in chosen and stands_beside(each, best)]
    for each in [*chosen, *sorted(beside, key=lambda one: -one.covered)]:
        near = each is best or each.topic >= best.topic
        if near and (value := _value(wanted, each.said)):
            return value, each
    return None


def _value(wanted: Wanted, said: Quotable) -> dict[str, Any] | None:
    found = None if said.row else _of_metric(wanted, said.told)
    if found is None:
        named = [each.metric.name for each in fact_metrics_in(said.told)]
        metric = next((each for each in named if each in wanted.metrics), "")
        found = metric, _of_row(wanted, said) if said.row else _stated(wanted, said.told)
    metric, quantity = found
    if quantity is None or quantity.upper is not None:
        return None
    return printed_value(
        quantity.value,
        quantity.unit,
        is_chinese(wanted.question),
        companies=wanted.companies,
        metric=metric,
        periods=[each for each in periods_in(said.told) if _spans([each]) <= _asked(wanted)],
    )


def _asked(wanted: Wanted) -> set[tuple[date, date]]:
    return {(each.first_on, each.last_on) for each in wanted.times.asked}


def _asks(clause: str) -> bool:
    """Whether a clause asks for anything: FY24 or 看行业报告 does not."""
    return asks_figure(clause) or bool(cue("asks_what", clause) or _WHY.search(clause))


def _of_metric(wanted: Wanted, text: str) -> tuple[str, Quantity] | None:
    """The figure behind the name of a metric that is asked for, where what stands between it and
    the figure before says of what and when: a sentence has 国内 and 海外, 25H1 and 25Q2."""
    times = list(periods_in(text))
    quantities = _figures(text, times)
    several = len(_spans(times)) > 1
    asked = _asked(wanted)
    for named in fact_metrics_in(text):
        if named.metric.name not in wanted.metrics:
            continue
        for each in quantities:
            behind = named.end <= each.start
            if not (behind and _BETWEEN.fullmatch(text, named.end, each.start)):
                continue
            before = [other.end for other in quantities if other.end <= named.start]
            own = text[max(before, default=0) : each.end]
            timely = not several or bool(asked & _spans(periods_in(own)))
            if timely and wanted.topic(own) >= _ALL and _counts(named.metric, each):
                return named.metric.name, each
    return None


def _figures(text: str, times: Sequence[ReportingPeriod]) -> list[Quantity]:
    """The figures of a text that are no part of its times."""
    return [
        each
        for each in quantities_in(text)
        if prints_figure(each.text)
        and not any(time.start < each.end and each.start < time.end for time in times)
    ]


def _spans(times: Iterable[ReportingPeriod]) -> set[tuple[date, date]]:
    return {(each.first_on, each.last_on) for each in times}


def _is_then(times: Sequence[ReportingPeriod], asked: set[tuple[date, date]]) -> bool:
    """Whether a time is asked for, or is a day of one that is: of an announcement, a plan."""
    return all(
        _spans([each]) <= asked
        or (each.kind == "day" and any(one <= each.first_on <= last for one, last in asked))
        for each in times
    )


def _stated(wanted: Wanted, text: str) -> Quantity | None:
    """The figure of a sentence whose own words say more of what is asked than those of any other:
    counted in what is asked for, of the time asked for."""
    if wanted.topic(text) < _MOST:
        return None
    times = list(periods_in(text))
    every = [counted(each, text) for each in _figures(text, times)]
    if listed := list(respective(text, every)):
        own = belongs(wanted.question, listed)
        fits = own is not None and counted_as(wanted.question, own.quantity)
        return own.quantity if own and fits and own.quantity.unit else None
    asked = _asked(wanted)
    fitting: list[tuple[bool, float, Quantity]] = []
    for each in every:
        before = max((other.end for other in every if other.end <= each.start), default=0)
        behind = min((other.start for other in every if other.start >= each.end), default=len(text))
        end = _CLAUSE.search(text, each.end, behind)
        opening = _opening(text, before, each.start)
        share = text.startswith("占", opening)
        if share:  # of what, the clause before says
            earlier = [other.end for other in every if other.end < before]
            opening = _opening(text, max(earlier, default=0), before)
        own = text[opening : end.start() if end else behind]
        when = [time for time in times if time.start < each.end]
        timely = len(_spans(times)) < 2 or not asked or _is_then(when[-1:], asked)
        named = not wanted.metrics or share or wanted.names_metric(own)
        if timely and named and each.unit and counted_as(wanted.question, each):
            changed = bool(_CHANGED.search(_CLAUSE.split(text[opening : each.start])[-1]))
            fitting.append((changed, wanted.topic(own), each))
    # 新增14.2万片 is no capacity, and a capacity not what was added
    asks_change = bool(_CHANGED.search(wanted.question))
    alike = [each for each in fitting if each[0] == asks_change]
    if not asks_share(wanted.question):  # 多少 asks for what is paid before what share that is
        alike = [each for each in alike if each[2].unit not in _RATES] or alike
    fitting = sorted(alike or (fitting if asks_change else []), key=lambda found: -found[1])
    clear = len(fitting) == 1 or (fitting and fitting[0][1] >= fitting[1][1] + _CLEAR)
    return fitting[0][2] if clear else None


def _of_row(wanted: Wanted, said: Quotable) -> Quantity | None:
    """The one figure of a row that is of the time asked for; None of several."""
    asked, unit = _asked(wanted), _UNIT_BEHIND.search(said.told)
    found: list[Quantity] = []
    for heading, cell in said.row:
        times = _spans(periods_in(heading, "heading"))
        other = times and asked and not times & asked
        if is_figure(cell) and not other and not _OTHER_COLUMN.search(heading):
            figure = parse_quantity(cell)
            if figure and not figure.unit and unit and (measure := measure_of(unit[1])):
                value = figure.value.scaleb(measure.power)
                figure = replace(figure, value=value, unit=measure.unit)
            found += [figure] if figure else []
    if len(found) != 1 or not found[0].unit or wanted.topic(said.told) < _MOST:
        return None
    return found[0] if counted_as(wanted.question, found[0]) else None


def _opening(text: str, start: int, end: int) -> int:
    """Where what is said of a figure begins that ends at a place: with its sentence, or with the
    clause behind the figure before it, which ends at `start`."""
    mark = _CLAUSE if start else _SENTENCE
    return max((match.end() for match in mark.finditer(text, start, end)), default=start)


def _counts(metric: FactMetric, quantity: Quantity) -> bool:
    """Whether a figure may be of a metric by what it is counted in."""
    kind: MetricKind = metric.kind
    if kind == "share":
        return quantity.unit in _RATES
    if kind in ("amount", "per_share", "price"):
        return FinancialFact.currency_of(quantity.unit) is not None
    return quantity.unit not in _RATES
