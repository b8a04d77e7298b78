"""Summaries of entities as of a day: what is stored, else what would be by what was known then."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from finrag_pipeline.stages.graph.summaries import extract_summary
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.graph import entity_summaries


def summaries(
    connection: Connection[Row], app_id: str, entity_ids: Sequence[str], as_of: date | None
) -> dict[str, str]:
    """Texts by entity; entities that few chunks name (then) have none.

    A summary that rests on something newer than `as_of` is not told: one is extracted from what
    was published by then.
    """
    stored = entity_summaries.summaries(connection, app_id, entity_ids)
    if as_of is None:
        return {entity_id: each.summary_text for entity_id, each in stored.items()}
    told = {
        entity_id: each.summary_text
        for entity_id, each in stored.items()
        if each.published_to <= as_of
    }
    newer = [entity_id for entity_id in entity_ids if entity_id not in told]
    sources = entity_summaries.sources(connection, app_id, newer, as_of)
    return told | {source.entity_id: extract_summary(source).text for source in sources}
