"""The later review of Xinghe by another broker: lower forecasts, borderless tables."""

from __future__ import annotations

from brokers import CANGLAN, closing_zh
from drawing.charts import Chart, draw_charts
from drawing.covers import ledger_cover, wide
from drawing.layout import Sheet
from drawing.tables import draw_table
from model import ZH_LABELS, Forecast, Meta, Report, Table, num, pct

SOURCE = "资料来源：公司公告，沧澜证券研究院"
MODEL = Forecast(
    years=("2023A", "2024A", "2025E", "2026E", "2027E"),
    prior_revenue=4180,
    prior_profit=388,
    revenue=(5260, 6312, 7450, 8860, 10280),
    cost=(4419, 5239, 6198, 7336, 8481),
    profit=(402, 505, 610, 806, 988),
    equity=(3350, 3815, 4325, 5010, 5850),
    shares=520,
    price=26.80,
)
META = Meta(
    file="canglan_xinghe_q3_20251030.pdf",
    title="2025年三季报点评：加工费修复慢于预期，芷州三期爬坡",
    kind="company",
    language="zh",
    company_code="688991.SH",
    company_codes=("688991.SH",),
    company_name="星河新材",
    broker="沧澜证券",
    analysts=("卓闻溪",),
    rating="增持",
    target_price=31.00,
    published_on="2025-10-30",
)
NINE, NINE_PRIOR, THIRD, THIRD_PRIOR = 5388.0, 4710.0, 1932.0, 1680.0
NINE_NET, NINE_NET_PRIOR, THIRD_NET, THIRD_NET_PRIOR = 436.0, 372.0, 158.0, 141.0


def build(sheet: Sheet) -> None:
    """Draw the quarterly review: a left fact column and borderless tables."""
    sheet.running = ("沧澜证券·公司季报点评系列", "星河新材（688991）季报点评")
    ledger_cover(
        sheet,
        "证券研究报告·2025年三季报点评",
        "星河新材（688991.SH）电力设备",
        "增持（下调）",
        ("当前价：26.80 元", "目标价：31.00 元（6个月）"),
        "2025年10月30日",
        (
            "沧澜证券研究院",
            (
                (
                    "分析师：卓闻溪",
                    "执业证号：S0880518070046",
                    "电话：0571-5555 0346\n邮箱：zhuowx@canglan.example",
                ),
            ),
        ),
        (
            (
                "基础数据",
                (
                    ("总股本（百万股）", num(MODEL.shares)),
                    ("总市值（百万元）", num(MODEL.market_value)),
                    ("52周区间（元）", "23.10-36.40"),
                    ("总资产（百万元）", "8,214"),
                ),
            ),
            ("相关研究", (("《星河新材：产能消化待观察》（2025-08-27）", ""),)),
        ),
    )
    sheet.heading("投资要点", 2)
    sheet.para(
        f"2025年前三季度，公司实现营业收入{num(NINE)}百万元，同比增长{pct(NINE / NINE_PRIOR - 1)}；"
        f"归母净利润{num(NINE_NET)}百万元，同比增长{pct(NINE_NET / NINE_NET_PRIOR - 1)}。"
        "其中第三季度收入"
        f"{num(THIRD)}百万元，同比增长{pct(THIRD / THIRD_PRIOR - 1)}。",
        "事件：",
        "◆",
    )
    sheet.para(
        "第三季度高压实产品占比升至26%，但由于铄星材料新产线集中释放，行业加工费仅环比上升2%，"
        "低于我们此前预期的6%，从而拖累单吨盈利。",
        "加工费修复慢于预期。",
        "◆",
    )
    sheet.para(
        "芷州三期于2025年8月转固，较原计划推迟两个月，导致当季折旧增加约18百万元。"
        "公司并未下调全年出货指引，仍为11.5万吨。",
        "新产能爬坡拖累费用。",
        "◆",
    )
    sheet.para(
        "澄光储能占公司收入的比例由2024年的38.5%降至33.6%，新增客户蓬山电气于三季度开始批量提货，"
        "客户集中度风险有所缓解。",
        "客户结构改善。",
        "◆",
    )
    sheet.para(
        f"我们下调2025—2027年归母净利润至{num(MODEL.profit[2])}、{num(MODEL.profit[3])}、{num(MODEL.profit[4])}百万元"
        "（原值为690、905、1,120百万元），给予2026年20倍市盈率，目标价31.00元，评级由“买入”下调至“增持”。",
        "盈利预测与投资建议：",
        "◆",
    )
    sheet.para("加工费再度下行；海外审批延缓；存货减值。", "风险提示：", "◆")
    wide(sheet)
    sheet.y = max(sheet.y, 575)
    draw_table(
        sheet,
        Table("指标与估值", MODEL.rows(ZH_LABELS), "", SOURCE, style="three"),
        size=7.6,
    )
    detail(sheet)
    closing_zh(
        sheet,
        [
            ["职务", "姓名", "手机", "邮箱"],
            ["销售总监", "岑以南", "138-0000-0461", "cenyn@canglan.example"],
            ["销售经理", "柏舒言", "138-0000-0462", "baisy@canglan.example"],
        ],
    )


def detail(sheet: Sheet) -> None:
    """Draw the quarter's figures and the revised forecast."""
    sheet.new_page()
    sheet.heading("1 单季度业绩拆分")
    draw_table(
        sheet,
        Table(
            "表1：前三季度与第三季度主要指标",
            [
                ["指标", "前三季度", "<", "<", "第三季度", "<", "<"],
                ["^", "2024", "2025", "同比", "2024", "2025", "同比"],
                [
                    "营业收入",
                    *(num(NINE_PRIOR), num(NINE), pct(NINE / NINE_PRIOR - 1)),
                    *(num(THIRD_PRIOR), num(THIRD), pct(THIRD / THIRD_PRIOR - 1)),
                ],
                [
                    "归母净利润",
                    *(num(NINE_NET_PRIOR), num(NINE_NET), pct(NINE_NET / NINE_NET_PRIOR - 1)),
                    *(num(THIRD_NET_PRIOR), num(THIRD_NET), pct(THIRD_NET / THIRD_NET_PRIOR - 1)),
                ],
                [
                    "归母净利率",
                    *(pct(NINE_NET_PRIOR / NINE_PRIOR), pct(NINE_NET / NINE), "—"),
                    *(pct(THIRD_NET_PRIOR / THIRD_PRIOR), pct(THIRD_NET / THIRD), "—"),
                ],
            ],
            "单位：百万元",
            SOURCE,
            header_rows=2,
            style="three",
        ),
        size=8.4,
    )
    draw_charts(
        sheet,
        (
            Chart(
                "图1：单季度营业收入",
                ("24Q3", "24Q4", "25Q1", "25Q2", "25Q3"),
                (("营业收入", (1680, 1602, 1658, 1798, 1932)),),
                (),
                "百万元",
                "",
                SOURCE,
            ),
            Chart(
                "图2：单季度毛利率与净利率",
                ("24Q3", "24Q4", "25Q1", "25Q2", "25Q3"),
                (),
                (
                    ("毛利率", (17.2, 16.8, 17.3, 16.9, 16.4)),
                    ("净利率", (8.4, 8.3, 8.2, 7.9, 8.2)),
                ),
                "",
                "%",
                SOURCE,
            ),
        ),
    )
    sheet.heading("2 盈利预测调整")
    sheet.para(
        "本次调整的主要原因是加工费假设由每吨16,200元下调至15,700元，同时将2026年出货量由15.8万吨"
        "下调至14.6万吨。若加工费重新站上16,500元，我们可能上调预测。"
    )
    old = (690, 905, 1120)
    draw_table(
        sheet,
        Table(
            "表2：归母净利润预测调整",
            [
                ["年度", "调整前", "调整后", "变动幅度"],
                *(
                    [MODEL.years[k + 2], num(was), num(now), pct(now / was - 1)]
                    for k, (was, now) in enumerate(zip(old, MODEL.profit[2:], strict=True))
                ),
            ],
            "单位：百万元",
            SOURCE,
            style="band",
        ),
        size=8.4,
    )
    sheet.new_page()
    sheet.heading("3 分歧与跟踪要点")
    sheet.two_columns(
        (
            (
                "与市场的分歧：",
                "市场普遍认为高压实正极供不应求的局面会延续到2027年，我们认为铄星材料的新产线"
                "将在2026年二季度满产，届时供需缺口收窄，加工费上行空间有限。",
            ),
            (
                "跟踪指标：",
                "一是月度正极排产；二是澄光储能对星河新材的采购份额；三是岚川三期的能评批复时间。"
                "若批复在2025年底前取得，2026年四季度可贡献增量。",
            ),
            (
                "供应端：",
                "公司与锂衡资源的长单将于2026年6月到期，续签条款尚未公布。由于现货价格低于长单价，"
                "公司可能减少长单比例。",
            ),
            (
                "回收业务：",
                "星河循环三季度处理退役电池0.4万吨，汐原电力提供了其中的六成；该业务仍处亏损，"
                "短期内不会成为利润来源。",
            ),
        )
    )
    sheet.heading("4 风险提示")
    sheet.para(
        "加工费再度下行的风险：行业名义产能仍然过剩，如果铄星材料继续以价换量，公司单吨净利可能回落。"
    )
    sheet.para(
        "海外审批延缓的风险：沃兰海外基地至今未签约，公司管理层表示不会在2026年上半年前作出决定。"
    )


REPORT = Report(
    META,
    CANGLAN,
    build,
    (
        "第三季度高压实产品占比升至26%",
        "新增客户蓬山电气于三季度开始批量提货",
        "评级由“买入”下调至“增持”",
        "本次调整的主要原因是加工费假设由每吨16,200元下调至15,700元",
        "公司管理层表示不会在2026年上半年前作出决定",
    ),
)
