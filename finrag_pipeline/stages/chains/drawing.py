"""A chain or sector as one SVG: boxes in columns, arrows with the numbers of citations.

Where things stand belongs to `layout`, the page around the drawing to `page`.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise

from finrag_pipeline.records.communities import Json
from finrag_pipeline.stages.chains.layout import BOX_WIDTH, Box, Layout, Point, layered
from finrag_pipeline.stages.extraction.vocabulary import BACKWARD, SYMMETRIC

#: Pixels: of a line of a name, of a line of codes, of a character of the name's size.
_NAME, _CODE, _SIZE = 18.0, 14.0, 14.0
_PADDING = 9.0
_INSIDE = BOX_WIDTH - 2 * _PADDING
_MOST_LINES = 5
_MOST_CODES = 2
_LABEL_HEIGHT = 15.0
#: Where on an arrow its numbers may stand, the best place first.
_PLACES = (0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7, 0.25, 0.75)
#: Of a character's size: Latin characters that are wider or narrower than most.
_SHARES = (
    dict.fromkeys("mwMW", 0.95)
    | dict.fromkeys("ABCDEFGHKNOPQRSTUVXYZ0123456789", 0.68)
    | dict.fromkeys("fijltI.,:;'()[]| -", 0.38)
)
_COLOURS = {
    "inside": ("#eaf6ec", "#43905a"),
    "outside": ("#f4f5f7", "#8a94a0"),
    "upstream": ("#e8f1fb", "#3d74b0"),
    "midstream": ("#eaf6ec", "#43905a"),
    "downstream": ("#fdf1e3", "#b97a2b"),
}


def draw(
    content: Json, caption: str, label_of: Mapping[str, str], *, as_goods_flow: bool = True
) -> str:
    """The drawing of a chain, the same for the same content.

    Args:
        content: nodes and links as in `contents.chain_contents`; `stage` chooses the colour.
        caption: what it shows, for who cannot see it.
        label_of: what stands beside the numbers of a relation; "" where numbers do.
        as_goods_flow: arrows lead from who delivers, though the link is told the other way round.
    """
    nodes = content["nodes"]
    lines = {node["entity_id"]: wrapped(node["name"]) for node in nodes}
    # a company of which nothing but its code is known is called by that
    codes = {
        node["entity_id"]: [code for code in node["codes"] if code != node["name"]][:_MOST_CODES]
        for node in nodes
    }
    heights = {
        each: 2 * _PADDING + _NAME * len(lines[each]) + _CODE * len(codes[each]) for each in lines
    }
    labels: dict[tuple[str, str], list[str]] = defaultdict(list)
    directed: set[tuple[str, str]] = set()
    layer_of = {node["entity_id"]: node["layer"] for node in nodes}
    for link in content["links"]:
        src, dst = link["src"], link["dst"]
        if layer_of[src] == layer_of[dst]:
            continue  # peers stand in one column, without a line
        if as_goods_flow and link["relation"] in BACKWARD:
            src, dst = dst, src
        label = f"{label_of.get(link['relation'], '')} [{ranges(link['passages'])}]".strip()
        labels[src, dst].append(label)
        if link["relation"] not in SYMMETRIC:
            directed.add((src, dst))
    layout = layered(heights, layer_of, list(labels))
    arrows = [_arrow(pair, layout, headed=pair in directed) for pair in labels]
    taken = list(layout.boxes.values())
    shown = [_label(layout.routes[pair], " ".join(texts), taken) for pair, texts in labels.items()]
    boxes = [
        _box(node, layout.boxes[node["entity_id"]], lines, codes[node["entity_id"]])
        for node in nodes
    ]
    width, height = f"{layout.width:.0f}", f"{layout.height:.0f}"
    return "\n".join(
        [
            f'<svg class="chain" role="img" aria-label="{escape(caption)}" '
            f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            # on a phone one scrolls rather than reads crumbs; a few boxes are not blown up
            f'style="min-width:{0.62 * layout.width:.0f}px;max-width:{1.25 * layout.width:.0f}px" '
            'xmlns="http://www.w3.org/2000/svg" '
            "font-family=\"system-ui, -apple-system, 'Noto Sans CJK SC', 'PingFang SC', "
            "'Microsoft YaHei', sans-serif\">",
            '<defs><marker id="head" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8" '
            'markerHeight="8" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z" fill="#6b7480"/>'
            "</marker></defs>",
            *arrows,
            *boxes,
            *shown,
            "</svg>",
        ]
    )


def wrapped(name: str, inside: float = _INSIDE) -> list[str]:
    """A name in lines that fit a box; more than five end in dots.

    >>> wrapped("星河新材料科技股份有限公司")
    ['星河新材料科技股份有', '限公司']
    >>> wrapped("Xinghe Advanced Materials")
    ['Xinghe Advanced', 'Materials']
    """
    lines, line = list[str](), ""
    for word in _words(name):
        if line.strip() and _width(line + word.rstrip()) > inside:
            lines.append(line.strip())
            line = ""
        line += word
    lines.append(line.strip())
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 1], lines[_MOST_LINES - 1][:-1] + "…"]
    return lines


def ranges(numbers: Sequence[int]) -> str:
    """Numbers in order, those that follow one another by the first and the last.

    >>> ranges([2, 4, 5, 7, 8, 9])
    '2,4,5,7–9'
    """
    runs: list[list[int]] = []
    for n in numbers:
        if runs and n == runs[-1][-1] + 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    parts = (f"{run[0]}–{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs)
    return ",".join(parts)


def _words(name: str) -> list[str]:
    """Pieces after which a line may end: words, Chinese characters, parts of endless words."""
    pieces: list[str] = []
    for char in " ".join(name.split()):
        last = pieces[-1] if pieces else ""
        goes_on = last and not _wide(last[-1]) and last[-1] not in " -/" and not _wide(char)
        if (goes_on and _width(last + char) <= _INSIDE) or (char == " " and last):
            pieces[-1] += char
        else:
            pieces.append(char)
    return pieces


def _wide(char: str) -> bool:
    return unicodedata.east_asian_width(char) in "WF"


def _width(text: str, size: float = _SIZE) -> float:
    """About as wide as fonts draw it, rather too wide."""
    return size * sum(1.0 if _wide(c) else _SHARES.get(c, 0.6) for c in text)


def _box(node: Json, box: Box, lines: Mapping[str, Sequence[str]], codes: Sequence[str]) -> str:
    fill, stroke = _COLOURS[node["stage"]]
    middle, y = box.x + box.width / 2, box.y + _PADDING
    dashes = "" if node["type"] == "company" else ' stroke-dasharray="5 3"'
    shown = [
        f"<g><title>{escape(node['name'])}</title>",
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" '
        f'rx="6" fill="{fill}" stroke="{stroke}"{dashes}/>',
    ]
    for line in lines[node["entity_id"]]:
        shown.append(_text(middle, y + 13.5, line, _SIZE, "#1d2733"))
        y += _NAME
    for code in codes:
        shown.append(_text(middle, y + 10.5, code, 11, "#5a6572"))
        y += _CODE
    return "".join([*shown, "</g>"])


def _text(x: float, y: float, text: str, size: float, colour: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" fill="{colour}" '
        f'text-anchor="middle">{escape(text)}</text>'
    )


def _arrow(pair: tuple[str, str], layout: Layout, *, headed: bool) -> str:
    points = layout.routes[pair]
    path = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for one, other in pairwise(points):
        bend = (one[0] + other[0]) / 2
        path.append(
            f"C{bend:.1f} {one[1]:.1f} {bend:.1f} {other[1]:.1f} {other[0]:.1f} {other[1]:.1f}"
        )
    backward = layout.boxes[pair[0]].x > layout.boxes[pair[1]].x
    end = f' {"marker-start" if backward else "marker-end"}="url(#head)"' if headed else ""
    return f'<path d="{" ".join(path)}" fill="none" stroke="#6b7480"{end}/>'


def _label(points: Sequence[Point], text: str, taken: list[Box]) -> str:
    """The numbers of an arrow where they hide neither a box nor other numbers."""
    width = _width(text, 11) + 6
    gaps = list(zip(points[::2], points[1::2], strict=True))
    found: Box | None = None
    for one, other in gaps:
        for share in _PLACES:
            x, y = _on_curve(one, other, share)
            place = Box(x - width / 2, y - _LABEL_HEIGHT / 2, width, _LABEL_HEIGHT)
            found = found or place
            if not any(place.overlaps(each) for each in taken):
                taken.append(place)
                return _number(place, text)
    assert found is not None  # an arrow has two ends
    return _number(found, text)


def _number(place: Box, text: str) -> str:
    return (
        f'<rect x="{place.x:.1f}" y="{place.y:.1f}" width="{place.width:.1f}" '
        f'height="{place.height:.1f}" rx="3" fill="#fff" fill-opacity="0.92"/>'
        + _text(place.x + place.width / 2, place.y + 11.5, text, 11, "#24476b")
    )


def _on_curve(one: Point, other: Point, share: float) -> Point:
    """A point of the curve that leaves and arrives level."""
    rest = 1 - share
    ahead = 3 * rest * share * share + share**3
    bend = (one[0] + other[0]) / 2
    x = rest**3 * one[0] + 3 * rest * share * bend + share**3 * other[0]
    return x, one[1] + (other[1] - one[1]) * ahead
