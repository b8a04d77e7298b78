"""Chromium over a server of the samples, of pages turned every way, and of one that means harm."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import psycopg
import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.pipelines.weeks.chain_reports import report_week
from finrag_pipeline.pipelines.weeks.community_summaries import summarise_week
from finrag_pipeline.pipelines.weeks.leiden_communities import cluster_week
from finrag_pipeline.serve.http.app import create_app
from finrag_pipeline.serve.service import open_service
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline.store.embedded.server import embedded_server_url
from finrag_pipeline_tests.paths import SAMPLE_PDFS, SAMPLES
from finrag_pipeline_tests.pipelines.stages import ingest
from finrag_pipeline_tests.serve.http.conftest import listening
from finrag_pipeline_tests.serve.page.browser.made_pdfs import make_hostile, make_turned

#: The second is built from the first.
WEEKS = (date(2025, 11, 2), date(2026, 2, 8))
_NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The machine's own browser: none is downloaded."""
    found = next((path for name in _NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no Chromium: run `apt-get install chromium`")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(server_home: Path, _template: str) -> Iterator[str]:
    """The address of the page."""
    with psycopg.connect(embedded_server_url(server_home, "postgres"), autocommit=True) as admin:
        admin.execute(f"create database browsed template {_template}")
    url = embedded_server_url(server_home, "browsed")
    with psycopg.connect(url) as connection:
        connection.execute("update store_identity set store_id = gen_random_uuid()")
    settings = Settings(
        _env_file=None,
        home=Path(tempfile.mkdtemp(prefix="browsed-", dir=server_home)),
        database_url=url,
        embedder="offline",
        registry=SAMPLES / "registry.csv",
        workers=1,
    )
    made = Path(tempfile.mkdtemp(prefix="made-", dir=server_home))
    make_turned(made / "aldgate_turned_20260105.pdf")
    make_hostile(made / "bramley_hostile_20260106.pdf")
    with Database.open(settings) as database:
        run = Run(database, settings, Scope("default"))
        for report in ingest(run, [*sorted(SAMPLE_PDFS.glob("*.pdf")), *sorted(made.iterdir())]):
            assert not report.failed, report
        for week in WEEKS:
            cluster_week(run, week)
            summarise_week(run, week)
            report_week(run, week)
    with open_service(settings, writing=True) as service, listening(create_app(service)) as address:
        yield address


@pytest.fixture
def page(chromium: Browser, site: str) -> Iterator[Page]:
    """A tab of its own; what the page complains of fails the test."""
    context = chromium.new_context(base_url=site, viewport={"width": 1280, "height": 900})
    tab = context.new_page()
    complaints: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error":
            complaints.append(message.text)

    tab.on("console", heard)
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    yield tab
    context.close()
    assert not complaints
