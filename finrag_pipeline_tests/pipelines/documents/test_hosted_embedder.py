"""A whole store embedded by a server that varies a little, fails in the middle, or is changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytest_httpserver import HTTPServer

from finrag_pipeline.errors import ModelUnavailable, VectorSpaceMismatch
from finrag_pipeline.models.embedders import load_embedder
from finrag_pipeline.pipelines.documents.reembedding import reembed_documents
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline_tests.models.servers import Answer, ModelHost, embedded, refusal, tell_waits
from finrag_pipeline_tests.pipelines.conftest import make_pdf
from finrag_pipeline_tests.pipelines.rows import rows_of
from finrag_pipeline_tests.pipelines.stages import ingest

FIRST = "星河新材料股份有限公司2026年上半年收入同比增长百分之二十，主要受益于储能需求回暖。"
SECOND = "远山生物2026年新药获批上市，研发费用率较上年下降三个百分点，我们维持买入评级。"


class Varying:
    """Correct vectors of 32 numbers, each off by a thousandth in a way of its own."""

    def __init__(self) -> None:
        self.noise = np.random.default_rng(5)

    def __call__(self, body: Any) -> Answer:
        whole = embedded(body["input"], 32)
        for entry in whole["data"]:
            vector = np.array(entry["embedding"])
            entry["embedding"] = (vector * (1 + self.noise.normal(0, 0.001, 32))).tolist()
        return whole


@pytest.fixture
def host() -> Iterator[ModelHost]:
    with HTTPServer(threaded=True) as server:
        yield ModelHost(server, "/embeddings", Varying())


def hosted(run: Run, host: ModelHost, process: int = 0) -> Run:
    """The run with the server's embedder, loaded as another process would."""
    update = {
        "embedder": "openai:text-embed",
        "embedding_base_url": host.url,
        "model_timeout_s": 30.0 + process,
    }
    return replace(run, settings=run.settings.model_copy(update=update))


def test_a_store_is_recognised_by_every_process(
    run: Run, host: ModelHost, inbox: Path, reader: Reader
) -> None:
    make_pdf(inbox / "a.pdf", FIRST)
    ingest(hosted(run, host), [inbox])
    before = rows_of(run.database, "default")
    asked = len(host.asked)
    for process in range(1, 20):
        again = ingest(hosted(run, host, process), [inbox])
        assert [len(report.outcomes) for report in again] == [0] * 7
    assert rows_of(run.database, "default") == before
    # 19 processes asked for what tells their space, and for nothing else
    assert len(host.asked) == asked + 19 * 2
    # and did not all see the same
    spaces = [load_embedder(hosted(run, host, n).settings).space for n in range(20)]
    assert len({space.fingerprint for space in spaces}) > 1
    make_pdf(inbox / "b.pdf", SECOND)
    ingest(hosted(run, host, 21), [inbox])
    found = QueryEngine(reader, hosted(run, host, 22).settings).search(
        FIRST, Options(lane="vector", app="default")
    )
    assert {result.item.source for result in found.results} == {"a.pdf", "b.pdf"}


def test_a_server_that_fails_in_the_middle_is_taken_up_again(
    run: Run, host: ModelHost, inbox: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell_waits(monkeypatch)
    make_pdf(inbox / "a.pdf", FIRST)
    make_pdf(inbox / "b.pdf", SECOND)
    # two requests for the space, one document, then nothing more
    host.faults = [host.answer] * 3 + [lambda _: refusal(500, "gone")] * 5
    with pytest.raises(ModelUnavailable, match=r"500 \(gone\)"):
        ingest(hosted(run, host), [inbox])
    assert not rows_of(run.database, "default")["index_changes"]
    embedded_now = ingest(hosted(run, host), [inbox])[4]
    assert len(embedded_now.outcomes) == 1
    held = rows_of(run.database, "default")
    assert len(held["index_changes"]) == 2


def test_a_store_moves_to_a_server_by_reembedding(run: Run, host: ModelHost, inbox: Path) -> None:
    make_pdf(inbox / "a.pdf", FIRST)
    ingest(run, [inbox])
    moved = hosted(run, host)
    with pytest.raises(VectorSpaceMismatch, match=r"openai:text-embed .*`finrag reembed`"):
        ingest(moved, [inbox])
    result = reembed_documents(run.database, moved.settings)
    assert result["documents"] == 1 and result["vector_space"] == "openai:text-embed"
    # another process of the same model finds nothing left to move
    assert reembed_documents(run.database, hosted(run, host, 1).settings)["documents"] == 0
    assert [len(report.outcomes) for report in ingest(hosted(run, host, 2), [inbox])] == [0] * 7
