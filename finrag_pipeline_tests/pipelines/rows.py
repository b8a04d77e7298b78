"""Everything that an ingestion leaves in the store, in a form that can be compared."""

from __future__ import annotations

from typing import Any

from finrag_pipeline.store.database.connections import Database

_OWN = "select d.content_sha256, to_jsonb(t) - '{document_id,app_id}'::text[] as row"
#: Documents are told apart by content, since ids hold the app; moments and seconds are left out.
_QUERIES = {
    "documents": "select d.content_sha256, d.status, d.reason, d.current_revision, d.arrival_on",
    "document_sources": "select d.content_sha256, t.name, t.fingerprint",
    "document_revisions": _OWN,
    "document_stages": "select d.content_sha256, t.revision, t.stage, t.row_count",
    "pages": _OWN,
    "cleaned_text": _OWN,
    "html_tables": _OWN,
    "financial_facts": _OWN,
    "clique_chunks": _OWN,
    "embeddings": "select d.content_sha256, t.kind, t.ordinal, t.space_id, t.embedding::text",
    # people of no known company are told apart by their document
    "entity_mentions": "select d.content_sha256, t.ordinal, t.text, t.name, "
    "replace(t.name_key, d.document_id, '') as name_key",
    "relation_evidence": "select d.content_sha256, t.ordinal, t.relation, t.description",
    "entity_names": "select d.content_sha256, t.name, t.mention_count, "
    "replace(t.name_key, d.document_id, '') as name_key",
    "index_changes": "select d.content_sha256, count(*)",
}


def rows_of(database: Database, app_id: str) -> dict[str, list[str]]:
    """Rows of every table that belong to an app, as sorted text."""
    found: dict[str, list[str]] = {}
    with database.connection() as connection:
        for table, select in _QUERIES.items():
            join = "" if table == "documents" else f"join {table} t using (document_id)"
            group = "group by 1" if table == "index_changes" else ""
            query: Any = f"{select} from documents d {join} where d.app_id = %s {group}"
            rows = connection.execute(query, (app_id,)).fetchall()
            found[table] = sorted(repr(sorted(row.items())) for row in rows)
    return found
