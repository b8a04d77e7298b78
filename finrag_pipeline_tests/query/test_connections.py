"""No question holds a connection while a model is asked: models may take their time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from datetime import date
from typing import Any

import pytest

from finrag_pipeline.models.embedding import Vectors, VectorSpace
from finrag_pipeline.models.offline import OfflineEmbedder
from finrag_pipeline.query import asking
from finrag_pipeline.query import engine as engines
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.lanes import light_keywords
from finrag_pipeline.query.lanes.entities import Seed
from finrag_pipeline.query.lanes.light_keywords import Keywords
from finrag_pipeline.query.question.options import MODES, Options
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline_tests.query.storage_reports import QUESTION, RISKS, add_week

QUESTIONS = (QUESTION, RISKS, "星河新材料向谁供应正极材料？", "关税风险有多大？", "？？？")


class Held(threading.local):
    """Connections that a thread holds."""

    count = 0


class SlowEmbedder:
    """The offline embedder, to be asked only by who holds no connection."""

    def __init__(self, free: Callable[[], None]) -> None:
        self._embedder = OfflineEmbedder()
        self._free = free

    @property
    def space(self) -> VectorSpace:
        self._free()
        return self._embedder.space

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self._free()
        return self._embedder.embed_passages(texts)

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        self._free()
        return self._embedder.embed_questions(texts)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The models asked, each refusing whose thread holds a connection of the reader."""
    held, found = Held(), list[str]()
    reading = Reader.reading

    @contextmanager
    def counted(self: Reader, *given: Any, **named: Any) -> Generator[Any]:
        assert held.count == 0, "two connections for one thread"
        with reading(self, *given, **named) as connection:
            held.count += 1
            try:
                yield connection
            finally:
                held.count -= 1

    def free(model: str) -> None:
        assert held.count == 0, f"{model} asked while a connection is out"
        found.append(model)

    def keywords(question: str, seeds: Sequence[Seed]) -> Keywords:
        free("chat")
        return light_keywords.offline_keywords(question, seeds)

    embedder = SlowEmbedder(lambda: free("embedder"))
    monkeypatch.setattr(Reader, "reading", counted)
    monkeypatch.setattr(asking, "load_embedder", lambda _: embedder)
    monkeypatch.setattr(engines, "offline_keywords", keywords)
    return found


@pytest.mark.parametrize("as_of", [None, date(2026, 3, 7)])
def test_no_model_is_asked_while_a_connection_is_out(
    database: Database, reader: Reader, settings: Settings, asked: list[str], as_of: date | None
) -> None:
    add_week(database)
    engine = QueryEngine(reader, settings)
    for question in QUESTIONS:
        found = [engine.search(question, Options(as_of=as_of))]
        found += [
            engine.search(question, Options(lane=lane, as_of=as_of))
            for lane in ("keyword", "vector", "graph", "community")
        ]
        # a lane that is refused would say so here
        assert not [each for one in found for each in one.degraded if "Assertion" in each["reason"]]
        for mode in MODES:
            answer = engine.ask(question, Options(mode=mode, as_of=as_of))
            assert not [each for each in answer.degraded if "Assertion" in each["reason"]]
    assert set(asked) == {"embedder", "chat"}
