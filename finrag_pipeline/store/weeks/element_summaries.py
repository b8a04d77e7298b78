"""Summaries of entities and relations with many descriptions: over `element_summaries.sql`.

A summary is found again by what it was written from; writing one belongs to `pipelines`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import Connection

from finrag_pipeline.records.communities import Build
from finrag_pipeline.records.graph import EdgeKey
from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("weeks/element_summaries")

#: Descriptions of one element that are read, the newest: beyond, nothing new is said.
_MOST = 500


@dataclass(frozen=True, slots=True)
class ElementSummary:
    """One row: the key of an entity is (its id, '', '')."""

    key: EdgeKey
    summary: str
    written_by: str
    source_sha256: str

    @property
    def kind(self) -> str:
        return "relation" if self.key[1] else "entity"


def described(
    connection: Connection[Row], build: Build, symmetric: Iterable[str], few: int
) -> dict[EdgeKey, tuple[str, ...]]:
    """Entities and relations of a build with more than `few` descriptions: these, newest first."""
    build_id = {"build_id": build.build_id}
    given: Row = {
        "app_id": build.app_id,
        "day": build.published_by,
        "entity_ids": [row["entity_id"] for row in connection.execute(Q.entities, build_id)],
        "symmetric": sorted(symmetric),
        "few": few,
        "k": _MOST,
    }
    found: dict[EdgeKey, list[str]] = {}
    for block in (Q.entity_descriptions, Q.relation_descriptions):
        # planned for as many entities as there are
        for row in connection.execute(block, given, prepare=False):
            key = (row["src"], row["edge_type"], row["dst"])
            found.setdefault(key, []).append(row["description"])
    return {key: tuple(found[key]) for key in sorted(found)}


def known(connection: Connection[Row], app_id: str, sources: Iterable[str]) -> dict[str, str]:
    """Summaries that there are of some sources in any build of an app, by source."""
    given = {"app_id": app_id, "sources": sorted(set(sources))}
    return {row["source_sha256"]: row["summary"] for row in connection.execute(Q.known, given)}


def set_summaries(
    connection: Connection[Row], build_id: str, summaries: Sequence[ElementSummary]
) -> None:
    """Write summaries of a build in place of older ones."""
    rows = [
        _columns(each.key)
        | {
            "build_id": build_id,
            "kind": each.kind,
            "summary": each.summary,
            "written_by": each.written_by,
            "source_sha256": each.source_sha256,
        }
        for each in summaries
    ]
    with connection.cursor() as cursor:
        cursor.executemany(Q.set_summary, rows)


def keep_only(connection: Connection[Row], build_id: str, keys: Iterable[EdgeKey]) -> None:
    """Remove the summaries of all other elements of a build."""
    kept = sorted(keys)
    given = {
        "build_id": build_id,
        "srcs": [src for src, _, _ in kept],
        "edge_types": [edge_type for _, edge_type, _ in kept],
        "dsts": [dst for _, _, dst in kept],
    }
    connection.execute(Q.keep_only, given)


def summaries(
    connection: Connection[Row], build_id: str, entity_ids: Iterable[str]
) -> dict[EdgeKey, str]:
    """Summaries of some entities of a build, and of relations that lead from them."""
    given = {"build_id": build_id, "entity_ids": sorted(set(entity_ids))}
    rows = connection.execute(Q.summaries, given)
    return {(row["src"], row["edge_type"], row["dst"]): row["summary"] for row in rows}


def _columns(key: EdgeKey) -> Row:
    src, edge_type, dst = key
    return {"src": src, "edge_type": edge_type, "dst": dst}
