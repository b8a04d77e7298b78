"""Which edge of the graph a statement belongs to."""

from __future__ import annotations

from collections.abc import Set

from finrag_pipeline.records.graph import EdgeKey


def edge_key(src: str, relation: str, dst: str, symmetric: Set[str]) -> EdgeKey:
    """The edge between two entities; without direction its ends are in the order of ids."""
    first, last = sorted((src, dst)) if relation in symmetric else (src, dst)
    return first, relation, last
