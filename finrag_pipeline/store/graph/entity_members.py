"""Which names are one entity when, and what connects them: functions over `entity_members.sql`.

Working it out is `stages.graph.members`; entities themselves are `entity_graph`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from psycopg import Connection

from finrag_pipeline.records.graph import AliasLink, Membership
from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("graph/entity_members")


def connected(connection: Connection[Row], app_id: str, names: Iterable[str]) -> list[str]:
    """Names that aliases and decisions connect with some names, those included, in order."""
    given = {"app_id": app_id, "name_ids": sorted(names)}
    return [row["name_id"] for row in connection.execute(Q.connected, given)]


def alias_links(connection: Connection[Row], app_id: str, names: Sequence[str]) -> list[AliasLink]:
    """What some names are declared an alias of, since the first day that it was published."""
    rows = connection.execute(Q.alias_links, {"app_id": app_id, "name_ids": list(names)})
    return [AliasLink(**row) for row in rows]


def members(
    connection: Connection[Row], app_id: str, names: Iterable[str]
) -> dict[str, tuple[Membership, ...]]:
    """The entities of some names, without those that are entities by themselves."""
    found: dict[str, list[Membership]] = {}
    for row in connection.execute(Q.members, {"app_id": app_id, "name_ids": sorted(names)}):
        found.setdefault(row.pop("name_id"), []).append(Membership(**row))
    return {name: tuple(held) for name, held in found.items()}


def set_members(
    connection: Connection[Row],
    app_id: str,
    names: Sequence[str],
    held: Mapping[str, Sequence[Membership]],
) -> None:
    """Replace what is known of the entities of `names` by `held`."""
    connection.execute(Q.delete_members, {"app_id": app_id, "name_ids": list(names)})
    rows = [
        {
            "app_id": app_id,
            "name_id": name,
            "entity_id": each.entity_id,
            "since": each.since,
            "until": each.until,
        }
        for name in sorted(held)
        for each in held[name]
    ]
    with connection.cursor() as cursor:
        cursor.executemany(Q.add_member, rows)


def names_of(
    connection: Connection[Row], app_id: str, entities: Iterable[str]
) -> dict[str, list[str]]:
    """Names that belong or belonged to some entities, by entity."""
    found: dict[str, list[str]] = {}
    given = {"app_id": app_id, "entity_ids": sorted(entities)}
    for row in connection.execute(Q.names_of, given):
        found.setdefault(row["entity_id"], []).append(row["name_id"])
    return found


def clear(connection: Connection[Row], app_id: str) -> None:
    """Forget which names of an app are one entity."""
    connection.execute(Q.clear_members, {"app_id": app_id})
