"""Grids between horizontal rules alone: three lines, or one under each row, and no vertical one.

Columns are parted by white space. Rules as long as one another, one below another, with rows of
cells between them make a table; text that runs between two of them ends it.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from finrag_pipeline.stages.cleaning.text import is_prose
from finrag_pipeline.stages.tables.aligned import column_edges, levelled
from finrag_pipeline.stages.tables.context import SOURCE
from finrag_pipeline.stages.tables.crossing import Rule
from finrag_pipeline.stages.tables.phrases import Word, box_of, is_number
from finrag_pipeline.stages.tables.ruled import Grid

#: Rules of one table begin and end within this many points of one another.
_FLUSH_PT = 4.0
#: Share of a broken rule that is drawn, and its widest gap in points: charts stand farther apart.
_DRAWN, _GUTTER_PT = 0.5, 24.0
#: A table is wider than this; shorter rules underline a word or a heading.
_WIDE_PT = 80.0
#: Fewer rules are a frame around anything: a table has one below its heads.
_FEW = 3
#: Rules from which a table has one under each row.
_MANY = 5
#: A row that one text fills alone is at most so much higher than others: more parts two tables.
_HIGHER = 1.8

Band = list[Sequence[Word]]


def lined_grids(words: Sequence[Word], horizontal: Sequence[Rule]) -> list[Grid]:
    """The tables that horizontal rules alone draw around some words, from the top."""
    grids: list[Grid] = []
    for rules in _flush(horizontal):
        for first, last, bands in _tables(rules, words):
            grid = _grid(rules[first : last + 1], bands)
            if grid is not None:
                grids.append(grid)
    return sorted(grids, key=lambda grid: (grid.ys[0], grid.xs[0]))


def _flush(horizontal: Sequence[Rule]) -> list[list[Rule]]:
    """Rules that begin and end alike, each list from the top and of two at least."""
    groups: list[list[Rule]] = []
    for rule in _whole(horizontal):
        if rule.stop - rule.start < _WIDE_PT:
            continue
        for group in groups:
            if (
                abs(group[0].start - rule.start) <= _FLUSH_PT
                and abs(group[0].stop - rule.stop) <= _FLUSH_PT
            ):
                group.append(rule)
                break
        else:
            groups.append([rule])
    return [group for group in groups if len(group) > 1]


def _whole(horizontal: Sequence[Rule]) -> list[Rule]:
    """Rules from the top, those at one height that leave gaps between columns put together."""
    whole: list[Rule] = []
    held = 0.0
    for rule in sorted(horizontal, key=lambda rule: (round(rule.at), rule.start)):
        last = whole[-1] if whole else None
        length = rule.stop - rule.start
        beside = last is not None and abs(rule.at - last.at) < 1.0
        if last is not None and beside and 0 < rule.start - last.stop < _GUTTER_PT:
            held += length
            if held > _DRAWN * (rule.stop - last.start):
                whole[-1] = Rule(last.at, last.start, rule.stop)
                continue
        held = length
        whole.append(rule)
    return whole


def _tables(rules: Sequence[Rule], words: Sequence[Word]) -> list[tuple[int, int, list[Band]]]:
    """First and last rule of each table, and the printed rows between them."""
    start, stop = rules[0].start - _FLUSH_PT, rules[0].stop + _FLUSH_PT
    inner = [word for word in words if start <= word.x <= stop]
    bands: list[Band] = []
    for above, below in pairwise(rules):
        bands.append(levelled(word for word in inner if above.at < word.y < below.at))
    left = min((row[0].bbox[0] for band in bands for row in band if len(row) > 1), default=0.0)
    heights = [
        below.at - above.at
        for (above, below), band in zip(pairwise(rules), bands, strict=True)
        if len(band) == 1
    ]
    usual = median(heights) if heights else 0.0
    tables: list[tuple[int, int, list[Band]]] = []
    run: list[int] = []
    for index, band in enumerate([*bands, []]):
        if index < len(bands):
            height = rules[index + 1].at - rules[index].at
            alone = (
                len(band) == 1
                and len(band[0]) == 1
                and abs(band[0][0].bbox[0] - left) < _FLUSH_PT
                and height < _HIGHER * usual
            )
            if _in_cells(band) or (not band and run) or alone:
                run.append(index)
                continue
        while run and not _in_cells(bands[run[-1]]):
            run.pop()
        while run and not _in_cells(bands[run[0]]):
            run.pop(0)
        if run:
            tables.append((run[0], run[-1] + 1, bands[run[0] : run[-1] + 1]))
        run = []
    return tables


def _in_cells(band: Band) -> bool:
    """Whether the rows between two rules are made of cells rather than of running text."""
    several = [row for row in band if len(row) > 1]
    alone = [row[0] for row in band if len(row) == 1]
    if not several or any(is_prose(phrase.text) for phrase in alone):
        return False
    if any(SOURCE.match(phrase.text) for row in band for phrase in row):
        return False
    # a text of more lines than those beside it goes on under its own first line
    lefts = [phrase.bbox[0] for row in several for phrase in row[1:]]
    under = sum(any(abs(p.bbox[0] - left) < _FLUSH_PT for left in lefts) for p in alone)
    return 2 * (len(several) + under) >= len(band)


def _grid(rules: Sequence[Rule], bands: Sequence[Band]) -> Grid | None:
    rows = [row for band in bands for row in band]
    if len(rows) < 2 or len(rules) < _FEW:
        return None
    xs = column_edges(rows)
    x0 = min(rules[0].start, *(row[0].bbox[0] for row in rows))
    x1 = max(rules[0].stop, *(row[-1].bbox[2] for row in rows))
    edges = [rules[0].at]
    for rule, band in zip(rules[1:], bands, strict=True):
        figures = sum(any(is_number(p.text) for p in row[1:]) for row in band)
        if len(rules) < _MANY or figures > 1 or band is bands[0]:
            boxes = [box_of(row) for row in band]
            edges += [(above[3] + below[1]) / 2 for above, below in pairwise(boxes)]
        edges.append(rule.at)
    if not xs or any(b <= a for a, b in itertools.pairwise(edges)) or not _filled(rows, xs):
        return None
    return Grid((x0, *xs, x1), tuple(edges))


def _filled(rows: Sequence[Sequence[Word]], xs: Sequence[float]) -> bool:
    """Whether most rows of several texts fill half of the columns: those of charts do not."""
    counts = [len({bisect_right(xs, p.x) for p in row}) for row in rows if len(row) > 1]
    return 3 * sum(2 * count > len(xs) for count in counts) >= 2 * len(counts) > 2
