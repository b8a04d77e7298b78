"""`POST /v1/search` and `POST /v1/ask`: what the command line does, by HTTP.

The forms of what comes back belong to `results`, streaming to `streaming`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Annotated, Any, TypeVar

import anyio
import anyio.to_thread
import pydantic_core
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from finrag_pipeline.query.question.options import (
    KINDS,
    MAX_HOPS,
    MAX_K,
    MAX_QUESTION_CHARACTERS,
    MODES,
    Options,
)
from finrag_pipeline.records.enterprise import SOURCE_TYPES
from finrag_pipeline.serve.http.access import Access, Reading, Served
from finrag_pipeline.serve.http.errors import ERRORS, RequestRefused
from finrag_pipeline.serve.http.results import AskResponse, SearchResponse
from finrag_pipeline.serve.http.streaming import answer_events, event_stream

router = APIRouter(tags=["questions"], responses=ERRORS)

T = TypeVar("T")

#: Questions that may wait for their turn before the next is sent away.
_WAITING = 500
MAX_HISTORY = 50


def _day(value: object) -> object:
    if isinstance(value, str) and len(value) == len("2026-03-08"):
        return date.fromisoformat(value)
    if value is None or isinstance(value, date):
        return value
    raise ValueError("is no day such as 2026-03-08")


def _whole(value: object) -> object:
    """JSON does not tell 5 from 5.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


_WHOLE = BeforeValidator(_whole)
Count = Annotated[int, Field(ge=1, le=MAX_K), _WHOLE]
Level = Annotated[int, Field(ge=0, le=100), _WHOLE]
Hops = Annotated[int, Field(ge=1, le=MAX_HOPS), _WHOLE]
Page = Annotated[int, Field(ge=1, le=100_000), _WHOLE]
Day = Annotated[date, BeforeValidator(_day)]
#: Postgres holds no NUL.
Name = Annotated[str, Field(min_length=1, max_length=500, pattern=r"^[^\x00]+$")]


def _one_of(values: tuple[str, ...]) -> Any:
    return Field(None, json_schema_extra={"enum": [*values, None]})


class _Request(BaseModel):
    """What search and ask both take; what is left out is as on the command line."""

    model_config = ConfigDict(extra="forbid", strict=True)

    question: str = Field(
        min_length=1,
        max_length=MAX_QUESTION_CHARACTERS,
        pattern=r"\S",
        description="in the language of the documents",
        examples=["星河新材的目标价是多少？"],
    )
    app: Name | None = Field(None, description="whose documents; a token has one app alone")
    k: Count | None = Field(None, description="results, or those an answer is from")
    lane: Name | None = Field(None, description="one lane alone: keyword, vector, table, …")
    company: Name | None = Field(None, description="name, or code of any of its listings")
    document: Name | None = Field(None, description="id, file name, or a part of it")
    source_type: str | None = _one_of(SOURCE_TYPES)
    entity: Name | None = Field(None, description="only passages that name it: name, code or id")
    as_of: Day | None = Field(None, description="only what was published by this day")

    def options(self, access: Access) -> Options:
        """Options for the engine, in the one application that may be read."""
        given = self.model_dump(exclude={"question", "app"}, exclude_none=True)
        if "history" in given:
            given["history"] = tuple(given["history"])
        return Options(app=access.within(self.app).app_id, **given)


class SearchRequest(_Request):
    """A search."""


class AskRequest(_Request):
    """A question."""

    mode: str = Field(
        "auto", json_schema_extra={"enum": list(MODES)}, description="by which way to answer"
    )
    kind: str | None = _one_of(KINDS)
    level: Level | None = Field(None, description="of community_global alone")
    hops: Hops | None = Field(None, description="of community_local alone")
    history: list[Annotated[str, Field(max_length=MAX_QUESTION_CHARACTERS)]] = Field(
        default_factory=list[str],
        max_length=MAX_HISTORY,
        description="earlier questions of the conversation, the oldest first",
    )


async def in_turn(request: Request, work: Callable[[], T]) -> T:
    """Run what asks the engine in a thread, as many at a time as this machine answers well.

    Raises:
        RequestRefused: too many wait already.
    """
    turns: anyio.CapacityLimiter = request.app.state.turns
    if turns.statistics().tasks_waiting >= _WAITING:
        raise RequestRefused(
            503,
            "busy",
            "too many questions are waiting",
            "try again in a few seconds",
            {"Retry-After": "5"},
        )
    return await anyio.to_thread.run_sync(work, limiter=turns)


def as_json(value: Any) -> Response:
    """A value as the command line prints it with `--json`."""
    return Response(pydantic_core.to_json(value), media_type="application/json")


@router.post("/v1/search", response_model=SearchResponse, response_model_exclude_unset=True)
async def search(body: SearchRequest, request: Request, access: Reading, service: Served) -> Any:
    """Ranked evidence for a question, no answer."""
    options = body.options(access)
    engine = service.engine(options.app)
    return as_json(await in_turn(request, lambda: engine.search(body.question, options).to_dict()))


@router.post(
    "/v1/ask",
    response_model=AskResponse,
    responses={
        200: {
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
            "description": "The answer; with `Accept: text/event-stream` a stream of events: "
            "`reading` (how the question is understood), `line` (a line of the answer, the direct "
            "one first), `evidence` (what it cites), `done` (the whole, as JSON), or `error`.",
        }
    },
)
async def ask(body: AskRequest, request: Request, access: Reading, service: Served) -> Any:
    """A cited answer, or a clear word that the documents do not hold one."""
    options = body.options(access)
    engine = service.engine(options.app)

    def answer() -> dict[str, Any]:
        return engine.ask(body.question, options).to_dict()

    if "text/event-stream" not in request.headers.get("accept", ""):
        return as_json(await in_turn(request, answer))
    reading, _ = await in_turn(request, lambda: engine.read(body.question, options))
    return event_stream(answer_events(reading, lambda: in_turn(request, answer)))
