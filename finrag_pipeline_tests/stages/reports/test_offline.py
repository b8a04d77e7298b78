"""Reports without a model: what they are about, their chain, sentences told once and exactly."""

from __future__ import annotations

from datetime import date

from finrag_pipeline.records.communities import CommunityReport
from finrag_pipeline.stages.reports.elements import Elements, Extent, Node, Relation, SubReport
from finrag_pipeline.stages.reports.items import in_order, report_items
from finrag_pipeline.stages.reports.offline import write_report
from finrag_pipeline.stages.reports.packing import Packed, fill, pack
from finrag_pipeline.stages.reports.source import Source, source_of
from finrag_pipeline_tests.stages.reports.parts import node, relation, sub_report, told

EXTENT = Extent((("company", 3), ("product", 1)), 3, 2, 2, date(2026, 1, 5), date(2026, 3, 2))


def source(
    nodes: list[Node], relations: list[Relation], reports: list[SubReport] | None = None
) -> Source:
    elements = Elements(
        tuple(nodes), tuple(relations), True, tuple(relations), tuple(nodes), EXTENT
    )
    lines = in_order(nodes, relations, elements.chinese)
    packed: Packed = fill(lines, 9999, len)
    if reports:
        packed = pack([report_items(each) for each in reports], [], 9999, len)
    return source_of("c1", packed, elements, len)


def written(made: Source) -> CommunityReport:
    report = write_report(made)
    assert report is not None
    # every sentence in quotation marks is one of the passages, whole
    quotes = {passage.quote for finding in report.findings for passage in finding.evidence}
    for finding in report.findings:
        assert finding.evidence
        for quoted in finding.explanation.split("：“")[1:]:
            assert quoted.partition("”（")[0] in quotes
    return report


CHAIN = [
    relation("矿源公司", "supplies", "炼材公司", "矿源公司向炼材公司长期供应锂辉石。"),
    relation("炼材公司", "supplies", "电芯公司", "炼材公司是电芯公司的主要供应商。"),
]
COMPANIES = [
    node("矿源公司"),
    node("炼材公司", degree=4),
    node("电芯公司"),
    node("营业收入", "metric", 99),
]


def test_the_chain_is_told_from_upstream_to_downstream() -> None:
    report = written(source(COMPANIES, CHAIN))
    first = report.findings[0]
    told_chain = "上游 矿源公司 → 中游 炼材公司 → 下游 电芯公司"
    assert told_chain in first.summary
    assert told_chain in report.summary
    assert [each.quote for each in first.evidence] == [
        "矿源公司向炼材公司长期供应锂辉石。",
        "炼材公司是电芯公司的主要供应商。",
    ]
    assert "矿源公司 供应 炼材公司：“矿源公司向炼材公司长期供应锂辉石。”" in first.explanation
    assert report.title.startswith("炼材公司")
    assert "营业收入" not in report.title
    assert "2026-01-05至2026-03-02" in report.summary


def test_a_parent_tells_the_whole_chain_beside_the_reports_of_its_parts() -> None:
    parts = [sub_report("矿源公司的部分"), sub_report("电芯公司的部分")]
    report = written(source(COMPANIES, CHAIN, parts))
    assert "上游 矿源公司 → 中游 炼材公司 → 下游 电芯公司" in report.findings[0].summary
    assert [each.summary for each in report.findings[1:]] == ["电芯公司的部分", "矿源公司的部分"]


def test_a_sentence_behind_several_relations_is_told_once() -> None:
    shared = "甲厂、乙厂与丙厂在海外市场直接竞争。"
    relations = [
        relation("甲厂", "competes_with", "乙厂", shared),
        relation("甲厂", "competes_with", "丙厂", shared),
    ]
    report = written(source([node("甲厂"), node("乙厂"), node("丙厂")], relations))
    (finding,) = report.findings
    assert finding.explanation.count(shared) == 1
    assert "甲厂与丙厂 竞争；甲厂与乙厂 竞争" in finding.explanation
    assert len(finding.evidence) == 1


def test_claims_are_told_by_kind_and_set_phrases_are_not() -> None:
    claims = (
        told("2025年甲厂收入46亿元，同比增长12%。"),
        told("维持“买入”评级", "rating"),
        told("3）原料涨价风险", "risk"),
        told("√适用 □不适用2025年收入46亿元。"),
        told("主要会计数据 单位：万元 收入 46 45 44。"),
    )
    report = written(source([node("甲厂", "company", 3, *claims)], []))
    figures, ratings, risks = report.findings
    assert figures.explanation == "甲厂：“2025年甲厂收入46亿元，同比增长12%。”（2026-03-02）"
    assert "维持“买入”评级" in ratings.explanation
    assert risks.explanation == "甲厂：原料涨价"
    assert report.title == "甲厂：经营数据"


def test_a_title_says_what_is_told_most_often_and_of_whom() -> None:
    relations = [
        relation("关税", "drives", "甲厂"),
        relation("甲厂", "competes_with", "乙厂"),
        relation("甲厂", "competes_with", "丙厂"),
        relation("甲厂", "competes_with", "丁厂"),
        relation("甲厂", "competes_with", "戊厂"),
    ]
    nodes = [node(name, degree=16 >> at) for at, name in enumerate(("甲厂", "乙厂", "丙厂"))]
    others = [node(name) for name in ("丁厂", "戊厂")]
    report = written(source([*nodes, *others, node("关税", "concept")], relations))
    assert report.title == "甲厂、乙厂、丙厂：竞争关系（丁厂、戊厂）"
    growth = told("2025年甲厂归母净利润46亿元，毛利率提升至30%。")
    assert written(source([node("甲厂", "company", 3, growth)], [])).title == (
        "甲厂：经营数据（归母净利润、毛利率）"
    )


def test_a_rating_names_the_house_that_gives_it() -> None:
    """Two houses that say the same are two opinions; without their names they read as one fact."""
    claims = [
        told("维持“买入”评级", "rating", document=house, publisher=house)
        for house in ("望岳证券", "远帆证券")
    ]
    report = written(source([node("甲厂", "company", 3, *claims)], []))
    (ratings,) = report.findings
    assert ratings.explanation.splitlines() == [
        "甲厂（望岳证券）：维持“买入”评级（2026-03-02）",
        "甲厂（远帆证券）：维持“买入”评级（2026-03-02）",
    ]


def test_english_passages_get_an_english_report() -> None:
    relations = [
        relation("Oreford", "supplies", "Cellwright", "Oreford supplies lithium to Cellwright."),
        relation("Cellwright", "supplies", "Gridmore", "Cellwright supplies cells to Gridmore."),
    ]
    names = ("Oreford", "Cellwright", "Gridmore")
    report = written(source([node(each) for each in names], relations))
    chain = "upstream Oreford → midstream Cellwright → downstream Gridmore"
    assert chain in report.findings[0].summary
    assert report.title == "Cellwright, Gridmore, Oreford: supply chain"
    assert "3 companies" in report.summary
    assert not any("\u4e00" <= letter <= "\u9fff" for letter in str(report))


def test_there_is_no_report_where_no_sentence_is_fit_to_be_told() -> None:
    form = relation("甲部", "issues", "《准则》", "本财务报表按照甲部颁布的《准则》编制。")
    assert write_report(source([node("甲部", "organisation")], [form])) is None


def test_the_digest_of_a_source_hangs_on_what_it_tells_alone() -> None:
    first = source(COMPANIES, CHAIN)
    again = source(COMPANIES[::-1], CHAIN[::-1])
    assert first.sha256 == again.sha256
    assert write_report(first) == write_report(again)
    other = [*CHAIN[:1], relation("炼材公司", "supplies", "电芯公司", "两家签了新的供货合同。")]
    assert source(COMPANIES, other).sha256 != first.sha256
