"""What a house changed since its document before on the same company: rating, price, forecasts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
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


def earlier_of(views: Iterable[View]) -> Mapping[str, View]:
    """The view of the same house on the same company before each, by document."""
    by_house: defaultdict[tuple[str, str], list[View]] = defaultdict(list)
    for view in views:
        if view.house and view.company:
            by_house[view.house, view.company].append(view)
    found: dict[str, View] = {}
    for own in by_house.values():
        own.sort(key=lambda each: (each.day, each.cover.document_id))
        for after in own:
            before = [each for each in own if each.day < after.day]
            if before:
                found[after.cover.document_id] = before[-1]
    return found


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


def changes(before: View, after: View) -> list[Change]:
    """What two views both say: each field once, what stayed as well."""
    found: list[Change] = []
    if before.cover.rating and after.cover.rating:
        found.append(
            Change("rating", raised(before.cover.rating, after.cover.rating), before, after)
        )
    for one, other in _same_listings(before, after):
        direction = _sign(other.value - one.value)
        found.append(Change("target_price", direction, before, after, (one, other)))
    for metric, year in sorted(set(before.forecasts) & set(after.forecasts)):
        one, other = before.forecasts[metric, year], after.forecasts[metric, year]
        if one.unit != other.unit:
            continue
        differs = abs(other.value - one.value) >= _LEAST_SHARE * abs(one.value)
        direction = _sign(other.value - one.value) if differs else 0
        found.append(Change(metric, direction, before, after, (one, other), year))
    return found


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
