"""`GET /v1/changes`: what changed between two days of publication."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from finrag_pipeline.query.browsing.days import DayChanges, changes_since
from finrag_pipeline.serve.http.access import Reading, Served
from finrag_pipeline.serve.http.errors import ERRORS
from finrag_pipeline.serve.http.looking import CompanyKey, Day, Limit

router = APIRouter(tags=["days"], responses=ERRORS)


@router.get("/v1/changes")
def day_changes(
    since: Annotated[Day, Query()],
    until: Annotated[Day, Query(description="the other day; the later one is what is seen")],
    access: Reading,
    service: Served,
    company: CompanyKey | None = None,
    limit: Limit = 50,
) -> DayChanges:
    """Documents, views of houses, figures and relations that came after a day, up to another."""
    first, last = sorted((since, until))
    with service.browser.view(access.app_id, last) as view:
        return changes_since(view, first, about=company, limit=limit)
