"""Standing checks: what is broken now, how much of it, a sample, and how to mend it."""

import dagster as dg

from finrag_pipeline.defs.documents import clique_chunks, indexed_documents
from finrag_pipeline.defs.resources import IngestionResource
from finrag_pipeline.errors import reason_line
from finrag_pipeline.pipelines.run import silent
from finrag_pipeline.stages.units import MAX_TOKENS, MIN_TOKENS
from finrag_pipeline.store import cleaned_text, documents
from finrag_pipeline.store import clique_chunks as chunk_store
from finrag_pipeline.store.keyword_index import KeywordIndex

#: Names shown of a longer list.
SAMPLE = 10


@dg.asset_check(asset=indexed_documents)
def quarantined_documents(ingestion: IngestionResource) -> dg.AssetCheckResult:
    """Every document could be indexed; those that could not are named with reason and mend."""
    with ingestion.run((), silent) as run, run.database.connection() as connection:
        failed = documents.with_reason(connection, run.scope.app_id)
    lines = [
        f"- {row['source']}: {reason_line(row['reason'], row['detail'])}" for row in failed[:SAMPLE]
    ]
    return dg.AssetCheckResult(
        passed=not failed,
        severity=dg.AssetCheckSeverity.WARN,
        description=f"{len(failed)} documents could not be indexed" if failed else "none",
        metadata={"quarantined": len(failed), "sample": dg.MetadataValue.md("\n".join(lines))},
    )


@dg.asset_check(asset=indexed_documents)
def keyword_index_in_step(ingestion: IngestionResource) -> dg.AssetCheckResult:
    """This host's keyword copy holds exactly what a copy built afresh from the store holds."""
    with ingestion.run((), silent) as run:
        comparison = KeywordIndex(run.settings.home / "keyword", run.database).verify()
    return dg.AssetCheckResult(
        passed=comparison.equal,
        severity=dg.AssetCheckSeverity.ERROR,
        description="in step"
        if comparison.equal
        else f"{comparison.missing} entries missing, {comparison.extra} too many; "
        "delete the keyword folder under FINRAG_HOME: the next search builds it again",
        metadata={
            "entries": comparison.entries,
            "missing": comparison.missing,
            "extra": comparison.extra,
            "sample": dg.MetadataValue.json(list(comparison.sample)),
        },
    )


@dg.asset_check(asset=clique_chunks)
def chunk_lengths(ingestion: IngestionResource) -> dg.AssetCheckResult:
    """No chunk is longer than the maximum; short ones are short sections and are counted."""
    with ingestion.run((), silent) as run, run.database.connection() as connection:
        lengths = chunk_store.lengths(connection, run.scope.app_id, MIN_TOKENS, MAX_TOKENS)
    return dg.AssetCheckResult(
        passed=lengths["over"] == 0,
        severity=dg.AssetCheckSeverity.ERROR,
        description=f"{lengths['over']} of {lengths['chunks']} chunks exceed {MAX_TOKENS} tokens",
        metadata=lengths,
    )


@dg.asset_check(asset=indexed_documents)
def no_empty_document(ingestion: IngestionResource) -> dg.AssetCheckResult:
    """Every indexed document has a chunk or a table."""
    with ingestion.run((), silent) as run, run.database.connection() as connection:
        empty = cleaned_text.empty_documents(connection, run.scope.app_id)
    return dg.AssetCheckResult(
        passed=not empty,
        severity=dg.AssetCheckSeverity.ERROR,
        description=f"{len(empty)} indexed documents are empty; withdraw and ingest them again"
        if empty
        else "none",
        metadata={"empty": len(empty), "sample": dg.MetadataValue.json(empty[:SAMPLE])},
    )


DOCUMENT_CHECKS = [
    quarantined_documents,
    keyword_index_in_step,
    chunk_lengths,
    no_empty_document,
]
