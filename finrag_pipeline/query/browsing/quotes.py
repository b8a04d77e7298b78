"""Words of a document with the boxes that they stand in, for what shows where something is said."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from finrag_pipeline.query.browsing.viewpoint import Viewpoint
from finrag_pipeline.query.evidence.places import locate
from finrag_pipeline.records import Place
from finrag_pipeline.records.communities import Passage
from finrag_pipeline.store.documents import covers, html_tables


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a document.

    Attributes:
        page: that they stand on, 1-based.
        places: boxes of the regions that hold them, over pages; empty where they are not found.
    """

    document_id: str
    source: str
    page: int
    text: str
    published_on: date
    places: tuple[Place, ...]


def read_quotes(view: Viewpoint, passages: Iterable[Passage]) -> dict[Passage, Quote]:
    """Quotes of those of some passages whose documents are in sight."""
    wanted = list(dict.fromkeys(passages))
    documents = {each.document_id for each in wanted}
    held = {each.document_id: each for each in covers.covers(view.connection, documents)}
    seen = [each for each in wanted if each.document_id in held]
    pages = sorted(
        {
            (each.document_id, held[each.document_id].revision, page)
            for each in seen
            # a passage may go on overleaf
            for page in (each.page, each.page + 1)
        }
    )
    texts = covers.regions(view.connection, pages) if pages else {}
    rows = [(each.document_id, each.chunk) for each in seen if each.chunk < 0]
    stated = html_tables.stating_places(view.connection, rows) if rows else {}
    found: dict[Passage, Quote] = {}
    for each in seen:
        own = [
            region
            for page in (each.page, each.page + 1)
            for region in texts.get((each.document_id, page), ())
        ]
        row = stated.get((each.document_id, each.chunk))
        places = (row,) if row else locate(each.quote, own) or ()
        found[each] = Quote(
            each.document_id,
            held[each.document_id].source,
            places[0].page if places else each.page,
            each.quote,
            each.published_on,
            places,
        )
    return found
