"""`finrag estimate` as a process of its own: what it prints, and that it changes nothing."""

from __future__ import annotations

import json

from finrag_pipeline_tests.paths import SAMPLE_PDFS

SAMPLE = str(SAMPLE_PDFS / "qiling_tinglan_notes_20240912.pdf")
CHAT = {
    # nobody listens there: an estimate asks no one
    "FINRAG_CHAT_BASE_URL": "http://127.0.0.1:9/v1",
    "FINRAG_CHAT_MODEL": "qwen",
    "FINRAG_CHAT_PRICE_PER_MILLION_PROMPT_TOKENS": "2",
    "FINRAG_CHAT_PRICE_PER_MILLION_COMPLETION_TOKENS": "8",
}


def test_an_estimate_tells_calls_tokens_and_money(finrag, database):
    done = finrag("estimate", SAMPLE, "--json", **CHAT)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["documents"] == 1 and told["chunks"] > 0 and told["chat_model"] == "qwen"
    stages = {stage["asset"]: stage for stage in told["stages"]}
    assert list(stages) == ["chunk_contexts", "entity_mentions", "entity_summaries"]
    extraction = stages["entity_mentions"]
    assert extraction["calls"] == told["chunks"] and extraction["prompt_tokens"] > 0
    assert extraction["cost"]["low"] < extraction["cost"]["high"] < told["total"]["cost"]["high"]
    with database.connection() as connection:
        (row,) = connection.execute("select count(*) as n from documents").fetchall()
    assert row["n"] == 0


def test_without_a_chat_model_people_read_that_it_costs_nothing(finrag):
    done = finrag("estimate", SAMPLE)
    assert done.returncode == 0, done.stderr
    assert "1 documents" in done.stdout and "entity_mentions" in done.stdout
    assert "Done offline (FINRAG_CHAT_MODEL is not set), at no cost" in done.stdout
    assert "no price set" in done.stdout and "0.00" not in done.stdout


def test_without_a_price_the_cost_is_not_known(finrag):
    done = finrag("estimate", SAMPLE, "--json")
    told = json.loads(done.stdout)
    assert told["total"]["cost"] is None
    assert {stage["by_chat_model"]["cost"] for stage in told["stages"]} == {None}


def test_a_path_that_does_not_exist_is_one_line(finrag, tmp_path):
    done = finrag("estimate", str(tmp_path / "none"))
    assert done.returncode == 1 and "does not exist" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
