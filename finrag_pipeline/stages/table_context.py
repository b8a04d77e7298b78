"""What is printed around a table: its title, the unit of its figures, its source or note.

The grid itself is read in `tables`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from finrag_pipeline.records import Box, Cell, LayoutBox
from finrag_pipeline.stages.cleaning.text import is_prose

_CAPTION = re.compile(
    r"^\s*[■●▶]?\s*((图表?|表格?|附表)\s*[\d一二三四五六七八九十]+|(Table|Exhibit|Figure|Chart)\s*\d+)",
    re.I,
)
_NAMES_A_TABLE = re.compile(
    r"^[^，。；,;]{2,24}(表|情况|指标|数据|预测|结构|明细|摘要)([（(][^）)]*[)）])?$"
)
SOURCE = re.compile(
    r"^\s*((资料|数据|信息)?来源|注|备注|Sources?|Notes?)\s*[\d]*\s*[:：]", re.IGNORECASE
)
_UNIT = re.compile(r"(?:货币)?单位\s*[:：]\s*([^\s，,；;)）]{1,16})")
_UNIT_IN_BRACKETS = re.compile(
    r"[（(]\s*((?:人民币|港币|美元|港元)?\s*(?:百万|千万|亿|万|千)?(?:元|美元|港元|股|吨|人|家|套)|"
    r"(?:百万|十亿)(?:人民币|美元|港元)|(?:RMB|CNY|USD|US\$|HK\$|HKD|\$)?\s*(?:in\s+)?"
    r"(?:mn|bn|million|billion|thousand|millions|thousands))\s*[)）]|"
    r"\b(?:RMB|CNY|USD|HKD|HK\$|US\$)\s*(?:m|mn|bn|million|billion)\b|"
    r"\(?\s*(in (?:millions|thousands|billions)(?: of [a-z. ]+)?)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """A piece of text of a page with its box."""

    bbox: Box
    text: str


def title_above(above: Sequence[PrintedLine], layout: Sequence[LayoutBox]) -> str | None:
    """A numbered caption above the grid, a title of the model's, or a line that names a table."""
    for line in reversed(above):
        if _CAPTION.match(line.text):
            return line.text
    for line in reversed(above):
        x, y = (line.bbox[0] + line.bbox[2]) / 2, (line.bbox[1] + line.bbox[3]) / 2
        kinds = {
            box.kind
            for box in layout
            if box.bbox[0] <= x <= box.bbox[2] and box.bbox[1] <= y <= box.bbox[3]
        }
        if kinds & {"caption", "section-header", "title"} and not is_prose(line.text):
            return line.text
    nearest = next((line.text for line in reversed(above) if not _UNIT.search(line.text)), "")
    return nearest if _NAMES_A_TABLE.search(nearest) else None


def title_row(cells: tuple[Cell, ...]) -> tuple[str | None, tuple[Cell, ...]]:
    """A first row that is one text across the grid is the table's title."""
    first = [cell for cell in cells if cell.row == 0 and cell.text]
    alone = len(first) == 1 and (first[0].column_span > 1 or bool(_CAPTION.match(first[0].text)))
    if (
        not alone
        or len({cell.row for cell in cells}) < 3
        or any(cell.row == 0 and cell.row_span > 1 for cell in cells)
    ):
        return None, cells
    rest = tuple(replace(cell, row=cell.row - 1) for cell in cells if cell.row > 0)
    return first[0].text, rest


def source_row(
    footnote: str | None, cells: tuple[Cell, ...]
) -> tuple[str | None, tuple[Cell, ...]]:
    """A last row that is a source or a note belongs below the table."""
    last = max(cell.row for cell in cells)
    row = [cell for cell in cells if cell.row == last]
    filled = [cell for cell in row if cell.text]
    reaches = any(cell.row < last < cell.row + cell.row_span for cell in cells)
    if reaches or not filled or not SOURCE.match(filled[0].text):
        return footnote, cells
    text = " ".join(cell.text for cell in filled)
    return footnote or text, tuple(cell for cell in cells if cell.row < last)


def unit_in(texts: Sequence[str]) -> str | None:
    """The unit that the first of some texts states, as printed."""
    for text in texts:
        match = _UNIT.search(text)
        if match:
            return match[1]
    for text in texts:
        match = _UNIT_IN_BRACKETS.search(text)
        if match:
            return (match[1] or match[2] or match[0]).strip()
    return None


def stands_over(line: PrintedLine, box: Box) -> bool:
    """Whether a line stands over or under a box: half of it within the box's width."""
    width = min(line.bbox[2], box[2]) - max(line.bbox[0], box[0])
    return width > 0.5 * (line.bbox[2] - line.bbox[0])
