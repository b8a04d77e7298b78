"""A run over the fresh database, and real PDF files made on the spot."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.settings import TIME_ZONE, Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents.documents import Scope


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


#: Stands under every paragraph, so that a page looks like one.
FILLER = (
    "公司持续推进产能建设，新基地预计年内投产；管理层认为下半年订单能见度较上半年明显提升。"
    "我们预计全年毛利率保持稳定，主要风险包括原材料价格波动、下游装机不及预期以及海外政策变化。"
)


def make_pdf(path: Path, *paragraphs: str, day: date | None = None) -> Path:
    """Write a PDF with one paragraph a page under a heading, modified at noon of `day`."""
    import pymupdf

    path.parent.mkdir(parents=True, exist_ok=True)
    with pymupdf.open() as document:
        for paragraph in paragraphs:
            page = document.new_page()
            page.insert_text((60, 90), "经营情况与展望", fontname="china-s", fontsize=16)
            body = f"{paragraph}\n{FILLER}"
            page.insert_textbox((60, 120, 540, 780), body, fontname="china-s", fontsize=11)
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
