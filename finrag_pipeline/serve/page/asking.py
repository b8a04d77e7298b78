"""Asking on the page: the box, and the answer as it comes, its direct line first.

How an answer is shown in pieces is `answers`, how its question was read `readings`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, StreamingResponse

from finrag_pipeline.errors import FinragError, InvalidQuestion
from finrag_pipeline.query.question.options import KINDS, Options, checked
from finrag_pipeline.serve.http.errors import told as told_error
from finrag_pipeline.serve.http.questions import in_turn
from finrag_pipeline.serve.page.answers import ShownAnswer, show
from finrag_pipeline.serve.page.readings import chips
from finrag_pipeline.serve.page.rendering import fragment, page
from finrag_pipeline.serve.page.routing import PageRoute
from finrag_pipeline.serve.page.since import since
from finrag_pipeline.serve.page.visits import Visit, Visiting, day_of

router = APIRouter(route_class=PageRoute)

Text = Annotated[str, Form(max_length=8000)]
Short = Annotated[str, Form(max_length=100)]

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
    """What the form holds beside the question."""

    mode: str = "auto"
    kind: str = ""


@router.get("/")
def ask_page(visit: Visiting) -> HTMLResponse:
    """The box. Questions never stand in an address: links to answers keep them behind the `#`."""
    return page("ask.html", visit, ways=WAYS, kinds=KINDS)


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
) -> StreamingResponse:
    """The answer in pieces of HTML, each as soon as it is known."""
    visit = visit.on(day_of(day))
    asking = Asking(mode, kind)
    seen = (seen_at, seen_answer, seen_build) if seen_at else None
    return StreamingResponse(
        _events(request, visit, question, asking, seen),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _events(
    request: Request,
    visit: Visit,
    question: str,
    asking: Asking,
    seen: tuple[str, str, str] | None,
) -> AsyncIterator[str]:
    """How the question was read, then its direct line, then the rest."""

    def read() -> tuple[str, Options]:
        asked = checked(question)
        options = Options(
            app=visit.app_id, as_of=visit.as_of, mode=asking.mode, kind=asking.kind or None
        )
        told = {"question": asked, "chips": chips(asked, visit), "ways": WAYS, "asking": asking}
        return fragment("answer.html", visit, **told), options

    def answered() -> ShownAnswer:
        return show(visit.service.engine(visit.app_id).ask(question, options), visit)

    def rest() -> str:
        return fragment(
            "answer_rest.html",
            visit,
            shown=shown,
            asking=asking,
            since=since(visit, shown, *seen) if seen else None,
            can_mark=visit.service.database is not None,
            now=_now(),
        )

    try:
        piece, options = await to_thread.run_sync(read)
        yield _event(piece)
        shown = await in_turn(request, answered)
        yield _event(fragment("answer_direct.html", visit, shown=shown))
        yield _event(await to_thread.run_sync(rest))
    except FinragError as error:
        _, body, _ = told_error(error)
        target = "#answer" if isinstance(error, InvalidQuestion) else "#answer-text"
        yield _event(fragment("answer_error.html", visit, error=body["error"], target=target))


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="seconds")


def _event(html: str) -> str:
    """One message of server-sent events."""
    return "".join(f"data: {line}\n" for line in html.splitlines()) + "\n"
