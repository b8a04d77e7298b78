"""Questions answered from rows of tables, and those that no row answers."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.conftest import AddDocument

HALF = (date(2025, 1, 1), date(2025, 6, 30), 2025)
YEAR = (date(2024, 1, 1), date(2024, 12, 31), 2024)
MARGINS = simple_table(
    "各平台毛利率",
    [
        ["业务类型", "本期毛利率（%）", "上年同期毛利率（%）", "变动情况"],
        ["蛋白降解平台（TPD）", "56.01", "31.23", "增加了24.78个百分点"],
        ["编码化合物库平台（DEL）", "76.14", "66.82", "增加了9.32个百分点"],
    ],
)
PATENTS = simple_table(
    "知识产权",
    [["类别", "本期新增获得数（个）", "累计获得数（个）"], ["发明专利", "5", "143"]],
)
APPLICATIONS = simple_table(
    "晶圆代工收入分析",
    [
        ["以应用分类", "本报告期", "上年同期"],
        ["消费电子", "37.8%", "25.0%"],
        ["工业与汽车", "7.8%", "9.5%"],
    ],
)
GOODS = simple_table(
    "产销量情况",
    [
        ["主要产品", "生产量（片）", "销售量（片）", "销售量比上年增减（%）"],
        ["晶圆", "8,463", "8,020", "36.7"],
    ],
)
CAPACITY = simple_table(
    "产能", [["项目", "2023年", "2024年"], ["年末洁净室面积（平方米）", "700", "810"]]
)
HOLDERS = simple_table(
    "股东情况",
    [["项目", "户数"], ["截至报告期末普通股股东总数（户）", "20,552"]],
)
STAFF = simple_table(
    "研发人员情况",
    [
        ["", "本期数", "上年同期数"],
        ["公司研发人员的数量（人）", "413", "392"],
        ["研发人员数量占公司总人数的比例（%）", "83.94", "82.87"],
        ["研发人员平均薪酬（万元）", "13.89", "10.67"],
    ],
)
GRANTS = simple_table(
    "非经常性损益",
    [
        ["项目", "本报告期金额（元）", "年初至报告期期末金额（元）"],
        ["计入当期损益的政府补助（但按照确定标准享有的除外）", "4,742", "20,924"],
    ],
)
SALES = simple_table(
    "2025年一季度业绩概览（人民币千元）",
    [
        ["人民币千元", "2025年一季度", "2024年一季度"],
        ["营业收入", "9,654,595", "7,981,934"],
        ["晶圆销售", "9,100,000", "7,485,000"],
        ["近3个月换手率（%）", "156.49", "120.10"],
    ],
)
HOSPITALS = simple_table(
    "2024年末连锁医院对比",
    [["指标", "甲院集团", "乙院集团"], ["旗下医院数量（家）", "1,800", "600"]],
)


@pytest.fixture
def filed(add: AddDocument) -> None:
    filing = {"kind": "filing", "company": "星河新材", "code": "300999.SZ"}
    half = {**filing, "title": "星河新材2025年半年度报告", "period": HALF}
    add(
        "half",
        ["公司各平台毛利率如下，研发投入稳步提升。"],
        tables=[MARGINS, PATENTS, HOLDERS, STAFF],
        published_on=date(2025, 8, 20),
        **half,
    )
    add(
        "year",
        ["公司收入按应用分析如下，产销量稳步增长。"],
        tables=[APPLICATIONS, GOODS, CAPACITY],
        published_on=date(2025, 3, 27),
        **{**filing, "title": "星河新材2024年年度报告", "period": YEAR},
    )
    months = (date(2025, 1, 1), date(2025, 9, 30), 2025)
    add(
        "months",
        ["公司前三季度经营稳健。"],
        tables=[GRANTS],
        published_on=date(2025, 10, 28),
        **{**filing, "title": "星河新材2025年第三季度报告", "period": months},
    )
    quarter = (date(2025, 1, 1), date(2025, 3, 31), 2025)
    add(
        "quarter",
        ["公司一季度经营稳健。"],
        tables=[SALES],
        published_on=date(2025, 4, 28),
        **{**filing, "title": "星河新材2025年第一季度报告", "period": quarter},
    )
    add(
        "trade",
        ["连锁医院继续扩张。"],
        tables=[HOSPITALS],
        company=None,
        code=None,
        kind="industry",
        title="宠物医疗行业报告",
        published_on=date(2025, 7, 1),
    )


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("星河新材2025年上半年DEL平台的毛利率是多少？", "76.14%"),
        ("星河新材24H1的DEL平台毛利率", "66.82%"),
        ("星河新材到2025年6月底累计获得了多少件发明专利？", "143个"),
        ("截至2025年6月末星河新材有多少户股东？", "20,552户"),
        ("星河新材2024年消费电子占晶圆代工收入的比例是多少", "37.8%"),
        ("2023年星河新材工业与汽车的收入占比", "9.5%"),
        ("星河新材2024年晶圆销量是多少片？", "8,020片"),
        ("星河新材2024年晶圆销量同比增长多少？", "36.7%"),
        ("星河新材2024年晶圆销量是多少，同比增长多少？", "8,020片；销售量比上年增减 36.7%"),
        (
            "星河新材25年上半年DEL平台的毛利率是多少，比上年同期变动几个点？",
            "76.14%；变动情况 增加了9.32个百分点",
        ),
        ("星河新材2025年前三季度计入当期损益的政府补助有多少", "20,924元"),
        ("星河新材2025年三季度计入当期损益的政府补助有多少", "4,742元"),
        ("乙院集团旗下有多少家医院？", "600家"),
    ],
)
def test_the_row_that_a_question_spells_out_is_told(
    filed: None, engine: QueryEngine, question: str, told: str
) -> None:
    answer = engine.ask(question)
    assert answer.status == "answered"
    assert told in answer.answer
    assert answer.evidence and all(answer.checks.values())


@pytest.mark.parametrize(
    ("question", "number", "unit", "period"),
    [
        ("星河新材2025年上半年DEL平台的毛利率是多少？", 76.14, "%", None),
        ("星河新材2025年前三季度计入当期损益的政府补助有多少", 20924, "元", None),
        ("截至2025年6月末星河新材有多少户股东？", 20552, "户", None),
        ("星河新材2024年末洁净室面积是多少？", 810, "平方米", "2024"),
        ("星河新材（300999）2025年一季度晶圆销售收入多少", 9_100_000_000, "元", "2025Q1"),
        ("星河新材2025年一季度近三个月换手率", 156.49, "%", "2025Q1"),
    ],
)
def test_the_one_figure_of_a_row_is_the_value_of_the_answer(
    filed: None,
    engine: QueryEngine,
    question: str,
    number: float,
    unit: str,
    period: str | None,
) -> None:
    value = engine.ask(question).value
    assert value is not None
    assert (value["number"], value["unit"], value["period"]) == (number, unit, period)
    assert value["company_code"] == "300999.SZ"


def test_two_things_of_one_subject_are_told_line_by_line(filed: None, engine: QueryEngine) -> None:
    told = engine.ask("星河新材2025年6月底研发人员有几个人？占总人数多少").answer.splitlines()
    assert ["413人" in told[0], "83.94%" in told[1], len(told)] == [True, True, 2]


@pytest.mark.parametrize(
    "question",
    [
        "星河新材2022年消费电子占晶圆代工收入的比例是多少？",  # no such year
        "星河新材2024年通信设备占晶圆代工收入的比例是多少？",  # no such row
        "星河新材2025年上半年DEL平台的海外毛利率是多少？",  # nobody tells it abroad
        "星河新材2025年上半年OBT平台的毛利率是多少？",  # no such platform
        "丙院集团旗下有多少家医院？",  # no such column
    ],
)
def test_what_no_row_says_is_not_told_from_another(
    filed: None, engine: QueryEngine, question: str
) -> None:
    answer = engine.ask(question)
    figures = ("37.8", "25.0", "76.14", "66.82", "56.01", "1,800", "600家")
    told = [each for each in figures if each in answer.answer]
    assert answer.status != "answered" or not told
    assert not told or "最接近的内容（不一定回答了问题）" in answer.answer


def test_two_documents_that_disagree_are_told_side_by_side(
    add: AddDocument, engine: QueryEngine
) -> None:
    for house, share in (("甲证券", "31%"), ("乙证券", "35%")):
        table = simple_table("盈利拆分", [["", "2025E", "2026E"], ["机器人业务占比", share, "40%"]])
        add(house, [f"{house}看好公司。"], tables=[table], broker=house)
    told = engine.ask("星河新材2025年机器人业务占比是多少？").answer
    assert "31%" in told and "35%" in told
    assert "甲证券" in told and "乙证券" in told


def test_two_figures_of_one_document_are_not_chosen_from(
    add: AddDocument, engine: QueryEngine
) -> None:
    rows = [["", "2025E"], ["机器人业务占比", "31%"], ["机器人业务占比", "35%"]]
    add("d1", ["看好公司。"], tables=[simple_table("盈利拆分", rows)])
    answer = engine.ask("星河新材2025年机器人业务占比是多少？")
    assert (answer.status, answer.value) == ("insufficient_evidence", None)
    assert "31%" in answer.answer and "35%" in answer.answer  # both are near


def test_reasons_lists_and_comparisons_are_not_read_from_rows(
    filed: None, engine: QueryEngine
) -> None:
    for question in (
        "星河新材2025年上半年DEL平台毛利率为什么提升？",
        "星河新材2024年哪个应用的收入占比最高？",
    ):
        answer = engine.ask(question)
        assert "the row of a table" not in str(answer.route.get("reason"))


SUPPLIERS = simple_table(
    "公司前5名供应商资料",
    [
        ["序号", "供应商名称", "采购额（元）", "占年度采购总额比例"],
        ["1", "第一名", "13,063,455", "10.05%"],
        ["2", "第二名", "9,100,000", "7.00%"],
        ["合计", "--", "31,700,000", "24.43%"],
    ],
)
PEERS = simple_table(
    "可比公司估值",
    [
        ["代码", "公司简称", "市盈率 2025E", "市盈率 2026E"],
        ["688105.SH", "诺岭生物", "94.0", "55.0"],
        ["688222.SH", "安途生物", "60.0", "41.0"],
    ],
)
SPLIT = simple_table(
    "营收拆分（亿元）",
    [
        ["", "2026E", "2027E"],
        ["自主研发技术成果转化", "", ""],
        ["收入", "2.69", "2.96"],
        ["毛利率", "60%", "61%"],
        ["临床服务", "", ""],
        ["收入", "1.10", "1.30"],
        ["毛利率", "20%", "21%"],
    ],
)


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("星河新材2024年最大的供应商采购占比", 10.05),
        ("星河新材2024年第一大供应商占采购总额多少", 10.05),
        ("甲证券8月那篇的可比公司表里，诺岭生物26年市盈率几倍", 55.0),
        ("甲证券预计星河新材27年自研技术成果转化能做到多少收入", 296_000_000),
    ],
)
def test_rows_by_their_rank_their_name_and_what_stands_over_them(
    add: AddDocument, engine: QueryEngine, question: str, number: float
) -> None:
    add(
        "year",
        ["公司主要供应商情况如下。"],
        tables=[SUPPLIERS],
        kind="filing",
        period=YEAR,
        title="星河新材2024年年度报告",
        published_on=date(2025, 3, 27),
    )
    add(
        "note",
        ["我们看好公司。"],
        tables=[PEERS, SPLIT],
        broker="甲证券",
        published_on=date(2025, 8, 22),
    )
    answer = engine.ask(question)
    assert answer.status == "answered", answer.answer
    assert (answer.value or {}).get("number") == number, answer.answer
    assert all(answer.checks.values())


PAID = simple_table(
    "董事和高级管理人员薪酬情况",
    [
        ["姓名", "职务", "年龄", "年末持股数", "报告期内从公司获得的税前报酬总额（万元）"],
        ["林知远", "董事长", "53", "286,746,628", "2,179.3241"],
        ["苏明月", "总经理", "47", "1,200", "310.50"],
    ],
)
POWER = simple_table(
    "报告期内电量电价情况",
    [
        ["经营地区", "发电量（万千瓦时）", "上年同期", "上网电价（元 / 兆瓦时）"],
        ["境内水电", "29,590,412", "27,626,322", "285.52"],
    ],
)
DEGREES = simple_table("员工学历", [["学历", "人数"], ["硕士", "120"], ["本科", "430"]])
AGES = [["账龄", "期末账面余额（元）"], ["1年以内", "68,886,937"], ["1至2年", "3,000,000"]]
GROUP = simple_table("应收账款按账龄披露", AGES)


@pytest.fixture
def annual(add: AddDocument) -> None:
    parent = [*AGES[:1], ["1年以内", "95,921,573"]]
    add(
        "year",
        ["公司情况如下。"],
        tables=[PAID, POWER, DEGREES, GROUP, simple_table("母公司应收账款按账龄披露", parent)],
        kind="filing",
        period=YEAR,
        title="星河新材2024年年度报告",
        published_on=date(2025, 3, 27),
    )


@pytest.mark.parametrize(
    ("question", "number", "unit"),
    [
        ("林知远2024年在星河新材拿了多少税前薪酬", 21_793_241, "元"),
        ("星河新材24年境内水电上网电价，每兆瓦时多少元", 285.52, "元/MWh"),
        ("星河新材2024年末1年以内的应收账款有多少", 68_886_937, "元"),
        ("星河新材2024年末母公司1年以内的应收账款有多少", 95_921_573, "元"),
    ],
)
def test_rows_of_people_prices_and_ages(
    annual: None, engine: QueryEngine, question: str, number: float, unit: str
) -> None:
    answer = engine.ask(question)
    assert answer.value is not None, answer.answer
    assert (answer.value["number"], answer.value["unit"]) == (number, unit)
    assert all(answer.checks.values())


def test_a_group_with_a_bound_is_not_told_by_one_without(annual: None, engine: QueryEngine) -> None:
    assert "430" not in engine.ask("星河新材2024年本科及以上员工有多少人").answer
    assert "120" in engine.ask("星河新材2024年硕士员工有多少人").answer
