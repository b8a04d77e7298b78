"""`finrag backup` and `finrag restore`: a store moves, and answers and runs move with it."""

from __future__ import annotations

import json
import os
import subprocess

import psycopg

from finrag_pipeline_tests.paths import SAMPLE_PDFS

XINGHE = "canglan_xinghe_q3_20251030.pdf"
ASKED = (
    ("ask", "星河新材的目标价下调到多少？"),
    ("ask", "星河新材2025年的营业收入预测是多少？"),
    ("ask", "星河新材的毛利率为什么下降？"),
    ("search", "毛利率"),
    ("search", "星河新材", "--lane", "keyword"),
)


def parsed(process: subprocess.CompletedProcess[str]) -> dict:
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


def without_times(reply: dict) -> dict:
    """A reply as it is however long it took."""
    return {name: value for name, value in reply.items() if name != "latency_ms"}


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
    assert not (tmp_path / "other" / "keyword").exists()  # a copy is none of the backup's
    for asked in ASKED:
        before = without_times(parsed(finrag(*asked, "--json")))
        after = without_times(parsed(finrag(*asked, "--json", **there)))
        assert after == before, asked
        assert before.get("results") or before.get("evidence"), asked
        assert before.get("status") in (None, "answered"), asked
    assert runs(empty_database_url) == runs(settings.database_url)
    assert [status for _, status in runs(empty_database_url)] == ["SUCCESS"]

    again = finrag("restore", "a.dump", **there)
    assert again.returncode == 1
    assert "into an empty database only" in again.stderr
