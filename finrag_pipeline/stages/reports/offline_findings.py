"""Findings of a report without a model: the chain, relations by kind, claims by kind, sub-reports.

Every sentence is one that a document states, with its passage; nothing is concluded from it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set

from finrag_pipeline.records.communities import Finding, Passage
from finrag_pipeline.stages.chunking.enrichment.cues import cues_in
from finrag_pipeline.stages.reports.chain import Chain, supply_chain
from finrag_pipeline.stages.reports.elements import Node, Relation, Told, plain
from finrag_pipeline.stages.reports.items import by_house
from finrag_pipeline.stages.reports.source import Source
from finrag_pipeline.stages.reports.wording import (
    GROUP_OF,
    GROUPS,
    Wording,
    first_distinct,
    tellable,
)

#: Sentences of a finding: what a reader takes in at a glance.
_LINES = 6
#: Links of a chain, which is only told whole.
_LINKS = 40
#: Sentences of one entity in a finding about several.
_OF_ONE = 3
_SUB_REPORTS = 10
_RISK_WORDS = 40

_RISK_START = re.compile(r"^[（(]?\d{1,2}[)）.、]\s*")
_RISK_END = re.compile(r"(?:等?(?:相关|的)?风险|等|\s+risks?)?[。；;，,.]*$")
_REASONS = re.compile(
    r"(?:因为|由于|如果|但|而且|所以)|(?:because|since|if|but|so)\b", re.IGNORECASE
)
_DEFINES = re.compile(
    r"(?:是指|主营|主要从事|专注|从事)|是[^，。]{0,24}(?:商|企业|龙头|平台|厂|公司|机构|行业|体系)"
    r"|(?:is|are) (?:an?|the)\b"
)

#: (entity, what is claimed of it)
Claim = tuple[Node, Told]


def chain_of(source: Source) -> tuple[Chain, list[Relation]]:
    """The chain of a community by names, and the stated relations that its links are."""
    relations = [one for one in source.elements.chain if one.statements]
    chain = supply_chain(one.link for one in relations)
    place = {link: at for at, link in enumerate(chain.links)}
    stated = {one.link: one for one in sorted(relations, key=lambda one: one.key, reverse=True)}
    return chain, [stated[link] for link in sorted(place, key=lambda link: place[link])]


def chain_finding(source: Source, wording: Wording) -> Iterator[Finding]:
    """One finding with every link of the chain, where there is one."""
    chain, links = chain_of(source)
    if links:
        title = wording.say("供应链：", "Supply chain: ") + wording.chain(chain)
        yield _of_relations(title, links[:_LINKS], wording)


def relation_findings(source: Source, wording: Wording) -> Iterator[Finding]:
    """One finding for each kind of relation beside the chain."""
    _, links = chain_of(source)
    told = {one.key for one in links}
    groups: dict[str, list[Relation]] = defaultdict(list)
    for one in source.relations:
        group = GROUP_OF.get(one.key[1], "other")
        # filings name rules in set phrases: only a sentence about one says something
        fit = one.statements if group != "rules" else list(filter(tellable, one.statements))
        if one.key not in told and fit:
            groups[group].append(one)
    for group, words in GROUPS.items():
        if found := groups.get(group):
            pairs = [wording.relation(one) for one in found]
            colon = wording.say("：", ": ")
            title = wording.say(*words) + colon + wording.names(pairs, 3)
            yield _of_relations(title, found[:_LINES], wording)


def _of_relations(title: str, relations: Sequence[Relation], wording: Wording) -> Finding:
    """Relations in words, those of one sentence together, each with its newest fit sentence."""
    by_sentence: dict[str, tuple[Told, list[str]]] = {}
    for one in relations:
        told = next(filter(tellable, one.statements), one.statements[0])
        key = plain(told.passage.quote)
        by_sentence.setdefault(key, (told, []))[1].append(wording.relation(one))
    lines: list[str] = []
    for told, pairs in by_sentence.values():
        row = wording.say("；", "; ").join(dict.fromkeys(pairs))
        said = wording.say("：", ": ") + wording.quote(told) if tellable(told) else ""
        lines.append(row + (said or wording.dated(told)))
    return Finding(title, "\n".join(lines), tuple(told.passage for told, _ in by_sentence.values()))


def claim_findings(source: Source, wording: Wording, told: Set[str]) -> Iterator[Finding]:
    """What entities are, their figures, ratings and risks, each kind the newest first.

    Args:
        told: sentences that other findings quote already.
    """
    claims = _claims(source)
    fresh = [each for each in claims if plain(each[1].passage.quote) not in told]
    described = [(node, each) for node in source.nodes for each in node.descriptions]
    described += [each for each in claims if each[1].kind == "definition"]
    what = [each for each in described if plain(each[1].passage.quote) not in told]
    what = sorted((each for each in what if _says_what(each)), key=lambda each: not _defines(each))
    yield from _quoted(what, wording, wording.say("{names}的业务与定位", "What it is: {names}"))
    figures = [each for each in fresh if each[1].kind == "figure"]
    yield from _quoted(figures, wording, wording.say("{names}的关键数据", "Key figures: {names}"))
    yield from _ratings([c for c in claims if c[1].kind in ("rating", "target_price")], wording)
    yield from _risks([each for each in claims if each[1].kind == "risk"], wording)
    known = {"definition", "figure", "rating", "target_price", "risk"}
    others = [each for each in fresh if each[1].kind not in known]
    yield from _quoted(others, wording, wording.say("关于{names}的陈述", "Said of {names}"))


def report_findings(source: Source, wording: Wording) -> Iterator[Finding]:
    """One finding for each report that stands for a sub-community, those that matter most first."""
    by_rating = sorted(
        source.reports, key=lambda sub: (-sub.report.rating, sub.report.title, sub.report_id)
    )
    for sub in by_rating[:_SUB_REPORTS]:
        firsts = [finding.evidence[0] for finding in sub.report.findings]
        told = [finding.explanation.partition("\n")[0] for finding in sub.report.findings]
        lines = [sub.report.summary, *told[:_LINES]]
        yield Finding(sub.report.title, "\n".join(lines), tuple(dict.fromkeys(firsts))[:_LINES])


def _claims(source: Source) -> list[Claim]:
    """What is claimed of entities, the newest first, then those of the foremost entities."""
    found = [
        (item.node, item.told)
        for item in source.packed.items
        if item.kind == "claim" and item.node and item.told
    ]
    return sorted(
        found,
        key=lambda each: (
            -each[1].passage.published_on.toordinal(),
            -each[0].prominence,
            each[0].name,
            each[1].passage.document_id,
            each[1].passage.chunk,
            each[1].passage.start,
        ),
    )


def _quoted(claims: Iterable[Claim], wording: Wording, title: str) -> Iterator[Finding]:
    """One finding that quotes sentences: a few of each entity, each sentence once."""
    of: dict[str, int] = defaultdict(int)
    seen: dict[str, Claim] = {}
    fit = [each for each in claims if tellable(each[1])]
    alone = len({node.entity_id for node, _ in fit}) == 1
    for node, told in fit:
        sentence = plain(told.passage.quote)
        if sentence in seen or len(seen) == _LINES or (of[node.entity_id] == _OF_ONE and not alone):
            continue
        of[node.entity_id] += 1
        seen[sentence] = (node, told)
    if not seen:
        return
    lines: list[str] = []
    for node, told in seen.values():
        period = "" if told.period in told.passage.quote else told.period
        when = wording.say(f"（{period}）", f" ({period})") if period else ""
        lines.append(f"{node.name}{when}{wording.say('：', ': ')}{wording.quote(told)}")
    names = wording.names((node.name for node, _ in seen.values()), 3)
    passages = tuple(told.passage for _, told in seen.values())
    yield Finding(title.format(names=names), "\n".join(lines), passages)


def _ratings(claims: Sequence[Claim], wording: Wording) -> Iterator[Finding]:
    """What one document gives an entity in one line, with its house: rating and target price."""
    lines: dict[tuple[str, str], list[Told]] = {}
    for node, told in claims:
        lines.setdefault((node.name, told.passage.document_id), []).append(told)
    told_lines: list[str] = []
    passages: list[Passage] = []
    kept = list(lines.items())[:_LINES]
    for (name, _), said in kept:
        words = wording.names((plain(each.text) for each in said), 3)
        who = name + by_house(said[0].publisher, wording.chinese)
        told_lines.append(f"{who}{wording.say('：', ': ')}{words}{wording.dated(said[0])}")
        passages += [each.passage for each in first_distinct(said, 2)]
    if kept:
        names = wording.names((name for (name, _), _ in kept), 3)
        title = wording.say(f"{names}的评级与目标价", f"Ratings and target prices: {names}")
        yield Finding(title, "\n".join(told_lines), tuple(dict.fromkeys(passages)))


def _risks(claims: Sequence[Claim], wording: Wording) -> Iterator[Finding]:
    """The risks that documents name for each entity, each once."""
    of: dict[str, dict[str, Told]] = {}
    for node, told in claims:
        if len(plain(told.text)) <= _RISK_WORDS and (risk := _risk(told)):
            of.setdefault(node.name, {}).setdefault(risk, told)
    if not of:
        return
    kept = list(of.items())[:_LINES]
    colon = wording.say("：", ": ")
    lines = [f"{name}{colon}{wording.names(risks, 8)}" for name, risks in kept]
    said = [first_distinct(list(risks.values()), 2) for _, risks in kept]
    passages = [each.passage for row in said for each in row]
    risks = wording.names((risk for _, risks in kept for risk in risks), 3)
    title = wording.say(f"提示的风险：{risks}", f"Risks that are named: {risks}")
    yield Finding(title, "\n".join(lines), tuple(dict.fromkeys(passages)))


def _risk(told: Told) -> str:
    """A risk as it is named, without the number before it and the word itself."""
    return _RISK_END.sub("", _RISK_START.sub("", plain(told.text)))


def _says_what(claim: Claim) -> bool:
    """Whether a sentence is about what an entity is, not about how much it makes."""
    cues = cues_in(plain(claim[1].passage.quote))
    return not (cues.amount or _REASONS.match(plain(claim[1].passage.quote)))


def _defines(claim: Claim) -> bool:
    return _DEFINES.match(plain(claim[1].text)) is not None
