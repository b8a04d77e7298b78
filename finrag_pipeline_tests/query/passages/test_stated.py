"""Figures that no table holds, quoted from sentences that state them, and from no others."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline_tests.query.conftest import AddDocument
from finrag_pipeline_tests.query.test_number_answers import said
from finrag_pipeline_tests.store.facts.rows import add_facts

SPRING = date(2025, 5, 9)
QUARTER = "2025年一季度营收1.29亿元（-40.32%），归母净利润-0.26亿元（-152.59%）。"


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (QUARTER, "星河新材2025Q1归母净利润多少？"),
        (QUARTER, "星河新材2025年一季度营收同比下降多少"),
        (
            "公司2024年全年和2025年Q1实现毛利率67.68%和70.20%。",
            "星河新材2025年一季度毛利率是多少？",
        ),
        (
            "2025年一季度研发费用率为14.00%（同比上升1.92pct）。",
            "星河新材2025年一季度研发费用率变动多少？",
        ),
        ("二季度公司给出的收入指引为环比下降4%到6%。", "星河新材2025Q2收入指引是多少？"),
        (
            "2025年一季度折旧摊销金额为8.66亿美元(YoY +16.1%，QoQ +1.9%)。",
            "星河新材25Q1折旧摊销多少亿美元，同比增几个点",
        ),
        ("2024年末合同负债金额达6121万元，较2023年末大幅提高。", "星河新材24年底合同负债多少"),
        (
            "2025年一季度国内增长平稳。国外市场拓展加速，实现收入0.38亿元。",
            "星河新材2025年一季度境外收入多少？",
        ),
    ],
)
def test_a_sentence_states_the_figure_that_is_asked_for(
    engine: QueryEngine, add: AddDocument, text: str, question: str
) -> None:
    add("d1", [text], published_on=SPRING)
    answer = engine.ask(question)
    assert answer.status == "answered", answer.answer
    assert answer.evidence[0].quote.strip("。") in text


@pytest.mark.parametrize(
    ("text", "question", "number", "unit"),
    [
        (
            "2025年一季度国外市场拓展加速，实现收入0.38亿元，同比增长7.1%。",
            "星河新材2025年一季度境外收入多少？",
            38_000_000,
            "元",
        ),
        (
            "2025年一季度在手订单达到12.5亿元。",
            "星河新材2025年一季度在手订单有多少",
            1_250_000_000,
            "元",
        ),
    ],
)
def test_the_figure_that_a_sentence_states_is_the_value_of_the_answer(
    engine: QueryEngine, add: AddDocument, text: str, question: str, number: float, unit: str
) -> None:
    add("d1", [text], published_on=SPRING)
    answer = engine.ask(question)
    assert answer.value is not None, answer.answer
    assert (answer.value["number"], answer.value["unit"]) == (number, unit)
    assert answer.value["period"] == "2025Q1"


@pytest.mark.parametrize(
    ("text", "question", "number", "unit"),
    [
        # counted by a word that is no unit of measure
        (
            "2025年一季度，公司达成了21 个项目的技术转让，并获得了2 个里程碑费。",
            "星河新材2025年一季度达成了几个项目的技术转让",
            21,
            "个",
        ),
        # of the time that stands before it
        (
            "公司种植体用量由2024年的312.0 万颗增长至2025年686.4 万颗。",
            "星河新材2025年种植体用量多少颗",
            6_864_000,
            "颗",
        ),
        # what was added is no capacity
        (
            "2025年一季度公司月产能94.8万片，和上季度末比新增14.2万片。",
            "星河新材2025年一季度月产能新增了多少片？",
            142_000,
            "片",
        ),
        # 合计 of one thing asks no sum
        (
            "截至2025年一季度末，公司累计申请发明专利2389件，拥有国内有效授权发明专利545件。",
            "星河新材2025年一季度末在国内已获授权且有效的发明专利合计有多少件",
            545,
            "件",
        ),
        # a margin is no share of anything
        (
            "2025年上半年诊断服务毛利率33.12%。截至2025年6月，特检业务占比达47.63%。",
            "星河新材2025上半年特检占诊断服务的比重",
            47.63,
            "%",
        ),
        # what one share costs is not what all do
        (
            "公司于2025年收购远山药业28%的股份。本次总交易价款为29.02亿元，对应每股转让价格13.67元。",
            "星河新材收购远山药业28%股份花了多少钱",
            2_902_000_000,
            "元",
        ),
        # what a bracket says by itself is no change
        (
            "2025年一季度检测业务利润约-0.97亿元，主要由于毛利率下降较多"
            "（2025年一季度毛利率24.03%，同比下降6.34pct）。",
            "星河新材25Q1检测业务毛利率",
            24.03,
            "%",
        ),
        # 公允价值变动 is the name of what it is
        (
            "2025年一季度生物资产公允价值变动贡献净利润约0.88亿元。",
            "星河新材2025年一季度生物资产贡献了多少净利",
            88_000_000,
            "元",
        ),
        # parts of it stand behind 其中
        (
            "2025年利润端受大额信用减值影响（共2.15亿元，其中Q1、Q2分别1亿元、1.15亿元）。",
            "星河新材2025年信用减值一共提了多少",
            215_000_000,
            "元",
        ),
        # the figure whose clause says what is asked for, by a question that ends with that
        (
            "2025年一季度境外收入2.52亿元，同比增长7.13%，境外收入占比37.69%。",
            "星河新材2025年一季度海外收入同比",
            7.13,
            "%",
        ),
        # each of several things has its own
        (
            "2025年一季度公司采用云计算、区块链以及大数据的专利分别为17019件、10189件和9093件。",
            "星河新材2025年一季度采用区块链的专利有多少件",
            10_189,
            "件",
        ),
        # money where money is asked for
        (
            "2025年一季度公司实施公益项目58项，投入捐赠资金3.4亿元。",
            "星河新材2025年一季度公益项目捐赠了多少资金？",
            340_000_000,
            "元",
        ),
    ],
)
def test_of_the_figures_of_a_sentence_the_one_that_is_asked_for_is_the_value(
    engine: QueryEngine, add: AddDocument, text: str, question: str, number: float, unit: str
) -> None:
    add("d1", [text], published_on=SPRING)
    answer = engine.ask(question)
    assert answer.value is not None, answer.answer
    assert (answer.value["number"], answer.value["unit"]) == (number, unit)


GROWN = "2025年一季度国外业务收入2.58亿元（+22.9%，QoQ -3.1%），国内业务收入1.23亿元（-36.7%）。"
ORDERS = "2025年一季度末在手订单12.5亿元，较年初增加2.1亿元，增幅20.2%。"
CHEAPER = "2025年一季度海外客单价同比下降12%至35元。"
SHARES = "2025年一季度三级医院收入占比提升至49.28%，特检业务占比达47.63%，病原诊断业务增长35%。"


@pytest.mark.parametrize(
    ("text", "question", "number", "unit"),
    [
        # how a figure has grown stands in brackets behind it
        (GROWN, "星河新材2025年一季度境外业务收入同比变动多少？", 22.9, "%"),
        (GROWN, "星河新材2025年一季度境内业务收入同比变动多少？", -36.7, "%"),
        (GROWN, "星河新材2025年一季度境内业务收入同比下降了多少？", 36.7, "%"),
        (GROWN, "星河新材2025年一季度境外业务收入环比增速", -3.1, "%"),
        (GROWN, "星河新材2025年一季度境外业务收入多少", 258_000_000, "元"),
        # behind a comma, by how much and by what share
        (ORDERS, "星河新材2025年一季度末在手订单较年初增加了多少亿元", 210_000_000, "元"),
        (ORDERS, "星河新材2025年一季度末在手订单增幅多少", 20.2, "%"),
        (ORDERS, "星河新材2025年一季度末在手订单多少", 1_250_000_000, "元"),
        # with a name of its own
        (
            "2025年一季度冷饮业务营收增长率为10.2%，羊奶粉业务营收增长率为50.7%。",
            "星河新材2025年一季度羊奶粉营收增速多少",
            50.7,
            "%",
        ),
        (SHARES, "星河新材2025年一季度特检业务占比到多少了", 47.63, "%"),
        (SHARES, "星河新材2025年一季度病原诊断增速多少", 35, "%"),
        # what something became is no growth
        (
            "2025年一季度末海外月产能较2024年末增长2.56万片至97.33万片。",
            "星河新材2025年一季度末海外月产能多少片",
            973_300,
            "片",
        ),
        (
            CHEAPER,
            "星河新材2025年一季度海外客单价降了几个点",
            12,
            "%",
        ),
        (
            CHEAPER,
            "星河新材2025年一季度海外客单价多少元",
            35,
            "元",
        ),
    ],
)
def test_what_something_was_is_told_apart_from_how_it_has_grown(
    engine: QueryEngine, add: AddDocument, text: str, question: str, number: float, unit: str
) -> None:
    add("d1", [text], published_on=SPRING)
    answer = engine.ask(question)
    assert answer.value is not None, answer.answer
    assert (answer.value["number"], answer.value["unit"]) == (number, unit)


@pytest.mark.parametrize(
    "question",
    ["星河新材2025年一季度境外收入同比增长多少？", "星河新材2025年一季度境外、境内收入分别多少？"],
)
def test_a_figure_beside_the_one_asked_for_is_no_value(
    engine: QueryEngine, add: AddDocument, question: str
) -> None:
    text = "2025年一季度国外市场实现收入0.38亿元，同比增长7.1%，境内收入1.2亿元。"
    add("d1", [text], published_on=SPRING)
    answer = engine.ask(question)
    assert (answer.value or {}).get("number") != 38_000_000


@pytest.mark.parametrize(
    "question",
    [
        "星河新材2025年一季度天然气产量多少",
        "星河新材2025年一季度晶圆产能是多少",
        "星河新材2025年一季度订阅收入",
    ],
)
def test_a_figure_of_something_else_is_no_answer(
    engine: QueryEngine, add: AddDocument, question: str
) -> None:
    add(
        "d1",
        ["2025年一季度公司正极材料产量为2.3万吨，产能5万吨，实现收入8.2亿元，同比增长7.1%。"],
        published_on=SPRING,
    )
    answer = engine.ask(question)
    assert answer.status == "insufficient_evidence", answer.answer


def test_what_prints_a_time_alone_states_no_figure(engine: QueryEngine, add: AddDocument) -> None:
    add("d1", ["院端自动化药房渗透率，2027E。公司稳步推进自动化药房的建设。"], published_on=SPRING)
    answer = engine.ask("星河新材预计2027年自动化药房渗透率多少")
    assert answer.status == "insufficient_evidence", answer.answer


@pytest.mark.parametrize(
    "question", ["msft fy24 revenue", "nvidia net income 2024", "tsla eps 2024"]
)
def test_names_in_small_letters_are_not_told_anothers_figures(
    engine: QueryEngine, add: AddDocument, question: str
) -> None:
    add("d1", ["2024年公司营业收入81.2亿元，净利润7.3亿元，每股收益0.55元。"], published_on=SPRING)
    answer = engine.ask(question)
    assert answer.status == "insufficient_evidence" and "81.2" not in answer.answer


def test_a_figure_of_the_country_is_not_the_companys(engine: QueryEngine, add: AddDocument) -> None:
    country = "截至2025年底，全国发电装机容量33.5亿千瓦，同比增长14.6%。"
    own = "截至2025年底，公司可控装机容量7179.5万千瓦。"
    question = "星河新材的装机容量有多大"
    add("d1", [country], published_on=SPRING)
    assert "33.5" not in engine.ask(question).answer
    add("d2", [own], published_on=SPRING)
    answer = engine.ask(question)
    assert answer.status == "answered" and "7179.5" in answer.answer.splitlines()[0]


def test_what_a_sentence_looks_forward_to_is_not_when_it_speaks_of(
    engine: QueryEngine, add: AddDocument
) -> None:
    said = "测试业务增长乏力，我们推测主要是由于国内业务占比较高，如果2025年需求企稳，有望改善。"
    add("d1", [said], published_on=date(2025, 3, 17))
    answer = engine.ask("星河新材2024年测试业务增长乏力是什么缘故？")
    assert answer.status == "answered" and "国内业务占比较高" in answer.answer


@pytest.mark.parametrize(
    ("text", "question"),
    [
        # another time, another metric, a part of it, what is expected
        ("2024年一季度归母净利润0.26亿元。", "星河新材2025年一季度归母净利润多少？"),
        ("2025年一季度研发费用同比增长82.12%。", "星河新材2025年一季度研发费用率变动多少？"),
        ("2025年一季度子公司营收1.29亿元。", "星河新材2025年一季度营收多少？"),
        ("预计2025年一季度归母净利润0.3亿元。", "星河新材2025年一季度归母净利润多少？"),
        ("①隔膜业务：2025Q1收入1.6亿元，毛利率49.07%。", "星河新材2025年一季度毛利率多少？"),
        ("分产品来看，2025Q1湿法隔膜增长，毛利率49%。", "星河新材2025年一季度毛利率多少？"),
    ],
)
def test_what_states_another_figure_is_no_answer(
    engine: QueryEngine, add: AddDocument, text: str, question: str
) -> None:
    add("d1", [text], published_on=SPRING)
    assert engine.ask(question).status == "insufficient_evidence"


def test_beside_figures_that_are_held_the_others_are_quoted(
    database: Database, engine: QueryEngine, add: AddDocument
) -> None:
    add("d1", ["2024年归母净利润4.05亿元，同比下降79.99%。"], published_on=SPRING)
    with database.transaction() as connection:
        add_facts(connection, "d2", [said("revenue", 2024, "6603000000", label="营业收入")])
    answer = engine.ask("星河新材2024年营收和归母净利润各多少？")
    first, second = answer.answer.splitlines()
    assert first.startswith("星河新材2024年营业收入：66.03亿元")
    assert second == "2024年归母净利润4.05亿元，同比下降79.99%。（2025-05-09）[2]"
    assert all(answer.checks.values())


@pytest.mark.parametrize("question", ["冷饮库存量", "冷饮销售量多少", "冷饮年末还剩多少吨库存"])
def test_money_is_no_answer_to_a_volume(
    engine: QueryEngine, add: AddDocument, question: str
) -> None:
    add("d1", ["2025年一季度冷饮业务收入95.67亿元，冷饮库存和销售保持平稳。"], published_on=SPRING)
    answer = engine.ask(f"星河新材2025年一季度{question}")
    assert (answer.value or {}).get("unit") != "元"
    assert answer.status == "insufficient_evidence", answer.answer


@pytest.mark.parametrize(
    ("text", "question", "number", "unit"),
    [
        (
            "公司2024年全年和2025年Q1实现毛利率67.68%和70.20%，净利率24.61%和26.14%。",
            "星河新材2025年一季度销售净利率",
            26.14,
            "%",
        ),
        (
            "2025年一季度国内实现收入1.20亿元，国外随着产品获证，市场拓展加速，实现收入0.38亿元。",
            "星河新材2025年一季度在海外卖了多少",
            38_000_000,
            "元",
        ),
        (
            "2025年2月公司公告收购远山生物28%股权。本次总交易价款为29.02亿元，对应每股转让价格13.67元。",
            "星河新材收购远山生物28%股权，每股作价多少",
            13.67,
            "元",
        ),
        (
            "2025年一季度前五大客户销售额贡献均超过1亿元，合计贡献收入占比47.62%。",
            "星河新材25年一季度前五大客户合计收入占比",
            47.62,
            "%",
        ),
        # what stands ahead of all figures is of each of them
        (
            "2025年一季度星光组合改为每周调仓时表现更佳，多头年化收益率为39.8%，多空年化收益率为58.8%。",
            "星河新材2025年一季度星光组合每周调仓的多空年化收益率是多少",
            58.8,
            "%",
        ),
        # a ratio is counted in nothing, what it stands beside is
        (
            "2025年一季度星光组合年化收益为12.1%，信息比率为1.19，月度胜率71.8%。",
            "星河新材2025年一季度星光组合的信息比率是多少",
            1.19,
            "",
        ),
        # what was before stands in brackets
        (
            "2025年一季度估值倍数上调至3.0倍（前值1.53x PB）。",
            "星河新材2025年一季度估值倍数上调到多少倍PB",
            3,
            "倍",
        ),
        # the year of a plan is not when
        (
            "2025年3月公司推出2025年限制性股票激励计划，首次授予的激励对象共计648人。",
            "星河新材2025年3月的限制性股票激励计划首次授予了多少人",
            648,
            "人",
        ),
        # a form tells the unit behind the figure
        (
            "2025年一季度末境外资产205.66（单位：亿元 币种：人民币），占总资产的比例为13.5%。",
            "星河新材2025年一季度末境外资产是多少",
            20_566_000_000,
            "元",
        ),
        (
            "2025年一季度公司完成了244场投资者交流活动，覆盖1200人。",
            "星河新材2025年一季度搞了多少场投资者交流",
            244,
            "场",
        ),
        (
            "截至2025年3月底，公司综合产能为1,526万吨/年。",
            "星河新材2025年3月底一年的综合产能是多少吨",
            15_260_000,
            "吨",
        ),
        # the clause that says the rarest word, phases in either script
        (
            "2025年一季度公司正在进行的临床研究项目278个，其中II期及以后项目95个。",
            "星河新材2025年一季度在做的临床研究里，二期和以后的有多少个",
            95,
            "个",
        ),
        # what came anew is an addition, its parts stand in brackets
        (
            "2025年一季度诊断服务收入1.2亿元，共新增签约客户1,036家(三级医院133家/医共体16家)。",
            "星河新材2025年一季度诊断服务新签了多少家客户",
            1036,
            "家",
        ),
        # of figures the one that says that it is of that time
        (
            "寡核苷酸业务收入50.3亿元（+141.6%）、2025年一季度收入27.9亿元（+114.1%）。",
            "星河新材2025年一季度寡核苷酸业务收入多少",
            2_790_000_000,
            "元",
        ),
        # words for amounts say no more of a metric
        (
            "公司在手订单持续积累，2025年一季度末合同负债金额达6121万元，创历史新高。",
            "星河新材2025年一季度末合同负债余额",
            61_210_000,
            "元",
        ),
    ],
)
def test_the_figure_of_its_own_time_place_and_sum_is_the_value(
    engine: QueryEngine, add: AddDocument, text: str, question: str, number: float, unit: str
) -> None:
    add("d1", [text], published_on=SPRING)
    value = engine.ask(question).value
    assert value is not None
    assert (value["number"], value["unit"]) == (number, unit)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("2025年2月，公司公告收购远山生物的股权获批。", "星河新材收购远山生物股权，每股作价多少"),
        ("公司是一家多元化集团，旗下拥有晶弘冰箱等品牌。", "星河新材2025年晶弘冰箱卖了多少台"),
        ("2025年一季度量价组合的累计收益为580%。", "星河新材2025年一季度量价组合的月度胜率是多少"),
        ("2025年一季度恐慌指数反映未来30天的预期。", "星河新材2025年一季度恐慌指数是多少"),
        # all but what is told, a figure that the page tears
        (
            "2025年一季度六座梯级电站发电3072亿千瓦时。",
            "星河新材2025年一季度除了六座梯级电站，其他电站发了多少度电",
        ),
        (
            "2025年一季度受访医生中有4 6%将其作为门槛。",
            "星河新材2025年一季度受访医生中有多少比例将其作为门槛",
        ),
        (
            "2025年一季度冰箱产量增长8.3%，空调内销量25,169万台。",
            "星河新材2025年一季度冰箱卖了多少万台",
        ),
    ],
)
def test_lines_without_the_figure_that_is_asked_for_are_no_answer(
    engine: QueryEngine, add: AddDocument, text: str, question: str
) -> None:
    add("d1", [text], published_on=SPRING)
    answer = engine.ask(question)
    assert (answer.status, answer.value) == ("insufficient_evidence", None)


def test_a_refused_question_is_read_without_its_brackets(
    engine: QueryEngine, add: AddDocument
) -> None:
    add("d1", [QUARTER], published_on=SPRING)
    answer = engine.ask("星河新材2025年一季度营收（利润表口径）是多少")
    assert answer.value is not None and answer.value["number"] == 129_000_000
    assert answer.route["read_as"] == "星河新材2025年一季度营收是多少"


def test_what_says_that_a_figure_is_not_disclosed_answers_nothing(
    engine: QueryEngine, add: AddDocument
) -> None:
    text = "2023年门诊量186万次，2024年数据未披露，整体处于第二梯队。"
    add("d1", [f"星河新材{text}"], published_on=SPRING)
    answer = engine.ask("星河新材2024年门诊量是多少万次")
    assert answer.status == "insufficient_evidence", answer.answer
