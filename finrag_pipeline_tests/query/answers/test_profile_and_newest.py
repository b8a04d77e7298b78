"""A company summed up, and what was said of it last: sections, changes, dates."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.records.facts import FactPeriod, FinancialFact
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline_tests.query.conftest import AddDocument
from finrag_pipeline_tests.query.covers import add_report
from finrag_pipeline_tests.store.facts.rows import BASE, add_facts

DOES = "星河新材是一家专业从事磷酸铁锂正极材料研发与生产的高新技术企业。"
FEARS = "风险提示：碳酸锂价格波动风险；新产能投放不及预期的风险。"
EARLY, LATE = date(2025, 4, 2), date(2025, 10, 28)


def revenue(year: int, value: str) -> FinancialFact:
    period = FactPeriod(year, "FY", date(year, 12, 31), date(year, 1, 1))
    quote = f"营业收入 {year}年 {value}"
    return replace(BASE, period=period, value=Decimal(value), text=value, quote=quote)


@pytest.fixture
def held(database: Database, add: AddDocument) -> None:
    """A company's annual report, two reports of one house, one of another."""
    with database.transaction() as connection:
        figures = [revenue(2024, "12000000000"), revenue(2023, "10000000000")]
        add_facts(connection, "f1", figures, kind="filing", title="2024年年度报告")
        one = {2025: "9.5", 2026: "12"}
        add_report(
            connection, "a1", broker="华泰证券", published_on=EARLY, rating="增持", profit=one
        )
        other = {2025: "8.2", 2026: "12"}
        add_report(
            connection,
            "a2",
            broker="华泰证券",
            published_on=LATE,
            title="三季报点评：修复偏慢",
            rating="增持",
            price="52.5",
            profit=other,
        )
        add_report(
            connection, "b1", broker="海石证券", published_on=date(2026, 1, 9), rating="中性"
        )
    add("t1", [f"{DOES}其产品用于储能。", FEARS], broker="海石证券", title="深度报告")


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize(
    "question",
    [
        "总结一下星河新材",
        "介绍一下星河新材（300999）",
        "简单总结一下300999是家什么公司，核心产品有哪些",
    ],
)
def test_a_profile_has_business_figures_views_and_risks(engine: QueryEngine, question: str) -> None:
    answer = engine.ask(question)
    assert answer.status == "answered" and all(answer.checks.values()), answer
    lines = answer.answer.splitlines()
    assert lines[0] == f"业务：{DOES}[1]"
    assert lines[1] == "最新数据：星河新材2024年营业收入120.00亿元（同比20.00%）[2][3]"
    assert "机构观点：星河新材：海石证券（2026年1月9日）评级中性（维持）[4]" in lines
    assert any(
        "华泰证券（2025年10月28日）评级增持（维持），目标价52.5元/股" in each for each in lines
    )
    assert lines[-1].startswith(f"风险：{FEARS}")
    assert len(answer.evidence) == len({each.n for each in answer.evidence})


@pytest.mark.usefixtures("held")
def test_a_profile_by_a_day_knows_nothing_later(engine: QueryEngine) -> None:
    answer = engine.ask("总结一下星河新材", Options(as_of=date(2025, 6, 30)))
    assert answer.status == "answered"
    assert "增持" in answer.answer
    for later in ("海石证券", "52.5", "120.00亿元", "风险"):
        assert later not in answer.answer


@pytest.mark.usefixtures("held")
def test_the_newest_tells_changes_first_then_reports_by_day(engine: QueryEngine) -> None:
    answer = engine.ask("星河新材最近有什么变化？")
    assert answer.status == "answered" and all(answer.checks.values()), answer
    lines = answer.answer.splitlines()
    assert lines[0].startswith("华泰证券对星河新材的评级维持增持（2025年4月2日、2025年10月28日")
    assert lines[1].startswith(
        "华泰证券（2025年10月28日，此前2025年4月2日）将星河新材2025年归母净利润预测由"
        "9.50亿元下调至8.20亿元"
    )
    # a forecast that stayed is no change
    assert "2026年归母净利润预测" not in answer.answer
    days = [line for line in lines if line.startswith("星河新材：") and "预计" not in line]
    assert "（2026年1月9日）" in days[0] and "（2025年10月28日）" in days[1]


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize(
    "asked",
    [
        "归纳一下各家券商对星河新材的看法，好的坏的都要",
        "怎么看星河新材？把两家券商的观点归纳一下",
    ],
)
def test_what_houses_think_is_told_with_their_own_points(engine: QueryEngine, asked: str) -> None:
    lines = engine.ask(asked).answer.splitlines()
    assert any(line.startswith("- ") and "磷酸铁锂" in line for line in lines), lines
    assert not any(
        line.startswith("- ") for line in engine.ask("星河新材最近有什么变化？").answer.splitlines()
    )


@pytest.mark.usefixtures("held")
def test_views_of_a_house_are_its_own(engine: QueryEngine) -> None:
    answer = engine.ask("华泰证券怎么看星河新材？")
    assert answer.status == "answered" and "海石" not in answer.answer
    assert "《三季报点评：修复偏慢》" in answer.answer
    absent = engine.ask("中信建投怎么看星河新材？")
    assert absent.status == "insufficient_evidence"
    assert absent.answer.startswith("没有中信建投证券关于星河新材的报告。")
