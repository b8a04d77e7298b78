"""The writer of figures of rows: the cell that a question spells out, told with its label and head.

Which cells answer is `cells`'; what is asked `asking`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from finrag_pipeline.grammar.measures import Measure, bare_label
from finrag_pipeline.grammar.periods import periods_in
from finrag_pipeline.grammar.quantities import parse_quantity
from finrag_pipeline.query.answers.quotes import Quote, Quotes
from finrag_pipeline.query.answers.rows.around import headings_over
from finrag_pipeline.query.answers.rows.asking import AskedRow, read_rows
from finrag_pipeline.query.answers.rows.cells import RowCell, best_of, cells_of, in_ones
from finrag_pipeline.query.answers.rows.kinds import is_change, is_share
from finrag_pipeline.query.answers.rows.matching import Place
from finrag_pipeline.query.answers.rows.when import in_order
from finrag_pipeline.query.answers.values import MONEY_ZH, printed_value
from finrag_pipeline.query.answers.writers import Draft, Search, Tools
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.query.grounding.spans import spans_in
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.stages.tables.figures import Figure
from finrag_pipeline.stages.tables.row_quotes import table_rows
from finrag_pipeline.words import is_chinese

#: Tables that are looked through.
_TABLES = 60
#: Cells that answer as well as the best one, within this.
_AS_WELL = 0.05
#: Documents whose different figures are told side by side.
_MOST_TOLD = 4
_COUNTED = re.compile(r"(?:总|人|户|家|个)数\W*$|数量\W*$")
_DIGIT = re.compile(r"\d")
_PAID = re.compile(r"支出|开支|支付|投入|流出|购[买建置]|[花买付](?:了|掉|出)?")
#: What is left of both ways: its minus says that more was paid.
_NET = re.compile(r"收支|净[额流]|收入[和与及、]\s*支出")
_SLASH = re.compile(r"\s*/\s*")
#: The number of a caption: （2）, 3、, 10：.
_NUMBER = re.compile(r"^\s*(?:[（(]?[\d一二三四五六七八九十]{1,3}[)）、.．：:]+(?!\d)\s*)+")
_AMOUNT_BEHIND = re.compile(r"(?<=\S)\s+-?\d[\d,]*\.\d+$")
#: Powers of ten as they are called before a currency.
_SCALES = {0: "", 3: "千", 4: "万", 6: "百万", 8: "亿"}
_SCALES_EN = {0: "", 3: "thousand ", 6: "million ", 9: "billion "}
_WAY = "the row of a table that the words of the question spell out"
#: How a cell is told in which two values of a question meet.
MEETING = "the cell of a table in which the values of the question meet"
_NEAR_WAY = "the row of a table that says most words of the question and means the same"


class RowsWriter:
    """Answers what a row of a table prints.

    Args:
        tools: whose search finds tables.
    """

    def __init__(self, tools: Tools) -> None:
        self._search: Search = tools.search

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """A draft; None where no row is asked for, or none says all of what is asked."""
        rows, tables = self.read(asked)
        quotes = Quotes()
        lines: list[str] = []
        cells: list[RowCell] = []
        for row in rows:
            told = _told_of(row.beside(cells[0].labels[-1]) if cells else row, tables)
            lines += [_line(each, row, quotes) for each in told]
            if not told or not all(lines):
                return None
            cells += told
        way = MEETING if all(each.meets for each in cells) else _WAY
        return _draft(lines, cells, rows, quotes, way) if lines else None

    def draft(self, cell: RowCell, row: AskedRow) -> Draft | None:
        """A draft of one cell that may be meant; None where its row cannot be cited."""
        quotes = Quotes()
        line = _line(cell, row, quotes)
        return _draft([line], [cell], [row], quotes, _NEAR_WAY) if line else None

    def read(
        self, asked: Asked, *, whole: bool = False
    ) -> tuple[list[AskedRow], list[tuple[TableItem, DocumentFacts]]]:
        """What is asked of rows, and the tables that may answer; nothing where none is asked.

        Args:
            whole: as `read_rows`.
        """
        rows = read_rows(asked, whole=whole)
        if not rows:
            return [], []
        tables = self._tables(asked, rows[0])
        written = [str(cell["text"]) for item, _ in tables for cell in item.cells]
        return [each.among(written) for each in rows], tables

    def _tables(self, asked: Asked, row: AskedRow) -> list[tuple[TableItem, DocumentFacts]]:
        """Tables that may answer, with their documents."""
        documents = asked.scope.catalogue.documents
        keys = asked.scope.catalogue.by_company
        about = tuple(
            sorted(each.document_id for key in row.companies for each in keys.get(key, ()))
        )
        found: dict[object, TableItem] = {}
        _, result = self._search(
            asked.in_lane("table"), asked.question, most=_TABLES, document_ids=about or None
        )
        for each in result.results:
            # tables of the same labels stand as one, whatever figures they print
            for item in (each.item, *each.copies):
                if isinstance(item, TableItem):
                    found.setdefault(item.key, item)
        return [
            (item, document)
            for item in found.values()
            if (document := documents.get(item.document_id)) is not None
        ]


def _draft(
    lines: Sequence[str],
    cells: Sequence[RowCell],
    rows: Sequence[AskedRow],
    quotes: Quotes,
    way: str,
) -> Draft:
    first = cells[0]
    alone = len(cells) == 1
    value = printed(first.figure, first.labels[-1], rows[0]) if alone else None
    return Draft("\n".join(lines), tuple(quotes.made), quotes.sources, way=way, value=value)


def _told_of(row: AskedRow, tables: Sequence[tuple[TableItem, DocumentFacts]]) -> list[RowCell]:
    cells = [cell for item, document in tables for cell in cells_of(row, item, document)]
    return chosen(row, cells)


def chosen(row: AskedRow, found: Sequence[RowCell]) -> list[RowCell]:
    """The cell that answers; one of each document where they print different figures; empty where
    one document does."""
    if not found:
        return []
    if not row.times.asked:
        newest = max(each.document.spoken_on for each in found)
        found = [each for each in found if each.document.spoken_on == newest]
    best = best_of(found, _AS_WELL)
    if all(_same(best[0], each) for each in best[1:]):
        return best[:1]
    by_document: dict[str, list[RowCell]] = {}
    for each in best:
        by_document.setdefault(each.item.document_id, []).append(each)
    for document, cells in by_document.items():
        if not all(_same(cells[0], each) for each in cells[1:]):
            cells = [each for each in cells if _again(each, found)]
            if not cells or not all(_same(cells[0], each) for each in cells[1:]):
                return []
            by_document[document] = cells
    told: list[RowCell] = []
    for cells in by_document.values():
        if not any(_same(cells[0], each) for each in told):
            told.append(cells[0])
    return told if len(told) <= _MOST_TOLD else []


def _again(cell: RowCell, found: Sequence[RowCell]) -> bool:
    """Whether another row of its document answers with the same figure: of a row without headings
    the one that is meant."""
    return any(
        each.item.document_id == cell.item.document_id
        and (each.item.key, each.figure.row) != (cell.item.key, cell.figure.row)
        and _same(cell, each)
        for each in found
    )


def _same(one: RowCell, other: RowCell) -> bool:
    """Whether two cells print the same figure, one of them rounded further perhaps."""
    left, right = one.value, other.value
    if left is None or right is None:
        return one.figure.text == other.figure.text
    step = max(_step(one), _step(other))
    return abs(left - right) <= step * Decimal("0.51")


def _step(cell: RowCell) -> Decimal:
    """What the last digit of a figure counts."""
    digits = re.sub(r"[^\d.]", "", cell.figure.text).partition(".")[2]
    power = cell.figure.measure.power if cell.figure.measure else 0
    return Decimal(1).scaleb(power - len(digits))


def _line(cell: RowCell, row: AskedRow, quotes: Quotes) -> str:
    """A cell with its label, its heading and whose table it is; empty where its row cannot be
    cited."""
    item, figure = cell.item, cell.figure
    held = {each.row: each for each in table_rows(item.read_cells(), item.figures())}
    if figure.row not in held:
        return ""
    rows = [held[each] for each in cell.rows if each in held]
    mark = quotes.mark(
        *(Quote(item, each.quote, (each.place,) if each.place else item.places) for each in rows)
    )
    # a heading's own figure, 3年以上 over 5年以上, stands in none of the rows that are quoted
    labels = [each for each in cell.labels[:-1] if not _DIGIT.search(each)] + [cell.labels[-1]]
    label = " ".join(dict.fromkeys(map(bare_label, labels)))
    chinese = is_chinese(row.words)
    told = ("；" if chinese else "; ").join(filter(None, (_told(figure, chinese), cell.change)))
    over, colon = _over(cell, row), "：" if chinese else ": "
    caption = f"{over}{colon}" if over and not _DIGIT.search(over) else ""
    return f"{caption}{label}{colon}{told}{_source(cell, row, chinese)}{mark}"


def _over(cell: RowCell, row: AskedRow) -> str:
    """What a line is led by: the table's caption, else the heading over it that says what the row
    leaves unsaid of what is asked: 应收账款 over 1年以内."""
    if cell.item.caption:
        return _NUMBER.sub("", cell.item.caption)
    own = Place(" | ".join((*cell.labels, *cell.figure.columns)), 1.0)
    unsaid = row.over([own]).left
    for heading in headings_over(cell.item):
        if row.over([own, Place(heading, 1.0)]).left < unsaid:
            return _NUMBER.sub("", heading)
    return ""


def printed(figure: Figure, label: str, row: AskedRow) -> dict[str, Any] | None:
    """A figure of a row of that label as JSON has it; None where it prints none."""
    measure, value = figure.measure, in_ones(figure)
    if value is None:
        return None
    unit = "%" if is_share(figure) else measure.unit if measure else ""
    paid = _PAID.search(row.words) and not _NET.search(f"{row.words} {label}")
    if paid and not is_change(figure):
        value = abs(value)  # what is paid stands with a minus among the flows of cash
    return printed_value(
        value,
        unit,
        is_chinese(row.words),
        companies=row.companies,
        metric=bare_label(label),
        periods=[*periods_in(in_order(" ".join(figure.columns)), "heading")],
    )


def _told(figure: Figure, chinese: bool) -> str:
    """A figure with its heading, and in what it is counted where it does not print that."""
    # 表 10：每期组合权重 over all columns counts tables
    columns = (bare_label(_NUMBER.sub("", each)) for each in figure.columns)
    # of a row of heads that the first of the body was drawn into: 税前报酬总额 1,293.48
    heading = " ".join(filter(None, (_AMOUNT_BEHIND.sub("", each) for each in columns)))
    unit = _unit(figure.measure, chinese) if figure.measure else ""
    # how many there are is not counted in what the rest of a table is: 股东总数 under 单位：股
    foreign = figure.source in ("table", "page") and _COUNTED.search(" ".join(figure.labels[-1:]))
    counted = "" if unit in figure.text or _DIGIT.search(unit) or foreign else unit
    return f"{heading} {figure.text}{counted}".strip()


def _unit(measure: Measure, chinese: bool) -> str:
    """A unit as it stands behind a figure: 人民币千元 heads a table, and 1,200千元 is told."""
    text = _SLASH.sub("/", measure.text)
    if not chinese and measure.unit in MONEY_ZH and measure.power in _SCALES_EN:
        return f" {_SCALES_EN[measure.power]}{measure.unit}"
    read = parse_quantity(f"1{text}")
    if read and (read.value, read.unit) == (Decimal(1).scaleb(measure.power), measure.unit):
        return text
    money = MONEY_ZH.get(measure.unit)
    scale = _SCALES.get(measure.power)
    return text if money is None or scale is None else f"{scale}{money}"


def _source(cell: RowCell, row: AskedRow, chinese: bool) -> str:
    """Whose table it is: of which company and house, and of which day where the figure names its
    own time; a day behind one that names none would pass for it."""
    document, item = cell.document, cell.item
    told = [document.name if document.company not in row.companies else None, item.broker]
    if document.row.kind == "filing":
        told.append(item.title)
    dated = bool(spans_in(" ".join((*cell.labels, *cell.figure.columns))))
    if any(told) and dated and item.published_on and document.row.published_on_printed:
        told.append(item.published_on.isoformat())
    said = ("，" if chinese else ", ").join(filter(None, told))
    if not said:
        return ""
    return f"（{said}）" if chinese else f" ({said})"
