"""What is printed around a table: its title, the unit of its figures, its source or note.

The grid itself is read in `grid`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from finrag_pipeline.grammar.kinds import kind_of
from finrag_pipeline.grammar.measures import measure_of, printed_measure
from finrag_pipeline.records import Box, Cell
from finrag_pipeline.script import simplified
from finrag_pipeline.stages.cleaning.forms import without_forms
from finrag_pipeline.stages.cleaning.geometry import stands_over
from finrag_pipeline.stages.cleaning.text import SOURCE_LABEL, is_prose, weight
from finrag_pipeline.stages.tables.headers import header_paths
from finrag_pipeline.stages.tables.phrases import Word, is_value

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
_UNIT = re.compile(
    r"(?<!编制)(?<!填报)(?<!制表)(?<!主办)(?<!主管)(?<!任职)"
    r"(?:货币|金额)?单位\s*(?:均?为|[:：])\s*([^\s，,；;。)）:：]{1,16}?)"
    r"(?=[\s，,；;。)）]|币种|审计|编制|$)"
)
_MORE = re.compile(r"\s*[，,、;；]\s*([^\s，,、；;。)）:：]{1,10})")
_CURRENCY = re.compile(r"币种\s*[:：]\s*([^\s，,；;)）]{2,6}?)(?=[\s，,；;。)）]|审计|编制|$)")
_HAN_AMOUNT = r"(?:人民币|港币|美元|港元|欧元|日元)?\s*(?:百万|千万|亿|万|千|十亿)?"
_HAN_COUNT = r"(?:元|美元|港元|港币|欧元|日元|股|吨|人|家|套|人民币|万元|亿元)"
#: A line that is a unit of money and nothing else.
_ALONE = re.compile(rf"^\s*{_HAN_AMOUNT}元\s*$")
#: Over the numbers of notes: 附註.
_NOTES = re.compile(r"附注号?|注释|notes?", re.IGNORECASE)
_AT_END = re.compile(r"(?:人民币|港币|美元|港)(?:百万|千|万|亿|十亿)?元$")
_LATIN_AMOUNT = r"(?:mn|bn|millions?|billions?|thousands?|000s?|m|k)"
_LATIN_CURRENCY = r"(?:RMB|CNY|USD|US\$|HK\$|HKD|EUR|GBP|JPY|\$|€|£|¥|U\.S\. dollars|dollars?)"
_STATED = re.compile(
    rf"[（(]\s*({_HAN_AMOUNT}{_HAN_COUNT}|{_HAN_AMOUNT}{_HAN_COUNT}/\S{{1,3}})\s*[)）]|"
    rf"[（(]\s*((?:amounts?\s+)?(?:expressed\s+)?(?:{_LATIN_CURRENCY}\s*)?(?:in\s+)?"
    rf"(?:{_LATIN_CURRENCY}\s*)?{_LATIN_AMOUNT}(?:\s+of\s+[a-z. ]{{2,20}})?)"
    rf"\s*(?:[,;][^)）]*)?[)）]|"
    rf"(?<![\w$])((?:{_LATIN_CURRENCY}\s*)(?:in\s+)?{_LATIN_AMOUNT})\b|"
    rf"\b((?:{_LATIN_CURRENCY}\s+)?in\s+(?:millions|thousands|billions)"
    rf"(?:\s+of\s+[a-z. ]{{2,20}})?)\b",
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
    unit = unit_in(texts) or next((each.strip() for each in texts if _ALONE.match(each)), None)
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
        states = bool(_UNIT.search(text)) and weight(text) < 60
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


def unit_in(texts: Sequence[str]) -> str | None:
    """The unit that the first of some texts states, as printed, in simplified characters."""
    texts = [simplified(text) for text in texts]
    for text in texts:
        match = _UNIT.search(text)
        if match and not match[1].startswith(("名称", "负责")):
            currency = _CURRENCY.search(text)
            foreign = currency and currency[1] not in ("人民币", "RMB") and currency[1]
            unit = _listed(text, match)
            return f"{unit} {foreign}" if foreign and foreign not in unit else unit
    for text in texts:
        match = _STATED.search(text)
        if match:
            return next(group for group in match.groups() if group).strip()
    return None


def _listed(text: str, first: re.Match[str]) -> str:
    """The first unit of a statement with those that follow it: ``亿元，%``."""
    stop = first.end(1)
    while (more := _MORE.match(text, stop)) and measure_of(more[1]):
        stop = more.end()
    return text[first.start(1) : stop]


def unit_of_header(cells: Sequence[Cell]) -> str | None:
    """The unit that a table's own headings state for all of its figures."""
    header = [cell.text for cell in cells if cell.header]
    stated = [text for text in header if "单位" in text]
    stated += [cell.text for cell in cells if cell.header and cell.column == 0]
    unit = unit_in(stated) or next(
        (found.text for text in stated if (found := printed_measure(text)) and found.currency), None
    )
    if unit is None:
        # over a column it speaks for that one alone, unless all columns of amounts say the same
        filled = {cell.column for cell in cells if not cell.header and cell.text} - {0}
        paths = [
            path
            for column, path in header_paths(cells).items()
            if column in filled and not any(_NOTES.fullmatch(simplified(text)) for text in path)
        ]
        amounts = [path for path in paths if kind_of(" ".join(path)) in (None, "amount")]
        units = {unit_in(path) or _ending_unit(path) for path in amounts}
        alone = len(amounts) == 1 < len(paths)
        unit = units.pop() if len(units) == 1 and not alone else None
    return unit


def _ending_unit(path: Sequence[str]) -> str | None:
    """The unit of money that a heading ends with: 二零二四年人民幣千元."""
    found = (_AT_END.search(simplified(text).strip()) for text in path)
    return next((match[0] for match in found if match), None)


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
    rest = _CURRENCY.sub("", _UNIT.sub("", text))
    stated = bool(_UNIT.search(text)) and weight(rest) <= 24 and not _NAMES_A_TABLE.search(rest)
    return stated or bool(_ALONE.match(text))


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
