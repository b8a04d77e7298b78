"""What a chat model is asked and what it answers, as values; how it is sent belongs to `server`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

from finrag_pipeline.models.chat.tokens import MESSAGE_TOKENS, count_tokens, most_tokens


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One message under one instruction.

    Attributes:
        max_tokens: of the reply.
        schema: JSON schema that the reply must follow, by name; None for plain text. The
            instruction must describe the form, too: not every server knows schemas.
    """

    system: str
    user: str
    max_tokens: int
    schema_name: str = ""
    schema: Mapping[str, Any] | None = None

    @property
    def messages(self) -> list[dict[str, str]]:
        return [
            {"role": "system", "content": self.system},
            {"role": "user", "content": self.user},
        ]

    @property
    def prompt_tokens(self) -> int:
        """Tokens of the messages as we count them, whatever server they go to."""
        texts = (self.system, self.user)
        return sum(MESSAGE_TOKENS + count_tokens(text) for text in texts)

    @property
    def most_prompt_tokens(self) -> int:
        """More tokens than any server counts, also where it puts the schema into the prompt."""
        schema = json.dumps(self.schema) if self.schema else ""
        texts = (self.system, self.user, schema)
        return sum(2 * MESSAGE_TOKENS + most_tokens(text) for text in texts)

    def sha256(self, server: str, model: str) -> str:
        """What tells this request from every other one, to whichever server and model."""
        whole = {"server": server, "model": model, "temperature": 0, **asdict(self)}
        return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()

    def again(self, hint: str) -> ChatRequest:
        """The same request with what was wrong with the reply to it."""
        return replace(self, user=f"{self.user}\n\n{hint}")


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What a model answered.

    Attributes:
        text: without thoughts, stripped; may be empty.
        cut: it reached `max_tokens`.
        refusal: why the model declines, as it or its server says; empty where it does not.
        prompt_tokens, completion_tokens: as the server counts; None where it does not say.
    """

    text: str
    finish_reason: str = ""
    cut: bool = False
    refusal: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class ChatModel(Protocol):
    """Answers requests, by any number of threads."""

    @property
    def name(self) -> str:
        """What is recorded with every text that it wrote."""
        ...

    @property
    def server(self) -> str:
        """Where it runs."""
        ...

    def send(self, request: ChatRequest) -> ChatReply:
        """The reply to one request.

        Raises:
            ModelUnavailable: it may answer later.
            ConfigurationError: it is configured wrongly, or refuses this message (`Refused`).
            ModelReplyUnusable: the answer is none of this protocol.
        """
        ...
