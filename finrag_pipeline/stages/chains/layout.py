"""Where the boxes and arrows of a layered graph stand: left to right, without overlaps.

Barycentre ordering as in Sugiyama, Tagawa and Toda (1981); what is drawn there belongs to
`drawing`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

#: Pixels: of a box, between columns (arrows and their numbers), between boxes, around all.
BOX_WIDTH, COLUMN_GAP, ROW_GAP, MARGIN = 164.0, 100.0, 22.0, 12.0
#: The height that an arrow takes where it passes a column between boxes.
_LANE = 10.0
#: Sweeps of ordering; the best order seen counts. Graphs of 40 boxes settle within a few.
_SWEEPS = 12

#: What stands in a column: an entity, or the place where an arrow passes (pair, column).
Item = str | tuple[str, str, int]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle by its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        return self.y + self.height / 2

    def overlaps(self, other: Box) -> bool:
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )


@dataclass(frozen=True, slots=True)
class Layout:
    """Boxes by entity; arrows by their ends, as points that they pass from left to right."""

    boxes: Mapping[str, Box]
    routes: Mapping[tuple[str, str], tuple[Point, ...]]
    width: float
    height: float


def layered(
    heights: Mapping[str, float], layer_of: Mapping[str, int], pairs: Sequence[tuple[str, str]]
) -> Layout:
    """Lay out a graph.

    Args:
        heights: of every box, in the order that columns start from.
        layer_of: from 0; the ends of a pair never share one.
        pairs: arrows; one that leads to the left is routed from its head to its tail.
    """
    used = {layer: column for column, layer in enumerate(sorted(set(layer_of.values())))}
    column_of = {entity: used[layer_of[entity]] for entity in heights}
    columns: list[list[Item]] = [[] for _ in used]
    for entity in heights:
        columns[column_of[entity]].append(entity)
    paths: dict[tuple[str, str], list[Item]] = {}
    for src, dst in sorted(set(pairs)):
        left, right = sorted((src, dst), key=lambda end: column_of[end])
        lanes = [(src, dst, n) for n in range(column_of[left] + 1, column_of[right])]
        for lane in lanes:
            columns[lane[2]].append(lane)
        paths[src, dst] = [left, *lanes, right]
    near: dict[Item, list[Item]] = defaultdict(list)
    for path in paths.values():
        for one, other in pairwise(path):
            near[one].append(other)
            near[other].append(one)
    columns = _ordered(columns, near)
    top = _tops(columns, near, heights)
    boxes = {
        entity: Box(MARGIN + column * (BOX_WIDTH + COLUMN_GAP), top[entity], BOX_WIDTH, height)
        for entity, height in heights.items()
        for column in (column_of[entity],)
    }
    routes = _routes(paths, boxes, top)
    bottom = max((top[item] + _height(item, heights) for item in top), default=0.0)
    width = len(columns) * BOX_WIDTH + max(0, len(columns) - 1) * COLUMN_GAP + 2 * MARGIN
    return Layout(boxes, routes, width, bottom + MARGIN)


def _ordered(columns: list[list[Item]], near: Mapping[Item, Sequence[Item]]) -> list[list[Item]]:
    """Columns in the order with the fewest crossings that sweeps to and fro find."""
    best, fewest = [list(column) for column in columns], _crossings(columns, near)
    current = [list(column) for column in columns]
    for sweep in range(_SWEEPS):
        numbers = list(range(1, len(current)))
        if sweep % 2:
            numbers = [n - 1 for n in reversed(numbers)]
        for n in numbers:
            beside = current[n + 1 if sweep % 2 else n - 1]
            place = {item: at for at, item in enumerate(beside)}
            own = {item: at for at, item in enumerate(current[n])}
            centre: dict[Item, float] = {}
            for item in current[n]:
                found = [place[other] for other in near[item] if other in place]
                share = len(beside) / max(1, len(own))
                centre[item] = sum(found) / len(found) if found else own[item] * share
            current[n] = sorted(current[n], key=lambda item: (centre[item], own[item]))
        crossings = _crossings(current, near)
        if crossings < fewest:
            best, fewest = [list(column) for column in current], crossings
    return best


def _crossings(columns: Sequence[Sequence[Item]], near: Mapping[Item, Sequence[Item]]) -> int:
    total = 0
    for left, right in pairwise(columns):
        place = {item: at for at, item in enumerate(right)}
        ends = [end for item in left for end in sorted(place[o] for o in near[item] if o in place)]
        total += sum(after < before for n, before in enumerate(ends) for after in ends[n + 1 :])
        # arrows of one box never cross each other: their ends are sorted above
    return total


def _tops(
    columns: Sequence[Sequence[Item]],
    near: Mapping[Item, Sequence[Item]],
    heights: Mapping[str, float],
) -> dict[Item, float]:
    """The upper edge of everything: each as near to the middle of its neighbours as order lets."""
    top: dict[Item, float] = {}
    for column in columns:
        _stack(column, dict.fromkeys(column, 0.0), heights, top)
    for sweep in range(_SWEEPS):
        for column in reversed(columns) if sweep % 2 else columns:
            wanted = {
                item: sum(top[o] + _height(o, heights) / 2 for o in near[item]) / len(near[item])
                - _height(item, heights) / 2
                if near[item]
                else top[item]
                for item in column
            }
            _stack(column, wanted, heights, top)
    highest = min(top.values(), default=0.0)
    return {item: y - highest + MARGIN for item, y in top.items()}


def _stack(
    column: Sequence[Item],
    wanted: Mapping[Item, float],
    heights: Mapping[str, float],
    top: dict[Item, float],
) -> None:
    """Put a column's items below each other; what pushes each other settles around the middle."""
    groups: list[tuple[list[Item], float]] = []
    for item in column:
        group, start = [item], wanted[item]
        while groups and groups[-1][1] + _length(groups[-1][0], heights) > start:
            above, y = groups.pop()
            length = _length(above, heights)
            # the mean of where each would have the group start
            start = (y * len(above) + (start - length) * len(group)) / (len(above) + len(group))
            group = above + group
        groups.append((group, start))
    for group, start in groups:
        for item in group:
            top[item] = start
            start += _height(item, heights) + ROW_GAP


def _length(group: Sequence[Item], heights: Mapping[str, float]) -> float:
    return sum(_height(item, heights) + ROW_GAP for item in group)


def _height(item: Item, heights: Mapping[str, float]) -> float:
    return heights[item] if isinstance(item, str) else _LANE


def _routes(
    paths: Mapping[tuple[str, str], Sequence[Item]],
    boxes: Mapping[str, Box],
    top: Mapping[Item, float],
) -> dict[tuple[str, str], tuple[Point, ...]]:
    """The points of each arrow; those that share the side of a box stand apart on it."""
    sides: dict[tuple[str, bool], list[tuple[float, tuple[str, str]]]] = defaultdict(list)

    def middle(item: Item) -> float:
        return boxes[item].middle if isinstance(item, str) else top[item] + _LANE / 2

    for pair, path in paths.items():
        first, last = path[0], path[-1]
        assert isinstance(first, str) and isinstance(last, str)  # lanes stand between them
        sides[first, True].append((middle(path[1]), pair))
        sides[last, False].append((middle(path[-2]), pair))
    port: dict[tuple[str, bool, tuple[str, str]], Point] = {}
    for (entity, outgoing), arrows in sides.items():
        box = boxes[entity]
        for n, (_, pair) in enumerate(sorted(arrows), start=1):
            x = box.x + box.width if outgoing else box.x
            port[entity, outgoing, pair] = x, box.y + box.height * n / (len(arrows) + 1)
    routes: dict[tuple[str, str], tuple[Point, ...]] = {}
    for pair, path in paths.items():
        points: list[Point] = []
        for item in path:
            if isinstance(item, str):
                points.append(port[item, item == path[0], pair])
            else:
                x = MARGIN + item[2] * (BOX_WIDTH + COLUMN_GAP)
                points += [(x, middle(item)), (x + BOX_WIDTH, middle(item))]
        routes[pair] = tuple(points)
    return routes
