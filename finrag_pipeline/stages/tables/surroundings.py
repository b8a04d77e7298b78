"""What a document says of the units of its tables where one of them says nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.grammar.kinds import counts
from finrag_pipeline.grammar.measures import Measure, measure_of
from finrag_pipeline.records import Table
from finrag_pipeline.stages.tables.counting import Counting, Surroundings, currencies_in
from finrag_pipeline.stages.tables.headers import period_columns

#: A head that says what its column is counted in: 本年度（亿千瓦时）; a share is not.
_COUNTED = re.compile(r"[（(](?P<unit>[^)）%％]+)[)）]")


def surroundings(tables: Sequence[Table]) -> list[Surroundings]:
    """What stands around each table of a document.

    Args:
        tables: all of a document.
    """
    stated = [Counting(table).stated for table in tables]
    named = {
        code
        for table, measures in zip(tables, stated, strict=True)
        for code in currencies_in(table, measures)
    }
    pages: dict[int, set[tuple[str, int]]] = {}
    texts: dict[tuple[str, int], Measure] = {}
    for table, measures in zip(tables, stated, strict=True):
        for measure in measures:
            if counts("amount", measure) and "/" not in measure.unit:
                pages.setdefault(table.page, set()).add((measure.unit, measure.power))
                texts.setdefault((measure.unit, measure.power), measure)
    amounts = {page: texts[next(iter(held))] for page, held in pages.items() if len(held) == 1}
    currency = named.pop() if len(named) == 1 else ""
    scaled = any(power for _, power in texts)
    return [Surroundings(currency, amounts.get(table.page), scaled) for table in tables]


def unit_above(table: Table, above: Table | None) -> str | None:
    """The unit that is printed once over tables of one make which stand under one another: of the
    same page, with the same words in their corner, or years alone; None where it is not so."""
    if above is None or table.title or not above.unit or not table.cells or not above.cells:
        return None
    page = above.places[-1].page if above.places else above.page
    corner, other = (
        next((c.text for c in each.cells if c.row == 0 and c.column == 0), None)
        for each in (table, above)
    )
    years = corner == "" and len(period_columns(table.cells)) > 1
    alike = years or (bool(corner) and corner == other)
    heads = (each for cell in table.cells if cell.header for each in _COUNTED.finditer(cell.text))
    own = any(measure_of(each["unit"]) for each in heads)
    if not alike or own or page != table.page or Counting(table).stated:
        return None
    return above.unit
