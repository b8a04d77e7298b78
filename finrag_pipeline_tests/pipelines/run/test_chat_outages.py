"""Ten ways in which a chat model stops a run: the next night brings all that is missing, asks for
nothing that was answered, and leaves the rows of a store whose model answered at once."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.pipelines.documents.clique_chunks import CliqueChunks
from finrag_pipeline.pipelines.documents.estimate import estimate
from finrag_pipeline.pipelines.documents.html_tables import HtmlTables
from finrag_pipeline.pipelines.documents.raw_pdfs import register_paths
from finrag_pipeline.pipelines.documents.scanned_text import clean_documents
from finrag_pipeline.pipelines.documents.unfinished_stages import left_unfinished
from finrag_pipeline.pipelines.run.chat_session import IN_FLIGHT
from finrag_pipeline.pipelines.run.run import Run, run_stage
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline.store.search import embeddings
from finrag_pipeline.store.search.keyword_index import KeywordIndex
from finrag_pipeline_tests.models.servers import (
    Answer,
    StoppingModel,
    passage_of,
    refusal,
    said,
)
from finrag_pipeline_tests.models.servers import tell_waits as without_waits
from finrag_pipeline_tests.pipelines.conftest import make_pdf
from finrag_pipeline_tests.pipelines.rows import rows_of
from finrag_pipeline_tests.pipelines.stages import DAY, copy_first_chunk, ingest
from finrag_pipeline_tests.serve.conftest import command, environment

pytestmark = pytest.mark.faults

NAMES = ["星河新材", "远山生物"]
TEXT = "{name}2026年上半年收入同比增长两成，主要受益于储能需求回暖，海外订单占比升至四成。"
CHUNKS = 6
#: Requests answered before the model stops: in the first document's contexts, in the second's
#: mentions, in the summaries. There are 12 contexts and 12 extractions.
MOMENTS = {"contexts": 4, "mentions": 21}
#: Tokens that are spent by then: 1,000 a request, beside the worst case of the next one.
BUDGETS = {"contexts": 6_000, "mentions": 27_000}
#: Requests that a whole run sends about chunks; summaries come beside them.
ABOUT_CHUNKS = 4 * CHUNKS

Rows = dict[str, list[str]]


def answered(body: Any) -> Answer:
    """What a good model says, whatever it is asked."""
    name = body.get("response_format", {}).get("json_schema", {}).get("name")
    if name == "ExtractionReply":
        assert "储能" in passage_of(body)
        found = {"entities": [{"text": "储能", "type": "concept"}], "relations": [], "claims": []}
        text = json.dumps(found)
    elif name == "SummaryReply":
        text = json.dumps({"concept": [{"text": "储能需求回暖。", "passages": [1, 2]}]})
    else:
        passage = body["messages"][1]["content"].partition("<passage>\n")[2]
        text = f"星河新材2026年点评：{passage[:12]}"
    return said(text, usage=(900, 100))


def about_chunks(model: StoppingModel) -> int:
    """Different requests about chunks that got a good answer."""
    return sum("SummaryReply" not in body for body in model.answers)


@pytest.fixture
def model() -> Iterator[StoppingModel]:
    with HTTPServer(threaded=True) as server:
        yield StoppingModel(server, answered)


@pytest.fixture
def chatting(run: Run, model: StoppingModel) -> Run:
    chat = {"chat_base_url": model.host.url, "chat_model": "qwen"}
    return replace(run, settings=run.settings.model_copy(update=chat))


def chunked(*runs: Run) -> list[Path]:
    """The same two documents in the stores of some runs, up to their chunks: six each."""
    inbox = Path(runs[0].settings.inbox)
    paths = [make_pdf(inbox / f"{name}.pdf", TEXT.format(name=name)) for name in NAMES]
    for run in runs:
        register_paths(run, [str(path) for path in paths], DAY)
        clean_documents(run)
        run_stage(run, HtmlTables())
        run_stage(run, CliqueChunks())
    with runs[0].database.transaction() as connection:
        copy_first_chunk(connection, CHUNKS - 1)
        connection.execute("update document_stages set row_count = 6 where stage = 'clique_chunks'")
    return paths


def next_night(run: Run, paths: list[Path]) -> Run:
    """The run of the following day, which finds the same files in the inbox."""
    scope = Scope(run.scope.app_id, days=(DAY + timedelta(days=1),), leftovers=True)
    night = replace(run, scope=scope)
    ingest(night, paths, DAY + timedelta(days=1))
    return night


def written(run: Run) -> Rows:
    """Everything that a run leaves, but who was first and how often readers were told."""
    rows = rows_of(run.database, run.scope.app_id)
    del rows["index_changes"], rows["document_stages"]
    with run.database.connection() as connection:
        found = connection.execute(
            "select e.name, s.summary_text, s.source_sha256 is not null as known, written_by"
            " from entity_summaries s join entities e using (entity_id) where e.app_id = %s",
            (run.scope.app_id,),
        ).fetchall()
    return rows | {"entity_summaries": sorted(map(repr, found))}


def published(run: Run) -> int:
    with run.database.connection() as connection:
        (row,) = connection.execute(
            "select count(*) as n from current_documents where app_id = %s", (run.scope.app_id,)
        ).fetchall()
    return row["n"]


def assert_whole(run: Run, other_app: Run, model: StoppingModel, in_flight: int = 0) -> None:
    """All is there, as in a store whose model answered at once; nothing was answered twice."""
    assert left_unfinished(run) == []
    assert model.answers.total() - len(model.answers) <= in_flight
    assert about_chunks(model) == ABOUT_CHUNKS
    at_once = replace(other_app, settings=run.settings)
    ingest(at_once, sorted(Path(run.settings.inbox).iterdir()))
    assert written(run) == written(at_once)


def slowly(_: Any) -> Answer:
    time.sleep(0.3)
    return refusal(500, "too late")


FAULTS: dict[str, Callable[[Any], Answer]] = {
    "429": lambda _: refusal(429, "slow down"),
    "500": lambda _: refusal(500, "out of memory"),
    "garbage": lambda _: said("I am sorry, but I cannot help with that."),
    "slow": slowly,
}
SETTINGS = {"401": (401, "who are you"), "404": (404, "no such model")}


@pytest.mark.parametrize(
    ("stop", "moment"),
    [
        ("budget", "contexts"),
        ("budget", "mentions"),
        ("429", "mentions"),
        ("500", "contexts"),
        ("garbage", "contexts"),
        ("slow", "mentions"),
        ("down", "contexts"),
        ("down", "mentions"),
    ],
)
def test_what_a_model_left_is_there_after_the_next_night(
    chatting: Run,
    other_app: Run,
    model: StoppingModel,
    monkeypatch: pytest.MonkeyPatch,
    stop: str,
    moment: str,
    reader: Reader,
) -> None:
    without_waits(monkeypatch)
    paths = chunked(chatting, other_app)
    index = KeywordIndex(chatting.settings.home / "keyword", reader)
    settings = chatting.settings
    if stop == "slow":
        settings = settings.model_copy(update={"model_timeout_s": 0.1})
    if stop == "budget":
        settings = settings.model_copy(update={"chat_budget_tokens": BUDGETS[moment]})
    else:
        model.after = MOMENTS[moment]
    model.fault = FAULTS.get(stop) or (lambda _: refusal(503, "going down"))
    if stop == "down":
        closing = threading.Thread(target=lambda: closed_after(model, MOMENTS[moment]))
        closing.start()
    reports = ingest(replace(chatting, settings=settings), paths)
    if stop == "down":
        closing.join()
        assert not model.server.is_running()
    degraded = [line for report in reports for line in report.degraded]
    assert degraded and published(chatting) == len(NAMES)
    waiting = left_unfinished(chatting)
    assert waiting and all(each.reason and each.left_count for each in waiting)
    index.of("default").sync()

    model.mend()
    told = estimate(chatting, [str(path) for path in paths], DAY)
    calls = {each.asset: each.asked.calls for each in told.assets}
    left = ABOUT_CHUNKS - about_chunks(model)
    assert calls["chunk_contexts"].low + calls["entity_mentions"].low == left
    night = next_night(chatting, paths)
    assert_whole(night, other_app, model)
    compared = index.of("default").verify(date(2026, 3, 2))
    assert compared.equal, compared.sample


def closed_after(model: StoppingModel, answers: int) -> None:
    while model.answers.total() < answers:
        time.sleep(0.001)
    model.server.stop()


@pytest.mark.parametrize(("stop", "moment"), [("401", "contexts"), ("404", "mentions")])
def test_wrong_settings_stop_the_run_before_anything_is_published(
    chatting: Run, other_app: Run, model: StoppingModel, stop: str, moment: str
) -> None:
    paths = chunked(chatting, other_app)
    model.after, model.fault = MOMENTS[moment], lambda _: refusal(*SETTINGS[stop])
    with pytest.raises(ConfigurationError, match=f"FINRAG_CHAT_.*{stop}"):
        ingest(chatting, paths)
    assert published(chatting) == 0
    assert len(model.host.asked) <= MOMENTS[moment] + IN_FLIGHT

    model.mend()
    assert_whole(next_night(chatting, paths), other_app, model)


@pytest.mark.parametrize(("stop", "moment"), [("SIGINT", "mentions"), ("SIGKILL", "contexts")])
def test_a_run_that_is_ended_repeats_only_what_was_under_way(
    chatting: Run, other_app: Run, model: StoppingModel, stop: str, moment: str
) -> None:
    paths = chunked(chatting, other_app)
    model.delay_s = 0.05
    process = subprocess.Popen(
        command("ingest", *map(str, paths), "--arrival", DAY.isoformat()),
        env=environment(chatting.settings)
        | {"FINRAG_CHAT_BASE_URL": model.host.url, "FINRAG_CHAT_MODEL": "qwen"},
        cwd=Path(chatting.settings.inbox).parent,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while model.answers.total() < MOMENTS[moment] and process.poll() is None:
        time.sleep(0.001)
    process.send_signal(getattr(signal, stop))
    assert process.wait(60) != 0
    assert published(chatting) == 0

    model.delay_s = 0.0
    assert_whole(next_night(chatting, paths), other_app, model, IN_FLIGHT)


def test_readers_lack_no_vector_while_contexts_follow(
    run: Run, chatting: Run, model: StoppingModel
) -> None:
    paths = chunked(run)
    ingest(run, paths)  # before there was a chat model
    lacking: list[Any] = []

    def watched(body: Any) -> Answer:
        with run.database.connection() as connection:
            space = embeddings.active_space(connection)
            assert space is not None
            lacking.extend(embeddings.documents_lacking(connection, space))
        return answered(body)

    model.after, model.fault = 0, watched
    ingest(chatting, paths)
    assert len(model.host.asked) > ABOUT_CHUNKS and lacking == []
