"""The pet-food interview notes: questions and answers, with a short company table."""

from __future__ import annotations

from brokers import QILING, closing_zh
from drawing.charts import Chart, draw_charts
from drawing.covers import strip_cover
from drawing.layout import Sheet
from drawing.tables import draw_table
from model import ZH_LABELS, Forecast, Meta, Report, Table, num, pct

SOURCE = "资料来源：公司公告，栖岭证券研究中心"
MODEL = Forecast(
    years=("2022A", "2023A", "2024E", "2025E", "2026E"),
    prior_revenue=1080,
    prior_profit=88,
    revenue=(1296, 1620, 2025, 2511, 3064),
    cost=(868, 1053, 1276, 1557, 1869),
    profit=(106, 145, 196, 259, 334),
    equity=(920, 1035, 1190, 1395, 1660),
    shares=140,
    price=42.00,
)
META = Meta(
    file="qiling_tinglan_notes_20240912.pdf",
    title="汀澜宠物调研纪要：自有品牌占比过半，湿粮产能翻倍",
    kind="company",
    language="zh",
    company_code="301885.SZ",
    company_codes=("301885.SZ",),
    company_name="汀澜宠物",
    broker="栖岭证券",
    analysts=("裴小满",),
    rating="增持",
    target_price=46.25,
    published_on="2024-09-12",
)
TALK = (
    (
        "上半年自有品牌和代工业务各占多少？",
        "2024年上半年自有品牌“澜小爪”收入4.95亿元，占总收入的52.1%，首次超过一半；代工业务占41.6%，"
        "其余为宠物医疗分成等。代工占比下降是主动选择，并非客户流失。",
    ),
    (
        "毛利率为什么能够提升？",
        "主要有三点原因：一是鸡胸肉价格同比下降9%；二是湿粮线自动化改造使人工成本下降；三是高端主粮占比提高。"
        "上半年综合毛利率为36.4%，同比提升2.1个百分点。",
    ),
    (
        "原料从哪里采购，会不会受猪周期影响？",
        "鸡肉向三家养殖企业采购，猪肉副产品由禾丘牧业供应，预混料来自谷满农科。猪肉副产品占成本不到8%，"
        "因此猪价上涨对我们的影响有限，但如果猪价单年涨幅超过40%，我们可能会调整配方。",
    ),
    (
        "湿粮新厂的进度如何？",
        "青屿湿粮厂2024年10月投产，设计产能3.6万吨，投产后湿粮总产能由3.2万吨提高到6.8万吨。"
        "预计2025年产能利用率在60%左右，折旧会使当年毛利率承压约0.8个百分点。",
    ),
    (
        "与北榆宠医的合作包括什么？",
        "我们与北榆宠医成立了合资公司榆澜健康，持股49%，不并表。处方粮通过北榆宠医的312家门店销售，"
        "2024年上半年处方粮收入0.36亿元，同比增长85%。",
    ),
    (
        "是否考虑再融资或者海外建厂？",
        "目前没有再融资计划。海外方面正在评估蒙塔的代工厂，尚未作出决定；如果关税上调，我们会加快评估。",
    ),
    (
        "四季度大促的费用投放怎么安排？",
        "我们预计全年销售费用率约21%，较去年提高1个百分点，主要投向内容平台。管理层不会以亏损换份额。",
    ),
)


def build(sheet: Sheet) -> None:
    """Draw the notes: a strip cover, the dialogue, a chart and the forecast."""
    sheet.running = ("栖岭证券·调研纪要", "汀澜宠物 301885｜证券研究报告")
    strip_cover(
        sheet,
        "汀澜宠物（301885.SZ）",
        (("评级", "增持（首次）"), ("目标价", "46.25元"), ("收盘价", "42.00元")),
        "2024年09月12日",
        (
            "证券分析师",
            (
                (
                    "证券分析师：裴小满",
                    "执业证书编号：S0663522050036",
                    "peixm@qiling.example\n0755-5555 0636",
                ),
            ),
        ),
        (
            (
                "公司数据",
                (("总股本（百万股）", "140"), ("总市值（百万元）", num(MODEL.market_value))),
            ),
        ),
    )
    sheet.heading("调研概况", 2)
    sheet.para(
        "汀澜宠物食品股份有限公司（以下简称“汀澜宠物”）于2024年9月10日接待机构调研，"
        "参与人员为董事会秘书颜舟与证券事务代表，形式为现场交流。"
    )
    sheet.heading("核心观点", 2)
    sheet.para(
        f"公司2023年收入{num(MODEL.revenue[1])}百万元，同比增长{pct(MODEL.revenue_growth[1])}；我们预计2024年收入"
        f"{num(MODEL.revenue[2])}百万元，同比增长{pct(MODEL.revenue_growth[2])}。",
        "收入：",
        "■",
    )
    sheet.para(
        f"我们预计2024—2026年归母净利润分别为{num(MODEL.profit[2])}、{num(MODEL.profit[3])}、"
        f"{num(MODEL.profit[4])}百万元，给予2025年25倍市盈率，目标价46.25元，首次覆盖给予“增持”评级。",
        "估值：",
        "■",
    )
    sheet.para("原料涨价；平台流量成本上升；新厂爬坡慢于预期。", "风险提示：", "■")
    sheet.new_page()
    sheet.heading("一、问答实录")
    for question, answer in TALK:
        sheet.para(question, "问：")
        sheet.para(answer, "答：")
    sheet.new_page()
    sheet.heading("二、经营数据与预测")
    draw_charts(
        sheet,
        (
            Chart(
                "图1：自有品牌与代工收入",
                ("2021", "2022", "2023", "24H1"),
                (("自有品牌", (410, 544, 778, 495)), ("代工", (590, 650, 738, 395))),
                (),
                "百万元",
                "",
                SOURCE,
            ),
            Chart(
                "图2：综合毛利率",
                ("22H1", "22H2", "23H1", "23H2", "24H1"),
                (),
                (("毛利率", (32.6, 33.3, 34.3, 35.6, 36.4)),),
                "",
                "%",
                SOURCE,
            ),
        ),
    )
    draw_table(
        sheet,
        Table(
            "表1：2024年上半年收入构成",
            [
                ["业务", "收入", "占比", "同比"],
                ["自有品牌", "495", pct(495 / 950), "38.7%"],
                ["代工", "395", pct(395 / 950), "6.5%"],
                ["宠物医疗分成及其他", "60", pct(60 / 950), "22.4%"],
                ["合计", "950", "100.0%", "22.3%"],
            ],
            "单位：百万元",
            SOURCE,
            bold_rows=(4,),
        ),
        size=8.6,
    )
    draw_table(
        sheet,
        Table("表2：盈利预测与估值", MODEL.rows(ZH_LABELS), "", SOURCE, style="band"),
        size=8.6,
    )
    sheet.heading("三、风险提示")
    sheet.para("新厂爬坡慢于预期：若2025年产能利用率低于50%，我们测算净利润将减少约17百万元。")
    closing_zh(
        sheet,
        [
            ["区域", "姓名", "电话", "邮箱"],
            ["深圳", "尉迟岚", "0755-5555 0713", "yuchil@qiling.example"],
        ],
    )


REPORT = Report(
    META,
    QILING,
    build,
    (
        "占总收入的52.1%，首次超过一半",
        "猪肉副产品由禾丘牧业供应，预混料来自谷满农科",
        "青屿湿粮厂2024年10月投产，设计产能3.6万吨",
        "持股49%，不并表",
        "目前没有再融资计划",
        "管理层不会以亏损换份额",
    ),
)
