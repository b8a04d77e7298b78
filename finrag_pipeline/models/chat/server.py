"""A chat model of a server that speaks OpenAI's `/chat/completions`, at temperature 0 where it can.

How the server is reached and asked again is `openai_server`; what is asked belongs to its callers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from finrag_pipeline.models.chat.requests import ChatReply, ChatRequest
from finrag_pipeline.models.openai_server import ModelServer, Refused

# A thought that was begun in the prompt has no opening tag; one that was cut has no closing one.
_THOUGHTS = re.compile(r"\A.*</think>|<think>.*\Z", re.DOTALL)

Asked = dict[str, Any]


def _with_object(asked: Asked) -> Asked:
    return asked | {"response_format": {"type": "json_object"}}


def _without(name: str) -> Callable[[Asked], Asked]:
    return lambda asked: {each: value for each, value in asked.items() if each != name}


def _other_bound(asked: Asked) -> Asked:
    name = {"max_tokens": "max_completion_tokens"}
    return {name.get(each, each): value for each, value in asked.items()}


# What is asked instead where a server refuses a parameter: OpenAI's reasoning models know another
# name of the bound, and no temperature but their own; older servers know no schemas.
_CONCESSIONS: dict[str, tuple[Callable[[Asked], Asked], ...]] = {
    "max_tokens": (_other_bound,),
    "temperature": (_without("temperature"),),
    "response_format": (_with_object, _without("response_format")),
}
# Servers that do not name the parameter speak of it by these words.
_OF_FORMAT = re.compile(r"response_format|json_schema|json_object|guided|structured", re.I)


class OpenAIChatModel:
    """A model of a server; what it refused once it is not sent again.

    Args:
        server: where to ask.
        name: the model's name there.
    """

    def __init__(self, server: ModelServer, name: str) -> None:
        self._server = server
        self.name = name
        # how many concessions each parameter has had
        self._conceded: dict[str, int] = {}
        self._proven = False

    @property
    def server(self) -> str:
        return self._server.name

    def send(self, request: ChatRequest) -> ChatReply:
        asked: Asked = {
            "model": self.name,
            "messages": request.messages,
            "max_tokens": request.max_tokens,
            "temperature": 0,
        }
        if request.schema is not None:
            schema = {"name": request.schema_name, "schema": request.schema, "strict": True}
            asked["response_format"] = {"type": "json_schema", "json_schema": schema}
        return self._read(self._ask(asked, dict(self._conceded)))

    def _ask(self, asked: Asked, conceded: dict[str, int]) -> Any:
        while True:
            sent = asked
            for parameter, steps in conceded.items():
                if steps and parameter in asked:
                    sent = _CONCESSIONS[parameter][steps - 1](sent)
            try:
                with self._server.errors():
                    answer = self._server.client.chat.completions.create(**sent)
            except Refused as refusal:
                parameter = self._refused(refusal, sent)
                if parameter is None:
                    raise
                conceded = conceded | {parameter: conceded.get(parameter, 0) + 1}
                continue
            # only what helped is remembered: some refuse a text in the words of any refusal
            known = self._conceded
            self._conceded = {name: max(conceded[name], known.get(name, 0)) for name in conceded}
            self._proven = self._proven or "response_format" in asked
            return answer

    def _refused(self, refusal: Refused, sent: Asked) -> str | None:
        """The parameter that a server objects to and that can be given up; None for all else."""
        named = refusal.parameter.partition(".")[0]
        if named in sent and named in _CONCESSIONS:
            return named
        # one that says nothing of it may mean it, as long as it never took this form
        unsaid = not named and (_OF_FORMAT.search(str(refusal)) or not self._proven)
        if "response_format" in sent and unsaid:
            return "response_format"
        return None

    def _read(self, answer: Any) -> ChatReply:
        choices = getattr(answer, "choices", None)
        if not isinstance(choices, list) or not choices:
            raise self._server.unusable("without a reply")
        choice: Any = choices[0]
        message = getattr(choice, "message", None)
        content = getattr(message, "content", None)
        refusal = getattr(message, "refusal", None)
        reason = str(getattr(choice, "finish_reason", None) or "")
        if reason == "content_filter":
            refusal = refusal or "its content filter"
        usage = getattr(answer, "usage", None)
        return ChatReply(
            text=_THOUGHTS.sub("", _storable(content)).strip() if isinstance(content, str) else "",
            finish_reason=reason,
            cut=reason == "length",
            refusal=" ".join(refusal.split())[:200] if isinstance(refusal, str) else "",
            prompt_tokens=_count(usage, "prompt_tokens"),
            completion_tokens=_count(usage, "completion_tokens"),
        )


def _storable(text: str) -> str:
    """A text without what JSON can hold and Postgres cannot: halves of characters, and NUL."""
    return text.encode(errors="ignore").decode().replace("\0", "")


def _count(usage: Any, name: str) -> int | None:
    value = getattr(usage, name, None)
    return value if isinstance(value, int) and value >= 0 else None
