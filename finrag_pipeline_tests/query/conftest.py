"""A query engine over the fresh database, and a way to put embedded documents into it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from finrag_pipeline.models.embedding import Embedder
from finrag_pipeline.models.offline import OfflineEmbedder
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search import embedded_texts, embeddings
from finrag_pipeline_tests.documents import add_document

AddDocument = Callable[..., None]
#: What is logged of a writer that raised.
_BROKE = "the writer "


@pytest.fixture
def engine(reader: Reader, settings: Settings) -> QueryEngine:
    return QueryEngine(reader, settings)


@pytest.fixture
def add(database: Database) -> AddDocument:
    return adding(database, OfflineEmbedder())


def told_number(engine: QueryEngine, question: str) -> float:
    """The figure that a question is answered with, which is its value."""
    answer = engine.ask(question)
    assert answer.status == "answered", answer.answer
    assert answer.value is not None, answer.answer
    return answer.value["number"]


def adding(database: Database, embedder: Embedder) -> AddDocument:
    """Puts documents into a database, their texts embedded by a model."""

    def add(document_id: str, contents: Sequence[str], **values: Any) -> None:
        revision = values.get("revision", "r1")
        with database.transaction() as connection:
            add_document(connection, document_id, contents, **values)
            embeddings.ensure_space(connection, embedder.space)
            texts = embedded_texts.pending_texts(connection, document_id, revision, embedder.space)
            vectors = embedder.embed_passages([text.text for text in texts])
            embeddings.add(connection, document_id, revision, embedder.space, texts, vectors)

    return add


@pytest.fixture(autouse=True)
def _no_writer_breaks(
    request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> Iterator[None]:
    """A writer that breaks costs an answer a part and raises nothing: no test may pass over that
    which does not mean it."""
    yield
    if request.node.get_closest_marker("breaks") is None:
        broke = [each.getMessage() for each in caplog.get_records("call")]
        assert not [each for each in broke if _BROKE in each]
