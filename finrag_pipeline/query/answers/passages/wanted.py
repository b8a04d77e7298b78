"""What a question wants of a passage, by type: whom, when, which metric, what kind of answer; and
the words that are left, which say the rest.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.grammar.fact_metrics import fact_metrics_in
from finrag_pipeline.grammar.periods import ReportingPeriod
from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.query.answers.passages.synonyms import Direction, direction, holds
from finrag_pipeline.query.answers.passages.times import Times
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.signals import is_general, wanted_kind
from finrag_pipeline.query.question.terms import (
    CONTEXT_SHARE,
    chance_pairs,
    missing,
    names,
    terms,
)
from finrag_pipeline.words import fold, search_words

_PATH = Path(__file__).with_name("kinds.csv")
_COLUMNS = ("kind", "language", "asked", "said", "meaning")
#: What a metric weighs beside words: as much as a rare one.
METRIC_WEIGHT = 6.0
#: Metrics that passages say for each other: who asks for profit is told that of the shareholders.
_NEAR = (
    frozenset({"revenue", "total_revenue"}),
    frozenset({"net_profit", "net_profit_attributable"}),
    frozenset({"gross_margin", "gross_profit"}),
    frozenset({"total_costs", "cost_of_sales"}),
)
_PLURAL = re.compile(r"(?<=[a-z]{3})(?<!s)s\b")
#: Words of documents and of asking that say nothing of what is asked.
_FORMS = re.compile(
    r"年报|年度报告|半年报|半年度报告|中报|[一三]?季报|季度报告|财报|公告|研报|研究报告|报告(?!期)|点评|"
    r"表现|怎么样|怎样|如何|怎么|情况|变化|变动|原因|缘由|为什么|为何|何以|主因|同比|环比|驱动因素|"
    r"是否|是不是|有没有|能否|会不会|吗|今年|去年|本期|当期|预计|多少|几[个家名款种台条张成]|"
    r"提到|认为|指出|显示|介绍|说明|具体|主要|什么|哪些|公司(?!债)|目前|最新|"
    r"\b(?:10-?[kq]|8-?k|annual report|earnings|report(?:ed)?|why|reasons?|explain|drivers?|drove|"
    r"caus(?:e|ed)|company|companys|change[ds]?|main|mainly|primary|key|year|quarter|fiscal|"
    r"compared|mention(?:ed|s)?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of answer: words that ask for it, and what a quote that is one has."""

    name: str
    asked: re.Pattern[str]
    said: re.Pattern[str]


@cache
def _kinds() -> tuple[Kind, ...]:
    return tuple(
        Kind(
            row["kind"],
            re.compile(row["asked"], re.IGNORECASE),
            re.compile(row["said"], 0 if row["kind"] in ("person", "place") else re.IGNORECASE),
        )
        for row in data_rows(_PATH, _COLUMNS)
    )


class Wanted:
    """What a question wants of a passage.

    Attributes:
        companies: `company_key`s of whom it names, with their other listings.
        publishers: houses whose words it asks for.
        times: when it asks for.
        metrics: names of the metrics that it asks for, and of those near them.
        kinds: of answer that it asks for.
        direction: whether what it asks about rose or fell.
        whether: whether it asks for yes or no.
    """

    def __init__(self, asked: Asked) -> None:
        scope = asked.scope
        reading, catalogue = scope.reading, scope.catalogue
        self.question = asked.question
        self.companies = frozenset(
            listing
            for named in reading.companies
            for key in named.keys
            for listing in catalogue.listings_of(key)
        )
        self.publishers = frozenset(key for named in reading.publishers for key in named.keys)
        year_end = next(filter(None, map(scope.year_end, sorted(self.companies))), None)
        self.times = Times(_meant(reading.periods), year_end)
        spans = {(each.start, each.end) for each in (*reading.companies, *reading.publishers)}
        spans |= {(each.start, each.end) for each in reading.periods if each.text}
        bare = _blanked(asked.question, spans)
        named = list(fact_metrics_in(bare))
        own = frozenset(each.metric.name for each in named)
        self.metrics = own | {name for near in _NEAR if near & own for name in near}
        #: The question without whom, when and which metric.
        self.rest = _blanked(bare, {(each.start, each.end) for each in named})
        self.kinds = tuple(each for each in _kinds() if each.asked.search(asked.question))
        self.direction: Direction = direction(self.rest)
        self.whether = wanted_kind(asked.question) == "boolean"

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """The words that are left of the question, but for those that only ask."""
        found = terms(_FORMS.sub(" ", self.rest))
        telling = [each for each in found if not is_general(each)]
        return tuple(telling or found)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Those of them without which a text is about something else."""
        found = names(_FORMS.sub(" ", self.rest))
        return tuple(each for each in found if not is_general(each))

    @cached_property
    def written_names(self) -> tuple[str, ...]:
        """Those names that are written as such: codes, and what has capitals. A Chinese word that
        texts seldom use may be anything."""
        return tuple(each for each in self.names if each.isascii())

    def without_chance(self, texts: Sequence[str]) -> None:
        """Leave out words that only join the end of a name to the next word."""
        by_chance = chance_pairs(self.question, texts)
        self.terms = tuple(each for each in self.terms if each not in by_chance)
        self.names = tuple(each for each in self.names if each not in by_chance)

    def lacking(self, texts: Sequence[str]) -> list[str]:
        """Its names that none of some texts has."""
        return missing(self.names, texts)

    def covered(self, text: str, context_words: Collection[str] = ()) -> float:
        """The share, 0 to 1, of what it wants that a text says; its context counts half."""
        text_words = set(search_words(text))
        total = found = 0.0
        for weight, said in self._said(text, text_words, context_words):
            total += weight
            found += weight * said
        if total:
            return found / total
        # nothing is left but whom and when: words do not decide
        return 1.0 if self.companies or self.publishers else 0.0

    def topic(self, text: str, context_words: Collection[str] = ()) -> float:
        """The same of its words alone, without the metric."""
        text_words = set(search_words(text))
        said = list(self._words_said(text_words, context_words))
        total = sum(weight for weight, _ in said)
        return sum(weight * each for weight, each in said) / total if total else 1.0

    def _said(
        self, text: str, text_words: Collection[str], context_words: Collection[str]
    ) -> Iterator[tuple[float, float]]:
        yield from self._words_said(text_words, context_words)
        if self.metrics:
            yield METRIC_WEIGHT, float(self.names_metric(text))

    def _words_said(
        self, text_words: Collection[str], context_words: Collection[str]
    ) -> Iterator[tuple[float, float]]:
        weights = WordWeights.packaged()
        for term in self.terms:
            if holds(term, text_words):
                said = 1.0
            else:
                said = CONTEXT_SHARE if holds(term, context_words) else 0.0
            yield weights.weight(term), said

    def names_metric(self, text: str) -> bool:
        """Whether a text names a metric asked for, by any of its names."""
        return bool(self.metrics & metrics_named(text))

    def of_kind(self, text: str) -> bool:
        """Whether a text says what kind of answer is asked for."""
        return all(each.said.search(text) for each in self.kinds)


def metrics_named(text: str) -> frozenset[str]:
    """The names of the metrics that a text names, in the singular or the plural.

    >>> sorted(metrics_named("Gross margins fell, 营收增长")), metrics_named("产能")
    (['gross_margin', 'revenue'], frozenset())
    """
    bare = fold(text)
    texts = {bare, _PLURAL.sub("", bare)}
    return frozenset(each.metric.name for text in texts for each in fact_metrics_in(text))


def _meant(periods: Sequence[ReportingPeriod]) -> tuple[ReportingPeriod, ...]:
    """The times that are asked for, without those that they are compared with: 同比."""
    written: dict[tuple[int, int], ReportingPeriod] = {}
    for each in periods:
        if each.text:
            written.setdefault((each.start, each.end), each)
    return tuple(written.values()) or tuple(periods[:1])


def _blanked(text: str, spans: Collection[tuple[int, int]]) -> str:
    for start, end in spans:
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text
