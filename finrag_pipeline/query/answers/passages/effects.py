"""What a why-question asks the cause of: which metric, which way it went, of which business; and
how far what a sentence gives a cause of is that.

Words for results that are no names of metrics (亏了, 业绩) are rows of `outcomes.csv`; words that
give causes are `causes`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.grammar.fact_metrics import fact_metrics_in
from finrag_pipeline.query.answers.passages.causes import asks_cause, moves_listed
from finrag_pipeline.query.answers.passages.saying import metrics_named, with_near
from finrag_pipeline.query.answers.passages.synonyms import Text, direction
from finrag_pipeline.query.answers.passages.wanted import (
    METRIC_WEIGHT,
    NOTHING,
    Wanted,
)
from finrag_pipeline.words import fold

_PATH = Path(__file__).with_name("outcomes.csv")
_CLAUSE = re.compile(r"[，,；;。]\s*")
#: Share of the words for of what that an effect says, headings counted half: of one business is not
#: of all.
_MIN_TOPIC = 0.4
#: The same of the effect alone, where no metric says what is asked about.
_MIN_OWN = 0.3
#: What stands for all metrics in `outcomes.csv`: 主要会计数据.
_ANY = "*"
#: What the words for of what weigh beside a metric.
_TOPIC_WEIGHT = 6.0


class AskedEffect:
    """What a question asks the cause of.

    Where it says something first and then asks (收入下滑，怎么还能扭亏), what it asks about is in
    the clause that asks.

    Attributes:
        metrics: names of the metrics that it asks about.
        direction: whether they rose or fell.
    """

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        clause = next(
            (each for each in _CLAUSE.split(wanted.bare) if asks_cause(each) and outcomes(each)),
            wanted.bare,
        )
        self.metrics = with_near(outcomes(clause))
        self.direction = direction(clause)
        self._subjects = self._of_what()

    def text(self, text: str) -> Text:
        """A text as the terms of the question are looked for in it."""
        return self._wanted.text(text)

    def agreement(self, effect: str, context: Text = NOTHING) -> float:
        """How far an effect is what is asked about, 0 to 1; 0 where it is something else."""
        if not effect or (self.metrics and not self._of_metric(effect)):
            return 0.0
        told = direction(effect)
        if self.direction and told and told != self.direction:
            return 0.0
        wanted = self._wanted
        if not self.metrics:
            if not wanted.terms or wanted.topic(effect, context) < _MIN_TOPIC:
                return 0.0
            if wanted.topic(effect) < _MIN_OWN:  # headings alone say nothing of what it is of
                return 0.0
            return wanted.covered(effect, context)
        if not self._subjects:
            return 1.0
        topic = wanted.share_of(self._subjects, effect, context)
        if topic < _MIN_TOPIC:
            return 0.0
        return (topic * _TOPIC_WEIGHT + METRIC_WEIGHT) / (_TOPIC_WEIGHT + METRIC_WEIGHT)

    def _of_what(self) -> tuple[str, ...]:
        """The words that say of what: those before the metric, and nouns behind it. What else
        stands behind it says how it went."""
        wanted = self._wanted
        bare = fold(wanted.bare)
        metric = min(_places(wanted.bare), default=len(bare))
        return tuple(
            each
            for each in wanted.terms
            if not direction(each)
            and not (self.metrics and outcomes(each))
            and (bare.find(each) < metric or each in wanted.nouns)
        )

    def _of_metric(self, effect: str) -> bool:
        """Whether an effect names the metric asked about, and right before its cause no other."""
        last = [each for each in _CLAUSE.split(effect) if each.strip()][-1:]
        nearest = metrics_named("".join(last))
        if nearest and not nearest & (self.metrics | {_ANY}) and not moves_listed(effect):
            return False
        return bool(outcomes(effect) & (self.metrics | {_ANY}))


def outcomes(text: str) -> frozenset[str]:
    """The names of the metrics that a text speaks of, by their names or by words for results.

    >>> sorted(outcomes("为何亏了？")), sorted(outcomes("收入端"))
    (['net_profit', 'net_profit_attributable'], ['revenue'])
    """
    found = metrics_named(text)
    for metrics, pattern in _words():
        if pattern.search(text):
            found |= metrics
    return found


def _places(text: str) -> Iterator[int]:
    """Where a text speaks of results."""
    yield from (each.start for each in fact_metrics_in(text))
    for _, pattern in _words():
        yield from (match.start() for match in pattern.finditer(text))


@cache
def _words() -> tuple[tuple[frozenset[str], re.Pattern[str]], ...]:
    return tuple(
        (frozenset(row.listed("metrics")), re.compile(row["pattern"], re.IGNORECASE))
        for row in data_rows(_PATH, ("metrics", "language", "pattern", "meaning"))
    )
