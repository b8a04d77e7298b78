"""The second half of the Xinghe initiation: strengths, forecast, peers and risks."""

from __future__ import annotations

from drawing.charts import Chart, draw_charts
from drawing.layout import Sheet
from drawing.tables import draw_table
from model import Table, num, pct
from reports.zh_xinghe_figures import (
    ESTIMATE,
    LEVELS,
    MODEL,
    PRODUCTS,
    SOURCE,
    plan_rows,
    product_rows,
)


def forecast(sheet: Sheet) -> None:
    """Draw the chapters on strengths, forecast, valuation and risks."""
    sheet.heading("3 竞争优势：一体化与规模摊薄成本")
    sheet.para(
        "公司岚川基地磷酸铁自供率达到92%，使单吨成本较外购降低约1,150元。星河循环从退役电池中回收的碳酸锂"
        "可满足公司约6%的需求。由于回收料不享受长单折扣，回收业务的价值更多体现在供应安全而非成本。"
    )
    draw_table(
        sheet,
        Table(
            "表2：正极材料企业对比（2024年）",
            [
                ["公司", "代码", "产能与出货", "<", "盈利水平", "<"],
                ["^", "^", "产能（万吨）", "出货（万吨）", "毛利率", "单吨净利（元）"],
                ["星河新材", "688991.SH", "9.0", "8.6", pct(MODEL.margin[1]), "5,872"],
                ["铄星材料", "688993.SH", "21.0", "14.3", "11.2%", "1,240"],
                ["行业平均", "—", "—", "—", "6.8%", "-310"],
            ],
            "",
            SOURCE,
            header_rows=2,
            style="three",
            widths=(1.2, 1.2, 1, 1, 1, 1.1),
            align_left=(0, 1),
        ),
        size=8.4,
    )
    sheet.heading("3.1 研发与工艺", 2)
    sheet.para(
        "公司2024年研发费用221百万元，占收入3.5%，研发人员386人。核心工艺由首席科学家宁远舟博士带队开发，"
        "二次烧结技术使产品一次合格率由91%提升至96%。公司没有将研发支出资本化。"
    )
    draw_table(
        sheet,
        Table(
            "表3：研发投入",
            [
                ["项目", "2022A", "2023A", "2024A"],
                ["研发费用", "125", "168", "221"],
                ["占收入比重", pct(125 / 4180), pct(168 / 5260), pct(221 / 6312)],
                ["研发人员（人）", "254", "312", "386"],
                ["有效专利（项）", "19", "28", "37"],
            ],
            "单位：百万元",
            SOURCE,
            style="three",
        ),
        size=8.4,
    )
    sheet.para(
        "与铄星材料相比，公司单吨折旧高约220元，但能耗与磷源成本低约1,370元，综合成本优势约1,150元。"
    )
    sheet.heading("3.2 产能规划", 2)
    sheet.para(
        "截至报告日，公司拥有磷酸铁锂有效产能9.0万吨，在建高压实产能11.0万吨。芷州三期投产后，"
        "2025年末产能将达到16.5万吨（含技改新增1.5万吨）。"
    )
    draw_charts(
        sheet,
        (
            Chart(
                "图5：公司磷酸铁锂年末有效产能（不含海外）",
                ("2023", "2024", "2025E", "2026E", "2027E"),
                (("年末产能", (9.0, 9.0, 16.5, 21.5, 21.5)),),
                (),
                "万吨",
                "",
                ESTIMATE,
            ),
        ),
        96,
    )
    draw_table(
        sheet,
        Table(
            "表4：公司主要基地与产能规划",
            plan_rows(),
            "单位：万吨",
            SOURCE,
            widths=(1.3, 1.5, 1.4, 1.2, 3),
            align_left=(0, 1, 4),
        ),
        size=9.6,
        more="表4（续）：公司主要基地与产能规划",
    )
    sheet.heading("4 盈利预测与估值")
    sheet.heading("4.1 分业务预测", 2)
    lfp = PRODUCTS[0][1]
    sheet.para(
        f"我们预计2025年磷酸铁锂正极材料收入{num(lfp[2])}百万元，"
        f"同比增长{pct(lfp[2] / lfp[1] - 1)}，"
        "主要假设为出货量由8.6万吨增至12.1万吨；磷酸铁前驱体以自用为主，外售收入平稳增长。"
    )
    draw_table(
        sheet,
        Table(
            "表5：分业务收入预测",
            product_rows(),
            "单位：百万元",
            ESTIMATE,
            widths=(1.7, 0.8, 1, 1, 1, 1, 1),
            align_left=(0, 1),
            bold_rows=(10, 11),
        ),
        size=8.4,
    )
    sheet.heading("4.2 相对估值", 2)
    sheet.para(
        "我们选取铄星材料、隔川膜业、凌峤科技作为可比公司，2026年平均市盈率为21.0倍。考虑到客户集中，"
        "我们给予公司2026年20倍市盈率，略低于可比公司平均水平。"
    )
    draw_table(
        sheet,
        Table(
            "表6：可比公司估值",
            [
                ["公司", "代码", "收盘价（元）", "每股收益（元）", "<", "市盈率（倍）", "<"],
                ["^", "^", "^", "2025E", "2026E", "2025E", "2026E"],
                ["铄星材料", "688993.SH", "22.50", "0.75", "1.00", "30.0", "22.5"],
                ["隔川膜业", "301882.SZ", "41.40", "1.80", "2.30", "23.0", "18.0"],
                ["凌峤科技", "301883.SZ", "67.50", "2.50", "3.00", "27.0", "22.5"],
                ["平均", "<", "<", "—", "—", "26.7", "21.0"],
            ],
            "",
            "资料来源：云麓证券研究所，收盘价为2025年4月17日",
            header_rows=2,
            widths=(1.2, 1.2, 1.1, 1, 1, 1, 1),
            align_left=(0, 1),
        ),
        size=8.4,
    )
    sheet.heading("5 风险提示")
    risks = (
        ("原材料价格大幅波动：", "若碳酸锂价格单季下跌超过20%，公司可能需要计提存货跌价准备。"),
        ("客户集中度较高：", "如果澄光储能缩减采购，公司2026年收入可能较我们的预测低8%至10%。"),
        (
            "新产能投放延后：",
            "岚川三期能评批复尚未取得，若推迟半年，预计影响2026年净利润约60百万元。",
        ),
        ("海外政策变化：", "沃兰海外基地尚未签约，我们的盈利预测不包含该基地的任何贡献。"),
    )
    for lead, text in risks:
        sheet.para(text, lead)
    sheet.need(210)
    sheet.heading("附：财务预测摘要", 2)
    expenses = [r - c - p * 1.18 for r, c, p in zip(*LEVELS, strict=True)]
    draw_table(
        sheet,
        Table(
            "表7：利润表摘要",
            [
                ["项目", *MODEL.years],
                ["营业收入", *(num(v) for v in MODEL.revenue)],
                ["营业成本", *(num(v) for v in MODEL.cost)],
                ["期间费用及其他", *(num(v) for v in expenses)],
                ["利润总额", *(num(p * 1.18) for p in MODEL.profit)],
                ["所得税", *(num(p * 1.18 - p) for p in MODEL.profit)],
                ["归母净利润", *(num(p) for p in MODEL.profit)],
            ],
            "单位：百万元",
            ESTIMATE,
            style="band",
            bold_rows=(6,),
        ),
        size=8.4,
    )
