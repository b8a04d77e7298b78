"""A report on a community without a model: title, summary, rating and findings from its source.

The same source always gives the same report; what a chat model is asked instead is `prompt`.
"""

from __future__ import annotations

import math

from finrag_pipeline.records.communities import CommunityReport
from finrag_pipeline.stages.reports.elements import plain
from finrag_pipeline.stages.reports.offline_findings import (
    chain_finding,
    chain_of,
    claim_findings,
    relation_findings,
    report_findings,
)
from finrag_pipeline.stages.reports.source import Source
from finrag_pipeline.stages.reports.titles import subjects, title
from finrag_pipeline.stages.reports.wording import GROUP_OF, GROUPS, Wording

#: Counted up where the same source gives another report: the next build writes them anew.
EDITION = 2
_PARTS = 5


def write_report(source: Source) -> CommunityReport | None:
    """The report of a source; None where no sentence of it is fit to be told."""
    wording = Wording(source.chinese)
    related = (*chain_finding(source, wording), *relation_findings(source, wording))
    told = {plain(passage.quote) for finding in related for passage in finding.evidence}
    findings = (
        *related,
        *claim_findings(source, wording, told),
        *report_findings(source, wording),
    )
    if not findings:
        return None
    rating, reason = _rating(source, wording)
    return CommunityReport(
        title(source, wording), _summary(source, wording), rating, reason, findings
    )


def _summary(source: Source, wording: Wording) -> str:
    names, topics = subjects(source)
    return wording.sentences(
        (
            _what(source, wording, names, topics),
            _chain_sentence(source, wording),
            _bound_by(source, wording),
            _time(source, wording),
        )
    )


def _what(source: Source, wording: Wording, names: list[str], topics: list[str]) -> str:
    types = dict(source.elements.extent.types)
    companies = types.pop("company", 0)
    others = sum(types.values())
    kinds = ((name, number) for name, number in types.items() if name not in ("metric", "place"))
    largest = sorted(kinds, key=lambda each: (-each[1], each[0]))[:3]
    listed = wording.say("、", ", ").join(wording.type(name, number) for name, number in largest)
    among = wording.say(f"（{listed}）", f" ({listed})") if listed else ""
    row = wording.names(names)
    topic = wording.names(topics)
    if wording.chinese:
        about = f"围绕{row}" + (f"，涉及{topic}" if topic else "")
        counted = [f"{companies}家公司"] if companies else []
        counted += [f"{others}个其他实体{among}"] if others else []
        return f"{about}；共{'、'.join(counted)}。"
    about = f"About {row}" + (f" in {topic}" if topic else "")
    counted = [wording.type("company", companies)] if companies else []
    counted += [f"{others} other entities{among}"] if others else []
    return f"{about}: {' and '.join(counted)}."


def _chain_sentence(source: Source, wording: Wording) -> str:
    chain, _ = chain_of(source)
    if not chain.links:
        return ""
    told = wording.chain(chain)
    return wording.say(f"供应链为：{told}。", f"The supply chain: {told}.")


def _bound_by(source: Source, wording: Wording) -> str:
    extent = source.elements.extent
    if source.reports:
        titles = [sub.report.title for sub in source.reports[:_PARTS]]
        more = len(source.reports) - len(titles)
        parts = wording.say("；", "; ").join(titles)
        rest_zh, rest_en = (
            (f"等{len(source.reports)}部分", f" and {more} more") if more else ("", "")
        )
        return wording.say(f"包括：{parts}{rest_zh}。", f"Its parts: {parts}{rest_en}.")
    if not extent.relations:
        return wording.say(
            "各实体在相同段落中出现，文档没有陈述它们之间的关系。",
            "Its entities share passages; no document states how they are related.",
        )
    groups: dict[str, int] = {}
    for one in source.relations:
        group = GROUP_OF.get(one.key[1], "other")
        groups[group] = groups.get(group, 0) + 1
    parts = [
        wording.say(f"{GROUPS[group][0]}{groups[group]}对", f"{GROUPS[group][1]}: {groups[group]}")
        for group in GROUPS
        if group in groups
    ]
    row = wording.say("、", ", ").join(parts)
    if not row:
        return ""
    return wording.say(f"文档陈述的关系：{row}。", f"Relations that documents state: {row}.")


def _time(source: Source, wording: Wording) -> str:
    extent = source.elements.extent
    number, days = extent.documents, wording.span(extent)
    files = "document" if number == 1 else "documents"
    return wording.say(f"依据{number}份文档，{days}。", f"It rests on {number} {files} {days}.")


def _rating(source: Source, wording: Wording) -> tuple[float, str]:
    """More where more documents state more: logarithms, since the tenth document adds little."""
    extent = source.elements.extent
    documents, relations, claims = extent.documents, extent.relations, extent.claims
    told = math.log2(1 + documents) + math.log2(1 + relations) / 2 + math.log2(1 + claims) / 4
    # half of the scale for some ten documents; no number of them reaches its end
    rating = 10 * told / (told + 6)
    last = str(extent.last_on)
    reason = wording.say(
        f"{documents}份文档作出{relations}条关系陈述和{claims}条事实陈述，最新的发布于{last}。",
        f"Documents: {documents}; statements of relations: {relations}, of facts: {claims}; "
        f"the newest was published on {last}.",
    )
    return round(rating, 1), reason
