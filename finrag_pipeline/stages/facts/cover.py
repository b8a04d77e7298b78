"""Forecasts that a report's cover tells where no table of it could be read.

What the cover says is read in `stages.metadata`; its figures in tables are `forecasts`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from decimal import Decimal

from finrag_pipeline.records import Metadata, Place, Region
from finrag_pipeline.records.facts import FactPeriod, FinancialFact
from finrag_pipeline.stages.facts.report import MAINLAND, Report
from finrag_pipeline.stages.facts.years import fiscal_year


def read_cover(
    report: Report, metadata: Metadata, regions: Sequence[Region], held: Collection[FinancialFact]
) -> tuple[FinancialFact, ...]:
    """Earnings per share and target price of the cover, of what the report's tables lack.

    Only of companies listed on the mainland alone, whose reports count in one currency.

    Args:
        held: facts that its tables, boxes and sentences tell.
    """
    day, company = report.published_on, report.company
    mainland = bool(report.codes) and all(code.endswith(MAINLAND) for code in report.codes)
    if company is None or day is None or not mainland or report.currency not in ("", "CNY"):
        return ()
    told = {each.metric for each in held if each.company_key == company.key}
    found: list[tuple[str, FactPeriod, float, str]] = []
    if "eps" not in told:
        found += [
            ("eps", fiscal_year(each.year, 12, instant=False), each.value, "eps_forecasts")
            for each in metadata.eps_forecasts
        ]
    if metadata.target_price and told.isdisjoint(("target_price", "target_price_low")):
        today = FactPeriod(day.year, "other", day)
        found.append(("target_price", today, metadata.target_price, "target_price"))
    return tuple(
        FinancialFact(
            metric=metric,
            company_key=company.key,
            company_code=company.code,
            company_name=company.name,
            period=period,
            value=Decimal(str(value)),
            unit="CNY/股",
            text=str(value),
            printed_unit="",
            source="report_forecast" if metric == "eps" else "report_target_price",
            place=place,
            quote=_text_at(place, regions),
            nature="forecast",
            broker=report.broker,
        )
        for metric, period, value, name in found
        for place in metadata.places.get(name, ())[:1]
    )


def _text_at(place: Place, regions: Sequence[Region]) -> str:
    """The text of the smallest region around a place."""
    x, y = (place.bbox[0] + place.bbox[2]) / 2, (place.bbox[1] + place.bbox[3]) / 2
    around = [
        each
        for each in regions
        if each.page == place.page
        and each.bbox[0] <= x <= each.bbox[2]
        and each.bbox[1] <= y <= each.bbox[3]
    ]
    return min((each.text for each in around), key=len, default="")
