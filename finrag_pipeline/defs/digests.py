"""The daily note on what came: made after the documents of a day are with their readers."""

import dagster as dg

from finrag_pipeline.defs import metadata
from finrag_pipeline.defs.documents import document_asset, indexed_documents
from finrag_pipeline.defs.metadata import Metadata
from finrag_pipeline.defs.partitions import days_of
from finrag_pipeline.defs.resources import IngestionResource
from finrag_pipeline.defs.telling import add_by_partition
from finrag_pipeline.pipelines.run.run import Progress
from finrag_pipeline.query.answers.digest.composing import Digest
from finrag_pipeline.query.answers.digest.rendering import to_markdown
from finrag_pipeline.query.answers.digest.writer import note_of
from finrag_pipeline.store.database.reader import Reader

#: A backfill of ten years tells the notes of its last days, and no other.
_TOLD_DAYS = 7


@document_asset(kinds={"postgres", "markdown"}, deps=[indexed_documents], table="documents")
def daily_digest(
    context: dg.AssetExecutionContext,
    ingestion: IngestionResource,
    progress: dg.ResourceParam[Progress],
) -> None:
    """One row per document of `documents` that came on a day, told in that day's morning note.

    What was published, which ratings, prices and forecasts changed, new figures against earlier
    forecasts, risks named first, what is quarantined: each line cited. The note stands with its
    day's materialisation; `finrag digest` makes it anew.
    """
    days = days_of(context)[-_TOLD_DAYS:]
    with ingestion.run(days, progress) as run, Reader.open(run.settings) as reader:
        notes = {day: note_of(reader, run.scope.app_id, day) for day in days}
    add_by_partition(context, {day: _told(note) for day, note in notes.items()}, {})
    for note in notes.values():
        context.log.info(f"{note.first_on}: {note.lead}")


def _told(note: Digest) -> Metadata:
    """A note and its size."""
    counts = [(each.title, len(each.lines)) for each in note.sections]
    return {
        "note": dg.MetadataValue.md(to_markdown(note)),
        "sections": metadata.table(("section", "lines"), counts),
        "dagster/partition_row_count": dg.MetadataValue.int(note.documents),
    }
