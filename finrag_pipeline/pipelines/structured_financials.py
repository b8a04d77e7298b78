"""Files of a user's own data vendor to figures beside those of documents, as a mapping says.

How a mapping, a file and a row are read belongs to `stages.structured`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.settings import TIME_ZONE, Settings
from finrag_pipeline.stages.structured.cells import read_sheet
from finrag_pipeline.stages.structured.figures import SOURCE, Refused, Supplied, supplied_facts
from finrag_pipeline.stages.structured.mapping import FileMapping, read_mapping
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.facts import structured_financials


@dataclass(frozen=True, slots=True)
class LoadedTable:
    """What a table of a vendor gave.

    Attributes:
        file: its path as the mapping writes it.
        sheet: of a workbook; empty where the mapping names none.
        figures: how many were taken.
        refused: rows, or single figures of them, that were not, in order.
    """

    file: str
    sheet: str
    figures: int
    companies: int
    refused: tuple[Refused, ...]


@dataclass(frozen=True, slots=True)
class Load:
    """What a mapping gave: its tables in order, and those that were removed since it names them
    no more, each with the number of its figures.
    """

    tables: tuple[LoadedTable, ...]
    removed: tuple[tuple[str, str, int], ...] = ()

    @property
    def figures(self) -> int:
        return sum(table.figures for table in self.tables)

    @property
    def refused(self) -> int:
        return sum(len(table.refused) for table in self.tables)


def mapping_path(settings: Settings, given: Path | None = None) -> Path:
    """The mapping that is meant: the one given, else that of the settings.

    Raises:
        ConfigurationError: there is none.
    """
    path = given or settings.structured
    if path is None:
        raise ConfigurationError(
            "FINRAG_STRUCTURED is not set: name the YAML file that maps your vendor's files"
        )
    return path


def check_structured(settings: Settings, given: Path | None = None) -> Load:
    """Read all that a mapping names and store nothing; errors as `load_structured`."""
    return Load(tuple(_told(mapping, supplied) for mapping, supplied in _read(settings, given)))


def load_structured(database: Database, settings: Settings, given: Path | None = None) -> Load:
    """Put the figures of all files that a mapping names in the place of those stored before.

    Everything is read before anything is written, in one transaction: readers see the files as they
    were or as they are.

    Args:
        given: the mapping; None: the one of the settings.

    Raises:
        ConfigurationError: the mapping or a file cannot be read, or lacks a column; one line.
    """
    from finrag_pipeline.stages.facts.sources import rank_of

    read = _read(settings, given)
    app_id = settings.app
    with database.transaction() as connection:
        structured_financials.lock(connection, app_id)
        for mapping, supplied in read:
            structured_financials.replace(
                connection, app_id, mapping.file, mapping.sheet, supplied.facts, rank_of(SOURCE)
            )
        kept = [
            structured_financials.file_id(app_id, mapping.file, mapping.sheet)
            for mapping, _ in read
        ]
        gone = structured_financials.remove_others(connection, app_id, kept)
    return Load(
        tuple(_told(mapping, supplied) for mapping, supplied in read),
        tuple((row["file"], row["sheet"], row["figures"]) for row in gone),
    )


def _read(settings: Settings, given: Path | None) -> Sequence[tuple[FileMapping, Supplied]]:
    path = mapping_path(settings, given)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = "it is not written in UTF-8" if isinstance(error, UnicodeDecodeError) else None
        raise ConfigurationError(
            f"FINRAG_STRUCTURED: {path} cannot be read: {why or error.strerror}"  # pyright: ignore
        ) from None
    return [
        (mapping, _supplied(path.parent / Path(mapping.file).expanduser(), mapping))
        for mapping in read_mapping(text, path.name)
    ]


def _supplied(path: Path, mapping: FileMapping) -> Supplied:
    sheet = read_sheet(path, mapping.sheet, mapping.encoding, mapping.header)
    # by the day of the file where neither row nor mapping says one, as files of documents arrive
    modified = datetime.fromtimestamp(path.stat().st_mtime, ZoneInfo(TIME_ZONE)).date()
    return supplied_facts(sheet, mapping, modified)


def _told(mapping: FileMapping, supplied: Supplied) -> LoadedTable:
    companies = len({fact.company_key for fact in supplied.facts})
    return LoadedTable(
        mapping.file, mapping.sheet, len(supplied.facts), companies, supplied.refused
    )
