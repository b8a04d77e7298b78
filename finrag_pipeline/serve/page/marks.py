"""Answers marked as good or bad on the page, kept with what is found for the question."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse

from finrag_pipeline.evaluation.retrieval.feedback import make_mark
from finrag_pipeline.query.question.options import Options, checked
from finrag_pipeline.serve.http.questions import in_turn
from finrag_pipeline.serve.page.routing import PageRoute
from finrag_pipeline.serve.page.visits import Visiting, day_of
from finrag_pipeline.store.evaluation import feedback

router = APIRouter(route_class=PageRoute)


@router.post("/feedback")
async def mark(
    request: Request,
    visit: Visiting,
    question: Annotated[str, Form(max_length=8000)],
    verdict: Annotated[Literal["good", "bad"], Form()],
    comment: Annotated[str, Form(max_length=1000)] = "",
    day: Annotated[str, Form(max_length=10)] = "",
) -> HTMLResponse:
    """Keep what is said of an answer; the question is asked once more for it."""
    options = Options(app=visit.app_id, as_of=day_of(day) or visit.as_of)

    def keep() -> None:
        service = visit.service
        made = make_mark(
            service.engine(visit.app_id),
            service.reader,
            checked(question),
            verdict,
            options,
            comment.replace("\0", " "),
        )
        with service.writer.transaction() as connection:
            feedback.add(connection, visit.app_id, made)

    await in_turn(request, keep)
    return HTMLResponse("Thank you, it is kept.")
