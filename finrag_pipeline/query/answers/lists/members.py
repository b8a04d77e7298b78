"""Companies, houses or reports of which something holds: the best clause of each that says it.

What a clause has to say is `predicates`', how lines are told the writer's.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from finrag_pipeline.grammar.publishers import publishers
from finrag_pipeline.query.answers.predicates import Predicate
from finrag_pipeline.query.answers.quotes import Quote
from finrag_pipeline.query.answers.times import of_time
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.clauses import split
from finrag_pipeline.query.evidence.places import locate
from finrag_pipeline.query.evidence.results import Result
from finrag_pipeline.query.grounding.names import Companies
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.store.graph.graph_chunks import ChunkKey, NamedCompany

#: Share of what is asked that a clause, with what stands over it, has to say.
_MIN_SHARE = 0.6
_LEAST, _LONGEST = 6, 400
#: Characters from which the beginning of a company's name means the whole.
_LEAST_SHARED = 3
#: Under such headings stands what would be done, not what was.
_POLICIES = re.compile(
    r"会计政策|会计估计|accounting polic|免责|法律声明|disclaimer", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Member:
    """One that qualifies, by its best clause.

    Attributes:
        key: whom or what it is, the same for all its names.
        name: as it is told.
        share: of what is asked that the clause says.
        rank: of the passage.
    """

    key: str
    name: str
    quote: Quote
    share: float
    rank: int
    document: DocumentFacts | None
    title: str

    @property
    def order(self) -> tuple[float, int, int]:
        """Those that say most first, newest first among equals."""
        day = self.document.row.published_on if self.document else date.min
        return (-round(self.share, 1), -day.toordinal(), self.rank)


class Members:
    """Reads who or what qualifies out of passages.

    Args:
        kind: company, house or report.
        named: companies that chunks name, where the documents are about others or nobody.
        houses: whose documents alone are meant; empty: anybody's.
    """

    def __init__(
        self,
        asked: Asked,
        kind: str,
        predicate: Predicate,
        named: Mapping[ChunkKey, Sequence[NamedCompany]],
        houses: frozenset[str] = frozenset(),
    ) -> None:
        self._kind = kind
        self._predicate = predicate
        self._named = named
        self._catalogue = asked.scope.catalogue
        self._companies = Companies(self._catalogue)
        self._periods = asked.scope.reading.periods
        self._of = {key for each in asked.scope.reading.companies for key in each.keys}
        self._by = houses

    def find(self, results: Iterable[Result]) -> list[Member]:
        """Each that qualifies once, the best first."""
        best: dict[str, Member] = {}
        for result in results:
            for member in self._of_result(result):
                held = best.get(member.key)
                if held is None or member.order < held.order:
                    best[member.key] = member
        told: list[Member] = []
        for member in sorted(best.values(), key=lambda each: each.order):
            if not any(_one_name(member.name, each.name) for each in told):
                told.append(member)
        return told

    def _of_result(self, result: Result) -> Iterator[Member]:
        item = result.item
        if not isinstance(item, ChunkItem):
            return
        document = self._catalogue.documents.get(item.document_id)
        if document and self._of and document.company not in self._of:
            return
        if any(_POLICIES.search(each) for each in item.section):
            return
        if document and self._by and document.row.broker not in self._by:
            return
        around = "\n".join([*item.section[-2:], item.title or ""])
        for sentence in split(item.text):
            if not _LEAST <= len(sentence) <= _LONGEST:
                continue
            said = self._predicate.said(sentence, around)
            if said is None or said.share < _MIN_SHARE:
                continue
            if not of_time(self._periods, sentence, document):
                continue
            places = locate(said.text, item.regions_text)
            if not places:
                continue
            quote = Quote(item, said.text, places)
            for key, name in self._whose(item, document, sentence, said.text):
                if self._kind == "company" and self._writes(name, item):
                    continue  # who writes is not of whom it is written
                yield Member(
                    key, name, quote, said.share, result.rank, document, item.title or item.source
                )

    def _writes(self, name: str, item: ChunkItem) -> bool:
        return name in (item.broker or "") or name in publishers()

    def _whose(
        self, item: ChunkItem, document: DocumentFacts | None, sentence: str, clause: str
    ) -> Iterable[tuple[str, str]]:
        if self._kind == "report":
            return [(item.document_id, item.title or item.source)]
        if self._kind == "house":
            return [(item.broker, item.broker)] if item.broker else []
        return self._subjects(item, document, sentence, clause)

    def _subjects(
        self, item: ChunkItem, document: DocumentFacts | None, sentence: str, clause: str
    ) -> Iterable[tuple[str, str]]:
        """Whom a clause speaks of: those that it names, else those named last before it, else whom
        its document is about."""
        at = item.text.find(sentence)
        start = at + max(sentence.find(clause), 0)
        named = [
            (each.start_at, each.key, each.name)
            for each in self._named.get((item.document_id, item.revision, int(item.key.id[2])), ())
            if at <= each.start_at < start + len(clause)
        ]
        for name in self._companies.names_in(sentence):
            key = self._one(name.keys)
            named.append((at + name.start, key, self._catalogue.name_of(key)))
        named = [(place, self._known(key, name), name) for place, key, name in named]
        own = document.company if document else ""
        inside = {key: name for place, key, name in named if place >= start}
        if inside and not (own and own in inside):
            # who is named in the clause itself, if the clause opens with it or nobody else is meant
            first = min(place for place, _, _ in named if place >= start)
            if not own or first - start <= 2:
                return inside.items()
        if own:
            return [(own, self._catalogue.name_of(own))]
        return [max(named)[1:]] if named else []

    def _one(self, keys: Iterable[str]) -> str:
        """One key for all listings of a company."""
        return min(other for key in keys for other in self._catalogue.listings_of(key))

    def _known(self, key: str, name: str) -> str:
        found = self._catalogue.companies.find(name)
        return self._one(found[0].keys) if found and found[0].text == name else key


def _one_name(one: str, other: str) -> bool:
    """Whether a name is another, or its beginning: 星河新材 and 星河新材科技.

    >>> _one_name("星河新材", "星河新材科技"), _one_name("星河", "星河新材")
    (True, False)
    """
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) >= _LEAST_SHARED and long.startswith(short))


def chunk_keys(results: Iterable[Result]) -> list[ChunkKey]:
    """The chunks among some results."""
    items = [each.item for each in results if isinstance(each.item, ChunkItem)]
    return [(each.document_id, each.revision, int(each.key.id[2])) for each in items]


def by_chunk(found: Iterable[NamedCompany]) -> Mapping[ChunkKey, Sequence[NamedCompany]]:
    """Companies by the chunks that name them."""
    held: defaultdict[ChunkKey, list[NamedCompany]] = defaultdict(list)
    for each in found:
        held[each.chunk].append(each)
    return held
