"""Words on one printed row, joined into phrases: what stands in one cell stands close.

No grid here: `aligned` finds columns in phrases, `grid` puts them into cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from finrag_pipeline.grammar.quantities import is_figure, is_no_figure
from finrag_pipeline.records import Box
from finrag_pipeline.stages.cleaning.geometry import bounds

#: Words of one phrase stand closer than this share of their height; word spaces are a quarter to
#: a half of it, columns of figures stand at least one apart.
_WORD_GAP = 0.7
_MARK = re.compile(r"^[$€£¥￥%‰*()（）\-–—−†‡§¹²³]{1,3}$")
#: Figures that are whole each stand in two columns where more parts them than a word space.
_FIGURE_GAP = 0.3
_WHOLE = re.compile(r"^(?:[-+−–(]?[$€£¥]?\d[\d,.]*[%)]?|n\.?/?a\.?)$", re.IGNORECASE)
#: 1 234 567,8: groups of thousands that a space parts.
_LEADING, _GROUP = (
    re.compile(r"^[-+−–(]?[$€£¥]?\d{1,3}$"),
    re.compile(r"^\d{3}(?:[.,]\d{1,2})?\)?$"),
)
_NOTE = re.compile(r"^\(\d{1,2}\)$")
#: An amount: groups of thousands or decimals, but no last day of a quarter (12.31).
_AMOUNT = re.compile(
    r"^[-+−–(]?[$€£¥￥]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|"
    r"(?!(?:0?3|12)\.31$|0?[69]\.30$)\d+\.\d+)\)?$"
)
_YEAR = re.compile(r"^(?:FY)?\s*(?:19|20)\d\d\s*[AEF]?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Word:
    """A printed word with its box."""

    bbox: Box
    text: str

    @property
    def x(self) -> float:
        return (self.bbox[0] + self.bbox[2]) / 2

    @property
    def y(self) -> float:
        return (self.bbox[1] + self.bbox[3]) / 2


def is_value(text: str) -> bool:
    """Whether a text is a figure or the dash that stands for none.

    >>> [is_value(text) for text in ("(1,234.5)", "12.3%", "—", "N/A", "2 years", "A-1")]
    [True, True, True, True, False, False]
    """
    return is_figure(text) or is_no_figure(text)


def is_number(text: str) -> bool:
    """Whether a text is a figure that is no year: what the body of a table holds."""
    return is_figure(text) and not is_year(text)


def is_amount(text: str) -> bool:
    """Whether a text is a figure that no heading is: with groups of thousands, or with decimals.

    >>> [is_amount(text) for text in ("1,437.20", "98.52", "70", "2024", "12.31", "5.0%")]
    [True, True, False, False, False, False]
    """
    return bool(_AMOUNT.match(text.strip()))


def is_year(text: str) -> bool:
    """Whether a text is a year: it looks like a figure and names a column."""
    return bool(_YEAR.match(text.strip()))


def is_mark(text: str) -> bool:
    """Whether a text is a sign that belongs to the figure beside it."""
    return bool(_MARK.match(text.strip()))


def text_rows(words: Iterable[Word]) -> list[list[Word]]:
    """Words by printed row from the top; a row runs from left to right.

    A word joins the row whose middle it covers most nearly, so that raised marks stay with their
    row and tight rows stay apart.
    """
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda word: (word.y, word.bbox[0])):
        if rows:
            first = rows[-1][0].bbox
            height = max(word.bbox[3] - word.bbox[1], first[3] - first[1])
            if word.y - (first[1] + first[3]) / 2 < 0.5 * height:
                rows[-1].append(word)
                continue
        rows.append([word])
    return [sorted(row, key=lambda word: word.bbox[0]) for row in rows]


def phrases(row: Sequence[Word], gap: float = _WORD_GAP) -> list[Word]:
    """The words of one printed row joined into phrases; `gap` is a share of their height."""
    runs: list[list[Word]] = []
    for word in row:
        if runs:
            last = runs[-1][-1]
            height = min(word.bbox[3] - word.bbox[1], last.bbox[3] - last.bbox[1])
            away = word.bbox[0] - last.bbox[2]
            if away < gap * height and not _two_figures(last.text, word.text, away / height):
                runs[-1].append(word)
                continue
        runs.append([word])
    return [Word(box_of(run), " ".join(word.text for word in run)) for run in runs]


def _two_figures(left: str, right: str, away: float) -> bool:
    """Whether two words near each other are figures of two columns rather than parts of one."""
    whole = bool(_WHOLE.match(left) and _WHOLE.match(right)) and not _NOTE.match(right)
    thousands = bool(_LEADING.match(left) and _GROUP.match(right))
    return whole and away > _FIGURE_GAP and not thousands


def box_of(words: Iterable[Word]) -> Box:
    """The box around words; at least one."""
    return bounds(word.bbox for word in words)


def overlap_of(start: float, stop: float, low: float, high: float) -> float:
    """Length that two intervals share, 0 if none."""
    return max(0.0, min(stop, high) - max(start, low))
