"""Chunks as evidence: read with their pages, quoted by the sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from finrag_pipeline.query.evidence.citation import Citation
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
from finrag_pipeline.query.evidence.places import locate
from finrag_pipeline.query.weights import VALUE_FACTORS
from finrag_pipeline.store.database.connections import Connection, Row

Json = dict[str, Any]

CHUNK = "chunk"

_MIN_CHARACTERS = 8
# Longer is no sentence but a table or a cover that was read as one: it holds any word.
_MAX_CHARACTERS = 300
_SENTENCE = re.compile(
    r".+?(?:[。！？；!?;…]+[”’」』）)\"']*|(?<=[a-z0-9)%][.])(?=\s+[A-Z])|\n|$)", re.DOTALL
)
#: The title of a figure or table names what it shows, but not what it says.
_CAPTION = re.compile(r"(?:图表?|表格?|附表|figure|table|exhibit|chart)\s*\d+", re.IGNORECASE)
_SAYS_SOMETHING = re.compile(r"[。！？；!?;.…”）)]\s*$|\d")


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
        """Its sentences that its pages hold and that say something."""
        identity = self.identity
        for sentence in split(self.text):
            if is_sentence(sentence) and (places := locate(sentence, self.regions_text)):
                figure = any(map(str.isdigit, sentence))
                yield Quotable(sentence, sentence, sentence, identity, places, figure)

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


def read_chunks(connection: Connection[Row], keys: Iterable[Key]) -> dict[Key, ChunkItem]:
    """Chunks with the text of their pages; those that are gone left out."""
    rows = read_rows(connection, sorted(set(keys)))
    items = [chunk_item(key, rows[key]) for key in sorted(rows)]
    return {item.key: item for item in with_pages(connection, items)}


def split(text: str) -> list[str]:
    """Sentences of a chunk, exact; the splitter of the stages takes two seconds to import."""
    return [piece for match in _SENTENCE.finditer(text) if (piece := match.group().strip())]


def is_sentence(text: str) -> bool:
    """Whether a piece says something: headings inside a chunk match well and say nothing."""
    fits = _MIN_CHARACTERS <= len(text) <= _MAX_CHARACTERS
    return fits and _SAYS_SOMETHING.search(text) is not None and not _CAPTION.match(text)


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
