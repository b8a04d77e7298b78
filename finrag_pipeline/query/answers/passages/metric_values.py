"""The figure that a sentence prints behind the name of a metric that is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from finrag_pipeline.grammar.fact_metrics import FactMetric, MetricKind, fact_metrics_in
from finrag_pipeline.grammar.periods import periods_in
from finrag_pipeline.grammar.quantities import Quantity
from finrag_pipeline.query.answers.passages.apart import ALL, asked_spans, spans_of
from finrag_pipeline.query.answers.passages.counting import RATES, counted_as
from finrag_pipeline.query.answers.passages.figure_asked import roles_asked
from finrag_pipeline.query.answers.passages.mentions import Mention
from finrag_pipeline.query.answers.passages.respective import of_times
from finrag_pipeline.query.answers.passages.saying import blanked
from finrag_pipeline.query.answers.passages.unfit import ON_SHARE
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.records.facts import FinancialFact

#: What may stand between a metric and its figure, within a clause.
_BETWEEN = re.compile(r"[^，。；,;：:\d%％]{0,12}[：:（(]?\s*")
#: What stands beside a time and a metric before a figure: 、25Q2单季收入27.9亿元.
_WHEN = re.compile(r"(?:[\W_]|其中|单季度?|实现|为|达到?|约)*[\d.,]+\s?[^\W\d]{0,4}")


def figure_of_metric(
    wanted: Wanted, text: str, mentions: Sequence[Mention]
) -> tuple[str, Quantity] | None:
    """The figure behind the name of a metric that is asked for, where what stands between it and
    the figure before says of what and when: a sentence has 国内 and 海外, 25H1 and 25Q2."""
    if "level" not in roles_asked(wanted.question):
        return None
    several = len(spans_of(periods_in(text))) > 1
    asked, on_share = asked_spans(wanted), ON_SHARE.search(wanted.question)
    untimed: tuple[str, Quantity] | None = None
    for named in fact_metrics_in(text):
        if named.metric.name not in wanted.metrics:
            continue
        if found := _of_its_time(text, named.end, mentions, asked):
            return named.metric.name, found
        for each in mentions:
            quantity = each.quantity
            behind = named.end <= quantity.start
            if not (behind and _BETWEEN.fullmatch(text, named.end, quantity.start)):
                continue
            before = [one.quantity.end for one in mentions if one.quantity.end <= named.start]
            own = text[max(before, default=0) : quantity.end]
            dated = bool(asked & spans_of(periods_in(own)))
            timely = dated or not several
            # 业务收入50亿元、25Q2收入28亿元: of the same business, where it names none itself
            same = dated and _says_when(own, named.metric.name)
            said = wanted.topic(text[: quantity.end] if same else own) >= ALL
            counted = _counts(named.metric, quantity) and counted_as(wanted.question, quantity)
            counted = counted and not (on_share and not ON_SHARE.search(f"{own} 1{quantity.unit}"))
            if not (timely and said and each.role == "level" and counted):
                continue
            if dated:
                return named.metric.name, quantity
            # another one may say that it is of that time
            untimed = untimed or (named.metric.name, quantity)
    return untimed


def _says_when(own: str, metric: str) -> bool:
    """Whether what is said of a figure is its time and metric, and nothing else."""
    spans = {(each.start, each.end) for each in periods_in(own)}
    spans |= {(each.start, each.end) for each in fact_metrics_in(own) if each.metric.name == metric}
    return _WHEN.fullmatch(blanked(own, spans)) is not None


def _of_its_time(
    text: str, start: int, mentions: Sequence[Mention], asked: set[tuple[date, date]]
) -> Quantity | None:
    """The figure behind a metric that is of a time asked for, where as many figures stand there as
    times before: 24年和25Q1毛利率60%和62%，净利率20%和22%."""
    figures = [each.quantity for each in mentions]
    listed = of_times(text, start, figures, list(periods_in(text)))
    own = [figure for time, figure in listed if spans_of([time]) <= asked]
    return own[0] if len(own) == 1 else None


def _counts(metric: FactMetric, quantity: Quantity) -> bool:
    """Whether a figure may be of a metric by what it is counted in."""
    kind: MetricKind = metric.kind
    if kind == "share":
        return quantity.unit in RATES
    if kind in ("amount", "per_share", "price"):
        return FinancialFact.currency_of(quantity.unit) is not None
    return quantity.unit not in RATES
