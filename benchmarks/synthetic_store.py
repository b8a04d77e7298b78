"""Stores of made-up reports: filled by COPY, brought to the graph as publications bring them.

The rows are those that reading and publishing one after the other would leave.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, islice
from typing import Any

import psycopg
from psycopg import Connection

from benchmarks.synthetic_reports import APP, CONTENT, REVISION, SyntheticReport
from finrag_pipeline.pipelines.graph.entity_graph import refreshed
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents import documents
from finrag_pipeline.store.graph import entity_mentions

#: Reports that are brought to the graph together.
BATCH = 500

Row = dict[str, Any]

_COLUMNS = {
    "documents": "document_id, app_id, content_sha256, size_bytes, arrival_on",
    "document_revisions": "document_id, revision, page_count, kind, language, company_code, "
    "company_name, published_on, published_on_printed",
    "pages": "document_id, revision, page, width_pt, height_pt",
    "clique_chunks": "document_id, revision, ordinal, page, places, meta, content, token_count, "
    "parent_page",
    "html_tables": "document_id, revision, ordinal, page, bbox, title, cells, html, markdown",
    "entity_mentions": "document_id, revision, ordinal, app_id, chunk, page, start_at, end_at, "
    "text, type, confidence, name, spelling, resolved_id, resolved_key, plain_id, plain_key, "
    "name_id, published_on",
    "entity_aliases": "document_id, revision, alias_id, name_id, app_id, alias, spelling, "
    "published_on",
    "relation_evidence": "document_id, revision, ordinal, app_id, chunk, page, head_mention, "
    "tail_mention, head_id, relation, tail_id, description, start_at, end_at, modality, "
    "confidence, weight, published_on",
    "entity_claims": "document_id, revision, ordinal, app_id, chunk, page, mention, name_id, "
    "kind, description, start_at, end_at, modality, metric, published_on",
}
#: What stands before entities are read.
_READ_FIRST = ("documents", "document_revisions", "pages", "clique_chunks", "html_tables")
_PLACES = '[{"page": 1, "bbox": [0, 0, 1, 1]}]'


def fill(database: Database, reports: Iterator[SyntheticReport]) -> None:
    """Add reports to a store as if they had been published, and leave it at rest."""
    for number in count():
        if number == 1:  # as autovacuum would, had the reports come in nights
            settle(database)
        if not (batch := list(islice(reports, BATCH))):
            break
        with database.transaction() as connection:
            _copy(connection, batch)
            ids = [report.document.document_id for report in batch]
            with refreshed(connection, APP, ids):
                connection.execute(
                    "update documents set status = 'indexed', current_revision = %s "
                    "where document_id = any(%s)",
                    (REVISION, ids),
                )
    settle(database)


def settle(database: Database) -> None:
    """Do what autovacuum and the checkpointer would do some time: not while others are timed."""
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("vacuum analyze")
        connection.execute("checkpoint")


def read(database: Database, report: SyntheticReport) -> None:
    """Register one report and store its chunks and what was read of them; readers see nothing."""
    with database.transaction() as connection:
        for table in _READ_FIRST:
            _copy_rows(connection, table, _rows(table, report))
    with database.transaction() as connection:
        documents.lock(connection, report.document.document_id)
        with refreshed(connection, APP, [report.document.document_id]):
            entity_mentions.replace(connection, report.document, report.chunks)


def publish(database: Database, report: SyntheticReport) -> None:
    """Bring a report that was read to readers, as the stage of published documents does."""
    with database.transaction() as connection:
        documents.lock(connection, report.document.document_id)
        replaced = documents.superseded(connection, report.document.document_id)
        with refreshed(connection, APP, [report.document.document_id, *replaced]):
            documents.publish(connection, report.document, replaced)


def _copy(connection: Connection[Row], reports: Sequence[SyntheticReport]) -> None:
    for table in _COLUMNS:
        _copy_rows(connection, table, (row for each in reports for row in _rows(table, each)))


def _copy_rows(connection: Connection[Row], table: str, rows: Iterator[tuple[Any, ...]]) -> None:
    statement = f"copy {table} ({_COLUMNS[table]}) from stdin".encode()
    with connection.cursor().copy(statement) as copy:
        for row in rows:
            copy.write_row(row)


def _rows(table: str, report: SyntheticReport) -> Iterator[tuple[Any, ...]]:
    document = report.document
    key = (document.document_id, REVISION)
    day = document.arrival_on
    if table == "documents":
        yield document.document_id, APP, document.content_sha256, 1, day
    elif table == "document_revisions":
        yield *key, 1, "other", "zh", *report.about, day, True
    elif table == "pages":
        yield *key, 1, 600, 800
    elif table == "clique_chunks":
        for ordinal, content in enumerate(report.contents or [CONTENT] * len(report.chunks)):
            yield *key, ordinal, 1, _PLACES, "", content, len(content), 1
    elif table == "html_tables":
        for ordinal, (title, markdown) in enumerate(report.tables):
            yield *key, ordinal, 1, [0, 0, 1, 1], title, "[]", markdown, markdown
    else:
        yield from _read_rows(table, report, key)


def _read_rows(
    table: str, report: SyntheticReport, key: tuple[str, str]
) -> Iterator[tuple[Any, ...]]:
    day = report.document.arrival_on
    mentions = ordinal = 0
    for each in report.chunks:
        chunk, names = each.extraction.chunk, each.names
        place = (APP, chunk, 1)
        if table == "entity_mentions":
            for mention, name in zip(each.extraction.mentions, names, strict=True):
                yield (
                    *key, ordinal, *place, mention.start, mention.end, mention.text, mention.type,
                    mention.confidence, mention.name, name.spelling, name.resolved_id,
                    name.resolved_key, name.plain_id, name.plain_key, name.resolved_id, day,
                )  # fmt: skip
                ordinal += 1
        elif table == "entity_aliases":
            for name, aliases in zip(names, each.aliases, strict=True):
                for alias in aliases:
                    yield (
                        *key, alias.alias_id, name.resolved_id, APP, alias.alias, alias.spelling,
                        day,
                    )  # fmt: skip
        elif table == "relation_evidence":
            stated = [
                (r.head, r.relation, r.tail, r.description, r.start, r.end)
                for r in each.extraction.relations
            ]
            shared = [(head, "co_occurs", tail, "", 0, 1) for head, tail in each.co_occurring]
            for head, relation, tail, description, start, end in [*stated, *shared]:
                yield (
                    *key, ordinal, *place, mentions + head, mentions + tail,
                    names[head].resolved_id, relation, names[tail].resolved_id, description,
                    start, end, "asserted", "high", 1.0, day,
                )  # fmt: skip
                ordinal += 1
        elif table == "entity_claims":
            for claim in each.extraction.claims:
                yield (
                    *key, ordinal, *place, mentions + claim.subject,
                    names[claim.subject].resolved_id, claim.kind, claim.description, claim.start,
                    claim.end, claim.modality, claim.metric, day,
                )  # fmt: skip
                ordinal += 1
        mentions += len(each.extraction.mentions)
