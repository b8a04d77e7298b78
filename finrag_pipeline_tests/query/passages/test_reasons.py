"""Reasons through the real engine: the cause of what is asked about, and of nothing else."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.conftest import AddDocument

QUARTER = (date(2025, 1, 1), date(2025, 3, 31), 2025)
CHANGES = simple_table(
    "主要会计数据变动情况",
    [
        ["项目名称", "变动比例（%）", "主要原因"],
        ["营业收入", "-12.60", "主要系海外子公司里程碑收入减少。"],
        ["财务费用", "35.10", "主要系本期支付的利息增加。"],
    ],
)


@pytest.mark.parametrize(
    ("text", "question", "says"),
    [
        ("毛利率同比下降3个百分点，主要系原材料涨价。", "毛利率为什么下降？", "原材料涨价"),
        ("受海运费上涨影响，毛利率有所下滑。", "毛利率下降的原因是什么？", "海运费上涨"),
        ("2025年一季度营收同比增长20%，得益于新产线投产。", "25Q1营业收入为何增长？", "新产线投产"),
        ("原材料价格上涨导致毛利率下滑。", "是什么造成毛利率下降？", "原材料价格上涨"),
        ("毛利率同比下降3个百分点。主要原因是原材料涨价。", "毛利率为啥下滑", "原材料涨价"),
        (
            "问题2：怎么看毛利率的下滑？答：新产线折旧较多，良率还在爬坡。",
            "毛利率为什么下滑？",
            "折旧",
        ),
    ],
)
def test_the_clause_that_gives_the_cause_is_told(
    engine: QueryEngine, add: AddDocument, text: str, question: str, says: str
) -> None:
    add("d1", [text], period=QUARTER)
    answer = engine.ask(f"星河新材{question}")
    assert answer.status == "answered"
    assert says in answer.answer and says in answer.evidence[0].quote


@pytest.mark.parametrize(
    "text",
    [
        "毛利率同比下降3个百分点，净利率同比下降5个百分点。",  # what is asked about, said again
        "营业收入同比下降，主要系订单减少。",  # of another metric
        "毛利率同比提升3个百分点，主要系原材料降价。",  # of the opposite
        "2023年毛利率同比下降，主要系原材料涨价。",  # of another year
    ],
)
def test_what_is_no_cause_of_it_is_not_told(
    engine: QueryEngine, add: AddDocument, text: str
) -> None:
    add("d1", [text], period=QUARTER)
    assert engine.ask("星河新材2025年一季度毛利率为什么下降？").status == "insufficient_evidence"


def test_another_business_has_reasons_of_its_own(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", ["隔膜业务收入同比下降，主要系客户去库存。", "正极业务收入下降，主要系停产检修。"])
    answer = engine.ask("星河新材正极业务收入为什么下降？")
    assert "停产检修" in answer.answer and "去库存" not in answer.answer


def test_a_column_for_causes_gives_them(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", ["公司发布一季报。"], tables=[CHANGES], kind="filing", period=QUARTER)
    answer = engine.ask("星河新材2025年一季度营收下滑的原因")
    assert answer.answer.startswith(
        "营业收入，变动比例（%）：-12.60 主要系海外子公司里程碑收入减少"
    )
    assert "利息" not in answer.answer
    # its revenue fell
    refused = engine.ask("星河新材2025年一季度营收增长的原因")
    assert refused.status == "insufficient_evidence"


def test_a_column_of_grounds_gives_them_without_a_cue(
    engine: QueryEngine, add: AddDocument
) -> None:
    grounds = simple_table(
        "按单项计提坏账准备",
        [
            ["名称", "计提比例（%）", "计提理由"],
            ["星岭贸易", "30.00", "对方经营困难"],
            ["合计", "30.00", "/"],
        ],
    )
    add("d1", ["公司发布一季报。"], tables=[grounds], kind="filing", period=QUARTER)
    answer = engine.ask("星河新材2025年一季度为什么对星岭贸易计提坏账准备")
    assert "对方经营困难" in answer.answer, answer.answer


def test_english_causes_stand_behind_their_effects(engine: QueryEngine, add: AddDocument) -> None:
    text = (
        "Gross margin of Zyntrex was 31.5%, down from 34.0% in the prior year. "
        "The decrease was primarily due to higher freight costs and an unfavorable product mix. "
        "Operating expenses rose as a result of new hires."
    )
    add("d1", [text], company="Zyntrex", code=None, title="Annual report")
    answer = engine.ask("Why did the gross margin of Zyntrex decline?")
    assert "higher freight costs" in answer.answer and "new hires" not in answer.answer


def test_a_table_on_a_later_page_gives_causes_under_no_heading(
    engine: QueryEngine, add: AddDocument
) -> None:
    rows = [
        ["应收账款_本报告期末", "12.0", "账期延长"],
        ["净利润_本报告期", "59.8", "主要系： 1. 里程碑收入增加； 2. 研发投入减少。"],
        ["净利润_年初至报告期末", "64.7", "主要系政府补助增加所致"],
        ["利润总额_年初至报告期末", "-10.0", "主要系计提减值所致"],
    ]
    months = (date(2025, 1, 1), date(2025, 9, 30), 2025)
    add("d1", ["公司发布三季报。"], tables=[simple_table("", rows)], kind="filing", period=months)
    quarter = engine.ask("星河新材25Q3单季净利润为什么大增？")
    assert "里程碑收入增加" in quarter.answer and "研发投入减少" in quarter.answer
    assert "政府补助" not in quarter.answer
    since = engine.ask("星河新材2025年前三季度净利润咋就涨了")
    assert "政府补助增加" in since.answer and "里程碑" not in since.answer


@pytest.mark.parametrize(
    "question", ["怎么就亏了？", "业绩承压是为什么", "为啥由盈转亏", "缘何亏损"]
)
def test_results_are_asked_for_without_the_name_of_a_metric(
    engine: QueryEngine, add: AddDocument, question: str
) -> None:
    add("d1", ["归母净利润-0.53亿元，业绩承压，主要系集采降价。", "毛利率回升，主要系原料降价。"])
    answer = engine.ask(f"星河新材{question}")
    assert "集采降价" in answer.answer and "原料" not in answer.answer


def test_what_is_said_before_the_clause_that_asks_is_not_asked_about(
    engine: QueryEngine, add: AddDocument
) -> None:
    add("d1", ["收入同比下滑，主要系客户去库存。", "净利润扭亏为盈，主要系资产公允价值上涨。"])
    answer = engine.ask("星河新材收入下滑，怎么还能扭亏为盈？")
    assert "公允价值上涨" in answer.answer and "去库存" not in answer.answer


def test_a_cause_is_told_with_what_it_points_to_and_the_points_that_it_opens(
    engine: QueryEngine, add: AddDocument
) -> None:
    listed = "毛利率同比下降，主要原因如下：1）原材料涨价；2）产线爬坡。费用率保持平稳。"
    add("d1", [listed, "高端客户订单波动较大，认证周期拉长。受上述因素影响，营业收入下降。"])
    points = engine.ask("星河新材毛利率为什么下降？").answer
    assert "原材料涨价" in points and "产线爬坡" in points and "费用率" not in points
    assert "认证周期" in engine.ask("星河新材营业收入为何下降？").answer


def test_what_a_filing_explains_is_of_its_own_period(engine: QueryEngine, add: AddDocument) -> None:
    for year, cause in ((2024, "2025年春节备货，预收货款增加"), (2025, "预收货款减少")):
        add(
            str(year),
            [f"经营活动产生的现金流量净额变动原因说明：主要因{cause}所致。"],
            kind="filing",
            title=f"星河新材{year}年年度报告",
            period=(date(year, 1, 1), date(year, 12, 31), year),
            published_on=date(year + 1, 4, 20),
        )
    answer = engine.ask("星河新材2025年经营现金流净额变动的原因")
    assert "预收货款减少" in answer.answer and "春节" not in answer.answer
