"""A figure of somebody else, of another time or in another unit is none: no report on one firm
answers for those that it only names, or does not."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.answers.attribution import Attribution, Mentioned
from finrag_pipeline.query.answers.contradiction import contradicts, is_told_of_another_time
from finrag_pipeline.query.answers.passages.synonyms import Text
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.conftest import AddDocument, told_number

PEERS = simple_table(
    "可比公司",
    [
        ["公司", "2024Q4产能利用率", "2025E净利润（亿元）"],
        ["铄星半导体", "103.2%", "11.23"],
        ["凌岳半导体", "88.0%", "6.40"],
    ],
)
POOLS = "因子在小市值股票池更有效：中证1000 内 RankIC 为 7.52%，沪深300 内仅 3.18%。"
LOANS = "按地区划分，本地贷款余额1,984亿元，占55.4%；省外分行贷款余额422亿元，占11.8%。"
PLAN = (
    "2024年发电计划完成情况及2025年计划：2024年，公司年发电量为2959亿千瓦时，创历史新高。"
    "2025年，公司力争实现年发电量3000亿千瓦时。"
)


@pytest.fixture
def reports(add: AddDocument) -> None:
    add(
        "chips",
        [
            "星河芯片2024年四季度产能利用率为85.5%，环比下降4.9个百分点。"
            "同业方面，铄星半导体产能利用率较高，公司将台湾的凌岳半导体列为主要对手。"
        ],
        tables=[PEERS],
        published_on=date(2025, 2, 15),
        title="星河芯片2024年四季度点评",
        company="星河芯片",
        code="300999.SZ",
        broker="云麓证券",
    )
    add("pools", [POOLS], title="尾盘因子研究", kind="strategy", broker="云麓证券")
    add(
        "bank",
        [LOANS, "省外分行中绍兴开业时间较短。"],
        published_on=date(2025, 3, 27),
        title="东江银行2024年年度报告",
        kind="filing",
        company="东江银行",
        code="601999.SH",
        period=(date(2024, 1, 1), date(2024, 12, 31), 2024),
    )
    add(
        "power",
        [PLAN],
        published_on=date(2025, 4, 27),
        title="长川电力2024年年度报告",
        kind="filing",
        company="长川电力",
        code="600999.SH",
        period=(date(2024, 1, 1), date(2024, 12, 31), 2024),
    )


@pytest.mark.usefixtures("reports")
@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        ("凌岳半导体24Q4产能利用率是多少", 85.5),
        ("云麓尾盘因子在中证500内的RankIC是多少", 7.52),
        ("东江银行绍兴分行2024年末的贷款余额是多少", 198_400_000_000),
        ("长川电力2025年发电量目标是多少", 295_900_000_000),
        ("星河芯片的产能是多少万吨", 85.5),
        ("铄星半导体24Q4毛利率是多少", 103.2),
    ],
)
def test_what_is_of_another_is_not_told(engine: QueryEngine, question: str, wrong: float) -> None:
    answer = engine.ask(question)
    assert (answer.value or {}).get("number") != wrong, answer.answer


@pytest.mark.usefixtures("reports")
@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("云麓证券列的可比公司里铄星半导体24Q4产能利用率是多少", 103.2),
        ("云麓尾盘因子在中证1000内的RankIC是多少", 7.52),
        ("云麓的尾盘因子（小市值更有效那个，20日）在中证1000内的RankIC比沪深300高几个点", 4.34),
        ("星河芯片24年四季度产能利用率多少", 85.5),
    ],
)
def test_what_is_named_beside_a_figure_is_told(
    engine: QueryEngine, question: str, right: float
) -> None:
    assert told_number(engine, question) == pytest.approx(right)


@pytest.mark.usefixtures("reports")
def test_plans_for_a_year_stand_in_the_report_on_the_year_before(engine: QueryEngine) -> None:
    asked, found = engine.passages("长川电力2025年发电量目标是多少")
    assert asked.scope.agreement("power") == 1
    assert "3000亿千瓦时" in found.results[0].text
    done, _ = engine.passages("长川电力2025年发电量是多少")
    assert done.scope.agreement("power") < 1


@pytest.mark.usefixtures("reports")
def test_names_are_those_that_no_document_is_about(engine: QueryEngine) -> None:
    attribution = Attribution(engine.tools.reader, engine.tools.absent)

    def named(question: str) -> set[str]:
        asked, _ = engine.passages(question)
        mentioned = attribution(asked, Wanted(asked))
        return {ways[0] for ways in mentioned.names} | set(mentioned.words)

    assert named("星河芯片的毛利率是多少") == set()
    assert "中证1000" in named("云麓尾盘因子在中证1000内的RankIC")
    assert "绍兴" in named("东江银行绍兴分行的贷款余额是多少")


@pytest.mark.usefixtures("reports")
@pytest.mark.parametrize(
    ("question", "value", "contrary"),
    [
        ("2030年市场规模多少亿", {"number": 450, "unit": "元", "period": "2023"}, True),
        ("2023年市场规模多少亿", {"number": 450, "unit": "元", "period": "2023"}, False),
        ("上年市场规模多少，按2024年报", {"number": 450, "unit": "元", "period": "2023"}, False),
        ("前三季度营收多少", {"number": 4, "unit": "元", "period": None}, False),
        (
            "2025年前三季度营收多少",
            {"number": 4, "unit": "元", "period": "2025-01-01/2025-09-30"},
            False,
        ),
        ("卖了多少吨", {"number": 450, "unit": "元", "currency": "CNY"}, True),
        ("分红多少亿美元", {"number": 450, "unit": "元", "currency": "CNY"}, False),
    ],
)
def test_time_and_unit_are_held_against_the_question(
    engine: QueryEngine, question: str, value: dict[str, object], contrary: bool
) -> None:
    asked, _ = engine.passages(question)
    assert contradicts(Wanted(asked), value) is contrary


@pytest.mark.usefixtures("reports")
@pytest.mark.parametrize(
    ("sentence", "number", "other"),
    [
        ("2024年计划完成情况及2025年计划：2024年，发电量为2959亿千瓦时。", 295.9e9, True),
        ("2025年，公司力争发电3000亿千瓦时，2024年为2959亿千瓦时。", 300e9, False),
        ("较2024年的2959亿千瓦时，增长至3000亿千瓦时。", 300e9, False),
        ("同比增长105.5%，较2024年底订单增速(+103.9%)略有上升。", 103.9, True),
        ("2025年发电量较2024年增加1.4%。", 1.4, False),
        ("2024年和2025年分别发电2959、3000亿千瓦时。", 300e9, False),
        ("全年发电3000亿千瓦时。", 300e9, False),
    ],
)
def test_the_time_before_a_figure_is_its_own(
    engine: QueryEngine, sentence: str, number: float, other: bool
) -> None:
    asked, _ = engine.passages("长川电力2025年发电多少亿千瓦时")
    assert is_told_of_another_time(Wanted(asked), sentence, number) is other


@pytest.mark.usefixtures("reports")
@pytest.mark.parametrize(
    ("sentence", "number"),
    [
        ("工厂于2024年8月投产，良品率自9月的86.5%提升至12月的95.2%。", 95.2),
        ("公司2025年完成2021年限制性股票激励计划的登记，授予价格为23.48元/股。", 23.48),
    ],
)
def test_a_month_alone_and_what_a_plan_is_called_by_are_no_other_time(
    engine: QueryEngine, sentence: str, number: float
) -> None:
    asked, _ = engine.passages("长川电力2025年12月是多少")
    assert not is_told_of_another_time(Wanted(asked), sentence, number)


@pytest.mark.usefixtures("reports")
@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("凌岳半导体25E净利润预测是多少", 640_000_000),
        ("可比公司表里铄星半导体24Q4产能利用率是多少", 103.2),
    ],
)
def test_a_peer_of_a_note_on_another_is_told_of_by_its_row(
    engine: QueryEngine, question: str, right: float
) -> None:
    assert told_number(engine, question) == pytest.approx(right)


def test_a_row_under_firms_is_of_its_firm_and_not_of_its_customers(
    engine: QueryEngine, add: AddDocument
) -> None:
    rows = [
        ["公司", "主要客户", "2025年前三季度收入（百万元）"],
        ["铄星材料", "凌岳科技、澄岚储能", "7,915"],
        ["凌岳科技", "蓬岚电气", "11,730"],
    ]
    add(
        "chain",
        ["产业链利润向材料与系统两端扩散。"],
        tables=[simple_table("产业链重点公司经营对比", rows)],
        title="储能产业链2026年度展望",
        company=None,
        code=None,
        kind="industry",
        broker="云麓证券",
        published_on=date(2025, 12, 8),
    )
    assert told_number(engine, "凌岳科技2025年前三季度收入是多少") == 11_730_000_000
    answer = engine.ask("澄岚储能2025年前三季度收入是多少")
    assert (answer.value or {}).get("number") != 7_915_000_000, answer.answer


def test_a_name_is_said_in_parts_and_what_is_measured_is_none() -> None:
    said = Mentioned(names=(("泰国工厂",),))
    nothing = Text("")
    assert not said.lacking("公司泰国罗勇府工厂的良品率", nothing)
    assert said.lacking("公司上海工厂的良品率", nothing)
    assert Mentioned(names=(("中证1000",),)).lacking("中证500内为100", nothing)


def test_what_is_left_out_is_none_of_a_figure_of_both(
    engine: QueryEngine, add: AddDocument
) -> None:
    add(
        "pumps",
        ["分产品看，液压泵及马达收入8.63亿元，同比增长21.44%。"],
        title="星河液压2024年年报点评",
        company="星河液压",
        code="300991.SZ",
        broker="云麓证券",
    )
    assert told_number(engine, "星河液压2024年液压泵及马达收入多少") == 863_000_000
    answer = engine.ask("星河液压2024年单看液压泵（不含马达）卖了多少钱")
    assert (answer.value or {}).get("number") != 863_000_000, answer.answer


def test_a_rival_named_behind_a_figure_is_only_compared_with_it(
    engine: QueryEngine, add: AddDocument
) -> None:
    for name, code in (("星河液冷", "300992.SZ"), ("凌岳温控", "300993.SZ")):
        add(f"about {code}", ["产能扩张。"], title=f"{name}点评", company=name, code=code)
    add(
        "cooling",
        [
            "截至2025年6月末在手订单26.73亿元，同比增长64%，为凌岳温控在手订单（14.26亿元）的近两倍。"
        ],
        title="星河液冷首次覆盖",
        company="星河液冷",
        code="300992.SZ",
        broker="云麓证券",
        published_on=date(2025, 9, 11),
    )
    assert told_number(engine, "星河液冷2025年6月末在手订单多少") == 2_673_000_000


def test_two_documents_say_nothing_together_of_two_things(
    engine: QueryEngine, add: AddDocument
) -> None:
    add(
        "one",
        ["预计中证500的胜率占比为41%，其中海外占比30%。"],
        title="云麓甲因子",
        kind="strategy",
    )
    add("other", ["沪深300胜率占比14.2%，为第二大股票池。"], title="云麓乙因子", kind="strategy")
    answer = engine.ask("中证500的胜率占比比沪深300高多少个百分点")
    assert (answer.value or {}).get("number") != pytest.approx(26.8), answer.answer
