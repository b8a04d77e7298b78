"""What an answer's `value` holds: a number with its unit and period, a name, names, yes or no."""

from __future__ import annotations

from collections.abc import Sequence

from finrag_pipeline.query.answers.numbers.amounts import rounded
from finrag_pipeline.query.answers.values import Json, plain_number, unit_told
from finrag_pipeline.query.numbers.records import NumberRow
from finrag_pipeline.records.facts import FinancialFact


def number_value(row: NumberRow, chinese: bool, decimals: int | None) -> Json:
    """A figure in base units, rounded as it is told only where it was worked out.

    Args:
        decimals: digits after the point that a worked out figure is told with; None: all.
    """
    assert row.value is not None  # only what is found has a value
    worked_out = decimals is not None and bool(row.steps) and not _money(row.unit)
    value = rounded(row.value, decimals or 0) if worked_out else row.value
    return {
        "number": plain_number(value),
        "unit": unit_told(row.unit, chinese),
        "currency": FinancialFact.currency_of(row.unit),
        "period": str(row.period) if row.period else None,
        "company_code": row.company_code,
        "metric": row.measure.name,
    }


def numbers_value(rows: Sequence[NumberRow], chinese: bool, decimals: int | None) -> Json:
    """Several figures, in their order."""
    return {"numbers": [number_value(row, chinese, decimals) for row in rows]}


def _money(unit: str) -> bool:
    return FinancialFact.currency_of(unit) is not None
