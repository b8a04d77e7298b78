"""Search and answers through the real engine: contract, filters, lanes that fail."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from finrag_pipeline.errors import (
    ConfigurationError,
    FinragError,
    InvalidQuestion,
    NotFound,
    VectorSpaceMismatch,
)
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.query.weights import LANE_WEIGHTS, PAGE_SUPPORT, RRF_K, VALUE_FACTORS
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search import embeddings
from finrag_pipeline.store.search.keyword_index import KeywordCopy, KeywordIndex
from finrag_pipeline_tests.documents import BBOX, publish, simple_table
from finrag_pipeline_tests.query.conftest import AddDocument

MARGIN = "薄膜业务毛利率下降至31.5%，主要因原材料涨价。"
OUTPUT = "公司产能利用率保持在90%以上，新产线将于明年投产。"
FORECAST = simple_table(
    "盈利预测", [["指标", "2025A", "2026E"], ["营业收入", "1,234.5", "1,500"]], "百万元"
)


def test_search_has_every_key_of_the_contract(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", [MARGIN, OUTPUT], tables=[FORECAST], source="点评.pdf")
    found = engine.search("薄膜毛利率为什么下降？", Options(k=2)).to_dict()
    json.dumps(found)
    assert list(found) == [
        *("question", "results", "graph_context", "latency_ms", "degraded", "warnings")
    ]
    first = found["results"][0]
    judged = [each.pop("rerank") for each in found["results"]]
    assert judged == sorted(judged, reverse=True)
    alone = VALUE_FACTORS["argument"] * (1 + LANE_WEIGHTS["vector"]) / (RRF_K + 1)
    # the table on its page supports it
    assert alone < first.pop("score") < alone * (1 + PAGE_SUPPORT)
    assert first == {
        "rank": 1,
        "kind": "chunk",
        "document_id": "d1",
        "source": "点评.pdf",
        "page": 1,
        "bbox": list(BBOX),
        "regions": [],
        "text": MARGIN,
        "lanes": {"keyword": 1, "vector": 1},
        "title": "年报点评",
        "company": "星河新材",
        "company_code": "300999.SZ",
        "published_on": "2026-03-01",
        "section": [],
        "meta": "星河新材 2026-03 | 年报点评",
        "context": "本段出自关于星河新材的公司研究《年报点评》（2026-03）开头。",
        "value": "argument",
        "parent_page": 1,
        "copies": [],
        "same_page": [
            {
                "kind": "table",
                "bbox": list(BBOX),
                "text": "盈利预测\n指标 | 2025A | 2026E\n营业收入",
            }
        ],
    }
    assert len(found["results"]) == 2
    lanes = ("keyword", "vector", "table", "fact", "graph")
    assert set(found["latency_ms"]) == {*lanes, "rerank", "evidence", "total"}
    assert all(isinstance(ms, float) and ms >= 0 for ms in found["latency_ms"].values())


def test_results_carry_the_text_of_their_page(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", [MARGIN, OUTPUT])
    (result,) = engine.search("产能利用率", Options(k=1)).results
    assert (result.item.page, result.item.page_text) == (2, OUTPUT)


def test_an_answer_cites_exact_sentences(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", [f"业绩回顾。{MARGIN}", OUTPUT], source="点评.pdf")
    answer = engine.ask("星河新材薄膜业务毛利率为什么下降？").to_dict()
    json.dumps(answer)
    assert list(answer) == [
        *("question", "status", "answer", "kind", "value", "route", "evidence", "graph_context"),
        *("checks", "degraded", "latency_ms", "warnings", "grounding"),
    ]
    assert answer["status"] == "answered"
    assert answer["answer"] == f"{MARGIN}（2026-03-01）[1]"
    assert answer["evidence"] == [
        {
            "n": 1,
            "kind": "chunk",
            "document_id": "d1",
            "source": "点评.pdf",
            "page": 1,
            "bbox": list(BBOX),
            "regions": [],
            "quote": MARGIN,
            "published_on": "2026-03-01",
        }
    ]
    assert all(answer["checks"].values())
    assert (answer["kind"], answer["value"]) == ("text", None)
    assert answer["route"]["lanes"] == ["keyword", "vector"]


def test_a_figure_is_quoted_from_its_row(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", [MARGIN, OUTPUT], tables=[FORECAST])
    answer = engine.ask("星河新材2026年营业收入是多少？")
    assert answer.status == "answered"
    assert answer.answer == "盈利预测：营业收入：2026E 1,500百万元[1]"
    assert answer.evidence[0].quote == "指标 2025A 2026E\n营业收入 1,234.5 1,500"
    assert answer.evidence[0].kind == "table"
    assert all(answer.checks.values())


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("远山格物的毛利率为什么下降？", "资料不足：已入库的资料中没有提到“"),
        ("600111.SH毛利率是多少？", "600111.SH"),
        ("What is the gross margin of Zyntrex?", "no document is about Zyntrex"),
        ("如何做红烧肉？", "资料不足"),
        ("星河新材的员工食堂有哪些菜品？", "资料不足"),
    ],
)
def test_what_the_documents_do_not_say_is_not_answered(
    engine: QueryEngine, add: AddDocument, question: str, says: str
) -> None:
    add("d1", [MARGIN, OUTPUT], tables=[FORECAST])
    answer = engine.ask(question)
    assert (answer.status, answer.evidence) == ("insufficient_evidence", ())
    assert says in answer.answer


def test_an_english_question_on_an_english_document(engine: QueryEngine, add: AddDocument) -> None:
    text = (
        "Zyntrex reported revenues of $1,234.5 million in 2025. "
        "Gross margins fell because input prices rose. Demand is stable."
    )
    add("d1", [text], company="Zyntrex", code=None, title="Annual report")
    answer = engine.ask("Why did the gross margin of Zyntrex fall?")
    assert answer.evidence[0].quote == "Gross margins fell because input prices rose."
    assert answer.answer.startswith("Gross margins fell because input prices rose. (")


def test_filters_hold_in_every_lane(engine: QueryEngine, add: AddDocument) -> None:
    add("old", [MARGIN], published_on=date(2025, 1, 31), code="600111.SH", source="旧.pdf")
    add("new", [MARGIN], published_on=date(2026, 2, 1), source="新.pdf")
    add("theirs", [MARGIN], app_id="other")
    for lane in (None, "keyword", "vector"):

        def ids(lane: str | None = lane, **where: object) -> set[str]:
            found = engine.search("毛利率", Options(lane=lane, **where))  # type: ignore[arg-type]
            return {result.item.document_id for result in found.results}

        assert ids() == {"old", "new"}
        assert ids(app="other") == {"theirs"}
        assert ids(as_of=date(2025, 12, 31)) == {"old"}
        assert ids(as_of=date(2024, 12, 31)) == set()
        assert ids(company="600111") == {"old"}
        assert ids(document="新.pdf") == ids(document="新") == ids(document="new") == {"new"}
    assert (
        engine.ask("毛利率为什么下降？", Options(as_of=date(2024, 1, 1))).status
        == "insufficient_evidence"
    )


def test_an_unknown_or_ambiguous_document_lists_what_there_is(
    engine: QueryEngine, add: AddDocument
) -> None:
    add("a1", [MARGIN], source="点评.pdf")
    add("a2", [MARGIN], source="点评.pdf")
    with pytest.raises(NotFound, match=r"a1.*a2"):
        engine.search("毛利率", Options(document="点评"))
    with pytest.raises(NotFound):
        engine.search("毛利率", Options(document="没有这份"))


def test_a_lane_that_fails_is_reported_and_the_other_answers(
    engine: QueryEngine, add: AddDocument, monkeypatch: pytest.MonkeyPatch
) -> None:
    add("d1", [MARGIN])

    def fail(*_: object) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr(KeywordIndex, "search", fail)
    found = engine.search("毛利率")
    assert [result.lanes for result in found.results] == [{"vector": 1}]
    gone = "OSError: the disk is gone"
    # tables are found in the same copy
    assert found.degraded == tuple({"lane": lane, "reason": gone} for lane in ("keyword", "table"))
    answer = engine.ask("薄膜毛利率为什么下降？")
    assert (answer.status, answer.degraded) == ("answered", found.degraded[:1])
    assert answer.route["lanes"] == ["vector"]
    monkeypatch.setattr(embeddings, "nearest", fail)
    with pytest.raises(FinragError, match=r"keyword: OSError.*vector: OSError"):
        engine.search("毛利率")
    with pytest.raises(FinragError, match="the disk is gone"):
        engine.search("毛利率", Options(lane="keyword"))


def test_another_embedder_is_an_error_with_its_mend(
    engine: QueryEngine, add: AddDocument, database: Database
) -> None:
    add("d1", [MARGIN])
    with database.transaction() as connection:
        connection.execute("alter table embeddings drop constraint embeddings_space_id_fkey")
        connection.execute("update vector_spaces set space_id = 'made-by-another-model'")
    with pytest.raises(VectorSpaceMismatch, match="finrag reembed"):
        engine.search("毛利率")
    assert engine.search("毛利率", Options(lane="keyword")).results


def test_a_model_that_cannot_be_had_is_an_error(
    database: Database, settings: Settings, add: AddDocument, tmp_path: Path, reader: Reader
) -> None:
    add("d1", [MARGIN])
    other = settings.model_copy(update={"embedder": f"sentence-transformers:{tmp_path}/none"})
    with pytest.raises(ConfigurationError, match="FINRAG_EMBEDDER"):
        QueryEngine(reader, other).search("毛利率")


def test_an_empty_store_says_that_nothing_is_indexed(engine: QueryEngine) -> None:
    answer = engine.ask("毛利率是多少？").to_dict()
    assert answer["status"] == "insufficient_evidence"
    assert answer["warnings"] == ["nothing is indexed in app 'default': run `finrag ingest PATH`"]
    assert answer["evidence"] == [] and answer["latency_ms"]["total"] >= 0


@pytest.mark.parametrize("question", ["", "  \n", "\0", "问" * 5000])
def test_a_question_that_asks_nothing_is_refused(engine: QueryEngine, question: str) -> None:
    with pytest.raises(InvalidQuestion):
        engine.ask(question)


def test_impossible_requests_are_refused(engine: QueryEngine) -> None:
    with pytest.raises(InvalidQuestion, match="'tables': use one of keyword, vector, table"):
        engine.search("毛利率", Options(lane="tables"))
    with pytest.raises(InvalidQuestion, match="1 to 200"):
        engine.search("毛利率", Options(k=0))


@pytest.mark.parametrize(
    "question", ["？？？", "是多少", "\ud800", "%(x)s'; --", '"a" AND (', "的"]
)
def test_odd_questions_never_break(engine: QueryEngine, add: AddDocument, question: str) -> None:
    add("d1", [MARGIN])
    assert engine.ask(question).status == "insufficient_evidence"
    engine.search(question)


def test_what_was_withdrawn_is_not_quoted_though_the_copy_still_has_it(
    engine: QueryEngine, add: AddDocument, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    add("d1", [MARGIN])
    add("d2", [OUTPUT])
    assert engine.search("毛利率").results
    monkeypatch.setattr(KeywordCopy, "sync", bool)  # follows no more
    with database.transaction() as connection:
        publish(connection, "d1", None)
    assert "d1" not in {result.item.document_id for result in engine.search("毛利率").results}


def test_simplified_questions_meet_traditional_text(engine: QueryEngine, add: AddDocument) -> None:
    add(
        "hk",
        ["本年度冷鏈運輸收入增加主要由於新增三條幹線，而冷庫倉儲利用率上升至81.7%。"],
        title="栢匯冷鏈物流集團有限公司年度業績公告",
        company="栢匯冷鏈物流集團有限公司",
        code="02991.HK",
        kind="filing",
    )
    answer = engine.ask("柏汇冷链的冷库仓储利用率是多少")
    assert answer.status == "answered" and "81.7%" in answer.answer
