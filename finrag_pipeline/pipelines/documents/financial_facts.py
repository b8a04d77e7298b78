"""Tables and text of a document to the single figures that they print.

What is a figure of what is decided in `stages.facts`; a vendor's are `structured_financials`.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from functools import cache
from typing import Any

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.pipelines.run.run import Run, Unfinished
from finrag_pipeline.pipelines.run.workers import ReaderPool
from finrag_pipeline.records import Document, Metadata, Region, Table
from finrag_pipeline.records.facts import FinancialFact
from finrag_pipeline.store.database.connections import Connection
from finrag_pipeline.store.documents import cleaned_text, document_revisions, html_tables
from finrag_pipeline.store.facts import financial_facts

log = logging.getLogger(__name__)

ASSET = "financial_facts"
#: Raised by one whenever the same tables and text may become other figures; lists that they are
#: read by count by themselves.
VERSION = 12


@cache
def stage_key() -> str:
    """What marks a revision as read for figures by this release and its lists.

    A document whose figures were read by another is read for them again by the next run over it,
    from what the store has of its tables and text.
    """
    from finrag_pipeline.grammar import fact_metrics
    from finrag_pipeline.stages.facts.lists import fingerprint

    parts = (VERSION, fact_metrics.fingerprint(), fingerprint())
    return f"{ASSET} {hashlib.sha256(repr(parts).encode()).hexdigest()[:12]}"


class FinancialFacts:
    """Stage: one row per figure.

    A document of which figures cannot be read goes to its readers without: later runs try again.
    """

    name = ASSET
    after = ("cleaned_text", "html_tables")

    @property
    def key(self) -> str:
        return stage_key()

    def compute(
        self, run: Run, document: Document, pool: ReaderPool
    ) -> tuple[FinancialFact, ...] | DocumentError:
        key = (document.document_id, document.revision)
        with run.database.connection() as connection:
            tables = html_tables.read(connection, *key)
            regions = cleaned_text.regions(connection, *key)
            metadata = document_revisions.read_metadata(connection, document)
        page_count = max((region.page for region in regions), default=0)
        timeout_s = run.settings.open_timeout_s + page_count * run.settings.page_timeout_s
        try:
            return pool.call(timeout_s, document_facts, document.source, metadata, tables, regions)
        except DocumentError as error:
            return error

    def store(
        self,
        connection: Connection[dict[str, Any]],
        document: Document,
        result: tuple[FinancialFact, ...] | DocumentError,
    ) -> dict[str, int] | Unfinished:
        from finrag_pipeline.stages.facts.sources import fact_sources

        if isinstance(result, DocumentError):  # what an earlier release read of it stays
            log.warning("%s: its figures cannot be read: %s", document.source, result)
            reason = f"its figures cannot be read ({result.reason}: {result.detail})"
            return Unfinished({"facts": 0}, 1, reason, in_vain=True)
        ranks = {name: source.rank for name, source in fact_sources().items()}
        financial_facts.replace(connection, document, result, ranks)
        return {
            "facts": len(result),
            "metrics": len({fact.metric for fact in result}),
            "unsound_facts": sum(fact.checked is False for fact in result),
        }


def document_facts(
    source_name: str, metadata: Metadata, tables: Sequence[Table], regions: Sequence[Region]
) -> tuple[FinancialFact, ...]:
    """The figures of a document in order of print; runs in a worker."""
    from finrag_pipeline.stages.facts.reading import read_facts

    return read_facts(source_name, metadata, tables, regions)
