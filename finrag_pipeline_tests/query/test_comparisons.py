"""Comparisons: what is held against what, each side by its own evidence, what is missing named."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from finrag_pipeline.models.embedding import Embedder
from finrag_pipeline.models.offline import OfflineEmbedder
from finrag_pipeline.query.answers.comparisons.sides import Comparison, read_comparison
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.catalogue import Catalogue
from finrag_pipeline.query.question.catalogues import facts_of
from finrag_pipeline.query.question.reading import read_question
from finrag_pipeline.query.question.scope import Scope
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents.catalogue import Catalogued
from finrag_pipeline.store.search.filters import Filter
from finrag_pipeline_tests.query.conftest import AddDocument
from finrag_pipeline_tests.query.test_number_answers import said
from finrag_pipeline_tests.store.facts.rows import add_facts

OTHER: dict[str, Any] = {"company": "澄光储能", "code": "300998.SZ"}
DAY = date(2026, 3, 1)
CATALOGUE = Catalogue(
    facts_of(
        [
            Catalogued(
                "d1", "星河新材", "300999.SZ", ["300999.SZ"], "云麓证券", "company", DAY, True
            ),
            Catalogued(
                "d2", "澄光储能", "300998.SZ", ["300998.SZ"], "沧澜证券", "company", DAY, True
            ),
        ]
    )
)


def _embedder() -> Embedder:
    return OfflineEmbedder()


def _read(question: str) -> Comparison | None:
    scope = Scope(read_question(question, CATALOGUE), CATALOGUE)
    return read_comparison(Asked(question, Filter("default"), _embedder, scope=scope))


@pytest.mark.parametrize(
    ("question", "kind", "names", "topic"),
    [
        (
            "星河新材和澄光储能的海外布局有什么不同？",
            "company",
            ["星河新材", "澄光储能"],
            "海外布局",
        ),
        ("云麓证券和沧澜证券对星河新材的看法有何不同？", "house", ["云麓证券", "沧澜证券"], ""),
        ("云麓与沧澜怎么看星河新材的产能", "house", ["云麓证券", "沧澜证券"], "产能"),
        ("星河新材2024年和2025年的产能规划对比", "period", ["2024年", "2025年"], "产能规划"),
        ("星河新材24年中期和25年中期分红有啥区别", "period", ["24年中期", "25年中期"], "分红"),
        ("星河新材储能设备和动力设备两块毛利率哪个高", "part", ["储能设备", "动力设备"], "毛利率"),
        ("星河新材湿法隔膜和干法隔膜的毛利率对比", "part", ["湿法隔膜", "干法隔膜"], "毛利率"),
        ("星河新材2025年国内外收入比较一下", "part", ["国内", "国外"], "收入"),
        ("星河新材的储能业务与动力业务谁增长更快", "part", ["储能业务", "动力业务"], "增长"),
        (
            "星河新材25H1的DEL和FBDD/SBDD两块收入各多少，哪块增得快",
            "part",
            ["DEL", "FBDD/SBDD"],
            "收入 增得",
        ),
        ("How do wet and dry separators differ?", "part", ["wet", "dry"], "separators"),
        (
            "Compare wet coating with dry coating on cost",
            "part",
            ["wet coating", "dry coating"],
            "cost",
        ),
    ],
)
def test_sides_are_of_one_kind(question: str, kind: str, names: list[str], topic: str) -> None:
    read = _read(question)
    assert read is not None
    assert [each.name for each in read.sides] == names
    assert {each.kind for each in read.sides} == {kind}
    assert read.topic == topic


def test_a_company_that_nobody_knows_is_a_side_all_the_same() -> None:
    read = _read("星河新材和远岫能源的研发模式有什么区别？")
    assert read is not None
    assert [(each.name, each.known) for each in read.sides] == [
        ("星河新材", True),
        ("远岫能源", False),
    ]


def test_nothing_is_held_against_itself() -> None:
    assert _read("星河新材的产能规划如何？") is None


def test_each_company_is_told_by_its_own_documents(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", ["公司海外布局以匈牙利基地为主，服务欧洲客户。"], source="a.pdf", broker="云麓证券")
    add("d2", ["公司海外布局集中在东南亚，泰国工厂已投产。"], source="b.pdf", **OTHER)
    answer = engine.ask("星河新材和澄光储能的海外布局对比")
    assert answer.status == "answered"
    head, rule, one, other = answer.answer.splitlines()
    assert (head, rule) == ("| 公司 | 海外布局 | 来源 |", "| --- | --- | --- |")
    assert one.startswith("| 星河新材 |") and "匈牙利" in one and "云麓证券 2026-03-01" in one
    assert other.startswith("| 澄光储能 |") and "泰国" in other
    assert [each.source for each in answer.evidence] == ["a.pdf", "b.pdf"]


def test_a_side_without_evidence_is_named(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", ["公司海外布局以匈牙利基地为主，服务欧洲客户。"])
    add("d2", ["公司毛利率下降，主要因原材料涨价。"], **OTHER)
    answer = engine.ask("星河新材和澄光储能的海外布局对比")
    assert answer.status == "insufficient_evidence"
    assert "匈牙利" in answer.answer and "没有找到澄光储能的“海外布局”内容" in answer.answer


def test_growths_of_one_time_are_held_against_each_other(
    engine: QueryEngine, add: AddDocument
) -> None:
    add("d1", ["2025年公司隔膜出货量同比增长35%。"])
    add("d2", ["2025年公司隔膜出货量同比增长12%。"], **OTHER)
    answer = engine.ask("星河新材和澄光储能2025年谁的隔膜出货量增长更快？")
    assert answer.answer.startswith("星河新材更快：星河新材 35%，澄光储能 12%[1][2]")
    assert answer.value == {"name": "星河新材"}


def test_houses_are_told_by_what_they_said_last(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", ["出货放量，公司业绩有望迎来拐点，我们看好后续弹性。"], broker="云麓证券")
    add("d2", ["加工费仍在下行，我们认为公司盈利压力尚未见底。"], broker="沧澜证券")
    answer = engine.ask("云麓和沧澜对星河新材的看法有何不同？")
    assert "| 云麓证券 |" in answer.answer and "| 沧澜证券 |" in answer.answer


def test_parts_are_held_against_each_other_by_the_figures_beside_their_names(
    engine: QueryEngine, add: AddDocument
) -> None:
    add("d1", ["2025年湿法隔膜销售收入同比增长19.2%，较干法隔膜同比增长43.9%仍有差距。"])
    answer = engine.ask("星河新材2025年湿法隔膜和干法隔膜的销售收入增速谁更高？").answer
    assert answer.startswith("干法隔膜更高：干法隔膜 43.9%，湿法隔膜 19.2%[1]")
    assert "43.9% − 19.2% = 24.7个百分点" in answer


def test_what_fell_more_is_told_by_how_far_it_fell(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", ["公司湿法隔膜实现销售收入8.1亿元，同比减少1.8%。"])
    add("d2", ["公司干法隔膜实现销售收入0.3亿元，同比减少33.1%。"])
    answer = engine.ask("星河新材湿法隔膜和干法隔膜的销售收入谁降幅更大？").answer
    assert answer.startswith("干法隔膜降幅更大：干法隔膜 -33.1%，湿法隔膜 -1.8%")


def test_a_sentence_without_a_time_is_of_the_time_of_its_document(
    engine: QueryEngine, add: AddDocument
) -> None:
    period = (date(2025, 1, 1), date(2025, 6, 30), 2025)
    add("d1", ["境内市场销售收入5.2亿元。境外市场销售收入1.4亿元。"], period=period)
    answer = engine.ask("星河新材2025年上半年境内和境外市场销售收入对比").answer
    assert "5.2亿元" in answer and "1.4亿元" in answer


def test_parts_are_of_the_period_asked_for_and_growth_is_told_by_growth(
    engine: QueryEngine, add: AddDocument
) -> None:
    year = (date(2024, 1, 1), date(2024, 12, 31), 2024)
    half = (date(2025, 1, 1), date(2025, 6, 30), 2025)
    add(
        "old",
        ["湿法隔膜业务收入1.99亿元，干法隔膜业务收入1.20亿元。"],
        period=year,
        published_on=date(2025, 5, 6),
    )
    add(
        "new",
        ["湿法隔膜业务收入1.02亿元，同比增长40.45%。", "干法隔膜业务收入0.65亿元，同比增长4.15%。"],
        period=half,
        published_on=date(2025, 8, 26),
    )
    told = engine.ask("星河新材2025年上半年湿法隔膜业务和干法隔膜业务收入各多少，哪块增得快").answer
    assert "1.02亿元" in told and "0.65亿元" in told
    assert "1.99" not in told and "1.20" not in told
    assert "更快：湿法隔膜业务 1.02" not in told  # amounts say nothing of speed
    assert "增得" not in told  # no piece of the question heads the table


def test_two_times_are_told_by_which_way_it_went(database: Database, engine: QueryEngine) -> None:
    facts = [
        said("total_assets", year, value, instant=True, label="总资产")
        for year, value in ((2023, "2100000000"), (2024, "1900000000"))
    ]
    with database.transaction() as connection:
        add_facts(connection, "year", facts, kind="filing", title="2024年年度报告")
    told = engine.ask("星河新材24年末总资产比23年末是增是减，分别多少").answer
    assert told.startswith("24年较23年减少：23年 21.00亿元，24年 19.00亿元"), told


def test_a_ratio_of_two_times_is_worked_out_in_the_open(
    database: Database, engine: QueryEngine
) -> None:
    amounts = {
        2023: {"revenue": "1000", "research_expenses": "110"},
        2024: {"revenue": "1250", "research_expenses": "175"},
    }
    facts = [
        said(name, year, value) for year, row in amounts.items() for name, value in row.items()
    ]
    with database.transaction() as connection:
        add_facts(connection, "year", facts, kind="filing", title="2024年年度报告")
    answer = engine.ask("星河新材2024年研发费用率比2023年高还是低")
    told = answer.answer
    assert told.startswith("2024年较2023年增加：2024年 14.00%，2023年 11.00%"), told
    assert "14.00% − 11.00% = 3.00个百分点" in told
    assert "研发费用率 = 研发费用 / 营业收入 = (175" in told and "× 100 = 14.00%" in told
    assert all(answer.checks.values())
