"""The writer of lists: a line for each company, house, report or item that qualifies, cited.

Who qualifies is `members`', what passages list `items`', what the graph relates `related`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.query.answers.lists.asking import ListQuestion, read_list
from finrag_pipeline.query.answers.lists.items import Item, find_items, merged
from finrag_pipeline.query.answers.lists.members import Member, Members, by_chunk, chunk_keys
from finrag_pipeline.query.answers.lists.predicates import Predicate
from finrag_pipeline.query.answers.lists.related import find_related
from finrag_pipeline.query.answers.quotes import Quote, Quotes
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.graph import graph_chunks
from finrag_pipeline.words import is_chinese

_BULLET = re.compile(r"^(?:[^\w“”‘’《（(【\[+\-−]|[（(]?\d{1,2}[)）.、](?!\d))+")
_WAY = "a line for each that qualifies among {count} passages"


class ListWriter:
    """Writes lists out of passages.

    Args:
        reader: of an open store.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """A draft; None where the question asks for no list or nothing qualifies."""
        question = read_list(asked)
        if question is None:
            return None
        lines = _Lines(is_chinese(asked.question))
        if question.noun.of_documents:
            for member in self._members(asked, question, found):
                lines.member(member, question.noun.kind)
        if not lines.told:
            for item in self._items(asked, question, found):
                lines.item(item)
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
        return Members(asked, question.noun.kind, predicate, by_chunk(named)).find(found.results)

    def _items(self, asked: Asked, question: ListQuestion, found: SearchResult) -> Sequence[Item]:
        listed = find_items(asked, question, found.results)
        with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            related = find_related(connection, asked, question.noun.kind)
        if not related:
            return listed
        # a list that has one of them has others of their kind
        known = {each.spelled for each in related}
        joined = listed if any(each.spelled in known for each in listed) else []
        return merged((each.name, quote) for each in (*related, *joined) for quote in each.quotes)


def plain(words: str) -> str:
    """Words of a document without the bullet or the mark that they begin and end with.

    >>> plain(" ➢ 订单增长。"), plain("3）地缘政治风险；"), plain("3 月订单增长")
    ('订单增长', '地缘政治风险', '3 月订单增长')
    """
    return _BULLET.sub("", " ".join(words.split())).rstrip("。；;，, ")


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
        self._add(name, [member.quote], plain(member.quote.text), self._source(member))

    def item(self, item: Item) -> None:
        """An item by its name alone: its list is cited."""
        self._add(item.name, item.quotes, "")

    def _add(self, name: str, quotes: Sequence[Quote], words: str, source: str = "") -> None:
        self.names.append(name.strip("《》"))
        colon = "：" if self._chinese else ": "
        behind = f"{colon}{self._quoted(words)}{source}" if words else ""
        self.told.append(f"- {name}{behind}{self.quotes.mark(*quotes)}")

    def _quoted(self, words: str) -> str:
        """Words of a document as such: marks inside them would end them."""
        if any(mark in words for mark in '“”"'):
            return words
        return f"“{words}”" if self._chinese else f'"{words}"'

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
