"""The writer of figures of parts: the row of each part that is asked for, told with its times.

Which cell answers is `cells`'; what is asked `asking`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from finrag_pipeline.grammar.periods import periods_in
from finrag_pipeline.grammar.quantities import number_of
from finrag_pipeline.query.answers.parts.asking import AskedParts, read_parts
from finrag_pipeline.query.answers.parts.cells import PartCell, find_cell, is_change, lead_of_table
from finrag_pipeline.query.answers.passages.counting import asks_share
from finrag_pipeline.query.answers.passages.figure_asked import asks_growth
from finrag_pipeline.query.answers.passages.whether import lead_of
from finrag_pipeline.query.answers.quotes import Quote, Quotes
from finrag_pipeline.query.answers.rows.cells import in_ones
from finrag_pipeline.query.answers.rows.kinds import is_share
from finrag_pipeline.query.answers.values import printed_value
from finrag_pipeline.query.answers.writers import Draft, Json, Search, Tools
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.signals import asks_figure
from finrag_pipeline.stages.tables.figures import Figure
from finrag_pipeline.stages.tables.row_quotes import table_rows
from finrag_pipeline.words import is_chinese

#: Tables that are looked through for each part.
_TABLES = 24
#: Cells of a row that are told.
_MOST_TOLD = 4
_SCALE = re.compile(r"(thousand|million|billion)s?\b", re.IGNORECASE)
#: Marks of footnotes behind a label.
_FOOTNOTE = re.compile(r"(?:(?<=[A-Za-z)])\d(?:,\d)*|\s*\((?:\d|[a-z])\))+$")
_DIGIT = re.compile(r"\d")
_WAY = "what tables print of the part that is asked about"


class PartsWriter:
    """Answers what tables print of parts of one company.

    Args:
        tools: whose search finds tables.
    """

    def __init__(self, tools: Tools) -> None:
        self._search: Search = tools.search

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """A draft; None where no part is asked about, or tables do not say it of each."""
        if is_chinese(asked.question):
            return None  # figures of parts that Chinese filings print are facts
        parts = read_parts(asked)
        if parts is None:
            return None
        cells = [self._cell(asked, parts, n) for n in range(len(parts.parts))]
        told = [each for each in cells if each is not None]
        if len(told) < len(cells):
            return None
        if asks_share(asked.question) and not any(is_share(each.figure) for each in told):
            return None  # what an amount is of another one it does not say
        quotes = Quotes()
        lines = [
            _line(parts, name, each, quotes) for name, each in zip(parts.names, told, strict=True)
        ]
        holds = _holds(parts, told[0]) if parts.whether and len(told) == 1 else None
        if parts.whether and len(told) == 1 and holds is None:
            return None
        value = _value(asked, parts, told[0]) if len(told) == 1 else None
        draft = Draft("\n".join(lines), tuple(quotes.made), quotes.sources, way=_WAY, value=value)
        if holds is None:
            return draft
        lead = lead_of(asked.question, holds)
        return replace(draft, text=f"{lead}{draft.text}", kind="boolean", value={"boolean": holds})

    def _cell(self, asked: Asked, parts: AskedParts, at: int) -> PartCell | None:
        catalogue = asked.scope.catalogue
        keys = {key for each in asked.scope.reading.companies for key in each.keys}
        documents = {
            each.document_id: each for key in keys for each in catalogue.by_company.get(key, ())
        }
        words = f"{parts.names[at]} {asked.question}".strip()
        _, found = self._search(
            asked.in_lane("table"), words, most=_TABLES, document_ids=tuple(sorted(documents))
        )
        return find_cell(parts, parts.parts[at], found.results, documents)


def _line(parts: AskedParts, name: str, cell: PartCell, quotes: Quotes) -> str:
    """The row of a cell: its figure with how it changed, then those of other times."""
    item, figure = cell.item, cell.figure
    rows = table_rows(item.read_cells(), item.figures())
    row = next(each for each in rows if each.row == figure.row)
    # whose figures they are stands over the table where it has no caption
    source = item if item.caption else replace(item, caption=lead_of_table(item))
    mark = quotes.mark(Quote(source, row.quote, (row.place,) if row.place else item.places))
    scale = _SCALE.search(row.units.get(figure.column, ""))
    counted = f" {scale[1].lower()}" if scale else ""
    told = [_told(figure, counted) + (f" (change {cell.change})" if cell.change else "")]
    others = [each for each in cell.beside if each is not figure and not is_change(each)]
    told += [_told(each, counted) for each in others[: _MOST_TOLD - 1]]
    label = " ".join(_FOOTNOTE.sub("", each) for each in figure.labels)
    caption = f"{item.caption}: " if item.caption and not _DIGIT.search(item.caption) else ""
    grown = _growth(cell, mark) if parts.moved else ""
    lead = "" if not name or name.casefold() in f"{caption}{label}".casefold() else f"{name}: "
    return f"{lead}{caption}{label}: {'; '.join(told)}{mark}{grown}"


def _value(asked: Asked, parts: AskedParts, cell: PartCell) -> Json | None:
    """The figure of a cell as JSON has it; None where a share, how it changed, or no amount is
    asked for."""
    question, number = asked.question, in_ones(cell.figure)
    amount = asks_figure(question) and not (asks_share(question) or asks_growth(question))
    if number is None or parts.moved or parts.whether or not amount:
        return None
    measure = cell.figure.measure
    unit = "%" if is_share(cell.figure) else measure.unit if measure else ""
    return printed_value(
        number,
        unit,
        False,
        companies={key for each in asked.scope.reading.companies for key in each.keys},
        metric=cell.figure.labels[-1] if cell.figure.labels else "",
        periods=[*periods_in(" ".join(cell.figure.columns), "heading")],
    )


def _told(figure: Figure, counted: str) -> str:
    amount = figure.text if "%" in figure.text else f"{figure.text}{counted}"
    return f"{' '.join(figure.columns)}: {amount}".removeprefix(": ")


def _growth(cell: PartCell, mark: str) -> str:
    """How far the figure grew on the time before, worked out where its row does not tell it."""
    before = number_of(cell.before.text) if cell.before else None
    told = cell.change or "%" in cell.figure.text
    if told or cell.value is None or before is None or before <= 0 or cell.value <= 0:
        return ""
    grown = (cell.value - before) / before * 100
    worked_out = f"(({cell.value:,} − {before:,}) / {before:,}) × 100 = {grown:.1f}%"
    return f"\nyear-on-year growth = {worked_out}{mark}"


def _holds(parts: AskedParts, cell: PartCell) -> bool | None:
    """Whether a part's figure moved as is asked; None where its row does not say."""
    before = cell.before and cell.before.text
    if not parts.direction or before is None or cell.value is None:
        return None
    earlier = number_of(before)
    if earlier is None or earlier == cell.value:
        return None
    return (cell.value > earlier) == (parts.direction == "up")
