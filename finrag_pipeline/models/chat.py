"""The chat protocol and its implementation by a server that speaks OpenAI's `/chat/completions`.

Prompts belong to whoever asks; how the server is reached and asked again is `openai_server`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Protocol

from finrag_pipeline.models.openai_server import CHAT, ModelServer, Refused
from finrag_pipeline.settings import Settings

_THOUGHTS = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)


class ChatModel(Protocol):
    """Answers one message under one instruction."""

    @property
    def name(self) -> str:
        """What is recorded with every text that it wrote."""
        ...

    def complete(self, system: str, user: str, max_tokens: int) -> str:
        """The reply, stripped, never empty.

        Raises:
            ModelUnavailable: it may answer later.
            ConfigurationError: it is configured wrongly, or refuses this message.
            ModelReplyUnusable: there is no text in its reply.
        """
        ...


def load_chat_model(settings: Settings) -> ChatModel | None:
    """The chat model that `FINRAG_CHAT_*` names, None where none is; nothing is sent yet."""
    if settings.chat_model is None:
        return None
    key = settings.chat_api_key
    server = ModelServer(
        CHAT,
        settings.chat_base_url,
        key.get_secret_value() if key else None,
        settings.model_timeout_s,
    )
    return OpenAIChatModel(server, settings.chat_model)


# Each takes the name of a parameter out of a request that the model refused for it: OpenAI's
# reasoning models know another name of the bound, and no temperature but their own.
_CONCESSIONS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "max_tokens": lambda asked: {
        "max_completion_tokens" if name == "max_tokens" else name: value
        for name, value in asked.items()
    },
    "temperature": lambda asked: {
        name: value for name, value in asked.items() if name != "temperature"
    },
}


class OpenAIChatModel:
    """A model of a server, asked at temperature 0 where it allows that, by any number of threads.

    Args:
        server: where to ask.
        name: the model's name there.
    """

    def __init__(self, server: ModelServer, name: str) -> None:
        self._server = server
        self.name = name
        self._conceded: set[str] = set()

    def complete(self, system: str, user: str, max_tokens: int) -> str:
        asked: dict[str, Any] = {
            "model": self.name,
            "messages": [
                {"role": "system", "content": system},
                {"role": "user", "content": user},
            ],
            "max_tokens": max_tokens,
            "temperature": 0,
        }
        choices = getattr(self._ask(asked), "choices", None)
        if not isinstance(choices, list) or not choices:
            raise self._server.unusable("without a reply")
        choice: Any = choices[0]
        content = getattr(getattr(choice, "message", None), "content", None)
        text = _THOUGHTS.sub("", content).strip() if isinstance(content, str) else ""
        if not text:
            raise self._server.unusable(
                f"with an empty reply that ended by {getattr(choice, 'finish_reason', None)!r} (a "
                "model that thinks first needs its thinking turned off)"
            )
        return text

    def _ask(self, asked: dict[str, Any]) -> Any:
        for parameter in self._conceded:
            asked = _CONCESSIONS[parameter](asked)
        try:
            with self._server.errors():
                return self._server.client.chat.completions.create(**asked)
        except Refused as refusal:
            parameter = refusal.parameter
            if parameter not in asked or parameter not in _CONCESSIONS:
                raise
            self._conceded = {*self._conceded, parameter}
            return self._ask(asked)
