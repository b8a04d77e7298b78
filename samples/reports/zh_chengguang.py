"""The A+H update on Chengguang: a vertical side title and three-line tables."""

from __future__ import annotations

from brokers import HENGYU, closing_zh
from drawing.charts import Chart, draw_charts
from drawing.covers import strip_cover
from drawing.layout import Sheet
from drawing.tables import draw_table
from model import ZH_LABELS, Forecast, Meta, Report, Table, num, pct

SOURCE = "资料来源：公司资料，衡屿国际证券研究部预测"
MODEL = Forecast(
    years=("2023A", "2024A", "2025E", "2026E", "2027E"),
    prior_revenue=14600,
    prior_profit=905,
    revenue=(18250, 22630, 28740, 35925, 43110),
    cost=(15148, 18557, 23423, 29099, 34703),
    profit=(1168, 1562, 2184, 2912, 3640),
    equity=(9120, 10460, 15680, 17900, 20700),
    shares=1820,
    price=31.60,
)
META = Meta(
    file="hengyu_chengguang_update_20260115.pdf",
    title="澄光储能：港股上市补充弹药，大电芯出货提速",
    kind="company",
    language="zh",
    company_code="688992.SH",
    company_codes=("688992.SH", "04917.HK"),
    company_name="澄光储能",
    broker="衡屿国际证券",
    analysts=("闻人澈", "沙予宁"),
    rating="买入",
    target_price=40.00,
    published_on="2026-01-15",
)


def build(sheet: Sheet) -> None:
    """Draw the A+H update with a vertical title in the margin strip."""
    sheet.running = ("衡屿国际｜澄光储能", "2026年1月 证券研究报告")
    strip_cover(
        sheet,
        "澄光储能（688992.SH/04917.HK）",
        (
            ("评级", "买入（维持）"),
            ("A股目标价", "40.00 元"),
            ("A股现价", "31.60 元"),
            ("潜在升幅", pct(40 / 31.6 - 1)),
        ),
        "2026年1月15日",
        (
            "分析师",
            (
                (
                    "证券分析师：闻人澈",
                    "执业证书编号：S0771520030008",
                    "wenrenche@hengyu.example\n(852) 5555 0808",
                ),
                (
                    "证券分析师：沙予宁",
                    "执业证书编号：S0771522090013",
                    "shayn@hengyu.example\n(852) 5555 0813",
                ),
            ),
        ),
        (
            (
                "关键数据",
                (
                    ("总股本（百万股）", num(MODEL.shares)),
                    ("其中：A股", "1,560"),
                    ("其中：H股", "260"),
                    ("A股总市值口径", num(MODEL.market_value)),
                    ("日均成交（百万元）", "418"),
                ),
            ),
        ),
    )
    sheet.heading("核心观点", 2)
    sheet.para(
        "澄光储能科技股份有限公司（以下简称“澄光储能”，"
        "市场俗称“储芯一哥”）2025年12月18日完成港股发行，"
        "募集净额42.6亿元，其中六成用于汐口628安时大电芯产线，其余用于海外售后网络及补充营运资金。",
        "港股募资落地。",
        "■",
    )
    sheet.para(
        f"我们预计公司2025年收入{num(MODEL.revenue[2])}百万元，同比增长{pct(MODEL.revenue_growth[2])}；"
        ""
        f"归母净利润{num(MODEL.profit[2])}百万元，"
        f"同比增长{pct(MODEL.profit_growth[2])}。大电芯降低系统集成成本约7%，"
        "远岫能源与蓬山电气均已导入。",
        "业绩高增可期。",
        "■",
    )
    sheet.para(
        "子公司澄光动力系统股份有限公司（以下简称“澄光动力”，301881.SZ）专注工程机械电池，"
        "澄光储能持有其51.2%股权。澄光动力并非储能业务主体，投资者不应将两者的出货数据相加。",
        "区分母子公司口径。",
        "■",
    )
    sheet.para(
        "正极来自星河新材与铄星材料，隔膜来自隔川膜业。2025年公司把星河新材的采购份额由55%降到47%，"
        "以分散供应风险，预计2026年继续降至40%左右。",
        "供应链多元化。",
        "■",
    )
    sheet.para(
        "给予2026年25倍市盈率，"
        f"对应每股收益{num(MODEL.eps[3], 2)}元，目标价40.00元，维持“买入”评级。",
        "估值：",
        "■",
    )
    sheet.para("关税上调；电芯价格战；汇率波动。", "风险提示：", "■")
    sheet.new_page()
    sheet.heading("盈利预测：大电芯驱动量利齐升")
    draw_table(
        sheet,
        Table("表1：盈利预测摘要", MODEL.rows(ZH_LABELS), "人民币", SOURCE, style="three"),
        size=8.6,
    )
    shipments = (28.4, 38.6, 54.2, 71.5, 88.0)
    draw_charts(
        sheet,
        (
            Chart(
                "图1：储能电芯出货量",
                MODEL.years,
                (("出货量", shipments),),
                (),
                "吉瓦时",
                "",
                SOURCE,
            ),
            Chart(
                "图2：归母净利润与净资产收益率",
                MODEL.years,
                (("归母净利润", MODEL.profit),),
                (("净资产收益率（右轴）", [v * 100 for v in MODEL.roe]),),
                "百万元",
                "%",
                SOURCE,
            ),
        ),
    )
    sheet.para(
        "公司2025年储能电芯出货量预计为54.2吉瓦时，"
        "其中海外占比41%。受益于沃兰与蒙塔两地大型电站交付，"
        "海外毛利率较国内高出9.3个百分点。"
    )
    sheet.para(
        "如果目标市场的关税税率由10%上调至25%，我们测算公司2026年归母净利润将减少约260百万元；"
        "反之，如沃兰售后中心如期投运，公司有望转嫁约一半的新增成本。"
    )
    sheet.new_page()
    sheet.heading("分部与股权结构")
    segments = [
        ("储能电芯", 16974, 22130),
        ("储能电池簇", 3166, 3880),
        ("澄光动力（工程机械电池）", 2490, 2730),
    ]
    total = [sum(s[1] for s in segments), sum(s[2] for s in segments)]
    draw_table(
        sheet,
        Table(
            "表2：分部收入",
            [
                ["分部", "2024A", "<", "2025E", "<", "同比"],
                ["^", "收入", "占比", "收入", "占比", "^"],
                *(
                    [n, num(a), pct(a / total[0]), num(b), pct(b / total[1]), pct(b / a - 1)]
                    for n, a, b in segments
                ),
                [
                    "合计",
                    num(total[0]),
                    "100.0%",
                    num(total[1]),
                    "100.0%",
                    pct(MODEL.revenue_growth[2]),
                ],
            ],
            "人民币百万元",
            SOURCE,
            header_rows=2,
            style="three",
            widths=(2.2, 1, 1, 1, 1, 1),
            bold_rows=(5,),
        ),
        size=8.6,
    )
    draw_table(
        sheet,
        Table(
            "表3：主要股东（港股发行后）",
            [
                ["股东", "类别", "持股（百万股）", "比例"],
                ["澄光控股", "A股", "637", pct(637 / 1820)],
                ["汐原电力", "A股", "91", pct(91 / 1820)],
                ["其他A股股东", "A股", "832", pct(832 / 1820)],
                ["H股公众股东", "H股", "260", pct(260 / 1820)],
                ["合计", "—", "1,820", "100.0%"],
            ],
            "",
            SOURCE,
            style="three",
            align_left=(0, 1),
            bold_rows=(5,),
        ),
        size=8.6,
    )
    sheet.heading("竞争格局", 2)
    sheet.para(
        "凌峤科技2025年出货31.0吉瓦时，为公司最主要的竞争对手；双方在独立储能招标中报价差距已缩小至"
        "每瓦时0.004元。凌峤科技尚未量产628安时电芯，预计最早在2026年四季度投产。"
    )
    sheet.heading("风险提示", 2)
    sheet.para("电芯价格战：若凌峤科技以低于现金成本的报价投标，公司国内毛利率可能跌破14%。")
    sheet.para("汇率波动：公司未对全部海外应收款做套期保值，人民币升值5%将减少利润约95百万元。")
    closing_zh(
        sheet,
        [
            ["团队", "姓名", "电话", "邮箱"],
            ["机构销售", "卢栖梧", "+852 5555 0901", "luqw@hengyu.example"],
        ],
    )


REPORT = Report(
    META,
    HENGYU,
    build,
    (
        "募集净额42.6亿元",
        "澄光动力并非储能业务主体",
        "2025年公司把星河新材的采购份额由55%降到47%",
        "公司2025年储能电芯出货量预计为54.2吉瓦时",
        "凌峤科技尚未量产628安时电芯",
        "人民币升值5%将减少利润约95百万元",
    ),
)
