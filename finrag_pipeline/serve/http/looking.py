"""What routes share that look things up: from where, which part of a list, how parameters are read.

What is looked up belongs to `query.browsing`. Names stand in bodies alone: addresses are logged.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Annotated

from fastapi import Depends, Path, Query
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from finrag_pipeline.query.browsing.viewpoint import MOST, Viewpoint
from finrag_pipeline.serve.http.access import Access, Reading, Served

#: No control characters, which Postgres takes in no text.
_TEXT = r"^[^\x00-\x1f\x7f]{1,200}$"
_ID = r"^[A-Za-z0-9_-]{1,64}$"
_FIRST_YEAR, _LAST_YEAR = 1900, 2200


def _day(value: object) -> object:
    if isinstance(value, str) and len(value) == len("2026-03-08"):
        return date.fromisoformat(value)
    if value is None or isinstance(value, date):
        return value
    raise ValueError("is no day such as 2026-03-08")


def _whole(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


Day = Annotated[date, BeforeValidator(_day)]
#: Of a body: 5.0 is a whole number in JSON.
Whole = Annotated[int, BeforeValidator(_whole)]
DayQuery = Annotated[Day | None, Query()]
AsOf = Annotated[Day | None, Query(description="only what was published by this day")]
Week = Annotated[
    Day | None, Query(description="any day of the week; the last one built if left out")
]
Limit = Annotated[int, Query(ge=1, le=MOST)]
Offset = Annotated[int, Query(ge=0, le=1_000_000)]
PageQuery = Annotated[int, Query(ge=1, le=100_000, description="from 1")]
Ordinal = Annotated[int, Path(ge=0, le=1_000_000)]
Id = Annotated[str, Path(pattern=_ID)]
#: Codes, keys and words of vocabularies; names of people's own stand in bodies.
Key = Annotated[str, Query(pattern=_TEXT)]
CompanyKey = Annotated[
    str,
    Query(pattern=_TEXT, description="securities code, with or without its market, or its key"),
]
Year = Annotated[int | None, Query(ge=_FIRST_YEAR, le=_LAST_YEAR)]

Name = Annotated[str, Field(pattern=_TEXT)]
BodyYear = Annotated[Whole, Field(ge=_FIRST_YEAR, le=_LAST_YEAR)] | None


class Asked(BaseModel):
    """What a body asks for that has names in it.

    Attributes:
        app: whose rows, where no token says so.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    app: Name | None = Field(None, description="whose documents; a token has one app alone")
    as_of: Day | None = Field(None, description="only what was published by this day")

    def within(self, access: Access) -> str:
        """The one application that may be read."""
        return access.within(self.app).app_id


class AskedPart(Asked):
    """The same of a list."""

    limit: Whole = Field(50, ge=1, le=MOST)
    offset: Whole = Field(0, ge=0, le=1_000_000)


def _looking(access: Reading, service: Served, as_of: AsOf = None) -> Iterator[Viewpoint]:
    with service.browser.view(access.app_id, as_of) as view:
        yield view


#: From where a route looks whose address says all; its reading ends before the response is sent.
Looking = Annotated[Viewpoint, Depends(_looking, scope="function")]
