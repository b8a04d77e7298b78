"""Grids drawn with rules: the slots between them, merged where no rule parts two neighbours."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from finrag_pipeline.records import Box
from finrag_pipeline.stages.tables.crossing import Rule

#: Rules meet, and rules at one height are one edge, within this distance in points.
_NEAR_PT = 3.0
#: Share of a slot's side that a rule covers to part it from its neighbour.
_COVER = 0.6
#: An open side: rules reach this far, in points, beyond the last that crosses them, sideways and
#: up or down, where a row of small letters fits.
_OPEN_PT, _ROW_PT = 12.0, 7.0

#: Rules that cross more often, or leave more slots between them, draw graph paper or a pattern:
#: a table of 10,000 cells has as many crossings as slots.
_MOST_SLOTS = 50_000

#: First and last row, first and last column, the lasts exclusive.
Span = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Grid:
    """Column and row edges in points, ascending, and the spans of merged slots.

    `ruled` tells that rules drew it: then its rows and columns are the author's own.
    """

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    spans: tuple[Span, ...] = ()
    ruled: bool = False

    @property
    def bbox(self) -> Box:
        return (self.xs[0], self.ys[0], self.xs[-1], self.ys[-1])


def ruled_grids(horizontal: Sequence[Rule], vertical: Sequence[Rule]) -> list[Grid]:
    """The grids that crossing rules draw, from the top; each of two rows or columns at least.

    None where the rules draw graph paper; the caller bounds their number.
    """
    grids: list[Grid] = []
    for across, down in _connected(horizontal, vertical):
        xs = _edges([rule.at for rule in down])
        ys = _edges([rule.at for rule in across])
        left = min(rule.start for rule in across)
        right = max(rule.stop for rule in across)
        # three-line tables with inner rules alone are open at their sides
        open_left, open_right = xs[0] - left > _OPEN_PT, right - xs[-1] > _OPEN_PT
        xs = [left] * open_left + xs + [right] * open_right
        # frames without their upper or lower side; one rule alone may be a stray one
        top = sorted(rule.start for rule in down)[:2][-1]
        bottom = sorted(rule.stop for rule in down)[-2:][0]
        ys = [top] * (ys[0] - top > _ROW_PT) + ys + [bottom] * (bottom - ys[-1] > _ROW_PT)
        if len(xs) < 2 or len(ys) < 2 or len(xs) + len(ys) < 5 or len(xs) * len(ys) > _MOST_SLOTS:
            continue
        grids.append(Grid(tuple(xs), tuple(ys), _merged(xs, ys, across, down), True))
    return sorted(grids, key=lambda grid: (grid.ys[0], grid.xs[0]))


def _connected(
    horizontal: Sequence[Rule], vertical: Sequence[Rule]
) -> list[tuple[list[Rule], list[Rule]]]:
    """Rules by the figures they draw: two belong together when they cross or touch."""
    group = list(range(len(horizontal) + len(vertical)))

    def root(index: int) -> int:
        while group[index] != index:
            group[index] = group[group[index]]
            index = group[index]
        return index

    near = _NEAR_PT
    order = sorted(range(len(vertical)), key=lambda j: vertical[j].at)
    places = [vertical[j].at for j in order]
    crossings = 0
    for i, across in enumerate(horizontal):
        first = bisect_left(places, across.start - near)
        last = bisect_right(places, across.stop + near)
        for j in order[first:last]:
            if vertical[j].start - near <= across.at <= vertical[j].stop + near:
                group[root(i)] = root(len(horizontal) + j)
                crossings += 1
        if crossings > _MOST_SLOTS:
            return []
    parts: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for i, rule in enumerate(horizontal):
        parts.setdefault(root(i), ([], []))[0].append(rule)
    for j, rule in enumerate(vertical):
        parts.setdefault(root(len(horizontal) + j), ([], []))[1].append(rule)
    return [part for part in parts.values() if part[0] and part[1]]


def _edges(values: Sequence[float]) -> list[float]:
    edges: list[float] = []
    for value in sorted(values):
        if not edges or value - edges[-1] > _NEAR_PT:
            edges.append(value)
    return edges


def _merged(
    xs: Sequence[float], ys: Sequence[float], across: Sequence[Rule], down: Sequence[Rule]
) -> tuple[Span, ...]:
    """Spans of slots that no rule parts; what is no rectangle falls back to single rows."""
    rows, columns = len(ys) - 1, len(xs) - 1
    owner = {(r, c): (r, c) for r in range(rows) for c in range(columns)}

    def root(slot: tuple[int, int]) -> tuple[int, int]:
        while owner[slot] != slot:
            owner[slot] = owner[owner[slot]]
            slot = owner[slot]
        return slot

    def join(one: tuple[int, int], two: tuple[int, int]) -> None:
        owner[max(root(one), root(two))] = min(root(one), root(two))

    for edge in range(1, columns):
        rules = [rule for rule in down if abs(rule.at - xs[edge]) <= _NEAR_PT]
        for r in range(rows):
            if not _covered(rules, ys[r], ys[r + 1]):
                join((r, edge - 1), (r, edge))
    for edge in range(1, rows):
        rules = [rule for rule in across if abs(rule.at - ys[edge]) <= _NEAR_PT]
        for c in range(columns):
            if not _covered(rules, xs[c], xs[c + 1]):
                join((edge - 1, c), (edge, c))
    groups: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for slot in owner:
        groups.setdefault(root(slot), []).append(slot)
    spans: list[Span] = []
    for slots in groups.values():
        r0, r1 = min(r for r, _ in slots), max(r for r, _ in slots) + 1
        c0, c1 = min(c for _, c in slots), max(c for _, c in slots) + 1
        if len(slots) == (r1 - r0) * (c1 - c0):
            spans += [(r0, r1, c0, c1)] if len(slots) > 1 else []
            continue
        for row in range(r0, r1):
            held = sorted(c for r, c in slots if r == row)
            spans += [(row, row + 1, a, b) for a, b in _runs(held) if b - a > 1]
    return tuple(spans)


def _covered(rules: Sequence[Rule], start: float, stop: float) -> bool:
    held = sum(max(0.0, min(rule.stop, stop) - max(rule.start, start)) for rule in rules)
    return held >= _COVER * (stop - start)


def _runs(values: Sequence[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for value in values:
        if runs and runs[-1][1] == value:
            runs[-1] = (runs[-1][0], value + 1)
        else:
            runs.append((value, value + 1))
    return runs
