"""What chunks and tables share: the document that they stand in, and the kept text of its pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Generic, Self, TypeVar, cast

from finrag_pipeline.query.evidence.citation import Citation, box, day, regions
from finrag_pipeline.query.evidence.keys import Key, content_key
from finrag_pipeline.query.evidence.kinds import EvidenceItem, ReadItems
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.records import Place
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.search import entries
from finrag_pipeline.store.search.filters import Hit

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class DocumentItem:
    """A piece of a document's current revision.

    Attributes:
        text: a chunk's content; a table's skeleton.
        places: every box it stands in, the first one first.
        page_text: the kept text of the page it starts on.
        regions_text: kept regions of all its pages, to find where a sentence of it stands.
    """

    key: Key
    text: str
    source: str
    places: tuple[Place, ...]
    title: str | None = None
    company: str | None = None
    company_code: str | None = None
    broker: str | None = None
    published_on: date | None = None
    page_text: str = ""
    regions_text: tuple[tuple[Place, str], ...] = ()

    @property
    def document_id(self) -> str:
        return str(self.key.id[0])

    @property
    def revision(self) -> str:
        return str(self.key.id[1])

    @property
    def page(self) -> int:
        """The page that it starts on, 1-based."""
        return self.places[0].page

    @property
    def identity(self) -> str:
        """Whose text it is: what a sentence of it need not say again."""
        return document_identity(self)

    @property
    def subjects(self) -> tuple[str, ...]:
        """Who speaks of whom is settled by the document."""
        known = (self.company, self.company_code, self.broker)
        return tuple(name for name in known if name)

    def cite(self, n: int, quote: str, places: tuple[Place, ...]) -> Citation:
        """The citation of some words of it."""
        return Citation(
            n, self.key, quote, places, self.document_id, self.source, self.published_on
        )

    def on_pages(self, kept: Sequence[Row]) -> Self:
        """The same with the text of its pages, out of the kept regions of its document."""
        pages = {place.page for place in self.places}
        regions_text = tuple(
            (Place(row["page"], tuple(row["bbox"])), row["text"])
            for row in kept
            if row["page"] in pages
        )
        first = self.places[0].page if self.places else 0
        page_text = "\n".join(text for place, text in regions_text if place.page == first)
        return replace(self, page_text=page_text, regions_text=regions_text)


Item = TypeVar("Item", bound=DocumentItem)


def document_identity(item: DocumentItem) -> str:
    """What a document says of itself, in lines."""
    known = (item.title, item.company, item.company_code, item.broker, item.source)
    published = f"{item.published_on:%Y-%m}" if item.published_on else ""
    return "\n".join([*(part for part in known if part), published])


def document_to_dict(item: DocumentItem) -> Json:
    """What every piece of a document fills in of a result."""
    first = item.places[0] if item.places else None
    return {
        "document_id": item.document_id,
        "source": item.source,
        "page": first.page if first else None,
        "bbox": box(first) if first else None,
        "regions": regions(item.places),
        "title": item.title,
        "company": item.company,
        "company_code": item.company_code,
        "published_on": day(item.published_on),
    }


def document_fields(row: Row) -> dict[str, Any]:
    """What a row of `store.search` tells of the document, as arguments of an item."""
    return {
        "source": row["source"],
        "title": row["title"],
        "company": row["company_name"],
        "company_code": row["company_code"],
        "broker": row["broker"],
        "published_on": row["published_on"],
    }


def places_of(row: Row) -> tuple[Place, ...]:
    """Every box that a row of `store.search` names."""
    return tuple(Place(place["page"], tuple(place["bbox"])) for place in row["places"])


def read_rows(connection: Connection[Row], keys: Iterable[Key]) -> dict[Key, Row]:
    """Rows behind the keys of chunks or tables; what no current revision holds has none."""
    hits = [Hit(key.kind, *_id(key), 0.0) for key in keys]
    rows = entries.read_found(connection, hits) if hits else []
    return {row_key(row): row for row in rows}


def row_key(row: Row) -> Key:
    """What a row of `store.search` is called in a ranking."""
    return content_key(row["kind"], row["document_id"], row["revision"], row["ordinal"])


def with_pages(connection: Connection[Row], items: Sequence[Item]) -> list[Item]:
    """Items with the kept text of their pages."""
    pages = {
        (item.document_id, item.revision, place.page) for item in items for place in item.places
    }
    kept: dict[str, list[Row]] = {}
    for row in entries.kept_text(connection, sorted(pages)) if pages else []:
        kept.setdefault(row["document_id"], []).append(row)
    return [item.on_pages(kept.get(item.document_id, [])) for item in items]


def _id(key: Key) -> tuple[str, str, int]:
    document_id, revision, ordinal = key.id
    return str(document_id), str(revision), int(ordinal)


@dataclass(frozen=True, slots=True)
class DocumentKind(Generic[Item]):
    """Pieces of current revisions of one kind.

    Attributes:
        name: as keys have it.
        make: an item out of its row.
    """

    name: str
    make: Callable[[Key, Row], Item]

    def read(
        self, connection: Connection[Row], keys: Sequence[Key], asked: Asked, most: int
    ) -> ReadItems:
        """All of them: reading a row more costs nothing."""
        rows = read_rows(connection, keys)
        return ReadItems(
            {key: cast(EvidenceItem, self.make(key, row)) for key, row in rows.items()}
        )

    def complete(self, connection: Connection[Row], items: Sequence[EvidenceItem]) -> list[Item]:
        """The items with the kept text of their pages."""
        return with_pages(connection, cast("Sequence[Item]", items))
