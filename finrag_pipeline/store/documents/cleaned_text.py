"""Pages and the regions on them, kept and dropped: typed functions over `cleaned_text.sql`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from psycopg import Connection
from psycopg.types.json import Jsonb

from finrag_pipeline.records import Document, PageFlag, PageReading, Region
from finrag_pipeline.store.database.copying import copy_rows
from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("documents/cleaned_text")


def add(
    connection: Connection[Row],
    document: Document,
    pages: Sequence[PageReading],
    regions: Sequence[Region],
) -> None:
    """Store the pages of a revision and their regions."""
    key = {"document_id": document.document_id, "revision": document.revision}
    copy_rows(
        connection,
        "pages",
        [
            key
            | {
                "page": page.page,
                "width_pt": page.width,
                "height_pt": page.height,
                "layout": Jsonb(page.raw_layout),
                "ocr_confidence": page.ocr_confidence,
                "flags": Jsonb([asdict(flag) for flag in page.flags]),
            }
            for page in pages
        ],
    )
    _add_regions(connection, document, regions)


def settle(connection: Connection[Row], document: Document, regions: Sequence[Region]) -> None:
    """Put other regions in the place of those of a revision."""
    key = {"document_id": document.document_id, "revision": document.revision}
    connection.execute(Q.remove_regions, key)
    _add_regions(connection, document, regions)


def add_flags(
    connection: Connection[Row], document: Document, flags: Sequence[tuple[int, PageFlag]]
) -> None:
    """Add flags to pages, given by page number."""
    key = {"document_id": document.document_id, "revision": document.revision}
    with connection.cursor() as cursor:
        cursor.executemany(
            Q.add_flag, [key | {"page": page, "flag": Jsonb(asdict(flag))} for page, flag in flags]
        )


def page_layouts(
    connection: Connection[Row], document_id: str, revision: str | None
) -> list[tuple[int, Any]]:
    """What the layout model saw, by page number."""
    key = {"document_id": document_id, "revision": revision}
    return [(row["page"], row["layout"]) for row in connection.execute(Q.page_layouts, key)]


def page_sizes(
    connection: Connection[Row], document_id: str, revision: str | None
) -> dict[int, tuple[float, float]]:
    """Width and height of each page of a revision in points, as a reader sees it."""
    key = {"document_id": document_id, "revision": revision}
    rows = connection.execute(Q.page_sizes, key)
    return {row["page"]: (row["width_pt"], row["height_pt"]) for row in rows}


def regions(
    connection: Connection[Row], document_id: str, revision: str | None
) -> tuple[Region, ...]:
    """All regions of a revision in reading order."""
    key = {"document_id": document_id, "revision": revision}
    return tuple(
        Region(
            ordinal=row["ordinal"],
            page=row["page"],
            bbox=tuple(row["bbox"]),
            kind=row["kind"],
            text=row["text"],
            rule=row["rule"],
            section=tuple(row["section"]),
        )
        for row in connection.execute(Q.regions, key)
    )


def empty_documents(connection: Connection[Row], document_ids: Sequence[str]) -> list[str]:
    """Names of those of some indexed documents that have neither a chunk nor a table."""
    rows = connection.execute(Q.empty_documents, {"document_ids": list(document_ids)})
    return [row["source"] for row in rows]


def _add_regions(
    connection: Connection[Row], document: Document, regions: Sequence[Region]
) -> None:
    key = {"document_id": document.document_id, "revision": document.revision}
    copy_rows(
        connection,
        "cleaned_text",
        [
            key
            | {
                "ordinal": region.ordinal,
                "page": region.page,
                "bbox": list(region.bbox),
                "kind": region.kind,
                "rule": region.rule,
                "section": list(region.section),
                "text": region.text,
            }
            for region in regions
        ],
    )
