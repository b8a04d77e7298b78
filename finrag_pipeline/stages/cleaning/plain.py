"""Blocks of lines that no layout box holds: columns by gutters, paragraphs by their typography.

It serves pages that the layout model was not asked about; what is kept is decided in `rules`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from finrag_pipeline.records import TextLine
from finrag_pipeline.stages.cleaning.geometry import (
    bounds,
    gutter,
    parted_bands,
    rows,
    sides,
)
from finrag_pipeline.stages.cleaning.lives import lives
from finrag_pipeline.stages.cleaning.marks import opens_item, starts_list, with_marks
from finrag_pipeline.stages.cleaning.numbering import numbering_level
from finrag_pipeline.stages.cleaning.text import (
    SENTENCE_END,
    is_prose,
    join_rows,
    usual_size,
    weight,
)

Row = tuple[TextLine, ...]

#: Columns are looked for up to this many lines: a printed page of small type holds about 300.
_MOST_LINES = 1500
#: A row that ends before this share of its column ends its paragraph, even without a full stop.
_SHORT = 0.6
#: Paragraphs stand apart by more than this many times the distance of their rows.
_APART = 1.35
#: Longer than the names of months and units.
_WORD = re.compile(r"[^\W\d_]{5,}")
_CLAUSED = re.compile(r"[。；;：:，,.]\s*$|[。；，].*[。；，]")
_NAME = re.compile(r"[^\W\d_]{2,}")
_STOP = re.compile(r"[。；！？]\s*$")
#: Words before a colon, and what they lead to.
_LEAD = re.compile(r"^\W*\w{2,16}[：:]\s*\S{2,}")


def plain_groups(lines: Sequence[TextLine]) -> list[tuple[str, list[TextLine]]]:
    """Paragraphs of a page or a part of one, in reading order.

    Args:
        lines: visible lines without running heads and feet.

    Returns:
        Kind and lines of each paragraph: ``section-header``, ``list-item``, ``text``, or
        ``loose`` for figures and labels.
    """
    body = usual_size(lines)
    return [
        (_kind(paragraph, body), [line for row in paragraph for line in row])
        for column in with_marks(lines, text_columns)
        for paragraph in paragraphs(column)
    ]


def text_columns(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """Lines by column, where running text stands on both sides of a gutter."""
    if len(lines) > _MOST_LINES:
        return [list(lines)]
    columns: list[list[TextLine]] = []
    joined = False  # whether the last column is one across the page, which more rows may join
    for band in parted_bands(lines):
        cut = gutter(band)
        parts = sides(band, cut or 0)
        if cut is not None and all(running_rows(side) >= 2 for side in parts):
            columns += [column for side in parts for column in text_columns(side)]
            joined = False
        elif beside := lives(band):
            columns += beside
            joined = False
        elif joined:
            columns[-1] += band
        else:
            columns.append(list(band))
            joined = True
    return columns


def running_rows(lines: Sequence[TextLine]) -> int:
    """Rows that are one long piece of text."""
    return sum(len(row) <= 2 and weight(join_rows([row])) >= 30 for row in rows(lines))


def paragraphs(lines: Sequence[TextLine]) -> list[list[Row]]:
    """Cut one column into paragraphs: at gaps, changes of print, marks, indents and short ends."""
    printed = rows(lines)
    if not printed:
        return []
    x0, _, x1, _ = bounds(line.bbox for line in lines)
    pitch = _pitch(printed)
    result: list[list[Row]] = [[printed[0]]]
    for above, row in pairwise(printed):
        if _parts(above, row, (x0, x1), pitch.get(_size(row))):
            result.append([])
        result[-1].append(row)
    return result


def are_labels(texts: Sequence[str]) -> bool:
    """Whether the rows of a block are figures or short words of a chart, and no row of a table.

    A row of a table has a word beside its figures; axis labels have units and months at most.
    """
    if any(_STOP.search(text) or (starts_list(text) and _NAME.search(text)) for text in texts):
        return False
    shown = "".join("".join(text.split()) for text in texts)
    digits = sum(char.isdigit() or char in "%.,-/" for char in shown)
    if 10 * digits >= 4 * len(shown):
        return not _WORD.search(shown)
    return len(texts) >= 3 and all(weight(text) <= 12 for text in texts)


def _parts(above: Row, row: Row, column: tuple[float, float], pitch: float | None) -> bool:
    """Whether a row opens a paragraph below the row above it."""
    left, right = column
    size, step = _size(row), _middle(row) - _middle(above)
    text, before = join_rows([row]), join_rows([above])
    if abs(size - _size(above)) > 1.0 or step > 3 * size:
        return True
    if opens_item(text) or (starts_list(text) and step > 0.5 * size):
        return True
    ends = above[-1].bbox[2]
    # a row that fills its column goes on below, however wide the rows are set
    full = ends > right - 1.5 * size and not SENTENCE_END.search(before)
    leads = full and (row[0].bold or _LEAD.search(before))  # a run-in heading goes on below
    if _bold(above) != _bold(row) and not is_prose(before) and len(above) == 1 and not leads:
        return True
    if not full and step > max(_APART * (pitch or 1.6 * size), 1.2 * size):
        return True
    if ends < right - 2 * size and SENTENCE_END.search(before):
        return True
    if ends < left + _SHORT * (right - left):
        return True
    indented = row[0].bbox[0] > left + 1.2 * size and above[0].bbox[0] < left + 0.6 * size
    hanging = starts_list(before) or opens_item(before) or numbering_level(before) is not None
    return indented and not hanging


def _kind(paragraph: Sequence[Row], body: float) -> str:
    text = join_rows(paragraph)
    if opens_item(text) and any(char.isalpha() for char in text):
        return "list-item"
    if is_prose(text):
        return "text"
    if len(paragraph) > 2 and are_labels([join_rows([row]) for row in paragraph]):
        return "loose"
    stands_out = all(map(_bold, paragraph)) or _size(paragraph[0]) > body + 0.8
    hangs = paragraph[-1][0].bbox[0] > paragraph[0][0].bbox[0] + 1.2 * _size(paragraph[0])
    numbered = numbering_level(text) is not None and (len(paragraph) == 1 or hangs)
    stands_out = stands_out or numbered
    title = len(paragraph) <= 2 and weight(text) <= 120 and not _CLAUSED.search(text)
    return "section-header" if title and stands_out else "text"


def _pitch(printed: Sequence[Row]) -> dict[float, float]:
    """Usual distance of neighbouring rows for each font size, in points."""
    steps: dict[float, list[float]] = {}
    for above, row in pairwise(printed):
        step = _middle(row) - _middle(above)
        if abs(_size(above) - _size(row)) <= 0.5 and step < 3 * _size(row):
            steps.setdefault(_size(row), []).append(step)
    # the lower half: paragraphs of one row each would make their gaps the usual distance
    return {size: median(sorted(found)[: len(found) // 2 + 1]) for size, found in steps.items()}


def _size(row: Row) -> float:
    return round(max(row, key=lambda line: len(line.text)).size * 2) / 2


def _bold(row: Row) -> bool:
    return all(line.bold for line in row)


def _middle(row: Row) -> float:
    return (min(line.bbox[1] for line in row) + max(line.bbox[3] for line in row)) / 2
