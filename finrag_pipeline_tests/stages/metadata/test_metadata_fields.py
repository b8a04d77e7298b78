"""The single fields of metadata in the forms that covers print them in."""

from __future__ import annotations

from datetime import date

import pytest

from finrag_pipeline.grammar.securities import CodeMention, code_mentions, with_market
from finrag_pipeline.records import EpsForecast, Place, Region
from finrag_pipeline.stages.metadata import read_metadata
from finrag_pipeline.stages.metadata.front import Row
from finrag_pipeline.stages.metadata.people import read_analysts
from finrag_pipeline_tests.stages.covers import TEXT, cover


def printed_on_a_cover(text: str) -> list[Region]:
    """A cover whose side column prints a text."""
    return cover(("title", None, "星河医药（603999）：增长"), ("side", "cover_block", text), TEXT)


@pytest.mark.parametrize(
    ("digits", "code"),
    [
        ("600519", "600519.SH"),
        ("688981", "688981.SH"),
        ("900999", "900999.SH"),
        ("000999", "000999.SZ"),
        ("301080", "301080.SZ"),
        ("430047", "430047.BJ"),
        ("920002", "920002.BJ"),
        ("00700", "00700.HK"),
        ("512345", None),
        ("123", None),
    ],
)
def test_codes_carry_their_market(digits: str, code: str | None) -> None:
    assert with_market(digits) == code


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("星河医药（603999）", [("603999.SH", "星河医药")]),
        ("公司点评 | 星河医药-U(688999.SH)", [("688999.SH", "星河医药-U")]),
        ("——星河医药(603999)季报点评", [("603999.SH", "星河医药")]),
        ("星河医药 (2999 HK/603999 CH)", [("02999.HK", "星河医药"), ("603999.SH", "星河医药")]),
        ("*ST星河（000999/200999）", [("000999.SZ", "*ST星河"), ("200999.SZ", "*ST星河")]),
        ("603999.SH 星河医药", [("603999.SH", "星河医药")]),
        ("股票代码：603999", [("603999.SH", None)]),
        ("SH603999", [("603999.SH", None)]),
        ("Update: Galaxy Instruments (2999.HK)", [("02999.HK", "Galaxy Instruments")]),
        ("邮编：300060 总资产 603999 万元", []),
        ("2025年10月31日（20251031）", []),
    ],
)
def test_code_mentions(text: str, mentions: list[tuple[str, str | None]]) -> None:
    assert code_mentions(text) == [CodeMention(code, name) for code, name in mentions]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("分析师 王小明\n执业证书： S0100523050002", ("王小明",)),
        ("赵一鸣（分析师） 钱多多（联系人）\nS0100523050002 S0100123050003", ("赵一鸣", "钱多多")),
        ("赵一鸣（分析师） 钱多多（联系人）", ("赵一鸣",)),
        ("周立 电子行业首席分析师\n执业编号：S1500523080002", ("周立",)),
        ("吴江, CFA\n(852) 2000 0000", ("吴江",)),
        ("孙晓\nC0001@example.com", ("孙晓",)),
        ("张静 A0230522080004\n研究支持\n凌怡 A0230523100002", ("张静", "凌怡")),
        (
            "蒯剑 021-63320000*8514\nk@example.com\n执业证书编号：S0860514050005\n"
            "朱茜 zhuq@example.com",
            ("蒯剑",),
        ),
        (
            "证券分析师：马千 证券分析师：陈曦\n010-88000000 0755-81980000\n"
            "S0980521070001 S0980521120001",
            ("马千", "陈曦"),
        ),
        (
            "分析师: 刘昭E-mail: lz@example.com\nSAC 编号: S0870523040005\n"
            "联系人: 杨东\nSAC 编号: S0870123090008",
            ("刘昭", "杨东"),
        ),
        ("分析师：尼古拉斯·古德", ("尼古拉斯·古德",)),
        ("联系人：郑好", ()),
        ("助理分析师：郑好\n邮箱：zh@example.com\n分析师：王小明", ("王小明",)),
        ("首席分析师 电子行业", ()),
        ("分析师 声明：本人独立撰写", ()),
    ],
)
def test_analysts(text: str, names: tuple[str, ...]) -> None:
    rows = [Row(line, Place(1, (0, n, 1, n + 1))) for n, line in enumerate(text.splitlines())]
    assert read_analysts(rows).value == names


@pytest.mark.parametrize(
    ("printed", "day"),
    [
        ("2025年10月31日", date(2025, 10, 31)),
        ("2025 / 10 / 31", date(2025, 10, 31)),
        ("2025-10-31 星期五", date(2025, 10, 31)),
        ("20251031", date(2025, 10, 31)),
        ("Oct 31, 2025", date(2025, 10, 31)),
        ("31 October 2025", date(2025, 10, 31)),
        ("二〇二五年十月三十一日", date(2025, 10, 31)),
        ("收盘价（2025-10-30） 10.5\n发布日期：2025-10-31", date(2025, 10, 31)),
        ("发布时间\n2025-10-31\n数据日期 2025-11-03", date(2025, 10, 31)),
        ("2025年10月", date(2025, 10, 31)),
        ("股价数据 2025年10月", None),
        ("2025-13-31", None),
        ("股价截至2025年10月30日", None),
    ],
)
def test_days_of_publication(printed: str, day: date | None) -> None:
    regions = printed_on_a_cover(printed)
    assert read_metadata(regions, "a.pdf").published_on == day


def test_days_of_a_list_set_in_columns_are_not_its_own() -> None:
    regions = cover(
        ("title", None, "星河医药（603999）：增长"),
        ("side", "cover_block", "专题报告 2025年10月31日"),
        ("side", "cover_block", "相关研究\n《星河医药：拐点》"),
        ("text", "symbols", "2025-07-23"),
        TEXT,
    )
    assert read_metadata(regions, "a.pdf").published_on == date(2025, 10, 31)


@pytest.mark.parametrize(
    ("printed", "rating"),
    [
        ("买入（维持）", "买入"),
        ("增持-A\n首次评级", "增持-A"),
        ("投资评级 优于大市(维持)", "优于大市"),
        ("投资评级：强烈推荐", "强烈推荐"),
        ("买入|首次覆盖", "买入"),
        ("行业评级：强于大市\n公司评级：增持", "增持"),
        ("原评级：增持\n买入", "买入"),
        ("Rating: OUTPERFORM", "OUTPERFORM"),
        ("评级说明", None),
    ],
)
def test_ratings(printed: str, rating: str | None) -> None:
    regions = printed_on_a_cover(printed)
    assert read_metadata(regions, "a.pdf").rating == rating


@pytest.mark.parametrize(
    ("printed", "price"),
    [
        ("目标价：32.50 元（6 个月）", 32.5),
        ("6 个月目标价（元） 1,032.50", 1032.5),
        ("目标价\n32.50", 32.5),
        ("目标价： 港币：63.00 人民币：119.00", 119.0),
        ("合理价值 32.5 元/35.2 港元", 32.5),
        ("此前目标价 30.0 元\n目标价 32.5 元", 32.5),
        ("目标价由30.0元上调至32.5元", 32.5),
        ("目标估值：30.0-35.0元", None),
        ("目标价潜在升幅 35%", None),
        ("当前价格 108.82 元\n目标价格 元", None),
    ],
)
def test_target_prices(printed: str, price: float | None) -> None:
    regions = printed_on_a_cover(printed)
    assert read_metadata(regions, "a.pdf").target_price == price


@pytest.mark.parametrize(
    ("table", "forecasts"),
    [
        ("2024A 2025E 2026E\n每股收益（元） 0.46 -0.71 1.86", {2025: -0.71, 2026: 1.86}),
        ("2024 2025 2026\nEPS 0.46 0.71 0.86", {2025: 0.71, 2026: 0.86}),
        ("FY24A FY25E FY26E\n市场预估每股收益 1.0 1.1 1.2\n每股收益 0.46 na 0.86", {2026: 0.86}),
        (
            "2024A 2025E 2026E\nEPS增长率 0.46 0.71 0.86\nEPS (摊薄/元) 1.46 1.71 1.86",
            {2025: 1.71, 2026: 1.86},
        ),
        ("2024A 2025E 2026E\n市盈率 26 13 11", {}),
    ],
)
def test_forecasts_of_earnings_per_share(table: str, forecasts: dict[int, float]) -> None:
    regions = cover(
        ("title", None, "星河医药（603999）：增长"),
        ("side", "cover_block", "2025年10月31日"),
        ("table", "table", table),
        TEXT,
    )
    found = read_metadata(regions, "a.pdf").eps_forecasts
    assert found == tuple(EpsForecast(year, value) for year, value in forecasts.items())
