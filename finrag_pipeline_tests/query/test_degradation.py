"""Every subset of broken lanes, with and without a chat model: an answer each time, and a reason.

Lanes are broken for real: others are registered in their place, which raise or hang.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from finrag_pipeline.errors import FinragError, StoreUnavailable
from finrag_pipeline.models.chat import Budget, open_chat_session
from finrag_pipeline.query.answers import writers
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.evidence.results import Answer, SearchResult
from finrag_pipeline.query.lanes import registry
from finrag_pipeline.query.lanes.registry import Found
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline_tests.models.servers import ModelHost, said
from finrag_pipeline_tests.models.sessions import Kept
from finrag_pipeline_tests.query.storage_reports import MARGIN, QUESTION, add_week

LANES = ("keyword", "vector", "table", "fact", "graph", "community")
#: Lanes that look for what a question asks in words.
ASKED = {"keyword", "vector", "table", "graph"}
WORDED = "星河新材的产能利用率是否超过九成？"
SUBSETS = [*chain.from_iterable(combinations(LANES, n) for n in range(len(LANES) + 1))]


class Broken:
    """A lane whose disk is gone."""

    def __init__(self, name: str) -> None:
        self._name = name

    def search(self, asked: Asked, depth: int) -> Found:
        raise OSError(f"the disk of {self._name} is gone")


class Hanging:
    """A lane that waits until it is told to go on."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.asked = 0

    def search(self, asked: Asked, depth: int) -> Found:
        self.asked += 1
        self.go_on.wait(30)
        return Found([])


@pytest.fixture(autouse=True)
def _registries(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is gone after it."""
    for module, name in ((registry, "_lanes"), (writers, "_writers")):
        held: Mapping[str, Any] = getattr(module, name)
        monkeypatch.setattr(module, name, dict(held))


@pytest.fixture
def host() -> Iterator[ModelHost]:
    """A chat model that is of no use."""
    with HTTPServer(threaded=True) as server:
        yield ModelHost(server, "/chat/completions", lambda _: said("no JSON today"))


def put(lanes: Iterable[registry.LaneEntry], lane: registry.Lane | None = None) -> None:
    """Register a lane in the place of others; None: one that breaks."""
    for each in lanes:
        made = lane or Broken(each.label)
        registry.register(
            each.name,
            lambda _, made=made: made,
            label=each.label,
            needs=each.needs,
            joins=each.joins,
            scoped=each.scoped,
        )


def called(labels: Iterable[str]) -> list[registry.LaneEntry]:
    return [each for each in registry.entries().values() if each.label in set(labels)]


def broken(answer: Answer) -> set[str]:
    return {each["lane"] for each in answer.degraded if "is gone" in each["reason"]}


@pytest.mark.parametrize("chatting", [False, True])
def test_no_subset_of_broken_lanes_breaks_an_answer(
    database: Database, reader: Reader, settings: Settings, host: ModelHost, chatting: bool
) -> None:
    add_week(database)
    whole = registry.entries()
    answered: dict[tuple[str, ...], str] = {}
    for subset in SUBSETS:
        for entry in whole.values():
            registry.register(
                entry.name,
                entry.make,
                label=entry.label,
                needs=entry.needs,
                joins=entry.joins,
                scoped=entry.scoped,
            )
        put(called(subset))
        session = None
        if chatting:
            of_chat = settings.model_copy(update={"chat_base_url": host.url, "chat_model": "m"})
            session = open_chat_session(of_chat, Kept(), Budget(), patient=False)
        engine = QueryEngine(reader, settings, session)
        for question in (WORDED, QUESTION):
            answer = engine.ask(question)
            assert answer.status in ("answered", "insufficient_evidence"), (subset, question)
            assert broken(answer) <= set(subset), subset
            assert all(each["reason"] for each in answer.degraded)
            if question == WORDED:
                assert broken(answer) == set(subset) & ASKED, subset
                answered[subset] = answer.status
            elif "community" in subset:
                assert "community" in broken(answer), subset
    # one lane of words is enough, and without any there is no answer
    for subset, status in answered.items():
        left = {"keyword", "vector"} - set(subset)
        assert status == ("answered" if left else status), subset
    assert answered[LANES] == "insufficient_evidence"


def test_an_answer_without_lanes_says_so_and_a_search_is_an_error(
    database: Database, reader: Reader, settings: Settings
) -> None:
    add_week(database)
    put(registry.entries().values())
    engine = QueryEngine(reader, settings)
    answer = engine.ask(WORDED)
    # nothing is called absent where nothing was looked for
    assert answer.status == "insufficient_evidence" and "没有一种检索方式可用" in answer.answer
    with pytest.raises(FinragError, match=r"keyword: OSError.*vector: OSError"):
        engine.search(WORDED)
    gone = settings.model_copy(update={"database_url": "postgresql://nobody@127.0.0.1:1/none"})
    with pytest.raises(StoreUnavailable):
        Reader.open(gone)


def test_a_lane_that_hangs_is_given_up_and_then_left_out(
    database: Database, reader: Reader, settings: Settings
) -> None:
    add_week(database)
    hanging = Hanging()
    put(called(["graph"]), hanging)
    hasty = settings.model_copy(update={"lane_timeout_s": 3.0, "lane_failures": 2})
    engine = QueryEngine(reader, hasty)
    reasons: list[str] = []
    for _ in range(3):
        answer = engine.ask(WORDED)
        assert answer.status == "answered"
        reasons += [each["reason"] for each in answer.degraded if each["lane"] == "graph"]
    assert ["FINRAG_LANE_TIMEOUT_S" in each for each in reasons] == [True, True, True]
    assert "left out" in reasons[2] and "after 2 failures" in reasons[2]
    assert hanging.asked == 2
    hanging.go_on.set()


@pytest.mark.breaks
def test_a_writer_that_breaks_leaves_the_question_to_the_next_way(
    database: Database, reader: Reader, settings: Settings
) -> None:
    add_week(database)

    def breaks(asked: Asked, found: SearchResult) -> Draft:
        raise RuntimeError("no figures today")

    writers.register("numbers", lambda _: breaks)
    engine = QueryEngine(reader, settings)
    answer = engine.ask("星河新材的产能利用率是否超过九成？")
    assert {"lane": "numbers", "reason": "RuntimeError: no figures today"} in answer.degraded
    assert answer.status == "answered" and MARGIN in answer.answer
