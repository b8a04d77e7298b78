"""A user's records of companies to documents that the ordinary stages index.

How files are read and what documents say of a record is `stages.enterprise`.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.pipelines.documents.indexed_documents import withdraw_all
from finrag_pipeline.pipelines.run.revision import document_id
from finrag_pipeline.records import SourceFile
from finrag_pipeline.records.enterprise import RecordDocument
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.enterprise.checking import read_records
from finrag_pipeline.stages.enterprise.companies import CompanyRecord, Refused
from finrag_pipeline.stages.enterprise.documents import documents_of
from finrag_pipeline.stages.enterprise.files import read_files
from finrag_pipeline.store.database.connections import Connection, Database
from finrag_pipeline.store.documents import document_sources, enterprise_graph


@dataclass(frozen=True, slots=True)
class EnterpriseLoad:
    """What files of company records gave.

    Attributes:
        documents: how many of each kind.
        relations: explicit edges that they state.
        changed: documents that are new or say something else than before.
        removed: sources whose records are no more.
        refused: objects that were not taken, in order.
        ignored: headings that mean nothing here.
        kept_back: whether what the files lack stays, since some of them was refused.
    """

    companies: int
    documents: dict[str, int]
    relations: int
    refused: tuple[Refused, ...]
    ignored: tuple[str, ...]
    changed: int = 0
    removed: tuple[str, ...] = ()
    kept_back: bool = False


@dataclass(frozen=True, slots=True)
class _Read:
    documents: tuple[tuple[RecordDocument, str], ...]
    told: EnterpriseLoad


def records_path(settings: Settings, given: Path | None = None) -> Path:
    """The file or folder that is meant: the one given, else that of the settings.

    Raises:
        ConfigurationError: there is none.
    """
    path = given or settings.enterprise
    if path is None:
        raise ConfigurationError(
            "FINRAG_ENTERPRISE is not set: name the file or folder of your company records"
        )
    if not path.exists():
        raise ConfigurationError(f"FINRAG_ENTERPRISE: {path} does not exist: check the path")
    return path


def check_enterprise(settings: Settings, given: Path | None = None) -> EnterpriseLoad:
    """Read all records and store nothing; errors as `load_enterprise`."""
    return _read(settings, given).told


def load_enterprise(
    database: Database, settings: Settings, arrival_on: date, given: Path | None = None
) -> EnterpriseLoad:
    """Put the records of all files in the place of those stored before, in one transaction.

    What changed is registered and waits for the stages of documents; a record that is gone is
    withdrawn at once. Where an object was refused nothing is withdrawn: it may be that one's.

    Args:
        arrival_on: the arrival day of what is new.
        given: the file or folder; None: the one of the settings.

    Raises:
        ConfigurationError: a file cannot be read; one line.
    """
    read = _read(settings, given)
    app_id = settings.app
    refused = bool(read.told.refused)
    with database.transaction() as connection:
        document_sources.lock(connection, app_id)
        changed = _put(connection, app_id, read, arrival_on)
        kept = [enterprise_graph.uri_of(document) for document, _ in read.documents]
        removed = [] if refused else enterprise_graph.remove_others(connection, app_id, kept)
        withdrawn = document_sources.remove(connection, app_id, removed) if removed else []
        withdraw_all(connection, app_id, withdrawn)
    told = read.told
    return EnterpriseLoad(
        told.companies,
        told.documents,
        told.relations,
        told.refused,
        told.ignored,
        changed,
        tuple(removed),
        refused,
    )


def _put(connection: Connection[dict[str, object]], app_id: str, read: _Read, day: date) -> int:
    """Store what records say and register what is new; how many that were."""
    uris = [enterprise_graph.uri_of(document) for document, _ in read.documents]
    seen = document_sources.known_sources(connection, app_id, uris)
    changed = 0
    for (document, name), uri in zip(read.documents, uris, strict=True):
        content = document.to_json().encode()
        sha256 = hashlib.sha256(content).hexdigest()
        enterprise_graph.put(connection, app_id, document)
        if seen.get(uri, ("", ""))[0] == sha256:
            continue
        file = SourceFile(uri, name, len(content), sha256, day)
        found = document_sources.register(
            connection, app_id, document_id(app_id, sha256), sha256, file, day, restore=False
        )
        withdraw_all(connection, app_id, found.replaced)
        changed += 1
    return changed


def _read(settings: Settings, given: Path | None) -> _Read:
    records = read_records(read_files(records_path(settings, given)))
    files = {record.company_id: record for record in records.companies}
    made = documents_of(records.companies)
    counts = Counter(document.kind for document in made)
    stated = sum(len(line.relations) for document in made for line in document.lines)
    told = EnterpriseLoad(
        len(records.companies), dict(counts), stated, records.refused, records.ignored
    )
    return _Read(
        tuple((document, _name(document, files[document.company_id])) for document in made), told
    )


def _name(document: RecordDocument, record: CompanyRecord) -> str:
    """What a citation of the record calls its source: its file, the record, and its part."""
    return f"{record.file}#{document.company_id}/{document.part}"
