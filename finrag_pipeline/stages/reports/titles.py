"""What a report without a model is about: its subjects, and a title that says what is told of them.

The report itself is written in `offline`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from finrag_pipeline.grammar.metrics import metrics_in
from finrag_pipeline.stages.reports.elements import Node, Relation
from finrag_pipeline.stages.reports.offline_findings import chain_of
from finrag_pipeline.stages.reports.source import Source
from finrag_pipeline.stages.reports.wording import GROUP_OF, GROUPS, Wording
from finrag_pipeline.words import is_chinese

#: Types that a report can be about, the likeliest first; a bare metric or place is no subject.
_SUBJECTS = (
    ("company",),
    ("industry", "product", "commodity"),
    ("organisation",),
    ("person",),
    ("event", "concept"),
    ("policy",),
)
_IN_TITLE = 3
_TOPICS = 2
#: What is told of the subjects: as many as make one title differ from the next.
_MATTERS = 2


def subjects(source: Source) -> tuple[list[str], list[str]]:
    """Whom or what a report is about, and the industries or products that go with companies."""
    central = _central(source)
    for types in _SUBJECTS:
        if names := _of_types(central, types, _IN_TITLE):
            others = _of_types(central, _SUBJECTS[1], _TOPICS) if types == _SUBJECTS[0] else []
            return names, others
    return [node.name for node in central[:1]], []


def title(source: Source, wording: Wording) -> str:
    """Subjects, their field, and what is told of them: which relation to whom, which figures."""
    names, topics = subjects(source)
    about, matters = _told(source, wording)
    fresh = dict.fromkeys(each for each in matters if each not in (*names, *topics))
    row = wording.names(names) + wording.bracketed(wording.names(topics))
    what = about + wording.bracketed(wording.say("、", ", ").join(list(fresh)[:_MATTERS]))
    return f"{row}{wording.say('：', ': ')}{what}"


def _central(source: Source) -> list[Node]:
    """Entities in the order in which they are the subject; only those of which something is told.

    Where reports stand for them, that is who the reports name.
    """
    told = {item.node.entity_id for item in source.packed.items if item.passages and item.node}
    told |= {end for one in source.elements.chain for end in (one.key[0], one.key[2])}
    told |= {end for one in source.relations for end in (one.key[0], one.key[2])}
    nodes = {node.entity_id: node for node in (*source.elements.central, *source.nodes)}
    named = " ".join(f"{sub.report.title} {sub.report.summary}" for sub in source.reports)
    told |= {each for each, node in nodes.items() if node.name in named}
    nodes = {each: node for each, node in nodes.items() if each in told} or nodes
    return sorted(
        nodes.values(),
        # some companies are only known by their code
        key=lambda node: (node.name in node.codes, -node.prominence, node.name, node.entity_id),
    )


def _of_types(nodes: Iterable[Node], types: Iterable[str], most: int) -> list[str]:
    wanted = set(types)
    return list(dict.fromkeys(node.name for node in nodes if node.type in wanted))[:most]


def _told(source: Source, wording: Wording) -> tuple[str, list[str]]:
    """The kind of what is told first, and what it is about beside the subjects."""
    chain, links = chain_of(source)
    groups: defaultdict[str, list[Relation]] = defaultdict(list)
    for one in source.relations:
        groups[GROUP_OF.get(one.key[1], "other")].append(one)
    claims = [item.told for item in source.packed.items if item.told]
    kinds = {claim.kind for claim in claims}
    if chain.links:
        return wording.say("供应链", "supply chain"), list(_ends(links))
    if groups:
        # the first of those that are stated most often
        group = max(GROUPS, key=lambda each: len(groups[each]))
        return wording.say(*GROUPS[group]).lower(), list(_ends(groups[group]))
    if "figure" in kinds:
        texts = "\n".join(claim.text for claim in claims if claim.kind == "figure")
        return wording.say("经营数据", "figures"), list(_metric_names(texts, wording))
    if kinds & {"rating", "target_price"}:
        houses = [claim.publisher for claim in claims if claim.publisher]
        return wording.say("评级", "ratings"), houses
    if "risk" in kinds:
        return wording.say("风险", "risks"), []
    return wording.say("概况", "overview"), []


def _metric_names(text: str, wording: Wording) -> Iterator[str]:
    """The metrics that a text names, as filings in the language of the report print them."""
    for metric in metrics_in(text):
        names = (name for name in metric.wordings if is_chinese(name) == wording.chinese)
        yield next(names, metric.wordings[0])


def _ends(relations: Iterable[Relation]) -> Iterator[str]:
    for one in relations:
        yield from (one.src, one.dst)
