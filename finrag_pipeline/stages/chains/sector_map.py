"""The map of a sector: its companies and what they are linked to, the heaviest links first.

What the links are belongs to `sectors`, how a map is drawn to `drawing`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from finrag_pipeline.records.communities import Json
from finrag_pipeline.stages.chains.document import Drawing
from finrag_pipeline.stages.chains.drawing import draw
from finrag_pipeline.stages.chains.wording import Wording

#: Links that are drawn: with more of them a map is a thicket. The text tells all.
_MOST_DRAWN = 30


def sector_map(content: Json, title: str, say: Wording) -> Drawing:
    """The drawing of a sector's links, and the same as lines.

    Args:
        content: see `sectors.sector_contents`.
    """
    heaviest = sorted(content["links"], key=lambda link: -link["weight"])[:_MOST_DRAWN]
    links = [link for link in content["links"] if link in heaviest]
    layer_of = _layers(links)
    nodes = [
        node | {"layer": layer_of[node["entity_id"]], "stage": _side(node)}
        for node in content["nodes"]
        if node["entity_id"] in layer_of
    ]
    drawn = {"nodes": nodes, "links": links}
    names = {node["entity_id"]: node["name"] for node in nodes}
    relations = {link["relation"]: say.relation(link["relation"]) for link in links}
    lines = tuple(
        say.link(names[link["src"]], link["relation"], names[link["dst"]])
        + f" [{', '.join(str(n) for n in link['passages'])}]"
        for link in links
    )
    sides = tuple((side, say(side)) for side in ("inside", "outside"))
    caption = say("sector_caption", title=title)
    return Drawing(draw(drawn, caption, relations, as_goods_flow=False), lines, sides)


def _side(node: Json) -> str:
    return "inside" if node["inside"] else "outside"


def _layers(links: Sequence[Json]) -> dict[str, int]:
    """Columns from 0, no two ends of a link in the same: who leads to others stands before them."""
    leads: Counter[str] = Counter()
    for link in links:
        leads[link["src"]] += 1
        leads[link["dst"]] -= 1
    near: dict[str, set[str]] = {entity: set() for entity in leads}
    for link in links:
        near[link["src"]].add(link["dst"])
        near[link["dst"]].add(link["src"])
    layer_of: dict[str, int] = {}
    for entity in sorted(near, key=lambda each: (-leads[each], each)):
        before = [layer_of[other] for other in near[entity] if other in layer_of]
        layer_of[entity] = max(before, default=-1) + 1
    return layer_of
