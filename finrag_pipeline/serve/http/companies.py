"""`/v1/companies`: which there are, each with names and holdings, and what houses said of them."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import Field

from finrag_pipeline.query.browsing import companies
from finrag_pipeline.query.browsing.companies import Company, HouseView, ListedCompany
from finrag_pipeline.query.browsing.viewpoint import Paged
from finrag_pipeline.serve.http.access import Reading, Served
from finrag_pipeline.serve.http.errors import ERRORS
from finrag_pipeline.serve.http.looking import (
    AskedPart,
    CompanyKey,
    Limit,
    Looking,
    Name,
    Offset,
)

router = APIRouter(tags=["companies"], responses=ERRORS)


class CompaniesAsked(AskedPart):
    """Companies by a part of any name, or a code."""

    name: Name


class ViewsAsked(AskedPart):
    """Views of a house, or on a company, or of one on the other."""

    company: Name | None = Field(None, description="name, or code of any of its listings")
    broker: Name | None = None


@router.get("/v1/companies")
def list_companies(view: Looking, limit: Limit = 50, offset: Offset = 0) -> Paged[ListedCompany]:
    """Companies that documents are about, those with the most documents first."""
    return companies.list_companies(view, limit=limit, offset=offset)


@router.post("/v1/companies/find")
def find_companies(body: CompaniesAsked, access: Reading, service: Served) -> Paged[ListedCompany]:
    """Companies by a part of any of their names, or a code."""
    with service.browser.view(body.within(access), body.as_of) as view:
        return companies.list_companies(view, body.name, limit=body.limit, offset=body.offset)


@router.get("/v1/companies/profile")
def read_company(company: CompanyKey, view: Looking) -> Company:
    """A company: names over time, codes, houses, documents by kind, metrics held."""
    return companies.company(view, company)


@router.post("/v1/companies/views")
def house_views(body: ViewsAsked, access: Reading, service: Served) -> Paged[HouseView]:
    """What houses said of companies by day: rating, prices, forecasts, and what they changed."""
    with service.browser.view(body.within(access), body.as_of) as view:
        return companies.house_views(
            view, company=body.company, broker=body.broker, limit=body.limit, offset=body.offset
        )
