"""The drawing: nothing overlaps, arrows begin and end at their boxes, names are cut nowhere."""

from __future__ import annotations

import re
from itertools import combinations
from xml.etree import ElementTree

from hypothesis import example, given, settings
from hypothesis import strategies as st

from finrag_pipeline.stages.chains.citations import Citations
from finrag_pipeline.stages.chains.contents import chain_contents
from finrag_pipeline.stages.chains.drawing import draw, wrapped
from finrag_pipeline.stages.chains.layout import layered
from finrag_pipeline.stages.chains.sector_map import sector_map
from finrag_pipeline.stages.chains.wording import Wording
from finrag_pipeline_tests.stages.chains.invented_links import link, nodes

_NUMBERS = st.integers(0, 39)
PAIRS = st.sets(st.tuples(_NUMBERS, _NUMBERS).filter(lambda p: p[0] != p[1]), min_size=1)


@settings(max_examples=60, deadline=None)
@given(PAIRS)
@example({(4, 0), (3, 1), (0, 2), (3, 2), (4, 1)})
def test_boxes_never_overlap_and_arrows_reach_them(pairs: set[tuple[int, int]]) -> None:
    links = sorted(
        (link(f"e{a:02}", "supplies", f"e{b:02}", weight=1.0 + a) for a, b in pairs),
        key=lambda each: each.key,
    )
    content = chain_contents(links, nodes(*links), Citations())
    layer_of = {node["entity_id"]: node["layer"] for node in content["nodes"]}
    heights = {entity: 30.0 + 7 * n for n, entity in enumerate(layer_of)}
    layout = layered(heights, layer_of, [each.ends for each in links])
    for one, other in combinations(layout.boxes.values(), 2):
        assert not one.overlaps(other)
    for box in layout.boxes.values():
        assert box.x >= 0 and box.y >= 0
        assert box.x + box.width <= layout.width and box.y + box.height <= layout.height
    for (src, dst), points in layout.routes.items():
        left, right = sorted((layout.boxes[src], layout.boxes[dst]), key=lambda box: box.x)
        assert left.x < right.x
        assert points[0][0] == left.x + left.width and points[-1][0] == right.x
        assert left.y < points[0][1] < left.y + left.height
        assert right.y < points[-1][1] < right.y + right.height


def test_drawing_is_whole_and_the_same_for_the_same_content() -> None:
    name = '<script>alert("x")</script> & 星河\n新材'
    links = [link("a", "supplies", "b"), link("b", "uses", "p"), link("b", "supplies", name)]
    content = chain_contents(links, nodes(*links, p="product"), Citations())
    drawn = draw(content, "图", {"uses": "使用"})
    assert drawn == draw(content, "图", {"uses": "使用"})
    assert "<script" not in drawn
    root = ElementTree.fromstring(drawn)
    spoken = "".join(text for text in root.itertext())
    assert "使用 [" in spoken and "<script>" in spoken
    assert len(re.findall("marker-(?:end|start)=", drawn)) == len(links)


@settings(max_examples=40, deadline=None)
@given(PAIRS)
def test_a_sector_is_drawn_whatever_its_links(pairs: set[tuple[int, int]]) -> None:
    links = [
        {
            "src": f"e{one}",
            "dst": f"e{other}",
            "relation": ("supplies", "competes_with", "uses")[(one + other) % 3],
            "weight": float(one),
            "passages": [1],
        }
        for one, other in sorted(pairs)
    ]
    ends = sorted({link[end] for link in links for end in ("src", "dst")})
    content = {
        "nodes": [
            {"entity_id": each, "name": each, "type": "company", "codes": [], "inside": n % 2 == 0}
            for n, each in enumerate(ends)
        ],
        "links": links,
    }
    drawn = sector_map(content, "板块", Wording(True))
    ElementTree.fromstring(drawn.svg)
    shown = sorted(links, key=lambda link: -link["weight"])[:30]
    assert len(drawn.lines) == len(shown)
    # competition has two sides and no direction
    led = {(each["src"], each["dst"]) for each in shown if each["relation"] != "competes_with"}
    assert len(re.findall("marker-(?:end|start)=", drawn.svg)) == len(led)


@given(st.text(min_size=1, max_size=60))
def test_wrapped_names_lose_nothing_before_the_last_line(name: str) -> None:
    lines = wrapped(name)
    assert 1 <= len(lines) <= 5
    shown = "".join("".join(lines).removesuffix("…").split())
    assert "".join(name.split()).startswith(shown)
