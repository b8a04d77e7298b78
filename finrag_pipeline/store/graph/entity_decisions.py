"""Merges and splits of entities by hand: typed functions over `entity_decisions.sql`.

What they do to the graph is computed by whoever records them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from psycopg import Connection

from finrag_pipeline.records.graph import Decision
from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("graph/entity_decisions")


def known_names(connection: Connection[Row], app_id: str, name: str, spelling: str) -> list[Row]:
    """Names that a text stands for: by spelling, by id, or all names of an entity's id.

    Returns:
        ``name_id``, ``name``, ``type``, ``codes``, ``mention_count``, ``entity_id``; most
        mentioned first.
    """
    given = {"app_id": app_id, "name": name, "spelling": spelling}
    return connection.execute(Q.known_names, given).fetchall()


def names_of_entity(connection: Connection[Row], app_id: str, name_ids: Iterable[str]) -> list[Row]:
    """How an entity's names are spelt in mentions: ``plain_id``, ``name``, ``name_id``, count."""
    given = {"app_id": app_id, "name_ids": sorted(name_ids)}
    return connection.execute(Q.names_of_entity, given).fetchall()


def add(
    connection: Connection[Row],
    app_id: str,
    decision: Decision,
    name: str,
    other_name: str,
    reason: str,
) -> int | None:
    """Record a decision; returns its number, None where the same one stands already."""
    row = connection.execute(
        Q.add_decision,
        {
            "app_id": app_id,
            "kind": decision.kind,
            "name_id": decision.name_id,
            "other_id": decision.other_id,
            "name": name,
            "other_name": other_name,
            "reason": reason,
        },
    ).fetchone()
    return row["decision_id"] if row else None


def undo(connection: Connection[Row], app_id: str, decision_id: int) -> Row | None:
    """Take a decision back; returns it, None where no such decision stands."""
    given = {"app_id": app_id, "decision_id": decision_id}
    return connection.execute(Q.undo, given).fetchone()


def decisions(connection: Connection[Row], app_id: str) -> list[Row]:
    """Every decision of an app, undone ones included, the newest first."""
    return connection.execute(Q.decisions, {"app_id": app_id}).fetchall()


def standing(connection: Connection[Row], app_id: str, names: Iterable[str]) -> list[Decision]:
    """Decisions that stand and concern some names."""
    given = {"app_id": app_id, "name_ids": sorted(names)}
    return [Decision(**row) for row in connection.execute(Q.standing, given)]


def documents_of(connection: Connection[Row], app_id: str, split: Decision) -> list[str]:
    """Documents whose mentions a split, or its undoing, takes to another name; none for a merge."""
    if split.kind != "split":
        return []
    given = {"app_id": app_id, "name_id": split.name_id, "other_id": split.other_id}
    return [row["document_id"] for row in connection.execute(Q.documents_of, given)]


def rename_mentions(connection: Connection[Row], app_id: str, split: Decision) -> None:
    """Bring mentions to what a split, or its undoing, says."""
    given = {"app_id": app_id, "name_id": split.name_id, "other_id": split.other_id}
    connection.execute(Q.rename_mentions, given)
    connection.execute(Q.rename_tails, given)
