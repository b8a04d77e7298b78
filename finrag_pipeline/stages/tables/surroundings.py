"""What a document says of the units of its tables where one of them says nothing."""

from __future__ import annotations

from collections.abc import Sequence

from finrag_pipeline.grammar.kinds import counts
from finrag_pipeline.grammar.measures import Measure
from finrag_pipeline.records import Table
from finrag_pipeline.stages.tables.counting import Counting, Surroundings, currencies_in


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
