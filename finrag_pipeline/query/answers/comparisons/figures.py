"""Figures of the vocabulary for each side of a comparison: the same question, asked of each.

Sides that are companies, and nothing else, are compared by `answers.numbers` itself; here are
houses, and what that does not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from finrag_pipeline.grammar.fact_metrics import fact_metrics_in
from finrag_pipeline.grammar.periods import ReportingPeriod
from finrag_pipeline.query.answers.comparisons.cells import GROWTH
from finrag_pipeline.query.answers.comparisons.sides import Comparison, Side
from finrag_pipeline.query.answers.numbers.lines import Lines
from finrag_pipeline.query.answers.numbers.looking_up import look_up
from finrag_pipeline.query.answers.numbers.marks import Marks
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.answers.quotes import Quote
from finrag_pipeline.query.numbers.formulas import formulas_in
from finrag_pipeline.query.numbers.reading import read_numbers
from finrag_pipeline.query.numbers.records import NumberResult, NumberRow
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.store.database.connections import Connection, Row

#: What makes another figure of the metrics that are named: 研发占收入的比例, sales per store.
_SHARE = re.compile(
    r"占|比例|比重|份额|[人户店]均|每[^股年月日天季]|"
    r"\bshare of|\bpercent(?:age)? of|\bproportion|\bratio of|\bper (?!share)\w+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SideFigure:
    """One figure of a side.

    Attributes:
        name: whose, of when and what it is.
        text: the figure.
        working: how it was worked out, a line a step; empty for one as it is held.
    """

    name: str
    text: str
    row: NumberRow
    quotes: tuple[Quote, ...]
    working: tuple[str, ...] = ()


def worked_out(asked: Asked, figures: Iterable[SideFigure]) -> NumberResult | None:
    """The figures that were worked out, as a result; None where all are told as they are held."""
    rows = tuple(each.row for each in figures if each.row.steps)
    question = read_numbers(asked.question, asked.scope.catalogue, asked.where.as_of)
    return NumberResult(question, rows) if rows and question else None


def side_figures(
    connection: Connection[Row], asked: Asked, comparison: Comparison, *, chinese: bool
) -> Mapping[Side, Sequence[SideFigure]]:
    """The figures that the topic names, of each side that has any."""
    if _SHARE.search(comparison.topic):
        return {}  # a share of a metric is none of its figures
    read = read_numbers(asked.question, asked.scope.catalogue, asked.where.as_of)
    parts = "".join(read.segments) if read else ""
    if any(each not in parts for each in Wanted(asked).measured):
        return {}  # what is sold abroad is none of all that is sold
    found: dict[Side, list[SideFigure]] = {}
    for side in comparison.sides:
        own = [
            figure
            for words in _questions(asked, comparison, side, parts)
            for figure in _figures(connection, asked, side, words, chinese)
        ]
        if own:
            found[side] = own
    return found


def _questions(asked: Asked, comparison: Comparison, side: Side, parts: str) -> Iterator[str]:
    """A question for each figure of a side; `parts` are those of a company that are asked of."""
    topic = comparison.topic
    formulas = [(start, end) for _, start, end in formulas_in(topic)]
    metrics = [(each.start, each.end) for each in fact_metrics_in(topic)]
    # 研发费用率 is no 研发费用
    outer = [each for each in metrics if not any(a <= each[0] < b for a, b in formulas)]
    named = [topic[start:end] for start, end in sorted([*formulas, *outer])]
    periods = [side.period] if side.period else asked.scope.reading.periods
    when = "、".join(_written(each) for each in periods)
    whom = side.name if side.kind == "company" else comparison.whom
    for metric in dict.fromkeys(named):
        of = f"{whom}{side.name if side.kind == 'part' else parts}"
        by = f"{side.name}预测的" if side.kind == "house" else ""
        yield f"{by}{of}{when}{metric}"
        if GROWTH.search(topic):
            yield f"{by}{of}{when}{metric}同比增速"


def _written(period: ReportingPeriod) -> str:
    if any(map(str.isdigit, period.text)):
        return period.text
    return f"{period}年" if str(period).isdigit() else str(period)


def _figures(
    connection: Connection[Row], asked: Asked, side: Side, words: str, chinese: bool
) -> Iterator[SideFigure]:
    question = read_numbers(words, asked.scope.catalogue, asked.where.as_of)
    if question is None or question.not_understood or not question.companies:
        return
    held = look_up(connection, question)
    lines = Lines(question, chinese, Marks({}))  # what is cited is marked where it is told
    for row in held.result.rows:
        if row.value is None or (side.house and row.broker != side.house):
            continue
        items = [held.items[each] for each in row.fact_ids if each in held.items]
        if items:
            quotes = tuple(Quote(each, each.text, each.places) for each in items)
            amount, working = lines.amount(row).text, tuple(lines.working(row))
            yield SideFigure(lines.name(row), amount, row, quotes, working)
