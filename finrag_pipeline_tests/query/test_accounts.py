"""The six cases of the specification on the samples: who, history, advice, relations, rival, lanes.

Asked offline of one store that holds the sample records and business documents.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import psycopg
import pytest

from finrag_pipeline.pipelines.enterprise_graph import load_enterprise
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.evidence.results import Answer
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline.store.embedded.server import embedded_server_url
from finrag_pipeline_tests.paths import SAMPLES
from finrag_pipeline_tests.pipelines.stages import DAY, ingest

RECORDS = SAMPLES / "enterprise" / "companies.json"
DOCUMENTS = SAMPLES / "enterprise" / "documents"
pytest.importorskip("docling", reason="the business documents are DOCX and PPTX")
pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module")
def engine(server_home: Path, _template: str) -> Iterator[QueryEngine]:
    """Over the records and documents, read once."""
    admin = embedded_server_url(server_home, "postgres")
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute("create database accounts template finrag_template")
    url = embedded_server_url(server_home, "accounts")
    with psycopg.connect(url) as connection:
        connection.execute("update store_identity set store_id = gen_random_uuid()")
    with tempfile.TemporaryDirectory() as home:
        settings = Settings(_env_file=None, home=Path(home), database_url=url, embedder="offline")
        with Database.open(settings) as database, Reader.open(settings) as reader:
            load_enterprise(database, settings, DAY, RECORDS)
            ingest(Run(database, settings, Scope(settings.app)), [DOCUMENTS])
            yield QueryEngine(reader, settings)
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute("drop database accounts with (force)")


def holds(answer: Answer, *patterns: str) -> None:
    assert answer.status == "answered", answer.warnings
    assert not answer.warnings
    for pattern in patterns:
        assert re.search(pattern, answer.answer), f"{pattern} in {answer.answer}"


def kinds(answer: Answer) -> set[str]:
    """Which kinds of source are cited."""
    sources = {each.source or "" for each in answer.evidence}
    return {
        source.rpartition("/")[2].split("_")[0] if "#" in source else "doc" for source in sources
    }


@pytest.mark.parametrize(
    "question",
    ["鼎盛科技是做什么的？公司规模多大？", "介绍一下鼎盛科技有限公司", "鼎盛科技这家公司什么背景"],
)
def test_who_a_company_is(engine: QueryEngine, question: str) -> None:
    answer = engine.ask(question)
    holds(answer, "智能制造", "2015", "5000万", "500人", "李明")
    assert kinds(answer) == {"profile"}


@pytest.mark.parametrize(
    "question",
    ["鼎盛科技之前有没有用过我们的产品？效果怎么样？", "鼎盛科技以前合作过吗，做过什么项目"],
)
def test_what_was_done_together(engine: QueryEngine, question: str) -> None:
    answer = engine.ask(question)
    holds(answer, "2023年", "DataStream Lite", "工厂数字化改造", "生产效率提升35%")
    assert kinds(answer) == {"project", "profile", "doc"}


@pytest.mark.parametrize(
    "question",
    [
        "星辰金融集团想做实时风控，应该推荐哪个产品？",
        "星辰金融要解决风控延迟，哪款产品合适？",
    ],
)
def test_what_to_recommend(engine: QueryEngine, question: str) -> None:
    answer = engine.ask(question)
    holds(
        answer,
        "行业：金融科技",
        "推荐产品 DataStream Pro：",
        "实时风控延迟高",
        "适合金融",
        "10毫秒",
        "同行业案例：.*北辰汇通",
    )
    assert {"profile", "needs", "doc", "project"} <= kinds(answer)


def test_others_get_other_products(engine: QueryEngine) -> None:
    holds(engine.ask("海岳零部件想给老旧设备联网，推荐什么产品？"), "推荐产品 EdgeHub：")
    holds(engine.ask("青穗食品适合用什么产品？"), "推荐产品 InsightBoard：")


def test_relations(engine: QueryEngine) -> None:
    answer = engine.ask("鼎盛科技的母公司是谁？投资方有哪些？")
    holds(answer, "鼎盛集团是鼎盛科技有限公司的母公司", "红杉资本", "IDG", "B轮，金额2亿元")
    assert kinds(answer) == {"relations"}
    assert "华为云" not in answer.answer, "nothing else is told"
    holds(engine.ask("谁是海岳零部件的股东"), "海岳控股.*65%")


def test_a_competitors_client_is_told_with_what_sets_us_apart(engine: QueryEngine) -> None:
    answer = engine.ask("星辰金融之前有没有合作过？")
    holds(answer, "^合作历史：星辰金融集团未合作过", "竞品.*云澜数据", "优势.*120毫秒")
    assert "DataStream Lite" not in answer.answer and "35%" not in answer.answer
    assert {"relations", "doc"} <= kinds(answer)


def test_hybrid_search_finds_more_than_either_lane(engine: QueryEngine) -> None:
    """Product document, case of the industry and the client's record among the first eight."""
    wanted = {"datastream_pro.docx", "companies.json#company_003/project_2022_1"}

    def found(**options: Any) -> set[str]:
        results = engine.search("DataStream Pro 适合哪些行业？", Options(k=8, **options)).results
        return {str(each.to_dict()["source"]) for each in results}

    both = found()
    assert wanted <= both
    for lane in ("keyword", "vector"):
        assert len(wanted & found(lane=lane)) <= len(wanted & both)
    assert "datastream_pro.docx" in {
        each.source for each in engine.ask("DataStream Pro 适合哪些行业？").evidence
    }


def test_relations_between_two_companies_are_told_once(engine: QueryEngine) -> None:
    answer = engine.ask("鼎盛科技和海岳零部件是什么关系？")
    holds(answer, "海岳汽车零部件股份有限公司是鼎盛科技有限公司的供应商")
    assert "红杉资本" not in answer.answer and len(answer.evidence) == 1


def test_an_offer_without_a_company(engine: QueryEngine) -> None:
    holds(engine.ask("客户设备老是停机，有什么方案可以推荐"), "^推荐产品 EdgeHub：")


def test_slow_steps_are_told_where_a_limit_is_set(engine: QueryEngine) -> None:
    assert engine.search("鼎盛科技").warnings == ()
    settings = engine._settings.model_copy(update={"slow_ms": 0.001})
    slow = QueryEngine(engine._reader, settings).search("鼎盛科技").warnings
    assert len(slow) == 1 and re.search(r"keyword \d+ ms.*FINRAG_SLOW_MS=0.001", slow[0])


def test_records_are_silent_of_what_they_do_not_hold(engine: QueryEngine) -> None:
    unknown = engine.ask("云雀航空的母公司是谁？")
    assert unknown.status == "insufficient_evidence"
    before = engine.ask("鼎盛科技的母公司是谁？", Options(as_of=date(2024, 1, 1)))
    assert before.status == "insufficient_evidence", "no record was there by that day"


def test_source_types_narrow(engine: QueryEngine) -> None:
    for wanted, marks in (("graph", ("profile", "needs", "project")), ("edge", ("relations",))):
        results = engine.search("鼎盛科技", Options(source_type=wanted)).results
        sources = {str(each.to_dict()["source"]) for each in results}
        assert sources and all(any(mark in source for mark in marks) for source in sources)
    documents = engine.search("鼎盛科技", Options(source_type="doc")).results
    assert documents and not any("#" in str(each.to_dict()["source"]) for each in documents)
