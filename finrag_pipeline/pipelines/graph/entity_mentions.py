"""Reads entities, relations and claims from chunks and anchors their names.

Who reads is `extractors`; what follows for the graph is `entity_graph`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from finrag_pipeline.pipelines.documents.company_records import record_of
from finrag_pipeline.pipelines.graph.chat_extraction import ASSET
from finrag_pipeline.pipelines.graph.entity_graph import name_id, refreshed
from finrag_pipeline.pipelines.graph.extractors import Extractor, load_extractor
from finrag_pipeline.pipelines.run.run import Run, StageReport, Unfinished, run_stage
from finrag_pipeline.pipelines.run.workers import ReaderPool
from finrag_pipeline.records import Document, Metadata
from finrag_pipeline.records.graph import ChunkExtraction, Mention, StatingRow
from finrag_pipeline.registry import load_registry
from finrag_pipeline.stages.enterprise.extraction import record_extractions
from finrag_pipeline.stages.extraction.lite import lite
from finrag_pipeline.stages.extraction.tables.relations import (
    TABLE_RELATIONS_VERSION,
    row_extractions,
    stating_rows,
)
from finrag_pipeline.stages.identity.codes import written_code
from finrag_pipeline.stages.identity.identities import identify
from finrag_pipeline.stages.identity.registry import Registry
from finrag_pipeline.stages.identity.spelling import spelling
from finrag_pipeline.store.database.connections import Connection
from finrag_pipeline.store.documents import clique_chunks, document_revisions, html_tables
from finrag_pipeline.store.graph import entity_mentions
from finrag_pipeline.store.graph.entity_mentions import Alias, IdentifiedChunk, Name

#: Types whose entities stand in every report.
_EVERYWHERE = frozenset({"metric", "place"})
#: Raised by one whenever the same extraction may become other rows.
VERSION = 3


@dataclass(frozen=True, slots=True)
class ReadMentions:
    """What chunks and stating rows of a document's tables say, and those rows."""

    passages: list[IdentifiedChunk]
    rows: list[StatingRow]


@dataclass
class EntityMentions:
    """Stage: one row per mention, statement and claim of a document's chunks and tables.

    One instance serves one run: an extractor that stopped leaves the rest of the run undone.
    """

    extractor: Extractor
    registry: Registry
    profile: str
    name: str = ASSET
    after: tuple[str, ...] = ("clique_chunks", "html_tables")
    _left: list[str] = field(default_factory=list[str], init=False)
    _problems: int = field(default=0, init=False)

    @property
    def degraded(self) -> tuple[str, ...]:
        """What a run has to say of documents that the graph does not have."""
        lines: list[str] = []
        if self._left:
            lines.append(
                f"{len(self._left)} documents are not in the entity graph yet, "
                f"{self.extractor.name} stopped: {self.extractor.stopped}; run the same again, it "
                "goes on where it stopped"
            )
        if self._problems:
            lines.append(
                f"{self._problems} chunks are not in the entity graph yet, {self.extractor.name} "
                "failed of them: run the same again; the check extraction_problems names them"
            )
        return tuple(lines)

    @property
    def key(self) -> str:
        """Marks a revision as read by this extractor with this registry."""
        parts = (
            *(VERSION, TABLE_RELATIONS_VERSION, self.profile),
            *(self.extractor.fingerprint, self.registry.fingerprint),
        )
        return f"{ASSET} {hashlib.sha256(repr(parts).encode()).hexdigest()[:12]}"

    def compute(self, run: Run, document: Document, pool: ReaderPool) -> ReadMentions | None:
        """What the document says; None where the extractor stopped before it saw it all."""
        if self.extractor.stopped:
            return None
        with run.database.connection() as connection:
            chunks, _ = clique_chunks.chunks_and_contexts(connection, document)
            tables = html_tables.read(connection, document.document_id, document.revision)
            metadata = document_revisions.read_metadata(connection, document)
        if (record := record_of(run, document)) is not None:
            # what it states is known, whoever reads what documents say
            extractions = record_extractions(record, chunks)
        else:
            extractions = self.extractor.extract(document, metadata, chunks)
        if self.extractor.stopped:
            return None
        rows = stating_rows(tables, metadata)
        said = _employed([*extractions, *row_extractions(rows)])
        paired = record is None
        return ReadMentions(
            [self._identified(document, metadata, each, paired) for each in said], rows
        )

    def store(
        self,
        connection: Connection[dict[str, Any]],
        document: Document,
        result: ReadMentions | None,
    ) -> dict[str, int] | Unfinished:
        if result is None:  # what an earlier extractor read of the document stays
            self._left.append(document.source)
            chunks = document_revisions.stage_rows(connection, document)["clique_chunks"]
            return Unfinished({"mentions": 0}, chunks, self.extractor.stopped or "")
        # under the lock of the graph: a decision by hand must meet either no rows or all of them
        with refreshed(connection, document.app_id, [document.document_id]):
            html_tables.set_stating_rows(connection, document, result.rows)
            counts = entity_mentions.replace(connection, document, result.passages)
        counts["chunks_without_mentions"] = sum(not each.names for each in result.passages)
        problems = [each.extraction for each in result.passages if each.extraction.problem]
        self._problems += len(problems)
        if problems:  # a chunk that a model failed of is asked about again by the next run
            in_vain = all(each.answered for each in problems)
            return Unfinished(counts, len(problems), problems[0].problem or "", in_vain)
        return counts

    def _identified(
        self, document: Document, metadata: Metadata, extraction: ChunkExtraction, paired: bool
    ) -> IdentifiedChunk:
        if self.profile == "lite":
            extraction = lite(extraction)

        def name(mention: Mention) -> Name:
            return identified(self.registry, document, metadata, mention)

        names = tuple(map(name, extraction.mentions))
        aliases: list[tuple[Alias, ...]] = []
        for mention, own in zip(extraction.mentions, names, strict=True):
            declared: list[Alias] = []
            for alias in mention.aliases:
                code = written_code(alias)
                other = name(replace(mention, name=alias, aliases=(), code=code))
                # what the registry knows by that name needs no declaration, or is somebody else
                unknown = code not in self.registry.by_code
                if code is None:
                    unknown = other.resolved_id == other.plain_id
                if unknown and other.resolved_id != own.resolved_id:
                    declared.append(Alias(alias, other.spelling, other.resolved_id))
            aliases.append(tuple(declared))
        # a row, or a record, says how its names are related: that they share it says no more
        pairs = _pairs(extraction, names) if paired and extraction.chunk >= 0 else ()
        return IdentifiedChunk(extraction, names, tuple(aliases), pairs)


def _employed(extractions: Sequence[ChunkExtraction]) -> list[ChunkExtraction]:
    """A person whose company is told once in a document is that company's throughout it."""
    told: dict[str, set[str]] = {}
    for extraction in extractions:
        for each in extraction.mentions:
            if each.type == "person" and each.company:
                told.setdefault(spelling(each.name), set()).add(each.company)
    only = {name: next(iter(of)) for name, of in told.items() if len(of) == 1}

    def employed(mention: Mention) -> Mention:
        if mention.type != "person" or mention.company:
            return mention
        return replace(mention, company=only.get(spelling(mention.name)))

    return [replace(each, mentions=tuple(map(employed, each.mentions))) for each in extractions]


def identified(
    registry: Registry, document: Document, metadata: Metadata, mention: Mention
) -> Name:
    """The name of a mention with the ids under which the graph holds it."""
    identity = identify(registry, mention, metadata, document.document_id)
    anchored = mention.type == "company" and identity.key != identity.plain_key
    # a code alone anchors a company, but is not what it is called
    anchored = anchored and written_code(identity.name) is None
    return Name(
        spelling=spelling(mention.name),
        resolved_id=name_id(document.app_id, identity.key),
        resolved_key=identity.key,
        plain_id=name_id(document.app_id, identity.plain_key),
        plain_key=identity.plain_key,
        registered_name=identity.name if anchored else None,
        registered_spelling=spelling(identity.name) if anchored else None,
        codes=identity.codes,
    )


def _pairs(extraction: ChunkExtraction, names: Sequence[Name]) -> tuple[tuple[int, int], ...]:
    """The high-value mentions of a chunk, two by two: so many that they stay few.

    That two metrics, or a metric and a place, share a chunk says nothing of either, and every
    report would add to the same few edges.
    """
    chosen = {(each.start, each.name) for each in lite(extraction).mentions}
    places: dict[str, int] = {}
    for place, mention in enumerate(extraction.mentions):
        if (mention.start, mention.name) in chosen:
            places.setdefault(names[place].resolved_id, place)
    mentions = extraction.mentions
    return tuple(
        pair
        for pair in combinations(sorted(places.values()), 2)
        if not {mentions[place].type for place in pair} <= _EVERYWHERE
    )


def _stage(run: Run) -> EntityMentions:
    registry = load_registry(run.settings)
    extractor = load_extractor(run.database, run.settings, run.scope.app_id, registry)
    return EntityMentions(extractor, registry, run.settings.graph)


def stage_key(run: Run) -> str:
    """What marks a revision as read by the configured extractor with the configured registry.

    Raises:
        ConfigurationError: the registry or the chat model is configured wrongly.
    """
    return _stage(run).key


def read_otherwise(run: Run, document_ids: Sequence[str]) -> list[str]:
    """Those of some documents that this extractor has not read with this registry, by source."""
    if run.settings.graph == "off":
        return []
    stage = _stage(run)
    with run.database.connection() as connection:
        return document_revisions.lacking_stage(connection, document_ids, stage.key)


def read_mentions(run: Run) -> StageReport:
    """Read the entities of a run's documents, as far as this extractor has not read them yet.

    Nothing is read where the graph is switched off.

    Raises:
        ConfigurationError: the registry or the chat model is configured wrongly.
        StoreUnavailable, StorageFull: the store gave up.
    """
    if run.settings.graph == "off":
        return StageReport(ASSET, (), 0.0)
    stage = _stage(run)
    # a chat model is asked about the chunks of one document side by side
    report = run_stage(run, stage, parallel=1)
    return replace(report, degraded=stage.degraded)
