"""What a page prints, as tables are read from it: words, lines and straight rules.

Text that runs up or down the page has a view of its own, turned so that it reads upright; what a
grid means is in `ruled`, `aligned` and `grid`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, cast

import pymupdf

from finrag_pipeline.records import Box
from finrag_pipeline.stages.cleaning.text import despace
from finrag_pipeline.stages.pages.pdf_file import rounded, storable
from finrag_pipeline.stages.tables.crossing import Rule, apart, characters_of, rules_over
from finrag_pipeline.stages.tables.phrases import Word

#: A stroke or fill counts as a rule up to this thickness, from this length, in points.
_THICK_PT, _SHORT_PT = 3.0, 4.0
#: Letters so much taller than the page's usual ones that stand across a table are a watermark.
_WATERMARK = 2.5
#: Words in one direction that make a view of their own: fewer are an axis or a side title.
_VIEW_WORDS = 12


@dataclass(frozen=True, slots=True)
class View:
    """All that is printed in one direction of reading, in upright coordinates.

    `turn` is how often the page is turned clockwise by 90 degrees to read it, `width` and
    `height` are the page's as seen so.
    """

    turn: int
    width: float
    height: float
    words: tuple[Word, ...]
    lines: tuple[Word, ...]
    horizontal: tuple[Rule, ...]
    vertical: tuple[Rule, ...]

    def to_page(self, box: Box) -> Box:
        """A box of this view in the coordinates of the page."""
        return rounded(turned(box, -self.turn % 4, self.width, self.height))

    def from_page(self, box: Box) -> Box:
        """A box of the page in the coordinates of this view."""
        across = self.turn % 2
        size = (self.height, self.width) if across else (self.width, self.height)
        return turned(box, self.turn, *size)


def turned(box: Box, times: int, width: float, height: float) -> Box:
    """A box on a sheet of `width` by `height` after turning it clockwise `times` by 90 degrees."""
    x0, y0, x1, y1 = box
    if times == 1:
        return (height - y1, x0, height - y0, x1)
    if times == 2:
        return (width - x1, height - y1, width - x0, height - y0)
    if times == 3:
        return (y0, width - x1, y1, width - x0)
    return box


def views(
    page: pymupdf.Page, sheet: pymupdf.TextPage, drawings: Sequence[dict[str, Any]]
) -> tuple[View, ...]:
    """The views of a page that hold words enough for a table, the upright one first.

    Text at a slant and letters far larger than the rest are left out: they are watermarks.

    Args:
        page: upright.
        sheet: its text, as `sheet.text_of` extracts it.
        drawings: its paths.
    """
    blocks = cast("dict[str, Any]", sheet.extractDICT())["blocks"]
    turns: dict[tuple[int, int], int | None] = {}
    lines: dict[int, list[Word]] = {}
    for number, block in enumerate(blocks):
        for index, line in enumerate(block.get("lines", ())):
            turn = turns[number, index] = _turn(line["dir"])
            text = despace(storable("".join(span["text"] for span in line["spans"])))
            if turn is not None and text:
                lines.setdefault(turn, []).append(Word(rounded(line["bbox"]), text))
    words: dict[int, list[Word]] = {}
    for item in cast("list[Any]", sheet.extractWORDS()):
        turn = turns.get((item[5], item[6]), 0)
        text = storable(str(item[4]))
        if turn is not None and text.strip():
            words.setdefault(turn, []).append(Word(rounded(item[:4]), text))
    rect = page.rect
    horizontal, vertical = _rules(drawings)
    if 0 in words:
        words[0] = _cut(words[0], vertical, sheet)
    return tuple(
        _view(turn, rect.width, rect.height, words[turn], lines.get(turn, ()), horizontal, vertical)
        for turn in sorted(words)
        if turn == 0 or len(words[turn]) >= _VIEW_WORDS
    )


def _cut(words: Sequence[Word], vertical: Sequence[Rule], sheet: pymupdf.TextPage) -> list[Word]:
    """Words, those apart over which rules run."""
    crossed = {n: at for n, word in enumerate(words) if (at := rules_over(word.bbox, vertical))}
    if not crossed:
        return list(words)
    printed = list(characters_of(cast("dict[str, Any]", sheet.extractRAWDICT())["blocks"]))
    found: list[Word] = []
    for n, word in enumerate(words):
        if n not in crossed:
            found.append(word)
            continue
        x0, y0, x1, y1 = word.bbox
        own = [
            (each, box)
            for each, box in printed
            if x0 <= (box[0] + box[2]) / 2 <= x1 and y0 <= (box[1] + box[3]) / 2 <= y1
        ]
        same = "".join(each for each, _ in own) == word.text
        parts = apart(word, own, crossed[n]) if same else [word]
        found += [Word(rounded(each.bbox), each.text) for each in parts]
    return found


def _turn(direction: tuple[float, float]) -> int | None:
    """Clockwise quarter turns that make text of this direction upright; None at a slant."""
    cosine, sine = direction
    if abs(sine) < 0.02:
        return 0 if cosine > 0 else 2
    if abs(cosine) < 0.02:
        return 1 if sine < 0 else 3
    return None


def _view(
    turn: int,
    width: float,
    height: float,
    words: Sequence[Word],
    lines: Iterable[Word],
    horizontal: Sequence[Rule],
    vertical: Sequence[Rule],
) -> View:
    def turn_all(items: Iterable[Word]) -> list[Word]:
        return [Word(turned(word.bbox, turn, width, height), word.text) for word in items]

    seen = turn_all(words)
    upright = sorted(turn_all(lines), key=lambda line: (line.bbox[1], line.bbox[0]))
    usual = median(word.bbox[3] - word.bbox[1] for word in seen)
    kept = [word for word in seen if word.bbox[3] - word.bbox[1] <= _WATERMARK * usual]
    rules = (list(horizontal), list(vertical))
    if turn:
        boxes = [(r.start, r.at, r.stop, r.at) for r in horizontal]
        boxes += [(r.at, r.start, r.at, r.stop) for r in vertical]
        flat = [turned(box, turn, width, height) for box in boxes]
        rules = (
            [Rule(b[1], b[0], b[2]) for b in flat if b[2] - b[0] >= b[3] - b[1]],
            [Rule(b[0], b[1], b[3]) for b in flat if b[2] - b[0] < b[3] - b[1]],
        )
    if turn % 2:
        width, height = height, width
    return View(
        turn,
        width,
        height,
        tuple(kept),
        tuple(upright),
        tuple(rules[0]),
        tuple(rules[1]),
    )


def _rules(drawings: Sequence[dict[str, Any]]) -> tuple[list[Rule], list[Rule]]:
    """Horizontal and vertical rules: lines, thin rectangles, the sides of drawn frames."""
    horizontal: list[Rule] = []
    vertical: list[Rule] = []

    def add(x0: float, y0: float, x1: float, y1: float) -> None:
        x0, x1 = min(x0, x1), max(x0, x1)
        y0, y1 = min(y0, y1), max(y0, y1)
        if y1 - y0 <= _THICK_PT and x1 - x0 >= max(_SHORT_PT, y1 - y0):
            horizontal.append(Rule((y0 + y1) / 2, x0, x1))
        elif x1 - x0 <= _THICK_PT and y1 - y0 >= _SHORT_PT:
            vertical.append(Rule((x0 + x1) / 2, y0, y1))

    for drawing in drawings:
        stroked = "s" in drawing["type"]
        for item in drawing["items"]:
            if item[0] == "l":
                add(*item[1], *item[2])
            elif item[0] in ("re", "qu"):
                points = item[1] if item[0] == "re" else (*item[1][0], *item[1][3])
                x0, y0, x1, y1 = points
                if min(abs(x1 - x0), abs(y1 - y0)) <= _THICK_PT:
                    add(x0, y0, x1, y1)
                elif stroked:
                    add(x0, y0, x1, y0)
                    add(x0, y1, x1, y1)
                    add(x0, y0, x0, y1)
                    add(x1, y0, x1, y1)
    return _joined(horizontal), _joined(vertical)


def _joined(rules: Iterable[Rule], near: float = 2.0, gap: float = 3.0) -> list[Rule]:
    """Rules on one line that touch become one: dashes, the sides of neighbouring cells."""
    clusters: list[list[Rule]] = []
    for rule in sorted(rules, key=lambda rule: rule.at):
        if clusters and rule.at - clusters[-1][-1].at <= near:
            clusters[-1].append(rule)
        else:
            clusters.append([rule])
    result: list[Rule] = []
    for cluster in clusters:
        at = median(rule.at for rule in cluster)
        start = stop = None
        for rule in sorted(cluster, key=lambda rule: rule.start):
            if stop is None or start is None or rule.start > stop + gap:
                if stop is not None and start is not None:
                    result.append(Rule(at, start, stop))
                start, stop = rule.start, rule.stop
            else:
                stop = max(stop, rule.stop)
        if stop is not None and start is not None:
            result.append(Rule(at, start, stop))
    return result
