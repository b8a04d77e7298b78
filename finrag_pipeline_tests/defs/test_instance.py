"""What the processes of a deployment are told: all of them the same, whatever arrives meanwhile."""

from __future__ import annotations

from datetime import date

import dagster as dg
from dagster._core.execution.plan.instance_concurrency_context import InstanceConcurrencyContext

from finrag_pipeline.defs.catalog import MODEL_POOL
from finrag_pipeline.defs.documents import DOCUMENT_ASSETS
from finrag_pipeline.defs.instance import (
    URL_VARIABLE,
    instance_config,
    open_instance,
    prepare_environment,
)
from finrag_pipeline.defs.weeks import WEEKLY_ASSETS
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


def test_the_instance_says_what_the_settings_say(settings):
    def made(**given: object) -> dict:
        return instance_config(settings.model_copy(update=given))

    one, several = made(), made(broker_url="redis://127.0.0.1/0", concurrent_runs=8, model_runs=3)
    assert one["concurrency"] == {"runs": {"max_concurrent_runs": 2}}
    assert one["run_launcher"]["class"] == "HeartbeatRunLauncher"
    assert not one["run_retries"]["enabled"]
    assert several["concurrency"] == {
        "runs": {"max_concurrent_runs": 8},
        "pools": {"default_limit": 3},
    }
    assert several["run_launcher"]["class"] == "HeartbeatCeleryRunLauncher"
    assert several["run_retries"]["enabled"]
    # what several machines do not change is there, too
    assert several["storage"] == one["storage"] and several["retention"] == one["retention"]


def test_what_asks_models_stands_in_a_pool_that_the_settings_limit(settings, monkeypatch):
    monkeypatch.setenv("FINRAG_DATABASE_URL", settings.database_url)
    for variable in ("DAGSTER_HOME", URL_VARIABLE, "FINRAG_FIRST_DAY"):
        monkeypatch.delenv(variable, raising=False)
    with open_instance(settings.model_copy(update={"model_runs": 1})) as instance:
        job = dg.GraphDefinition("two_runs").to_job()
        runs = [instance.create_run_for_job(job) for _ in range(2)]
        with (
            InstanceConcurrencyContext(instance, runs[0]) as one,
            InstanceConcurrencyContext(instance, runs[1]) as other,
        ):
            assert one.claim(MODEL_POOL, "embeddings")
            assert not other.claim(MODEL_POOL, "entity_mentions")
    pooled = {
        key.to_user_string()
        for asset in [*DOCUMENT_ASSETS, *WEEKLY_ASSETS]
        for key in asset.keys
        if asset.op.pool == MODEL_POOL
    }
    assert pooled == {
        *("embeddings", "entity_mentions", "entity_graph", "entity_summaries"),
        *("community_summaries", "chain_reports"),
    }
