"""Rows of tables as the items of a list: whom the column that the noun heads names, and what
stands beside them.

Which noun and which amounts are meant is `asking`'s and `ranking`'s; sentences are `enumerations`'.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import pairwise

from finrag_pipeline.grammar.quantities import parse_quantity
from finrag_pipeline.query.answers.lists.ranking import Ranking
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.stages.tables.phrases import is_number, is_value
from finrag_pipeline.stages.tables.row_quotes import TableRow, table_rows
from finrag_pipeline.words import fold

#: Headings of columns that name what a row is of, and of those that only count or rank rows.
_NAMES = re.compile(
    r"名称|简称|姓名|公司|企业|厂商|厂家|客户|供应商|股东|品牌|机构|单位|项目|产品|"
    r"\b(?:name|company|issuer|investor|product|project)s?\b",
    re.IGNORECASE,
)
_RANKS = re.compile(r"序号|排名|排序|编号|名次|no\.?|#|rank", re.IGNORECASE)
#: A row of headings inside a table, by one of its cells.
_HEADING = re.compile(
    r"[\w/、]{0,12}(?:名称|简称|姓名|全称)(?:[（(].{1,8}[)）])?|序号|排名|项目|公司|企业|客户|供应商|股东|"
    r"name|company|rank|no\.",
    re.IGNORECASE,
)
_SUMS = re.compile(
    r"合计|总计|小计|其[他它]|平均值?|均值|中位数|中值|total|others?|average|mean|median",
    re.IGNORECASE,
)
_SHARES = re.compile(r"比例|占比|比重|份额|%|％|percent|share|proportion", re.IGNORECASE)
_ASKS_SHARES = re.compile(r"比例|占比|各占|比重|份额|几成|percent|share|proportion", re.IGNORECASE)
_DAY = re.compile(r"\d{4}\s*[-/.年]\s*\d{1,2}\s*[-/.月]")
_LONGEST, _LONGEST_HEADING = 60, 24
#: What a heading counts in, and how long that is at most.
_UNITS = re.compile(r"\s*[（(](?:[%％‰]|[^（）()]{0,3}[元股吨人个])[)）]")
_LONGEST_UNIT = 4
#: Characters of what calls the kind of a row.
_LONGEST_KIND = 12
#: What stands between several names in one cell.
_BETWEEN_NAMES = re.compile(r"[、；;]\s*")
#: Columns that are told beside an item at most.
_MOST_COLUMNS = 3
#: A column is told where it shares about as much with the question as the best one.
_MIN_OF_BEST = 0.6


@dataclass(frozen=True, slots=True)
class Block:
    """Rows of a table under headings of their own.

    Attributes:
        title: what stands over them, the table's caption included.
        header: of its columns.
    """

    title: str
    header: Mapping[int, str]
    rows: tuple[TableRow, ...]


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A row as an item: its name and the amounts that were asked for, by their headings."""

    name: str
    row: TableRow
    amounts: tuple[tuple[str, str], ...] = field(default=())


def blocks(item: TableItem) -> Iterator[Block]:
    """The parts of a table: a row of headings, or one text across all columns, begins another."""
    rows = table_rows(item.read_cells())
    if not rows:
        return
    title, header = item.caption or "", rows[0].header
    held: list[TableRow] = []
    for row in rows:
        across = {text for text in row.cells.values() if text}
        heads = _is_heading(row)
        if len(across) > 1 and not heads:
            held.append(row)
            continue
        if held:
            yield Block(title, header, tuple(held))
            held, header = [], {}
        if heads:
            joined = {n: text for n, text in row.cells.items() if text}
            header = joined if not header else {**header, **joined}
        else:
            title, header = f"{item.caption or ''} {across.pop()}", {}
    if held:
        yield Block(title, header, tuple(held))


def _is_heading(row: TableRow) -> bool:
    texts = [text for text in row.cells.values() if text]
    if row.cells == row.header or len(set(texts)) < 2 or any(map(is_value, texts)):
        return row.cells == row.header
    return max(map(len, texts)) <= _LONGEST_HEADING and any(map(_HEADING.fullmatch, texts))


def name_column(block: Block, said: re.Pattern[str], *, titled: bool) -> int | None:
    """The column whose cells are what a noun calls; None where the block lists no such thing.

    Args:
        titled: whether the title alone may say it.
    """
    if any(_DAY.search(head) or len(head) > 2 * _LONGEST for head in block.header.values()):
        return None  # its first row, and no headings
    headed = [
        (not _NAMES.search(head), n)
        for n, head in sorted(block.header.items())
        if said.search(head) and _is_heading_text(head) and _is_of_names(block, n)
    ]
    if headed:
        return min(headed)[1]
    if not titled or not said.search(block.title):
        return None
    called = [n for n, head in sorted(block.header.items()) if _NAMES.search(head)]
    columns = [*called, *sorted({n for row in block.rows for n in row.cells})]
    return next((n for n in columns if _is_of_names(block, n)), None)


def _is_heading_text(text: str) -> bool:
    """Whether a text is short and no sentence; several rows of headings are told as one."""
    return len(text) <= 2 * _LONGEST_HEADING and not re.search(r"[，。；;]", text)


def _is_of_names(block: Block, column: int) -> bool:
    """Whether most cells of a column are names, each its own."""
    if _RANKS.fullmatch(block.header.get(column, "").strip()):
        return False
    texts = [row.cells.get(column, "") for row in block.rows]
    names = [text for text in texts if _is_name(text)]
    return 2 * len(names) > len(texts) and 2 * len(set(names)) > len(names)


def _is_name(text: str) -> bool:
    return 1 < len(text) <= _LONGEST and not is_value(text) and not is_number(text)


def rows_of_kind(block: Block, column: int, said: re.Pattern[str]) -> Block:
    """A block without the rows of which another column says that they are of another kind than a
    noun calls: customers and suppliers under one heading. A kind stands for the rows below it, too.
    """
    for n in sorted(block.header):
        kinds = [row.cells.get(n, "").strip() for row in block.rows]
        called = {each for each in kinds if each}
        if n == column or not any(said.search(each) for each in called):
            continue
        if len(called) < 2 or max(map(len, called)) > _LONGEST_KIND:
            continue
        kept: list[TableRow] = []
        standing = ""
        for row, kind in zip(block.rows, kinds, strict=True):
            standing = kind or standing
            if said.search(standing):
                kept.append(row)
        return replace(block, rows=tuple(kept))
    return block


def rows_of_whom(block: Block, column: int, names: Sequence[str], *, own: bool) -> Block | None:
    """The rows of a block that name a company beside the column of what is listed, where any do.

    Args:
        own: whether all of a block that names it nowhere is of the company.

    Returns:
        None where a block is of others.
    """
    called = {fold(each) for each in names}
    rows = tuple(
        row
        for row in block.rows
        if any(n != column and fold(text.strip()) in called for n, text in row.cells.items())
    )
    if rows:
        return replace(block, rows=rows)
    return block if own or any(each in fold(block.title) for each in called) else None


def entries(
    item: TableItem, block: Block, column: int, asked: str, ranking: Ranking
) -> list[TableEntry]:
    """The items of a block in the order that is asked for, with the amounts beside them.

    Args:
        asked: the words of the question that say what is listed and how much of it.
    """
    rows = [row for row in block.rows if _fits(row, block, column)]
    columns = _amount_columns(block, rows, column, asked, ranking)
    if ranking.falling is not None and columns:
        rows = _ranked(rows, columns[0], falling=ranking.falling)
    units = {(each.row, each.column): each.measure.text for each in item.figures() if each.measure}
    told = columns if ranking.amounts else []
    found: list[TableEntry] = []
    for row in rows:
        amounts = {
            _UNITS.sub("", head).strip(): _counted(text, head, units.get((row.row, n)))
            for n in told
            for head in (block.header.get(n, ""),)
            if (text := row.cells.get(n))
        }
        names = _BETWEEN_NAMES.split(row.cells[column].strip())
        found += (TableEntry(name, row, tuple(amounts.items())) for name in names if name)
    return found[: ranking.most] if ranking.most else found


def _counted(text: str, head: str, unit: str | None) -> str:
    """A figure with what it is counted in, as far as that is known and it is a figure.

    A share is in percent or in nothing, whatever the rest of its table is counted in.
    """
    if unit is None or not is_number(text) or unit in text or len(unit) > _LONGEST_UNIT:
        return text
    share = bool(_SHARES.search(head))
    return f"{text}{unit}" if share == (unit in "%％") else text


def _fits(row: TableRow, block: Block, column: int) -> bool:
    text = row.cells.get(column, "").strip()
    return _is_name(text) and text != block.header.get(column) and not _SUMS.fullmatch(text)


def _amount_columns(
    block: Block, rows: Sequence[TableRow], column: int, asked: str, ranking: Ranking
) -> list[int]:
    """Columns of figures, those that say what is asked first."""
    wanted = _pairs(asked)
    shares = bool(_ASKS_SHARES.search(asked))
    found: list[tuple[float, int]] = []
    for n, head in sorted(block.header.items()):
        texts = [row.cells.get(n, "") for row in rows]
        if n == column or _RANKS.fullmatch(head.strip()):
            continue
        if not texts or 2 * sum(map(_is_amount, texts)) <= len(texts):
            continue
        own = len(wanted & _pairs(head)) + 2 * (shares and bool(_SHARES.search(head)))
        found.append((float(own), n))
    best = max((own for own, _ in found), default=0.0)
    if best:
        kept = [each for each in found if each[0] >= _MIN_OF_BEST * best]
        return [n for _, n in sorted(kept, key=lambda each: (-each[0], each[1]))][:_MOST_COLUMNS]
    return [n for _, n in found][:_MOST_COLUMNS] if ranking.amounts or ranking.most else []


def _is_amount(text: str) -> bool:
    """Whether a cell is a figure, and no day."""
    return bool(text) and is_value(text) and not _DAY.search(text)


def _pairs(text: str) -> set[str]:
    """Neighbouring characters of Chinese words, and whole English words."""
    folded = fold(text)
    latin = set(re.findall(r"[a-z]{3,}", folded))
    chinese = {one + other for one, other in pairwise(folded) if not (one + other).isascii()}
    return latin | {each for each in chinese if re.fullmatch(r"[\u3400-\u9fff]{2}", each)}


def _ranked(rows: list[TableRow], column: int, *, falling: bool) -> list[TableRow]:
    """Rows by the figure of a column; as they stand where one of them has none."""
    values: dict[int, Decimal] = {}
    for row in rows:
        quantity = parse_quantity(row.cells.get(column, ""))
        if quantity is None:
            return rows
        values[row.row] = quantity.value
    return sorted(rows, key=lambda row: -values[row.row] if falling else values[row.row])
