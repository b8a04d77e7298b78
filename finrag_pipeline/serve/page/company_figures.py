"""Figures of a company on the page: over periods, forecasts against what came true, disputes.

What they are is read by `query.browsing`; nothing here works anything out but a growth.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from finrag_pipeline.query.answers.numbers.wording import metric_told
from finrag_pipeline.query.browsing import figures, series
from finrag_pipeline.query.browsing.companies import Company
from finrag_pipeline.query.browsing.figures import Figure
from finrag_pipeline.query.browsing.series import Outcomes, Point, Series
from finrag_pipeline.query.browsing.viewpoint import MOST, Viewpoint
from finrag_pipeline.serve.page.listings import WHERE, Column, Listing, box_of, every
from finrag_pipeline.serve.page.places import page_address
from finrag_pipeline.serve.page.visits import Visit

_PRINTED = (
    *WHERE,
    Column("printed", "As printed", exported=True),
    Column("printed_unit", "Printed unit", exported=True),
)
_FIGURES = (
    Column("period", "Period"),
    Column("company", "Company"),
    Column("metric", "Metric"),
    Column("label", "Row"),
    Column("value", "Value", number=True),
    Column("unit", "Unit"),
    Column("nature", "Nature"),
    Column("said_by", "Said by"),
    Column("published_on", "Published"),
    *_PRINTED,
)
_POINTS = (
    Column("period", "Period"),
    Column("value", "Value", number=True),
    Column("unit", "Unit"),
    Column("change_pct", "Year on year, %", number=True),
    Column("nature", "Nature"),
    Column("said_by", "Said by"),
    Column("published_on", "Published"),
    *_PRINTED,
)
_OUTCOMES = (
    Column("period", "Year"),
    Column("metric", "Metric"),
    Column("house", "House"),
    Column("expected", "Expected", number=True),
    Column("actual", "Came true", number=True),
    Column("off_pct", "Off by, %", number=True),
    Column("unit", "Unit"),
    Column("published_on", "Expected on"),
    *_PRINTED,
)
_HOUSES = (
    Column("house", "House"),
    Column("metric", "Metric"),
    Column("forecasts", "Forecasts", number=True),
    Column("mean_off_pct", "Off by, mean %", number=True),
    Column("over", "Too high", number=True),
    Column("under", "Too low", number=True),
)
_ALIKE = (
    Column("said_by", "Said by"),
    Column("kind", "Kind of source"),
    Column("value", "Value", number=True),
    Column("unit", "Unit"),
    Column("published_on", "Published"),
    *_PRINTED,
)


def of_a_metric(view: Viewpoint, visit: Visit, whom: Company, metric: str) -> dict[str, object]:
    """Metrics to choose from, and one of them over fiscal years, as a table and as a curve."""
    if not whom.metrics:
        return {"metrics": (), "metric": "", "listing": None, "curve": None}
    chosen = metric or whom.metrics[0].metric
    told = series.series(view, whom.company_keys[0], chosen)
    return {
        "metrics": [(each.metric, metric_told(each.metric, False)) for each in whom.metrics],
        "metric": chosen,
        "listing": points(told, visit),
        "curve": _curve(told),
    }


def points(told: Series, visit: Visit) -> Listing:
    """A metric over periods, the newest first."""
    held: dict[tuple[int, str, str], Decimal] = {
        (each.fiscal_year, each.period, _whose(each)): each.value for each in told.points
    }
    rows: list[dict[str, object]] = []
    for each in told.points:
        before = (each.fiscal_year - 1, each.period)
        last = held.get((*before, _whose(each)), held.get((*before, "")))
        growth = (each.value - last) / abs(last) * 100 if last and each.unit != "%" else None
        first = each.figures[0] if each.figures else None
        rows.append(
            (_where(first, visit) if first else {})
            | {
                "period": f"{each.fiscal_year} {each.period}",
                "value": each.value,
                "unit": each.unit,
                "change_pct": None if growth is None else round(growth, 2),
                "nature": each.nature,
                "said_by": each.broker or (_house(first, visit) if first else ""),
            }
        )
    return Listing(told.metric, told.metric_en, _POINTS, tuple(reversed(rows)))


def every_figure(view: Viewpoint, visit: Visit, key: str) -> Listing:
    """All figures of a company, the newest period first."""
    found = every(lambda at: figures.list_figures(view, company=key, limit=MOST, offset=at))
    return figures_listing(found, visit)


def figures_listing(found: Iterable[Figure], visit: Visit) -> Listing:
    """Figures one by one, each with where it is printed."""
    rows = tuple(
        _said(each, visit)
        | {
            "period": f"{each.fiscal_year} {each.period}",
            "company": each.company_name,
            "metric": metric_told(each.metric, False),
            "label": each.label,
            "nature": each.nature,
        }
        for each in found
    )
    return Listing("figures", "Figures", _FIGURES, rows)


def forecasts(view: Viewpoint, visit: Visit, key: str) -> dict[str, object]:
    """Forecasts beside what came true, and how near each house came."""
    found = series.outcomes(view, company=key)
    houses = tuple(
        {
            "house": each.broker,
            "metric": metric_told(each.metric, False),
            "forecasts": each.forecasts,
            "mean_off_pct": round(each.mean_off_pct, 1),
            "over": each.over,
            "under": each.under,
        }
        for each in found.houses
    )
    return {
        "listing": outcomes(found, visit),
        "houses": Listing("houses", "Houses", _HOUSES, houses),
    }


def outcomes(found: Outcomes, visit: Visit) -> Listing:
    """Forecasts one by one; each leads to where it was printed."""
    rows = tuple(
        _where(each.forecast, visit)
        | {
            "period": str(each.forecast.fiscal_year),
            "metric": metric_told(each.forecast.metric, False),
            "house": each.broker,
            "expected": each.forecast.value,
            "actual": each.actual.value,
            "off_pct": None if each.off_pct is None else round(each.off_pct, 1),
            "unit": each.forecast.unit,
        }
        for each in found.outcomes
    )
    return Listing("forecasts", "Forecasts and outcomes", _OUTCOMES, rows)


def contradictions(view: Viewpoint, visit: Visit, key: str) -> list[dict[str, object]]:
    """What sources say otherwise than others, matter by matter, the believed one first."""
    return [
        {
            "title": f"{metric_told(each.metric, False)}, {each.fiscal_year} {each.period}",
            "spread_pct": each.spread_pct,
            "listing": Listing(
                "contradiction",
                "Sources side by side",
                _ALIKE,
                tuple(_said(one, visit) for one in each.figures),
            ),
        }
        for each in figures.contradictions(view, key, limit=MOST).items
    ]


def side_by_side(view: Viewpoint, visit: Visit, key: str) -> Listing:
    """The same as one list."""
    rows = tuple(
        _said(one, visit)
        | {"matter": f"{metric_told(each.metric, False)}, {each.fiscal_year} {each.period}"}
        for each in every(lambda at: figures.contradictions(view, key, limit=MOST, offset=at))
        for one in each.figures
    )
    return Listing("contradictions", "Contradictions", (Column("matter", "Matter"), *_ALIKE), rows)


def _curve(told: Series) -> dict[str, object]:
    """A line of what is reported, and one a house of what it expects."""
    years = sorted({each.fiscal_year for each in told.points})
    lines: dict[str, dict[int, float]] = {"": {}}
    for each in told.points:
        lines.setdefault(_whose(each), {})[each.fiscal_year] = float(each.value)
    last = max(lines[""], default=None)
    for name, line in lines.items():
        if name and last is not None and last < min(line):
            line[last] = lines[""][last]  # what is expected goes on from what was reported
    return {
        "name": told.metric_en,
        "unit": told.points[0].unit if told.points else "",
        "years": years,
        "lines": [
            {"name": name or "reported", "values": [line.get(year) for year in years]}
            for name, line in lines.items()
            if line
        ],
    }


def _whose(each: Point) -> str:
    """Whose expectation it is; empty for what is reported."""
    return "" if each.nature == "actual" else each.broker or each.nature


def _said(each: Figure, visit: Visit) -> dict[str, object]:
    return _where(each, visit) | {
        "said_by": each.broker or _house(each, visit),
        "kind": each.kind_of_source_en,
        "value": each.value,
        "unit": each.unit,
    }


def _house(each: Figure, visit: Visit) -> str:
    """The house whose report prints a figure; the file of who is none."""
    printed = visit.catalogue.documents.get(each.document_id or "")
    return (printed.row.broker if printed else None) or each.source or ""


def _where(each: Figure, visit: Visit) -> dict[str, object]:
    """Where a figure stands, for a row of a list."""
    told: dict[str, object] = {
        "document_id": each.document_id,
        "source": each.source,
        "published_on": each.published_on,
        "page": each.place.page if each.place else None,
        "box": box_of(each.place),
        "printed": each.printed,
        "printed_unit": each.printed_unit,
    }
    if each.document_id and each.place:
        ordinal = int(each.fact_id.rpartition("/")[2])
        told["href"] = page_address(each.document_id, [each.place], visit.kept, fact=ordinal)
        told["sheet"] = True
    return told
