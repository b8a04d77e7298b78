"""One report as a whole: its points and risks, and which report is meant."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline_tests.query.covers import add_report
from finrag_pipeline_tests.store.facts.rows import BASE, add_facts

POINTS = (
    "● 海外订单带动业绩高增。\n公司上半年实现营收12.5亿元，同比增长31%，主要由海外订单带动。\n"
    "● 新产能有序释放。\n二期基地将于年底投产，届时总产能达到八万吨，足以承接在手订单。\n"
    "风险提示：原材料价格波动；新产能投放不及预期。"
)


@pytest.fixture
def reports(database: Database) -> None:
    """Two houses' reports on one company, and a white paper on none."""
    other: dict[str, Any] = {"broker": "海石证券", "contents": ["公司一季度需求平稳。"]}
    industry: dict[str, Any] = {"company": None, "code": None, "kind": "industry", "rating": None}
    text = "摘要\n智慧物流正由单点自动化走向全链路协同，仓配一体成为主流形态。"
    with database.transaction() as connection:
        add_report(connection, "a1", title="量价齐升", contents=[POINTS])
        add_report(connection, "a2", published_on=date(2026, 5, 6), title="需求平稳", **other)
        add_report(connection, "w1", title="智慧物流行业白皮书", contents=[text], **industry)


@pytest.mark.usefixtures("reports")
@pytest.mark.parametrize(
    "question", ["长风证券那篇星河新材报告主要讲了什么？", "星河新材3月份那份报告的核心观点是什么"]
)
def test_points_are_told_with_what_follows_them(engine: QueryEngine, question: str) -> None:
    answer = engine.ask(question)
    lines = answer.answer.splitlines()
    assert answer.status == "answered" and all(answer.checks.values())
    assert "长风证券（2026年3月1日）" in lines[0]
    assert lines[1].startswith("海外订单带动业绩高增。") and "12.5亿元" in lines[2]
    assert {each.source for each in answer.evidence} == {"a1.pdf"}


@pytest.mark.usefixtures("reports")
def test_risks_of_one_report_are_its_own_list(engine: QueryEngine) -> None:
    answer = engine.ask("长风证券星河新材报告的风险提示有哪些？")
    assert "风险提示：原材料价格波动；新产能投放不及预期。" in answer.answer


@pytest.mark.usefixtures("reports")
def test_a_white_paper_is_meant_by_its_title(engine: QueryEngine) -> None:
    answer = engine.ask("智慧物流白皮书讲了什么？")
    assert "《智慧物流行业白皮书》" in answer.answer and "仓配一体" in answer.answer


@pytest.mark.usefixtures("reports")
def test_a_house_without_such_a_report_is_said_to_have_none(engine: QueryEngine) -> None:
    answer = engine.ask("中金那篇星河新材报告主要讲了什么？")
    assert answer.status == "insufficient_evidence"


@pytest.mark.usefixtures("reports")
@pytest.mark.parametrize(
    "question",
    [
        "把长风对星河新材的点评提炼几条要点",
        "归纳一下长风证券星河新材那篇报告的主要观点",
        "长风那篇星河新材的点评，列出核心结论",
    ],
)
def test_points_are_asked_for_in_many_words(engine: QueryEngine, question: str) -> None:
    answer = engine.ask(question)
    assert "海外订单带动业绩高增。" in answer.answer
    assert {each.source for each in answer.evidence} == {"a1.pdf"}


def test_the_only_study_of_a_house_is_meant_and_told_part_by_part(
    engine: QueryEngine, database: Database
) -> None:
    parts = [
        f"第{n}部分讨论市场。该市场在第{n}年达到{n}00亿元，机构持续增加，需求稳步释放。"
        for n in range(1, 25)
    ]
    with database.transaction() as connection:
        add_report(
            connection,
            "s1",
            title="Dental care outlook",
            contents=parts,
            sections=[(f"{n} 市场",) for n in range(1, 25)],
            company=None,
            code=None,
            kind="industry",
            rating=None,
            broker="青衡咨询",
        )
    answer = engine.ask("青衡那份口腔行业报告大概讲了哪些内容")
    told = [line for line in answer.answer.splitlines() if "亿元" in line]
    assert answer.status == "answered" and len(told) > 5
    # from the first parts to the last ones
    assert "100亿元" in told[0] and any(f"{n}00亿元" in told[-1] for n in range(20, 25))


@pytest.fixture
def filed(database: Database) -> None:
    """An annual report, its half of the year before, and a house's comment on it."""
    span = (date(2024, 1, 1), date(2024, 12, 31), 2024)
    half = (date(2023, 1, 1), date(2023, 6, 30), 2023)
    figures = [
        replace(
            BASE,
            metric=metric,
            value=Decimal(text.replace(",", "")),
            text=text,
            label=label,
            quote=f"{label} | {text}",
        )
        for metric, label, text in (
            ("revenue", "营业收入", "1,250,000,000"),
            ("net_profit_attributable", "归属于上市公司股东的净利润", "210,000,000"),
        )
    ]
    told: dict[str, Any] = {"kind": "filing", "title": "年度报告", "company": "星河新材"}
    with database.transaction() as connection:
        text = ["公司主营锂电池隔膜。"]
        add_facts(connection, "y1", figures, contents=text, period=span, code="300999.SZ", **told)
        add_facts(connection, "h1", [], period=half, code="300999.SZ", **told)
        add_report(connection, "a1", title="量价齐升", contents=[POINTS])


@pytest.mark.usefixtures("filed")
@pytest.mark.parametrize(
    "question",
    [
        "星河新材2024年年报讲了什么",
        "总结一下星河新材2024年年度报告",
        "星河新材2024年年报帮忙提炼一下",
    ],
)
def test_a_filing_is_told_by_the_figures_of_its_period(engine: QueryEngine, question: str) -> None:
    answer = engine.ask(question)
    assert answer.status == "answered" and all(answer.checks.values())
    assert "12.50亿元" in answer.answer and "2.10亿元" in answer.answer
    assert "海外订单" not in answer.answer


@pytest.mark.usefixtures("filed")
def test_a_comment_on_a_filing_is_a_report(engine: QueryEngine) -> None:
    assert "海外订单" in engine.ask("长风证券那篇星河新材年报点评讲了什么").answer


@pytest.mark.usefixtures("filed")
def test_a_filing_of_another_year_is_not_told_for_it(engine: QueryEngine) -> None:
    assert "12.50亿元" not in engine.ask("总结一下星河新材2022年年报").answer
