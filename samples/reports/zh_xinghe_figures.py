"""Figures of the Xinghe initiation that its chapters share."""

from __future__ import annotations

import itertools

from model import Forecast, num, pct

SOURCE = "资料来源：公司公告，云麓证券研究所整理"
ESTIMATE = "资料来源：公司公告，云麓证券研究所预测"
MODEL = Forecast(
    years=("2023A", "2024A", "2025E", "2026E", "2027E"),
    prior_revenue=4180,
    prior_profit=388,
    revenue=(5260, 6312, 8080, 10020, 12024),
    cost=(4419, 5239, 6625, 8116, 9679),
    profit=(402, 505, 728, 988, 1254),
    equity=(3350, 3815, 4425, 5260, 6310),
    shares=520,
    price=30.20,
)

PRODUCTS = [
    ("磷酸铁锂正极材料", (4365, 5302, 6865, 8590, 10340), (0.149, 0.161, 0.173, 0.1845, 0.1895)),
    ("磷酸铁前驱体", (552, 624, 780, 920, 1064), (0.182, 0.190, 0.195, 0.200, 0.205)),
    ("回收与其他业务", (343, 386, 435, 510, 620), (0.26, 0.262, 0.262, 0.265, 0.27)),
]


def product_rows() -> list[list[str]]:
    """Return the revenue split by product, one block of three rows each."""
    rows = [["业务", "项目", *MODEL.years]]
    for name, revenue, margin in PRODUCTS:
        prior = ["—", *(pct(b / a - 1) for a, b in itertools.pairwise(revenue))]
        rows.append([name, "收入", *(num(v) for v in revenue)])
        rows.append(["^", "增速", *prior])
        rows.append(["^", "毛利率", *(pct(v) for v in margin)])
    rows.append(["合计", "收入", *(num(v) for v in MODEL.revenue)])
    rows.append(["^", "增速", *(pct(v) for v in MODEL.revenue_growth)])
    return rows


def plan_rows() -> list[list[str]]:
    """Return the list of sites, long enough to cross a page."""
    rows = [["基地", "产品", "设计产能（万吨）", "投产时间", "进度与说明"]]
    sites = [
        ("芷州一期", "磷酸铁锂", "4.0", "2019年", "满产，配套磷酸铁自供"),
        ("芷州二期", "磷酸铁锂", "5.0", "2021年", "满产，主供澄光储能"),
        ("芷州三期", "高压实磷酸铁锂", "6.0", "2025年6月", "设备调试，客户验证中"),
        ("岚川一期", "磷酸铁", "8.0", "2020年", "满产，全部内部使用"),
        ("岚川二期", "磷酸铁", "6.0", "2023年", "产能利用率约八成"),
        ("岚川三期", "高压实磷酸铁锂", "5.0", "2026年3月", "土建完成，等待能评批复"),
        ("汐口基地", "电池回收", "2.0", "2022年", "由子公司星河循环运营"),
        ("汐口扩建", "电池回收", "3.0", "2026年12月", "环评公示"),
        ("沃兰海外基地", "磷酸铁锂", "3.0", "2027年6月", "与远岫能源共同选址，尚未签约"),
        ("云冈中试线", "磷酸锰铁锂", "0.2", "2024年", "送样阶段，未形成收入"),
        ("云冈量产线", "磷酸锰铁锂", "1.0", "2027年", "可行性研究"),
        ("芷州技改", "磷酸铁锂", "1.5", "2025年9月", "以窑炉改造提升单线产出"),
        ("岚川技改", "磷酸铁", "1.0", "2025年12月", "母液回用，降低磷酸单耗"),
        ("汐口二线", "碳酸锂再生", "0.6", "2027年3月", "随汐口扩建配套，尚未立项"),
        ("蒙塔办事处", "技术服务", "—", "2025年", "服务蓬山电气海外电站"),
        ("云冈检测中心", "检测", "—", "2023年", "向隔川膜业开放共用"),
        ("北洲仓储", "成品仓", "—", "2024年", "缩短对凌峤科技的交付半径"),
    ]
    return rows + [list(site) for site in sites]


LEVELS = (MODEL.revenue, MODEL.cost, MODEL.profit)
