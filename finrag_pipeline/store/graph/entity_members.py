"""Which names are one entity when, and what connects them: functions over `entity_members.sql`.

Working it out is `stages.graph.members`; entities themselves are `entity_graph`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
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


def declared_links(
    connection: Connection[Row], document_ids: Sequence[str]
) -> set[tuple[str, str]]:
    """What readers see of some documents declares as aliases: (alias, name)."""
    rows = connection.execute(Q.declared_links, {"document_ids": list(document_ids)})
    return {(row["alias_id"], row["name_id"]) for row in rows}


def set_links(
    connection: Connection[Row], app_id: str, links: Collection[tuple[str, str]]
) -> set[str]:
    """Bring some declared aliases to what documents say now.

    Returns:
        Names at the ends of those that are new, gone, or hold from another day on.
    """
    if not links:
        return set()
    ordered = sorted(links)
    given = {
        "app_id": app_id,
        "alias_ids": [alias for alias, _ in ordered],
        "name_ids": [name for _, name in ordered],
    }
    return {name for row in connection.execute(Q.set_links, given) for name in row.values()}


def set_every_link(connection: Connection[Row], app_id: str) -> None:
    """Write the declared aliases of an app, which has none yet."""
    connection.execute(Q.set_every_link, {"app_id": app_id})


def linked_names(connection: Connection[Row], app_id: str) -> list[str]:
    """Every name of an app that a declared alias or a standing decision is about."""
    return [row["name_id"] for row in connection.execute(Q.linked_names, {"app_id": app_id})]


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
    rows = [(name, each) for name in sorted(held) for each in held[name]]
    given = {
        "app_id": app_id,
        "name_ids": [name for name, _ in rows],
        "entity_ids": [each.entity_id for _, each in rows],
        "since": [each.since for _, each in rows],
        "until": [each.until for _, each in rows],
    }
    connection.execute(Q.add_members, given)


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
