"""Joins the lines of a label that is printed over several, its figures beside the middle or last.

Rows that go on below their figures are joined in `repair`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from finrag_pipeline.records import Box
from finrag_pipeline.stages.tables.crossing import Rule
from finrag_pipeline.stages.tables.phrases import Word, box_of, is_value, overlap_of
from finrag_pipeline.stages.tables.repair import slot_of
from finrag_pipeline.stages.tables.ruled import Grid

#: Lines of one label stand at most so many line heights apart; figures beside it differ from its
#: middle by less than a share of the height.
_PITCH, _OFF = 1.8, 0.3
#: A label and its figures stand so many line heights higher or lower at most.
_ASKEW = 0.9
#: Lines of one label stand closer than rows do, by this share.
_TIGHT = 0.75


@dataclass(frozen=True, slots=True)
class _Row:
    label: Box | None
    figures: Box | None
    others: bool


def join_labels(grid: Grid, words: Sequence[Word], horizontal: Sequence[Rule]) -> Grid:
    """Join rows that hold the lines of one label.

    Args:
        grid: its first column holds the labels.
        words: those in the grid.
        horizontal: rules, which part rows.
    """
    rows = _rows(grid, words)
    pitches = [
        _middle(below.label) - _middle(above.label)
        for above, below in pairwise(rows)
        if above.label and below.label and above.figures and below.figures
    ]
    usual = median(pitches) if pitches else 0.0
    drop = {at + 1 for at, (above, below) in enumerate(pairwise(rows)) if _level(above, below)}
    for at, (above, row) in enumerate(pairwise(rows)):
        if not above.label or above.figures or above.others or not row.figures:
            continue
        last = at + 1
        if row.label is None:
            below = rows[at + 2] if at + 2 < len(rows) else None
            if below is None or below.label is None or below.figures or below.others:
                continue
            last = at + 2
        lower = rows[last].label
        upper = rows[at - 1].label if at else None
        if lower and _one_label(upper, above.label, lower, row.figures, usual):
            between = (_middle(above.label), _middle(lower))
            if not any(_parts(rule, grid, between) for rule in horizontal):
                drop |= set(range(at + 1, last + 1))
    return _without_edges(grid, drop)


def _level(above: _Row, below: _Row) -> bool:
    """Whether one of two rows is the label and the other the figures of a row printed askew."""
    pairs = ((above.label, below.figures), (below.label, above.figures))
    lone = not (above.label and above.figures) and not (below.label and below.figures)
    return lone and any(
        label is not None
        and figures is not None
        and abs(_middle(label) - _middle(figures)) < _ASKEW * (label[3] - label[1])
        for label, figures in pairs
    )


def _one_label(over: Box | None, upper: Box, lower: Box, figures: Box, usual: float) -> bool:
    """Whether two lines beside figures are one label, and the upper not the end of one over it."""
    height = min(upper[3] - upper[1], lower[3] - lower[1])
    pitch = _middle(lower) - _middle(upper)
    centred = abs(_middle(figures) - (upper[1] + lower[3]) / 2) < _OFF * height
    nearest = over is None or _middle(upper) - _middle(over) > pitch
    return pitch < _PITCH * height and (centred or (nearest and pitch < _TIGHT * usual))


def _rows(grid: Grid, words: Sequence[Word]) -> list[_Row]:
    labels: dict[int, list[Word]] = {}
    figures: dict[int, list[Word]] = {}
    others: set[int] = set()
    for word in words:
        row, column = slot_of(grid, word)
        if column == 0:
            labels.setdefault(row, []).append(word)
        elif is_value(word.text):
            figures.setdefault(row, []).append(word)
        else:
            others.add(row)
    return [
        _Row(
            box_of(labels[row]) if row in labels else None,
            box_of(figures[row]) if row in figures else None,
            row in others,
        )
        for row in range(len(grid.ys) - 1)
    ]


def _middle(box: Box) -> float:
    return (box[1] + box[3]) / 2


def _parts(rule: Rule, grid: Grid, between: tuple[float, float]) -> bool:
    reach = overlap_of(rule.start, rule.stop, grid.xs[0], grid.xs[-1])
    return between[0] < rule.at < between[1] and reach > 0.5 * (grid.xs[-1] - grid.xs[0])


def _without_edges(grid: Grid, drop: set[int]) -> Grid:
    moved = {at: at - sum(edge < at for edge in drop) for at in range(len(grid.ys))}
    spans = [(moved[r0], moved[r1], c0, c1) for r0, r1, c0, c1 in grid.spans]
    return replace(
        grid,
        ys=tuple(y for at, y in enumerate(grid.ys) if at not in drop),
        spans=tuple(s for s in spans if (s[1] - s[0]) * (s[3] - s[2]) > 1),
    )
