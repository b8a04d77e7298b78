"""Gathers the lines of a page into blocks: what layout, columns and bullets hold together.

Nothing here decides what is kept: that is `rules`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from finrag_pipeline.records import Box, PageReading, TextLine
from finrag_pipeline.stages.cleaning.boxes import TABLE_KINDS, held_lines, mended
from finrag_pipeline.stages.cleaning.edges import Running, at_edge, is_notice, is_page_number
from finrag_pipeline.stages.cleaning.forms import split_forms
from finrag_pipeline.stages.cleaning.geometry import bounds, gutter, rows, sides
from finrag_pipeline.stages.cleaning.lives import lives
from finrag_pipeline.stages.cleaning.marks import (
    Watermarks,
    counts_pages,
    is_template_marker,
    opens_item,
    split_markers,
    with_marks,
)
from finrag_pipeline.stages.cleaning.plain import plain_groups, running_rows
from finrag_pipeline.stages.cleaning.sources import source_lines
from finrag_pipeline.stages.cleaning.text import (
    SENTENCE_END,
    is_day,
    is_prose,
    is_sentence,
    join_rows,
    usual_size,
    weight,
)

#: Loose lines are gathered by nearness up to this many; more than that are no labels.
_MOST_LOOSE = 1500


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
        return usual_size(self.lines)

    @cached_property
    def bold(self) -> bool:
        """Whether most of its characters are bold."""
        heavy = sum(len(line.text) for line in self.lines if line.bold)
        return 2 * heavy > sum(len(line.text) for line in self.lines)


_NO_MARKS, _NOTHING_RUNS = Watermarks(), Running()


def page_blocks(
    page: PageReading, marks: Watermarks = _NO_MARKS, running: Running = _NOTHING_RUNS
) -> list[Block]:
    """All lines of a page as blocks, each line in exactly one; the order is not yet the reader's.

    Args:
        page: one page as read.
        marks: `marks.watermarks` of the document.
        running: `edges.running_lines` of the document.

    Returns:
        Blocks of the layout model's kinds, and ``invisible``, ``marker``, ``watermark``,
        ``repeated`` for running lines, ``foot`` for numbers of pages in their text, ``source``,
        ``form``, and ``loose`` for labels in no layout box.
        Costs the number of lines times that of layout boxes.
    """
    number = page.page
    blocks = [Block(number, "invisible", (line,)) for line in page.lines if not line.visible]
    rest: list[TextLine] = []
    seen = (line for line in page.lines if line.visible)
    for line in (piece for whole in seen for piece in split_markers(whole)):
        if is_template_marker(line.text):
            blocks.append(Block(number, "marker", (line,)))
        elif counts_pages(line.text):
            blocks.append(Block(number, "foot", (line,)))
        elif marks.hold(line):
            blocks.append(Block(number, "watermark", (line,)))
        else:
            rest.append(line)
    pieces = list(split_forms(rest))
    rest = [line for line, _ in pieces]
    apart = {id(line): "form" for line, form in pieces if form}
    apart |= {id(line): "source" for line in source_lines(rest) if id(line) not in apart}
    repeated = running.on(page, rest)
    layout = mended(page, rest)
    held, loose = held_lines(rest, layout)
    for index, lines in sorted(held.items()):
        kind = layout[index].kind
        inner: list[TextLine] = []
        for line in lines:
            if kind in (*TABLE_KINDS, "page-header", "page-footer") or id(line) not in repeated:
                inner.append(line)
            else:
                blocks.append(Block(number, "repeated", (line,)))
        blocks += _boxed(number, kind, inner, apart)
    blocks += [Block(number, "repeated", (line,)) for line in loose if id(line) in repeated]
    loose = [line for line in loose if id(line) not in repeated]
    modelled = any(box.kind != "grid" for box in page.layout)
    if modelled and len(layout) == len(page.layout):
        for group in _neighbours(loose):
            blocks += _settle(Block(number, "loose", tuple(group)), apart)
        return blocks
    foot = _numbered_foot(rest)
    if foot is not None and foot in loose:
        blocks.append(Block(number, "page-footer", (foot,)))
        loose.remove(foot)
    edge = frozenset(id(line) for line in loose if _is_edge_sign(line, page))
    blocks += [Block(number, _edge_kind(line, page), (line,)) for line in loose if id(line) in edge]
    body = [line for line in loose if id(line) not in edge]
    blocks += [Block(number, apart[id(line)], (line,)) for line in body if id(line) in apart]
    groups = plain_groups([line for line in body if id(line) not in apart])
    return blocks + [Block(number, kind, tuple(lines)) for kind, lines in groups]


def _numbered_foot(lines: Sequence[TextLine]) -> TextLine | None:
    """The page number that ends a page, however high the page ends: pages printed from the web."""
    last = max(lines, key=lambda line: line.bbox[3], default=None)
    return last if last is not None and is_page_number(last.text) else None


def _is_edge_sign(line: TextLine, page: PageReading) -> bool:
    """A page number or a pointer to the disclaimer, in the head or foot of its page."""
    return at_edge(line.bbox, page) and (is_page_number(line.text) or is_notice(line.text))


def _edge_kind(line: TextLine, page: PageReading) -> str:
    return "page-header" if line.bbox[1] < page.height / 2 else "page-footer"


def _boxed(
    number: int, kind: str, lines: Sequence[TextLine], apart: Mapping[int, str]
) -> list[Block]:
    """The blocks of one layout box."""
    blocks: list[Block] = []
    columns = with_marks(lines, _columns) if lines else []
    for column in columns:
        # what is left of a table box beside running text is a table only with rows of its own
        cut_off = kind in TABLE_KINDS and len(columns) > 1 and len(rows(column)) < 3
        piece = Block(number, "text" if cut_off else kind, tuple(column))
        blocks += _settle(piece, apart)
    return blocks


def _columns(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """Parts a layout box at gutters beside running text.

    The model sometimes draws one box over a cover's side column and the text beside it. The
    columns of a table have gutters too, so a cut needs running text on one side.
    """
    cut = gutter(lines)
    if cut is None:
        return [list(lines)]
    if beside := lives(lines):
        return beside
    parts = sides(lines, cut)
    if not any(running_rows(side) >= 2 for side in parts):
        return [list(lines)]
    return [column for side in parts for column in _columns(side)]


def _neighbours(lines: Sequence[TextLine]) -> Iterable[list[TextLine]]:
    """Loose lines grouped with those less than a line's height away."""
    if len(lines) > _MOST_LOOSE:
        return [list(row) for row in rows(lines)]
    groups: list[tuple[list[TextLine], Box]] = []
    for line in sorted(lines, key=lambda item: (item.bbox[1], item.bbox[0])):
        height = line.bbox[3] - line.bbox[1]
        for index, (group, (x0, _, x1, y1)) in enumerate(groups):
            near_x = line.bbox[0] <= x1 + 2 * height and line.bbox[2] >= x0 - 2 * height
            if near_x and line.bbox[1] - y1 < 0.8 * height and abs(group[-1].size - line.size) < 2:
                group.append(line)
                groups[index] = (group, bounds((groups[index][1], line.bbox)))
                break
        else:
            groups.append(([line], line.bbox))
    return [group for group, _ in groups]


def _settle(block: Block, apart: Mapping[int, str]) -> list[Block]:
    """Give a block its final kind and cut it into paragraphs; lines apart are blocks of theirs."""
    lines = [line for line in block.lines if id(line) not in apart]
    if block.kind in TABLE_KINDS and not _is_running(lines):
        # a source line or a form inside a table box is the table's own
        return [block]
    blocks = [
        Block(block.page, apart[id(line)], (line,)) for line in block.lines if id(line) in apart
    ]
    titled = block.kind in ("section-header", "title", "page-header")
    for run in _runs(block.lines, apart):
        drawn = block.kind == "picture"  # labels stand below a sentence that fills its row
        for paragraph in _by_size(run) if titled else _paragraphs(run, whole_rows=not drawn):
            kind = block.kind
            if kind in TABLE_KINDS and is_prose(join_rows(rows(paragraph))):
                kind = "text"
            if kind == "picture" and _speaks(paragraph):
                kind = "text"
            blocks.append(Block(block.page, kind, tuple(paragraph)))
    return blocks


def _runs(lines: Sequence[TextLine], apart: Mapping[int, str]) -> list[list[TextLine]]:
    """Lines parted at rows that are apart: no paragraph goes on behind a form."""
    if not any(id(line) in apart for line in lines):
        return [list(lines)]
    runs: list[list[TextLine]] = [[]]
    for row in rows(lines):
        if all(id(line) in apart for line in row):
            runs.append([])
        runs[-1] += (line for line in row if id(line) not in apart)
    return [run for run in runs if run]


def _speaks(lines: Sequence[TextLine]) -> bool:
    """Whether text inside a picture says something: sentences, a list's item, a long phrase."""
    text = join_rows(rows(lines))
    letters = sum(char.isalpha() for char in text)
    worded = 10 * letters >= 7 * len("".join(text.split()))
    phrase = worded and weight(text) >= 40 and len(lines) == 1
    item = opens_item(text) and letters >= 6
    return is_prose(text) or item or phrase or (worded and is_sentence(text))


def _is_running(lines: Sequence[TextLine]) -> bool:
    """A box that the model calls a table, but whose rows are mostly running text."""
    count = len(rows(lines))
    return count > 0 and 2 * running_rows(lines) >= count and is_prose(join_rows(rows(lines)))


def _by_size(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """Cut a box of titles where the font size changes: each is a title of its own."""
    titles: list[list[TextLine]] = []
    for row in rows(lines):
        size = max(line.size for line in row)
        if not titles or abs(max(line.size for line in titles[-1]) - size) > 1.5:
            titles.append([])
        titles[-1].extend(row)
    return titles


def _paragraphs(lines: Sequence[TextLine], *, whole_rows: bool = True) -> list[list[TextLine]]:
    """Cut before a bullet, after a row that ends a sentence short of the right edge, and after
    the day that opens a report; where rows are not filled, after every one that ends a sentence.
    """
    if not lines:
        return []
    right = max(line.bbox[2] for line in lines)
    paragraphs: list[list[TextLine]] = []
    ended = True
    for row in rows(lines):
        if ended or opens_item(row[0].text):
            paragraphs.append([])
        paragraphs[-1].extend(row)
        short = not whole_rows or row[-1].bbox[2] < right - 2 * row[-1].size
        ended = short and bool(SENTENCE_END.search(row[-1].text))
        ended = ended or (len(paragraphs[-1]) == len(row) and is_day(join_rows([row])))
    return paragraphs
