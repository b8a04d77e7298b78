"""What is printed around a table: its title, the unit of its figures, its source or note.

The grid itself is read in `grid`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from finrag_pipeline.records import Box, Cell
from finrag_pipeline.script import simplified
from finrag_pipeline.stages.cleaning.forms import without_forms
from finrag_pipeline.stages.cleaning.geometry import stands_over
from finrag_pipeline.stages.cleaning.text import SOURCE_LABEL, is_prose, weight
from finrag_pipeline.stages.tables.phrases import Word, is_value
from finrag_pipeline.stages.tables.units import ALONE, CURRENCY, UNIT, unit_in

_CAPTION = re.compile(
    r"^\s*[■●▶]?\s*((图表?|表格?|附表)\s*[\d一二三四五六七八九十]+|"
    r"(Table|Exhibit|Figure|Chart)\s*[\dIVX]+)",
    re.I,
)
_NAMES_A_TABLE = re.compile(
    r"^[^，。；,;]{2,40}(表|情况|指标|数据|预测|结构|明细|摘要|构成|对比|比较|估值|"
    r"statements?|sheets?|summary|highlights|data|results)"
    r"\s*([（(][^）)]*[)）])?\s*(续表?)?$",
    re.I,
)
#: The running head of a report, which names no table of it: 2024 年半年度报告摘要.
_WHOLE_REPORT = re.compile(r"[年季]度?报告\s*(?:全文|正文|摘要)?\s*$")
SOURCE = re.compile(rf"^\s*({SOURCE_LABEL}|注|备注|说明|Notes?)\s*\d*\s*[:：.]", re.IGNORECASE)
#: The same of where figures are from, which stands below all of them.
_FROM = re.compile(rf"^\s*(?:{SOURCE_LABEL})\s*[:：]", re.IGNORECASE)
#: Says that a table goes on from the page before.
_CONTINUED = re.compile(
    r"^\W*[续接](?:上?[页表]|\W|\d|$)|续表|[（(]\s*续\s*\d*\s*[)）]|(?<=[\s\-—])续$|"
    r"continued|cont[’']?d|cont\.",
    re.IGNORECASE,
)
#: How far above or below its grid a table's title, unit or source stands, in line heights.
_NEAR, _FAR = 2.6, 9.0


@dataclass(frozen=True, slots=True)
class Context:
    """What is printed around one grid; empty where nothing is."""

    title: str | None = None
    unit: str | None = None
    footnote: str | None = None


def context_of(
    box: Box,
    lines: Sequence[Word],
    layout: Sequence[tuple[str, Box]],
    others: Sequence[Box],
) -> Context:
    """Read what is printed around a grid.

    Args:
        box: the grid.
        lines: printed lines outside all tables, from the top.
        layout: kind and box of the layout model's regions.
        others: boxes of the other tables, which end what belongs to this one.
    """
    floor = max((b[3] for b in others if b[3] <= box[1] + 2 and _beside(b, box)), default=0.0)
    ceiling = min((b[1] for b in others if b[1] >= box[3] - 2 and _beside(b, box)), default=1e9)
    above = [
        line
        for line in lines
        if (stands_over(line.bbox, box) or _states_over(line, box))
        and floor <= line.y < box[1] + 3
        and line.bbox[1] < box[1]
    ]
    near = _chain(list(reversed(above)), box[1])
    below = [
        line
        for line in lines
        if stands_over(line.bbox, box) and box[3] - 4 <= line.bbox[1] and line.y < ceiling
    ]
    texts = [simplified(line.text) for line in near]
    unit = unit_in(texts) or next((each.strip() for each in texts if ALONE.match(each)), None)
    return Context(_title(near, layout), unit, _footnote(below, box[3]))


def _states_over(line: Word, box: Box) -> bool:
    """Whether a unit is printed at the right end of a table, which words alone do not reach."""
    return line.bbox[0] < box[2] < line.bbox[2] and only_states_unit(line.text)


def title_rows(cells: tuple[Cell, ...]) -> tuple[str | None, str | None, tuple[Cell, ...]]:
    """First rows that are one text across the grid are the table's title and unit.

    Returns:
        Title, unit, and the cells without those rows.
    """
    title: str | None = None
    unit: str | None = None
    while len({cell.row for cell in cells}) >= 3:
        first = [cell for cell in cells if cell.row == 0 and cell.text]
        if any(cell.row == 0 and cell.row_span > 1 for cell in cells) or len(first) > 1:
            break
        text = first[0].text if first else ""
        if text.endswith(("：", ":")):
            break  # it opens a section of the body
        width = max(cell.column + cell.column_span for cell in cells)
        across = bool(first) and first[0].column == 0 and first[0].column_span > width / 2
        states = bool(UNIT.search(text)) and weight(text) < 60
        if text and not states and (title or not (across or _CAPTION.match(text))):
            break
        if states:
            unit = unit or unit_in([text])
        elif text:
            title = text
        cells = tuple(replace(cell, row=cell.row - 1) for cell in cells if cell.row > 0)
    return title, unit, cells


def source_rows(cells: tuple[Cell, ...]) -> tuple[str | None, tuple[Cell, ...]]:
    """Last rows that are a source, a note or running text belong below the table, and what stands
    below its source is another thing: a chart's title and legend."""
    notes: list[str] = []
    cells = _down_to_source(cells)
    while len({cell.row for cell in cells}) >= 3:
        last = max(cell.row for cell in cells)
        filled = [cell for cell in cells if cell.row == last and cell.text]
        reaches = any(cell.row < last < cell.row + cell.row_span for cell in cells)
        alone = len(filled) == 1 and is_prose(filled[0].text)
        if reaches or not filled or not (SOURCE.match(filled[0].text) or alone):
            break
        notes.insert(0, " ".join(cell.text for cell in filled))
        cells = tuple(cell for cell in cells if cell.row < last)
    return " ".join(notes) or None, cells


def _down_to_source(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Cells down to the source that stands below them; all where rows of figures follow it."""
    rows: dict[int, list[Cell]] = {}
    for cell in cells:
        if cell.text:
            rows.setdefault(cell.row, []).append(cell)
    ends = [
        row
        for row, held in sorted(rows.items())
        if _FROM.match(min(held, key=lambda cell: cell.column).text)
    ]
    if not ends or any(cell.row < ends[0] < cell.row + cell.row_span for cell in cells):
        return cells
    below = [held for row, held in rows.items() if row > ends[0]]
    if any(sum(is_value(cell.text) for cell in held) > 1 for held in below):
        return cells
    return tuple(cell for cell in cells if cell.row <= ends[0])


def goes_on(text: str) -> bool:
    """Whether a line or title says that a table goes on from the page before.

    >>> [goes_on(text) for text in ("续表", "利润表（续）", "Table 2 (continued)")]
    [True, True, True]
    >>> [goes_on(text) for text in ("持续经营净利润", "续航里程对比")]
    [False, False]
    """
    return bool(_CONTINUED.search(text)) and weight(text) <= 80


def kinds_at(line: Box, layout: Sequence[tuple[str, Box]]) -> set[str]:
    """Kinds of the layout regions that hold the middle of a line."""
    x, y = (line[0] + line[2]) / 2, (line[1] + line[3]) / 2
    return {kind for kind, b in layout if b[0] <= x <= b[2] and b[1] <= y <= b[3]}


def _beside(one: Box, two: Box) -> bool:
    return min(one[2], two[2]) > max(one[0], two[0])


def _chain(lines: Sequence[Word], edge: float) -> list[Word]:
    """Lines upward from a grid, as long as each is near the one below and none is running text."""
    chain: list[Word] = []
    bottom = edge
    for line in lines:
        height = line.bbox[3] - line.bbox[1]
        if bottom - line.bbox[3] > _NEAR * height or edge - line.bbox[3] > _FAR * height:
            break
        if is_prose(line.text) and not unit_in([line.text]):
            break
        chain.append(line)
        bottom = min(bottom, line.bbox[1])
    return chain


def _title(near: Sequence[Word], layout: Sequence[tuple[str, Box]]) -> str | None:
    """A numbered caption above the grid, a line that names a table, or a heading of the model's."""
    told = [replace(line, text=text) for line in near if (text := without_forms(line.text))]
    for line in told:
        if _CAPTION.match(line.text):
            return line.text
    names = [
        line
        for line in told
        if not only_states_unit(line.text)
        and not _WHOLE_REPORT.search(line.text)
        and weight(line.text) <= 80
    ]
    for line in names[:4]:
        if _NAMES_A_TABLE.search(line.text):
            return line.text
    for line in names[:2]:
        if kinds_at(line.bbox, layout) & {"caption", "section-header", "title"}:
            return line.text
    return None


def only_states_unit(text: str) -> bool:
    """Whether a line says in what its table counts, and next to nothing else: not which it is.

    >>> [only_states_unit(each) for each in ("单位：元 币种：人民币", "利润表（单位：元）", "元")]
    [True, False, True]
    """
    text = simplified(text)
    rest = CURRENCY.sub("", UNIT.sub("", text))
    stated = bool(UNIT.search(text)) and weight(rest) <= 24 and not _NAMES_A_TABLE.search(rest)
    return stated or bool(ALONE.match(text))


def _footnote(below: Sequence[Word], edge: float) -> str | None:
    notes: list[str] = []
    bottom = edge
    for line in below[:4]:
        height = line.bbox[3] - line.bbox[1]
        if line.bbox[1] - bottom > _NEAR * height or not (SOURCE.match(line.text)):
            break
        notes.append(line.text)
        bottom = line.bbox[3]
    return " ".join(notes) or None
