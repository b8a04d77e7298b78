"""The document stages on real reports, where the corpus is at hand."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from finrag_pipeline_tests.paths import CORPUS
from finrag_pipeline_tests.pipelines.stages import ingest

REPORTS = CORPUS / "zh_reports"


@pytest.mark.skipif(not REPORTS.is_dir(), reason="needs ../shared/corpus/zh_reports")
def test_real_reports_are_indexed_and_scans_are_named(run, database, documents_of):
    gold = [json.loads(line) for line in (REPORTS / "metadata_gold.jsonl").open(encoding="utf-8")]
    by_length = sorted(gold, key=lambda entry: (entry["pages"], entry["file"]))
    stocks = [e for e in by_length if e["has_text"] and e.get("stock_code")][:4]
    scans = [e for e in by_length if not e["has_text"]][:1]
    without_ocr = run.settings.model_copy(update={"ocr": "off"})
    files = [REPORTS / entry["file"] for entry in stocks + scans]
    ingest(replace(run, settings=without_ocr), files)
    reasons = {str(row["names"][0]): row["reason"] for row in documents_of()}
    assert reasons == {e["file"]: None for e in stocks} | {e["file"]: "image_only" for e in scans}
    with database.connection() as connection:
        rows = connection.execute(
            "select source, company_code, page_count, (select count(*) from clique_chunks c"
            " where c.document_id = d.document_id) as chunks from current_documents d"
        ).fetchall()
    for row in rows:
        (entry,) = [e for e in stocks if e["file"] == row["source"]]
        assert row["company_code"].split(".")[0] == entry["stock_code"]
        assert row["page_count"] == entry["pages"]
        assert row["chunks"] >= entry["pages"] / 2
