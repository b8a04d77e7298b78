"""The forms of OpenAI's chat completions, as far as clients send and read them here.

What is asked for beside them and cannot be had (temperature, tools, …) is left unread, as other
servers of this protocol do.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from finrag_pipeline.serve.http.questions import Day, Name

#: The one model that there is.
MODEL = "finrag"
MAX_MESSAGES = 500
_MAX_TEXT = 200_000


class TextPart(BaseModel):
    """A part of a message; of other types than text nothing is read."""

    model_config = ConfigDict(extra="ignore", strict=True)

    type: str
    text: Annotated[str, Field(max_length=_MAX_TEXT)] = ""


class ChatMessage(BaseModel):
    """One message of a conversation."""

    model_config = ConfigDict(extra="ignore", strict=True)

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: Annotated[str, Field(max_length=_MAX_TEXT)] | list[TextPart] | None = None

    @property
    def text(self) -> str:
        """What it says."""
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type == "text").strip()
        return (self.content or "").strip()


class StreamOptions(BaseModel):
    """What a stream ends with."""

    model_config = ConfigDict(extra="ignore", strict=True)

    include_usage: bool | None = None


class ChatRequest(BaseModel):
    """A conversation whose last message of the user is the question.

    `app`, `as_of` and `company` are not OpenAI's: its SDK sends them by `extra_body`.
    """

    model_config = ConfigDict(extra="ignore", strict=True)

    model: str = Field(json_schema_extra={"enum": [MODEL]})
    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=MAX_MESSAGES)]
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    app: Name | None = Field(None, description="whose documents; a token has one app alone")
    as_of: Day | None = Field(None, description="only what was published by this day")
    company: Name | None = Field(None, description="name, or code of any of its listings")


class UrlCitation(BaseModel):
    """Where a citation leads, and where in the text its mark stands, as offsets of characters."""

    start_index: int
    end_index: int
    title: str
    url: str


class Annotation(BaseModel):
    """A cited page."""

    type: Literal["url_citation"] = "url_citation"
    url_citation: UrlCitation


class AnswerMessage(BaseModel):
    """The answer in Markdown, its sources listed at the end."""

    role: Literal["assistant"] = "assistant"
    content: str
    refusal: None = None
    annotations: list[Annotation]


class Choice(BaseModel):
    """The one answer."""

    index: Literal[0] = 0
    message: AnswerMessage
    finish_reason: Literal["stop"] = "stop"
    logprobs: None = None


class Usage(BaseModel):
    """Tokens of what was asked and said, counted without any model's vocabulary."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class ChatResponse(BaseModel):
    """A chat completion."""

    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: list[Choice]
    usage: Usage


class Model(BaseModel):
    """What `model` may be."""

    id: str
    object: Literal["model"] = "model"
    created: int
    owned_by: Literal["finrag"] = "finrag"


class Models(BaseModel):
    """Every model."""

    object: Literal["list"] = "list"
    data: list[Model]
