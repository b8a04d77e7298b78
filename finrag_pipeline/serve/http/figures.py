"""`/v1/figures`: figures with their cells, over time, in contradiction, and forecasts come true."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path
from pydantic import Field

from finrag_pipeline.query.browsing import documents, figures, series
from finrag_pipeline.query.browsing.figures import Contradiction, Figure, FigureFilter, NamedMetric
from finrag_pipeline.query.browsing.series import Outcomes, Series
from finrag_pipeline.query.browsing.viewpoint import MOST, Paged
from finrag_pipeline.records.facts import Nature, PeriodKind, Scope
from finrag_pipeline.serve.http.access import Reading, Served
from finrag_pipeline.serve.http.errors import ERRORS
from finrag_pipeline.serve.http.looking import (
    Asked,
    AskedPart,
    BodyYear,
    CompanyKey,
    Id,
    Key,
    Limit,
    Looking,
    Name,
    Offset,
    Ordinal,
    Whole,
    Year,
)

router = APIRouter(tags=["figures"], responses=ERRORS)


class FiguresAsked(AskedPart):
    """Figures of a company by what has names in it."""

    company: Name = Field(description="name, or code of any of its listings")
    broker: Name | None = Field(None, description="the house whose forecast it is")
    metric: Name | None = Field(None, description="of `GET /v1/metrics`")
    segment: Name | None = Field(None, description="business, region or product")
    fiscal_year_from: BodyYear = None
    fiscal_year_to: BodyYear = None
    period: PeriodKind | None = None
    scope: Scope | None = None
    nature: Nature | None = None
    believed: bool = Field(False, description="of those that speak of the same one alone")


class OutcomesAsked(Asked):
    """Whose forecasts of whom are set beside what came true."""

    company: Name | None = Field(None, description="name, or code of any of its listings")
    broker: Name | None = None
    limit: Whole = Field(MOST, ge=1, le=MOST)


@router.get("/v1/metrics")
def list_metrics(access: Reading) -> list[NamedMetric]:
    """What figures are called, and the formulas that are worked out of them."""
    return list(figures.list_metrics())


@router.get("/v1/figures")
def list_figures(
    company: CompanyKey,
    view: Looking,
    metric: Key | None = None,
    fiscal_year_from: Year = None,
    fiscal_year_to: Year = None,
    period: PeriodKind | None = None,
    scope: Scope | None = None,
    nature: Nature | None = None,
    believed: bool = False,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Paged[Figure]:
    """Figures of a company, the newest period first."""
    wanted = FigureFilter(
        metric=metric,
        fiscal_year_from=fiscal_year_from,
        fiscal_year_to=fiscal_year_to,
        period=period,
        scope=scope,
        nature=nature,
    )
    return figures.list_figures(
        view, wanted, company=company, believed=believed, limit=limit, offset=offset
    )


@router.get("/v1/metrics/{metric}/figures")
def metric_figures(
    metric: Annotated[str, Path(pattern=r"^[a-z0-9_]{1,64}$")],
    view: Looking,
    fiscal_year_from: Year = None,
    fiscal_year_to: Year = None,
    period: PeriodKind | None = None,
    believed: bool = True,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Paged[Figure]:
    """Figures of one metric over all companies, the newest period first."""
    wanted = FigureFilter(
        metric=figures.known_metric(metric),
        fiscal_year_from=fiscal_year_from,
        fiscal_year_to=fiscal_year_to,
        period=period,
    )
    return figures.list_figures(view, wanted, believed=believed, limit=limit, offset=offset)


@router.get("/v1/documents/{document_id}/figures")
def document_figures(
    document_id: Id, view: Looking, limit: Limit = 50, offset: Offset = 0
) -> Paged[Figure]:
    """Figures that a document prints, the newest period first."""
    documents.row_of(view, document_id)
    wanted = FigureFilter(document_id=document_id)
    return figures.list_figures(view, wanted, limit=limit, offset=offset)


@router.post("/v1/figures/find")
def find_figures(body: FiguresAsked, access: Reading, service: Served) -> Paged[Figure]:
    """The same by names of companies, houses and segments."""
    narrowed = body.model_dump(exclude={"app", "as_of", "company", "believed", "limit", "offset"})
    with service.browser.view(body.within(access), body.as_of) as view:
        return figures.list_figures(
            view,
            FigureFilter(**narrowed),
            company=body.company,
            believed=body.believed,
            limit=body.limit,
            offset=body.offset,
        )


@router.get("/v1/figures/{owner_id}/{ordinal}")
def read_figure(owner_id: Id, ordinal: Ordinal, view: Looking) -> Figure:
    """One figure: its `fact_id` is the id of its document, or file, and a number."""
    return figures.figure(view, f"{owner_id}/{ordinal:09d}")


@router.get("/v1/series")
def read_series(
    company: CompanyKey,
    metric: Key,
    view: Looking,
    period: PeriodKind | Literal["every"] = "FY",
    last: Limit = 12,
) -> Series:
    """A metric or a formula of a company over time, with cells and workings."""
    part = None if period == "every" else period
    return series.series(view, company, metric, period=part, last=last)


@router.get("/v1/contradictions")
def list_contradictions(
    company: CompanyKey,
    view: Looking,
    metric: Key | None = None,
    fiscal_year: Year = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Paged[Contradiction]:
    """What sources on a company say differently of the same."""
    return figures.contradictions(
        view, company, metric=metric, fiscal_year=fiscal_year, limit=limit, offset=offset
    )


@router.post("/v1/outcomes")
def read_outcomes(body: OutcomesAsked, access: Reading, service: Served) -> Outcomes:
    """Forecasts of houses beside what was reported since, and how near each house came."""
    with service.browser.view(body.within(access), body.as_of) as view:
        return series.outcomes(view, company=body.company, broker=body.broker, limit=body.limit)
