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
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.clauses import CLAUSE_END
from finrag_pipeline.query.evidence.keys import Key
from finrag_pipeline.query.evidence.kinds import EvidenceItem, Quotable
from finrag_pipeline.query.evidence.places import squeeze
from finrag_pipeline.query.evidence.results import Result
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.query.grounding.names import Companies
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
#: What is of a whole country or industry, and of no company of it.
_OF_ALL = re.compile(
    r"全国|我国|全社会|全球|全行业|行业整体|全市场|nationwide|industry[- ]wide|global(?:ly)?\b",
    re.I,
)
#: The same as it is asked for.
_OF_ALL_ASKED = re.compile(
    rf"{_OF_ALL.pattern}|世界|国内|国际|海外|各国|中国|我们国家|咱们国家|行业|市场(?!部)",
    re.IGNORECASE,
)
#: Characters before a sentence in which a company that it speaks of may be named.
_REACH = 150
#: What names are written with or without: CAR-T, MVA BN.
_JOINED = re.compile(r"[\W_]+")
#: What stands over the firms of a table, one a row.
_FIRMS = re.compile(
    r"(?:可比|同业|对标|主要|上市|代表)?(?:公司|企业|厂商)(?:名称|简称|全称)?|(?:证券|股票)(?:名称|简称)|"
    r"(?:peer |comparable )?compan(?:y|ies)(?: name)?|peers?",
    re.IGNORECASE,
)
#: Characters that a question shares with the name of a firm that it means.
_SHARED = 2
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
        self._documents = asked.scope.catalogue.documents
        self._companies = Companies(asked.scope.catalogue)
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
        named = self._named(said)
        if not self._of_company(result.item, said, named, near=not timely) or self._is_peer(said):
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
            self._is_own(said, named),
            spoken=spoken or said.about,
        )

    def _named(self, said: Quotable) -> set[str]:
        """Companies that a quote is of: a row is of whom it names first, not of its customers."""
        known = [
            set(filter(self.wanted.is_known, each.keys))
            for each in self._companies.names_in(said.told)
        ]
        return set[str]().union(*([each for each in known if each][:1] if said.row else known))

    def _is_peer(self, said: Quotable) -> bool:
        """Whether a row of a table of firms is of one that a question for another does not name."""
        wanted = self.wanted
        if not (said.row and wanted.companies):
            return False
        firm = next((cell for heading, cell in said.row if _FIRMS.fullmatch(heading.strip())), "")
        known = {key for each in self._companies.names_in(firm) for key in each.keys}
        return bool(firm.strip()) and not (known & wanted.companies or _shares(wanted.bare, firm))

    def _is_own(self, said: Quotable, named: set[str]) -> bool:
        """Whether a quote is of no other company, nor of all companies together."""
        wanted = self.wanted
        if not wanted.companies:
            return True
        whole = not said.row and not named and not _OF_ALL_ASKED.search(wanted.question)
        if whole and any(
            _OF_ALL.search(clause) and wanted.covered(clause)
            for clause in CLAUSE_END.split(said.told)
        ):
            return False
        return not named or bool(named & wanted.companies)

    def _may(self, said: Quotable, rows: bool) -> bool:
        """Whether a quote is a sentence, or a row of a table where those are wanted."""
        short = len(said.told) <= _LONGEST_ROW
        return not said.row or (rows and short and self.wanted.covered(said.about) >= MIN_ROW)

    def is_surely_of_company(self, candidate: Candidate) -> bool:
        """Whether a quote names a company asked for or stands in a document on one, and is not
        taken to be of whom something else in its passage is: of any where none is asked for."""
        wanted = self.wanted.companies
        document = self.document(candidate.item)
        by_document = document is None or document.company in wanted
        return not wanted or by_document or bool(self._named(candidate.said) & wanted)

    def document(self, item: EvidenceItem) -> DocumentFacts | None:
        """The document in which a piece stands."""
        return self._documents.get(str(item.key.id[0]))

    def _of_company(
        self, item: EvidenceItem, said: Quotable, named: set[str], *, near: bool
    ) -> bool:
        """Whether a quote is about a company asked for: by its document, else by its words.

        Args:
            near: whether names may stand right before it.
        """
        wanted = self.wanted.companies
        if named & wanted:
            return True
        if strangers := self.wanted.strangers:
            return bool(strangers.find(f"{before(item, said)}{said.told}"))
        if not wanted:
            ahead = before(item, said) if near else ""
            held = fold(squeeze(f"{ahead}{said.told}{item.identity}"))
            # a name of several words is another one in Chinese: 新山资本; a figure needs it
            otherwise = not self.wanted.metrics and self.wanted.speaks_otherwise(said.told)
            return otherwise or all(each in held for each in self.wanted.full_names)
        document = self.document(item)
        if document is None:
            return True
        if document.company:
            return document.company in wanted
        # where documents are about nobody, who is named last is spoken of
        if named or not isinstance(item, ChunkItem):
            return False
        ahead = "\n".join([item.title or "", *item.section, item.text[: said.start]])
        spoken = self._companies.names_in(ahead)
        return bool(spoken) and bool(spoken[-1].keys & wanted)

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


def before(item: EvidenceItem, said: Quotable) -> str:
    """What stands right before a sentence in its passage: who is spoken of is named there once."""
    if said.row or not isinstance(item, ChunkItem):
        return ""
    return item.text[max(0, said.start - _REACH) : said.start]


def _shares(question: str, name: str) -> bool:
    """Whether a question has a part of a name: 川云 of 四川川云能源有限公司.

    >>> _shares("川云去年赚了多少", "四川川云能源有限公司"), _shares("产能利用率", "铄星半导体")
    (True, False)
    """
    asked, told = squeeze(fold(question)), squeeze(fold(name))
    return any(told[at : at + _SHARED] in asked for at in range(len(told) - _SHARED + 1))
