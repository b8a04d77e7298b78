"""What `finrag search` and `finrag ask` print of weekly builds."""

from __future__ import annotations

import json
from datetime import date

from finrag_pipeline.store.database.connections import Database
from finrag_pipeline_tests.query.graph_documents import add_read
from finrag_pipeline_tests.query.storage_reports import QUESTION, add_library, add_week
from finrag_pipeline_tests.serve.conftest import Finrag

BUILD = "weekly build of 2026-03-01, with what was published by 2026-03-07"


def test_answers_and_results_name_the_build(finrag: Finrag, database: Database) -> None:
    add_week(database)
    add_read(database, "new", ["储能需求增长。"], published_on=date(2026, 3, 9))
    warning = "1 document published up to 2026-03-09 is not in the weekly build of 2026-03-01"
    asked = finrag("ask", QUESTION)
    assert "澄光储能—供应→远岫能源[2]" in asked.stdout and BUILD in asked.stdout
    assert f"warning: {warning}: run `finrag rebuild`" in asked.stderr
    found = finrag("search", QUESTION, "--lane", "community", "--k", "9")
    assert "industry chain report: 储能产业链图谱  (community 1)" in found.stdout
    assert "community report, level 0: 储能材料与电芯" in found.stdout
    assert "rests on: cathode.pdf, page 1" in found.stdout and BUILD in found.stdout
    assert warning in found.stderr
    level = finrag("ask", QUESTION, "--mode", "community_global", "--level", "0", "--json")
    assert "reports of level 0" in json.loads(level.stdout)["route"]["reason"]
    local = finrag("ask", "星河新材供应什么？", "--mode", "community_local", "--hops", "1")
    assert "· report: 正极材料" in local.stdout and BUILD in local.stdout
    wrong = finrag("ask", QUESTION, "--level", "0")
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert "--mode community_global" in wrong.stderr


def test_without_a_build_one_line_says_how_to_mend_it(finrag: Finrag, database: Database) -> None:
    add_library(database)
    for mode in ("community_global", "community_local"):
        asked = finrag("ask", QUESTION, "--mode", mode)
        assert asked.returncode == 0 and "资料不足" in asked.stdout
        mend = "warning: no weekly build is published: run `finrag rebuild`\n"
        assert asked.stderr == mend
    found = finrag("search", QUESTION, "--lane", "community")
    assert (found.returncode, found.stdout) == (0, "nothing found\n")
    assert found.stderr.startswith("degraded: community: no weekly build is published")
