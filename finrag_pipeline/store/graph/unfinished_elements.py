"""What is left to do of an app's graph: lists of what changed, in place of passes over all of it.

Functions over `unfinished_elements.sql`. Who changes the graph lists what vectors or summaries have
to follow, in the same transaction; who works it off strikes it in the transaction that stores what
was made. Both hold the lock of the app's graph, so nothing is lost between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import Connection

from finrag_pipeline.records import Space
from finrag_pipeline.records.graph import EdgeKey
from finrag_pipeline.store.database.queries import load_queries
from finrag_pipeline.store.search.embeddings import space_id

Row = dict[str, Any]
Q = load_queries("graph/unfinished_elements")

#: The work of `entity_summaries`; that of `graph_embeddings` is named by the vector space.
SUMMARY = "summary"
#: Raise it when `graph_texts` says something else of what did not change.
_TEXTS = "1"


@dataclass(frozen=True, slots=True)
class Element:
    """What `graph_embeddings` may have a vector of, and the transaction that listed it last."""

    kind: str
    src: str
    edge_type: str
    dst: str
    listed_by: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What tells it from others: kind, src, edge type, dst."""
        return self.kind, self.src, self.edge_type, self.dst


def list_changed(
    connection: Connection[Row], app_id: str, entities: Sequence[str], edges: Sequence[EdgeKey]
) -> None:
    """List entities and relations that changed, or may have: for vectors and summaries.

    The caller holds the lock of the app's graph.
    """
    connection.execute(Q.list_entities, {"app_id": app_id, "entity_ids": sorted(entities)})
    connection.execute(Q.list_relations, _columns(app_id, edges))


def list_texts(connection: Connection[Row], app_id: str, space: Space) -> bool:
    """List what lacks its vector in a space: all of it once, then what hangs on changed names.

    Reads every text of an app the first time that a space is asked for; the caller holds the lock
    of the app's graph.

    Returns:
        Whether it was the first time.
    """
    given = {"app_id": app_id, "work": space_id(space)}
    first = not _passed(connection, given, _TEXTS)
    if first:
        connection.execute(Q.add_names, given)
        connection.execute(Q.list_every_text, given)
        connection.execute(Q.set_pass, given | {"made_under": _TEXTS})
    connection.execute(Q.list_relations_of_renamed, given)
    connection.execute(Q.set_names, given)
    connection.execute(Q.delete_names, given)
    return first


def list_reports(connection: Connection[Row], build_id: str, space: Space) -> None:
    """List the reports of a build that lack their vector in a space."""
    connection.execute(Q.list_reports, {"build_id": build_id, "work": space_id(space)})


def summaries_listed(connection: Connection[Row], app_id: str, made_under: str) -> bool:
    """Whether every entity was listed for its summary, for who writes now and from how much."""
    return _passed(connection, {"app_id": app_id, "work": SUMMARY}, made_under)


def list_summaries(
    connection: Connection[Row], app_id: str, made_under: str, entities: Iterable[str]
) -> None:
    """List entities for their summary, and all that have one: from now on the list is complete.

    The caller holds the lock of the app's graph.

    Args:
        made_under: who writes, and from how much.
        entities: all that are to have one.
    """
    given = {"app_id": app_id, "work": SUMMARY}
    connection.execute(Q.list_summaries, given | {"entity_ids": list(entities)})
    connection.execute(Q.set_pass, given | {"made_under": made_under})


def forget_passes(connection: Connection[Row], app_id: str) -> None:
    """Have everything of an app looked at again, as if no list had been kept."""
    connection.execute(Q.forget_passes, {"app_id": app_id})


def count(connection: Connection[Row], app_id: str, work: str) -> int:
    """How many elements are listed for a work."""
    row = connection.execute(Q.count, {"app_id": app_id, "work": work}).fetchone()
    assert row is not None  # an aggregate without group by always has one row
    return row["listed"]


def listed(
    connection: Connection[Row], app_id: str, work: str, after: Element | None, k: int
) -> list[Element]:
    """The next `k` elements listed for a work, in order.

    Args:
        after: the last of those before; None: from the first.
    """
    kind, src, edge_type, dst = after.key if after else ("", "", "", "")
    given = {"kind": kind, "src": src, "edge_type": edge_type, "dst": dst, "k": k}
    rows = connection.execute(Q.listed, given | {"app_id": app_id, "work": work})
    return [Element(**row) for row in rows]


def strike(
    connection: Connection[Row], app_id: str, work: str, done: Iterable[Element]
) -> set[tuple[str, str, str, str]]:
    """Take elements off the list, but not those that changed since they were read from it.

    Returns:
        The keys of those taken off: what was made of the others is of yesterday.
    """
    elements = list(done)
    given = {
        "kinds": [each.kind for each in elements],
        "srcs": [each.src for each in elements],
        "edge_types": [each.edge_type for each in elements],
        "dsts": [each.dst for each in elements],
        "listed_by": [each.listed_by for each in elements],
    }
    rows = connection.execute(Q.strike, given | {"app_id": app_id, "work": work})
    return {(row["kind"], row["src"], row["edge_type"], row["dst"]) for row in rows}


def _passed(connection: Connection[Row], given: Row, made_under: str) -> bool:
    row = connection.execute(Q.made_under, given).fetchone()
    return row is not None and row["made_under"] == made_under


def _columns(app_id: str, edges: Iterable[EdgeKey]) -> Row:
    keys = sorted(edges)
    return {
        "app_id": app_id,
        "srcs": [src for src, _, _ in keys],
        "edge_types": [edge_type for _, edge_type, _ in keys],
        "dsts": [dst for _, _, dst in keys],
    }
