"""Tells which printed lines are one row of a table: labels go on over several lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import inf
from statistics import median

from finrag_pipeline.stages.tables.phrases import Word, box_of, is_value, text_rows

#: Lines nearer than this share of what parts rows are of one row.
TIGHT = 0.85
#: What parts rows when it is more than this share of their height: then no row touches the next,
#: and a line as far as that is a row of its own.
_SPACED = 1.25
#: Figures at the middle of a label in two lines stand this near to each, in their height.
_HALF = 0.75
#: A line is the next row's where that is so much nearer than the row before.
_NEARER = 1.15
#: White space between words, as a share of the letters' height.
_SPACE = 0.25
#: Texts keep as much room at the right as at the left of a ruled column, in points up to this.
_PAD_PT = 8.0


@dataclass(frozen=True)
class Line:
    """A printed line of a table: its words by column."""

    cells: Mapping[int, Sequence[Word]]

    @cached_property
    def figures(self) -> frozenset[int]:
        """Columns beside the first that hold a figure; a line with one is a row of its own."""
        texts = {c: " ".join(word.text for word in held) for c, held in self.cells.items()}
        return frozenset(c for c, text in texts.items() if c and is_value(text))

    @cached_property
    def levels(self) -> tuple[float, float]:
        """Middle of the first and of the last printed row in it."""
        rows = text_rows(word for held in self.cells.values() for word in held)
        return rows[0][0].y, rows[-1][0].y

    @property
    def height(self) -> float:
        return median(w.bbox[3] - w.bbox[1] for held in self.cells.values() for w in held)


def rows_of(
    lines: Sequence[Line], rights: Sequence[float], pitch: float | None
) -> list[list[Line]]:
    """Lines put together to rows, in their order.

    Args:
        lines: from the top, with words.
        rights: for each column, where its texts end at the latest; empty where that is unknown.
        pitch: what usually parts two rows, from middle to middle, as `pitch_of` tells.

    Returns:
        One list a row; each holds one line with figures at most.
    """
    rows: list[list[Line]] = []
    for line, after in zip(lines, [*lines[1:], None], strict=True):
        # between two lines of figures that are as near a line is neither's
        share = 1 / _NEARER if after and after.figures else _NEARER
        ahead = share * (after.levels[0] - line.levels[1]) if after else inf
        if rows and _belongs(rows[-1], line, ahead, rights, pitch):
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def pitch_of(lines: Sequence[Line]) -> float | None:
    """What usually parts two rows: neighbouring lines with figures, or all where none are."""
    pairs = list(pairwise(lines))
    figured = [(above, below) for above, below in pairs if above.figures and below.figures]
    steps = [below.levels[0] - above.levels[1] for above, below in figured or pairs]
    return median(steps) if steps else None


def ends(columns: Mapping[int, Sequence[Word]], edges: Sequence[float]) -> list[float]:
    """Where the texts of each ruled column end at the latest.

    Args:
        columns: words by column.
        edges: of the columns, where rules stand.
    """
    rights: list[float] = []
    for column, (left, right) in enumerate(pairwise(edges)):
        held = columns.get(column)
        pad = box_of(held)[0] - left if held else 0.0
        rights.append(right - max(0.0, min(_PAD_PT, pad)))
    return rights


def _belongs(
    row: Sequence[Line],
    line: Line,
    ahead: float,
    rights: Sequence[float],
    pitch: float | None,
) -> bool:
    last = row[-1]
    if line.figures and any(other.figures for other in row):
        return False
    away = line.levels[0] - last.levels[1]
    if not set(line.cells) & set(last.cells):
        # figures at the middle of a label of two lines
        return away < _HALF * min(line.height, last.height)
    if away > ahead:
        return False
    if pitch is not None and away < TIGHT * pitch:
        return set(line.cells) <= {c for other in row for c in other.cells}
    if pitch is not None and away > TIGHT * pitch and pitch > _SPACED * line.height:
        return False
    return bool(rights) and _goes_on(row, line, rights)


def _goes_on(row: Sequence[Line], line: Line, rights: Sequence[float]) -> bool:
    """Whether each text of a line had no room behind the last of its column in a row."""
    for column, words in line.cells.items():
        above = next(
            (other.cells[column] for other in reversed(row) if column in other.cells), None
        )
        if above is None:
            return False
        first, last = words[0], above[-1]
        space = _SPACE * (first.bbox[3] - first.bbox[1])
        if rights[column] - last.bbox[2] >= _begins(first) + space:
            return False
    return True


def _begins(word: Word) -> float:
    """Width of what must stay on one line: a word, or a Chinese letter."""
    width = word.bbox[2] - word.bbox[0]
    chinese = any("\u2e80" <= char <= "\uffef" for char in word.text)
    return width / len(word.text) if chinese else width
