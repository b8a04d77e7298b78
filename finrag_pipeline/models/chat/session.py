"""What a run asks a chat model through: nothing twice, within limits and budget, all accounted for.

Where replies and accounts are kept is told by whoever opens the session.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel

from finrag_pipeline.errors import (
    ModelReplyRefused,
    ModelReplyRejected,
    ModelReplyUnusable,
)
from finrag_pipeline.models.chat.limits import Limits
from finrag_pipeline.models.chat.requests import ChatModel, ChatReply, ChatRequest
from finrag_pipeline.models.chat.spending import Budget, Prices, Usage
from finrag_pipeline.models.chat.structured import complaint, read_reply, strict_schema
from finrag_pipeline.models.chat.tokens import count_tokens
from finrag_pipeline.spans import span

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)

#: A reply that was cut is asked for with twice the room, up to so many times what was meant.
_MOST_ROOM = 4
_AGAIN = "Your last reply could not be used: {problem}. Answer again, exactly as asked above."


class Rejected(ValueError):
    """A reader's verdict on a reply of the right form that cannot be right."""


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a request is accounted to; `document_id` None where it concerns no single document."""

    asset: str
    document_id: str | None = None


class Records(Protocol):
    """Where a session keeps what outlives it; called by many threads."""

    def find(self, request_sha256: str) -> str | None:
        """The reply that was kept for a request."""
        ...

    def keep(self, request_sha256: str, server: str, model: str, reply: str) -> None:
        """Keep a valid reply."""
        ...

    def account(self, purpose: Purpose, model: str, usage: Usage) -> None:
        """Add what a request took."""
        ...


class ChatSession:
    """A chat model for one run, asked by any number of threads.

    Args:
        model: whom to ask.
        records: where replies are found and kept, and usage is accounted.
        budget: of the run.
        limits: of its server.
        prices: of its tokens.
    """

    def __init__(
        self,
        model: ChatModel,
        records: Records,
        budget: Budget,
        limits: Limits,
        prices: Prices,
    ) -> None:
        self._model = model
        self._records = records
        self._budget = budget
        self._limits = limits
        self._prices = prices
        self._lock = threading.Lock()
        self._in_flight: dict[str, Future[str]] = {}

    @property
    def name(self) -> str:
        """The model's name, recorded with every text that it wrote."""
        return self._model.name

    def ask(
        self,
        purpose: Purpose,
        request: ChatRequest,
        read: Callable[[str], T],
        again: str = _AGAIN,
    ) -> T:
        """What `read` makes of the reply to a request, kept or fresh.

        A reply that it refuses is asked for once more, with the reason; one that is cut, with more
        room. Only what it accepts is kept. Threads that ask the same at once ask once.

        Args:
            read: raises ValueError for a reply of the wrong form, `Rejected` for one that cannot
                be right.
            again: what is added to the message then, with ``{problem}``.

        Raises:
            ModelReplyUnusable: it refused the second one, too (`ModelReplyRejected` for a
                `Rejected`), or the model declines (`ModelReplyRefused`).
            ModelUnavailable, ConfigurationError: as `ChatModel.send`.
            BudgetExhausted: the worst case would exceed the budget; nothing was sent.
        """
        key = request.sha256(self._model.server, self._model.name)
        with self._lock:
            waiting = self._in_flight.get(key)
            if waiting is None:
                mine = self._in_flight[key] = Future()
            else:
                mine = None
        if mine is None:
            assert waiting is not None
            value = read(waiting.result())
            self._records.account(purpose, self.name, Usage(cached_calls=1))
            return value
        try:
            text, value = self._answer(purpose, key, request, read, again)
            mine.set_result(text)
            return value
        except BaseException as error:
            mine.set_exception(error)
            raise
        finally:
            with self._lock:
                del self._in_flight[key]

    def structured(
        self,
        purpose: Purpose,
        request: ChatRequest,
        form: type[M],
        check: Callable[[M], None] = lambda _: None,
        again: str = _AGAIN,
    ) -> M:
        """The reply as a pydantic model; errors as `ask`.

        Args:
            request: its instruction describes the form; the schema is added here.
            check: raises `Rejected` for a reply that cannot be right.
        """

        def read(text: str) -> M:
            reply = read_reply(text, form)
            check(reply)
            return reply

        return self.ask(purpose, with_schema(request, form), read, again)

    def _answer(
        self,
        purpose: Purpose,
        key: str,
        request: ChatRequest,
        read: Callable[[str], T],
        again: str,
    ) -> tuple[str, T]:
        kept = self._records.find(key)
        if kept is not None:
            try:
                value = read(kept)
            except ValueError:
                pass  # what counts as valid has changed since
            else:
                self._records.account(purpose, self.name, Usage(cached_calls=1))
                return kept, value
        asked, problem, rejected = request, "", False
        for _ in range(2):
            reply = self._whole(purpose, asked)
            try:
                if not reply.text:
                    raise ValueError("it is empty")
                value = read(reply.text)
            except ValueError as error:
                problem = complaint(error)
                rejected = isinstance(error, Rejected)
                asked = request.again(again.replace("{problem}", problem))
            else:
                # under the first request, whichever led to it: that is what the next run asks
                self._records.keep(key, self._model.server, self.name, reply.text)
                return reply.text, value
        family = ModelReplyRejected if rejected else ModelReplyUnusable
        raise family(
            f"{self.name} of {self._model.server} was asked twice, but its reply cannot be used: "
            f"{problem}; choose another FINRAG_CHAT_MODEL if this happens often"
        )

    def _whole(self, purpose: Purpose, request: ChatRequest) -> ChatReply:
        """A reply that is not cut; errors as `ask`."""
        room = request.max_tokens
        while True:
            reply = self._send(purpose, replace(request, max_tokens=room))
            if reply.refusal:
                raise ModelReplyRefused(
                    f"{self.name} of {self._model.server} declines this request "
                    f"({reply.refusal}): choose another FINRAG_CHAT_MODEL if it should not"
                )
            if not reply.cut:
                return reply
            if room >= _MOST_ROOM * request.max_tokens:
                raise ModelReplyUnusable(
                    f"{self.name} of {self._model.server} needs more than {room} tokens for its "
                    "reply: turn its thinking off, or choose another FINRAG_CHAT_MODEL"
                )
            room *= 2

    def _send(self, purpose: Purpose, request: ChatRequest) -> ChatReply:
        counted = request.prompt_tokens
        most = request.most_prompt_tokens
        worst = self._prices.cost(most, request.max_tokens)
        with self._budget.reserve(most + request.max_tokens, worst) as reserved:
            tokens = self._limits.tokens
            taken = tokens.take(counted + request.max_tokens) if tokens else None
            with span("chat_request", asset=purpose.asset) as step:
                reply = self._model.send(request)
                usage = self._usage(counted, reply)
                step.attributes["prompt_tokens"] = usage.prompt_tokens
                step.attributes["completion_tokens"] = usage.completion_tokens
            reserved.tokens, reserved.money = usage.tokens, usage.cost
            if tokens and taken:
                tokens.settle(taken, usage.tokens)
        self._records.account(purpose, self.name, usage)
        return reply

    def _usage(self, counted: int, reply: ChatReply) -> Usage:
        prompt = counted if reply.prompt_tokens is None else reply.prompt_tokens
        completion = reply.completion_tokens
        if completion is None:
            completion = count_tokens(reply.text)
        cost = self._prices.cost(prompt, completion)
        return Usage(1, 0, prompt, completion, counted, cost)


def with_schema(request: ChatRequest, form: type[BaseModel]) -> ChatRequest:
    """A request for a reply of a form, as it is sent and kept."""
    schema: dict[str, Any] = strict_schema(form)
    return replace(request, schema_name=form.__name__, schema=schema)
