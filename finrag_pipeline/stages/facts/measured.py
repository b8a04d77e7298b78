"""In what a figure of a metric is counted: its unit, its power of ten, what makes percent of it.

Which unit of a table holds for a figure is decided in `stages.tables.figures`.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal

from finrag_pipeline.grammar.fact_metrics import MetricKind
from finrag_pipeline.grammar.measures import Measure

_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
#: Units that metrics of a kind are counted in besides money.
UNITS: Mapping[MetricKind, str] = {
    "share": "%",
    "multiple": "x",
    "people": "人",
    "shares": "股",
    "holders": "户",
}
#: No share of a hundred, and no money a share, is as large: an amount that was taken for one.
_LIMITS: Mapping[MetricKind, int] = {"share": 100_000, "per_share": 10_000}


def measured(
    kind: MetricKind, number: Decimal, measure: Measure | None, currency: str
) -> tuple[Decimal, str] | None:
    """A printed number in base units, and that unit; None where it cannot count such a metric.

    Args:
        measure: what the number is counted in.
        currency: of amounts whose measure names none; empty where nothing tells it.

    >>> measured("amount", Decimal("1.5"), Measure("百万元", "CNY", 6), "")
    (Decimal('1.5E+6'), 'CNY')
    >>> measured("amount", Decimal("14.6"), Measure("%", "%"), "CNY") is None
    True
    """
    if measure is None or abs(number) >= _LIMITS.get(kind, MAX_EMAX):
        return None
    unit, power = measure.unit, measure.power
    if kind == "amount":
        money = unit or currency
        fits = bool(money) and "/" not in unit and (not unit or bool(measure.currency))
        return (number.scaleb(power, _EXACT), money) if fits else None
    if kind in ("per_share", "price"):
        money = measure.currency or ("" if unit else currency)
        return (number.scaleb(power, _EXACT), f"{money}/股") if money and power <= 0 else None
    wanted = UNITS[kind]
    if kind == "share" and unit == "x":
        return number * 100, wanted
    if unit == wanted or (not unit and kind in ("shares", "people")):
        return number.scaleb(power, _EXACT), wanted
    return None
