"""What a person sees of runs in the UI: figures of each day and week, warnings, spending."""

from __future__ import annotations

import logging
import os
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import dagster as dg
import pytest

from finrag_pipeline.defs.assembly import build_definitions
from finrag_pipeline.defs.resources import ProgressLog
from finrag_pipeline.settings import TIME_ZONE
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.usage import model_usage
from finrag_pipeline_tests.paths import SAMPLES
from finrag_pipeline_tests.pipelines.conftest import make_pdf

FIRST = date(2026, 3, 9)
Seen = dict[str, dict[str, Any]]


def at(path: Path, day: date) -> None:
    """Let a file be modified at noon of a day."""
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=ZoneInfo(TIME_ZONE)).timestamp()
    os.utime(path, (noon, noon))


def backfill(instance: dg.DagsterInstance, job: str, first: date, last: date) -> Any:
    result = (
        build_definitions()
        .resolve_job_def(job)
        .execute_in_process(
            instance=instance,
            tags={
                "dagster/asset_partition_range_start": first.isoformat(),
                "dagster/asset_partition_range_end": last.isoformat(),
            },
        )
    )
    assert result.success
    return result


def seen_of(result: Any, asset: str) -> Seen:
    """Metadata of an asset's materialisations by partition."""
    found: Seen = {}
    for event in result.asset_materializations_for_node(asset):
        found[event.partition] = {name: value.value for name, value in event.metadata.items()}
    return found


def figures(seen: Seen, *names: str) -> dict[str, tuple[Any, ...]]:
    return {day[-2:]: tuple(told[name] for name in names) for day, told in seen.items()}


def lines(result: Any, instance: dg.DagsterInstance, level: int) -> list[str]:
    """What the log of a run holds beside Dagster's own events."""
    return [
        entry.user_message
        for entry in instance.all_logs(result.run_id)
        if entry.dagster_event is None and entry.level == level
    ]


@pytest.fixture
def instance():
    """An instance whose runs log what `dagster.yaml` asks for."""
    logs = {"python_logs": {"managed_python_loggers": ["finrag_pipeline"]}}
    with dg.instance_for_test(overrides=logs) as instance:
        yield instance


def test_each_day_has_its_own_figures_and_a_repeated_run_tells_them_again(
    environment, tmp_path, instance
):
    inbox = tmp_path / "inbox"
    make_pdf(inbox / "0.pdf", "星河新材收入增长。", day=FIRST)
    make_pdf(inbox / "1.pdf", "一。", "二。", "三。", day=FIRST + timedelta(days=1))
    (inbox / "broken.pdf").write_text("no pdf")
    at(inbox / "broken.pdf", FIRST + timedelta(days=1))
    expected = {"09": (1, 1, 0), "10": (1, 3, 1), "11": (0, 0, 0)}
    for again in (False, True):
        result = backfill(instance, "nightly_ingestion", FIRST, FIRST + timedelta(days=2))
        text = seen_of(result, "cleaned_text")
        assert figures(text, "documents", "pages", "quarantined") == expected
        assert {day: told["run_documents"] for day, told in text.items()} == dict.fromkeys(
            text, 0 if again else 2
        )
        for day, told in text.items():
            assert told["rows"] == told["dagster/partition_row_count"]
            assert ("run_preview" in told) == (day == "2026-03-11")
        assert sum(told["rows"] for told in text.values()) == told["dagster/row_count"]
        files = figures(seen_of(result, "raw_pdfs"), "documents", "files")
        assert files == {"09": (1, 1), "10": (2, 2), "11": (0, 0)}
        readers = figures(seen_of(result, "indexed_documents"), "documents", "rows")
        assert readers == {"09": (1, 1), "10": (1, 1), "11": (0, 0)}
        named = figures(seen_of(result, "entity_graph"), "documents")
        summed_up = seen_of(result, "entity_summaries")
        assert {told["waiting_for_vector"] + told["waiting_for_summary"]
                for told in summed_up.values()} == {0}  # fmt: skip
        assert all("whole application" in told["run_worked_on"] for told in summed_up.values())
        assert named == {"09": (1,), "10": (1,), "11": (0,)}
    schema = seen_of(result, "clique_chunks")["2026-03-11"]["dagster/column_schema"]
    assert [column.name for column in schema.columns][:3] == ["document_id", "revision", "ordinal"]


def test_the_log_names_who_is_quarantined_and_stays_short(environment, tmp_path, instance):
    inbox = tmp_path / "inbox"
    for n in range(25):
        make_pdf(inbox / f"{n}.pdf", f"第{n}份报告，收入增长。", day=FIRST)
    (inbox / "empty.pdf").write_bytes(b"")
    (inbox / "broken.pdf").write_text("no pdf")
    for name in ("empty.pdf", "broken.pdf"):
        at(inbox / name, FIRST)
    result = backfill(instance, "nightly_ingestion", FIRST, FIRST)
    warned = sorted(lines(result, instance, logging.WARNING))
    assert [line.split(":")[0] for line in warned] == ["broken.pdf", "empty.pdf"]
    assert "export it as PDF and ingest that" in warned[0]
    told = lines(result, instance, logging.INFO)
    assert "cleaned_text: 27 documents, 2 of them quarantined" in told
    assert "raw_pdfs: 27 of 27" in told
    for stage in ("raw_pdfs", "cleaned_text", "clique_chunks"):
        assert 5 <= sum(line.startswith(f"{stage}: ") for line in told) <= 14
    (check,) = [
        each
        for each in result.get_asset_check_evaluations()
        if each.check_name == "quarantined_documents"
    ]
    assert check.description.startswith("2 documents could not be indexed. broken.pdf: not_a_pdf")
    assert "empty.pdf: zero_bytes" in check.description


def test_a_long_document_says_how_far_it_is_and_a_stage_that_begins_again_does(caplog):
    log = ProgressLog()
    with caplog.at_level(logging.INFO):
        for _ in range(2):
            log("cleaned_text", 0, 1)
            for page in range(0, 301, 5):
                log("cleaned_text", page, 300)
            log("cleaned_text", 300, 300)
    assert [record.getMessage() for record in caplog.records] == 2 * [
        f"cleaned_text: {page} of 300" for page in range(30, 301, 30)
    ]


def test_each_week_has_its_own_figures_titles_and_a_drawing(
    environment, tmp_path, instance, monkeypatch
):
    inbox = tmp_path / "inbox"
    monkeypatch.setenv("FINRAG_REGISTRY", str(SAMPLES / "registry.csv"))
    for sample in SAMPLES.glob("pdfs/*.pdf"):
        (inbox / sample.name).write_bytes(sample.read_bytes())
        at(inbox / sample.name, date(2026, 3, 4))
    make_pdf(inbox / "later.pdf", "雾岭能源向碧澜新材供应电芯。", day=date(2026, 3, 11))
    backfill(instance, "nightly_ingestion", date(2026, 3, 1), date(2026, 3, 14))
    monkeypatch.setenv("FINRAG_EVALUATION_QUESTIONS", str(SAMPLES / "questions.jsonl"))
    result = backfill(instance, "weekly_rebuild", date(2026, 3, 1), date(2026, 3, 8))
    clustered = seen_of(result, "leiden_communities")
    assert clustered["2026-03-01"]["build_id"] != clustered["2026-03-08"]["build_id"]
    for week, told in clustered.items():
        summarised = seen_of(result, "community_summaries")[week]
        assert summarised["communities"] == told["communities"]
        rows = told["communities"] + told["alone"]
        assert told["dagster/partition_row_count"] == rows
        assert summarised["build_id"] == told["build_id"]
    chains = seen_of(result, "chain_reports")["2026-03-08"]
    assert "产业链" in chains["titles"]
    assert "data:image/svg+xml;base64," in chains["largest_chain"]
    assert "| report |" in seen_of(result, "community_summaries")["2026-03-08"]["largest"]
    measured = seen_of(result, "retrieval_evaluation")
    for told in measured.values():
        assert told["samples/questions R@10"] > 0.9
        assert "| samples/questions | plain BM25 | 13 | 0 |" in told["table"]
    last = measured["2026-03-08"]
    assert "data:image/png;base64," in last["over_the_weeks"]
    # two variants of eleven measures, in two weeks
    assert (last["dagster/partition_row_count"], last["dagster/row_count"]) == (20, 40)

    monkeypatch.delenv("FINRAG_EVALUATION_QUESTIONS")
    (result,) = [materialize_evaluation(instance, "2026-03-08")]
    unset = seen_of(result, "retrieval_evaluation")["2026-03-08"]
    assert unset["note"] == "FINRAG_EVALUATION_QUESTIONS is not set: nothing is measured"
    assert unset["dagster/row_count"] == 40


def materialize_evaluation(instance: dg.DagsterInstance, week: str) -> Any:
    chosen = dg.AssetSelection.assets("retrieval_evaluation")
    job = dg.define_asset_job("measure", selection=chosen)
    definitions = dg.Definitions.merge(build_definitions(), dg.Definitions(jobs=[job]))
    return definitions.resolve_job_def("measure").execute_in_process(
        instance=instance, partition_key=week
    )


def budget_check(instance: dg.DagsterInstance) -> Any:
    definitions = build_definitions()
    chosen = dg.AssetSelection.checks(
        dg.AssetCheckKey(dg.AssetKey("entity_mentions"), "chat_budget")
    )
    job = dg.define_asset_job("look", selection=chosen)
    job = dg.Definitions.merge(definitions, dg.Definitions(jobs=[job])).resolve_job_def("look")
    (check,) = job.execute_in_process(instance=instance).get_asset_check_evaluations()
    return check


def test_runs_that_come_near_their_budget_are_told(
    environment, database: Database, monkeypatch, instance
):
    with database.transaction() as connection:
        for run_id, tokens in (("one", 500), ("two", 960), ("questions", 99_999)):
            model_usage.add(
                connection,
                app_id=environment.app,
                run_id=run_id,
                asset="entity_mentions",
                document_id=None,
                model="m",
                calls=1,
                cached_calls=0,
                prompt_tokens=tokens,
                completion_tokens=0,
                counted_prompt_tokens=tokens,
                cost=0.0,
            )
    assert budget_check(instance).description == "no budget is set"
    monkeypatch.setenv("FINRAG_CHAT_BUDGET_TOKENS", "2000")
    assert budget_check(instance).passed
    monkeypatch.setenv("FINRAG_CHAT_BUDGET_TOKENS", "1000")
    check = budget_check(instance)
    assert not check.passed
    assert check.description.startswith("1 of the last 2 runs came near their budget")
    assert "at 96% of it" in check.description
