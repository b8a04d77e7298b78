"""What stages left undone of an app's documents, as far as the settings still ask for it."""

from __future__ import annotations

from finrag_pipeline.pipelines.documents import chunk_contexts, financial_facts
from finrag_pipeline.pipelines.graph import entity_mentions
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.store.documents import unfinished_stages
from finrag_pipeline.store.documents.unfinished_stages import Waiting


def left_unfinished(run: Run) -> list[Waiting]:
    """Documents that wait for a later run, those with most left first.

    What nobody is asked to do any more (no chat model is set, the graph is off) is no fault.
    """
    settings = run.settings
    stages = [financial_facts.ASSET]
    if settings.chat_model:
        stages.append(chunk_contexts.ASSET)
    if settings.graph != "off":
        stages.append(entity_mentions.ASSET)
    with run.database.connection() as connection:
        return unfinished_stages.waiting(connection, run.scope.app_id, stages)
