"""Who looks at a page, and as of which day: what every route of the page takes.

Whose rows those are is decided by `http.access`; nothing here reads a document.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Annotated

from fastapi import Depends, Query, Request

from finrag_pipeline.query.browsing.viewpoint import Viewpoint
from finrag_pipeline.query.question.catalogue import Catalogue
from finrag_pipeline.serve.http.access import COOKIE, Reading, Served
from finrag_pipeline.serve.service import Service
from finrag_pipeline.store.database.connections import Connection, Row

#: Pages that the bar leads to.
PAGES = (
    ("/", "Ask"),
    ("/documents", "Documents"),
    ("/companies", "Companies"),
    ("/graph", "Graph"),
    ("/weeks", "Weeks"),
    ("/morning", "Morning note"),
    ("/changes", "Changes"),
)
AsOf = Annotated[str, Query(max_length=10, description="a day such as 2026-03-08")]


@dataclass(frozen=True)
class Visit:
    """One look at the page.

    Attributes:
        app_id: whose documents are shown.
        as_of: only what was published by this day; None: everything.
        kept: of the address, what links go on with.
        part: whether only a part of the page is asked for.
        signed_in: whether who looks has a token that can be forgotten.
    """

    service: Service
    app_id: str
    as_of: date | None
    path: str
    catalogue: Catalogue
    kept: dict[str, str]
    part: bool = False
    signed_in: bool = False

    @contextmanager
    def reading(self, *, whole: bool = False) -> Generator[Connection[Row]]:
        """One state of the store, up to the day unless the whole is asked for."""
        with self.service.reader.reading(self.app_id, None if whole else self.as_of) as connection:
            yield connection

    @contextmanager
    def view(self) -> Generator[Viewpoint]:
        """The store as `query.browsing` looks at it, by the day."""
        with self.service.browser.view(self.app_id, self.as_of) as view:
            yield view

    @cached_property
    def days(self) -> list[date]:
        """Every day on which a document was published, in order."""
        return sorted({each.row.published_on for each in self.catalogue.documents.values()})

    @property
    def pages(self) -> tuple[tuple[str, str], ...]:
        """Addresses and names of the pages that the bar leads to."""
        return PAGES

    @property
    def here(self) -> str:
        """Which of them this is, or belongs to."""
        under = [path for path, _ in PAGES if path != "/" and self.path.startswith(path)]
        return under[0] if under else "/" if self.path == "/" else ""

    @property
    def place(self) -> int:
        """Which of the days is looked from; their number for everything."""
        if self.as_of is None:
            return len(self.days)
        return sum(day <= self.as_of for day in self.days) - 1

    def on(self, day: date | None) -> Visit:
        """The same from another day."""
        kept = {name: value for name, value in self.kept.items() if name != "as_of"}
        if day is not None:
            kept["as_of"] = day.isoformat()
        return replace(self, as_of=day, kept=kept)


def day_of(text: str) -> date | None:
    """A day as addresses and forms write it; None for what is none."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _visit(request: Request, access: Reading, service: Served, as_of: AsOf = "") -> Visit:
    with service.browser.view(access.app_id) as view:
        catalogue = view.catalogue
    day = day_of(as_of)
    kept = {} if access.app_id == service.settings.app else {"app": access.app_id}
    if day is not None:
        kept["as_of"] = day.isoformat()
    part = request.headers.get("HX-Request") == "true"
    return Visit(
        service,
        access.app_id,
        day,
        request.url.path,
        catalogue,
        kept,
        part,
        COOKIE in request.cookies,
    )


#: What routes take: `def route(visit: Visiting)`.
Visiting = Annotated[Visit, Depends(_visit)]
