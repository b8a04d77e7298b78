"""One client for every OpenAI-compatible server: how it is asked, asked again, and what its errors
mean. What is asked for, and what a good answer is, belongs to the module of each kind of model.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from finrag_pipeline.errors import ConfigurationError, ModelReplyUnusable, ModelUnavailable

if TYPE_CHECKING:
    from openai import OpenAI

# With the waits between (0.5 s, doubled each time, or what the server's Retry-After asks for, two
# minutes at most) this outlasts a short overload; after that the run's own retries take over.
_RETRIES = 4
# Somebody waits for the answer to a question: the other lanes answer it without this one.
_QUESTION_RETRIES = 1
_QUESTION_TIMEOUT_S = 15.0
#: Statuses by which servers refuse what was sent, not who sent it: too long, too many, malformed.
_REFUSALS = (400, 409, 413, 422)


@dataclass(frozen=True, slots=True)
class Variables:
    """Names of the variables that configure a kind of model, for lines that say what to mend."""

    base_url: str
    api_key: str
    model: str


EMBEDDING = Variables("FINRAG_EMBEDDING_BASE_URL", "FINRAG_EMBEDDING_API_KEY", "FINRAG_EMBEDDER")
CHAT = Variables("FINRAG_CHAT_BASE_URL", "FINRAG_CHAT_API_KEY", "FINRAG_CHAT_MODEL")


class Refused(ConfigurationError):
    """The server understood who asks and for what, and refused this very input.

    Attributes:
        parameter: the request parameter that it objects to, where it says so.
    """

    def __init__(self, line: str, parameter: str = "") -> None:
        super().__init__(line)
        self.parameter = parameter


class ModelServer:
    """An OpenAI-compatible server, asked by any number of threads; nothing is sent before `client`
    is used.

    Args:
        variables: names of what configures it.
        base_url: up to the part before ``/embeddings`` or ``/chat/completions``.
        api_key: None where the server wants none.
        timeout_s: time for one answer; to connect, ten seconds at most.
        retries: how often a request is repeated.
        before_each: called before every request that goes out, the repeated ones included.

    Raises:
        ConfigurationError: there is no `base_url`.
    """

    def __init__(
        self,
        variables: Variables,
        base_url: str | None,
        api_key: str | None,
        timeout_s: float,
        retries: int = _RETRIES,
        before_each: Callable[[], None] | None = None,
    ) -> None:
        if not base_url:
            raise ConfigurationError(
                f"{variables.base_url} is not set: name the server of {variables.model}, "
                "e.g. http://localhost:8000/v1"
            )
        self.variables = variables
        self._base_url = base_url
        self._api_key = api_key
        self._timeout_s = timeout_s
        self._retries = retries
        self._before_each = before_each
        # user and password of an address do not belong in a log
        self.name = urlsplit(base_url).netloc.rpartition("@")[2]

    def for_questions(self) -> ModelServer:
        """The same server, asked with less patience."""
        timeout_s = min(self._timeout_s, _QUESTION_TIMEOUT_S)
        return ModelServer(
            self.variables,
            self._base_url,
            self._api_key,
            timeout_s,
            _QUESTION_RETRIES,
            self._before_each,
        )

    @cached_property
    def client(self) -> OpenAI:
        """The SDK's client; it repeats a request on 429, 5xx, time-outs and broken connections."""
        from openai import DefaultHttpxClient, OpenAI, Timeout, omit

        # nothing of the SDK's own variables: those are for another server
        elsewhere: Any = {"OpenAI-Organization": omit, "OpenAI-Project": omit}
        timeout = Timeout(self._timeout_s, connect=min(10.0, self._timeout_s))
        hooks: dict[str, list[Callable[[Any], None]]] = {
            "request": [self._announce],
            "response": [_say_whether_to_repeat],
        }
        return OpenAI(
            base_url=self._base_url,
            api_key=self._api_key or "none",
            default_headers=elsewhere,
            max_retries=self._retries,
            timeout=timeout,
            http_client=DefaultHttpxClient(timeout=timeout, event_hooks=hooks),
        )

    def _announce(self, _request: Any) -> None:
        if self._before_each:
            self._before_each()

    @contextmanager
    def errors(self) -> Generator[None]:
        """Turns what the client raises into one line: what, where, and how to mend it.

        Raises:
            ModelUnavailable: it answered 429 or 5xx to the end, timed out, or broke off.
            Refused: it objects to this input (400, 409, 413, 422).
            ConfigurationError: it knows neither the key, the model nor the path.
            ModelReplyUnusable: the answer is not what this protocol answers.
        """
        import openai

        try:
            yield
        except openai.APITimeoutError as error:
            raise ModelUnavailable(
                f"{self.name} did not answer within {self._timeout_s:g} s, asked "
                f"{self._retries + 1} times: raise FINRAG_MODEL_TIMEOUT_S, or look after the server"
            ) from error
        except openai.APIConnectionError as error:
            raise ModelUnavailable(
                f"{self.name} cannot be reached or broke off ({_first_line(error.__cause__)}): "
                f"start the server, or correct {self.variables.base_url}"
            ) from error
        except openai.APIStatusError as error:
            raise self._of_status(error) from error
        except openai.OpenAIError as error:
            raise self.unusable(_first_line(error)) from error
        # the SDK lets through what json says of a body, and what its own parsers do
        except (JSONDecodeError, UnicodeDecodeError) as error:
            raise ModelUnavailable(
                f"{self.name} sent JSON that is cut off or broken ({_first_line(error)}): try "
                f"again; if it stays so, check {self.variables.base_url}"
            ) from error
        except (ValueError, TypeError, AttributeError) as error:
            raise self.unusable(f"not as this protocol does ({_first_line(error)})") from error

    def unusable(self, what: str) -> ModelReplyUnusable:
        """The error for an answer that came but cannot be used, saying what is wrong with it."""
        return ModelReplyUnusable(
            f"{self.name} answered, but {what}: check {self.variables.base_url} and "
            f"{self.variables.model}"
        )

    def _of_status(self, error: Any) -> Exception:
        status: int = error.status_code
        said = self._said(error)
        if _is_worth_repeating(status):
            return ModelUnavailable(
                f"{self.name} answered {status} ({said}), when asked again, too: wait, or look "
                "after the server or its quota"
            )
        if status in (401, 402, 403):
            return ConfigurationError(
                f"{self.variables.api_key}: {self.name} refused it, {status} ({said}): set a key "
                "that it accepts"
            )
        if status in _REFUSALS:
            return Refused(
                f"{self.variables.model}: {self.name} refused the request, {status} ({said}): "
                "choose a model that takes it, or change the server's limits",
                str(getattr(error, "param", None) or ""),
            )
        return ConfigurationError(
            f"{self.variables.base_url} or {self.variables.model}: {self.name} answered {status} "
            f"({said}): most addresses end in /v1, and the server must know the model"
        )

    def _said(self, error: Any) -> str:
        """The server's own words, on one line, without the key that it may repeat."""
        body = error.body
        text = body.get("message") or body.get("detail") if isinstance(body, dict) else body
        line = _first_line(text or error.message)
        return line.replace(self._api_key, "***") if self._api_key else line


def _is_worth_repeating(status: int) -> bool:
    """Whether the same request may succeed later: too many of them, time-outs, the server's own."""
    return status in (408, 429) or status >= 500


def _say_whether_to_repeat(response: Any) -> None:
    """Tell the SDK by the header that it obeys: by itself it repeats 409, too."""
    if response.status_code >= 400:
        repeat = _is_worth_repeating(response.status_code)
        response.headers["x-should-retry"] = "true" if repeat else "false"


def _first_line(said: object) -> str:
    text = " ".join(str(said).split())
    return text[:200] or type(said).__name__
