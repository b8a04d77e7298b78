"""Companies of the same industry: two steps over the explicit edges of the graph."""

from __future__ import annotations

from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.stages.identity.company_keys import company_key
from finrag_pipeline.stages.identity.spelling import spelling
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.graph import graph_search

#: Companies that are looked at.
_MOST = 50
_BELONGS = ("part_of",)


def peer_companies(connection: Connection[Row], asked: Asked, name: str) -> list[str]:
    """The keys of companies that share an industry with one, the nearest first."""
    app_id, as_of = asked.where.app_id, asked.where.as_of
    found = graph_search.spelled(connection, app_id, [spelling(name)], as_of)
    own = list(dict.fromkeys(each.entity_id for each in found))
    near = graph_search.neighbours(
        connection, app_id, own, as_of, hops=2, k=_MOST, fan_out=_MOST, edge_types=_BELONGS
    )
    ids = [each.entity_id for each in near if each.hops == 2]
    rows = graph_search.describe(connection, app_id, ids, as_of)
    keys = (
        company_key(rows[each]["name"], next(iter(rows[each]["codes"]), None))
        for each in ids
        if each in rows and rows[each]["type"] == "company"
    )
    return list(dict.fromkeys(keys))
