"""Chat models behind one protocol, and the session through which a run asks them.

Prompts belong to whoever asks; how a server is reached is `models.openai_server`.
"""

from __future__ import annotations

from finrag_pipeline.models.chat.limits import Limits, shared_limits
from finrag_pipeline.models.chat.requests import ChatModel, ChatReply, ChatRequest
from finrag_pipeline.models.chat.server import OpenAIChatModel
from finrag_pipeline.models.chat.session import (
    ChatSession,
    Purpose,
    Records,
    Rejected,
    with_schema,
)
from finrag_pipeline.models.chat.spending import Budget, Prices, Usage
from finrag_pipeline.models.chat.tokens import count_tokens
from finrag_pipeline.models.openai_server import CHAT, ModelServer
from finrag_pipeline.settings import Settings

__all__ = [
    "Budget",
    "ChatModel",
    "ChatReply",
    "ChatRequest",
    "ChatSession",
    "Prices",
    "Purpose",
    "Records",
    "Rejected",
    "Usage",
    "count_tokens",
    "load_chat_model",
    "open_chat_session",
    "prices_of",
    "with_schema",
]


def load_chat_model(settings: Settings, *, patient: bool = True) -> ChatModel | None:
    """The chat model that `FINRAG_CHAT_*` names, None where none is; nothing is sent yet.

    Args:
        patient: false where somebody waits for the answer.
    """
    if settings.chat_model is None:
        return None
    key = settings.chat_api_key
    server = ModelServer(
        CHAT,
        settings.chat_base_url,
        key.get_secret_value() if key else None,
        settings.model_timeout_s,
        before_each=_limits(settings).take_request,
    )
    return OpenAIChatModel(server if patient else server.for_questions(), settings.chat_model)


def open_chat_session(
    settings: Settings, records: Records, budget: Budget, *, patient: bool = True
) -> ChatSession | None:
    """A session with the chat model of the settings, None where none is set.

    Args:
        records: where replies and usage are kept.
        budget: what may be spent in it.
        patient: false where somebody waits for the answer.
    """
    model = load_chat_model(settings, patient=patient)
    if model is None:
        return None
    return ChatSession(model, records, budget, _limits(settings), prices_of(settings))


def prices_of(settings: Settings) -> Prices:
    """Of the chat model's tokens."""
    return Prices(
        settings.chat_price_per_million_prompt_tokens,
        settings.chat_price_per_million_completion_tokens,
    )


def _limits(settings: Settings) -> Limits:
    return shared_limits(
        settings.chat_base_url or "",
        settings.chat_requests_per_minute,
        settings.chat_tokens_per_minute,
    )
