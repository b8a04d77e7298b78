"""`POST /v1/feedback`: answers marked as good or bad, kept with what is found for the question."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from finrag_pipeline.query.question.options import MAX_QUESTION_CHARACTERS, Options
from finrag_pipeline.serve.http.access import Administering, Reading, Served
from finrag_pipeline.serve.http.errors import ERRORS, RequestRefused
from finrag_pipeline.serve.http.questions import Day, Name, Page, in_turn
from finrag_pipeline.serve.service import Service
from finrag_pipeline.store.database.connections import Database

router = APIRouter(tags=["questions"], responses=ERRORS)


class ExpectedPage(BaseModel):
    """Where the answer stands."""

    model_config = ConfigDict(extra="forbid", strict=True)

    document: Name = Field(description="file name, its stem, or a document's id")
    page: Page | None = Field(None, description="from 1; null: anywhere in it")


class FeedbackRequest(BaseModel):
    """What an analyst says of an answer."""

    model_config = ConfigDict(extra="forbid", strict=True)

    question: str = Field(
        min_length=1,
        max_length=MAX_QUESTION_CHARACTERS,
        pattern=r"\S",
        description="as it was asked; it is asked once more, and what is found is kept",
    )
    verdict: Literal["good", "bad"]
    comment: Annotated[str, Field(max_length=4000, pattern=r"^[^\x00]*$")] = ""
    expected_pages: list[ExpectedPage] = Field(default_factory=list[ExpectedPage], max_length=20)
    app: Name | None = None
    as_of: Day | None = Field(None, description="the day that the question was asked for")


class FeedbackResponse(BaseModel):
    """The mark as it is kept; `finrag feedback list` shows all."""

    id: int
    verdict: Literal["good", "bad"]
    status: str = Field(description="of the answer as it is today; `error` where there is none")


class Marks(BaseModel):
    """Every mark of an application, the newest first."""

    marks: list[dict[str, Any]]


@router.get("/v1/feedback")
def marks(access: Administering, service: Served) -> Marks:
    """What analysts marked; needs the scope admin."""
    from finrag_pipeline.store.evaluation import feedback

    with _written(service).connection() as connection:
        found = feedback.marked(connection, access.app_id)
    return Marks(marks=[asdict(each) for each in found])


@router.post("/v1/feedback")
async def feedback(
    body: FeedbackRequest, request: Request, access: Reading, service: Served
) -> FeedbackResponse:
    """Mark an answer."""
    database = _written(service)
    options = Options(app=access.within(body.app).app_id, as_of=body.as_of)

    def keep() -> Any:
        from finrag_pipeline.evaluation.retrieval.feedback import make_mark
        from finrag_pipeline.evaluation.retrieval.questions import GoldPage
        from finrag_pipeline.store.evaluation import feedback

        expected = [GoldPage(each.document, each.page) for each in body.expected_pages]
        engine = service.engine(options.app)
        mark = make_mark(
            engine, service.reader, body.question, body.verdict, options, body.comment, expected
        )
        with database.transaction() as connection:
            return feedback.add(connection, options.app or "", mark), mark.status

    feedback_id, status = await in_turn(request, keep)
    return FeedbackResponse(id=feedback_id, verdict=body.verdict, status=status)


def _written(service: Service) -> Database:
    if service.database is None:
        raise RequestRefused(
            503, "only_reads", "this server only reads", "mark answers where the store is written"
        )
    return service.database
