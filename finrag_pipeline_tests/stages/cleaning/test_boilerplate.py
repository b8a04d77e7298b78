"""Boxes of forms, advertisements of platforms and source lines in many wordings, and body text
that has their words."""

from __future__ import annotations

import pytest

from finrag_pipeline.records import Box, PageReading, TextLine
from finrag_pipeline.stages.cleaning.advertisements import is_advertisement, signs
from finrag_pipeline.stages.cleaning.clean import clean
from finrag_pipeline.stages.cleaning.edges import is_coded_head, points_on
from finrag_pipeline.stages.cleaning.forms import is_form, is_signed
from finrag_pipeline.stages.cleaning.sources import is_note, is_source
from finrag_pipeline_tests.stages.read_pages import PROSE, line, page

BOX: Box = (50, 90, 545, 760)
FORMS = [
    *("□适用 √不适用", "√适用□不适用", "□ 适用 √ 不适用", "☑适用 ☐不适用", "☐适用☑不适用"),
    *("R适用 £不适用", "■适用 □不适用", "□适用 \uf052不适用", "\uf0fe适用 \uf0a8不适用"),
    *("√不适用", "[√]适用 [ ]不适用", "（√）是 （ ）否", "□是 √否", "√是 □否", "☒是 ☐否"),
    *("是□ 否√", "适用□ 不适用☑", "Yes ☒ No ☐", "☐ Yes ☑ No", "□有 √无"),
    *("√适用 □不适用 / □是 √否", "□会计政策变更 □会计差错更正 √同一控制下企业合并 □其他原因"),
    "□本报告期公司有重大诉讼、仲裁事项 √本报告期公司无重大诉讼、仲裁事项",
]
FORMS += ["Yes x No ¨", "Yes þ No o", "Yes ¨¨ No xx", "x No ¨"]
NO_FORMS = [
    *("No", "yes", "x", "Yes or no"),
    *("✓ 提高管理效率", "✓ 首页质控 ✓ 病案质控", "√型走势", "不适用", "是否适用新准则", "适用"),
    *("√", "该方法适用于小样本，不适用于高频数据。", "□ 研发费用 □ 销售费用"),
    "R 适用性强，推广快",
]
ADVERTISEMENTS = [
    *("扫码关注公众号，获取更多报告", "扫一扫，加入行业交流群", "长按识别二维码，免费领取研报"),
    *("微信扫描二维码进群", "扫描下方二维码下载完整版报告", "关注公众号：行业研究笔记"),
    *("关注“研报之家”微信公众号", "更多报告请加微信 abc12345", "添加小助手微信领取资料包"),
    *("更多研报请登录 www.example.com", "海量报告尽在某某智库 www.example.com"),
    *("每日免费获取报告", "1、每日微信群内分享7+最新重磅报告；", "知识星球：行研报告库"),
    *("加入我们的知识星球", "回复：研究报告", "公众号后台回复“新能源”领取全部报告"),
    *("加入“起点财经”微信群。", "本报告来源于网络，仅供学习交流"),
    "报告收集于互联网，如有侵权请联系删除",
    *("行研报告均为公开版，权利归原作者所有，仅分发做内部学习。", "如有侵权，请联系客服删除"),
    *("仅供学习交流，请勿用于商业用途", "慧博投研资讯", "萝卜投研", "发现报告 www.fxbaogao.com"),
    *("未来智库", "洞见研报 DJyanbao.com", "报告来自：未来智库", "三个皮匠报告 www.sgpjbg.com"),
    *("行行查", "本报告由侠说整理", "报告下载：www.baogaoting.com", "点击阅读原文下载报告"),
    *("限时免费下载研报", "Scan the QR code to download more reports"),
    *("Follow us on WeChat for daily research", "Downloaded from www.example.com"),
    "Download more free reports at www.example.com",
]
NO_ADVERTISEMENTS = [
    "公司通过微信公众号、小程序等渠道触达用户，私域会员数同比增长四成。",
    "用户扫码支付占比提升至六成，带动交易额增长。",
    "消费者可以扫描二维码关注公众号完成挂号和缴费。",
    "公司于报告期内未发现报告事项，发现报告期内无重大缺陷。",
    "建议关注行业龙头，重点关注订单落地节奏。",
    "未来智库建设将成为智慧城市的重要组成部分，带来新的投资机会。",
    "公司上线知识付费平台，付费会员达到三百万人。",
    "公司与微信合作推出小程序，更多服务请以官方公告为准。",
    "平台资料来源于国家统计局，经公司整理后用于模型训练，数据质量较高。",
    "The company added WeChat mini programs in the third quarter.",
]
SOURCES = [
    *("资料来源：公司公告，研究所整理", "数据来源:Wind", "来源：艾瑞咨询"),
    *("（资料来源：Wind，研究所）", "*资料来源：公司公告", "资料来源 Wind，研究所"),
    *("资料提供：公司公告", "图片来源：公司官网", "资料来源：公司公告（E=研究所预测）"),
    *("E=研究所预测 资料来源：公司报告", "E=研究所预测", "数据来源及说明：国家统计局"),
    *("Source: company data", "Sources：Bloomberg, company"),
    *("注：数据截至5月9日收盘；资料来源：Bloomberg", "A 为实际值，E 为预测值；资料来源：Wind"),
    *("资料来源：公司公告", "图表来源：研究所", "资料来源于：公司年报", "资 料 来 源 ：公司公告"),
]
NO_SOURCES = [
    *("收入来源：主要为海外订单。", "利润来源：投资收益占比较高", "来源于海外的收入占比提升。"),
    *("资料来源广泛，覆盖全国三十个城市。", "数据来源合规是大模型训练的前提。"),
    *("Source code is licensed.", "F=ma 是牛顿第二定律"),
    "公司信息来源渠道包括调研、公告和产业访谈，来源稳定，覆盖面广，质量较高。",
]
NOTES = [
    *("注：每股收益按最新股本摊薄计算", "备注：*、**分别代表在10%、5%水平下显著"),
    *("注1：剔除一次性费用", "样本：N=1500，于2025年4月网上调研获得。"),
    *("Note: percentages may not sum due to rounding", "附注：口径为人民币"),
    *("*数据截至2025年4月28日", "说明：2025年为预测值"),
]
NO_NOTES = [
    *("注意风险。", "注册资本一亿元"),
    "注：以上测算基于三个假设。第一，需求按年增长一成；第二，价格不变。",
    *("说明书显示该药每日一次。", "Notes payable rose."),
]


@pytest.mark.parametrize("text", FORMS)
def test_forms(text: str) -> None:
    assert is_form(text)


@pytest.mark.parametrize("text", NO_FORMS)
def test_no_forms(text: str) -> None:
    assert not is_form(text)


@pytest.mark.parametrize(
    "text",
    [
        *("公司负责人：云岭", "法定代表人：方既白 主管会计工作负责人：安澜 会计机构负责人：江渚"),
        "公司负责人： 主管会计工作负责人： 会计机构负责人（会计主管人员）：",
    ],
)
def test_who_signs_a_statement(text: str) -> None:
    assert is_signed(text)
    assert not is_signed(f"{text}，会上对订单作了说明。")


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("See Notes to Consolidated Financial Statements.", True),
        ("The accompanying notes are an integral part of these statements.", True),
        (
            "See notes to the consolidated financial statements for how revenue is recognised.",
            False,
        ),
        ("后附财务报表附注为财务报表的组成部分。", True),
    ],
)
def test_what_only_points_to_the_notes(text: str, is_one: bool) -> None:
    assert points_on(text) == is_one


@pytest.mark.parametrize("text", ["星河医药(301801.SZ)/医药", "星河医药（301801）"])
def test_a_head_that_names_the_stock_alone(text: str) -> None:
    assert is_coded_head(text)
    assert not is_coded_head(f"{text}发布三季报")


@pytest.mark.parametrize("text", ADVERTISEMENTS)
def test_advertisements(text: str) -> None:
    assert is_advertisement(text)


@pytest.mark.parametrize("text", NO_ADVERTISEMENTS)
def test_no_advertisements(text: str) -> None:
    assert not is_advertisement(text)


@pytest.mark.parametrize(("sign", "pattern", "example"), signs())
def test_each_sign_finds_its_example(sign, pattern, example) -> None:
    assert sign in ("call", "platform")
    assert pattern.search(example.replace("：", ":")) and is_advertisement(example)


@pytest.mark.parametrize("text", SOURCES)
def test_sources(text: str) -> None:
    assert is_source(text)


@pytest.mark.parametrize("text", NO_SOURCES)
def test_no_sources(text: str) -> None:
    assert not is_source(text)


@pytest.mark.parametrize("text", NOTES)
def test_notes(text: str) -> None:
    assert is_note(text)


@pytest.mark.parametrize("text", NO_NOTES)
def test_no_notes(text: str) -> None:
    assert not is_note(text)


def fates(lines: list[TextLine], kind: str | None = "text") -> dict[str, str | None]:
    """Text without spaces to the rule over it, on a second page with its lines in one box."""
    boxes = [] if kind is None else [(kind, BOX)]
    regions = clean([page(lines, boxes, number=2)])
    return {"".join(region.text.split()): region.rule for region in regions}


@pytest.mark.parametrize("kind", ["text", None])
def test_a_form_is_cut_from_the_heading_above_and_the_text_below(kind: str | None) -> None:
    lines = [
        line("（二）重大合同", y=100, bold=True),
        line("√适用 □不适用", y=114),
        line(PROSE, y=128, size=9),
    ]
    found = fates(lines, kind)
    assert found["√适用□不适用"] == "form"
    assert {text for text, rule in found.items() if rule is None} == {"（二）重大合同", PROSE}


def test_a_form_is_cut_out_of_its_line() -> None:
    found = fates([line("1、担保情况 □适用 √不适用", y=100), line(PROSE, y=130, size=9)])
    assert found["□适用√不适用"] == "form"
    assert any("担保情况" in text and rule is None for text, rule in found.items())


@pytest.mark.parametrize("behind", ["(1) 资产规模其中：境外资产126,168.17", "4、研发投入"])
def test_what_goes_on_behind_a_form_is_kept(behind: str) -> None:
    found = fates([line(f"√适用 □不适用{behind}", y=100), line(PROSE, y=130, size=9)])
    assert found["√适用□不适用"] == "form"
    kept = "".join(behind.split())
    assert any(kept in text and rule is None for text, rule in found.items())


@pytest.mark.parametrize("kind", ["text", None])
def test_a_number_of_all_pages_is_cut_off_the_text_that_it_ends(kind: str | None) -> None:
    found = fates([line(f"{PROSE}第 12 页 共 249 页", y=300, size=9)], kind)
    assert found == {PROSE: None, "第12页共249页": "page_footer"}


def test_boxes_printed_apart_from_their_words_are_one_form() -> None:
    words = [("□", 60), ("适用", 72), ("√", 110), ("不适用", 122)]
    found = fates([*(line(w, x=x, y=100) for w, x in words), line(PROSE, y=130, size=9)])
    assert [rule for text, rule in found.items() if text != PROSE] == ["form"] * 4


def test_a_statement_that_its_boxes_deny_is_not_kept_without_them() -> None:
    found = fates([line("公司上市时尚未盈利 □是 √否", y=100), line(PROSE, y=130, size=9)])
    assert [rule for text, rule in found.items() if "尚未盈利" in text] == ["form"]


@pytest.mark.parametrize("kind", ["text", "caption", None])
def test_a_source_line_takes_the_row_that_it_runs_on_to(kind: str | None) -> None:
    wrapped = (
        "资料来源：国家统计局，公司公告，行业协会，专家访谈，远山证券研究所整理，数据截至二〇二五年"
    )
    lines = [
        *(line(wrapped, y=100, size=8), line("六月", y=110, size=8)),
        line(PROSE[:46], y=130),
        line("后续仍有空间，需求回暖。", y=144),
    ]
    found = fates(lines, kind)
    assert found[wrapped] == found["六月"] == "source_line"
    assert any(rule is None and PROSE[:40] in text for text, rule in found.items()) or kind == "x"


def test_notes_of_filings_are_their_content() -> None:
    title = line("星河新材股份有限公司2025年年度报告", y=100, size=18)
    note = line("注：期末余额含应收票据", y=300)
    body = line(PROSE, y=400)
    pages = [page([title]), page([note, body], number=2)]
    rules = {region.text: region.rule for region in clean(pages)}
    assert rules[note.text] is None


def inserted_page() -> PageReading:
    rows = [
        "每日免费获取报告",
        "1、每日微信群内分享最新重磅报告；",
        "2、每日分享当日财经要闻；",
        "3、每周分享经济类期刊",
        "4、行研报告均为公开版，权利归原作者所有，仅分发做内部学习。",
        "扫一扫二维码",
        "关注公号",
        "回复：研究报告",
        "加入微信群。",
    ]
    return page([line(text, y=100 + 40 * n) for n, text in enumerate(rows)], number=2)


def test_all_of_a_page_that_a_platform_inserted_is_its_advertisement() -> None:
    regions = clean([page([line(PROSE)]), inserted_page(), page([line(PROSE)], number=3)])
    assert {r.rule for r in regions if r.page == 2} <= {"advertisement", "page_footer", "symbols"}
    assert [r.page for r in regions if r.kept] == [1, 3]
