"""`finrag rebuild` as a process: what it tells, and that a kill at any step loses nothing."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from finrag_pipeline.settings import Settings
from finrag_pipeline.store.embedded.server import embedded_server_url
from finrag_pipeline_tests.paths import SAMPLE_PDFS, SAMPLES
from finrag_pipeline_tests.pipelines.weekly_rows import weekly_rows
from finrag_pipeline_tests.serve.conftest import Finrag, command, environment

pytestmark = pytest.mark.faults

REGISTRY = SAMPLES / "registry.csv"
REPORTS = (
    "yunlu_xinghe_initiation_20250418.pdf",
    "canglan_xinghe_q3_20251030.pdf",
    "hengyu_chengguang_update_20260115.pdf",
)
FIRST, SECOND = "2025-11-30", "2026-02-08"
#: What is true of the store from some step of the second week's build on.
STEPS = {
    "clustered": "select from community_builds where week = '2026-02-08'",
    "first report": "select from leiden_communities c join community_builds b using (build_id)"
    " where b.week = '2026-02-08' and c.report_id is not null",
    "embedded": "select from graph_embeddings g join community_builds b"
    " on g.src_entity_id = b.build_id where g.kind = 'chain' and b.week = '2026-02-08'",
}


@pytest.fixture
def ingested(settings: Settings, finrag: Finrag, tmp_path) -> Settings:
    folder = tmp_path / "reports"
    folder.mkdir()
    for name in REPORTS:
        shutil.copy(SAMPLE_PDFS / name, folder)
    assert finrag("ingest", str(folder), FINRAG_REGISTRY=str(REGISTRY)).returncode == 0
    return settings


@pytest.fixture
def copies(ingested: Settings, server_home) -> Iterator[list[str]]:
    """One database for each step, and one more, all as they are after the first week's build."""
    source = (ingested.database_url or "").rpartition("/")[2].partition("?")[0]
    names = [f"{source}_copy{n}" for n in range(len(STEPS) + 1)]
    admin = embedded_server_url(server_home, "postgres")
    yield names
    with psycopg.connect(admin, autocommit=True) as connection:
        for name in names:
            connection.execute(f"drop database if exists {name} with (force)")


# nine processes of 4 to 8 s each, two at a time
@pytest.mark.timeout(600)
def test_a_kill_at_any_step_leaves_the_old_week_and_the_rerun_finishes(
    ingested, copies, server_home, finrag
):
    first = finrag("rebuild", "--week", FIRST, "--json")
    assert first.returncode == 0, first.stderr
    told = json.loads(first.stdout)
    assert (told["week"], told["published_by"]) == (FIRST, "2025-12-06")
    assert told["reports"] > 0 and told["chains"] > 0
    source = (ingested.database_url or "").rpartition("/")[2].partition("?")[0]
    with psycopg.connect(
        embedded_server_url(server_home, "postgres"), autocommit=True
    ) as connection:
        for name in copies:
            connection.execute(f"create database {name} template {source}")
    urls = [embedded_server_url(server_home, name) for name in copies]

    whole = finrag("rebuild", "--week", SECOND, FINRAG_DATABASE_URL=urls[-1])
    assert whole.returncode == 0, whole.stderr
    assert f"week of {SECOND}" in whole.stdout
    expected = weekly_rows(urls[-1])
    assert len(expected["community_builds"]) == 2

    def kill_and_rerun(step: str, url: str, workers: int) -> None:
        process = subprocess.Popen(
            command("rebuild", "--week", SECOND),
            env=environment(ingested) | {"FINRAG_DATABASE_URL": url},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        with psycopg.connect(url, autocommit=True) as connection:
            query = f"select exists ({STEPS[step]})"
            while not connection.execute(query).fetchone()[0]:
                assert process.poll() is None, f"ended before {step}"
                time.sleep(0.001)
            process.kill()
            process.wait()
            # no row without its build, and readers stay where they were, or are sent on whole
            served = connection.execute(
                "select week::text from community_builds where published_at is not null"
                " order by week desc limit 1"
            ).fetchone()[0]
        assert served == FIRST or weekly_rows(url) == expected, step
        # nor does it matter who makes the rows
        again = finrag(
            "rebuild",
            "--week",
            SECOND,
            FINRAG_DATABASE_URL=url,
            FINRAG_WORKERS=str(workers),
            PYTHONHASHSEED=str(workers),
        )
        assert again.returncode == 0, again.stderr
        assert weekly_rows(url) == expected, step

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(kill_and_rerun, STEPS, urls, range(1, len(STEPS) + 1)))


def test_an_empty_store_and_a_strange_week_are_one_line(finrag):
    empty = finrag("rebuild")
    assert empty.returncode == 1
    assert len(empty.stderr.strip().splitlines()) == 1
    assert "finrag ingest" in empty.stderr
    # any past week has a partition, and none has one that is to come
    early = finrag("rebuild", "--week", "2001-01-01")
    assert early.returncode == 1
    assert "published by 2001-01-06" in early.stderr
    later = finrag("rebuild", "--week", "2999-01-01")
    assert later.returncode == 1
    assert "is to come" in later.stderr
    assert finrag("rebuild", "--week", "tomorrow").returncode == 2
