"""Questions on companies that documents only mention, and open ones, through the real engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline_tests.query.conftest import AddDocument


@pytest.fixture
def knowing(reader: Reader, settings: Settings, tmp_path: Path) -> QueryEngine:
    """An engine whose registry knows a company that no document is about."""
    path = tmp_path / "registry.csv"
    path.write_text(
        "code,full_names,short_names\n600887.SH,内蒙古伊利实业集团股份有限公司,伊利股份\n",
        encoding="utf-8",
    )
    return QueryEngine(reader, settings.model_copy(update={"registry": path}))


def test_others_do_not_answer_for_a_company_that_is_only_mentioned(
    knowing: QueryEngine, engine: QueryEngine, add: AddDocument
) -> None:
    add("d1", ["公司目前有连云港、建德两个现代化的生产基地。", "公司客户覆盖伊利、光明等乳企。"])
    question = "伊利股份目前有哪两个生产基地？"
    refused = knowing.ask(question)
    assert refused.status == "insufficient_evidence"
    assert "没有关于伊利股份的资料" in refused.answer
    # without a registry nobody knows that it is a company
    assert "没有关于伊利股份的资料" not in engine.ask(question).answer


def test_what_names_it_answers(knowing: QueryEngine, add: AddDocument) -> None:
    add("d1", ["公司目前有连云港、建德两个生产基地。", "伊利在呼和浩特新建了两个生产基地。"])
    answer = knowing.ask("伊利股份在哪里新建生产基地？")
    assert [each.quote for each in answer.evidence] == ["伊利在呼和浩特新建了两个生产基地。"]


def test_what_another_firm_does_answers_nothing_on_one_that_no_registry_has(
    engine: QueryEngine, add: AddDocument
) -> None:
    add("d1", ["公司低温奶业务份额下滑，主要因渠道调整。"])
    add("d2", ["低温奶市场由蒙牛与其他乳企主导。"], company=None, code=None, title="乳业报告")
    refused = engine.ask("蒙牛的低温奶业务份额为什么下滑？")
    assert refused.status == "insufficient_evidence", refused.answer
    add("d3", ["蒙牛低温奶业务份额下滑，主要由于促销减少。"], company=None, code=None)
    assert "促销减少" in engine.ask("蒙牛的低温奶业务份额为什么下滑？").answer


def test_who_asks_openly_reads_on(engine: QueryEngine, add: AddDocument) -> None:
    add(
        "d1",
        [
            "公司正式推出“九七”全新品牌。品牌以隔膜材料为核心，面向储能客户提供全套方案。",
            "公司股东大会审议通过了全部议案。",
        ],
    )
    answer = engine.ask("星河新材的“九七”品牌是干嘛的")
    assert "面向储能客户提供全套方案" in answer.answer.splitlines()[0]
    # who asks for one figure is told that
    add("d2", ["公司2025年隔膜产能为12亿平方米。产线位于常州和成都两地。"])
    told = engine.ask("星河新材2025年隔膜产能是多少？").answer
    assert "12亿平方米" in told and "常州" not in told
