"""`finrag documents` and `finrag delete`: lists that lose nothing, and what is taken away."""

from __future__ import annotations

import os
import pty
import re
import shlex
import shutil
import subprocess
from datetime import date

import pytest

from finrag_pipeline.records.facts import FactPeriod
from finrag_pipeline.store.documents import documents
from finrag_pipeline_tests.documents import add_document
from finrag_pipeline_tests.paths import SAMPLE_PDFS
from finrag_pipeline_tests.serve.cli.test_cli import PETS, parsed
from finrag_pipeline_tests.serve.conftest import command, environment
from finrag_pipeline_tests.store.facts.rows import add_facts, fact

LONG = f"[draft] {'很长的报告名称' * 12} 终稿.pdf"


@pytest.fixture
def store(database):
    """One document that readers have, and one in quarantine."""
    with database.transaction() as connection:
        add_document(connection, "a" * 21, ["收入增长。"], source=LONG)
        add_document(connection, "b" * 21, ["收入下降。"], source="broken.pdf")
        documents.withdraw(connection, "default", "b" * 21)
        connection.execute(
            "update documents set status = 'quarantined', reason = 'encrypted' "
            "where document_id = %s",
            ("b" * 21,),
        )


def test_a_piped_list_is_whole_and_of_one_status_where_asked(store, finrag):
    header, first, second = finrag("documents", "list").stdout.splitlines()
    assert header.split() == [
        "document", "status", "day", "pages", "chunks", "tables", "facts", "code", "source"
    ]  # fmt: skip
    assert first.startswith("a" * 21 + "  indexed")
    assert first.endswith(LONG)
    assert second.endswith("broken.pdf")
    quarantined = finrag("documents", "list", "--status", "quarantined").stdout
    assert "a" * 21 not in quarantined
    assert "encrypted: the file needs a password; save a copy without a password" in quarantined
    indexed = parsed(finrag("documents", "list", "--status", "indexed", "--json"))["documents"]
    assert [row["document_id"] for row in indexed] == ["a" * 21]
    assert finrag("documents", "list", "--status", "lost").returncode == 2


def on_a_terminal(settings, arguments: list[str], typed: str) -> tuple[int, str]:
    """Exit code and all that a person sees who types something, on a terminal of 40 columns."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command(*arguments),
        env=environment(settings) | {"COLUMNS": "40", "TERM": "xterm"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    os.write(ours, typed.encode())
    seen = b""
    try:
        while piece := os.read(ours, 4096):
            seen += piece
    except OSError:  # what Linux says when the other end is closed
        pass
    os.close(ours)
    return process.wait(timeout=60), re.sub(r"\x1b\[[\d;]*m", "", seen.decode())


def test_a_narrow_terminal_wraps_ids(store, settings):
    code, seen = on_a_terminal(settings, ["documents", "list"], "")
    assert code == 0
    assert "…" not in seen
    assert seen.count("a") >= 21
    assert max(len(line) for line in seen.splitlines()) <= 40


def test_what_several_files_hold_is_withdrawn_when_that_is_meant_and_comes_back(
    settings, finrag, tmp_path, database
):
    folder = tmp_path / "reports"
    folder.mkdir()
    for name in (PETS, "copy of it.pdf"):
        shutil.copy(SAMPLE_PDFS / PETS, folder / name)
    parsed(finrag("ingest", str(folder), "--json"))
    files = sorted(str(path) for path in folder.iterdir())
    for options in ((), ("--json",)):
        refused = finrag("documents", "withdraw", PETS, *options)
        assert (refused.returncode, refused.stdout) == (1, "")
        assert refused.stderr.count("\n") == 1
        assert all(file in refused.stderr for file in files)
        assert "--yes" in refused.stderr
    code, seen = on_a_terminal(settings, ["documents", "withdraw", PETS], "n\n")
    assert (code, "nothing was changed" in seen) == (1, True)

    gone = parsed(finrag("documents", "withdraw", PETS, "--yes", "--json"))
    assert (gone["status"], sorted(gone["files"])) == ("withdrawn", files)
    _, *undo = shlex.split(gone["undo"])
    assert parsed(finrag(*undo, "--json"))["counts"]["indexed"] == 1
    with database.connection() as connection:
        (row,) = documents.list_documents(connection, documents.Scope("default"))
    assert (row["status"], row["sources"]) == ("indexed", sorted([PETS, "copy of it.pdf"]))

    # one file: scripts are not asked
    (folder / "copy of it.pdf").write_text("no pdf any more")
    parsed(finrag("ingest", str(folder), "--json"))
    alone = finrag("documents", "withdraw", PETS)
    assert alone.returncode == 0
    assert f"undo: finrag ingest {folder / PETS}" in alone.stdout


def test_an_app_is_deleted_when_it_is_named_and_that_is_meant(store, settings, finrag, database):
    assert finrag("delete", "--yes").returncode == 2
    refused = finrag("delete", "--app", "default")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith("finrag: app 'default' would be deleted for good: 2 documents")
    code, seen = on_a_terminal(settings, ["delete", "--app", "default"], "n\n")
    assert (code, "nothing was changed" in seen) == (1, True)
    told = parsed(finrag("delete", "--app", "default", "--yes", "--json"))
    assert told["deleted"]["documents"] == 2
    assert any(line.startswith("model replies") for line in told["stays"])
    with database.connection() as connection:
        assert documents.list_documents(connection, documents.Scope("default")) == []
    again = finrag("delete", "--app", "default", "--yes")
    assert (again.returncode, again.stderr) == (
        1,
        "finrag: app 'default' holds nothing; there are none\n",
    )


def test_figures_are_shown_in_base_units_with_their_place(database, finrag):
    half = FactPeriod(2025, "H1", date(2025, 6, 30), date(2025, 1, 1))
    told = [fact("12345678.5"), fact(7, period=half, segment="境外", checked=False)]
    with database.transaction() as connection:
        add_facts(connection, "f" * 21, told, source="filing.pdf")
    first, second = parsed(finrag("documents", "show", "filing", "--facts", "--json"))["facts"]
    assert (first["fact_id"], first["value"], first["unit"]) == ("f" * 21 + "/0", 12345678.5, "CNY")
    assert (first["page"], first["bbox"], first["row"]) == (1, [1.0, 2.0, 3.0, 4.0], 1)
    assert (second["value"], second["period"], second["last_on"]) == (7, "H1", "2025-06-30")
    shown = finrag("documents", "show", "filing", "--facts").stdout.splitlines()
    assert "2024 FY" in shown[1] and "12345678.5" in shown[1]
    assert "annual, sums fail" in shown[2] and shown[2].endswith("境外")
    (listed,) = parsed(finrag("documents", "list", "--json"))["documents"]
    assert listed["facts"] == 2


def test_purging_says_what_went_and_what_stays(store, finrag, database):
    told = finrag("documents", "withdraw", "a" * 21, "--purge").stdout
    assert "purged: 0 reports on communities and 0 on chains of 0 weekly builds" in told
    assert "what stays: its files, backups" in told
    again = parsed(finrag("documents", "withdraw", "a" * 21, "--purge", "--json"))
    assert again["purged"] == {
        "communities": 0, "chains": 0, "elements": 0, "replies": 0, "builds": 0
    }  # fmt: skip
