"""A chat model over real HTTP: what it is asked, what counts as a reply, what its errors say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Response

from finrag_pipeline.errors import ConfigurationError, ModelReplyUnusable, ModelUnavailable
from finrag_pipeline.models.chat import ChatModel, ChatRequest, load_chat_model
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.models.servers import Answer, ModelHost, refusal, said

ASKED = ChatRequest("be brief", " 你好\n", 50)
SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
IN_A_FORM = ChatRequest("answer in JSON", "你好", 50, "Greeting", SCHEMA)


@pytest.fixture
def host(http_server: HTTPServer) -> ModelHost:
    """A server that repeats what the user says."""
    return ModelHost(
        http_server, "/chat/completions", lambda body: said(body["messages"][1]["content"])
    )


def model_of(host: ModelHost, **more: Any) -> ChatModel:
    settings = Settings(
        _env_file=None, chat_base_url=host.url, chat_model="qwen", chat_api_key="sk-chat", **more
    )
    model = load_chat_model(settings)
    assert model is not None
    return model


def test_without_settings_there_is_no_model() -> None:
    assert load_chat_model(Settings(_env_file=None)) is None


def test_a_model_is_asked_what_it_is_told(host: ModelHost) -> None:
    model = model_of(host)
    assert host.asked == [] and model.name == "qwen" and model.server.startswith("localhost:")
    assert model.send(ASKED).text == "你好"
    (body,) = host.asked
    assert body["model"] == "qwen" and body["temperature"] == 0 and body["max_tokens"] == 50
    assert body["messages"][0] == {"role": "system", "content": "be brief"}
    assert "response_format" not in body
    assert host.headers[0]["Authorization"] == "Bearer sk-chat"


@pytest.mark.parametrize(
    "thoughts", ["<think>\n先看标题\n</think>\n\n", "先看标题\n</think>\n", "<think></think>"]
)
def test_thoughts_are_no_part_of_a_reply(host: ModelHost, thoughts: str) -> None:
    host.faults = [lambda _: said(f"{thoughts}星河新材的年报")]
    assert model_of(host).send(ASKED).text == "星河新材的年报"


def test_what_no_store_takes_is_left_out(host: ModelHost) -> None:
    host.faults = [lambda _: said("星河\0新\ud800材")]
    assert model_of(host).send(ASKED).text == "星河新材"


def test_a_thought_that_was_cut_is_no_text(host: ModelHost) -> None:
    host.faults = [lambda _: said("<think>too long", "length")]
    reply = model_of(host).send(ASKED)
    assert reply.text == "" and reply.cut


def test_usage_is_read_where_the_server_tells_it(host: ModelHost) -> None:
    host.faults = [lambda _: said("好", usage=(12, 3)), lambda _: said("好")]
    told, silent = model_of(host).send(ASKED), model_of(host).send(ASKED)
    assert (told.prompt_tokens, told.completion_tokens) == (12, 3)
    assert silent.prompt_tokens is silent.completion_tokens is None


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (said(None, refusal="I cannot help\nwith that"), "I cannot help with that"),
        (said("", "content_filter"), "its content filter"),
    ],
)
def test_a_refusal_is_told_as_one(host: ModelHost, answer: Answer, reason: str) -> None:
    host.faults = [lambda _: answer]
    assert model_of(host).send(ASKED).refusal == reason


@pytest.mark.parametrize(
    "answer",
    [
        said("") | {"choices": []},
        said("") | {"choices": None},
        {},
        Response("<html></html>", mimetype="text/html"),
    ],
)
def test_what_is_no_answer_of_the_protocol_is_unusable(host: ModelHost, answer: Answer) -> None:
    host.faults = [lambda _: answer]
    with pytest.raises(ModelReplyUnusable, match=r"^localhost:\d+ answered, but .* FINRAG_CHAT_MO"):
        model_of(host).send(ASKED)


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
    assert model.send(ASKED).text == "好"
    assert len(host.asked) == 3 and host.asked[-1]["max_completion_tokens"] == 50
    assert model.send(ASKED).text == "好"
    assert len(host.asked) == 4


def form_of(body: Any) -> str | None:
    return body.get("response_format", {}).get("type")


@pytest.mark.parametrize("known", [("json_schema",), ("json_object",), ()])
@pytest.mark.parametrize(
    "words",
    [
        {"message": "no", "param": "response_format"},
        {"message": "no", "param": "response_format.type"},
        {"message": "This response_format type is unavailable now"},
        {"message": "bad request"},
    ],
)
def test_a_server_is_asked_for_the_strictest_form_that_it_takes(
    http_server: HTTPServer, known: tuple[str, ...], words: dict[str, str]
) -> None:
    def old(body: Any) -> Answer:
        if form_of(body) not in (*known, None):
            return refusal(400, **words)
        return said("{}")

    host = ModelHost(http_server, "/chat/completions", old)
    model = model_of(host)
    assert model.send(IN_A_FORM).text == "{}"
    forms = ["json_schema", "json_object", None]
    taken = known[0] if known else None
    assert [form_of(body) for body in host.asked] == forms[: forms.index(taken) + 1]
    assert host.asked[0]["response_format"]["json_schema"] == {
        "name": "Greeting",
        "schema": SCHEMA,
        "strict": True,
    }
    # remembered, and the messages are the same in every form
    model.send(IN_A_FORM)
    assert form_of(host.asked[-1]) == taken
    assert all(body["messages"] == host.asked[0]["messages"] for body in host.asked)


def test_a_refused_text_does_not_cost_the_form(host: ModelHost) -> None:
    model = model_of(host)
    model.send(IN_A_FORM)
    host.faults = [lambda _: refusal(400, "Content exists risk")]
    with pytest.raises(ConfigurationError, match="Content exists risk"):
        model.send(IN_A_FORM)
    assert len(host.asked) == 2
    model.send(IN_A_FORM)
    assert form_of(host.asked[-1]) == "json_schema"


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
        (lambda _: refusal(409, "no"), ConfigurationError, r"^FINRAG_CHAT_MODEL: .* 409 \(no\)"),
        (lambda _: refusal(429, "no"), ModelUnavailable, r"429 \(no\), when asked again, too"),
        (lambda _: refusal(500, "no"), ModelUnavailable, r"500 \(no\), when asked again, too"),
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
        model_of(host).send(ASKED)
    assert len(host.asked) == (5 if error is ModelUnavailable else 1) == len(waits) + 1


def test_a_server_that_is_busy_is_asked_again_when_it_says(
    host: ModelHost, waits: list[float]
) -> None:
    def busy(_: Any) -> Response:
        response = refusal(429, "slow down")
        response.headers["Retry-After"] = "7"
        return response

    host.faults = [busy, busy]
    assert model_of(host).send(ASKED).text == "你好"
    assert waits == [7.0, 7.0] and len(host.asked) == 3


def test_a_server_that_does_not_answer_is_given_up(host: ModelHost, waits: list[float]) -> None:
    host.faults = [host.hold] * 9
    with pytest.raises(ModelUnavailable, match=r"did not answer within 0\.05 s, asked 5 times"):
        model_of(host, model_timeout_s=0.05).send(ASKED)
    host.release.set()
    assert len(waits) == 4


def test_every_request_counts_for_the_limit_the_repeated_ones_too(
    host: ModelHost, waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    from finrag_pipeline.models.chat.limits import PerMinute

    taken: list[int] = []
    monkeypatch.setattr(PerMinute, "take", lambda self, amount=1: taken.append(amount))
    host.faults = [lambda _: refusal(500, "no")] * 2
    model_of(host, chat_requests_per_minute=60).send(ASKED)
    assert taken == [1, 1, 1]
