"""A run over the fresh database, and real PDF files made on the spot."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from finrag_pipeline.pipelines.run import Run
from finrag_pipeline.settings import TIME_ZONE, Settings
from finrag_pipeline.store.database import Database
from finrag_pipeline.store.documents import Scope


@pytest.fixture
def run(database: Database, settings: Settings) -> Run:
    """A run over every document of the default app."""
    return Run(database, settings, Scope(settings.app))


@pytest.fixture
def other_app(run: Run) -> Run:
    """The same run for another app of the same store."""
    return dataclasses.replace(run, scope=Scope("other"))


@pytest.fixture
def inbox(settings: Settings) -> Path:
    return Path(settings.inbox)


def make_pdf(path: Path, *paragraphs: str, day: date | None = None) -> Path:
    """Write a PDF with one paragraph a page, modified at noon of `day`."""
    import pymupdf

    path.parent.mkdir(parents=True, exist_ok=True)
    with pymupdf.open() as document:
        for paragraph in paragraphs:
            page = document.new_page()
            page.insert_textbox((60, 80, 540, 780), paragraph, fontname="china-s", fontsize=11)
        document.save(path, no_new_id=True)
    if day is not None:
        noon = datetime(day.year, day.month, day.day, 12, tzinfo=ZoneInfo(TIME_ZONE)).timestamp()
        os.utime(path, (noon, noon))
    return path


@pytest.fixture
def documents_of(database: Database) -> Callable[..., list[dict[str, object]]]:
    """Rows of `documents` with their sources, by name."""
    query = """
        select d.document_id, d.app_id, d.status, d.reason, d.detail, d.arrival_on,
               d.current_revision,
               array_agg(s.name order by s.name) filter (where s.name is not null) as names
        from documents d left join document_sources s using (document_id)
        group by d.document_id order by min(s.name) nulls last, d.document_id
    """

    def read() -> list[dict[str, object]]:
        with database.connection() as connection:
            return connection.execute(query).fetchall()

    return read
