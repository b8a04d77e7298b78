"""Covers of fictional reports as `clean` leaves them, in the forms that houses print."""

from __future__ import annotations

from finrag_pipeline.records import Region
from finrag_pipeline_tests.stages.read_pages import PROSE


def cover(*regions: tuple[str, str | None, str]) -> list[Region]:
    """Regions of a first page, from kind, rule and text, one under the other."""
    return [
        Region(n, 1, (50, 20.0 * n, 500, 20.0 * n + 18), kind, text, rule)
        for n, (kind, rule, text) in enumerate(regions)
    ]


SIDE = "cover_block"
TEXT = ("text", None, PROSE)

#: The rating without a bracket, a bare name above its code in a table, assistants with licences.
CODE_IN_TABLE = cover(
    ("side", SIDE, "2025.10.28"),
    ("cover", SIDE, "维持跑赢行业"),
    ("title", None, "星河医药：三季度业绩超预期，新签订单加速"),
    (
        "text",
        "contact",
        "陈明远，CFA 分析员\nSAC 执证编号：S0080520120002\nchen@example.com\n"
        "欧阳雪 联系人\nSAC 执证编号：S0080123060011",
    ),
    (
        "table",
        "table",
        "股票代码 603999.SH\n评级 * 跑赢行业\n最新收盘价 人民币 98.20\n目标价 人民币 118.00\n"
        "52周最高价/最低价 人民币 110.00~45.10",
    ),
    (
        "table",
        "table",
        "（人民币 百万） 2023A 2024A 2025E 2026E\n营业收入 40,341 39,241 44,000 49,000\n"
        "每股净利润 3.70 3.67 5.10 5.62\n市盈率 26.5 26.7 19.3 17.5",
    ),
    ("text", None, f"星河医药公布三季度业绩。{PROSE}星河医药订单充足。"),
)
#: Earlier rating and target beside the present ones, two analysts in columns.
EARLIER_OPINION = cover(
    ("title", None, "业绩稳健增长，一体化优势凸显"),
    ("cover", SIDE, "星河医药(603999)\n医药/必需消费"),
    (
        "side",
        SIDE,
        "上次评级： 谨慎增持\n评级： 增持\n上次预测： 110.00\n目标价格： 138.36\n"
        "当前价格： 108.82\n2025.10.28",
    ),
    (
        "table",
        "contact",
        "丁一 (分析师) 吴小晗(分析师)\n021-38674927 021-38674928\n"
        "登记编号 S0880525040004 S0880523110002",
    ),
    (
        "table",
        "table",
        "财务摘要（百万元） 2023A 2024A 2025E 2026E\n营业收入 40,341 39,241 44,120 49,800\n"
        "每股净收益（元） 3.22 3.17 5.10 5.62",
    ),
    TEXT,
    ("text", "disclaimer", "本报告由星海证券股份有限公司（以下简称“本公司”）研究所提供"),
)
#: Two listings, each with rating and value; a suffix to the rating; a labelled day.
TWO_LISTINGS = cover(
    ("title", None, "【星海医药】星河医药（603999.SH/02999.HK）"),
    ("title", None, "订单高增，上调全年指引"),
    (
        "side",
        SIDE,
        "公司评级 买入-A/买入-H\n当前价格 108.82 元/115.50 港元\n合理价值 131.41 元/138.20 港元\n"
        "前次评级 增持/增持\n报告日期 2025-10-28",
    ),
    ("text", "contact", "分析师： 罗佳荣\nSAC 执证号：S0260516090004\n研究助理：方程嫣"),
    (
        "table",
        "table",
        "盈利预测：人民币 2023A 2024A 2025E 2026E\n营业收入(百万元) 40,341 39,241 44,000 49,000\n"
        "EPS（元/股） 3.24 3.30 5.10 5.62",
    ),
    TEXT,
)
#: Names under a heading, their licences in columns below; the rating behind a bar.
NAMES_UNDER_HEADING = cover(
    ("title", None, "星河医药（603999.SH）\n三季报点评：在手订单快速增长"),
    (
        "side",
        SIDE,
        "分析师及联系人\n彭英骐 万梦蝶\nSAC：S0490524030005 SAC：S0490525070003\nSFC：BUZ392",
    ),
    ("side", SIDE, "2025-10-28\n投资评级 买入丨维持"),
    (
        "text",
        None,
        f"预计公司2025-2026年归母净利润为156/157亿元，对应EPS为5.10元/5.62元，维持评级。{PROSE}",
    ),
)
#: A table with a row a year; a target in Hong Kong dollars under its label; no licences.
YEARS_AS_ROWS = cover(
    ("header", "page_header", "2025 年10 月28 日"),
    ("title", None, "星河医药(2999 HK)"),
    ("title", None, "三季度业绩超预期"),
    ("side", SIDE, "收盘价 目标价 潜在涨幅\n港元115.50 港元140.00 +21.2%"),
    ("side", SIDE, "个股评级\n买入"),
    ("text", "contact", "诸葛乐懿\nGloria.Zhuge@example.com\n(852) 3766 1845"),
    (
        "table",
        "table",
        "截至12月31日 营业额(百万元) 净利润(百万元) 每股收益(元) 市盈率(倍)\n"
        "2024实际 39,241 9,450 3.17 34.4\n2025预测 44,000 15,600 5.10 20.8\n"
        "2026预测 49,000 15,700 5.62 20.7",
    ),
    TEXT,
)
