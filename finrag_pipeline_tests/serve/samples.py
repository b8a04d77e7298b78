"""A store of the samples in two applications, made once a session for tests that only read it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline_tests.paths import SAMPLE_PDFS, SAMPLES
from finrag_pipeline_tests.pipelines.stages import ingest

#: Whose the second application's one document is, of which the first has none.
OTHER = "other"
OTHERS_DOCUMENT = "qiling_tinglan_notes_20240912.pdf"
#: A company of which the second application's document speaks, and no other.
OTHERS_COMPANY = "汀澜宠物"


def make(home: Path, database_url: str) -> Settings:
    """Settings of a store with the samples: one of them in `OTHER`, the rest in ``default``."""
    settings = Settings(
        _env_file=None,
        home=home,
        database_url=database_url,
        embedder="offline",
        registry=SAMPLES / "registry.csv",
        workers=1,
        serve_requests_per_minute=1_000_000,
    )
    pdfs = sorted(SAMPLE_PDFS.glob("*.pdf"))
    with Database.open(settings) as database:
        _ingest(database, settings, "default", [p for p in pdfs if p.name != OTHERS_DOCUMENT])
        _ingest(database, settings, OTHER, [SAMPLE_PDFS / OTHERS_DOCUMENT])
    return settings


def _ingest(database: Database, settings: Settings, app_id: str, pdfs: Sequence[Path]) -> None:
    own = settings.model_copy(update={"app": app_id})
    for report in ingest(Run(database, own, Scope(app_id)), pdfs):
        assert not report.failed, report
