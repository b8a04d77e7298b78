"""The initiation report on Xinghe: contents, two-column pages, merged and broken tables."""

from __future__ import annotations

from brokers import YUNLU, closing_zh
from drawing.charts import Chart, draw_charts
from drawing.covers import banner_cover, contents, wide
from drawing.layout import Sheet
from drawing.tables import draw_table
from model import ZH_LABELS, Meta, Report, Table, num, pct
from reports.zh_xinghe_figures import ESTIMATE, MODEL, SOURCE
from reports.zh_xinghe_forecast import forecast

META = Meta(
    file="yunlu_xinghe_initiation_20250418.pdf",
    title="星河新材首次覆盖：高压实磷酸铁锂放量，一体化布局降本领先",
    kind="company",
    language="zh",
    company_code="688991.SH",
    company_codes=("688991.SH",),
    company_name="星河新材",
    broker="云麓证券",
    analysts=("林望舒", "顾清野"),
    rating="买入",
    target_price=38.00,
    published_on="2025-04-18",
)


def cover(sheet: Sheet) -> None:
    """Draw the cover with the key-data column and the forecast table."""
    banner_cover(
        sheet,
        "星河新材（688991.SH）",
        "证券研究报告·公司深度报告",
        "买入（首次）",
        "2025年04月18日",
        (
            "证券分析师",
            (
                (
                    "证券分析师：林望舒",
                    "执业证书编号：S0990523040017",
                    "邮箱：linws@yunlu-sec.example\n电话：021-5555 0117",
                ),
                (
                    "证券分析师：顾清野",
                    "执业证书编号：S0990521110032",
                    "邮箱：guqy@yunlu-sec.example\n电话：021-5555 0132",
                ),
            ),
        ),
        (
            (
                "市场数据",
                (
                    ("收盘价（元）", num(MODEL.price, 2)),
                    ("目标价（元）", "38.00"),
                    ("总股本（百万股）", num(MODEL.shares)),
                    ("总市值（百万元）", num(MODEL.market_value)),
                    ("流通股比例", "64.2%"),
                    ("一年内最高/最低", "35.80/18.46"),
                ),
            ),
            (
                "基础数据",
                (
                    ("每股净资产（元）", num(MODEL.equity[1] / MODEL.shares, 2)),
                    ("净资产收益率", pct(MODEL.roe[1])),
                    ("毛利率", pct(MODEL.margin[1])),
                    ("资产负债率", "48.6%"),
                ),
            ),
            ("相关报告", (("《储能材料季度跟踪：价格见底》2025-03-06", ""),)),
        ),
    )
    grew, profit = MODEL.revenue_growth, MODEL.profit_growth
    sheet.heading("核心观点", 2)
    sheet.para(
        "星河新材料科技股份有限公司（以下简称“星河新材”或“公司”，2021年由蓝桥磷化股份有限公司更名）"
        f"主营磷酸铁锂正极材料。2024年公司实现营业收入{num(MODEL.revenue[1])}百万元，同比增长"
        f"{pct(grew[1])}；归母净利润{num(MODEL.profit[1])}百万元，同比增长{pct(profit[1])}。",
        "储能正极龙头之一，盈利先于行业修复。",
        "▪",
    )
    sheet.para(
        "公司最大客户为电芯企业澄光储能，2024年贡献收入占比38.5%；第二大客户凌峤科技占比14.2%。"
        "上游碳酸锂主要向锂衡资源采购，并签有三年期长单，采购价随行就市。",
        "绑定核心电芯客户，长单锁定上游。",
        "▪",
    )
    sheet.para(
        "高压实产品每吨加工费较常规产品高出约1,800元，受益于大容量电芯换代，预计2026年"
        "高压实产品占出货量的比例由2024年的12%提升至45%，从而带动毛利率上行。",
        "产品结构升级导致加工费上行。",
        "▪",
    )
    sheet.para(
        f"我们预计公司2025—2027年营业收入分别为{num(MODEL.revenue[2])}、{num(MODEL.revenue[3])}、"
        f"{num(MODEL.revenue[4])}百万元，归母净利润分别为{num(MODEL.profit[2])}、"
        f"{num(MODEL.profit[3])}、{num(MODEL.profit[4])}百万元。给予2026年20倍市盈率，对应目标价"
        "38.00元，首次覆盖给予“买入”评级。",
        "投资建议：",
        "▪",
    )
    sheet.para(
        "原材料价格大幅波动；下游储能装机不及预期；客户集中度较高；新产能投放延后。",
        "风险提示：",
        "▪",
    )
    wide(sheet)
    sheet.y = max(sheet.y, 560)
    draw_table(
        sheet,
        Table("盈利预测与估值", MODEL.rows(ZH_LABELS), "", ESTIMATE, style="band"),
        size=7.6,
    )


def business(sheet: Sheet) -> None:
    """Draw the chapters on the company and its market."""
    sheet.new_page()
    sheet.heading("1 公司概况：由磷化工走向储能正极")
    sheet.heading("1.1 历史沿革与股权结构", 2)
    sheet.para(
        "公司前身蓝桥磷化成立于2008年，早期生产工业磷酸；2016年切入磷酸铁前驱体，2019年芷州一期"
        "磷酸铁锂投产，2021年完成更名并在科创板上市。截至2024年末，控股股东蓝桥控股持股36.8%，"
        "澄光储能作为战略投资者持股4.9%，公司与澄光储能之间不存在控制关系。"
    )
    sheet.para(
        "公司旗下有三家主要子公司：星河循环负责电池回收，岚川磷铁负责前驱体，星河国际负责海外业务。"
        "其中星河循环由公司持股70%，其余30%由汐原电力持有，双方约定退役储能电池优先交由星河循环处理。"
    )
    draw_charts(
        sheet,
        (
            Chart(
                "图1：公司营业收入与增速",
                MODEL.years,
                (("营业收入", MODEL.revenue),),
                (("同比增速（右轴）", [v * 100 for v in MODEL.revenue_growth]),),
                "百万元",
                "%",
                ESTIMATE,
            ),
            Chart(
                "图2：公司归母净利润与增速",
                MODEL.years,
                (("归母净利润", MODEL.profit),),
                (("同比增速（右轴）", [v * 100 for v in MODEL.profit_growth]),),
                "百万元",
                "%",
                ESTIMATE,
            ),
        ),
    )
    sheet.heading("1.2 客户与供应商", 2)
    sheet.para(
        "公司前五大客户合计占收入的71.3%，集中度高于同业铄星材料。若澄光储能转向自建正极产能，"
        "公司短期出货可能下滑；但据公司披露，双方的供货协议有效期至2027年末，且约定了最低采购量。"
    )
    draw_table(
        sheet,
        Table(
            "表1：2024年主要客户与供应商",
            [
                ["类别", "名称", "产品", "金额（百万元）", "占比"],
                ["客户", "澄光储能", "磷酸铁锂", num(6312 * 0.385), "38.5%"],
                ["^", "凌峤科技", "磷酸铁锂", num(6312 * 0.142), "14.2%"],
                ["^", "远岫能源", "磷酸铁锂（代工电芯用）", num(6312 * 0.081), "8.1%"],
                ["供应商", "锂衡资源", "碳酸锂", num(5239 * 0.297), "29.7%"],
                ["^", "谷满农科", "工业磷酸一铵", num(5239 * 0.064), "6.4%"],
            ],
            "单位：百万元",
            SOURCE,
            widths=(1, 1.3, 2, 1.3, 1),
            align_left=(0, 1, 2),
        ),
        size=8.4,
    )
    sheet.new_page()
    sheet.heading("2 行业分析：储能需求接力动力电池")
    sheet.two_columns(
        (
            (
                "需求端：",
                "2024年国内新型储能新增装机42.5吉瓦时，同比增长58%。独立储能容量电价机制在六个省份试点后，"
                "电站内部收益率由5.1%升至7.4%，运营商汐原电力的招标规模因此翻倍。我们预计2025年新增装机"
                "62.0吉瓦时，如果容量电价在全国推广，2026年装机可能超过85吉瓦时。",
            ),
            (
                "供给端：",
                "磷酸铁锂行业名义产能超过450万吨，产能利用率约为56%，但能够稳定供应第四代高压实产品的企业不超过"
                "四家。铄星材料虽然规模最大，但其高压实产品良率仍未达到客户要求，短期内不会对公司构成实质冲击。",
            ),
            (
                "价格端：",
                "碳酸锂价格自2022年高点回落约八成，正极企业的库存减值压力基本释放。加工费在2024年三季度触底，"
                "四季度起头部企业陆续提价，原因是中小产能持续亏损而退出。",
            ),
            (
                "技术端：",
                "大容量电芯要求正极压实密度达到2.60克每立方厘米以上。公司采用二次烧结工艺，单吨电耗较行业平均低"
                "11%，并已取得37项相关专利。钠离子电池目前成本仍高，未来两年难以替代磷酸铁锂。",
            ),
            (
                "政策端：",
                "《新型储能规模化建设行动方案》提出到2027年装机规模达到180吉瓦以上；出口管制目录自2025年7月起"
                "将高压实正极制备技术列入限制范围，这并不限制产品出口，但会延缓海外建厂审批。",
            ),
        )
    )
    draw_charts(
        sheet,
        (
            Chart(
                "图3：国内新型储能新增装机",
                ("2022", "2023", "2024", "2025E", "2026E"),
                (("新增装机", (15.9, 26.9, 42.5, 62.0, 80.6)),),
                (),
                "吉瓦时",
                "",
                "资料来源：行业协会，云麓证券研究所预测",
            ),
            Chart(
                "图4：碳酸锂与正极加工费走势",
                ("24Q1", "24Q2", "24Q3", "24Q4", "25Q1"),
                (),
                (
                    ("碳酸锂", (10.2, 10.6, 7.8, 7.6, 7.5)),
                    ("加工费（千元）", (15.4, 14.8, 14.1, 14.9, 15.6)),
                ),
                "",
                "万元/吨",
                "资料来源：百材网，云麓证券研究所",
            ),
        ),
        110,
    )


def build(sheet: Sheet) -> None:
    """Draw the whole report."""
    sheet.running = ("云麓证券·研究创造远见", "证券研究报告｜公司深度报告｜电力设备")
    cover(sheet)
    contents(sheet, "目录", "图表目录")
    business(sheet)
    forecast(sheet)
    closing_zh(
        sheet,
        [
            ["区域", "姓名", "电话", "邮箱"],
            ["华东", "邵一苇", "021-5555 0201", "shaoyw@yunlu-sec.example"],
            ["华北", "童嘉树", "010-5555 0202", "tongjs@yunlu-sec.example"],
            ["华南", "霍青禾", "0755-5555 0203", "huoqh@yunlu-sec.example"],
        ],
    )


REPORT = Report(
    META,
    YUNLU,
    build,
    (
        "公司最大客户为电芯企业澄光储能，2024年贡献收入占比38.5%",
        "首次覆盖给予“买入”评级",
        "公司与澄光储能之间不存在控制关系",
        "双方约定退役储能电池优先交由星河循环处理",
        "如果容量电价在全国推广，2026年装机可能超过85吉瓦时",
        "公司岚川基地磷酸铁自供率达到92%",
        "我们的盈利预测不包含该基地的任何贡献",
    ),
)
