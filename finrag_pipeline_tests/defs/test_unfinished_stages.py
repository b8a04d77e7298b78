"""The check on what chat models left undone: counted by stage and reason, and how it goes on."""

from __future__ import annotations

import dagster as dg

from finrag_pipeline.defs.checks import unfinished_stages
from finrag_pipeline.defs.resources import IngestionResource
from finrag_pipeline.store.documents.unfinished_stages import MOST_TRIES
from finrag_pipeline_tests.documents import add_document

NOTES = [
    ("a", "chunk_contexts", 3, "the budget is spent", 0),
    ("a", "entity_mentions", 4, "the budget is spent", 0),
    ("b", "chunk_contexts", 1, "it declines", MOST_TRIES),
]


def checked() -> dg.AssetCheckResult:
    found = unfinished_stages(IngestionResource())
    assert isinstance(found, dg.AssetCheckResult)
    return found


def test_what_waits_is_told_by_stage_and_reason(environment, database, monkeypatch):
    assert checked().passed
    with database.transaction() as connection:
        for name in "ab":
            add_document(connection, name, ["营收增长。"])
        for document, stage, left, reason, tries in NOTES:
            connection.execute(
                "insert into unfinished_stages values (%s, 'r1', %s, %s, %s, %s)",
                (document, stage, left, reason, tries),
            )
    # without a chat model nobody asks for contexts, and the offline extractor reads the rest
    alone = checked()
    assert alone.description and alone.description.startswith("4 chunks lack entity_mentions; mend")
    monkeypatch.setenv("FINRAG_CHAT_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("FINRAG_CHAT_MODEL", "qwen")
    found = checked()
    assert not found.passed and found.severity is dg.AssetCheckSeverity.WARN
    assert found.description == (
        "4 chunks lack chunk_contexts, 4 chunks lack entity_mentions; mend what the reasons name: "
        "the next night asks for them again, but not for 1 that were tried in vain 5 times: those "
        "go on when they are ingested by name, or their arrival day is materialised again"
    )
    assert found.metadata["given_up"].value == 1
    assert "chunk_contexts, 1 documents: it declines" in str(found.metadata["reasons"].value)
    assert "- a.pdf: 4 chunks lack entity_mentions" in str(found.metadata["sample"].value)
