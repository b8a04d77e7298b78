"""The move of a store to another vector space: every kind, resumable, unseen by queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from finrag_pipeline.errors import ModelUnavailable, VectorSpaceMismatch
from finrag_pipeline.pipelines.documents.reembedding import reembed_documents
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline_tests.models.servers import ModelHost, embedded, refusal, tell_waits
from finrag_pipeline_tests.pipelines.conftest import make_pdf
from finrag_pipeline_tests.pipelines.stages import ingest

QUESTION = "星河新材上半年收入为什么增长？"


@pytest.fixture
def host() -> Iterator[ModelHost]:
    with HTTPServer(threaded=True) as server:
        yield ModelHost(server, "/embeddings", lambda body: embedded(body["input"], 24))


@pytest.fixture
def moved(run: Run, host: ModelHost) -> Run:
    """The run with another embedder than the one that made the store's vectors."""
    update = {"embedder": "openai:text-embed", "embedding_base_url": host.url}
    return replace(run, settings=run.settings.model_copy(update=update))


@pytest.fixture
def filled(run: Run, inbox: Path) -> Run:
    """A store of three documents."""
    for name in ("星河新材", "远山生物", "银杉装备"):
        make_pdf(inbox / f"{name}.pdf", f"{name}2026年上半年收入同比增长二成，主要受益于需求回暖。")
    ingest(run, [inbox])
    return run


def kinds(database: Database) -> dict[str, Counter[str]]:
    """Vectors by space and kind."""
    found: dict[str, Counter[str]] = {}
    with database.connection() as connection:
        query = (
            "select s.name, e.kind from embeddings e join vector_spaces s using (space_id)"
            " order by 1, 2"
        )
        for row in connection.execute(query).fetchall():
            found.setdefault(row["name"], Counter())[row["kind"]] += 1
    return found


def graph_texts(database: Database) -> int:
    with database.connection() as connection:
        row = connection.execute("select count(*) as n from graph_texts").fetchone()
        assert row is not None and row["n"] > 0
        return row["n"]


def test_every_kind_moves_while_queries_go_on(filled: Run, moved: Run, reader: Reader) -> None:
    database = filled.database
    engine = QueryEngine(reader, filled.settings)
    before = engine.search(QUESTION).to_dict()["results"]
    ((_, held),) = kinds(database).items()
    assert held["chunk"] == 3
    answers: list[Any] = []

    def ask(stage: str, done: int, total: int) -> None:
        answers.append((stage, done, total, engine.search(QUESTION).to_dict()["results"]))
        assert set(kinds(database)) == {filled_space, "openai:text-embed"}

    (filled_space,) = kinds(database)
    result = reembed_documents(database, moved.settings, ask)
    assert answers == [("reembed", n, 3, before) for n in (1, 2, 3)]
    assert result == {
        "documents": 3,
        "vectors": held.total(),
        "graph_vectors": graph_texts(database),
        "vector_space": "openai:text-embed",
    }
    assert kinds(database) == {"openai:text-embed": held}
    with pytest.raises(VectorSpaceMismatch, match="finrag reembed"):
        engine.search(QUESTION)
    now = QueryEngine(reader, moved.settings).search(QUESTION, Options(lane="vector"))
    assert {result.item.source for result in now.results} == {
        "星河新材.pdf",
        "远山生物.pdf",
        "银杉装备.pdf",
    }


def test_an_interrupted_move_goes_on_where_it_stopped(
    filled: Run, moved: Run, host: ModelHost, monkeypatch: pytest.MonkeyPatch, reader: Reader
) -> None:
    tell_waits(monkeypatch)
    database = filled.database
    ((space, held),) = kinds(database).items()
    # two requests tell the space, the next embeds a document, then the server is gone
    host.faults = [host.answer] * 3 + [lambda _: refusal(500, "gone")] * 9
    with pytest.raises(ModelUnavailable):
        reembed_documents(database, moved.settings)
    part = kinds(database)
    assert part[space] == held
    stored = part["openai:text-embed"].total()
    assert 0 < stored < held.total()
    assert QueryEngine(reader, filled.settings).search(QUESTION, Options(lane="vector")).results
    host.faults = []
    result = reembed_documents(database, moved.settings)
    assert (result["documents"], result["vectors"]) == (2, held.total() - stored)
    assert kinds(database) == {"openai:text-embed": held}


def test_a_line_that_a_model_writes_meanwhile_is_embedded_by_the_next_call(
    filled: Run, moved: Run, host: ModelHost
) -> None:
    database = filled.database
    line = "一行模型写的话"

    def placed(body: Any) -> Any:
        with database.transaction() as connection:
            connection.execute(
                "update clique_chunks set context = %s, context_by = 'qwen'", (line,)
            )
        return host.answer(body)

    # two requests tell the space, the third embeds the first document
    host.faults = [host.answer, host.answer, placed]
    with pytest.raises(VectorSpaceMismatch, match="1 documents have no vectors"):
        reembed_documents(database, moved.settings)
    assert reembed_documents(database, moved.settings)["vectors"] == 1
    chunks = [text for body in host.asked for text in body["input"] if line in text]
    assert len(chunks) == 3
