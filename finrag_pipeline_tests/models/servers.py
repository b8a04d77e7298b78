"""A real HTTP server on loopback that embeds and chats as a test tells it to."""

from __future__ import annotations

import itertools
import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import openai._base_client
import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

_numbers = itertools.count()

#: What one request is answered with: a body, or a whole response.
Answer = dict[str, Any] | Response


def vector_of(text: str, dimension: int = 8) -> list[float]:
    """A direction that depends on every character of a text; not of unit length."""
    seed = sum(ord(character) * (place + 1) for place, character in enumerate(text))
    return np.random.default_rng(seed).normal(size=dimension).tolist()


def embedded(texts: Sequence[str], dimension: int = 8) -> dict[str, Any]:
    """A correct answer of `/embeddings`."""
    data = [
        {"object": "embedding", "index": index, "embedding": vector_of(text, dimension)}
        for index, text in enumerate(texts)
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return {"object": "list", "model": "m", "data": data, "usage": usage}


def said(
    text: str | None, finish_reason: str = "stop", usage: tuple[int, int] | None = None, **more: Any
) -> dict[str, Any]:
    """A correct answer of `/chat/completions`; `usage` are tokens of prompt and reply."""
    message = {"role": "assistant", "content": text} | more
    choice = {"index": 0, "finish_reason": finish_reason, "message": message}
    answer = {"id": "c", "object": "chat.completion", "created": 1, "model": "m"}
    if usage:
        prompt, completion = usage
        total = prompt + completion
        answer |= {
            "usage": {
                "prompt_tokens": prompt,
                "completion_tokens": completion,
                "total_tokens": total,
            }
        }
    return answer | {"choices": [choice]}


def passage_of(body: Any) -> str:
    """The chunk in a request of the chat extractor."""
    message = body["messages"][1]["content"]
    for tag in ("原文", "passage"):
        _, opened, rest = message.partition(f"<{tag}>\n")
        if opened:
            return rest.partition(f"\n</{tag}>")[0]
    raise AssertionError("a request that is none of the chat extractor")


def first_words(body: Any) -> dict[str, Any]:
    """A correct answer to the chat extractor: the first word of the chunk is an entity."""
    words = re.findall(r"[\u4e00-\u9fff]{2,4}|[A-Za-z]{3,}", passage_of(body))
    entities = [{"text": word, "type": "concept"} for word in words[:1]]
    return said(json.dumps({"entities": entities, "relations": [], "claims": []}))


def refusal(status: int, message: str, **more: str) -> Response:
    """An error as OpenAI-compatible servers word it."""
    body = {"error": {"message": message, "type": "invalid_request_error"} | more}
    return Response(json.dumps(body), status, mimetype="application/json")


def tell_waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Let the SDK not wait before it asks again; the list fills with the seconds it would have."""
    told: list[float] = []
    # the module's own name: everybody else's `time.sleep` stays
    clock = SimpleNamespace(**vars(time) | {"sleep": told.append})
    monkeypatch.setattr(openai._base_client, "time", clock)
    return told


class ModelHost:
    """Answers each request by `answer`, or by what `faults` holds for the next ones.

    Attributes:
        asked: the bodies of all requests, in order of arrival.
        headers: their headers.
        release: held requests go on once it is set.
    """

    def __init__(self, server: HTTPServer, path: str, answer: Callable[[Any], Answer]) -> None:
        # an address of its own: embedders are loaded once a process and configuration
        base = f"/{next(_numbers)}/v1"
        self.url = server.url_for(base)
        self.asked: list[Any] = []
        self.headers: list[Any] = []
        self.faults: list[Callable[[Any], Answer]] = []
        self.release = threading.Event()
        self.answer = answer
        server.expect_request(base + path, method="POST").respond_with_handler(self._respond)

    def _respond(self, request: Request) -> Response:
        body = json.loads(request.get_data())
        self.asked.append(body)
        self.headers.append(request.headers)
        answer = (self.faults.pop(0) if self.faults else self.answer)(body)
        if isinstance(answer, Response):
            return answer
        return Response(json.dumps(answer), mimetype="application/json")

    def hold(self, _body: Any) -> Answer:
        """An answer that comes too late."""
        self.release.wait(10)
        return refusal(500, "late")


class StoppingModel:
    """A chat server that answers `after` requests by `answer`, then as `fault` has it.

    Attributes:
        answers: how often each request got a good answer.
    """

    def __init__(self, server: HTTPServer, answer: Callable[[Any], Answer]) -> None:
        self.server = server
        self.after: int | None = None
        self.fault = self._good = answer
        self.delay_s = 0.0
        self.answers: Counter[str] = Counter()
        self._guard = threading.Lock()
        self.host = ModelHost(server, "/chat/completions", self._answer)

    def _answer(self, body: Any) -> Answer:
        with self._guard:
            good = self.after is None or self.answers.total() < self.after
            if good:
                self.answers[json.dumps(body, sort_keys=True)] += 1
        time.sleep(self.delay_s)
        return self._good(body) if good else self.fault(body)

    def mend(self) -> None:
        self.after = None
        if not self.server.is_running():
            self.server.start()
