"""The third-quarter filing of Yuanxiu: statements whose figures obey accounting identities."""

from __future__ import annotations

from brokers import FILING
from drawing.layout import BLACK, Sheet
from drawing.tables import draw_table
from model import Meta, Report, Table, num, pct
from reports.zh_filing_statements import (
    FLOW,
    PARENT_NET,
    REVENUE,
    balance_rows,
    cash_rows,
    income_rows,
    show,
)

META = Meta(
    file="yuanxiu_q3_report_20251028.pdf",
    title="远岫能源系统股份有限公司2025年第三季度报告",
    kind="filing",
    language="zh",
    company_code="605981.SH",
    company_codes=("605981.SH",),
    company_name="远岫能源",
    broker="",
    analysts=(),
    rating="",
    target_price=None,
    published_on="2025-10-28",
)


def change(values: tuple[float, float]) -> str:
    """Return the printed growth of the newer period over the older."""
    return pct(values[0] / values[1] - 1, 2)


def front(sheet: Sheet) -> None:
    """Draw the front page with the key figures."""
    sheet.new_page(header=False)
    sheet.text(48, 60, "证券代码：605981", 10)
    sheet.center(60, "证券简称：远岫能源", 10)
    sheet.right(sheet.x1, 60, "公告编号：2025-058", 10, BLACK)
    sheet.center(104, "远岫能源系统股份有限公司", 18, bold=True)
    sheet.center(132, "2025年第三季度报告", 18, bold=True)
    sheet.keep(META.title)
    sheet.center(154, "披露日期：2025年10月28日", 10)
    sheet.y = 166
    sheet.para(
        "远岫能源系统股份有限公司（以下简称“远岫能源”或“公司”）董事会及全体董事保证本季度报告内容真实、准确、完整。"
        "第三季度财务会计报表未经审计。"
    )
    sheet.heading("一、主要财务数据", 2)
    eps = (PARENT_NET[0] / 62_000, PARENT_NET[1] / 62_000)
    draw_table(
        sheet,
        Table(
            "（一）主要会计数据和财务指标",
            [
                ["项目", "年初至报告期末", "<", "<"],
                ["^", "2025年1—9月", "2024年1—9月", "增减变动幅度"],
                [*show("营业收入", REVENUE), change(REVENUE)],
                [*show("归属于母公司股东的净利润", PARENT_NET), change(PARENT_NET)],
                [*show("经营活动产生的现金流量净额", FLOW), change(FLOW)],
                ["基本每股收益（元）", num(eps[0], 2), num(eps[1], 2), change(eps)],
            ],
            "单位：万元",
            header_rows=2,
            widths=(2, 1.2, 1.2, 1.1),
        ),
        size=9,
    )
    sheet.heading("（二）变动情况及原因", 3)
    sheet.para(
        f"营业收入同比增长{change(REVENUE)}，主要原因是汐原电力独立储能项目集中交付，以及沃兰海外订单确认收入。"
    )
    sheet.para(
        f"经营活动产生的现金流量净额为{num(FLOW[0], 2)}万元，上年同期为{num(FLOW[1], 2)}万元，"
        "增长主要由于预收货款增加。"
    )
    sheet.para("报告期内公司未发生重大会计政策变更，亦无应披露而未披露的重大诉讼。")


def build(sheet: Sheet) -> None:
    """Draw the whole filing."""
    sheet.running = ("远岫能源", "2025年第三季度报告全文")
    front(sheet)
    sheet.new_page()
    sheet.heading("二、股东信息", 2)
    holders = [
        ("远岫控股集团", "境内非国有法人", 21_080.00),
        ("汐原电力股份有限公司", "境内非国有法人", 5_580.00),
        ("澄光储能科技股份有限公司", "境内非国有法人", 3_100.00),
        ("方既白", "境内自然人", 2_480.00),
    ]
    draw_table(
        sheet,
        Table(
            "前四名股东持股情况",
            [
                ["股东名称", "股东性质", "持股数量（万股）", "持股比例"],
                *([n, kind, num(v, 2), pct(v / 62_000, 2)] for n, kind, v in holders),
            ],
            "",
            widths=(2, 1.4, 1.3, 1),
            align_left=(0, 1),
        ),
        size=9,
    )
    sheet.heading("三、其他重要事项", 2)
    sheet.para(
        "2025年8月，公司与澄光储能签订2026年度电芯框架采购协议，约定采购量不低于18吉瓦时，价格随碳酸锂指数联动。"
    )
    sheet.para(
        "2025年9月，公司子公司岫云软件获得汐原电力调度系统合同1.26亿元；该合同尚未在本报告期确认收入。"
    )
    sheet.para("公司拟在沃兰设立售后中心，如通过当地外资审查，预计2026年三季度投入运营。")
    sheet.heading("四、季度财务报表", 2)
    draw_table(
        sheet,
        Table("合并资产负债表", balance_rows(), "单位：万元", widths=(2.2, 1, 1)),
        size=9,
        more="合并资产负债表（续）",
    )
    draw_table(
        sheet,
        Table("合并年初到报告期末利润表", income_rows(), "单位：万元", widths=(2.2, 1, 1)),
        size=9,
        more="合并年初到报告期末利润表（续）",
    )
    draw_table(
        sheet,
        Table("合并年初到报告期末现金流量表", cash_rows(), "单位：万元", widths=(2.2, 1, 1)),
        size=9,
    )
    sheet.para("公司负责人：温行简　　主管会计工作负责人：陆照微　　会计机构负责人：苗亦安")


REPORT = Report(
    META,
    FILING,
    build,
    (
        "第三季度财务会计报表未经审计",
        "主要原因是汐原电力独立储能项目集中交付",
        "约定采购量不低于18吉瓦时",
        "该合同尚未在本报告期确认收入",
        "预计2026年三季度投入运营",
    ),
)
