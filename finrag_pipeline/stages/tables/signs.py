"""Gives signs of currency to the figure behind them: accounts print them at the column's edge."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from finrag_pipeline.records import Cell
from finrag_pipeline.stages.tables.phrases import is_value

_SIGN = r"(?:US|HK|NT|RMB|A|C|S)?[$€£¥￥]"
#: A label or a figure with the sign of the next column behind it.
_TRAILING = re.compile(rf"^(?P<own>.*[\w).%—–-])\s*(?P<sign>{_SIGN})$")
_SIGNED = re.compile(_SIGN)


def with_own_signs(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Cells in their order, each trailing sign moved before the figure at its right.

    >>> row = with_own_signs([Cell(0, 0, "Net sales $"), Cell(0, 1, "$ 12 $"), Cell(0, 2, "(3)")])
    >>> [cell.text for cell in row]
    ['Net sales', '$ 12', '$ (3)']
    """
    found = {(cell.row, cell.column): cell for cell in cells}
    rows: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for cell in cells:
        if cell.text:
            rows[cell.row].append((cell.row, cell.column))
    for held in rows.values():
        for left, right in pairwise(sorted(held)):
            match = _TRAILING.match(found[left].text)
            text = found[right].text
            bare = _TRAILING.sub(r"\g<own>", text)
            alone = left[1] == 0 and _SIGNED.fullmatch(found[left].text.strip())
            if (match or alone) and is_value(bare):
                sign = match["sign"] if match else found[left].text.strip()
                found[left] = replace(found[left], text=match["own"] if match else "")
                if not _SIGNED.match(text):
                    found[right] = replace(found[right], text=f"{sign} {text}")
    return tuple(found[cell.row, cell.column] for cell in cells)
