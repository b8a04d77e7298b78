"""Reports on chains and sectors, and the graph of a day behind them: over `chain_reports.sql`.

Which chains there are and what is told of them belongs to `stages.chains`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from psycopg import Connection
from psycopg.types.json import Jsonb

from finrag_pipeline.records.communities import Json
from finrag_pipeline.records.graph import EdgeKey
from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("weeks/chain_reports")

#: Chunks whose texts are in memory at a time.
_BATCH = 1000


@dataclass(frozen=True, slots=True)
class StatedAt:
    """One statement of a relation: its place in a chunk, whose page and text come with it."""

    key: EdgeKey
    document_id: str
    chunk: int
    start: int
    end: int
    page: int
    content: str
    source: str
    published_on: date


@dataclass(frozen=True, slots=True)
class StoredReport:
    """One report of a build; `kind` is ``industry_chain`` or ``sector_links``."""

    chain_id: str
    kind: str
    title: str
    content: Json
    changes: Json
    citations: list[Json]
    text: str
    markdown: str
    html: str


def links_of_day(
    connection: Connection[Row], app_id: str, relations: Iterable[str], day: date
) -> dict[EdgeKey, float]:
    """The weights by a day of all edges of some relations."""
    given = {"app_id": app_id, "relations": sorted(relations), "day": day}
    rows = connection.execute(Q.links_of_day, given)
    return {(row["src"], row["relation"], row["dst"]): row["weight"] for row in rows}


def statements_of_day(
    connection: Connection[Row], app_id: str, relations: Iterable[str], day: date
) -> Iterator[StatedAt]:
    """All that documents published by a day assert of some relations, in order of print.

    Heads and tails are the entities of that day, in the order in which they are stated.
    """
    given = {"app_id": app_id, "relations": sorted(relations), "day": day}
    rows = connection.execute(Q.statements_of_day, given).fetchall()
    for first in range(0, len(rows), _BATCH):
        some = rows[first : first + _BATCH]
        chunks = sorted({(row["document_id"], row["revision"], row["chunk"]) for row in some})
        texts = connection.execute(
            Q.chunks,
            {
                "document_ids": [document_id for document_id, _, _ in chunks],
                "revisions": [revision for _, revision, _ in chunks],
                "chunks": [chunk for _, _, chunk in chunks],
            },
        )
        found = {(text["document_id"], text["chunk"]): text for text in texts}
        for row in some:
            text = found[row["document_id"], row["chunk"]]
            yield StatedAt(
                (row["src"], row["relation"], row["dst"]),
                row["document_id"],
                row["chunk"],
                row["start_at"],
                row["end_at"],
                text["page"],
                text["content"],
                row["source"],
                row["published_on"],
            )


def nodes_of_day(
    connection: Connection[Row], app_id: str, entity_ids: Iterable[str], day: date
) -> list[Row]:
    """`entity_id`, `name`, `type` and `codes` of some entities by a day, in order of ids."""
    given = {"app_id": app_id, "entity_ids": sorted(set(entity_ids)), "day": day}
    return connection.execute(Q.nodes_of_day, given).fetchall()


def replace(connection: Connection[Row], build_id: str, reports: Iterable[StoredReport]) -> None:
    """Make these the reports of a build."""
    connection.execute(Q.delete_reports, {"build_id": build_id})
    rows = [
        {
            "build_id": build_id,
            "chain_id": each.chain_id,
            "kind": each.kind,
            "title": each.title,
            "content": Jsonb(each.content),
            "changes": Jsonb(each.changes),
            "citations": Jsonb(each.citations),
            "text": each.text,
            "markdown": each.markdown,
            "html": each.html,
        }
        for each in reports
    ]
    with connection.cursor() as cursor:
        cursor.executemany(Q.add_report, rows)


def reports(connection: Connection[Row], build_id: str) -> list[StoredReport]:
    """Every report of a build, chains before links between sectors, then by title."""
    rows = connection.execute(Q.reports, {"build_id": build_id})
    return [StoredReport(**row) for row in rows]


def sources(connection: Connection[Row], document_ids: Iterable[str]) -> dict[str, str]:
    """The file names of those of some documents that readers see."""
    given = {"document_ids": sorted(set(document_ids))}
    rows = connection.execute(Q.sources, given)
    return {row["document_id"]: row["source"] for row in rows}
