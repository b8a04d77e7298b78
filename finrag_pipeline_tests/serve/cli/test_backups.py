"""`finrag backup` and `finrag restore`: a store moves, and answers and runs move with it."""

from __future__ import annotations

import json
import os
import subprocess

import psycopg

from finrag_pipeline_tests.paths import SAMPLE_PDFS

XINGHE = "canglan_xinghe_q3_20251030.pdf"
QUESTION = "星河新材的目标价下调到多少？"


def parsed(process: subprocess.CompletedProcess[str]) -> dict:
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


def runs(url: str | None) -> list[tuple[str, str]]:
    with psycopg.connect(url or "") as connection:
        return connection.execute("select run_id, status from dagster.runs order by 1").fetchall()


def test_a_store_moves_with_its_answers_and_runs(finrag, settings, tmp_path, empty_database_url):
    there = {
        "FINRAG_DATABASE_URL": empty_database_url,
        "FINRAG_HOME": str(tmp_path / "other"),
    }
    nothing = finrag("backup", "a.dump", **there)
    assert nothing.returncode == 1
    assert "holds no store yet" in nothing.stderr

    parsed(finrag("ingest", str(SAMPLE_PDFS / XINGHE), "--json"))
    kept = parsed(finrag("backup", "a.dump", "--json"))
    assert kept["documents"] == 1
    assert kept["size_bytes"] == os.stat(tmp_path / "a.dump").st_size
    assert finrag("backup", "a.dump").returncode == 1

    restored = parsed(finrag("restore", "a.dump", "--json", **there))
    assert {name: kept[name] for name in restored} == restored
    before = parsed(finrag("ask", QUESTION, "--json"))
    after = parsed(finrag("ask", QUESTION, "--json", **there))
    assert after["answer"] == before["answer"]
    assert after["status"] == "answered"
    assert runs(empty_database_url) == runs(settings.database_url)
    assert [status for _, status in runs(empty_database_url)] == ["SUCCESS"]

    again = finrag("restore", "a.dump", **there)
    assert again.returncode == 1
    assert "into an empty database only" in again.stderr
