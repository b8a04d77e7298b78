"""A chat model over real HTTP: what it is asked, what counts as a reply, what its errors say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Response

from finrag_pipeline.errors import ConfigurationError, ModelReplyUnusable, ModelUnavailable
from finrag_pipeline.models.chat import ChatModel, load_chat_model
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.models.servers import Answer, ModelHost, refusal, said


@pytest.fixture
def host(http_server: HTTPServer) -> ModelHost:
    """A server that repeats what the user says."""
    return ModelHost(
        http_server, "/chat/completions", lambda body: said(body["messages"][1]["content"])
    )


def model_of(host: ModelHost) -> ChatModel:
    settings = Settings(
        _env_file=None, chat_base_url=host.url, chat_model="qwen", chat_api_key="sk-chat"
    )
    model = load_chat_model(settings)
    assert model is not None
    return model


def test_without_settings_there_is_no_model() -> None:
    assert load_chat_model(Settings(_env_file=None)) is None


def test_a_model_is_asked_what_it_is_told(host: ModelHost) -> None:
    model = model_of(host)
    assert host.asked == [] and model.name == "qwen"
    assert model.complete("be brief", " 你好\n", 50) == "你好"
    (body,) = host.asked
    assert body["model"] == "qwen" and body["temperature"] == 0 and body["max_tokens"] == 50
    assert body["messages"][0] == {"role": "system", "content": "be brief"}
    assert host.headers[0]["Authorization"] == "Bearer sk-chat"


def test_thoughts_are_no_part_of_a_reply(host: ModelHost) -> None:
    host.faults = [lambda _: said("<think>\n先看标题\n</think>\n\n星河新材的年报")]
    assert model_of(host).complete("s", "u", 9) == "星河新材的年报"


@pytest.mark.parametrize(
    "answer",
    [
        said(None, "length"),
        said(" \n"),
        said("<think>too long", "length"),
        said("") | {"choices": []},
        said("") | {"choices": None},
        {"choices": [{"index": 0}]},
        {},
        Response("<html></html>", mimetype="text/html"),
    ],
)
def test_no_text_is_no_reply(host: ModelHost, answer: Answer) -> None:
    host.faults = [lambda _: answer]
    with pytest.raises(ModelReplyUnusable, match=r"^localhost:\d+ answered, but .* FINRAG_CHAT_MO"):
        model_of(host).complete("s", "u", 9)


def test_parameters_that_a_model_does_not_know_are_left_out_from_then_on(
    http_server: HTTPServer,
) -> None:
    def reasoning(body: Any) -> Answer:
        for parameter in ("max_tokens", "temperature"):
            if parameter in body:
                return refusal(400, f"Unsupported: '{parameter}'", param=parameter)
        return said("好")

    host = ModelHost(http_server, "/chat/completions", reasoning)
    model = model_of(host)
    assert model.complete("s", "u", 9) == "好"
    assert len(host.asked) == 3 and host.asked[-1]["max_completion_tokens"] == 9
    assert model.complete("s", "u", 9) == "好"
    assert len(host.asked) == 4


@pytest.mark.parametrize(
    ("fault", "error", "line"),
    [
        (lambda _: refusal(401, "no"), ConfigurationError, r"^FINRAG_CHAT_API_KEY: localhost"),
        (lambda _: refusal(404, "no"), ConfigurationError, r"^FINRAG_CHAT_BASE_URL or FINRAG_CH"),
        (
            lambda _: refusal(400, "no", param="messages"),
            ConfigurationError,
            r"^FINRAG_CHAT_MODEL: .* 400 \(no\)",
        ),
        (lambda _: refusal(503, "no"), ModelUnavailable, r"503 \(no\), when asked again, too"),
    ],
)
def test_errors_name_what_to_mend(
    host: ModelHost,
    waits: list[float],
    fault: Callable[[Any], Answer],
    error: type[Exception],
    line: str,
) -> None:
    host.faults = [fault] * 9
    with pytest.raises(error, match=line):
        model_of(host).complete("s", "u", 9)
    assert len(host.asked) == (5 if error is ModelUnavailable else 1)
