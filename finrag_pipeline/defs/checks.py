"""Standing checks: what is broken now, how much of it, a sample, and how to mend it."""

from collections import Counter
from collections.abc import Iterable

import dagster as dg

from finrag_pipeline.defs.budget_check import chat_budget
from finrag_pipeline.defs.documents import (
    clique_chunks,
    entity_graph,
    entity_mentions,
    indexed_documents,
)
from finrag_pipeline.defs.resources import IngestionResource
from finrag_pipeline.errors import reason_line
from finrag_pipeline.pipelines.documents import financial_facts
from finrag_pipeline.pipelines.documents.unfinished_stages import left_unfinished
from finrag_pipeline.pipelines.graph.entity_mentions import read_otherwise
from finrag_pipeline.pipelines.graph.graph_check import differences
from finrag_pipeline.pipelines.run.run import silent
from finrag_pipeline.settings import today
from finrag_pipeline.stages.chunking.segmentation_units import MAX_TOKENS
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.documents import cleaned_text, documents
from finrag_pipeline.store.documents import clique_chunks as chunk_store
from finrag_pipeline.store.documents.unfinished_stages import MOST_TRIES
from finrag_pipeline.store.graph import entity_mentions as mention_store
from finrag_pipeline.store.search.keyword_index import KeywordIndex

#: Names shown of a longer list.
SAMPLE = 10
#: Documents named where there is room for a line.
NAMED = 3
#: Documents whose part of the graph is computed afresh: publications wait as long.
COMPARED_DOCUMENTS = 50
#: Documents looked at besides those of late, other ones every day: some 20 ms.
OTHERS = 1000


@dg.asset_check(asset=indexed_documents)
def quarantined_documents(ingestion: IngestionResource) -> dg.AssetCheckResult:
    """Every document could be indexed; those that could not are named with reason and mend."""
    with ingestion.run((), silent) as run, run.database.connection() as connection:
        failed = documents.with_reason(connection, run.scope.app_id)
    lines = [f"{row['source']}: {reason_line(row['reason'], row['detail'])}" for row in failed]
    more = f" … and {len(lines) - NAMED} more" if len(lines) > NAMED else ""
    return dg.AssetCheckResult(
        passed=not failed,
        severity=dg.AssetCheckSeverity.WARN,
        description=f"{len(failed)} documents could not be indexed. "
        f"{' | '.join(lines[:NAMED])}{more}"
        if failed
        else "none",
        metadata={
            "quarantined": len(failed),
            "sample": _list(lines[:SAMPLE]),
        },
    )


@dg.asset_check(asset=indexed_documents)
def unfinished_stages(ingestion: IngestionResource) -> dg.AssetCheckResult:
    """Every document has its figures and what a chat model writes; what waits is named, and why."""
    with ingestion.run((), silent) as run:
        waiting = left_unfinished(run)
    given_up = [each for each in waiting if each.given_up]
    stages = sorted({each.stage for each in waiting})
    counts = {
        stage: sum(each.left_count for each in waiting if each.stage == stage) for stage in stages
    }
    reasons = Counter((each.stage, each.reason) for each in waiting)
    told = ", ".join(f"{count} {_parts(stage)} lack {stage}" for stage, count in counts.items())
    mend = "mend what the reasons name: the next night asks for them again"
    if given_up:
        mend += (
            f", but not for {len(given_up)} that were tried in vain {MOST_TRIES} times: those go "
            "on when they are ingested by name, or their arrival day is materialised again"
        )
    return dg.AssetCheckResult(
        passed=not waiting,
        severity=dg.AssetCheckSeverity.WARN,
        description=f"{told}; {mend}" if waiting else "none",
        metadata={
            **counts,
            "given_up": len(given_up),
            "reasons": _list(
                f"{stage}, {count} documents: {reason}"
                for (stage, reason), count in reasons.most_common(SAMPLE)
            ),
            "sample": _list(
                f"{each.source}: {each.left_count} {_parts(each.stage)} lack {each.stage}"
                for each in waiting[:SAMPLE]
            ),
        },
    )


def _parts(stage: str) -> str:
    return "documents" if stage == financial_facts.ASSET else "chunks"


def _list(lines: Iterable[str]) -> dg.MetadataValue:
    return dg.MetadataValue.md("\n".join(f"- {line}" for line in lines))


@dg.asset_check(asset=indexed_documents)
def keyword_index_in_step(ingestion: IngestionResource) -> dg.AssetCheckResult:
    """This host's keyword copy holds what the store does: all that changed, and a part in turn.

    What changed since the last check is compared entry by entry, text included; of the rest what
    begins with one prefix of ids, another one every day.
    """
    with ingestion.run((), silent) as run, Reader.open(run.settings) as reader:
        index = KeywordIndex(run.settings.home / "keyword", reader)
        comparison = index.of(run.scope.app_id).verify(today())
    return dg.AssetCheckResult(
        passed=comparison.equal,
        severity=dg.AssetCheckSeverity.ERROR,
        description="in step"
        if comparison.equal
        else f"{comparison.missing} entries missing, {comparison.extra} too many; "
        "delete the keyword folder under FINRAG_HOME: the next search builds it again",
        metadata={
            "entries": comparison.entries,
            "compared_documents": comparison.documents,
            "changed_documents": comparison.changed,
            "missing": comparison.missing,
            "extra": comparison.extra,
            "sample": dg.MetadataValue.json(list(comparison.sample)),
        },
    )


@dg.asset_check(asset=clique_chunks)
def chunk_lengths(ingestion: IngestionResource) -> dg.AssetCheckResult:
    """No chunk is longer than the maximum."""
    with ingestion.run((), silent) as run, run.database.connection() as connection:
        lengths = chunk_store.lengths(connection, run.scope.app_id, MAX_TOKENS)
    return dg.AssetCheckResult(
        passed=lengths["over"] == 0,
        severity=dg.AssetCheckSeverity.ERROR,
        description=f"{lengths['over']} chunks exceed {MAX_TOKENS} tokens",
        metadata=lengths,
    )


@dg.asset_check(asset=indexed_documents)
def no_empty_document(ingestion: IngestionResource) -> dg.AssetCheckResult:
    """Every document indexed of late, and of 1,000 others each day, has a chunk or a table."""
    with ingestion.run((), silent) as run, run.database.connection() as connection:
        chosen = documents.looked_at(connection, run.scope.app_id, today(), OTHERS)
        empty = cleaned_text.empty_documents(connection, chosen)
    return dg.AssetCheckResult(
        passed=not empty,
        severity=dg.AssetCheckSeverity.ERROR,
        description=f"{len(empty)} indexed documents are empty; withdraw and ingest them again"
        if empty
        else "none",
        metadata={
            "looked_at": len(chosen),
            "empty": len(empty),
            "sample": dg.MetadataValue.json(empty[:SAMPLE]),
        },
    )


@dg.asset_check(asset=entity_mentions)
def extraction_problems(ingestion: IngestionResource) -> dg.AssetCheckResult:
    """Every chunk was read whole; those that an extractor failed of are named with the reason."""
    with ingestion.run((), silent) as run, run.database.connection() as connection:
        problems = mention_store.problems(connection, run.scope.app_id)
    lines = [f"{row['source']}, page {row['page']}: {row['reason']}" for row in problems]
    return dg.AssetCheckResult(
        passed=not problems,
        severity=dg.AssetCheckSeverity.WARN,
        description=f"{len(problems)} chunks are not in the graph; materialise entity_mentions for "
        "their days again, or run `finrag entities rebuild`"
        if problems
        else "none",
        metadata={"problems": len(problems), "sample": _list(lines[:SAMPLE])},
    )


@dg.asset_check(asset=entity_graph)
def entity_graph_in_step(ingestion: IngestionResource) -> dg.AssetCheckResult:
    """What up to 50 documents, others every day, brought to the graph is what they bring afresh."""
    with ingestion.run((), silent) as run:
        differing = differences(
            run.database, run.scope.app_id, COMPARED_DOCUMENTS, today().isoformat()
        )
    return dg.AssetCheckResult(
        passed=not differing,
        severity=dg.AssetCheckSeverity.ERROR,
        description=f"{', '.join(differing)} differ from a rebuild: run `finrag entities rebuild`"
        if differing
        else "in step",
        metadata={"differing": dg.MetadataValue.json(differing)},
    )


@dg.asset_check(asset=entity_graph)
def one_reading(ingestion: IngestionResource) -> dg.AssetCheckResult:
    """The configured extractor read every document of late, and of 1,000 others each day."""
    with ingestion.run((), silent) as run:
        with run.database.connection() as connection:
            chosen = documents.looked_at(connection, run.scope.app_id, today(), OTHERS)
        other = read_otherwise(run, chosen)
    return dg.AssetCheckResult(
        passed=not other,
        severity=dg.AssetCheckSeverity.WARN,
        description=f"{len(other)} of {len(chosen)} documents that were looked at were read by "
        "another extractor or with another registry, or not at all: run `finrag entities rebuild`"
        if other
        else "one",
        metadata={
            "looked_at": len(chosen),
            "documents": len(other),
            "sample": dg.MetadataValue.json(other[:SAMPLE]),
        },
    )


DOCUMENT_CHECKS = [
    quarantined_documents,
    unfinished_stages,
    keyword_index_in_step,
    chunk_lengths,
    no_empty_document,
    extraction_problems,
    entity_graph_in_step,
    one_reading,
    chat_budget,
]
