"""Elements as lines of a report's source, in the order of their prominence.

How many of them fit belongs to `packing`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from finrag_pipeline.records.communities import Passage
from finrag_pipeline.stages.extraction.vocabulary import RELATIONS
from finrag_pipeline.stages.reports.elements import (
    Node,
    Relation,
    SubReport,
    Told,
    passages_of,
    plain,
)

#: Counts the tokens of a text.
Count = Callable[[str], int]
ItemKind = Literal["entity", "claim", "relation", "report", "finding"]

#: Entity types in both languages, in the order in which they are told.
TYPES: dict[str, tuple[str, str]] = {
    "company": ("公司", "company"),
    "industry": ("行业", "industry"),
    "product": ("产品", "product"),
    "commodity": ("商品", "commodity"),
    "organisation": ("机构", "organisation"),
    "person": ("人物", "person"),
    "policy": ("政策", "policy"),
    "event": ("事件", "event"),
    "concept": ("概念", "concept"),
    "metric": ("指标", "metric"),
    "place": ("地点", "place"),
}
#: What a number, its brackets and the end of the line count beside an item's text, up to [999].
LINE_TOKENS = 6
#: No line of a source is shorter: a name, its type and what sets them off.
FEWEST_TOKENS = LINE_TOKENS + 2


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a source, what it was made of, and the passages that it rests on.

    `prominence` counts for how an entity is told, `source` is the report of a ``report`` or a
    ``finding``.
    """

    kind: ItemKind
    text: str
    passages: tuple[Passage, ...] = ()
    node: Node | None = None
    relation: Relation | None = None
    told: Told | None = None
    source: SubReport | None = None

    def tokens(self, count: Count) -> int:
        """At most what its line counts in a source."""
        return max(FEWEST_TOKENS, count(self.text) + LINE_TOKENS)


def in_order(nodes: Iterable[Node], relations: Iterable[Relation], chinese: bool) -> list[Item]:
    """The lines of some elements, whatever order they come in.

    Relations by the degrees of both their ends, each after its source, its destination and what is
    claimed of them; then entities without a relation, by degree.
    """
    by_degree = sorted(nodes, key=lambda node: (-node.degree, node.entity_id))
    left = {node.entity_id: node for node in by_degree}
    items: list[Item] = []
    for relation in sorted(relations, key=lambda one: (-one.degree, -one.weight, one.key)):
        ends = [left.pop(end) for end in (relation.key[0], relation.key[2]) if end in left]
        items += [_node(end, chinese) for end in ends]
        items += [claim for end in ends for claim in _claims(end, chinese)]
        items.append(_relation(relation, chinese))
    for node in left.values():
        items += [_node(node, chinese), *_claims(node, chinese)]
    return items


def report_items(sub: SubReport) -> list[Item]:
    """A report on a sub-community: title and summary in a line, then a line for each finding."""
    report = sub.report
    firsts = tuple(dict.fromkeys(each.evidence[0] for each in report.findings))
    head = Item("report", plain(f"{report.title}\n{report.summary}"), firsts, source=sub)
    findings = [
        Item(
            "finding",
            plain(f"{report.title} / {each.summary} {each.explanation}"),
            each.evidence,
            source=sub,
        )
        for each in report.findings
    ]
    return [head, *findings]


def relation_words(name: str, chinese: bool) -> str:
    """A relation as people write it."""
    known = RELATIONS.get(name)
    if known is None:
        return name.replace("_", " ")
    return known.zh if chinese else known.en


def _node(node: Node, chinese: bool) -> Item:
    words = TYPES.get(node.type, (node.type, node.type))[0 if chinese else 1]
    what = node.summary or _joined((each.text for each in node.descriptions), chinese)
    within = ("，" if chinese else ", ").join((words, *node.codes))
    name = f"{node.name}（{within}）" if chinese else f"{node.name} ({within})"
    text = f"{name}{'：' if chinese else ': '}{plain(what)}" if what else name
    return Item("entity", text, passages_of(node.descriptions), node=node)


def _claims(node: Node, chinese: bool) -> Iterator[Item]:
    for each in node.claims:
        text = plain(each.text)
        if each.period and each.period not in text:
            text += f"（{each.period}）" if chinese else f" ({each.period})"
        mark = {"forecast": ("预测", "forecast"), "conditional": ("风险", "risk")}.get(
            each.modality
        )
        words = f"{mark[0 if chinese else 1]}{'：' if chinese else ': '}" if mark else ""
        who = node.name + by_house(each.publisher, chinese)
        line = f"{who}{'：' if chinese else ': '}{words}{text}"
        yield Item("claim", line, (each.passage,), node=node, told=each)


def by_house(publisher: str, chinese: bool) -> str:
    """Whose view something is, to stand behind a name; empty where no house is known.

    >>> by_house("远帆证券", True), by_house("Farsail Securities", False)
    ('（远帆证券）', ' (Farsail Securities)')
    """
    if not publisher:
        return ""
    return f"（{publisher}）" if chinese else f" ({publisher})"


def _relation(relation: Relation, chinese: bool) -> Item:
    words = relation_words(relation.key[1], chinese)
    what = relation.summary or _joined((each.text for each in relation.statements), chinese)
    colon = "：" if chinese else ": "
    text = f"{relation.src} {words} {relation.dst}{colon}{plain(what)}"
    return Item("relation", text, passages_of(relation.statements), relation=relation)


def _joined(texts: Iterable[str], chinese: bool) -> str:
    told: Sequence[str] = list(dict.fromkeys(plain(text).rstrip("。；;") for text in texts))
    return ("；" if chinese else "; ").join(told)
