"""Asking on the page: the box, and the answer as it comes, its direct line first.

How an answer is shown in pieces is `answers`, how its question was read `readings`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Form
from fastapi.responses import HTMLResponse, StreamingResponse

from finrag_pipeline.errors import FinragError, InvalidQuestion
from finrag_pipeline.query.question.options import KINDS, Options, checked
from finrag_pipeline.serve.http.errors import told as told_error
from finrag_pipeline.serve.page.answers import show
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
    "auto": "as the question asks",
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
def ask(
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
    visit = visit.on(day_of(day)) if day else visit
    asking = Asking(mode, kind)
    seen = (seen_at, seen_answer, seen_build) if seen_at else None
    return StreamingResponse(
        map(_event, _pieces(visit, question, asking, seen)), media_type="text/event-stream"
    )


def _pieces(
    visit: Visit, question: str, asking: Asking, seen: tuple[str, str, str] | None
) -> Iterator[str]:
    try:
        question = checked(question)
        options = Options(
            app=visit.app_id, as_of=visit.as_of, mode=asking.mode, kind=asking.kind or None
        )
        yield fragment(
            "answer.html",
            visit,
            question=question,
            chips=chips(question, visit),
            ways=WAYS,
            asking=asking,
        )
        answer = visit.service.engine(visit.app_id).ask(question, options)
        shown = show(answer, visit)
        yield fragment("answer_direct.html", visit, shown=shown)
        changed = since(visit, shown, *seen) if seen else None
        yield fragment("answer_rest.html", visit, shown=shown, since=changed, now=_now())
    except FinragError as error:
        _, body, _ = told_error(error)
        target = "#answer" if isinstance(error, InvalidQuestion) else "#answer-text"
        yield fragment("answer_error.html", visit, error=body["error"], target=target)


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="seconds")


def _event(html: str) -> str:
    """One message of server-sent events."""
    return "".join(f"data: {line}\n" for line in html.splitlines()) + "\n"
