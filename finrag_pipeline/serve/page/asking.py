"""Asking on the page: the box, and the answer as it comes, its direct line first.

How an answer is shown in pieces is `answers`, how its question was read `readings`.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response, StreamingResponse
from markupsafe import Markup

from finrag_pipeline.errors import FinragError, InvalidQuestion
from finrag_pipeline.query.evidence.results import Answer
from finrag_pipeline.query.question.options import KINDS, Options, checked
from finrag_pipeline.serve.http.errors import told as told_error
from finrag_pipeline.serve.http.errors import unknown_body
from finrag_pipeline.serve.http.questions import in_turn
from finrag_pipeline.serve.page.answers import ShownAnswer, show, sources_listing
from finrag_pipeline.serve.page.listings import Form as FileForm
from finrag_pipeline.serve.page.listings import exported
from finrag_pipeline.serve.page.readings import chips
from finrag_pipeline.serve.page.rendering import fragment, page, plain
from finrag_pipeline.serve.page.routing import PageRoute
from finrag_pipeline.serve.page.since import since
from finrag_pipeline.serve.page.visits import Visit, Visiting, day_of

router = APIRouter(route_class=PageRoute)

_LOG = logging.getLogger("finrag.page")

Text = Annotated[str, Form(max_length=8000)]
Short = Annotated[str, Form(max_length=100)]

#: Places of the page that pieces of an answer go to.
READING, DIRECT, REST = "answer", "answer-text", "answer-rest"
#: Ways to answer that the page offers, as people call them.
WAYS = {
    "auto": "by the question",
    "number": "figures",
    "text": "passages",
    "table": "tables",
    "local": "around one entity",
    "global": "the whole library",
    "hybrid": "all lanes",
}


@dataclass(frozen=True, slots=True)
class Asking:
    """A question as the form holds it.

    Attributes:
        seen: of a link to its answer: when it was made, what it said, by which weekly build.
    """

    visit: Visit
    question: str
    mode: str = "auto"
    kind: str = ""
    seen: tuple[str, str, str] | None = None

    def options(self) -> Options:
        """For the engine; errors as there."""
        visit = self.visit
        return Options(app=visit.app_id, as_of=visit.as_of, mode=self.mode, kind=self.kind or None)

    def reading(self, template: str = "answer.html", direct: str = "", rest: str = "") -> str:
        """How it is read, with places for its answer unless the template has none."""
        self.options()  # what cannot be asked is told before anything is shown
        return fragment(
            template,
            self.visit,
            chips=chips(checked(self.question), self.visit),
            ways=WAYS,
            asking=self,
            direct=Markup(direct),
            rest=Markup(rest),
        )

    def answer(self) -> Answer:
        """What the engine answers; errors as there."""
        engine = self.visit.service.engine(self.visit.app_id)
        return engine.ask(checked(self.question), self.options())

    def rest(self, shown: ShownAnswer) -> str:
        """What stands under the direct line."""
        return fragment(
            "answer_rest.html",
            self.visit,
            shown=shown,
            asking=self,
            since=since(self.visit, shown, *self.seen) if self.seen else None,
            can_mark=self.visit.service.database is not None,
            now=datetime.now().astimezone().isoformat(timespec="seconds"),
        )

    async def pieces(self, request: Request) -> AsyncIterator[tuple[str, str]]:
        """HTML for places of the page: how it was read, its direct line, then the rest."""

        def shown() -> ShownAnswer:
            return show(self.answer(), self.visit)

        try:
            yield READING, await to_thread.run_sync(self.reading)
            found = await in_turn(request, shown)
            yield DIRECT, fragment("answer_direct.html", self.visit, shown=found)
            yield REST, await to_thread.run_sync(self.rest, found)
        except FinragError as error:
            _, body, _ = told_error(error)
            place = READING if isinstance(error, InvalidQuestion) else DIRECT
            yield place, plain("error_part.html", error=body["error"])
        except Exception:
            _LOG.exception("an answer broke off")
            yield DIRECT, plain("error_part.html", error=unknown_body()["error"])


@router.get("/")
def ask_page(visit: Visiting) -> HTMLResponse:
    """The box. Questions never stand in an address: links to answers keep them behind the `#`."""
    return _page(Asking(visit, ""))


@router.post("/reading")
def read(
    visit: Visiting, question: Text = "", mode: Short = "auto", kind: Short = "", day: Short = ""
) -> HTMLResponse:
    """How a question would be read, while it is being written."""
    return HTMLResponse(Asking(visit.on(day_of(day)), question, mode, kind).reading("reading.html"))


@router.post("/ask")
async def ask(
    request: Request,
    visit: Visiting,
    question: Text = "",
    mode: Short = "auto",
    kind: Short = "",
    day: Short = "",
    seen_at: Short = "",
    seen_answer: Short = "",
    seen_build: Short = "",
) -> Response:
    """The answer piece by piece, each as soon as it is known; where no script asks, as a page."""
    seen = (seen_at, seen_answer, seen_build) if seen_at else None
    asking = Asking(visit.on(day_of(day)), question, mode, kind, seen)
    if not visit.part:
        found = {place: html async for place, html in asking.pieces(request)}
        if DIRECT not in found:
            return _page(asking, found[READING])
        whole = asking.reading(direct=found[DIRECT], rest=found.get(REST, ""))
        return _page(asking, whole)
    return StreamingResponse(
        (_event(place, html) async for place, html in asking.pieces(request)),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


@router.post("/sources.{form}")
async def export_sources(
    request: Request,
    visit: Visiting,
    form: FileForm,
    question: Text = "",
    mode: Short = "auto",
    kind: Short = "",
    day: Short = "",
) -> Response:
    """What an answer cites as a file; the question is asked once more for it."""
    asking = Asking(visit.on(day_of(day)), question, mode, kind)
    answer = await in_turn(request, asking.answer)
    return exported(sources_listing(answer.evidence), form)


def _page(asking: Asking, answered: str = "") -> HTMLResponse:
    said = Markup(answered)
    return page("ask.html", asking.visit, asking=asking, answered=said, ways=WAYS, kinds=KINDS)


def _event(place: str, html: str) -> str:
    """One message of server-sent events: what goes to a place of the page."""
    message = html
    if place != READING:
        message = f'<hx-partial hx-target="#{place}" hx-swap="innerHTML">\n{html}\n</hx-partial>'
    return "".join(f"data: {line}\n" for line in message.splitlines()) + "\n"
