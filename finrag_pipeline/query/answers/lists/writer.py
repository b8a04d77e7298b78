"""The writer of lists: a line for each company, house, report or item that qualifies, cited.

Who qualifies is `members`', what passages list `items`', what the graph relates `related`.
"""

from __future__ import annotations

from collections.abc import Sequence

from finrag_pipeline.query.answers.lists.asking import RELATED, ListQuestion, read_list
from finrag_pipeline.query.answers.lists.items import find_items, is_asked, merged
from finrag_pipeline.query.answers.lists.listed import Item
from finrag_pipeline.query.answers.lists.members import Member, Members, by_chunk, chunk_keys
from finrag_pipeline.query.answers.lists.related import Whose, find_related, read_whose
from finrag_pipeline.query.answers.predicates import Predicate
from finrag_pipeline.query.answers.quotes import Quote, Quotes, quoted
from finrag_pipeline.query.answers.writers import Draft, Search
from finrag_pipeline.query.evidence.results import Result, SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.signals import cue
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.graph import graph_chunks
from finrag_pipeline.words import is_chinese

#: Companies that qualify: from as many on no list of names is looked for.
_FEW = 3
#: Passages that are looked through for the noun as a heading.
_FURTHER = 30
_HEADING_ZH, _HEADING_EN = "{noun}名称 {noun}情况", "name of {noun}"
_WAY = "a line for each that qualifies among {count} passages"


class ListWriter:
    """Writes lists out of passages.

    Args:
        reader: of an open store.
        search: finds the tables that name what is listed.
    """

    def __init__(self, reader: Reader, search: Search) -> None:
        self._reader = reader
        self._search = search

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """A draft; None where the question asks for no list or nothing qualifies."""
        question = read_list(asked)
        if question is None:
            return None
        lines = _Lines(is_chinese(asked.question))
        members = self._members(asked, question, found) if question.noun.of_documents else ()
        items = () if question.noun.kind in ("house", "report") else None
        if items is None and len(members) < _FEW:
            items = self._items(asked, question, found)
        # who is listed by name is told by that list, unless more qualify by what is said of them
        if items and len(items) > len(members):
            for item in items:
                lines.item(item)
        else:
            for member in members:
                lines.member(member, question.noun.kind)
        if not lines.told:
            return None
        return Draft(
            "\n".join(lines.told),
            tuple(lines.quotes.made),
            lines.quotes.sources,
            way=_WAY.format(count=len(found.results)),
            kind="names",
            value={"names": lines.names},
        )

    def _members(
        self, asked: Asked, question: ListQuestion, found: SearchResult
    ) -> Sequence[Member]:
        predicate = Predicate(question.rest, supposed="risk" in question.kinds)
        if not predicate.wanted:
            return ()
        with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            named = graph_chunks.companies_in(connection, chunk_keys(found.results))
        houses = frozenset(name for name, _, _ in question.houses)
        members = Members(asked, question.noun.kind, predicate, by_chunk(named), houses)
        # whom a company bought, it is none of itself
        return [each for each in members.find(found.results) if not is_asked(asked, each.name)]

    def _tables(self, asked: Asked, question: ListQuestion) -> Sequence[Result]:
        """What a search for the noun as a heading finds in the documents of a company."""
        catalogue = asked.scope.catalogue
        keys = [key for each in asked.scope.reading.companies for key in each.keys]
        documents = [each for key in keys for each in catalogue.by_company.get(key, ())]
        if not documents or not question.noun.text:
            return ()
        ids = tuple(dict.fromkeys(each.document_id for each in documents))
        heading = _HEADING_ZH if is_chinese(asked.question) else _HEADING_EN
        times = " ".join(each.text for each in asked.scope.reading.periods)
        words = f"{times} {heading.format(noun=question.noun.text)} {question.rest}"
        _, found = self._search(asked, words, most=_FURTHER, document_ids=ids)
        return found.results

    def _items(self, asked: Asked, question: ListQuestion, found: SearchResult) -> Sequence[Item]:
        results = [*found.results, *self._tables(asked, question)]
        with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            companies: set[str] | None = None
            whose = read_whose(connection, asked) if question.noun.kind in RELATED else Whose()
            if question.noun.kind == "company":
                named = graph_chunks.companies_in(connection, chunk_keys(found.results))
                companies = {each.name for each in named}
            listed, headed = find_items(asked, question, results, companies, whose.names)
            related = find_related(connection, asked, question.noun.kind, whose)
        if question.noun.kind in RELATED and cue("largest", asked.question):
            return related  # in no list of several
        if not related or (headed and len(listed) > len(related)):
            return listed
        # relations have no shares, no order and no time
        ordered = question.ranking.most or asked.scope.reading.periods
        if question.ranking.amounts or (listed and ordered):
            return listed
        # a list that has one of them has others of their kind
        known = {each.spelled for each in related}
        joined = listed if any(each.spelled in known for each in listed) else []
        return merged((*related, *joined))


class _Lines:
    """Lines of a list as they are told, with what they cite."""

    def __init__(self, chinese: bool) -> None:
        self._chinese = chinese
        self.quotes = Quotes()
        self.told: list[str] = []
        self.names: list[str] = []

    def member(self, member: Member, kind: str) -> None:
        """A company, house or report with the words that say what is asked."""
        name = f"《{member.title}》" if kind == "report" and self._chinese else member.name
        words = quoted(member.quote.text, self._chinese)
        self.names.append(name.strip("《》"))
        colon = "：" if self._chinese else ": "
        self._tell(f"{name}{colon}{words}", [member.quote], self._source(member))

    def item(self, item: Item) -> None:
        """An item by its name, and the amounts beside it: its list is cited."""
        colon, comma = ("：", "，") if self._chinese else (": ", ", ")
        beside = comma.join(f"{head} {text}".strip() for head, text in item.amounts)
        self.names.append(item.name)
        self._tell(f"{item.name}{colon}{beside}" if beside else item.name, item.quotes)

    def _tell(self, words: str, quotes: Sequence[Quote], source: str = "") -> None:
        self.told.append(f"- {words}{self.quotes.mark(*quotes)}{source}")

    def _source(self, member: Member) -> str:
        """Who says it and when, as far as that is not what is listed and is printed."""
        row = member.document.row if member.document else None
        if row is None:
            return ""
        known = [
            None if row.broker == member.name else row.broker,
            f"{row.published_on}" if row.published_on_printed else None,
        ]
        told = ("，" if self._chinese else ", ").join(filter(None, known))
        return (f"（{told}）" if self._chinese else f" ({told})") if told else ""
