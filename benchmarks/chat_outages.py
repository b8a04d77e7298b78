"""Ten ways in which a chat model stops a run, and what the next night makes of it: one table.

`python benchmarks/chat_outages.py` ingests samples/pdfs by `finrag ingest` with a chat server that
stops after so many answers, then runs the nightly job of the following day with one that is well.
The documents are read up to their chunks once, and every stop begins there.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from pytest_httpserver import HTTPServer

sys.path.insert(0, str(Path(__file__).parents[1]))

from finrag_pipeline.pipelines.documents.clique_chunks import CliqueChunks
from finrag_pipeline.pipelines.documents.html_tables import HtmlTables
from finrag_pipeline.pipelines.documents.raw_pdfs import register_paths
from finrag_pipeline.pipelines.documents.scanned_text import clean_documents
from finrag_pipeline.pipelines.run.run import Run, run_stage
from finrag_pipeline.pipelines.run.workers import shared_pool
from finrag_pipeline.settings import Settings, today
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline.store.embedded.server import embedded_server_url, stop_embedded_server
from finrag_pipeline.store.graph import entity_summaries
from finrag_pipeline_tests.models.servers import (
    Answer,
    StoppingModel,
    first_words,
    refusal,
    said,
)

SAMPLES = Path(__file__).parents[1] / "samples" / "pdfs"
APP = "default"
YESTERDAY = today() - timedelta(days=1)
#: Answers before the stop: in the contexts of 57 chunks, and in what is read from them.
AFTER = (30, 80)
#: What the server says that an answer takes, and what the next request may take beside that.
TOKENS, WORST = (900, 100), {30: 2_000, 80: 8_000}
DELAY_S = 0.02
_NIGHT = """
import dagster as dg
from finrag_pipeline.defs.assembly import build_definitions
from finrag_pipeline.settings import today
job = build_definitions().resolve_job_def("nightly_ingestion")
with dg.DagsterInstance.ephemeral() as instance:
    job.execute_in_process(instance=instance, partition_key=today().isoformat())
"""
_LEFT = """
select (select count(*) from current_documents) as published,
       (select count(*) from clique_chunks where context_by = 'headings') as contexts,
       (select coalesce(sum(coalesce(
            (select u.left_count from unfinished_stages u
             where u.stage = 'entity_mentions' and u.document_id = r.document_id),
            (select count(*) from clique_chunks c where c.document_id = r.document_id))), 0)::int
        from document_revisions r
        where not exists (select from document_stages t where t.document_id = r.document_id
                          and starts_with(t.stage, 'entity_mentions '))) as mentions
"""


def answered(body: Any) -> Answer:
    """What a good model says."""
    form = body.get("response_format", {}).get("json_schema", {}).get("name")
    if form == "ExtractionReply":
        return first_words(body) | {"usage": _usage()}
    if form == "SummaryReply":
        summary = {"concept": [{"text": "在多份报告中出现。", "passages": [1]}]}
        return said(json.dumps(summary, ensure_ascii=False), usage=TOKENS)
    chinese = "Chinese" in body["messages"][1]["content"]
    return said("星河新材2026年点评的一段" if chinese else "A passage of the report", usage=TOKENS)


def slowly(_: Any) -> Answer:
    time.sleep(1.5)
    return refusal(500, "too late")


STOPS: dict[str, Callable[[Any], Answer] | None] = {
    "budget": None,
    "401": lambda _: refusal(401, "who are you"),
    "404": lambda _: refusal(404, "no such model"),
    "429": lambda _: refusal(429, "slow down"),
    "500": lambda _: refusal(500, "out of memory"),
    "garbage": lambda _: said("I am sorry, but I cannot help with that."),
    "slow": slowly,
    "down": None,
    "Ctrl-C": None,
    "kill -9": None,
}


def main() -> None:
    """Stop a run in every way at both moments, and print what the night after it did."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stop", choices=STOPS, action="append")
    options = parser.parse_args()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory(prefix="finrag-") as home:
        try:
            template = embedded_server_url(Path(home), "chunked")
            chunk_samples(Path(home), template)
            print(
                "| stop | answered before | published | left: contexts, mentions, summaries | "
                "answers of the next run | answered twice | left in the end |"
            )
            print("|---|---|---|---|---|---|---|")
            for after in AFTER:
                for stop in options.stop or STOPS:
                    print(row(Path(home), stop, after), flush=True)
        finally:
            stop_embedded_server(Path(home))


def chunk_samples(home: Path, url: str) -> None:
    settings = Settings(_env_file=None, home=home, database_url=url)  # type: ignore[call-arg]
    with Database.open(settings) as database:
        run = Run(database, settings, Scope(APP))
        register_paths(run, [str(SAMPLES)], YESTERDAY)
        clean_documents(run)
        run_stage(run, HtmlTables())
        run_stage(run, CliqueChunks())
    shared_pool(settings).close()


def row(home: Path, stop: str, after: int) -> str:
    """One stop on a store of its own."""
    name = f"stopped_{after}_{list(STOPS).index(stop)}"
    with psycopg.connect(embedded_server_url(home, "postgres"), autocommit=True) as admin:
        admin.execute(sql.SQL("create database {} template chunked").format(sql.Identifier(name)))
    url = embedded_server_url(home, name)
    with HTTPServer(threaded=True) as server:
        model = StoppingModel(server, answered)
        model.delay_s = DELAY_S
        variables = {
            "FINRAG_HOME": str(home / name),
            "FINRAG_DATABASE_URL": url,
            "FINRAG_INBOX": str(SAMPLES),
            "FINRAG_CHAT_BASE_URL": model.host.url,
            "FINRAG_CHAT_MODEL": "qwen",
        }
        stopped_run(model, stop, after, variables)
        left = left_of(url)
        before = model.answers.total()
        model.mend()
        process(["-c", _NIGHT], variables).wait()
        end = left_of(url)
        twice = model.answers.total() - len(model.answers)
    asked = model.answers.total() - before
    return (
        f"| {stop} | {before} | {left[0]} of {end[0]} | {', '.join(map(str, left[1:]))} | {asked} "
        f"| {twice} | {', '.join(map(str, end[1:]))} |"
    )


def stopped_run(model: StoppingModel, stop: str, after: int, variables: dict[str, str]) -> None:
    """`finrag ingest` until it is stopped, or ends without what it could not have."""
    own: dict[str, str] = {}
    fault = STOPS[stop]
    if fault:
        model.after, model.fault = after, fault
    if stop == "slow":
        own = {"FINRAG_MODEL_TIMEOUT_S": "1"}
    if stop == "budget":
        own = {"FINRAG_CHAT_BUDGET_TOKENS": str(after * sum(TOKENS) + WORST[after])}
    arguments = ["-m", "finrag_pipeline.serve.cli.main", "ingest", str(SAMPLES)]
    ingesting = process([*arguments, "--arrival", YESTERDAY.isoformat()], variables | own)

    def when_answered(act: Callable[[], Any]) -> None:
        while model.answers.total() < after and ingesting.poll() is None:
            time.sleep(0.001)
        act()

    acts: dict[str, Callable[[], Any]] = {
        "down": model.server.stop,
        "Ctrl-C": lambda: ingesting.send_signal(signal.SIGINT),
        "kill -9": ingesting.kill,
    }
    if stop in acts:
        acting = threading.Thread(target=when_answered, args=(acts[stop],))
        acting.start()
        acting.join()
    ingesting.wait()


def process(arguments: list[str], variables: dict[str, str]) -> subprocess.Popen[bytes]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FINRAG_")}
    return subprocess.Popen(
        [sys.executable, *arguments],
        env=kept | variables,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def left_of(url: str) -> tuple[int, int, int, int]:
    """Documents that readers see; chunks without context and mentions, entities without summary."""
    settings = Settings(_env_file=None, database_url=url)  # type: ignore[call-arg]
    with Database.open(settings) as database, database.connection() as connection:
        (found,) = connection.execute(_LEFT).fetchall()
        frequent = set(entity_summaries.frequent(connection, APP))
        summaries = frequent - set(entity_summaries.summaries(connection, APP))
    return found["published"], found["contexts"], found["mentions"], len(summaries)


def _usage() -> dict[str, int]:
    prompt, completion = TOKENS
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
    }


if __name__ == "__main__":
    main()
