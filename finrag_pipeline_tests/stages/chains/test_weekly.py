"""What a week's reports hold: division, stages, what changed, sectors; and that nothing leaks."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from html.parser import HTMLParser

from finrag_pipeline.records.communities import Community
from finrag_pipeline.stages.chains.changes import is_changed
from finrag_pipeline.stages.chains.division import MOST_ENTITIES, community_on, divide
from finrag_pipeline.stages.chains.graph import (
    StatedLink,
    degrees,
    sentence_around,
    stated_links,
)
from finrag_pipeline.stages.chains.identity import chain_ids
from finrag_pipeline.stages.chains.markdown import to_markdown, to_text
from finrag_pipeline.stages.chains.page import to_html
from finrag_pipeline.stages.chains.weekly import (
    ChainReport,
    WeekBefore,
    chain_reports,
    sector_reports,
)
from finrag_pipeline_tests.stages.chains.invented_links import (
    BUILD,
    LAST_WEEK,
    link,
    nodes,
    statement,
)

CHAIN = (
    link("锂衡资源", "supplies", "星河新材", "碳酸锂向锂衡资源采购。"),
    link("星河新材", "supplies", "澄光储能", "正极来自星河新材。", weight=3),
    link("澄光储能", "supplies", "远岫能源", "电芯来自澄光储能。", weight=2),
)


def week(*links: StatedLink, before: WeekBefore | None = None, **types: str) -> list[ChainReport]:
    return chain_reports(BUILD, links, nodes(*links, **types), [], before)


def last_week(*reports: ChainReport) -> WeekBefore:
    return WeekBefore(LAST_WEEK, {each.chain_id: each.content for each in reports}, {})


def test_a_chain_has_stages_links_and_citations() -> None:
    (report,) = week(*CHAIN)
    assert report.document.title == "澄光储能产业链图谱"
    assert [(node["name"], node["stage"]) for node in report.content["nodes"]] == [
        ("锂衡资源", "upstream"),
        ("星河新材", "midstream"),
        ("澄光储能", "midstream"),
        ("远岫能源", "downstream"),
    ]
    assert [each["passages"] for each in report.content["links"]] == [[1], [2], [3]]
    assert [each["n"] for each in report.citations] == [1, 2, 3]
    assert report.citations[0]["quote"] == "碳酸锂向锂衡资源采购。"
    assert report.citations[0]["source"] == "d1.pdf"
    written = to_markdown(report.document), to_html(report.document), to_text(report.document)
    for text in written:
        assert "电芯来自澄光储能。" in text
        assert "首次构建" in text
    for text in written[:2]:
        assert all(each in text for each in ("b1", "2026-03-08", "2026-03-14"))
    assert '<html lang="zh-Hans">' in written[1]


def test_links_that_follow_nothing_have_stages_too() -> None:
    (report,) = week(link("甲厂", "supplies", "乙厂"), link("丙厂", "supplies", "乙厂"))
    stages = {node["name"]: node["stage"] for node in report.content["nodes"]}
    assert stages == {"甲厂": "upstream", "丙厂": "upstream", "乙厂": "downstream"}


def test_one_link_is_no_chain_and_a_product_needs_two_companies() -> None:
    assert week(CHAIN[0]) == []
    made = link("甲厂", "produces", "隔膜")
    assert week(made, link("丙厂", "produces", "隔膜"), 隔膜="product") == []
    (report,) = week(made, link("乙厂", "uses", "隔膜"), 隔膜="product")
    stages = {node["name"]: node["stage"] for node in report.content["nodes"]}
    assert stages == {"甲厂": "upstream", "隔膜": "midstream", "乙厂": "downstream"}
    assert "甲厂 | 生产 | 隔膜" in to_markdown(report.document)


def test_large_components_are_divided_along_communities() -> None:
    def name(n: int) -> str:
        return f"e{n:03}"

    count = 3 * MOST_ENTITIES
    links = [link(name(n), "supplies", name(n + 1)) for n in range(count - 1)]
    entities = [name(n) for n in range(count)]
    third = count // 3
    whole = Community("all", 0, None, (), count, 0, 0, 2)
    parts = [
        Community(f"c{n}", 1, "all", tuple(entities[n * third : (n + 1) * third]), third, 0, n, n)
        for n in range(3)
    ]
    on_level, levels = community_on([whole, *parts])
    assert (on_level("e000", 0), on_level("e000", 1), levels) == ("all", "c0", 2)
    groups = divide(links, on_level, levels)
    assert [len(degrees(group)) for group in groups] == [third] * 3
    assert divide(links[: MOST_ENTITIES - 1], on_level, levels) == [
        tuple(links[: MOST_ENTITIES - 1])
    ]
    # at the finest level there is nothing left to divide along
    assert len(divide(links, *community_on([whole]))) == 1


def test_what_changed_since_last_week() -> None:
    (first,) = week(*CHAIN)
    assert first.changes["since"] is None and is_changed(first.changes)
    (same,) = week(*CHAIN, before=last_week(first))
    assert same.chain_id == first.chain_id
    assert not is_changed(same.changes)
    assert "与 2026-03-01 起的一周相比没有变化。" in to_text(same.document)
    (other,) = week(
        link("锂衡资源", "supplies", "星河新材", "采购一。", "采购二。"),
        CHAIN[1],
        link("星河新材", "supplies", "凌峤科技"),
        before=last_week(first),
    )
    assert other.chain_id == first.chain_id
    assert other.document.title == first.document.title
    told = other.changes
    assert [each["name"] for each in told["nodes"]["new"]] == ["凌峤科技"]
    assert [each["name"] for each in told["nodes"]["gone"]] == ["远岫能源"]
    assert [each["statements"] for each in told["links"]["grown"]] == [[1, 2]]
    text = to_text(other.document)
    assert "新增链接：星河新材—供应→凌峤科技" in text
    assert "不再有依据的链接：澄光储能—供应→远岫能源" in text
    assert "依据增加（1 → 2）：锂衡资源—供应→星河新材" in text
    (new,) = week(
        link("甲", "supplies", "乙"), link("乙", "supplies", "丙"), before=last_week(same)
    )
    assert new.chain_id != first.chain_id
    assert "本周新增的报告" in to_text(new.document)


def test_a_divided_chain_goes_on_as_its_larger_part() -> None:
    then = {"i0": frozenset("abcdef")}
    ids = chain_ids(BUILD, [frozenset("ef"), frozenset("abcd"), frozenset("xyz")], then)
    assert ids[1] == "i0"
    assert len(set(ids)) == 3
    assert ids[2] == chain_ids(BUILD, [frozenset("xyz")], {})[0]


def test_a_sector_tells_its_links_rivals_and_drivers() -> None:
    links = (
        link("甲厂", "competes_with", "乙厂", "甲厂与乙厂竞争。"),
        link("甲厂", "benefits_from", "补贴", "甲厂受益于补贴。"),
        link("乙厂", "benefits_from", "补贴", "乙厂受益于补贴。"),
        link("丙厂", "supplies", "丁厂", "丙厂向丁厂供货。", weight=2),
        link("隔膜业务", "part_of", "甲厂", "甲厂的隔膜业务。"),
    )
    known = nodes(*links, 补贴="policy", 隔膜业务="product")
    inside = ("甲厂", "乙厂", "丙厂", "补贴", "隔膜业务")
    communities = [
        Community("c0", 0, None, inside, 5, 4, 0, 0),
        Community("c1", 0, None, ("丁厂",), 1, 0, 1, 1),
    ]
    (report,) = sector_reports(BUILD, links, known, communities, None)
    assert (report.chain_id, report.kind) == ("s0", "sector_links")
    text = to_text(report.document)
    assert "与丁厂所在板块（关联权重 2）：丙厂—供应→丁厂" in text
    assert "竞争组：乙厂、甲厂" in text
    assert "共同受益于补贴：" in text
    assert "隔膜业务—属于→甲厂" in text
    quotes = {each["quote"] for each in report.citations}
    assert quotes == {quote for each in links for quote in [each.statements[0].passage.quote]}
    assert sector_reports(BUILD, (), known, communities, None) == []


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.opened.append(tag)


def test_names_and_quotes_are_no_markup() -> None:
    name = "<script>alert(1)</script>|**甲**\n# 乙 `丙` \"'&lt;"
    quote = "<img src=x onerror=alert(1)> | 第一行\n```\n第二行"
    links = (link(name, "supplies", "乙厂", quote), link("乙厂", "supplies", "丙厂"))
    (report,) = week(*links)
    page = _Tags()
    page.feed(to_html(report.document))
    assert not {"script", "img"} & set(page.opened)
    markdown = to_markdown(report.document)
    # in a fence everything is text; nothing in it may close it
    head, fenced, tail = markdown.split("\n```")
    assert fenced.startswith("text\n") and "'丙'" in fenced
    assert "<script" not in head + tail and "<img" not in head + tail
    rows = [line for line in markdown.splitlines() if line.startswith("|")]
    assert {len(row.replace("\\|", "").split("|")) for row in rows} == {7}


def test_a_sentence_that_many_documents_print_counts_once() -> None:
    said = [statement("甲供货给乙。", date(2026, 1, day), f"d{day}") for day in (1, 2)] + [
        statement("乙向甲采购。", date(2026, 1, 3))
    ]
    key = ("甲", "supplies", "乙")
    (found,) = stated_links({key: 2.0, ("甲", "supplies", "丙"): 1.0}, {key: said})
    assert [each.source for each in found.statements] == ["d1.pdf", "d2.pdf"]


def test_sentences_around_a_span() -> None:
    content = "行业回暖。\n甲投产。乙向丙供货；丁观望。\n后记。"
    start = content.index("向丙")
    first, last = sentence_around(content, start, start + 4)
    assert content[first:last] in ("乙向丙供货；", "乙向丙供货；丁观望。")
    assert sentence_around(content, 0, len(content)) == (0, len(content))


_SCRIPT = """
from finrag_pipeline.stages.chains.page import to_html
from finrag_pipeline_tests.stages.chains.test_weekly import CHAIN, week
links = [*CHAIN, *CHAIN[:2]][::-1]
print([to_html(each.document) for each in week(*sorted(set(links), key=lambda each: each.key))])
"""


def test_hash_seeds_change_nothing() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", _SCRIPT],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(outputs) == 1


def test_peers_stand_beside_their_company_and_join_no_chains() -> None:
    peers = (
        link("乙厂", "comparable_to", "同业"),
        link("同业", "comparable_to", "戊厂"),
        link("己厂", "comparable_to", "庚厂"),
    )
    chains = (
        *(link("甲厂", "supplies", "乙厂"), link("乙厂", "supplies", "丙厂")),
        *(link("丁厂", "supplies", "戊厂"), link("戊厂", "supplies", "辛厂")),
    )
    one, other = week(*chains, *peers)
    assert {frozenset(names_of(one)), frozenset(names_of(other))} == {
        frozenset({"甲厂", "乙厂", "丙厂", "同业"}),
        frozenset({"丁厂", "戊厂", "辛厂", "同业"}),
    }
    for report in (one, other):
        beside = {each["entity_id"]: each for each in report.content["nodes"]}
        peer = beside["同业"]
        (company,) = [each for each in ("乙厂", "戊厂") if each in beside]
        assert peer["beside"] and not beside[company]["beside"]
        assert (peer["stage"], peer["layer"]) == (
            beside[company]["stage"],
            beside[company]["layer"],
        )
        assert "同业" in to_text(report.document)
    again = week(*chains, *peers, before=last_week(one, other))
    assert {each.chain_id for each in again} == {one.chain_id, other.chain_id}


def test_what_every_office_buys_is_in_no_chain() -> None:
    rent = "乙厂 采购商品/接受劳务情况表：关联方 物业公司，关联交易内容 物业费、水电费。"
    links = (link("物业公司", "supplies", "乙厂", rent), link("乙厂", "supplies", "丙厂"))
    assert week(*links) == []
    assert len(week(*links, link("丙厂", "supplies", "丁厂"))[0].content["links"]) == 2


def names_of(report: ChainReport) -> list[str]:
    return [each["name"] for each in report.content["nodes"]]
