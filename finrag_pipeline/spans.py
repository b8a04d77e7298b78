"""Steps of questions and of runs as they are timed; who watches is told of them as they end.

Metrics, logs and traces all watch: a step is told once. Attributes are ids, counts and words of
the product: never what a question or a document says, nor how a file is called.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

Value = str | int | float | bool | tuple[str, ...]

#: The question that is being answered in this context; None outside of any.
_question_id: ContextVar[str | None] = ContextVar("question_id", default=None)


@dataclass(slots=True)
class Span:
    """One step.

    Attributes:
        name: what it does: one of a few words.
        attributes: which one it was; a step may add to them while it goes on.
        seconds: what it took, once it ended.
        error: the type of what it failed with; its text may quote a question.
    """

    name: str
    attributes: dict[str, Value] = field(default_factory=dict[str, Value])
    seconds: float = 0.0
    error: str | None = None

    @property
    def ms(self) -> float:
        return round(self.seconds * 1000, 2)


#: Entered as a step begins, left as it ends and is known whole.
Watcher = Callable[[Span], AbstractContextManager[None]]

_watchers: list[Watcher] = []


@contextmanager
def span(name: str, **attributes: Value) -> Generator[Span]:
    """Time a step; also as a decorator, where the step is a function."""
    step = Span(name, attributes)
    started = time.perf_counter()
    with ExitStack() as watching:
        for watcher in _watchers:
            watching.enter_context(watcher(step))
        try:
            yield step
        except BaseException as error:
            step.error = type(error).__name__
            raise
        finally:
            step.seconds = time.perf_counter() - started


@contextmanager
def question_span(name: str) -> Generator[Span]:
    """Time the answering of a question, under the id that it has already or a new one."""
    with ExitStack() as stack:
        question_id = _question_id.get() or stack.enter_context(numbered_question())
        yield stack.enter_context(span(name, question_id=question_id))


@contextmanager
def numbered_question() -> Generator[str]:
    """A random id for the question that is answered in the block, by which logs tell it."""
    question_id = secrets.token_hex(8)
    token = _question_id.set(question_id)
    try:
        yield question_id
    finally:
        _question_id.reset(token)


def current_question() -> str | None:
    """The id of the question that is being answered here."""
    return _question_id.get()


def watch(watcher: Watcher) -> None:
    """Have every step from now on told, until the process ends; once, however often it is asked."""
    if watcher not in _watchers:
        _watchers.append(watcher)


@contextmanager
def watched(watcher: Watcher) -> Generator[None]:
    """Have every step of this process told while the block lasts."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)
