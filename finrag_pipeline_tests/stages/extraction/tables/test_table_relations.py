"""What rows of tables state, by the heads of their columns, in many wordings of both languages."""

from __future__ import annotations

import pytest

from finrag_pipeline.records import Metadata, Table
from finrag_pipeline.records.graph import row_number, table_of
from finrag_pipeline.stages.extraction.tables.relations import row_extractions, stating_rows
from finrag_pipeline_tests.stages.extraction.tables.made import ENGLISH, OWN, Fact, facts, table

A, B = "锐芯半导体有限公司", "远山材料股份有限公司"
ME, US = "云帆科技", "Cloudsail Inc."


@pytest.mark.parametrize(
    "head", ["客户名称", "客户", "主要客户", "前五名客户", "客户 名称（全称）"]
)
def test_customers_are_supplied(head: str):
    made = table(
        "主要销售客户",
        f"序号|{head}|销售额（元）|占比（%）",
        f"1|{A}|1,200.50|12.3",
        f"2|{B}|900.10|9.1",
    )
    assert facts(OWN, made) == [(ME, "supplies", A), (ME, "supplies", B)]


@pytest.mark.parametrize("head", ["供应商名称", "供应商", "主要供应商", "供货单位"])
def test_suppliers_supply(head: str):
    made = table(None, f"序号|{head}|采购额（万元）|占年度采购总额比例", f"1|{A}|1,200.50|12.3%")
    assert facts(OWN, made) == [(A, "supplies", ME)]


@pytest.mark.parametrize(
    ("head", "kinds"),
    [
        ("类别", ("客户", "供应商")),
        ("与公司关系", ("主要客户", "主要供应商")),
        ("Side", ("Customer", "Supplier")),
    ],
)
def test_customers_and_suppliers_under_one_another(head: str, kinds: tuple[str, str]):
    """The kind of party stands for the rows below it, until the next."""
    made = table(
        "2024年主要客户与供应商",
        f"{head}|名称|产品|金额（百万元）",
        f"{kinds[0]}|{A}|正极|2,430",
        f"·|{B}|正极|896",
        f"{kinds[1]}|锂衡资源|碳酸锂|1,556",
        "·|谷满农科|磷酸一铵|335",
    )
    assert facts(OWN, made) == [
        (ME, "supplies", A),
        (ME, "supplies", B),
        ("锂衡资源", "supplies", ME),
        ("谷满农科", "supplies", ME),
    ]


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 0, 1), (0, 2, 1)])
def test_a_code_belongs_to_the_company_beside_it(order: tuple[int, ...]):
    """Not to the only customer of its row, which would be the company itself."""
    rows = [("公司", "代码", "主要客户"), ("锐芯股份", "688001.SH", "远山股份")]
    made = table("产业链公司", *("|".join(row[n] for n in order) + "|12" for row in rows))
    assert facts(OWN, made) == [("锐芯股份", "supplies", "远山股份")]
    codes = {each.name: each.code for row in stating_rows([made], OWN) for each in row.mentions}
    assert codes == {"锐芯股份": "688001.SH", "远山股份": None}


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("公司前五名客户情况", [(ME, "supplies", A)]),
        ("前5大客户资料", [(ME, "supplies", A)]),
        ("公司前五名供应商情况", [(A, "supplies", ME)]),
        ("Major customers", [(ME, "supplies", A)]),
        ("按欠款方归集的期末余额前五名的应收账款情况", [(ME, "supplies", A)]),
        ("按欠款方归集的期末余额前五名的其他应收款情况", []),
        ("按预付对象归集的期末余额前五名的预付款情况", []),
        ("前五名客户和供应商", []),
    ],
)
def test_a_title_says_what_units_are(title: str, expected: list[Fact]):
    assert facts(OWN, table(title, "单位名称|金额|比例", f"{A}|1,200.50|12.3%")) == expected


@pytest.mark.parametrize(
    ("title", "rows", "expected"),
    [
        (
            "采购商品/接受劳务情况表",
            ["关联方|关联交易内容|本期发生额", f"{A}|采购货物|12.5"],
            [(A, "supplies", ME)],
        ),
        (
            "出售商品/提供劳务情况表",
            ["关联方|关联交易内容|本期发生额", f"{A}|销售产品|12.5"],
            [(ME, "supplies", A)],
        ),
        (
            None,
            [
                "关联交易方|关联关系|关联交易类型|金额",
                f"{A}|联营企业|购买商品|12.5",
                f"{B}|母公司|销售商品|3.1",
            ],
            [(A, "supplies", ME), (ME, "supplies", B)],
        ),
        # rent, loans and guarantees are no goods
        (None, ["关联方|关联交易类型|金额", f"{A}|租入租出|12.5", f"{B}|提供担保|3.1"], []),
        ("应收项目", ["项目名称|关联方|期末余额", f"应收账款|{A}|12.5"], []),
    ],
)
def test_trade_with_related_parties_has_a_direction(
    title: str | None, rows: list[str], expected: list[Fact]
):
    assert facts(OWN, table(title, *rows)) == expected


@pytest.mark.parametrize(
    ("title", "rows", "expected"),
    [
        (
            "企业集团的构成",
            ["子公司名称|主要经营地|持股比例(%)", f"{A}|上海|100.00"],
            [(ME, "owns", A)],
        ),
        (
            "主要控股参股公司分析",
            ["公司名称|公司类型|主要业务|净利润", f"{A}|子公司|制造|1.2", f"{B}|参股公司|制造|0.3"],
            [(ME, "owns", A), (ME, "holds_stake_in", B)],
        ),
        (
            None,
            ["合营企业或联营企业名称|注册地|持股比例(%)", f"{A}|上海|20.00"],
            [(ME, "holds_stake_in", A)],
        ),
        (
            "长期股权投资",
            [
                "被投资单位|期初余额|期末余额",
                "一、联营企业|·|·",
                f"{A}|12.5|13.5",
                "小计|12.5|13.5",
            ],
            [(ME, "holds_stake_in", A)],
        ),
        (
            "报告期内取得和处置子公司的情况",
            ["公司名称|取得和处置子公司方式|影响", f"{A}|新设|1.5", f"{B}|注销|0.2"],
            [(ME, "owns", A)],
        ),
        ("处置子公司", ["子公司名称|处置价款|处置比例(%)", f"{A}|12.5|100.00"], []),
        ("减少子公司情况", ["公司名称|处置原因|净资产", f"{A}|注销|1.2"], []),
        (
            "重大的股权投资",
            ["被投资公司名称|投资方式|投资金额|持股比例", f"{A}|收购|12.5|29%", f"{B}|增资|3.1|5%"],
            [(ME, "acquires", A), (ME, "invests_in", B)],
        ),
        (
            "非同一控制下企业合并",
            ["被购买方名称|股权取得成本|取得比例", f"{A}|12.5|80%"],
            [(ME, "acquires", A)],
        ),
    ],
)
def test_holdings(title: str, rows: list[str], expected: list[Fact]):
    assert facts(OWN, table(title, *rows)) == expected


def test_shareholders_stand_under_headings_inside_a_frame():
    made = table(
        "股东总数及前十名股东持股情况表",
        "报告期末股东总数|22,641|表决权恢复的股东总数|0",
        "前10名股东持股情况",
        "股东名称|股东性质|持股数量|持股比例(%)",
        f"{A}|国有法人|8,000|53.18",
        "张三|境内自然人|700|4.60",
        "前10名无限售条件股东持股情况",
        "股东名称|持有无限售条件股份数量|股份种类|数量",
        "张三|700|人民币普通股|700",
        "上述股东关联关系的说明|无",
    )
    assert facts(OWN, made) == [
        (A, "holds_stake_in", ME),
        ("张三", "holds_stake_in", ME),
        ("张三", "holds_stake_in", ME),
    ]
    rows = stating_rows([made], OWN)
    assert [m.type for row in rows for m in row.mentions if m.name == "张三"] == ["person"] * 2
    assert rows[0].place.page == 3 and rows[0].place.bbox[1] == pytest.approx(142)


@pytest.mark.parametrize(
    "title",
    ["可比公司估值", "表3：可比上市公司估值对比", "图表8：同业公司估值比较", "同行业可比公司"],
)
def test_peers_are_comparable_not_rivals(title: str):
    made = table(
        title,
        "代码|公司简称|收盘价|PE",
        "600001.SH|锐芯股份|12.5|18.3",
        "600002.SH|远山股份|7.1|22.0",
        "平均值|·|9.8|20.1",
        "688999.SH|云帆|30.2|41.0",
    )
    expected = [(ME, "comparable_to", "锐芯股份"), (ME, "comparable_to", "远山股份")]
    assert facts(OWN, made) == expected
    assert stating_rows([made], OWN)[0].mentions[1].code == "600001.SH"
    assert facts(Metadata(), made) == []  # of whom are they peers?


@pytest.mark.parametrize(
    ("title", "rows", "expected"),
    [
        ("主要企业及产品", ["企业|核心产品|产能", f"{A}|硅片|12.5"], [(A, "produces", "硅片")]),
        (
            "各环节龙头",
            ["产业链环节|代表企业", "硅料|锐芯股份、远山股份"],
            [("锐芯股份", "operates_in", "硅料"), ("远山股份", "operates_in", "硅料")],
        ),
        (
            "已上市产品",
            ["产品名称|适应症|上市时间", "云替尼片（YF101）|肺癌|2023年"],
            [(ME, "produces", "云替尼片")],
        ),
        (
            "产销量情况",
            ["主要产品|单位|生产量|销售量", "光刻胶|吨|12.5|11.9", "其他|吨|1.5|1.1"],
            [(ME, "produces", "光刻胶")],
        ),
        (
            "竞争格局",
            ["公司|主要竞争对手|优势", "云帆科技|锐芯股份|价格"],
            [(ME, "competes_with", "锐芯股份")],
        ),
        ("并购交易", ["收购方|标的公司|交易金额（亿元）", f"{A}|{B}|12.5"], [(A, "acquires", B)]),
        (
            "融资情况",
            ["公司|轮次|融资金额|投资方", f"{A}|B轮|1.5|高山资本、远海创投"],
            [("高山资本", "invests_in", A), ("远海创投", "invests_in", A)],
        ),
        (
            "对外授权",
            ["授权方|被授权方|药物|首付款", f"{A}|{B}|YF101|1.5"],
            [(A, "cooperates_with", B)],
        ),
        ("担保情况", ["担保方|被担保方|担保金额", f"云帆科技|{A}|12.5"], [(ME, "guarantees", A)]),
        (
            "关联方",
            ["其他关联方名称|关联关系", "李四|实际控制人", f"{A}|本公司董事长控制的公司"],
            [("李四", "owns", ME)],
        ),
    ],
)
def test_other_kinds(title: str, rows: list[str], expected: list[Fact]):
    assert facts(OWN, table(title, *rows)) == expected


@pytest.mark.parametrize(
    ("title", "rows", "expected"),
    [
        (
            "Exhibit 21",
            ["Name|Place of Incorporation", "Sharp Chip, Inc.|Delaware"],
            [(US, "owns", "Sharp Chip, Inc.")],
        ),
        (
            None,
            ["Entity Name|Jurisdiction of Formation", "Far Hill B.V.|Netherlands"],
            [(US, "owns", "Far Hill B.V.")],
        ),
        (
            "Principal subsidiaries",
            ["Name of subsidiary|Interest (%)", "Far Hill B.V.|100.0"],
            [(US, "owns", "Far Hill B.V.")],
        ),
        (
            "Five largest customers",
            ["Customer|Revenue|%", "Sharp Chip, Inc.|12.5|10.2", "Customer A|9.9|8.0"],
            [(US, "supplies", "Sharp Chip, Inc.")],
        ),
        (
            "Key suppliers",
            ["Supplier|Material", "Far Hill B.V.|Wafers"],
            [("Far Hill B.V.", "supplies", US)],
        ),
        (
            "Equity Method Investments",
            ["·|Ownership|Balance", "Far Hill Alliance|50%|12.5", "Other|·|1.5"],
            [(US, "holds_stake_in", "Far Hill Alliance")],
        ),
        (
            "Security ownership",
            ["Name of beneficial owner|Shares|Percent", "Sharp Capital LLC|1,200|12.5%"],
            [("Sharp Capital LLC", "holds_stake_in", US)],
        ),
        (
            "Comparable companies",
            ["Company|Price|P/E", "Sharp Chip, Inc.|12.5|18.3", "Median|·|18.3"],
            [(US, "comparable_to", "Sharp Chip, Inc.")],
        ),
        (
            "Recent deals",
            ["Acquirer|Target|Value", "Sharp Chip, Inc.|Far Hill B.V.|12.5"],
            [("Sharp Chip, Inc.", "acquires", "Far Hill B.V.")],
        ),
        (
            "Pipeline",
            ["Product|Indication|Phase", "Cloudimab (CS-101)|Asthma|3"],
            [(US, "produces", "Cloudimab")],
        ),
        ("Officers", ["Name|Age|Position", "Jane Doe|51|Chief Executive Officer"], []),
        (
            "Guarantor subsidiaries' notes",
            ["Title of class|Name of exchange", "Common stock|NYSE"],
            [],
        ),
    ],
)
def test_english_tables(title: str | None, rows: list[str], expected: list[Fact]):
    assert facts(ENGLISH, table(title, *rows)) == expected


@pytest.mark.parametrize(
    "made",
    [
        table(
            "前五名客户",
            "序号|客户名称|销售额",
            "1|第一名|12.5",
            "2|客户B|9.9",
            "3|单位三|8.1",
            "合计|·|30.5",
        ),
        table(
            "医药行业覆盖公司", "代码|公司|现价|评级|目标价", "600001.SH|锐芯股份|12.5|买入|15.0"
        ),
        table("行业财务数据对比", "公司|收入|净利润|毛利率", "锐芯股份|12.5|1.5|30.1%"),
        table("市场份额", "排名|公司|份额", "1|锐芯股份|12.5%"),
        table("在股东单位任职情况", "任职人员姓名|股东单位名称|担任的职务", f"张三|{A}|董事"),
        table(
            "前十名股东较上期末发生变化情况", "股东名称|本期新增/退出|持股数量", f"{A}|退出|12.5"
        ),
        table("聘任会计师事务所情况", "名称|报酬|年限", "某某会计师事务所|12.5|3"),
        table("分析师", "姓名|执业编号|电话", "张三|S0000000000|021-1234"),
    ],
    ids=lambda made: made.title or "",
)
def test_lookalikes_state_nothing(made: Table):
    assert facts(OWN, made) == []


def test_a_wrapped_heading_over_two_rows_is_found():
    made = table(
        "可比公司估值",
        "·|·|收盘价|市盈率|·",
        "代码|公司|（元）|2024A|2025E",
        "600001.SH|锐芯股份|12.5|18.3|15.0",
    )
    assert facts(OWN, made) == [(ME, "comparable_to", "锐芯股份")]


def test_every_name_stands_where_it_is_said_to():
    customers = table("前五名客户", "客户名称|销售额", f"{A}（“锐芯”）|12.5", f"{B}及其子公司|9.9")
    rows = stating_rows([customers], OWN)
    assert [m.aliases for row in rows for m in row.mentions if m.name == A] == [("锐芯",)]
    for row in rows:
        assert all(row.text[m.start : m.end] == m.text for m in row.mentions)
        assert all(row.text[each.start : each.end] == row.text for each in row.relations)
    assert rows[0].text == f"{ME} 前五名客户：客户名称 {A}（“锐芯”），销售额 12.5。"


def test_rows_have_numbers_of_their_own_below_zero():
    one = table("前五名客户", "客户名称|销售额", f"{A}|12.5", f"{B}|9.9", ordinal=4)
    other = table("前五名供应商", "供应商名称|采购额", f"{A}|12.5", ordinal=7)
    found = row_extractions(stating_rows([one, other], OWN))
    assert [each.chunk for each in found] == [row_number(4, 0), row_number(4, 1), row_number(7, 0)]
    assert [table_of(each.chunk) for each in found] == [4, 4, 7]
