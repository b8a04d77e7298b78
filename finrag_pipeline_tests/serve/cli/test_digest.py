"""`finrag digest`: the note of a day on standard output, as JSON and as files."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

from finrag_pipeline.store.database.connections import Database
from finrag_pipeline_tests.query.covers import add_report
from finrag_pipeline_tests.serve.conftest import Finrag


def test_a_day_is_told_printed_and_written(
    finrag: Finrag, database: Database, tmp_path: Path
) -> None:
    with database.transaction() as connection:
        add_report(connection, "a1", published_on=date(2026, 3, 20), title="点评 <b>", price="44")
    told = finrag("digest", "--day", "2026-03-20")
    assert told.stdout.startswith("# 晨会纪要：2026年3月20日\n")
    assert "目标价44元/股" in told.stdout and "a1.pdf，第1页" in told.stdout
    as_json = json.loads(finrag("digest", "--day", "2026-03-20", "--json").stdout)
    assert as_json["documents"] == 1 and as_json["sections"][0]["name"] == "company"
    assert as_json["evidence"][0]["page"] == 1
    page, text = tmp_path / "note.html", tmp_path / "note.md"
    finrag("digest", "--day", "2026-03-20", "--html", str(page), "--markdown", str(text))
    assert "点评 &lt;b&gt;" in page.read_text("utf-8")
    assert text.read_text("utf-8") == told.stdout
    wrong = finrag("digest", "--day", "20.3.2026")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    empty = finrag("digest", "--day", "2020-01-01")
    assert "没有新文档" in empty.stdout
