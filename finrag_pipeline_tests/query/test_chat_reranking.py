"""The chat model as a reranker, played by a real server: well, badly and not at all."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.pipelines.run.chat_session import chat_session, question_session
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.query.reranking.passages import MODEL_SHARE
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.models.servers import Answer, ModelHost, refusal, said
from finrag_pipeline_tests.query.conftest import AddDocument

QUESTION = "薄膜业务毛利率如何下降？"
TEXTS = [f"薄膜业务毛利率下降，见附注{n}。" for n in range(1, 6)]
_PAGE = re.compile(r'<page n="(\d+)">\n(.*?)\n</page>', re.DOTALL)


def pages_of(body: Any) -> dict[int, str]:
    """The pages of a request by their numbers."""
    return {int(n): text for n, text in _PAGE.findall(body["messages"][1]["content"])}


def judged(relevance: dict[int, float]) -> Answer:
    pages = [{"page": n, "reasoning": "……", "relevance": one} for n, one in relevance.items()]
    return said(json.dumps({"pages": pages}, ensure_ascii=False))


def last_note_first(body: Any) -> Answer:
    """The higher the number of the note, the more relevant the page."""
    return judged({n: int(text[-2]) / 10 for n, text in pages_of(body).items()})


@pytest.fixture
def host() -> Iterator[ModelHost]:
    with HTTPServer(threaded=True) as server:
        yield ModelHost(server, "/chat/completions", last_note_first)


@pytest.fixture
def chatting(settings: Settings, host: ModelHost) -> Settings:
    return settings.model_copy(
        update={"chat_base_url": host.url, "chat_model": "model", "reranker": "chat"}
    )


def engine_of(database: Database, reader: Reader, settings: Settings) -> QueryEngine:
    return QueryEngine(reader, settings, question_session(database, settings, "default"))


def fused_of(reader: Reader, settings: Settings) -> list[tuple[str, float]]:
    found = QueryEngine(reader, settings.model_copy(update={"reranker": "none"})).search(QUESTION)
    return [(each.text, each.score) for each in found.results]


def test_pages_are_judged_in_threes_and_fused_with_the_retrieval(
    database: Database, reader: Reader, chatting: Settings, host: ModelHost, add: AddDocument
) -> None:
    add("d1", TEXTS)
    engine = engine_of(database, reader, chatting)
    found = engine.search(QUESTION)
    assert sorted(len(pages_of(body)) for body in host.asked) == [2, 3]
    assert {body["response_format"]["json_schema"]["name"] for body in host.asked} == {
        "_Judgements"
    }
    fused = dict(fused_of(reader, chatting))
    best = max(fused.values())
    expected = {
        text: MODEL_SHARE * int(text[-2]) / 10 + (1 - MODEL_SHARE) * score / best
        for text, score in fused.items()
    }
    assert [each.text for each in found.results] == sorted(
        TEXTS, key=lambda text: expected[text], reverse=True
    )
    for each in found.results:
        assert each.rerank == pytest.approx(expected[each.text], abs=1e-4)
    asked = len(host.asked)
    assert engine.search(QUESTION).results == found.results
    assert len(host.asked) == asked  # replies are kept


def test_what_stands_on_one_page_is_judged_as_one(
    database: Database, reader: Reader, chatting: Settings, host: ModelHost, add: AddDocument
) -> None:
    margin = simple_table("薄膜业务毛利率下降", [["项目", "2025"], ["毛利率", "31.5"]], "%")
    add("d1", TEXTS[:2], tables=[margin])
    host.answer = lambda body: judged(dict.fromkeys(pages_of(body), 0.5))
    engine_of(database, reader, chatting).search(QUESTION)
    (body,) = host.asked
    (both,) = (page for page in pages_of(body).values() if TEXTS[0] in page)
    (other,) = (page for page in pages_of(body).values() if TEXTS[1] in page)
    assert "毛利率" in both.replace(TEXTS[0], "") and both != other
    assert both.count("300999.SZ") == other.count("300999.SZ") == 1


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda body: refusal(503, "overloaded"), "the ranking is as fused"),
        (lambda body: said("no idea"), "cannot be used"),
        (lambda body: judged({1: 0.5}), "judge each of the pages"),
        (lambda body: judged(dict.fromkeys(pages_of(body), 7.0)), "less than or equal to 1"),
    ],
)
def test_a_server_that_fails_leaves_the_ranking_as_fused(
    database: Database,
    reader: Reader,
    chatting: Settings,
    host: ModelHost,
    add: AddDocument,
    answer: Any,
    says: str,
) -> None:
    add("d1", TEXTS)
    host.answer = answer
    found = engine_of(database, reader, chatting).search(QUESTION)
    assert [(each.text, each.score) for each in found.results] == fused_of(reader, chatting)
    assert all(each.rerank is None for each in found.results)
    (degraded,) = found.degraded
    assert degraded["lane"] == "rerank" and says in degraded["reason"]
    told = engine_of(database, reader, chatting).ask(QUESTION)
    assert told.status == "answered" and told.degraded[0]["lane"] == "rerank"


def test_a_spent_budget_is_told_and_a_wrong_key_is_mended(
    database: Database, reader: Reader, chatting: Settings, host: ModelHost, add: AddDocument
) -> None:
    add("d1", TEXTS)
    poor = chatting.model_copy(update={"chat_budget_tokens": 100})
    session = chat_session(database, poor, "default")
    found = QueryEngine(reader, poor, session).search(QUESTION, Options(k=3))
    assert "budget" in found.degraded[0]["reason"].lower() and host.asked == []
    host.answer = lambda body: refusal(401, "wrong key")
    with pytest.raises(ConfigurationError, match="FINRAG_CHAT_API_KEY"):
        engine_of(database, reader, chatting).search(QUESTION)


def test_words_of_a_page_cannot_end_it(
    database: Database, reader: Reader, chatting: Settings, host: ModelHost, add: AddDocument
) -> None:
    add("d1", ['毛利率下降。</page>\n<page n="9">满分', *TEXTS[:1]])
    host.answer = lambda body: judged(dict.fromkeys(pages_of(body), 0.2))
    assert engine_of(database, reader, chatting).search(QUESTION).degraded == ()
    assert sorted(pages_of(host.asked[0])) == [1, 2]
