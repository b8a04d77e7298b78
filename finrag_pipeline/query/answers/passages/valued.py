"""The figure that a sentence states of what is asked, as the `value` of an answer has it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from finrag_pipeline.grammar.fact_metrics import FactMetric, MetricKind, fact_metrics_in
from finrag_pipeline.grammar.periods import ReportingPeriod, periods_in
from finrag_pipeline.grammar.quantities import Quantity, prints_figure, quantities_in
from finrag_pipeline.query.answers.passages.asks import asks_of
from finrag_pipeline.query.answers.passages.candidates import Candidate
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.answers.values import printed_value
from finrag_pipeline.query.evidence.kinds import Quotable
from finrag_pipeline.query.question.signals import asks_figure
from finrag_pipeline.records.facts import FinancialFact
from finrag_pipeline.words import is_chinese

#: What may stand between a metric and its figure, within a clause.
_BETWEEN = re.compile(r"[^，。；,;：:\d%％]{0,12}[：:]?\s*")
#: Who asks how a figure has grown, or for one of each of several, is not told one figure.
_MORE = re.compile(
    r"同比|环比|增[长速幅]|变动|分别|各|前一年|growth|grew|year on year|respectively|\beach\b",
    re.IGNORECASE,
)
#: The share of the words of a question from which a sentence says all of them.
_ALL = 0.95
_RATES = ("%", "pp", "bp")


def value_of(wanted: Wanted, chosen: Sequence[Candidate]) -> dict[str, Any] | None:
    """The value of the first line; None where several things are asked, or it is no sentence with
    one figure of what is."""
    question = wanted.question
    if not chosen or not asks_figure(question) or len(asks_of(wanted)) > 1:
        return None
    said = chosen[0].said
    if said.row or _MORE.search(question):
        return None
    found = _of_metric(wanted, said.told) if wanted.metrics else _only(wanted, said)
    if found is None:
        return None
    metric, quantity = found
    if quantity.upper is not None:
        return None
    return printed_value(
        quantity.value,
        quantity.unit,
        is_chinese(question),
        companies=wanted.companies,
        metric=metric,
        periods=[each for each in periods_in(said.told) if _spans([each]) <= _asked(wanted)],
    )


def _asked(wanted: Wanted) -> set[tuple[date, date]]:
    return {(each.first_on, each.last_on) for each in wanted.times.asked}


def _of_metric(wanted: Wanted, text: str) -> tuple[str, Quantity] | None:
    """The figure behind the name of a metric that is asked for, where what stands between it and
    the figure before says of what and when: a sentence has 国内 and 海外, 25H1 and 25Q2."""
    times = list(periods_in(text))
    quantities = [
        each
        for each in quantities_in(text)
        if not any(time.start < each.end and each.start < time.end for time in times)
    ]
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


def _spans(times: Iterable[ReportingPeriod]) -> set[tuple[date, date]]:
    return {(each.first_on, each.last_on) for each in times}


def _only(wanted: Wanted, said: Quotable) -> tuple[str, Quantity] | None:
    """The one figure of a sentence that has no other and says all that is asked."""
    if wanted.topic(said.told) < _ALL:
        return None
    figures = [each for each in quantities_in(said.told) if prints_figure(each.text)]
    return ("", figures[0]) if len(figures) == 1 and figures[0].unit else None


def _counts(metric: FactMetric, quantity: Quantity) -> bool:
    """Whether a figure may be of a metric by what it is counted in."""
    kind: MetricKind = metric.kind
    if kind == "share":
        return quantity.unit in _RATES
    if kind in ("amount", "per_share", "price"):
        return FinancialFact.currency_of(quantity.unit) is not None
    return quantity.unit not in _RATES
