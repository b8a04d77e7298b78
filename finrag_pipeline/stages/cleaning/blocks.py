"""Gathers the lines of a page into blocks: what layout, columns and bullets hold together.

Nothing here decides what is kept: that is `rules`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from finrag_pipeline.records import Box, LayoutBox, PageReading, TextLine
from finrag_pipeline.stages.cleaning.geometry import bounds, centre, gutter, overlap, rows
from finrag_pipeline.stages.cleaning.text import SENTENCE_END, is_prose, join_rows, weight

TABLE_KINDS = ("table", "table-fallback")
_BULLET = re.compile(r"^\s*[●■◆▶►➢➤⚫•▪◼✓√❑❖\uf06c\uf06e\uf0d8\uf075\uf0b7\uf0fc]")
_SOURCE = re.compile(r"^\s*(资料|数据|信息)?来源\s*[:：]|^\s*Sources?\s*[:：]", re.IGNORECASE)
_MARKER = re.compile(
    r"\[?\bTable_\w*\]?|\[(?:Title|Info|Chart|Report|Main)_?\w*\]|\b[a-z]+datemark\b"
)


@dataclass(frozen=True)
class Block:
    """Lines of one page that belong together, before any rule: at most one paragraph of text."""

    page: int
    kind: str
    lines: tuple[TextLine, ...]

    @cached_property
    def _bounds(self) -> Box:
        return bounds(line.bbox for line in self.lines)

    @property
    def bbox(self) -> Box:
        """The box around its lines."""
        return self._bounds

    @cached_property
    def rows(self) -> tuple[tuple[TextLine, ...], ...]:
        """Its lines by printed row, each from left to right."""
        return rows(self.lines)

    @cached_property
    def text(self) -> str:
        """Its rows as one text: see `text.join_rows`."""
        return join_rows(self.rows)

    @cached_property
    def size(self) -> float:
        """Font size of most of its characters, in points."""
        weights: dict[float, int] = {}
        for line in self.lines:
            size = round(line.size * 2) / 2
            weights[size] = weights.get(size, 0) + len(line.text.strip())
        return max(weights, key=lambda size: (weights[size], size))

    @cached_property
    def bold(self) -> bool:
        """Whether most of its characters are bold."""
        heavy = sum(len(line.text) for line in self.lines if line.bold)
        return 2 * heavy > sum(len(line.text) for line in self.lines)


def watermarks(pages: Sequence[PageReading]) -> frozenset[str]:
    """Words without figures that stand twice a page or more on most pages, on 5 at least."""
    total: Counter[str] = Counter()
    on: Counter[str] = Counter()
    for page in pages:
        texts = Counter("".join(line.text.split()) for line in page.lines)
        total.update(texts)
        on.update(texts.keys())
    return frozenset(
        text
        for text, count in on.items()
        if count >= max(5, 0.6 * len(pages))
        and total[text] >= 2 * count
        and weight(text) >= 8
        and not any(char.isdigit() for char in text)
    )


def page_blocks(page: PageReading, marks: frozenset[str] = frozenset()) -> list[Block]:
    """All lines of a page as blocks, each line in exactly one; the order is not yet the reader's.

    Args:
        page: one page as read.
        marks: `watermarks` of the document.

    Returns:
        Blocks of the layout model's kinds, and ``invisible``, ``marker``, ``watermark``,
        ``source``, and ``loose`` for lines that lie in no layout box.
    """
    invisible = [line for line in page.lines if not line.visible]
    pieces = [piece for line in page.lines if line.visible for piece in _split_marker(line)]
    markers = [line for line in pieces if _MARKER.fullmatch(line.text.strip())]
    over = [line for line in pieces if "".join(line.text.split()) in marks]
    apart = {id(line) for line in (*markers, *over)}
    rest = [line for line in pieces if id(line) not in apart]
    sources = [line for line in rest if _SOURCE.match(line.text)]
    blocks = [Block(page.page, "invisible", (line,)) for line in invisible]
    blocks += [Block(page.page, "marker", (line,)) for line in markers]
    blocks += [Block(page.page, "watermark", (line,)) for line in over]
    held: dict[int, list[TextLine]] = {}
    loose: list[TextLine] = []
    for line in rest:
        index = _box_of(line, page.layout)
        if index is None:
            loose.append(line)
        else:
            held.setdefault(index, []).append(line)
    for index, lines in sorted(held.items()):
        kind = page.layout[index].kind
        columns = _columns(lines)
        for column in columns:
            # what is left of a table box beside running text is a table only with rows of its own
            cut_off = kind in TABLE_KINDS and len(columns) > 1 and len(rows(column)) < 3
            piece = Block(page.page, "text" if cut_off else kind, tuple(column))
            blocks += _settle(piece, sources)
    for group in _neighbours(loose):
        blocks += _settle(Block(page.page, "loose", tuple(group)), sources)
    return blocks


def _split_marker(line: TextLine) -> list[TextLine]:
    """A line cut around template markers; each piece keeps its share of the box."""
    cuts = [0, *(edge for match in _MARKER.finditer(line.text) for edge in match.span())]
    pieces = []
    x0, y0, x1, y1 = line.bbox
    step = (x1 - x0) / max(len(line.text), 1)
    for start, end in zip(cuts, [*cuts[1:], len(line.text)], strict=True):
        if line.text[start:end].strip():
            box = (round(x0 + start * step, 2), y0, round(x0 + end * step, 2), y1)
            pieces.append(replace(line, text=line.text[start:end], bbox=box))
    return pieces


def _box_of(line: TextLine, boxes: Sequence[LayoutBox]) -> int | None:
    """The smallest box around the line's centre, else the one that holds half of the line."""
    x, y = centre(line.bbox)

    def area(index: int) -> float:
        x0, y0, x1, y1 = boxes[index].bbox
        return (x1 - x0) * (y1 - y0)

    around = [
        index
        for index, box in enumerate(boxes)
        if box.bbox[0] <= x <= box.bbox[2] and box.bbox[1] <= y <= box.bbox[3]
    ]
    if around:
        return min(around, key=area)
    shares = [(overlap(line.bbox, box.bbox), -index) for index, box in enumerate(boxes)]
    best, negative = max(shares, default=(0.0, 0))
    return -negative if best >= 0.5 else None


def _columns(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """Parts a layout box at gutters beside running text.

    The model sometimes draws one box over a cover's side column and the text beside it. The
    columns of a table have gutters too, so a cut needs running text on one side.
    """
    cut = gutter(lines)
    if cut is None:
        return [list(lines)]
    sides = [
        [line for line in lines if (centre(line.bbox)[0] < cut) is left] for left in (True, False)
    ]
    if not any(_running_rows(side) >= 2 for side in sides):
        return [list(lines)]
    return [column for side in sides for column in _columns(side)]


def _running_rows(lines: Sequence[TextLine]) -> int:
    """Rows that are one long piece of text."""
    return sum(len(row) <= 2 and weight(join_rows([row])) >= 30 for row in rows(lines))


def _neighbours(lines: Iterable[TextLine]) -> list[list[TextLine]]:
    """Loose lines grouped with those less than a line's height away."""
    groups: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda item: (item.bbox[1], item.bbox[0])):
        height = line.bbox[3] - line.bbox[1]
        for group in groups:
            x0, _, x1, y1 = bounds(item.bbox for item in group)
            near_x = line.bbox[0] <= x1 + 2 * height and line.bbox[2] >= x0 - 2 * height
            if near_x and line.bbox[1] - y1 < 0.8 * height and abs(group[-1].size - line.size) < 2:
                group.append(line)
                break
        else:
            groups.append([line])
    return groups


def _settle(block: Block, sources: Sequence[TextLine]) -> list[Block]:
    """Give a block its final kind and cut it into paragraphs and source lines."""
    mine = [line for line in block.lines if line in sources]
    lines = [line for line in block.lines if line not in sources]
    if block.kind in TABLE_KINDS and not _is_running(lines):
        # a source line inside a table box is the table's own
        return [block]
    blocks = [Block(block.page, "source", (line,)) for line in mine]
    titled = block.kind in ("section-header", "title", "page-header")
    for paragraph in _by_size(lines) if titled else _paragraphs(lines):
        kind = block.kind
        text = join_rows(rows(paragraph))
        if kind in (*TABLE_KINDS, "picture") and is_prose(text):
            kind = "text"
        blocks.append(Block(block.page, kind, tuple(paragraph)))
    return blocks


def _is_running(lines: Sequence[TextLine]) -> bool:
    """A box that the model calls a table, but whose rows are mostly running text."""
    count = len(rows(lines))
    return count > 0 and 2 * _running_rows(lines) >= count and is_prose(join_rows(rows(lines)))


def _by_size(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """Cut a box of titles where the font size changes: each is a title of its own."""
    titles: list[list[TextLine]] = []
    for row in rows(lines):
        size = max(line.size for line in row)
        if not titles or abs(max(line.size for line in titles[-1]) - size) > 1.5:
            titles.append([])
        titles[-1].extend(row)
    return titles


def _paragraphs(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """Cut before a bullet, and after a row that ends a sentence short of the right edge."""
    if not lines:
        return []
    right = max(line.bbox[2] for line in lines)
    paragraphs: list[list[TextLine]] = []
    ended = True
    for row in rows(lines):
        if ended or _BULLET.match(row[0].text):
            paragraphs.append([])
        paragraphs[-1].extend(row)
        short = row[-1].bbox[2] < right - 2 * row[-1].size
        ended = short and bool(SENTENCE_END.search(row[-1].text))
    return paragraphs
