"""Pieces of evidence of any kind by their keys."""

from __future__ import annotations

from collections.abc import Iterable

from finrag_pipeline.query.evidence.keys import Key
from finrag_pipeline.query.evidence.kinds import EvidenceItem, kinds
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.store.database.connections import Connection, Row


def read_items(
    connection: Connection[Row], keys: Iterable[Key], asked: Asked
) -> dict[Key, EvidenceItem]:
    """What stands behind some keys as readers see it, with the text of its pages."""
    wanted = list(dict.fromkeys(keys))
    items: dict[Key, EvidenceItem] = {}
    for kind in kinds():
        own = [key for key in wanted if key.kind == kind.name]
        if own:
            read = kind.read(connection, own, asked, len(own)).items
            items |= {each.key: each for each in kind.complete(connection, list(read.values()))}
    return items
