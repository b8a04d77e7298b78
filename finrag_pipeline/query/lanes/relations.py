"""What documents state of relations: the chunks behind an edge, and how they put it.

Which relations are told is the lanes' choice.
"""

from __future__ import annotations

from collections.abc import Sequence

from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.records.graph import EdgeKey
from finrag_pipeline.stages.extraction.vocabulary import SYMMETRIC
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.graph import graph_chunks, graph_search

#: Statements of one relation that are traced back to their chunks.
_STATEMENTS = 5


def statements(
    connection: Connection[Row], asked: Asked, edges: Sequence[EdgeKey]
) -> list[graph_chunks.EdgeStatement]:
    """The newest statements of each edge in what a question may be answered from."""
    where = asked.where
    ends = {end for src, _, dst in edges for end in (src, dst)}
    names = graph_search.names_of(connection, where.app_id, ends, where.as_of)
    symmetric = [edge_type in SYMMETRIC for _, edge_type, _ in edges]
    return graph_chunks.statements(connection, edges, symmetric, names, where, _STATEMENTS)


def descriptions(
    connection: Connection[Row], asked: Asked, edges: Sequence[EdgeKey]
) -> dict[EdgeKey, str]:
    """What documents say of some edges, the newest first."""
    said: dict[EdgeKey, dict[str, None]] = {}
    for each in statements(connection, asked, edges):
        if each.description:
            said.setdefault(edges[each.edge], {})[each.description] = None
    return {key: "\n".join(texts) for key, texts in said.items()}
