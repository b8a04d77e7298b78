"""The tables of documents: typed functions over `html_tables.sql`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from psycopg import Connection
from psycopg.types.json import Jsonb

from finrag_pipeline.records import Cell, Document, PeriodColumn, Place, Table
from finrag_pipeline.records.graph import StatingRow
from finrag_pipeline.store.database.copying import copy_rows
from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("documents/html_tables")


def add(connection: Connection[Row], document: Document, tables: Sequence[Table]) -> None:
    """Store the tables of a revision."""
    copy_rows(
        connection,
        "html_tables",
        [
            {
                "document_id": document.document_id,
                "revision": document.revision,
                "ordinal": table.ordinal,
                "page": table.page,
                "bbox": list(table.bbox),
                "title": table.title,
                "unit": table.unit,
                "footnote": table.footnote,
                "header": list(table.header),
                "cells": Jsonb([asdict(cell) for cell in table.cells]),
                "html": table.html,
                "markdown": table.markdown,
                "places": Jsonb([asdict(place) for place in table.places]),
                "periods": Jsonb([asdict(period) for period in table.periods]),
                "statements": Jsonb([asdict(statement) for statement in table.statements]),
            }
            for table in tables
        ],
    )


def read(connection: Connection[Row], document_id: str, revision: str | None) -> list[Table]:
    """The tables of a revision in reading order, without what is written of them: HTML, rows as
    sentences.
    """
    key = {"document_id": document_id, "revision": revision}
    return [
        Table(
            ordinal=row["ordinal"],
            page=row["page"],
            bbox=tuple(row["bbox"]),
            cells=tuple(
                Cell(**cell | {"bbox": tuple(cell["bbox"]) if cell["bbox"] else None})
                for cell in row["cells"]
            ),
            title=row["title"],
            unit=row["unit"],
            footnote=row["footnote"],
            header=tuple(row["header"]),
            places=tuple(Place(place["page"], tuple(place["bbox"])) for place in row["places"]),
            periods=tuple(PeriodColumn(**period) for period in row["periods"]),
        )
        for row in connection.execute(Q.whole_tables, key)
    ]


def set_stating_rows(
    connection: Connection[Row], document: Document, rows: Iterable[StatingRow]
) -> None:
    """Keep the rows that state relations with their tables, in place of those kept before.

    Args:
        rows: of the document's tables, in order of print: the graph finds them by their place
            among those of their table.
    """
    kept: dict[int, list[Row]] = {}
    for row in rows:
        place = {"page": row.place.page, "bbox": list(row.place.bbox)}
        kept.setdefault(row.table, []).append({"text": row.text, **place})
    tables = [{"ordinal": table, "rows": stated} for table, stated in kept.items()]
    key = {"document_id": document.document_id, "revision": document.revision}
    connection.execute(Q.set_stating_rows, key | {"tables": Jsonb(tables)})


def tables_of(connection: Connection[Row], document_id: str, revision: str | None) -> list[Row]:
    """One row per table in reading order, without its cells."""
    key = {"document_id": document_id, "revision": revision}
    return connection.execute(Q.tables_of, key).fetchall()


def stating_places(
    connection: Connection[Row], rows: Iterable[tuple[str, int]]
) -> dict[tuple[str, int], Place]:
    """Where rows stand that state relations, by document and the number that the graph gives them.

    Args:
        rows: numbers of passages below zero; others have none.
    """
    wanted = sorted(set(rows))
    given = {"document_ids": [each for each, _ in wanted], "numbers": [each for _, each in wanted]}
    return {
        (row["document_id"], row["number"]): Place(row["page"], tuple(row["bbox"]))
        for row in connection.execute(Q.stating_places, given)
    }
