"""Records of a company as readers see them: their lines by label, each with where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from finrag_pipeline.query.answers.accounts.asks import says
from finrag_pipeline.query.evidence.chunk import ChunkItem, read_chunks
from finrag_pipeline.query.evidence.keys import content_hit
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.records import Place
from finrag_pipeline.records.enterprise import RECORD_KINDS
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.search import entries

_LINE = re.compile(r"【(?P<label>[^】]+)】(?P<text>.+)")
_PARTS = {kind: part for part, kind in RECORD_KINDS.items()}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a record.

    Attributes:
        printed: the whole of it, as it is quoted.
        item: the piece of evidence that holds it.
        at: which line of its document it is.
    """

    part: str
    label: str
    text: str
    printed: str
    place: Place
    item: ChunkItem
    at: int


def record_documents(asked: Asked, company: str) -> tuple[DocumentFacts, ...]:
    """The documents of a company's records that a question may be answered from."""
    held = asked.scope.catalogue.records.get(company, ())
    only, as_of = asked.where.document_ids, asked.where.as_of
    return tuple(
        each
        for each in held
        if (only is None or each.document_id in only)
        and (as_of is None or each.row.published_on <= as_of)
    )


def record_companies(asked: Asked) -> tuple[str, ...]:
    """The companies that a question names and of which records are kept."""
    keys = [key for named in asked.scope.reading.companies for key in named.keys]
    return tuple(key for key in dict.fromkeys(keys) if record_documents(asked, key))


def asks_accounts(asked: Asked) -> bool:
    """Whether records may answer: of a company that is named, or, where none is, an offer that
    somebody who keeps records wants to make."""
    if record_companies(asked):
        return True
    offers = not asked.scope.reading.companies and says("offer", asked.question)
    return offers and bool(asked.scope.catalogue.records)


def read_lines(connection: Connection[Row], documents: Iterable[DocumentFacts]) -> list[Line]:
    """All lines of some records, in the order of their documents and as they stand there."""
    kinds = {each.document_id: each.row.kind for each in documents}
    found = entries.first_chunks(connection, sorted(kinds))
    items = read_chunks(connection, [content_hit(hit).key for hit in found])
    lines = [
        line for item in items.values() for line in _lines(item, _PARTS[kinds[item.document_id]])
    ]
    return sorted(lines, key=lambda line: (line.item.source, line.at))


def _lines(item: ChunkItem, part: str) -> Sequence[Line]:
    """The lines of the page that a record is: every chunk of it has them all."""
    found: list[Line] = []
    for at, (place, text) in enumerate(item.regions_text):
        if match := _LINE.fullmatch(text):
            found.append(Line(part, match["label"], match["text"], text, place, item, at))
    return found
