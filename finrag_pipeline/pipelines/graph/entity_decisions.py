"""Merges and splits of entities by hand: recorded, applied to the graph at once, and undone.

They are rows that every rebuild meets again; what they mean for the graph is `entity_graph`.
"""

from __future__ import annotations

from finrag_pipeline.errors import NotFound
from finrag_pipeline.pipelines.graph.entity_graph import refreshed
from finrag_pipeline.records.graph import Decision
from finrag_pipeline.stages.identity.codes import listing_code
from finrag_pipeline.stages.identity.spelling import spelling
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.graph import entity_decisions, entity_graph, entity_members


def find_entity(connection: Connection[Row], app_id: str, name: str) -> Row:
    """The entity that a name, a securities code with or without its market, or an id means.

    Returns:
        Its row, see `entity_graph.describe_entities`.

    Raises:
        NotFound: none does, or several; the line lists them.
    """
    names = entity_decisions.known_names(connection, app_id, name, spelling(name))
    if not names and (code := listing_code(name)):
        names = entity_decisions.known_names(connection, app_id, code, spelling(name))
    ids = list(dict.fromkeys(row["entity_id"] for row in names))
    found = entity_graph.describe_entities(connection, app_id, ids)
    if not found:
        raise NotFound(f"no entity is named {name!r} in app {app_id!r}; see `finrag entities list`")
    if len(found) > 1:
        listed = ", ".join(f"{row['entity_id']} ({row['name']}, {row['type']})" for row in found)
        raise NotFound(f"{name!r} is ambiguous, name one id: {listed}")
    return found[0]


def merge(connection: Connection[Row], app_id: str, name: str, into: str, reason: str) -> int:
    """Make one entity of two, under the id of `into`; returns the decision's number.

    Raises:
        NotFound: a name means no entity or several, or both mean the same one.
    """
    entity_graph.lock(connection, app_id)
    own, other = (find_entity(connection, app_id, each) for each in (name, into))
    if own["entity_id"] == other["entity_id"]:
        raise NotFound(f"{name!r} and {into!r} are one entity already: {own['entity_id']}")
    decision = Decision("merge", own["entity_id"], other["entity_id"])
    return _decide(connection, app_id, decision, own["name"], other["name"], reason)


def split(connection: Connection[Row], app_id: str, name: str, out_of: str, reason: str) -> int:
    """Take a name out of an entity that it is no name of; returns the decision's number.

    Raises:
        NotFound: `out_of` means no entity or several, or does not go by that name.
    """
    entity_graph.lock(connection, app_id)
    entity = find_entity(connection, app_id, out_of)
    ids = entity_members.names_of(connection, app_id, [entity["entity_id"]])[entity["entity_id"]]
    wanted = spelling(name)
    for row in entity_decisions.names_of_entity(connection, app_id, ids):
        if spelling(row["name"]) != wanted and row["plain_id"] != name:
            continue
        # a name that is anchored leaves its anchor, others what an alias brought them to
        other = row["name_id"] if row["name_id"] != row["plain_id"] else entity["entity_id"]
        if row["plain_id"] == other:
            continue
        decision = Decision("split", row["plain_id"], other)
        return _decide(connection, app_id, decision, row["name"], entity["name"], reason)
    raise NotFound(
        f"{name!r} cannot be split from {entity['name']}: no document calls it so, it is its own "
        "name, or a merge joined them (undo that); see `finrag entities show "
        f"{entity['entity_id']}`"
    )


def undo(connection: Connection[Row], app_id: str, decision_id: int) -> Row:
    """Take a decision back; returns it.

    Raises:
        NotFound: no such decision stands.
    """
    entity_graph.lock(connection, app_id)
    undone = entity_decisions.undo(connection, app_id, decision_id)
    if undone is None:
        raise NotFound(f"no decision {decision_id} stands; see `finrag entities decisions`")
    decision = Decision(undone["kind"], undone["name_id"], undone["other_id"])
    _apply(connection, app_id, decision)
    return undone


def _decide(
    connection: Connection[Row],
    app_id: str,
    decision: Decision,
    name: str,
    other_name: str,
    reason: str,
) -> int:
    number = entity_decisions.add(connection, app_id, decision, name, other_name, reason)
    if number is None:
        raise NotFound(f"it is decided already: {decision.kind} {name}, {other_name}")
    _apply(connection, app_id, decision)
    return number


def _apply(connection: Connection[Row], app_id: str, decision: Decision) -> None:
    documents = entity_decisions.documents_of(connection, app_id, decision)
    with refreshed(connection, app_id, documents, (decision.name_id, decision.other_id)):
        if decision.kind == "split":
            entity_decisions.rename_mentions(connection, app_id, decision)
