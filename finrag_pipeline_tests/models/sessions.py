"""A small form to ask a chat model for, and sessions whose records are in memory."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel

from finrag_pipeline.models.chat import (
    ChatRequest,
    ChatSession,
    Purpose,
    Usage,
    open_chat_session,
)
from finrag_pipeline.models.chat.spending import Budget
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.models.servers import ModelHost

ASKED = ChatRequest("Name the fruit as JSON.", "苹果和梨", 100)
PURPOSE = Purpose("fruit", "d1")
GOOD = '{"names": ["苹果", "梨"], "mood": "calm"}'


class Fruit(BaseModel):
    names: list[str]
    mood: Literal["calm", "merry"] = "calm"


class Kept:
    """Replies and usage in memory, as the store keeps them."""

    def __init__(self) -> None:
        self.replies: dict[str, str] = {}
        self.usage: list[tuple[Purpose, str, Usage]] = []

    def find(self, request_sha256: str) -> str | None:
        return self.replies.get(request_sha256)

    def keep(self, request_sha256: str, server: str, model: str, reply: str) -> None:
        self.replies[request_sha256] = reply

    def account(self, purpose: Purpose, model: str, usage: Usage) -> None:
        self.usage.append((purpose, model, usage))


def session_of(host: ModelHost, kept: Kept, **more: Any) -> ChatSession:
    settings = Settings(_env_file=None, chat_base_url=host.url, chat_model="qwen", **more)
    budget = Budget(settings.chat_budget_tokens, settings.chat_budget)
    session = open_chat_session(settings, kept, budget)
    assert session is not None
    return session


def fruit(session: ChatSession, request: ChatRequest = ASKED) -> list[str]:
    return session.structured(PURPOSE, request, Fruit).names
