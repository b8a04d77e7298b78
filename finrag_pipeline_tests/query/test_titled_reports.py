"""Figures of the one report that a question names by its title, and of what is only named."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.conftest import AddDocument

HEAD = ["项目", "2024A", "2025E", "2026E", "2027E"]
HALF = simple_table(
    "主要财务指标（百万元）",
    [HEAD, ["无形资产及其他", "430", "413", "396", "379"], ["存货", "210", "224", "251", "263"]],
)
THIRD = simple_table(
    "主要财务指标（百万元）",
    [HEAD, ["无形资产及其他", "430", "420", "409", "401"], ["存货", "210", "231", "260", "288"]],
)


@pytest.fixture(autouse=True)
def reports(add: AddDocument) -> None:
    for key, table, title, month in (
        ("half", HALF, "薄膜业务高速增长，产能爬坡提速", 8),
        ("third", THIRD, "海外订单翻倍，盈利拐点已现", 10),
    ):
        add(
            key,
            ["公司薄膜业务保持增长，我们维持买入评级。"],
            tables=[table],
            published_on=date(2025, month, 28),
            title=title,
            kind="company",
            company="星河新材",
            code="300999.SZ",
            broker="长风证券",
        )


@pytest.mark.parametrize(
    ("question", "number", "document"),
    [
        ("星河新材27E 无形资产及其他，产能爬坡提速那篇", 379e6, "half"),
        ("星河新材27E 无形资产及其他，海外订单翻倍那篇", 401e6, "third"),
        ("看好海外订单翻倍的星河新材点评里，2026年末的存货预计是多少百万元？", 260e6, "third"),
        ("星河新材2026年末存货多少（讲产能爬坡提速的那份研报）", 251e6, "half"),
    ],
)
def test_a_figure_is_of_the_report_that_is_named(
    engine: QueryEngine, question: str, number: float, document: str
) -> None:
    answer = engine.ask(question)
    assert answer.status == "answered", answer.answer
    assert answer.value is not None, answer.answer
    assert answer.value["number"] == pytest.approx(number)
    assert {each.document_id for each in answer.evidence} == {document}


def test_what_another_report_says_is_no_answer(engine: QueryEngine) -> None:
    answer = engine.ask("星河新材2028年末存货多少，产能爬坡提速那篇")
    assert answer.status != "answered", answer.answer


def test_a_document_that_is_chosen_holds_tables_back_too(engine: QueryEngine) -> None:
    for chosen, number in (("half", 379e6), ("third", 401e6)):
        answer = engine.ask("星河新材2027年无形资产及其他是多少", Options(document=chosen))
        assert answer.value is not None, answer.answer
        assert answer.value["number"] == pytest.approx(number)
