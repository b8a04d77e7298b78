"""What a chat model is shown of evidence, and the stored words behind what it quotes of that.

What it is asked and how its reply becomes an answer is `writer`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import cast

from finrag_pipeline.query.answers.map_reduce import plain
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.context import within
from finrag_pipeline.query.evidence.documents import DocumentItem
from finrag_pipeline.query.evidence.keys import Key
from finrag_pipeline.query.evidence.kinds import EvidenceItem
from finrag_pipeline.query.evidence.places import locate, squeeze
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.records import Place

#: Tokens of the passages that are shown: forty chunks, as many as a list is complete over.
SHOWN_TOKENS = 12_000
#: A quote says something from here on.
LEAST_QUOTED = 4


@dataclass(frozen=True, slots=True)
class Row:
    """Words of an item that are cited as a whole: a table's row, a figure.

    Attributes:
        quote: the stored text.
        told: as it is shown.
    """

    quote: str
    told: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A piece of evidence as it is shown: a chunk by its text, all else by its rows."""

    item: DocumentItem
    rows: tuple[Row, ...] = ()

    @property
    def text(self) -> str:
        """Whose words it is, and the words."""
        item = self.item
        published = f"{item.published_on:%Y-%m-%d}" if item.published_on else None
        page = f"p. {item.page}" if item.places else None
        known = (item.company, item.title, item.broker, published, page)
        said = "\n".join(row.told for row in self.rows) or item.text
        return f"({' | '.join(filter(None, known))}) {said}"

    def find(self, quote: str) -> tuple[str, tuple[Place, ...]] | None:
        """The stored words that a quote stands for and where they are; None: it holds no such."""
        if len(squeeze(quote)) < LEAST_QUOTED:
            return None
        # it was shown with other brackets than it has
        for written in (quote, quote.replace("‹", "<").replace("›", ">")):
            for row in self.rows:
                if any(squeeze(written) in squeeze(text) for text in (row.told, row.quote)):
                    return row.quote, row.places
            if isinstance(self.item, ChunkItem) and squeeze(written) in squeeze(self.item.text):
                places = locate(written, self.item.regions_text)
                return (written, places) if places else None
        return None


def shown_of(question: str, found: SearchResult, draft: Draft | None) -> list[Shown]:
    """Evidence for a question, what another answer cites of it first; reports are no evidence.

    Args:
        draft: that answer, with what it was drawn from.
    """
    quoted: dict[Key, list[Row]] = {}
    items: dict[Key, DocumentItem] = {}
    if draft is not None:
        known = {each.key: each for each in draft.sources}
        for each in draft.citations:
            item = known.get(each.key)
            if isinstance(item, DocumentItem):
                items[each.key] = item
                row = Row(each.quote, each.quote, each.places)
                quoted.setdefault(each.key, []).append(row)
    results = (each.item for each in found.results)
    rest = draft.sources if draft is not None else ()
    items |= {each.key: each for each in _documents((*results, *rest)) if each.key not in items}
    shown = [Shown(item, _rows(question, item, quoted)) for item in items.values()]
    said = [each for each in shown if each.rows or isinstance(each.item, ChunkItem)]
    return within(said, SHOWN_TOKENS, lambda each: plain(each.text))[0]


def _documents(items: Iterable[object]) -> Iterator[DocumentItem]:
    return (each for each in items if isinstance(each, DocumentItem))


def _rows(question: str, item: DocumentItem, quoted: dict[Key, list[Row]]) -> tuple[Row, ...]:
    """What of an item that is no running text may be quoted: what was, and what answers may."""
    if isinstance(item, ChunkItem):
        return ()
    may = cast(EvidenceItem, item).quotes(question)
    told = [Row(each.quote, each.told, each.places) for each in may]
    once = {each.quote: each for each in (*quoted.get(item.key, ()), *told)}
    return tuple(once.values())
