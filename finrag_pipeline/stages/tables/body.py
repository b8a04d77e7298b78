"""What each row of a table's body stands under: block headings, its label, the columns' headings.

What its figures are counted in is `figures`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from finrag_pipeline.grammar.fact_metrics import metric_of_label
from finrag_pipeline.grammar.kinds import depends, kind_of
from finrag_pipeline.grammar.measures import measure_of, printed_measure
from finrag_pipeline.grammar.metrics import labelled
from finrag_pipeline.records import Cell, Table
from finrag_pipeline.stages.tables.context import SOURCE
from finrag_pipeline.stages.tables.headers import header_paths, label_columns
from finrag_pipeline.stages.tables.periods import period_of, relative_period
from finrag_pipeline.stages.tables.phrases import is_number, is_value

#: A row that closes the block over it.
_TOTAL = re.compile(r"合计|总计|小计|总额|\btotal\b", re.IGNORECASE)
#: Headings of balance sheets, which are lines as well.
_GROUPS = re.compile(r"(?:资产|负债|权益|assets|liabilities|equity)\W*$|[:：]$", re.IGNORECASE)
#: Rows of years that say when something was, not what the columns below are.
_WHEN = re.compile(r"成立|上市|时间|日期|年份|founded|listed|\bdate\b", re.IGNORECASE)
#: Headings that only say when, or in what the rows below are counted.
SAYS_WHEN = re.compile(
    r"^(?:年结|截至|截止|单位|货币单位|币种|(?:\w+ )?(?:years?|months|quarters?) ended|"
    r"as (?:of|at)|(?:amounts )?in (?:millions|thousands|billions))|止年度|"
    r"^(?:会计年度|项目|指标)(?:\W|$)",
    re.IGNORECASE,
)
#: Headings that end in a colon or begin with a number.
_MARKED = re.compile(r"[:：]$|^[（(]?[一二三四五六七八九十]+[)）、.．]")
#: What heads a column and is no row's own text.
_COLUMN_NAME = re.compile(
    r"(?:名称|性质|数量|比例|金额|余额|股数|份额|人数|占比|种类|状态|情况|类型|时间|日期|[数额率量])"
    r"\s*(?:[（(][^（）()]*[)）])?$"
)
#: A label that begins as no heading does.
_SECOND_LINE = re.compile(
    r"[的及和与并或之、，,；;)）】]|[a-z][^:]*$|[(（](?![一二三四五六七八九十\d])"
)
#: How often a ratio stands in a table that gives it for each of its main rows.
_REPEATED = 3
_RATIOS = frozenset(("share", "price", "per_share", "multiple", "change"))


@dataclass(frozen=True, slots=True)
class BodyRow:
    """One row of a body that tells something.

    Attributes:
        row: of the grid.
        blocks: headings over it inside the body, from the outermost; with those that only say when,
            or in what is counted.
        above: labels of rows above that its own continues (增长率 under 营业收入).
        names: texts of its label columns.
        cells: the others, from the left.
        paths: header cells over each column, from the top; those of a heading inside the body
            where one names the columns anew.
        label_headings: header cells over its label columns.
    """

    row: int
    blocks: tuple[str, ...]
    above: tuple[str, ...]
    names: tuple[str, ...]
    cells: tuple[Cell, ...]
    paths: Mapping[int, tuple[str, ...]]
    label_headings: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Its label as printed."""
        return " ".join(self.names)

    @property
    def headings(self) -> tuple[str, ...]:
        """Its blocks that say what stands in them, not only when or in what it is counted."""
        return tuple(text for text in self.blocks if not SAYS_WHEN.search(text))


def body_rows(table: Table) -> Iterator[BodyRow]:
    """The rows of a table's body with figures or other texts beside their labels, from the top.

    Rows of a label alone are headings of what follows; rows that name nothing but periods, and
    merged cells right above them, are headings of columns from there on.
    """
    labels = label_columns(table.cells)
    over = header_paths(table.cells)
    rows = _held(table.cells, labels)
    marked = _marks_headings(
        [_label(held, labels) * (not _beside(held, labels)) for held in rows.values()]
    )
    often = Counter(_label(held, labels) for held in rows.values())
    heads = tuple(text for column in range(labels) for text in over.get(column, ()))
    paths: Mapping[int, tuple[str, ...]] = over
    spread: Mapping[int, tuple[str, ...]] = {}
    section: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
    opener, above = "", ""
    last, taken = -1, set[int]()
    ordered = [*rows.items()]
    for at, ((row, held), (_, following)) in enumerate(pairwise([*ordered, (-1, [])])):
        if row in taken:
            continue
        label, cells = _label(held, labels), _beside(held, labels)
        if not cells:
            if SOURCE.match(label) or _is_empty(label, _label(following, labels)):
                continue
            if sum(_is_name(cell, labels) for cell in held) > 1:
                continue  # one of several label columns is a row's own
            if marked and not (_MARKED.search(label) or printed_measure(label)):
                continue
            opener, above = "", ""
            if SAYS_WHEN.search(label):
                section = (*(text for text in section if not SAYS_WHEN.search(text)), label)
                continue
            # headings on successive rows stand one under the other
            nests = last == row - 1 and blocks and not kind_of(blocks[-1])
            blocks, last = (*blocks, label)[-2:] if nests else (label,), row
        elif last == row - 1 and _names_columns(held):
            lower = [cell for cell in following if cell not in held]
            lower = lower if _names_parts(held, lower) else []
            paths = _beneath(held, lower)
            heads = tuple(cell.text for cell in held if cell.column < labels)
            taken |= {cell.row for cell in lower}
        elif _spreads(cells, _beside(following, labels)):
            spread = _under(cells)
        elif _are_periods(label, cells):
            paths = {**over, **_joined(spread, _under(cells))}
            spread = {}
            if label and not period_of(label):
                section, blocks, opener, above = (label,), (), "", ""
        else:
            if _TOTAL.search(label) and often[label] == 1:
                blocks = ()
            continued = depends(label)
            repeated = often[label] >= _REPEATED and kind_of(label) in _RATIOS and not blocks
            parents = (opener,) if opener and (repeated or (continued and above != opener)) else ()
            parents += (above,) if continued and above and above not in parents else ()
            names = tuple(cell.text for cell in held if _is_name(cell, labels))
            later = dict(_later_lines(" ".join(names), ordered[at + 1 :], labels))
            names, taken = (*names, *later.values()), taken | later.keys()
            yield BodyRow(row, (*section, *blocks), parents, names, tuple(cells), paths, heads)
            if not continued:
                above = " ".join(names)
                opener = opener if repeated else above


def _held(cells: Sequence[Cell], labels: int) -> dict[int, list[Cell]]:
    """Cells of the body by row; a label that spans rows names each of them."""
    rows: dict[int, list[Cell]] = {}
    for cell in cells:
        if not cell.header and cell.text:
            for row in range(cell.row, cell.row + (cell.row_span if cell.column < labels else 1)):
                rows.setdefault(row, []).append(cell)
    return {row: sorted(rows[row], key=lambda cell: cell.column) for row in sorted(rows)}


def _is_name(cell: Cell, labels: int) -> bool:
    return cell.column < labels and not is_number(cell.text)


def _label(held: Sequence[Cell], labels: int) -> str:
    return " ".join(cell.text for cell in held if _is_name(cell, labels))


def _beside(held: Sequence[Cell], labels: int) -> list[Cell]:
    return [cell for cell in held if not _is_name(cell, labels)]


def _marks_headings(alone: Sequence[str]) -> bool:
    """Whether a table marks its headings, and labels without figures are lines left empty.

    Args:
        alone: the labels of its rows that have nothing beside them, else empty texts.
    """
    run = longest = 0
    for label in alone:
        run = run + 1 if label else 0
        longest = max(longest, run)
    return longest > 2 or any(label.endswith((":", "：")) for label in alone)


def _goes_on(label: str) -> bool:
    """Whether a label alone is the second line of the one above it, or its unit."""
    return bool(_SECOND_LINE.match(label)) or measure_of(label) is not None


def _later_lines(
    label: str, rows: Sequence[tuple[int, Sequence[Cell]]], labels: int
) -> Iterator[tuple[int, str]]:
    """The lines of a label that stand in the rows beneath its first one, with their rows."""
    for row, held in rows:
        line = _label(held, labels)
        known = metric_of_label(label) or metric_of_label(line)
        ends = not known and metric_of_label(f"{label}{line}") is not None
        if _beside(held, labels) or not (_goes_on(line) or ends):
            break
        yield row, line
        label += line


def _is_empty(label: str, following: str) -> bool:
    """Whether a label alone is a line without figures: a metric over a metric."""
    if _GROUPS.search(label) or labelled(label) is None:
        return False
    return labelled(following) is not None or kind_of(following) in _RATIOS


def _are_periods(label: str, cells: Sequence[Cell]) -> bool:
    """Whether the cells beside a label name the columns: periods in their order.

    Or those that only the report's own date tells, with what compares them: 上年度末, 增减.
    """
    if _are_relative(cells):
        return True
    periods = [period_of(cell.text) for cell in cells]
    named = [period for period in periods if period]
    if len(named) < 2 or len(named) < len(cells) or _WHEN.search(label):
        return False
    # a year stands before its parts, or behind them: 2024H1, 2024, 2025H1
    orders = (sorted(set(named)), sorted(set(named), key=lambda each: each.ljust(5, "~")))
    return any(named in (each, each[::-1]) for each in orders)


def _are_relative(cells: Sequence[Cell]) -> bool:
    """Whether cells name several periods by the report's own date, the rest only compares them."""
    texts = [cell.text for cell in cells]
    named = [text for text in texts if relative_period(text) and kind_of(text) != "change"]
    compared = all(text in named or kind_of(text) == "change" for text in texts)
    return len(set(named)) > 1 and compared and not any(map(is_value, texts))


def _spreads(cells: Sequence[Cell], below: Sequence[Cell]) -> bool:
    """Whether cells are merged headings over a row of periods."""
    texts = not any(is_value(cell.text) for cell in cells)
    return texts and any(cell.column_span > 1 for cell in cells) and _are_periods("", below)


def _names_columns(held: Sequence[Cell]) -> bool:
    """Whether a row below a heading names the columns anew: 股东名称, 持股数量, 持股比例."""
    texts = [cell.text for cell in held]
    named = sum(bool(_COLUMN_NAME.search(text)) for text in texts)
    return len(texts) > 1 and 2 * named >= len(texts) and not any(map(is_value, texts))


def _names_parts(held: Sequence[Cell], below: Sequence[Cell]) -> bool:
    """Whether a row names what a column of the one above it is parted into."""
    wide = {
        column
        for cell in held
        if cell.column_span > 1
        for column in range(cell.column, cell.column + cell.column_span)
    }
    inside = all(cell.column in wide for cell in below)
    return len(below) > 1 and inside and not any(is_value(cell.text) for cell in below)


def _beneath(upper: Sequence[Cell], lower: Sequence[Cell]) -> dict[int, tuple[str, ...]]:
    """What stands over each column in two rows of heads; the upper one alone where nothing is
    below it."""
    over, under = _under(upper), _under(lower)
    return {column: (*path, *under.get(column, ())) for column, path in over.items()}


def _under(cells: Sequence[Cell]) -> dict[int, tuple[str, ...]]:
    return {
        column: (cell.text,)
        for cell in cells
        for column in range(cell.column, cell.column + cell.column_span)
    }


def _joined(
    upper: Mapping[int, tuple[str, ...]], lower: Mapping[int, tuple[str, ...]]
) -> dict[int, tuple[str, ...]]:
    return {column: (*upper.get(column, ()), *path) for column, path in lower.items()}
