"""Quotes that leave open which of their figures is meant: the surest one is the value."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.answers.closest.drafts import (
    hardly_quotes,
    only_quotes,
    with_value,
)
from finrag_pipeline.query.answers.closest.judge import Judge
from finrag_pipeline.query.answers.passages import Passages
from finrag_pipeline.query.answers.passages.figure_asked import asks_one
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.signals import asks_figure
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.conftest import AddDocument, told_number

LINES = (
    "口碑好的高端种植体提供15年以上质保，而中端种植体多以5-10年质保为主。",
    "截至目前，公司共获4个经典名方《药品注册证书》，5个经典名方处于注册申报阶段，申报数量行业领先。",
    "《骨质疏松症患者的肌肉力量》等14篇文献被SCI数据库收录。",
)


@pytest.fixture
def note(add: AddDocument) -> None:
    add(
        "note",
        [*LINES],
        published_on=date(2025, 8, 27),
        title="星河新材2025年中报点评",
        company="星河新材",
        code="300999.SZ",
    )


@pytest.mark.usefixtures("note")
@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("星河新材被SCI数据库收录的文献共有几篇", 14),
        ("星河新材有几个经典名方还在注册申报阶段", 5),
        ("星河新材共获经典名方药品注册证书几个", 4),
    ],
)
def test_a_quote_has_the_value_that_is_asked_for(
    engine: QueryEngine, question: str, number: float
) -> None:
    assert told_number(engine, question) == pytest.approx(number)


@pytest.mark.usefixtures("note")
def test_only_what_is_quoted_gives_a_quote_its_value(engine: QueryEngine) -> None:
    question = "星河新材被SCI数据库收录的文献共有几篇"
    asked, found = engine.passages(question)
    judged = Judge(engine.tools)(asked, any_name=True)
    draft = Passages(engine.tools)(asked, found)
    assert draft.citations
    bare = type(draft)(draft.text, draft.citations, draft.sources)
    assert only_quotes(bare, question) and not only_quotes(bare, "星河新材谈了哪些风险")
    told = with_value(bare, judged)
    assert told.value is not None and told.value["number"] == 14
    # what is cited says it, and what is told does not
    silent = type(draft)("《肌肉力量》等多篇文献被收录。[1]", draft.citations, draft.sources)
    assert with_value(silent, judged).value is None
    elsewhere = [(sure, each) for sure, each in judged if each.value["number"] != 14]
    assert with_value(bare, elsewhere).value is None
    assert with_value(bare, [(0.1, each) for _, each in judged]).value is None
    # what says no figure that is at all likely is no answer
    assert not hardly_quotes(bare, judged) and hardly_quotes(silent, judged)
    assert hardly_quotes(bare, [(0.05, each) for _, each in judged])
    assert not hardly_quotes(silent, [])


def test_figures_are_asked_for_by_what_is_counted() -> None:
    asked = ("SCI收录文献几篇", "中端品牌质保上限几年", "营收环比增速提高几pct", "打几分")
    asked += (
        "这是该产品的第几个适应症？",
        "超额收益排第几，指增汇总",
        "联系地址几楼",
        "年均净利几百亿",
    )
    asked += (
        "What was the value, in millions, of the transaction listed in the update?",
        "What did Galaxy end up paying for Lumen, the studio it bought in 2015?",
        "what does the pricier tier of the club's membership cost a year?",
        "What portion of overseas sales went through the agency?",
    )
    for each in asked:
        assert asks_figure(each), each
    others = ("近几年怎么样", "过去几年的变化", "几年来的变化", "哪几篇看好", "由几部分组成")
    others += (
        "第几季度业绩回升",
        "What is the value proposition of the platform?",
        "What does the company do to cut costs?",
        "What does the cost-cutting target mean?",
        "What did Galaxy pay attention to?",
    )
    for each in others:
        assert not asks_figure(each), each


def test_a_name_that_nothing_has_as_a_whole_may_be_said_in_parts(
    add: AddDocument, engine: QueryEngine
) -> None:
    add(
        "year",
        ["市场调研显示，有机纯奶市场零售额较上年增长13.5%，高于行业平均水平。"],
        published_on=date(2025, 3, 27),
        title="星河新材2024年年度报告",
        kind="filing",
        company="星河新材",
        code="300999.SZ",
        period=(date(2024, 1, 1), date(2024, 12, 31), 2024),
    )
    answer = engine.ask("星河新材2024年有机纯奶零售额涨了几个点")
    assert (answer.status, (answer.value or {}).get("number")) == ("answered", 13.5)
    other = engine.ask("星河新材2024年有机酸奶零售额涨了几个点")
    assert other.status == "insufficient_evidence"


def test_what_a_clause_names_and_the_next_asks_for_is_one_figure(
    add: AddDocument, engine: QueryEngine
) -> None:
    add(
        "year",
        [
            "公司拟每10股派送现金13.20元（含税），年度派发现金红利总额合计为1,695,274,264.20元（含税）。"
        ],
        published_on=date(2025, 3, 27),
        title="星河新材2024年年度报告",
        kind="filing",
        company="星河新材",
        code="300999.SZ",
        period=(date(2024, 1, 1), date(2024, 12, 31), 2024),
    )
    question = "星河新材准备为2024年度向股东派发的现金红利，含税总额一共是多少元？"
    assert asks_one(Wanted(engine.passages(question)[0]))
    both = "星河新材2024年的营业收入，净利润是多少"
    assert not asks_one(Wanted(engine.passages(both)[0]))


def test_the_words_of_a_row_tell_none_of_its_columns(add: AddDocument, engine: QueryEngine) -> None:
    add(
        "paper",
        ["“草木皆兵”因子由波动与注意力合成。"],
        tables=[
            simple_table(
                "图表10：“草木皆兵”因子测试",
                [
                    ["因子名称", "“草木皆兵”因子测试 Rank IC", "年化收益率", "最大回撤"],
                    ["草木皆兵-波动因子", "-7.88%", "24.26%", "10.09%"],
                ],
            )
        ],
        published_on=date(2022, 12, 13),
        title="显著效应与草木皆兵因子",
        kind="report",
    )
    assert told_number(engine, "“草木皆兵”因子月频多空的最大回撤") == pytest.approx(10.09)


OUTLOOK = (
    "The world market for liquid cooling will reach $6.9 billion in 2025 and "
    "$22.5 billion in 2030, a compound growth rate of 26.7% a year."
)


def test_a_figure_is_of_the_year_that_follows_it(add: AddDocument, engine: QueryEngine) -> None:
    add("outlook", [OUTLOOK], title="Outlook for liquid cooling", kind="industry")
    question = "How large will the world market for liquid cooling be in 2030?"
    assert told_number(engine, question) == pytest.approx(22_500_000_000)


def test_points_that_something_moved_by_are_no_share(add: AddDocument, engine: QueryEngine) -> None:
    told = "屈光手术价格战使星河新材三季度毛利率下滑 5.1 个百分点，加之大股东减持。"
    add("cut", [told], title="星河新材点评", company="星河新材", code="300999.SZ")
    answer = engine.ask("星河新材三季度控股股东的股份质押率是多少")
    assert abs((answer.value or {}).get("number", 0)) != 5.1, answer.answer
