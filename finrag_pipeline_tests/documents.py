"""Documents put straight into the tables, for tests of what reads them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from psycopg import Connection
from psycopg.types.json import Jsonb

from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.records import Chunk, Document, Metadata, Place
from finrag_pipeline.stages.chunking.enrichment.enriching import enrich
from finrag_pipeline.stages.chunking.segmentation_units import count_tokens
from finrag_pipeline.store.documents import clique_chunks

BBOX = (50.0, 60.0, 500.0, 90.0)


def add_document(
    connection: Connection[Any],
    document_id: str,
    contents: Sequence[str],
    *,
    app_id: str = "default",
    company: str | None = "星河新材",
    code: str | None = "300999.SZ",
    published_on: date = date(2026, 3, 1),
    revision: str = "r1",
    source: str | None = None,
    tables: Sequence[dict[str, Any]] = (),
    title: str = "年报点评",
    kind: str = "company",
    broker: str | None = None,
    period: tuple[date, date, int] | None = None,
    sections: Sequence[tuple[str, ...]] = (),
) -> None:
    """One indexed document: chunk `n` and its kept text stand on page `n + 1`, and its change.

    What is told of each chunk is what the product tells.

    Args:
        period: first and last day that it reports on, and its fiscal year.
        sections: headings over each chunk.
    """
    key = {"document_id": document_id, "revision": revision}
    connection.execute(
        "insert into documents (document_id, app_id, content_sha256, size_bytes, arrival_on) "
        "values (%s, %s, %s, 1, %s) on conflict do nothing",
        (document_id, app_id, document_id, published_on),
    )
    connection.execute(
        "insert into document_sources (app_id, uri, document_id, name, fingerprint) "
        "values (%s, %s, %s, %s, '') on conflict do nothing",
        (app_id, f"/in/{document_id}", document_id, source or f"{document_id}.pdf"),
    )
    connection.execute(
        "insert into document_revisions (document_id, revision, page_count, title, language,"
        " company_name, company_code, company_codes, published_on, published_on_printed, kind,"
        " broker, period_first_on, period_last_on, fiscal_year) "
        "values (%s, %s, %s, %s, 'zh', %s, %s, %s, %s, true, %s, %s, %s, %s, %s)",
        (
            *(document_id, revision, max(1, len(contents)), title, company, code),
            *([code] if code else [], published_on, kind, broker),
            *(period or (None, None, None)),
        ),
    )
    for page in range(1, max(1, len(contents), *(t.get("page", 1) for t in tables)) + 1):
        connection.execute(
            "insert into pages (document_id, revision, page, width_pt, height_pt) "
            "values (%(document_id)s, %(revision)s, %(page)s, 595, 842)",
            key | {"page": page},
        )
    for ordinal, content in enumerate(contents):
        connection.execute(
            "insert into cleaned_text (document_id, revision, ordinal, page, bbox, kind, text) "
            "values (%(document_id)s, %(revision)s, %(ordinal)s, %(page)s, %(bbox)s, 'text',"
            " %(content)s)",
            key | {"ordinal": ordinal, "page": ordinal + 1, "bbox": list(BBOX), "content": content},
        )
    metadata = Metadata(
        title, "company", company_name=company, company_code=code, published_on=published_on
    )
    above = sections or [()] * len(contents)
    chunks = [
        Chunk(n, text, (Place(n + 1, BBOX),), above[n], count_tokens(text), parent_page=n + 1)
        for n, text in enumerate(contents)
    ]
    clique_chunks.add(
        connection,
        Document(document_id, app_id, document_id, 1, published_on, document_id, (), revision),
        enrich(chunks, metadata, WordWeights.packaged().weight),
    )
    for ordinal, table in enumerate(tables):
        connection.execute(
            "insert into html_tables (document_id, revision, ordinal, page, bbox, title, unit,"
            " header, cells, html, markdown) values (%(document_id)s, %(revision)s, %(ordinal)s,"
            " %(page)s, %(bbox)s, %(title)s, %(unit)s, %(header)s, %(cells)s, '', %(markdown)s)",
            key
            | {"ordinal": ordinal, "page": 1, "bbox": list(BBOX), "unit": None}
            | table
            | {"cells": Jsonb(table["cells"])},
        )
    publish(connection, document_id, revision)


def publish(connection: Connection[Any], document_id: str, revision: str | None) -> None:
    """Make a revision current, or withdraw the document, and tell keyword copies."""
    status = "indexed" if revision else "withdrawn"
    connection.execute(
        "update documents set status = %s, current_revision = %s where document_id = %s",
        (status, revision, document_id),
    )
    connection.execute(
        "insert into index_changes (app_id, document_id) "
        "select app_id, document_id from documents where document_id = %s",
        (document_id,),
    )


def simple_table(title: str, rows: Sequence[Sequence[str]], unit: str | None = None) -> Any:
    """A table whose first row is its header and whose first column holds the labels."""
    cells = [
        {"row": r, "column": c, "text": text, "row_span": 1, "column_span": 1, "header": r == 0}
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
    ]
    labels = "\n".join(row[0] for row in rows[1:])
    header = list(rows[0])
    markdown = "\n".join([title, " | ".join(header), labels])
    return {"title": title, "header": header, "cells": cells, "markdown": markdown, "unit": unit}
