"""Quotes of evidence that agree by type with what a question wants: whom, when, which house.

Which of them answers best is `choosing`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from finrag_pipeline.models.embedding import Vectors
from finrag_pipeline.query.answers.passages.belonging import names_firms, of_house, text_of
from finrag_pipeline.query.answers.passages.spoken import spoken_of
from finrag_pipeline.query.answers.passages.synonyms import Text, others
from finrag_pipeline.query.answers.passages.times import Time
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.answers.passages.whose import Whose
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.keys import Key
from finrag_pipeline.query.evidence.kinds import EvidenceItem, Quotable
from finrag_pipeline.query.evidence.places import squeeze
from finrag_pipeline.query.evidence.results import Result
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.query.question.signals import asks_figure
from finrag_pipeline.query.question.terms import missing
from finrag_pipeline.query.weights import SENTENCE_RANK
from finrag_pipeline.words import fold

#: Quotes that are compared by type and vector; those that cover most words go first.
MOST_COMPARED = 60
_DIGIT = re.compile(r"[\d〇一二三四五六七八九十百千]")
#: What may go wrong is no answer to what is.
_RISKS = re.compile(
    r"不(?:及|达|如)预期(?:[、，的；。]|$)|风险(?:提示|因素)?[。；;：:]?$|^风险提示"
)
_RISKS_ASKED = re.compile(r"风险|不确定|隐患|risk", re.IGNORECASE)
#: What makes another figure of a metric: 人均薪酬 is not what is owed to staff.
_PER = re.compile(
    r"[人户店]均|每(?:人|户|店|吨|片|台|辆|平)|单(?:店|吨|片|台|车)|"
    r"\bper (?:capita|head|employee|store|unit|ton|user|customer)|\baverage\b",
    re.IGNORECASE,
)
#: The same as texts say it: 平均晶圆价格 is what one costs.
_EACH = re.compile(rf"{_PER.pattern}|平均|均价", re.IGNORECASE)
#: Share of what is wanted that a row's own label and headings say: any row has figures.
MIN_ROW = 0.5
#: Share of what is wanted that a passage has to say to be about it where no line says enough.
_MIN_ABOUT = 0.25
#: What names are written with or without: CAR-T, MVA BN.
_JOINED = re.compile(r"[\W_]+")
#: Characters of a row that is one of a table, and not a page that was read as a table.
_LONGEST_ROW = 300


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may be quoted.

    Attributes:
        covered: share of what is wanted that it says.
        topic: the same of its words alone, without the metric.
        time: how far it is of the time asked for.
        metric: whether it names the metric asked for; true where none is.
        kind: the share of the kinds of answer asked for that it is one of.
        own: whether it names no other company than those asked for.
        strength: how surely it says what is asked for, beside all this.
        spoken: what it says, with the sentence that it goes on with.
    """

    result: Result
    said: Quotable
    covered: float
    topic: float
    time: Time
    metric: bool
    kind: float
    own: bool
    strength: float = 0.0
    spoken: str = ""

    @property
    def item(self) -> EvidenceItem:
        return self.result.item

    @property
    def document_id(self) -> str:
        return str(self.item.key.id[0])


class Reading:
    """Results as a question reads them.

    Args:
        asked: the question.
        results: ranked evidence with the text of its pages.
    """

    def __init__(self, asked: Asked, results: Sequence[Result]) -> None:
        self.wanted = Wanted(asked)
        self.results = results
        self.asked = asked
        self.comparer = asked.comparer
        self._about: dict[Key, bool] = {}
        self._vectors: dict[str, Vectors] = {}
        self._whose = Whose(self.wanted, asked.scope.catalogue)
        self._per = bool(_PER.search(asked.question))

    def candidates(
        self, *, rows: bool, timely: bool = True, figures: bool = False
    ) -> list[Candidate]:
        """Quotes that agree with whom and when, those that cover most first.

        Args:
            rows: whether rows of tables may be quoted.
            timely: whether those of other times are left out, and passages that have fewer of the
                names that are asked for than others: whoever judges both needs them.
            figures: whether those without a figure are left out.
        """
        wanted = self.wanted
        found: list[tuple[float, Result, Quotable, str]] = []
        figure = asks_figure(wanted.question)
        for result in self.meant() if timely else self._of_houses():
            context: dict[str, Text] = {}
            quotes = [each for each in result.item.quotes(wanted.question) if self._may(each, rows)]
            for said, spoken in spoken_of(quotes, figure=figure):
                if squeeze(said.quote) in squeeze(getattr(result.item, "title", None) or ""):
                    continue
                if said.context not in context:
                    # what stands around a name in a document on another company is about that one
                    around = "" if wanted.strangers else said.context
                    context[said.context] = wanted.text(around)
                if figures and not _DIGIT.search(said.told):
                    continue
                covered = wanted.covered(spoken, context[said.context])
                found.append((covered, result, said, spoken))
        found.sort(key=lambda each: -(each[0] + 1 / (SENTENCE_RANK + each[1].rank)))
        candidates = (self.candidate(*each, timely=timely) for each in found[:MOST_COMPARED])
        return [each for each in candidates if each is not None]

    def candidate(
        self,
        covered: float,
        result: Result,
        said: Quotable,
        spoken: str = "",
        *,
        when: str = "",
        timely: bool = True,
    ) -> Candidate | None:
        """A quote with how far it agrees; None where it is of someone, some time or some measure
        else.

        Args:
            spoken: what it says with what it goes on with; empty: that is itself.
            when: the time of which it is; empty: what it says tells.
            timely: whether it has to be of no other time than is asked for.
        """
        if _RISKS.search(said.quote) and not _RISKS_ASKED.search(self.wanted.question):
            return None
        if self._per and not _EACH.search(f"{said.told}\n{said.context}"):
            return None
        named = self._whose.named(said)
        if not self._whose.of_company(result.item, said, named, near=not timely):
            return None
        time = self._time(result.item, replace(said, told=when, row=()) if when else said)
        if timely and time <= Time.BEFORE:
            return None
        wanted = self.wanted
        return Candidate(
            result,
            said,
            covered,
            wanted.topic(spoken or said.about, wanted.text(said.context)),
            time,
            not wanted.metrics or wanted.names_metric(said.about),
            wanted.of_kind(said.told),
            self._whose.is_own(said, named),
            spoken=spoken or said.about,
        )

    def _may(self, said: Quotable, rows: bool) -> bool:
        """Whether a quote is a sentence, or a row of a table where those are wanted."""
        short = len(said.told) <= _LONGEST_ROW
        return not said.row or (rows and short and self.wanted.covered(said.about) >= MIN_ROW)

    def document(self, item: EvidenceItem) -> DocumentFacts | None:
        """The document in which a piece stands."""
        return self._whose.document(item)

    def is_own_up_to(self, candidate: Candidate, end: int) -> bool:
        """Whether a quote of a document on a company asked for names no other up to a place:
        在手订单26.73亿元 is its own, though 为衡岳温控的近两倍 stands behind."""
        said = replace(candidate.said, told=candidate.said.told[:end])
        own = self._whose.is_own(said, self._whose.named(said))
        return own and self._whose.is_surely_of_company(candidate.item, said)

    def is_surely_of_company(self, candidate: Candidate) -> bool:
        """Whether a quote names a company asked for or stands in a document on one, and is not
        taken to be of whom something else in its passage is: of any where none is asked for."""
        return self._whose.is_surely_of_company(candidate.item, candidate.said)

    def _time(self, item: EvidenceItem, said: Quotable) -> Time:
        headings = " ".join(heading for heading, _ in said.row)
        ahead = (item.caption or "") if isinstance(item, TableItem) else ""
        if isinstance(item, ChunkItem):
            ahead = "\n".join([*item.section, item.text[: said.start]])
        text = f"{said.told} {headings}".strip()
        return self.wanted.times.of(text, ahead, self.document(item))

    def meant(self) -> Iterator[Result]:
        """The results of the houses asked for that have the most of the names asked for."""
        wanted = self.wanted
        # where it names a company that documents are about, other words may be put otherwise
        named = wanted.written_names if wanted.companies else wanted.names
        results = self._of_houses()
        counts = [len(named) - len(missing(named, [text_of(each)])) for each in results]
        most = max(counts, default=0)
        for result, count in zip(results, counts, strict=True):
            if count == most:
                yield result

    def _of_houses(self) -> list[Result]:
        """The results of the houses and firms asked for."""
        return [
            each
            for each in self.results
            if of_house(self.wanted, each.item) and names_firms(self.wanted, text_of(each))
        ]

    def is_about(self, result: Result) -> bool:
        """Whether a piece as a whole says what is asked about: some of its words, and the names of
        people, places and things."""
        if result.item.key not in self._about:
            self._about[result.item.key] = self._is_about(result)
        return self._about[result.item.key]

    def _is_about(self, result: Result) -> bool:
        wanted, (text, around) = self.wanted, (result.text, result.item.identity)
        held = _JOINED.sub("", fold(f"{around}\n{text}"))
        named = all(
            any(_JOINED.sub("", fold(way)) in held for way in (each, *others(each)))
            for each in wanted.proper_names
        )
        return named and wanted.covered(text, wanted.text(around)) >= _MIN_ABOUT

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what may be told, row by row; each text is embedded once."""
        new = [each for each in dict.fromkeys(texts) if each not in self._vectors]
        self._vectors.update(zip(new, self.comparer.embed_passages(new), strict=True))
        return np.stack([self._vectors[each] for each in texts])
