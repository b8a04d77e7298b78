"""Answers as a stream of server-sent events: how it was read, its lines, what they cite, the whole.

An answer is said once it passed the gate, so its lines come together; what it was read as comes
before. The forms of OpenAI's clients belong to `chat`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from typing import Any

import pydantic_core
from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event

from finrag_pipeline.errors import FinragError
from finrag_pipeline.query.question.reading import Reading
from finrag_pipeline.serve.http.errors import told, unknown_body

_LOG = logging.getLogger("finrag.http")

Json = dict[str, Any]
Event = tuple[str | None, Any]

#: Seconds of silence after which proxies are told that the connection lives.
KEEPALIVE_S = 15.0


async def answer_events(
    reading: Reading, answer: Callable[[], Awaitable[Json]]
) -> AsyncGenerator[Event]:
    """Names of events and what they carry, in the order in which a reader wants them."""
    yield "reading", reading_to_dict(reading)
    found = await answer()
    for n, line in enumerate(lines_of(found["answer"]), start=1):
        yield "line", {"n": n, "text": line, "status": found["status"]}
    for each in found["evidence"]:
        yield "evidence", each
    yield "done", found


def lines_of(answer: str) -> list[str]:
    """The lines of an answer, the direct one first; empty ones left out."""
    return [line for line in answer.split("\n") if line.strip()]


def reading_to_dict(reading: Reading) -> Json:
    """Whom and when a question means, as words."""
    return {
        "companies": [each.text for each in reading.companies],
        "publishers": [each.text for each in reading.publishers],
        "periods": [str(each) for each in reading.periods],
        "forms": list(reading.forms),
        "newest": reading.latest,
        "compared": reading.compared,
    }


def event_stream(events: AsyncIterator[Event]) -> EventSourceResponse:
    """Events on the wire; a failure is the event `error`, in the form of every error."""
    return EventSourceResponse(
        _encoded(events), headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    )


async def _encoded(events: AsyncIterator[Event]) -> AsyncGenerator[bytes]:
    following = asyncio.ensure_future(anext(events))
    try:
        while True:
            done, _ = await asyncio.wait({following}, timeout=KEEPALIVE_S)
            if not done:
                yield KEEPALIVE_COMMENT
                continue
            try:
                name, data = following.result()
            except StopAsyncIteration:
                return
            yield _event(name, data)
            following = asyncio.ensure_future(anext(events))
    except FinragError as error:
        yield _event("error", told(error)[1])
    except Exception:
        _LOG.exception("an answer broke off")
        yield _event("error", unknown_body())
    finally:
        following.cancel()


def _event(name: str | None, data: Any) -> bytes:
    text = data if isinstance(data, str) else pydantic_core.to_json(data).decode()
    return format_sse_event(data_str=text, event=name)
