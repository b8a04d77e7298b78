"""The contract of the command line: what is printed where, exit codes, one clear line."""

from __future__ import annotations

import html
import json
import re
import shutil
import signal
import subprocess
import time

import pytest

from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents.documents import counts
from finrag_pipeline_tests.paths import SAMPLE_PDFS
from finrag_pipeline_tests.serve.conftest import command, environment

XINGHE = "canglan_xinghe_q3_20251030.pdf"
PETS = "alder_petfood_hogs_20260210.pdf"


def parsed(process) -> dict:
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


def test_from_files_to_a_cited_answer(finrag, tmp_path):
    folder = tmp_path / "reports"
    folder.mkdir()
    shutil.copy(SAMPLE_PDFS / XINGHE, folder)
    shutil.copy(SAMPLE_PDFS / XINGHE, folder / "copy.pdf")
    shutil.copy(SAMPLE_PDFS / PETS, folder)
    (folder / "broken.pdf").write_text("no pdf at all")

    report = parsed(finrag("ingest", str(folder), "--json"))
    assert report["counts"] == {"indexed": 2, "unchanged": 0, "quarantined": 1, "documents": 3}
    by_source = {document["source"]: document for document in report["documents"]}
    broken = by_source.pop("broken.pdf")
    assert broken["status"] == "quarantined"
    assert broken["reason"].startswith("not_a_pdf: the file is not a PDF")
    assert "\n" not in broken["reason"]
    xinghe = by_source[XINGHE]
    assert xinghe["company_code"] == "688991.SH"
    assert xinghe["published_on"] == "2025-10-30"
    assert xinghe["chunks"] > 0
    assert xinghe["tables"] > 0
    assert report["pages"] == sum(document["pages"] for document in by_source.values())

    again = parsed(finrag("ingest", str(folder), "--json"))
    assert again["counts"] == {"indexed": 0, "unchanged": 2, "quarantined": 1, "documents": 3}

    question = "星河新材的目标价下调到多少？"
    answer = parsed(finrag("ask", question, "--json"))
    assert answer["status"] == "answered"
    assert "31.00" in answer["answer"]
    assert "[1]" in answer["answer"]
    first = answer["evidence"][0]
    assert (first["n"], first["source"], first["page"]) == (1, XINGHE, 1)
    assert first["published_on"] == "2025-10-30"
    assert all(answer["checks"].values())

    absent = parsed(finrag("ask", "长江电力2024年发电量是多少？", "--json"))
    assert absent["status"] == "insufficient_evidence"
    assert absent["evidence"] == []
    before = parsed(finrag("ask", question, "--as-of", "2025-10-29", "--json"))
    assert before["status"] == "insufficient_evidence"
    elsewhere = parsed(finrag("ask", question, "--app", "other", "--json"))
    assert elsewhere["status"] == "insufficient_evidence"

    found = parsed(finrag("search", "hog prices", "--k", "3", "--lane", "keyword", "--json"))
    assert [hit["rank"] for hit in found["results"]] == [1, 2, 3]
    assert {hit["source"] for hit in found["results"]} == {PETS}
    assert set(found["results"][0]) >= {
        "rank", "kind", "document_id", "source", "page", "bbox", "score", "text", "lanes"
    }  # fmt: skip
    assert {"keyword", "total"} <= set(found["latency_ms"])
    assert found["degraded"] == []

    tables = parsed(finrag("documents", "show", PETS, "--tables", "--json"))["tables"]
    assert {"page", "bbox", "title", "unit", "footnote", "header", "html", "markdown"} <= set(
        tables[0]
    )
    printed = finrag("documents", "show", PETS, "--tables").stdout
    shown = [
        cell for table in tables for cell in re.findall(r"<t[hd][^>]*>([^<]+)<", table["html"])
    ]
    assert all(html.unescape(text) in printed for text in shown)
    regions = parsed(finrag("documents", "show", PETS, "--text", "--json"))["regions"]
    assert {"page", "bbox", "kind", "kept", "rule", "text"} == set(regions[0])
    assert {region["kept"] for region in regions} == {True, False}

    status = parsed(finrag("status", "--json"))
    assert (status["indexed"], status["quarantined"]) == (2, 1)
    listed = parsed(finrag("documents", "list", "--json"))["documents"]
    assert len(listed) == 3

    gone = parsed(finrag("documents", "withdraw", PETS, "--json"))
    assert gone["status"] == "withdrawn"
    left = parsed(finrag("search", "hog prices", "--json"))["results"]
    assert PETS not in {hit["source"] for hit in left}
    readable = finrag("ask", question)
    assert f"[1] {XINGHE}, page 1, published 2025-10-30" in readable.stdout


@pytest.mark.parametrize(
    ("arguments", "variables", "line"),
    [
        (("ingest", "nowhere"), {}, "does not exist; check the path"),
        (
            ("ingest", "."),
            {},
            ".html, .htm or .md file; nothing to ingest",
        ),
        (("status",), {"FINRAG_DATABASE_URL": "mysql://x"}, "start it with postgresql://"),
        (
            ("ask", "问题"),
            {"FINRAG_DATABASE_URL": "postgresql://u:secret@127.0.0.1:9/x"},
            "127.0.0.1",
        ),
        (("status",), {"FINRAG_WORKERS": "many"}, "FINRAG_WORKERS: "),
        (("documents", "show", "nobody"), {}, "no document is named 'nobody'"),
        (("ask", "  "), {}, "question"),
        (("ingest", str(SAMPLE_PDFS)), {"FINRAG_EMBEDDER": "psychic"}, "'psychic' is unknown"),
        (("ingest", str(SAMPLE_PDFS)), {"FINRAG_HOME": "/dev/null/home"}, "set FINRAG_HOME to"),
        (("rebuild",), {"FINRAG_HOME": "/dev/null/home"}, "set FINRAG_HOME to"),
        (("dev",), {"FINRAG_HOME": "/proc/home"}, "set FINRAG_HOME to"),
        (
            ("status",),
            {"FINRAG_HOME": "/dev/null", "FINRAG_DATABASE_URL": ""},
            "the data directory /dev/null cannot be used",
        ),
    ],
)
def test_a_failure_is_one_clear_line_and_exit_1(finrag, tmp_path, arguments, variables, line):
    process = finrag(*arguments, **variables)
    assert process.returncode == 1
    assert process.stdout == ""
    assert process.stderr.startswith("finrag: ")
    assert process.stderr.count("\n") == 1, process.stderr
    assert line in process.stderr
    assert "secret" not in process.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("nonsense",),
        ("ingest",),
        ("ask", "问题", "--as-of", "yesterday"),
        ("search", "问题", "--k", "0"),
        ("ingest", ".", "--arrival", "2026-02-30"),
    ],
)
def test_wrong_usage_is_exit_2(finrag, arguments):
    process = finrag(*arguments)
    assert process.returncode == 2


def test_an_interrupted_ingestion_ends_at_once_and_goes_on_later(settings, finrag):
    process = subprocess.Popen(
        command("ingest", str(SAMPLE_PDFS)),
        env=environment(settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # what a shell does for a command in the foreground
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    with Database.open(settings) as database:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with database.connection() as connection:
                if counts(connection, "default")["registered"]:
                    break
            time.sleep(0.1)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    # said in half a second; taking the interpreter down takes seconds on a busy machine
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (1, "")
    assert errors.startswith("finrag: interrupted: run the same command again"), errors
    assert parsed(finrag("ingest", str(SAMPLE_PDFS), "--json"))["counts"]["quarantined"] == 0
