"""Everything that weekly builds leave in the store, in a form that can be compared."""

from __future__ import annotations

from typing import Any

import psycopg

#: Moments are left out.
_QUERIES = {
    "community_builds": "select to_jsonb(t) - 'clustered_at' - 'summarised_at' - 'published_at'"
    " || jsonb_build_object('published', published_at is not null) from community_builds t",
    "leiden_communities": "select to_jsonb(t) from leiden_communities t",
    "community_members": "select to_jsonb(t) from community_members t",
    "community_events": "select to_jsonb(t) from community_events t",
    "element_summaries": "select to_jsonb(t) from element_summaries t",
    "community_summaries": "select to_jsonb(t) - 'created_at' from community_summaries t",
    "chain_reports": "select to_jsonb(t) from chain_reports t",
    "graph_embeddings": "select jsonb_build_array(kind, src_entity_id, dst_entity_id, embedding)"
    " from graph_embeddings where kind in ('community', 'chain')",
}


def weekly_rows(url: str) -> dict[str, list[str]]:
    """Rows of every table of the weekly builds, as sorted text."""
    with psycopg.connect(url) as connection:
        return {
            table: sorted(repr(row[0]) for row in connection.execute(_as_query(query)))
            for table, query in _QUERIES.items()
        }


def _as_query(text: Any) -> Any:
    return text
