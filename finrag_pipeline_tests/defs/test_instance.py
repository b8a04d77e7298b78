"""What the processes of a deployment are told: all of them the same, whatever arrives meanwhile."""

from __future__ import annotations

from datetime import date

from finrag_pipeline.defs.instance import prepare_environment
from finrag_pipeline.pipelines.documents.raw_pdfs import register_paths
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.settings import today
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline_tests.pipelines.conftest import make_pdf


def test_partitions_start_where_the_store_does_unless_a_day_is_set(settings, database, tmp_path):
    def told(**given: date) -> str:
        return prepare_environment(settings.model_copy(update=given))["FINRAG_FIRST_DAY"]

    assert told() == today().isoformat()
    for app, day in (("default", date(2026, 3, 4)), ("other", date(2026, 2, 7))):
        path = make_pdf(tmp_path / f"{app}.pdf", "收入增长。")
        register_paths(Run(database, settings, Scope(app)), [str(path)], day)
    assert told() == "2026-02-07"
    assert told(first_day=date(2025, 1, 1)) == "2025-01-01"
