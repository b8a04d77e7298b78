"""What a house changed since its document before on the same company: rating, price, forecasts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from finrag_pipeline.query.evidence.fact import FactItem
from finrag_pipeline.query.views.ratings import raised
from finrag_pipeline.query.views.reading import View

#: Forecasts that differ by less are rounded otherwise, not changed.
_LEAST_SHARE = Decimal("0.005")


@dataclass(frozen=True, slots=True)
class Change:
    """What differs between two views of one house on one company.

    Attributes:
        field: rating, target_price, or the metric of a forecast.
        direction: 1 where it went up, -1 where it went down, 0 where it stayed.
        before: the earlier view; `figures` of both where they are figures.
        fiscal_year: of a forecast.
    """

    field: str
    direction: int
    before: View
    after: View
    figures: tuple[FactItem, FactItem] | None = None
    fiscal_year: int | None = None


def last_with(views: Sequence[View], view: View, asked: str) -> View | None:
    """The newest earlier view of the same house and company that says something in a field."""
    before = [
        each
        for each in views
        if each.house == view.house
        and each.company == view.company
        and each.day < view.day
        and each.says(asked)
    ]
    return max(before, key=lambda each: each.day, default=None)


def changes(views: Sequence[View], after: View) -> list[Change]:
    """How a view differs from what its house said last in each field, what stayed as well.

    Args:
        views: among which earlier ones are looked for.
    """
    found: list[Change] = []
    before = last_with(views, after, "rating")
    if before and before.cover.rating and after.cover.rating:
        direction = raised(before.cover.rating, after.cover.rating)
        found.append(Change("rating", direction, before, after))
    if before := last_with(views, after, "target_price"):
        for one, other in _same_listings(before, after):
            direction = _sign(other.value - one.value)
            found.append(Change("target_price", direction, before, after, (one, other)))
    if before := last_with(views, after, "forecasts"):
        found += _forecasts(before, after)
    return found


def _forecasts(before: View, after: View) -> Iterator[Change]:
    """What two views expect of the same years."""
    for metric, year in sorted(set(before.forecasts) & set(after.forecasts)):
        one, other = before.forecasts[metric, year], after.forecasts[metric, year]
        if one.unit == other.unit:
            differs = abs(other.value - one.value) >= _LEAST_SHARE * abs(one.value)
            direction = _sign(other.value - one.value) if differs else 0
            yield Change(metric, direction, before, after, (one, other), year)


def newest_of(views: Sequence[View]) -> list[View]:
    """The last view of each house on each company, the newest first."""
    found: dict[tuple[str, str], View] = {}
    for view in sorted(views, key=lambda each: each.day, reverse=True):
        found.setdefault((view.house, view.company), view)
    return list(found.values())


def _same_listings(before: View, after: View) -> list[tuple[FactItem, FactItem]]:
    """Prices of one metric in one currency, that of the own listing first."""
    return [
        (one, other)
        for other in after.own_prices
        for one in before.prices
        if (one.metric, one.unit) == (other.metric, other.unit)
    ]


def _sign(difference: Decimal) -> int:
    return (difference > 0) - (difference < 0)
