"""What each figure of a table means: block headings, labels, headings over it, its unit."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.records import Cell, Table
from finrag_pipeline.stages.tables.counting import Surroundings, measure_in_cell
from finrag_pipeline.stages.tables.figures import Figure, figures, figures_in_words
from finrag_pipeline.stages.tables.headers import with_header
from finrag_pipeline.stages.tables.reading import with_statements
from finrag_pipeline.stages.tables.surroundings import surroundings


def table(*rows: str, title: str | None = None, unit: str | None = None) -> Table:
    """A table of rows whose texts are parted by bars; `*n` behind a text spans n columns."""
    cells: list[Cell] = []
    for r, row in enumerate(rows):
        column = 0
        for text in row.split("|"):
            text, _, span = text.partition("*")
            cells.append(Cell(r, column, text, column_span=int(span or 1)))
            column += int(span or 1)
    return Table(0, 1, (0, 0, 1, 1), with_header(cells), title=title, unit=unit)


def units(source: Table, currency: str = "") -> list[str]:
    """Each row's unit and the power of ten, told once where its figures agree."""
    return units_of(source, Surroundings(currency))


def units_of(source: Table, around: Surroundings) -> list[str]:
    found: dict[int, list[str]] = {}
    for figure in figures(source, around):
        name = "none"
        if figure.measure:
            power = f"e{figure.measure.power}" if figure.measure.power else ""
            name = f"{figure.measure.unit}{power}"
        if name not in found.setdefault(figure.row, []):
            found[figure.row].append(name)
    return [" ".join(names) for names in found.values()]


MIXED = (
    "会计年度|2023A|2024A|2025E",
    "营业收入|5,805|6,671|7,552",
    "增长率|10.2|14.9|13.2",
    "毛利率|42.4|43.2|43.9",
    "管理费用率|17.2%|17.0%|16.9%",
    "每股收益|0.71|0.88|1.02",
    "市盈率|30|26|23",
    "EV/EBITDA|19.1|15.3|13.0",
    "应收账款周转天数|71.4|65.8|62.1",
    "总资产周转率|0.3|0.3|0.4",
    "流动比率|1.7|2.1|2.3",
    "资产负债率|16.1|15.4|15.4",
    "员工人数|1,024|1,100|1,200",
)
MIXED_UNITS = [
    "CNYe6", "%", "%", "%", "CNY/股", "x", "x", "天", "x", "x", "%", "人"
]  # fmt: skip


def test_a_row_whose_metric_has_its_own_unit_is_not_counted_in_the_table_s() -> None:
    assert units(table(*MIXED, unit="百万元")) == MIXED_UNITS


@pytest.mark.parametrize(
    ("label", "currency", "wanted"),
    [
        ("每股盈利（港仙）", "", "HKD/股e-2"),
        ("每股股息（仙）", "HKD", "HKD/股e-2"),
        ("EPS (US cents)", "", "USD/股e-2"),
        ("DPS (cents)", "AUD", "AUD/股e-2"),
        ("DPS (cents)", "", "e-2"),
        ("EPS (pence)", "", "GBP/股e-2"),
        ("每股盈利（港元）", "", "HKD/股"),
    ],
)
def test_what_is_counted_in_cents_is_no_whole_currency(
    label: str, currency: str, wanted: str
) -> None:
    rows = ("项目|2023A|2024A", f"{label}|45.6|47.8", "營業額（千）|12,345|13,456")
    assert units(table(*rows), currency)[0] == wanted


@pytest.mark.parametrize(
    ("corner", "unit", "power", "per"),
    [
        ("单位：百万元", "CNY", 6, "CNY/股"),
        ("人民币千元", "CNY", 3, "CNY/股"),
        ("（百万美元）", "USD", 6, "USD/股"),
        ("会计年度 (人民币百万)", "CNY", 6, "CNY/股"),
        ("单位:亿港元", "HKD", 8, "HKD/股"),
        ("RMB mn", "CNY", 6, "CNY/股"),
        ("HK$'000", "HKD", 3, "HKD/股"),
        ("(US$ in millions, except per share data)", "USD", 6, "USD/股"),
    ],
)
def test_the_corner_of_a_header_states_the_unit_and_the_currency_per_share(
    corner: str, unit: str, power: int, per: str
) -> None:
    source = table(f"{corner}|2024A|2025E", "营业收入|5,805|6,671", "每股收益|0.71|0.88")
    assert units(source) == [f"{unit}e{power}", per]


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("营业收入（百万元）", "CNYe6"),
        ("营业收入(亿元)", "CNYe8"),
        ("营业收入/万元", "CNYe4"),
        ("营业收入 百万元", "CNYe6"),
        ("Revenue (RMB mn)", "CNYe6"),
        ("Net sales (US$ in millions)", "USDe6"),
        ("增长率(%)", "%"),
        ("(+/-%)", "%"),
        ("YoY %", "%"),
        ("％营业收入", "%"),
        ("毛利率变动（pct）", "pp"),
        ("EPS(摊薄/元)", "CNY/股"),
        ("每股收益（港元）", "HKD/股"),
        ("每股净资产(元/股)", "CNY/股"),
        ("EPS(X)", "none"),
        ("PE（倍）", "x"),
        ("总股本(百万股)", "股e6"),
        ("总股本(百万)", "股e6"),
        ("单价（元/台）", "CNY/台"),
        ("产量（万吨）", "吨e4"),
        ("装机容量（GW）", "GW"),
        ("存货周转天数（天）", "天"),
        ("员工总数（人）", "人"),
        ("净利润（续）", "none"),
    ],
)
def test_a_label_prints_the_unit_of_its_row(label: str, expected: str) -> None:
    assert units(table("项目|2024A|2025E", f"{label}|5.8|6.7", "其他|1.5|2.5"))[0] == expected


def test_a_column_of_units_is_that_of_each_row() -> None:
    source = table(
        "年度截止12月31日||2023|2024",
        "纯利|RMB百万元|1434|307",
        "同比增减|%|23.33|-78.56",
        "每股盈余|RMB元|2.30|0.49",
        "市盈率|X|6.62|31.00",
    )
    assert units(source) == ["CNYe6", "%", "CNY/股", "x"]


def test_columns_have_their_own_units() -> None:
    source = table(
        "公司|股价（元）|总市值（亿元）|EPS*2|PE*2|占比(%)|变动(pct)|排名",
        "||" + "|2024A|2025E|2024A|2025E||||",
        "星河医药|68.2|1,703|3.3|3.9|21|18|5.5|0.3|1",
        unit="亿元",
    )
    found = [
        (f.measure.unit if f.measure else "none") for f in figures(source, Surroundings("CNY"))
    ]
    assert found == ["CNY", "CNY", "CNY/股", "CNY/股", "x", "x", "%", "pp", "none"]


def test_a_column_of_changes_is_not_counted_as_its_rows_are() -> None:
    source = table(
        "项目|本期金额（万元）|上期金额（万元）|同比|增减（%）",
        "营业收入（万元）|5,805|6,671|14.9|14.9",
        "毛利率|42.4|43.2|0.8|0.8",
    )
    assert units(source) == ["CNYe4 %", "% none"]


def test_blocks_state_the_unit_of_their_rows_until_the_next() -> None:
    source = table(
        "主要财务比率|2024A|2025E",
        "成长能力（%）||",
        "营业收入|10.2|14.9",
        "每股指标（元）||",
        "每股收益|0.71|0.88",
        "最新摊薄|0.70|0.86",
        "估值比率（倍）||",
        "P/E|30|26",
        "偿债能力||",
        "流动比率|1.7|2.1",
        unit="百万元",
    )
    assert units(source) == ["%", "CNY/股", "CNY/股", "x", "x"]
    assert [figure.labels for figure in figures(source)[::2]] == [
        ("成长能力（%）", "营业收入"),
        ("每股指标（元）", "每股收益"),
        ("每股指标（元）", "最新摊薄"),
        ("估值比率（倍）", "P/E"),
        ("偿债能力", "流动比率"),
    ]


def test_a_block_of_one_metric_says_what_its_rows_are() -> None:
    source = table(
        "公司|1Q24|2Q24",
        "收入环比增速||",
        "甲|10.2|4.9",
        "毛利率||",
        "甲|42.4|43.2",
        "乙|35.5|36.0",
    )
    assert units(source) == ["%", "%", "%"]
    assert figures(source)[-1] == Figure(
        "36.0", ("毛利率", "乙"), ("2Q24",), figures(source)[-1].measure, "metric", 5, 2
    )


def test_a_heading_inside_the_body_names_the_columns_anew_and_a_unit_from_there_on() -> None:
    source = table(
        "利润表（百万元）|2023A|2024A",
        "营业收入|5,805|6,671",
        "主要指标（%）|2024A|2025E",
        "毛利率|42.4|43.2",
        "现金流量表|2024A|2025E",
        "年结12月31日（千元）||",
        "净现金流|150|160",
    )
    assert units(source) == ["CNYe6", "%", "CNYe3"]
    assert [figure.columns for figure in figures(source)[::2]] == [
        ("2023A",), ("2024A",), ("2024A",)
    ]  # fmt: skip
    assert figures(source)[-1].labels == ("现金流量表", "净现金流")


def test_a_year_may_stand_behind_its_half_in_a_heading_inside_the_body() -> None:
    source = table(
        "公司|毛利率*3",
        "|2024H1|2024全年|2025H1",
        "松风眼科|45.8%|43.5%|42.6%",
        "|净利率*3",
        "|2024H1|2024全年|2025H1",
        "松风眼科|18.2%|13.3%|15.9%",
    )
    found = [(each.text, each.columns) for each in figures(source, Surroundings(""))]
    assert found[-2:] == [("13.3%", ("净利率", "2024全年")), ("15.9%", ("净利率", "2025H1"))]


def test_a_row_of_growth_belongs_to_the_row_above_it() -> None:
    source = table(
        "项目|2024A|2025E", "营业收入|5.8|6.7", "同比|10.2|14.9", "净利润|0.8|0.9", "YoY|3.3|4.1"
    )
    assert [figure.labels for figure in figures(source)[::2]] == [
        ("营业收入",), ("营业收入", "同比"), ("净利润",), ("净利润", "YoY")
    ]  # fmt: skip


def test_a_total_is_not_under_the_last_block() -> None:
    rows = ("收入|5.8|6.7", "YOY|10.2|14.9", "毛利率|42.4|43.2")
    source = table("|2024A|2025E", "试剂||", *rows, "抗体||", *rows, "合计|11.6|13.4", *rows[1:])
    assert [figure.labels for figure in figures(source)[-6::2]] == [
        ("合计",), ("合计", "YOY"), ("合计", "毛利率")
    ]  # fmt: skip


def test_several_units_of_one_line_are_chosen_by_the_metric() -> None:
    source = table(
        "项目|2024A|2025E", "营业收入|5.8|6.7", "毛利率|42.4|43.2", "试剂|1.5|2.5", unit="亿元，%"
    )
    assert units(source) == ["CNYe8", "%", "none"]


def test_where_nothing_tells_there_is_no_unit() -> None:
    source = table("项目|2024A|2025E", "营业收入|5.8|6.7", "每股收益|0.7|0.8", "试剂|1.5|2.5")
    assert units(source) == ["none", "none", "none"]
    assert units(source, "HKD")[1] == "HKD/股"


def test_shares_without_a_sign_may_be_fractions() -> None:
    fraction = "资产负债率|0.25|0.26"
    assert units(table("项目|2024A|2025E", fraction, "毛利率|41.2%|40.6%")) == ["x", "%"]
    assert units(table("项目|2024A|2025E", "股息率|0.59|0.75", "毛利率|41.2|40.6")) == ["%", "%"]
    assert units(table("项目|2024A|2025E", fraction)) == ["none"]


@pytest.mark.parametrize(
    ("text", "unit"),
    [("17.2%", "%"), ("(3.1pct)", "pp"), ("45.3x", "x"), ("~1,800 家", "家"), ("85.83 元", "CNY"),
     ("12.3%-15%", "%"), ("HK$ 5.2", "HKD"), ("1,234.5", None), ("41.03-104.98", None)],
)  # fmt: skip
def test_a_cell_prints_its_own_unit(text: str, unit: str | None) -> None:
    found = measure_in_cell(text)
    assert (found.unit if found else None) == unit


def test_a_document_of_one_currency_lends_it_to_tables_that_name_none() -> None:
    stated = table("项目|2024A|2025E", "营业收入|5.8|6.7", unit="百万元")
    silent = table("项目|2024A|2025E", "每股收益|0.7|0.8")
    foreign = table("项目|2024A|2025E", "Revenue (US$ mn)|5.8|6.7")
    assert [each.currency for each in surroundings([stated, silent])] == ["CNY", "CNY"]
    assert surroundings([stated, foreign])[0].currency == ""
    (_, told) = with_statements([stated, silent], None)
    assert told.statements[0].text == "每股收益（元/股），2024A 0.7，2025E 0.8。"


def test_amounts_of_a_silent_table_count_as_those_of_its_page_where_they_agree() -> None:
    stated = table("项目|2024A|2025E", "营业收入|5.8|6.7", unit="百万元")
    silent = table("项目|2024A|2025E", "EBITDA|5.8|6.7", "试剂|1.5|2.5", "PE|20|18")
    other = table("项目|2024A|2025E", "营业收入|5.8|6.7", unit="亿元")

    def told_of(*tables: Table) -> list[str]:
        return units_of(silent, surroundings([*tables, silent])[-1])

    assert told_of(stated) == ["CNYe6", "none", "x"]
    assert told_of(stated, other) == ["none", "none", "x"]
    sheet = table("项目|2024A|2025E", "存货|5.8|6.7", "其他|1.5|2.5", "应收账款|20|18")
    assert units_of(sheet, surroundings([stated, sheet])[-1]) == ["CNYe6", "CNYe6", "CNYe6"]


def told(source: Table) -> list[str]:
    (done,) = with_statements([source], "星河医药")
    return [statement.text for statement in done.statements]


def test_sentences_never_put_the_table_s_unit_on_what_is_counted_otherwise() -> None:
    assert told(table(*MIXED[:1], *MIXED[3:6], unit="百万元")) == [
        "星河医药：毛利率（%），2023A 42.4，2024A 43.2，2025E 43.9；"
        "管理费用率，2023A 17.2%，2024A 17.0%，2025E 16.9%；"
        "每股收益（元/股），2023A 0.71，2024A 0.88，2025E 1.02。"
    ]
    source = table(
        "项目|2024A", "营业收入|5.8", "毛利率|42.4%", "股价|9.1", "其他|3.2", unit="亿元"
    )
    assert told(source) == [
        "星河医药（单位：亿元）：营业收入，2024A 5.8；毛利率，2024A 42.4%。",
        "星河医药：股价，2024A 9.1。",
        "星河医药（单位：亿元）：其他，2024A 3.2。",
    ]


# what a row of growth compares is in the row above it
LABELS = st.sampled_from([row.split("|")[0] for row in MIXED[1:] if "增长" not in row])


@given(st.lists(LABELS, min_size=1, max_size=12), st.sampled_from(["百万元", "亿元", "千元"]))
def test_a_unit_never_depends_on_the_order_of_rows(labels: list[str], unit: str) -> None:
    by_label = dict(zip([row.split("|")[0] for row in MIXED[1:]], MIXED_UNITS, strict=True))
    rows = {row.split("|")[0]: row for row in MIXED[1:]}
    power = {"百万元": "e6", "亿元": "e8", "千元": "e3"}[unit]
    # one row beyond the sampled ones says that shares are printed in percent
    found = units(table(MIXED[0], *(rows[label] for label in labels), rows["毛利率"], unit=unit))
    assert found[:-1] == [by_label[label].replace("e6", power) for label in labels]


def test_a_sign_of_a_currency_at_a_figure_says_nothing_of_its_scale() -> None:
    source = table(
        "(In millions, except per share data)|2018|2019",
        "Revenues|$ 36,397|$ 39,117",
        "Converse|1,886|1,906",
        "Change in net gains|(6)|16",
        "Gross margin|43.8%|44.7%",
        "Earnings per common share:||",
        "Basic|$ 1.19|$ 2.55",
        "Diluted|1.17|2.49",
        "Weighted average shares outstanding|1,623|1,579",
    )
    expected = ["USDe6", "USDe6", "USDe6", "%", "USD/股", "USD/股", "股e6"]
    assert units(source) == expected
    assert units(table("Item|2018|2019", "Fee|$ 3.5|$ 4.5")) == ["USD"]
    apart = table("(in thousands)||2018|2019", "Revenue|$|36,397|39,117", "Converse||1,886|1,906")
    assert [figure.measure.power for figure in figures(apart) if figure.measure] == [3] * 4


def test_a_label_of_two_lines_is_one() -> None:
    source = table(
        "项目|2024A|2025E",
        "归属于上市公司股东|5.8|6.7",
        "的净利润||",
        "归属母公司净利润|0.8|0.9",
        "(百万元)||",
        "同比|10.2|14.9",
    )
    assert [figure.labels for figure in figures(source)[::2]] == [
        ("归属于上市公司股东 的净利润",),
        ("归属母公司净利润 (百万元)",),
        ("归属母公司净利润 (百万元)", "同比"),
    ]
    assert units(source) == ["none", "CNYe6", "%"]


def test_lines_left_empty_are_no_headings_where_headings_are_marked() -> None:
    source = table(
        "项目|2024年|2023年",
        "流动资产：||",
        "货币资金|5.8|6.7",
        "拆出资金||",
        "应收账款|0.8|0.9",
        "一、营业总成本||",
        "税金|0.1|0.2",
    )
    assert [figure.labels for figure in figures(source)[::2]] == [
        ("流动资产：", "货币资金"), ("流动资产：", "应收账款"), ("一、营业总成本", "税金")
    ]  # fmt: skip
    blank = ("利息收入||", "已赚保费||", "手续费收入||", "税金|0.1|0.2")
    assert figures(table("项目|2024年|2023年", "收入|5.8|6.7", *blank))[-1].labels == ("税金",)


def test_what_looks_like_a_unit_and_is_none() -> None:
    notes = table("In millions|2018|2019", "Fixed income (b)|8.3|9.5", "Equity (k)|1.2|1.4")
    assert units(notes) == ["e6", "e6"]
    rates = table("项目|期末外币余额|折算汇率", "美元|12,381|7.18", "其中：日元|6,203|0.046")
    assert units(rates) == ["none", "none"]
    peers = table("公司|交易币种|市值 (USDmn)|PB", "台积电|TWD|1,046|5.4", "联电|TWD|14.8|1.3")
    assert units(peers) == ["USDe6 x", "USDe6 x"]
    buybacks = table(
        "Period|Total number of shares purchased|Average price paid per share|"
        "Value that may yet be purchased (in millions)",
        "March|6,625|$ 83.6|$ 14,660",
    )
    assert units(buybacks) == ["none USD/股 USDe6"]


def test_a_bare_sign_tells_no_scale_where_the_document_counts_in_thousands() -> None:
    silent = table(
        "|2018|2019", "Income before taxes|$ 1,118,794|$ 1,035,230", "Basic EPS|$ 1.6|$ 1.7"
    )
    stated = table("(in thousands)|2018|2019", "Revenue|1,109|1,162")
    other_page = replace(stated, page=2)
    assert units_of(silent, surroundings([silent])[0]) == ["USD", "USD/股"]
    assert units_of(silent, surroundings([silent, other_page])[0]) == ["none", "USD/股"]
    assert units_of(silent, surroundings([silent, stated])[0])[0] == "USDe3"


def test_a_row_of_several_labels_without_figures_is_no_heading() -> None:
    source = table("省|市|医院|门诊", "广东|佛山||", "广东|珠海|1|2", "广东|广州|3|4")
    assert [figure.labels for figure in figures(source)[::2]] == [("广东 珠海",), ("广东 广州",)]


HOLDERS = (
    "报告期末普通股股东总数|20,096|优先股股东总数*2|0",
    "前10名股东持股情况*5",
    "股东名称|持股数量|持股比例（%）|质押、标记或冻结情况*2",
    "|||股份状态|数量",
    "邢一|73,272,546|19.63|质押|53,270,000",
    "杜二|10,974,247|2.94|质押|7,600,000",
    "前10名无限售条件股东持股情况*5",
    "股东名称|持有无限售条件股份数量|股份种类|数量",
    "邢一|73,272,546|人民币普通股|73,272,546",
)


def test_a_row_of_heads_below_a_heading_names_the_columns_anew() -> None:
    found = [
        (figure.labels[-1], " ".join(figure.columns), figure.text)
        for figure in figures(table(*HOLDERS, title="前十名股东持股情况表", unit="股"))
    ]
    assert ("邢一", "持股数量", "73,272,546") in found
    assert ("邢一", "持股比例（%）", "19.63") in found
    assert ("邢一", "质押、标记或冻结情况 数量", "53,270,000") in found
    assert ("邢一", "持有无限售条件股份数量", "73,272,546") in found


def test_rows_of_words_below_a_heading_are_no_heads() -> None:
    source = table("项目|2024年", "收入结构*2", "合作方|星河", "海外|30", "国内|70")
    assert [figure.columns for figure in figures(source)] == [("2024年",), ("2024年",)]


def test_cells_in_words_say_figures_too() -> None:
    source = table(
        "指标|现状|理想状态",
        "执业兽医师|约10-12万人|约35万人",
        "旗下医院|~600 家|2027年超过1,000家",
        "评价|供给不足|23.5亿元（+5%）",
        "渗透率|较低|约 25%",
    )
    said = {(each.row, each.column): each for each in figures_in_words(source)}
    assert {key: each.text for key, each in said.items()} == {
        (1, 2): "35万人",
        (2, 1): "600 家",
        (2, 2): "1,000家",
        (4, 2): "25%",
    }
    measure = said[1, 2].measure
    assert measure is not None and (measure.unit, measure.power) == ("人", 4)
    assert said[1, 2].labels == ("执业兽医师",) and said[1, 2].columns == ("理想状态",)


def test_holders_are_counted_in_households_whatever_the_table_is_counted_in() -> None:
    source = table("项目|数量", "报告期末普通股股东总数|30,709", "持股数量|1,000", unit="股")
    assert units(source) == ["户", "股"]
