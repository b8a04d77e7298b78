"""What a question wants of a passage, by type: whom, when, which metric, what kind of answer; and
the words that are left, which say the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from finrag_pipeline.grammar.fact_metrics import fact_metrics_in
from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.query.answers.passages.across import Across
from finrag_pipeline.query.answers.passages.called import (
    full_names,
    named_by_code,
    own_names,
    whole_name,
)
from finrag_pipeline.query.answers.passages.kinds import kinds
from finrag_pipeline.query.answers.passages.measured import (
    heads_of,
    is_counted,
    is_wide,
    measured_of,
    topics_of,
)
from finrag_pipeline.query.answers.passages.saying import (
    blanked,
    gives,
    meant_times,
    metrics_named,
    weighed,
    with_near,
    without_asking,
)
from finrag_pipeline.query.answers.passages.synonyms import Direction, Text, direction, grouped_in
from finrag_pipeline.query.answers.passages.times import Times
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.placed import PLACE
from finrag_pipeline.query.question.signals import asks_figure, cue, is_general, wanted_kind
from finrag_pipeline.query.question.tagging import firms_in, nouns_besides
from finrag_pipeline.query.question.terms import (
    CONTEXT_SHARE,
    needed_names,
    terms,
)
from finrag_pipeline.words import fold, is_chinese, segmenter, words

#: What a metric weighs beside words: as much as a rare one.
METRIC_WEIGHT = 6.0
#: Tags of words that name something: nouns, verbs that serve as such, places.
_NOUN = re.compile("n|j|l|i|s|vn|eng")
#: Nothing stands around a text.
NOTHING = Text("")
#: What parts the things that a question asks.
_PARTED = re.compile(r"[，,；;、？?]|以及|并且|\band\b")
#: What calls a kind of places and none of them: 城市, 落后地区, and not 台湾地区.
_KIND_OF_PLACES = re.compile(r"(?P<which>.*?)(?:城市|城镇|地区|国家|区域|省份)$")
#: Tags of names of places, organisations and other things.
_OF_THINGS = frozenset((PLACE, "nt", "nz"))
#: What goes on behind a time: 25年三季度末, 2024年报时.
_OF_TIME = re.compile(
    r"(?:[末底初]|以来|至今|以后|报告?(?![酬价销表关废案名复]))?(?:披露|发布|公布)?(?:时点?(?![间长速效])|里面?|期间|[上当]中)?"
)
_NUMBER = re.compile(r"[\d.%]+$")
#: Words for how much that stand behind a metric and say no more of it.
_AMOUNTS = frozenset(
    ("余额", "金额", "总额", "数额", "额度", "合计", "水平", "多高", "比重", "占比")
)


#: A name in Latin letters as people write it.
_PROPER = re.compile(r"(?<![A-Za-z])[A-Z][a-z]+[A-Za-z]{2,}(?![A-Za-z])")


def _is_kind(place: str) -> bool:
    """Whether a word for where something is calls a kind of places.

    >>> _is_kind("城市"), _is_kind("落后地区"), _is_kind("台湾地区"), _is_kind("绍兴")
    (True, True, False, False)
    """
    kind = _KIND_OF_PLACES.match(place)
    return kind is not None and all(tag != PLACE for _, tag in segmenter().tag(kind["which"]))


class Wanted:
    """What a question wants of a passage.

    Attributes:
        companies: `company_key`s of whom it names, with their other listings.
        strangers: how companies are written that it names and no document is about; None where it
            names none, or one that documents are about.
        publishers: houses whose words it asks for.
        outsiders: houses whose words it asks for and no document is by.
        notes: ids of the notes of houses that it means.
        firms: names of firms that no registry has, where it names none that documents are about.
        times: when it asks for.
        metrics: names of the metrics that it asks for, and of those near them.
        kinds: of answer that it asks for.
        rows: whether rows of tables are of such a kind.
        direction: whether what it asks about rose or fell.
        whether: whether it asks for yes or no.
    """

    def __init__(self, asked: Asked) -> None:
        scope = asked.scope
        reading, catalogue = scope.reading, scope.catalogue
        self.question = asked.question
        self._chinese = is_chinese(asked.question)
        self._as_of = asked.where.as_of
        self._catalogue = catalogue
        companies = [each for each in reading.companies if any(map(self.is_known, each.keys))]
        self.companies = frozenset(
            listing
            for named in companies
            for key in named.keys
            for listing in catalogue.listings_of(key)
        )
        self.publishers = frozenset(key for named in reading.publishers for key in named.keys)
        self.outsiders = tuple(fold(each.keys[0]) for each in reading.outsiders)
        self.notes = reading.notes
        apart = (*companies, *reading.strangers, *reading.publishers, *reading.outsiders)
        self.firms = () if companies else tuple(firms_in(asked.question, apart))
        self._year_end = next(filter(None, map(scope.year_end, sorted(self.companies))), None)
        self._periods = meant_times(asked.question, reading.periods)
        self.times = Times(self._periods, self._year_end)
        named = () if companies else reading.strangers
        self.strangers = catalogue.registered.naming(named) if named else None
        whom = (*own_names(asked.question, companies), *named, *reading.publishers)
        spans = {whole_name(asked.question, each.start, each.end) for each in whom}
        spans |= {
            (each.start, behind.end())
            for each in reading.periods
            if each.text and (behind := _OF_TIME.match(asked.question, each.end))
        }
        # a name before the code of its company is that company's, FTE（全时当量） nobody's
        spans |= {
            (start, end)
            for start, end in named_by_code(asked.question)
            if any(start <= each.start < end for each in (*whom, *reading.outsiders))
        }
        bare = blanked(asked.question, spans)
        measured = [each for each in fact_metrics_in(bare) if not gives(asked.question, each.end)]
        self.metrics = with_near(each.metric.name for each in measured)
        #: The question without whom and when, as long as it is.
        self.bare = bare
        #: The question without whom, when and which metric.
        self.rest = blanked(bare, {(each.start, each.end) for each in measured})
        self._metric_spans = [(each.start, each.end) for each in measured]
        self.kinds = tuple(each for each in kinds() if each.asked.search(asked.question))
        self.rows = any(each.rows for each in self.kinds)
        self.direction: Direction = direction(self.rest)
        # who asks which ones, too, is not answered by yes or no
        more = (
            cue("asks_what", asked.question)
            and len(_PARTED.split(asked.question.rstrip("？?"))) > 1
        )
        self.whether = wanted_kind(asked.question) == "boolean" and not more

    def is_known(self, company: str) -> bool:
        """Whether a document about a company was published by the day asked for."""
        documents = self._catalogue.by_company.get(company, ())
        day = self._as_of
        return any(day is None or each.row.published_on <= day for each in documents)

    @property
    def open(self) -> bool:
        """Whether it asks for no kind of answer: what is done, how it is, what it is about."""
        return not (self.kinds or self.metrics or self.whether)

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """The words that are left of the question, but for those that only ask."""
        rest = without_asking(self.rest)
        cut = terms(rest)  # 科技市占率 is cut into 科技市 and 占率
        grouped = [
            each
            for each in grouped_in(rest)
            if len(segmenter().cut(each, False)) > 1 or each not in cut
        ]
        for each in grouped:
            rest = rest.replace(each, " ")
        found = [each for each in terms(rest) if not _NUMBER.match(each)]
        found += nouns_besides(rest, (*grouped, *found))
        telling = [each for each in (*grouped, *found) if not is_general(each)]
        if self.metrics:  # 合同负债余额 is what contracts owe
            telling = [each for each in telling if each not in _AMOUNTS]
            found = [each for each in found if each not in _AMOUNTS]
        return tuple(dict.fromkeys(telling or found))

    @cached_property
    def nouns(self) -> frozenset[str]:
        """Those of them that name something."""
        rest = without_asking(self.rest)
        tagged = {
            word
            for piece in rest.split()
            for word, tag in segmenter().tag(piece)
            if _NOUN.match(tag)
        }
        return frozenset(each for each in self.terms if each.isascii() or each in tagged)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Those of them without which a text is about something else."""
        found = needed_names(without_asking(self.rest))
        if is_chinese(self.question):
            # ModMed in a Chinese question is somebody's name, however common its parts
            found += (each for word in _PROPER.findall(self.rest) for each in words(word))
        return tuple(each for each in dict.fromkeys(found) if not is_general(each))

    @cached_property
    def whole_names(self) -> tuple[str, ...]:
        """Those names, with the words that a run of characters was cut into beside them: 负变更 is
        负变 and 变更."""
        beside = [
            each
            for each in self.terms
            if any(each[:1] == name[-1:] or each[-1:] == name[:1] for name in self.names)
        ]
        return tuple(dict.fromkeys([*self.names, *beside]))

    @cached_property
    def _tags(self) -> dict[str, str]:
        return {word: tag for word, tag in segmenter().tag(without_asking(self.rest))}

    @cached_property
    def places(self) -> tuple[str, ...]:
        """Those names that are of places: 绍兴 in 绍兴分行."""
        named = (each for each in self.names if self._tags.get(each) == PLACE)
        return tuple(each for each in named if not _is_kind(each))

    @cached_property
    def proper_names(self) -> tuple[str, ...]:
        """Those names that are of places and things, or written in Latin letters; for people words
        of the language are taken too often."""
        # in a Chinese question all that is written in Latin letters is a name
        latin = self.terms if is_chinese(self.question) else self.names
        proper = [each for each in self.names if self._tags.get(each) in _OF_THINGS]
        return tuple(dict.fromkeys([*proper, *(each for each in latin if each.isascii())]))

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """Words that say which business, project or the like is asked about: those before 业务 or
        项目 that texts seldom use. Documents that answer it write them."""
        if not is_chinese(self.question):
            return ()
        nouns = [each for each in self.terms if each in self.nouns]
        return topics_of(fold(self.question), self.terms, nouns)

    @cached_property
    def counted(self) -> tuple[str, ...]:
        """Nouns that texts seldom use and that a figure is asked of: 煤炭 in 煤炭产量. Documents
        that print the figure write them, in their own language."""
        if not (is_chinese(self.question) and asks_figure(self.question) and self._in_chinese):
            return ()
        nouns = (each for each in self.terms if each in self.nouns and not direction(each))
        return tuple(each for each in nouns if is_counted(each))

    @cached_property
    def head(self) -> tuple[str, ...]:
        """The words that name the figure itself, right before what asks for it: 胜率 in
        组合的月度胜率是多少; empty where a metric does, or nothing is asked so."""
        if self.metrics or not is_chinese(self.question):
            return ()
        return heads_of(self.rest, self.terms)

    @cached_property
    def measured(self) -> tuple[str, ...]:
        """The words that say of what a figure is asked: 天然气 in 天然气产量."""
        known = self._in_chinese or not self.companies
        if not (is_chinese(self.question) and asks_figure(self.question) and known):
            return ()
        words = [each for each in self.terms if not direction(each)]
        found = measured_of(self.bare, self._metric_spans, words)
        return found if self.companies else tuple(each for each in found if not is_wide(each))

    @property
    def _in_chinese(self) -> bool:
        """Whether companies are asked of, and called in Chinese: others file in English."""
        names = [self._catalogue.name_of(each) for each in self.companies]
        return bool(names) and not any(name.isascii() for name in names)

    @cached_property
    def full_names(self) -> tuple[str, ...]:
        """English names of several words, as they have to be written: WuXi Biologics is not the
        biology of WuXi."""
        return tuple(full_names(self.rest))

    @cached_property
    def written_names(self) -> tuple[str, ...]:
        """Those names that are written as such: codes, and what has capitals. A Chinese word that
        texts seldom use may be anything."""
        return tuple(each for each in self.names if each.isascii())

    def without_metrics(self, text: str) -> str:
        """A text without the names of metrics."""
        return blanked(text, {(each.start, each.end) for each in fact_metrics_in(text)})

    def covered(self, text: str, context: Text = NOTHING) -> float:
        """The share, 0 to 1, of what it wants that a text says; its context counts half."""
        shares = list(self._said(self.terms, self.text(text), context))
        if self.metrics:
            shares.append((METRIC_WEIGHT, float(self.names_metric(text))))
        if shares or self.terms:
            return weighed(shares)
        # nothing is left but whom and when: words do not decide
        return 1.0 if self.companies or self.publishers else 0.0

    def topic(self, text: str, context: Text = NOTHING) -> float:
        """The same of the words that tell of what: without the metric, and whether it rose."""
        subject = [each for each in self.terms if not direction(each)]
        shares = list(self._said(subject, self.text(text), context))
        return weighed(shares) if subject else 1.0

    def times_between(self, start: int, end: int) -> Times:
        """The times that a part of the question asks for."""
        own = [each for each in self._periods if start <= each.start < end and each.text]
        return Times(own, self._year_end)

    def times_outside(self, spans: Sequence[tuple[int, int]]) -> Times:
        """The times that the question asks for outside of some parts of it."""
        own = [
            each
            for each in self._periods
            if not any(start <= each.start < end for start, end in spans if each.text)
        ]
        return Times(own, self._year_end)

    def share_of(
        self,
        terms: Sequence[str],
        text: str,
        context: Text = NOTHING,
        metrics: frozenset[str] = frozenset(),
    ) -> float:
        """The share, 0 to 1, of the weight of some of its words and metrics that a text says."""
        shares = list(self._said(terms, self.text(text), context))
        if metrics:
            shares.append((METRIC_WEIGHT, float(bool(with_near(metrics) & metrics_named(text)))))
        return weighed(shares)

    def _said(
        self, terms: Sequence[str], text: Text, context: Text
    ) -> Iterator[tuple[float, float]]:
        if text.across:
            yield from self._across.said(terms, text, context)
            return
        weights = WordWeights.packaged()
        for term in terms:
            said = 1.0 if text.has(term) else CONTEXT_SHARE if context.has(term) else 0.0
            yield weights.weight(term), said

    def speaks_otherwise(self, text: str) -> bool:
        """Whether a text is Chinese and the question is not."""
        return not self._chinese and is_chinese(text)

    def text(self, text: str) -> Text:
        """A text as the terms of the question are looked for in it."""
        return Text(text, across=self.speaks_otherwise(text))

    @cached_property
    def _across(self) -> Across:
        as_written = (each for each in self.terms if each in self.names or not each.isalpha())
        return Across(terms(self.rest), as_written)

    def names_metric(self, text: str) -> bool:
        """Whether a text names a metric asked for, by any of its names."""
        return bool(self.metrics & metrics_named(text))

    def of_kind(self, text: str) -> float:
        """The share, 0 to 1, of the kinds of answer asked for that a text is one of."""
        if not self.kinds:
            return 1.0
        return sum(bool(each.said.search(text)) for each in self.kinds) / len(self.kinds)

    def named(self, text: str, context: Text) -> int:
        """How many of the topics and written names asked for a text or its context has."""
        said = self.text(text)
        names = {*self.written_names, *self.topics}
        return sum(
            said.has_name(each) or context.has_name(each) or (said.across and said.sounds(each))
            for each in names
        )
