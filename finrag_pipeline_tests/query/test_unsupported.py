"""What no library of documents holds is said to be so; what houses printed of it is not."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from pytest_httpserver import HTTPServer

from finrag_pipeline.models.chat import Budget, open_chat_session
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.intents import read_intent
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline_tests.models.servers import ModelHost, refusal, said
from finrag_pipeline_tests.models.sessions import Kept
from finrag_pipeline_tests.query.conftest import AddDocument

PLEDGED = "控股股东质押了三成股份，质押期限两年。"
UNCLEAR = "星河新材控股股东质押"


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("星河新材现在股价多少？", "没有实时行情（“现在股价”）"),
        ("星河新材明天会涨吗？", "星河新材的最新目标价和盈利预测"),
        ("星河新材该不该买？", "不给买卖建议"),
        ("帮我下单买入星河新材", "资料不足"),
        ("今天天气怎么样？", "某家公司"),
        ("What is the stock price of 星河新材 right now?", "no live quotes"),
        ("Should I sell my shares?", "no advice on trades"),
        ("Will the stock go up next week?", "not predicted here"),
    ],
)
def test_what_no_document_holds_is_unsupported_and_says_what_to_ask(
    engine: QueryEngine, add: AddDocument, question: str, says: str
) -> None:
    add("d1", [PLEDGED])
    answer = engine.ask(question).to_dict()
    if says == "资料不足":  # a company is named: what is known of it may answer
        assert answer["status"] == "insufficient_evidence"
        return
    assert (answer["status"], answer["evidence"]) == ("unsupported", [])
    assert says in answer["answer"] and answer["route"]["kind"] == "unsupported"
    assert ("可以改问" in answer["answer"]) or ("Ask instead" in answer["answer"])
    assert all(answer["checks"].values()) and answer["value"] is None


@pytest.mark.parametrize(
    "question",
    [
        "各家券商给星河新材的目标价是多少？",
        "分析师预计股价会涨到多少？",
        "研报里印的收盘价是多少？",
        "当前股价对应2025年市盈率多少倍（研报）？",
        "机构预测的2026年净利润是多少？",
        "碳酸锂会涨价吗？",
        "星河新材23年底归母净资产涨了几个点",
        "星河新材的产品明年会不会提价？",
        "为什么股价昨天下跌？",
        "评级是买入还是增持？",
        "气温升高对空调销量有什么影响？",
        "如果丝杠价格比预测再跌一成，项目的回报会怎样",
        "2024年末的收盘价是多少？",
        "星河新材的股票之中，尚处于锁定期不能卖出的有多少股？",
        "组合配置的报告中，那一期分给债券基金的仓位比例是多少？",
        "What price did the house expect for the shares?",
        "What is the consensus price target now?",
        "Will gross margin rise next year?",
        "What was the closing price on the day of the report?",
        "Does the company write code for its customers?",
    ],
)
def test_what_documents_may_hold_is_not(question: str) -> None:
    assert read_intent(question).name != "unsupported"


@pytest.fixture
def host() -> Iterator[ModelHost]:
    with HTTPServer(threaded=True) as server:
        yield ModelHost(server, "/chat/completions", lambda _: said('{"intent": "whole"}'))


def chatting(reader: Reader, settings: Settings, url: str) -> QueryEngine:
    of_chat = settings.model_copy(update={"chat_base_url": url, "chat_model": "model"})
    session = open_chat_session(of_chat, Kept(), Budget(), patient=False)
    return QueryEngine(reader, of_chat, session)


def routings(host: ModelHost) -> list[str]:
    told = [body["messages"][0]["content"] for body in host.asked]
    return [each for each in told if '{"intent"' in each]


def test_a_chat_model_routes_what_no_word_decides(
    reader: Reader, settings: Settings, host: ModelHost, add: AddDocument
) -> None:
    add("d1", [PLEDGED])
    engine = chatting(reader, settings, host.url)
    answer = engine.ask(UNCLEAR)
    assert answer.route["kind"] == "global" and len(routings(host)) == 1
    # a model may not refuse, and what words decide it is not asked
    assert "unsupported" not in routings(host)[0]
    engine.ask("星河新材控股股东为什么质押股份？")
    engine.ask("今天天气怎么样？")
    assert len(routings(host)) == 1


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (said("no JSON today"), "no JSON object"),
        (said('{"intent": "unsupported"}'), "there is no 'unsupported'"),
        (said(None, refusal="I would rather not"), "declines"),
        (refusal(503, "overloaded"), "overloaded"),
    ],
)
def test_a_model_that_does_not_say_leaves_it_to_the_words(
    reader: Reader,
    settings: Settings,
    host: ModelHost,
    add: AddDocument,
    engine: QueryEngine,
    reply: object,
    says: str,
) -> None:
    add("d1", [PLEDGED])
    host.answer = lambda _: reply  # pyright: ignore
    answer = chatting(reader, settings, host.url).ask(UNCLEAR)
    offline = engine.ask(UNCLEAR)
    assert (answer.answer, answer.route["kind"]) == (offline.answer, "text")
    (told,) = [each["reason"] for each in answer.degraded if each["lane"] == "route"]
    assert "routed by its words" in told and says in told
    json.dumps(answer.to_dict())
