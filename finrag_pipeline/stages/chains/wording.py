"""What reports say in their own words, in Chinese and English; what they quote stays as it is."""

from __future__ import annotations

from finrag_pipeline.stages.extraction.vocabulary import RELATIONS, SYMMETRIC
from finrag_pipeline.stages.reports.items import relation_words

_WORDING: dict[str, tuple[str, str]] = {
    "chain_title": ("{subject}产业链图谱", "Industry chain of {subject}"),
    "sector_title": ("{subject}板块关联报告", "Links of the sector around {subject}"),
    "build": ("构建 {build}", "Build {build}"),
    "week": ("{week} 起的一周", "Week of {week}"),
    "published_by": ("依据 {day} 及以前发布的文件", "From what was published by {day}"),
    "overview": ("概览", "Overview"),
    "map": ("图谱", "Map"),
    "links": ("链接与依据", "Links and what states them"),
    "changes": ("与上周相比", "What changed since last week"),
    "sources": ("来源", "Sources"),
    "companies": ("公司与业务", "Companies and segments"),
    "neighbours": ("与其他板块的关联", "Links to other sectors"),
    "competition": ("竞争格局", "Who competes with whom"),
    "drivers": ("共同驱动与风险", "What its companies share: drivers and risks"),
    "inside": ("本板块", "This sector"),
    "outside": ("其他板块", "Other sectors"),
    "upstream": ("上游", "Upstream"),
    "midstream": ("中游", "Midstream"),
    "downstream": ("下游", "Downstream"),
    "from": ("从", "From"),
    "relation": ("关系", "Relation"),
    "to": ("到", "To"),
    "statements": ("陈述数", "Statements"),
    "evidence": ("依据", "Sources"),
    "sector_caption": (
        "{title}：箭头上为关系与来源编号",
        "{title}: relations and numbers of sources stand on the arrows",
    ),
    "caption": (
        "{title}：从上游到下游，箭头上的数字为来源编号",
        "{title}: from upstream to downstream; numbers on arrows are sources",
    ),
    "chain_facts": (
        "{entities} 个主体，{links} 条链接，{sources} 处依据。",
        "{entities} entities, {links} links, {sources} passages.",
    ),
    "stage_line": ("{stage}：{names}", "{stage}: {names}"),
    "and_more": ("等 {count} 家", "{count} in all"),
    "link": ("{src}—{relation}→{dst}", "{src} — {relation} → {dst}"),
    "mutual": ("{src}—{relation}—{dst}", "{src} — {relation} — {dst}"),
    "neighbour": (
        "与{name}所在板块（关联权重 {weight}）：{links}",
        "With the sector around {name} (weight {weight}): {links}",
    ),
    "group": ("竞争组：{names}", "Compete with each other: {names}"),
    "first_week": (
        "首次构建，没有可比较的上周报告。",
        "The first week: there is no earlier report to compare with.",
    ),
    "new_report": (
        "本周新增的报告；上一次构建（{week} 起的一周）中没有。",
        "New this week: the build of the week of {week} had no such report.",
    ),
    "unchanged": (
        "与 {week} 起的一周相比没有变化。",
        "Nothing changed since the week of {week}.",
    ),
    "compared": ("与 {week} 起的一周相比：", "Since the week of {week}:"),
    "nodes_new": ("新增主体：{names}", "New entities: {names}"),
    "nodes_gone": ("不再出现的主体：{names}", "Entities gone: {names}"),
    "links_new": ("新增链接：{link}", "New link: {link}"),
    "links_gone": ("不再有依据的链接：{link}", "Link no longer stated: {link}"),
    "links_grown": (
        "依据增加（{before} → {after}）：{link}",
        "More evidence ({before} → {after}): {link}",
    ),
    "links_shrunk": (
        "依据减少（{before} → {after}）：{link}",
        "Less evidence ({before} → {after}): {link}",
    ),
    "source": ("{source}，第 {page} 页，{day}", "{source}, p. {page}, {day}"),
    "index_title": ("图谱与社区报告", "Reports on chains and communities"),
    "industry_chain": ("产业链图谱", "Industry chains"),
    "sector_links": ("板块关联报告", "Links between sectors"),
    "level": ("第 {level} 层社区（0 层最粗）", "Communities of level {level} (0 is the coarsest)"),
    "is_changed": ("较上周有变化", "changed since last week"),
    "community": (
        "{title}（重要度 {rating}，{entities} 个主体，{id}）：{summary}",
        "{title} (importance {rating}, {entities} entities, {id}): {summary}",
    ),
    "rating": ("重要度 {rating}（满分 10）：{reason}", "Importance {rating} of 10: {reason}"),
    "entity_count": ("第 {level} 层，{entities} 个主体", "level {level}, {entities} entities"),
    "comma": ("、", ", "),
    "semicolon": ("；", "; "),
}


class Wording:
    """The report's own words in one language; called with a key and what its text names.

    >>> Wording(True)("chain_title", subject="远岫能源"), Wording(False).relation("benefits_from")
    ('远岫能源产业链图谱', 'benefits from')
    """

    def __init__(self, chinese: bool) -> None:
        self._at = 0 if chinese else 1
        self.language = "zh-Hans" if chinese else "en"

    def __call__(self, key: str, **named: object) -> str:
        return _WORDING[key][self._at].format(**named)

    def relation(self, name: str) -> str:
        """A relation as people write it."""
        return relation_words(name, chinese=not self._at)

    def link(self, src: str, relation: str, dst: str) -> str:
        """A link in a line, its ends by their names.

        >>> Wording(True).link("锐芯", "supplies", "云帆")
        '锐芯—供应→云帆'
        >>> Wording(True).link("锐芯", "competes_with", "云帆")
        '锐芯—竞争—云帆'
        """
        key = "mutual" if relation in SYMMETRIC else "link"
        return self(key, src=src, relation=self.relation(relation), dst=dst)

    def shared(self, relation: str, driver: str, names: list[str]) -> str:
        """What drives several companies.

        >>> Wording(True).shared("benefits_from", "储能需求", ["锐芯", "云帆"])
        '共同受益于储能需求：锐芯、云帆'
        """
        text = RELATIONS[relation].shared[self._at]
        return text.format(driver=driver, names=self.listed(names))

    def listed(self, names: list[str], most: int | None = None) -> str:
        """Names in a row; beyond `most` their number."""
        shown = self("comma").join(names[:most])
        if most is None or len(names) <= most:
            return shown
        return f"{shown} {self('and_more', count=len(names))}"
