"""`POST /v1/chat/completions` and `GET /v1/models`: any client of OpenAI's protocol asks here.

Citations are told three ways, since clients drop what they do not know: as `[1]` in the text, as
`url_citation` annotations, and as a list of sources at the end of the text.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

from fastapi import APIRouter, Request

from finrag_pipeline.errors import InvalidQuestion
from finrag_pipeline.models.chat.tokens import count_tokens
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.serve.http.access import Reading, Served
from finrag_pipeline.serve.http.chat_forms import (
    MODEL,
    Annotation,
    AnswerMessage,
    ChatRequest,
    ChatResponse,
    Choice,
    Model,
    Models,
    UrlCitation,
    Usage,
)
from finrag_pipeline.serve.http.errors import ERRORS, RequestRefused
from finrag_pipeline.serve.http.markdown import escaped, page_url, source_list, source_title
from finrag_pipeline.serve.http.questions import MAX_HISTORY, in_turn
from finrag_pipeline.serve.http.streaming import Event, event_stream

router = APIRouter(tags=["OpenAI's protocol"], responses=ERRORS)

Json = dict[str, Any]
_STARTED = int(time.time())


@router.get("/v1/models")
def models(access: Reading) -> Models:
    """The one model that chat clients choose."""
    return Models(data=[Model(id=MODEL, created=_STARTED)])


@router.post(
    "/v1/chat/completions",
    responses={
        200: {
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
            "description": "The answer; with `stream` as chunks, the sources and their annotations "
            "last",
        }
    },
    response_model=ChatResponse,
)
async def chat_completions(
    body: ChatRequest, request: Request, access: Reading, service: Served
) -> Any:
    """Answer the last question of a conversation, with what earlier ones say of whom and when."""
    if body.model != MODEL:
        raise RequestRefused(
            404, "model_not_found", "there is no such model", f"give {MODEL!r} as `model`"
        )
    question, history = asked(body)
    access = access.within(body.app)
    options = Options(app=access.app_id, as_of=body.as_of, company=body.company, history=history)
    engine = service.engine(access.app_id)
    base = (service.settings.public_url or str(request.base_url)).rstrip("/") + "/"
    own = access.app_id == service.settings.app
    prompt = "\n".join([*history, question])

    def answer() -> AnswerMessage:
        found = engine.ask(question, options).to_dict()
        return message(found, base, None if access.bound or own else access.app_id)

    if not body.stream:
        told = await in_turn(request, answer)
        return ChatResponse(
            id=_new_id(),
            created=int(time.time()),
            model=MODEL,
            choices=[Choice(message=told)],
            usage=usage(prompt, told.content),
        )
    # what cannot be asked has its status before a stream begins
    await in_turn(request, lambda: engine.read(question, options))
    counted = bool(body.stream_options and body.stream_options.include_usage)
    return event_stream(chunks(lambda: in_turn(request, answer), prompt, counted))


def asked(body: ChatRequest) -> tuple[str, tuple[str, ...]]:
    """The question, and earlier ones of the conversation, the oldest first.

    Raises:
        InvalidQuestion: the user said nothing.
    """
    said = [each.text for each in body.messages if each.role == "user" and each.text]
    if not said:
        raise InvalidQuestion("no message of the user has any text: ask in a few words")
    return said[-1], tuple(said[-1 - MAX_HISTORY : -1])


def message(found: Json, base: str, app_id: str | None) -> AnswerMessage:
    """An answer as chat clients show it."""
    text = escaped(found["answer"], citations=True)
    evidence = found["evidence"]
    urls = {each["n"]: page_url(base, each, app_id) for each in evidence}
    annotations: list[Annotation] = []
    for each in evidence:
        mark, url = f"[{each['n']}]", urls[each["n"]]
        start = text.find(mark)
        if url and start >= 0:
            title = source_title(each)
            place = UrlCitation(
                start_index=start, end_index=start + len(mark), title=title, url=url
            )
            annotations.append(Annotation(url_citation=place))
    return AnswerMessage(content=text + source_list(evidence, urls), annotations=annotations)


def usage(prompt: str, completion: str) -> Usage:
    """Tokens of a question and its answer."""
    asked, told = count_tokens(prompt), count_tokens(completion)
    return Usage(prompt_tokens=asked, completion_tokens=told, total_tokens=asked + told)


async def chunks(
    answer: Callable[[], Awaitable[AnswerMessage]], prompt: str, counted: bool
) -> AsyncGenerator[Event]:
    """A completion in pieces: each text once, then its annotations, then how it ended.

    Args:
        prompt: what was asked, to count its tokens.
        counted: whether a last chunk tells tokens.
    """
    completion_id, created = _new_id(), int(time.time())

    def chunk(choices: list[Json], **more: Any) -> Event:
        named = {"id": completion_id, "object": "chat.completion.chunk", "created": created}
        return None, named | {"model": MODEL, "choices": choices} | more

    def delta(given: Json, finish_reason: str | None = None) -> Event:
        return chunk([{"index": 0, "delta": given, "finish_reason": finish_reason}])

    yield delta({"role": "assistant", "content": ""})
    told = await answer()
    for line in told.content.splitlines(keepends=True):
        yield delta({"content": line})
    if told.annotations:
        yield delta({"annotations": [each.model_dump() for each in told.annotations]})
    yield delta({}, "stop")
    if counted:
        yield chunk([], usage=usage(prompt, told.content).model_dump())
    yield None, "[DONE]"


def _new_id() -> str:
    return f"chatcmpl-{uuid.uuid4().hex}"
