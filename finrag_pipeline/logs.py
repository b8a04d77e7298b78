"""How a process logs: lines of text or of JSON, with ids, and never what anybody asked or wrote.

Which steps there are is `spans`; the log of a run in the UI is Dagster's.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TextIO

from finrag_pipeline import spans
from finrag_pipeline.spans import Span

_PACKAGE = Path(__file__).parent
#: Steps that have a line of their own: each was asked for, or made something of a document.
_TOLD = frozenset(("request", "ask", "search", "stage", "document", "retention"))
#: Above the loggers whose lines hold ids and words of the product alone. What others warn of may
#: quote a document: it goes to the log of its run.
_PLAIN = "finrag"
_STEPS = logging.getLogger(f"{_PLAIN}.steps")
_STANDARD = frozenset((*vars(logging.makeLogRecord({})), "message", "asctime"))


def configure(log_format: Literal["json", "text"] | None) -> None:
    """Log to standard error from now on, instead of what was set before.

    Args:
        log_format: of steps and errors; None: errors alone, as text.
    """
    root = logging.getLogger()
    for handler in [each for each in root.handlers if isinstance(each, _Console)]:
        root.removeHandler(handler)
    # the process's own: while Dagster's storage is asked, `sys.stderr` is another
    console = _Console(sys.__stderr__)
    console.setLevel(logging.ERROR if log_format is None else logging.INFO)
    console.setFormatter(JsonLines() if log_format == "json" else TextLines())
    root.addHandler(console)
    if log_format is None:
        return
    logging.getLogger(_PLAIN).setLevel(logging.INFO)
    spans.watch(told)


@contextmanager
def told(step: Span) -> Generator[None]:
    """A line for a step as it ends; watches `spans`."""
    try:
        yield
    finally:
        if step.name in _TOLD:
            fields = {name: value for name, value in step.attributes.items() if value != ()}
            fields["seconds"] = round(step.seconds, 4)
            if step.error:
                fields["error"] = step.error
            _STEPS.info(step.name, extra=fields)


class _Console(logging.StreamHandler[TextIO]):
    """Ours among the handlers of a process: lines of our own, and errors of everybody."""

    def filter(self, record: logging.LogRecord) -> bool:
        plain = record.name.startswith(f"{_PLAIN}.") or record.levelno >= logging.ERROR
        return plain and bool(super().filter(record))


class TextLines(logging.Formatter):
    """`2026-03-08T02:00:00.123Z INFO finrag.steps: ask status=answered seconds=0.21`"""

    def format(self, record: logging.LogRecord) -> str:
        fields = " ".join(f"{name}={_plain(value)}" for name, value in _fields(record).items())
        message = " ".join(record.getMessage().split())
        head = f"{_at(record)} {record.levelname} {record.name}: {message}"
        return f"{head} {fields}" if fields else head


class JsonLines(logging.Formatter):
    """One JSON object a line: `at`, `level`, `logger`, `message`, and what else is known."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": _at(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        return json.dumps(line | _fields(record), ensure_ascii=False, default=str)


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    """What a record says beside its message; of an exception its type and where it was raised,
    since its text may quote a question, a document or a statement with both."""
    own = {name: value for name, value in vars(record).items() if name not in _STANDARD}
    asked = spans.current_question()
    fields: Mapping[str, Any] = {"question_id": asked} if asked else {}
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return {**fields, **own}
    frames = [
        f"{_short(frame.filename)}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    causes: list[str] = []
    while error is not None and len(causes) < 10:
        causes.append(type(error).__name__)
        error = error.__cause__ or error.__context__
    return {**fields, **own, "exception": causes, "frames": frames}


def _short(filename: str) -> str:
    path = Path(filename)
    own = path.is_relative_to(_PACKAGE)
    return str(path.relative_to(_PACKAGE)) if own else "/".join(path.parts[-2:])


def _plain(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _at(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
