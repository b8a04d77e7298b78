"""Chunks as evidence: read with their pages, quoted by the sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from finrag_pipeline.grammar.quantities import prints_figure
from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.clauses import cut, is_question, is_sentence, placed
from finrag_pipeline.query.evidence.documents import (
    DocumentItem,
    document_fields,
    document_identity,
    document_to_dict,
    places_of,
    read_rows,
    with_pages,
)
from finrag_pipeline.query.evidence.keys import Key
from finrag_pipeline.query.evidence.kinds import Quotable
from finrag_pipeline.query.evidence.places import in_line, locate, squeeze
from finrag_pipeline.query.weights import VALUE_FACTORS
from finrag_pipeline.store.database.connections import Connection, Row

Json = dict[str, Any]

CHUNK = "chunk"
#: Characters by which a chunk is found on its page, and that are read before it.
_OPENING, _MOST_LEAD = 24, 300
_LINE_END = re.compile(r"(?P<before>.?)[ \t]*\n[ \t]*")


@dataclass(frozen=True, slots=True)
class ChunkItem(DocumentItem):
    """A chunk of a document.

    Attributes:
        section: the headings over it.
        meta: the line that says whose text it is.
        context: the line that places it in its document.
        value: its class for ranking.
        parent_page: the page that holds most of it.
        token_count: its length in tokens.
        signature: its MinHash, by which copies of it are found; empty where it has none.
    """

    section: tuple[str, ...] = ()
    meta: str = ""
    context: str = ""
    value: str | None = None
    parent_page: int | None = None
    token_count: int = 0
    signature: tuple[int, ...] = ()

    @property
    def identity(self) -> str:
        """Whose text it is: what a sentence of it need not say again."""
        own = [self.meta] if self.meta else []
        return "\n".join([*own, document_identity(self), *self.section])

    @property
    def factor(self) -> float:
        """What its fused score is multiplied with, by its value."""
        return VALUE_FACTORS[self.value or "plain"]

    def quotes(self, question: str) -> Iterable[Quotable]:
        """Its sentences, long ones cut at clauses, that its pages hold and that say something."""
        identity = self.identity
        for at, sentence in placed(self.text):
            if is_question(sentence):
                # what follows answers it
                identity = f"{self.identity}\n{sentence}"
                continue
            if not is_sentence(sentence):
                continue
            for start, piece in cut(sentence):
                if places := locate(piece, self.regions_text):
                    figure = prints_figure(piece)
                    told = in_line(piece)
                    yield Quotable(piece, told, told, identity, places, figure, at + start)

    def with_lead(self) -> tuple[str, int]:
        """Its text behind what stands before it on its page, and where its own begins: a chunk may
        open with the cause of what ends the one before."""
        text = "\n".join(_on_one_line(text) for _, text in self.regions_text)
        printed = [n for n, character in enumerate(text) if not character.isspace()]
        opening = squeeze(self.text)[:_OPENING]
        at = "".join(text[n] for n in printed).find(opening) if opening else -1
        lead = text[: printed[at]].rstrip()[-_MOST_LEAD:] if at > 0 else ""
        return (f"{lead}\n{self.text}", len(lead) + 1) if lead else (self.text, 0)

    def quoted(self, quote: str, start: int) -> Quotable | None:
        """Words of its pages as a quote; None where they do not hold them.

        Args:
            start: where they begin in its text.
        """
        quote = quote.strip()
        places = locate(quote, self.regions_text)
        told = in_line(quote)
        figure = prints_figure(quote)
        return Quotable(quote, told, told, self.identity, places, figure, start) if places else None

    def holds(self, citation: Citation) -> bool:
        """Whether the kept text of its pages has the cited words."""
        places = locate(citation.quote, self.regions_text)
        return places is not None and set(places) <= {place for place, _ in self.regions_text}

    def to_dict(self) -> Json:
        return document_to_dict(self) | {
            "text": self.text,
            "section": list(self.section),
            "meta": self.meta,
            "context": self.context,
            "value": self.value,
            "parent_page": self.parent_page,
        }


def _on_one_line(text: str) -> str:
    """A region without its line ends: between Chinese characters they say nothing."""
    return _LINE_END.sub(
        lambda match: match["before"] + (" " if match["before"].isascii() else ""), text
    )


def read_chunks(connection: Connection[Row], keys: Iterable[Key]) -> dict[Key, ChunkItem]:
    """Chunks with the text of their pages; those that are gone left out."""
    rows = read_rows(connection, sorted(set(keys)))
    items = [chunk_item(key, rows[key]) for key in sorted(rows)]
    return {item.key: item for item in with_pages(connection, items)}


def chunk_item(key: Key, row: Row) -> ChunkItem:
    """A chunk out of its row."""
    return ChunkItem(
        key=key,
        text=row["text"],
        places=places_of(row),
        **document_fields(row),
        section=tuple(row["section"] or ()),
        meta=row["meta"] or "",
        context=row["context"] or "",
        value=row["value"],
        parent_page=row["parent_page"],
        token_count=row["token_count"] or 0,
        signature=tuple(row["signature"] or ()),
    )
