"""How a run asks its chat model: replies and usage in the store, one budget for all its assets."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import TypeVar

from finrag_pipeline.errors import (
    BudgetExhausted,
    ConfigurationError,
    ModelReplyRefused,
    ModelReplyRejected,
    ModelReplyUnusable,
    ModelUnavailable,
)
from finrag_pipeline.models.chat import Budget, ChatSession, Purpose, Usage, open_chat_session
from finrag_pipeline.models.openai_server import Refused
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.usage import model_replies, model_usage

A = TypeVar("A")
B = TypeVar("B")

#: Requests under way at a time: few enough for the rate limits of hosted models, and servers of
#: one's own batch them.
IN_FLIGHT = 8
# Failures in a row after which a run asks no more: one wave of requests, each of them repeated.
_GIVE_UP = IN_FLIGHT

#: The run of whoever names none: one process is one run.
THIS_PROCESS = uuid.uuid4().hex
#: What questions are accounted to instead of a run.
QUESTIONS = "questions"


class StoredRecords:
    """Replies and usage in Postgres, each in a short transaction of its own."""

    def __init__(self, database: Database, app_id: str, run_id: str) -> None:
        self._database = database
        self._app_id = app_id
        self._run_id = run_id

    def find(self, request_sha256: str) -> str | None:
        with self._database.connection() as connection:
            return model_replies.find(connection, request_sha256)

    def keep(self, request_sha256: str, server: str, model: str, reply: str) -> None:
        with self._database.transaction() as connection:
            model_replies.keep(connection, request_sha256, server, model, reply)

    def account(self, purpose: Purpose, model: str, usage: Usage) -> None:
        with self._database.transaction() as connection:
            model_usage.add(
                connection,
                app_id=self._app_id,
                run_id=self._run_id,
                asset=purpose.asset,
                document_id=purpose.document_id,
                model=model,
                **asdict(usage),
            )


def chat_session(
    database: Database, settings: Settings, app_id: str, run_id: str = THIS_PROCESS
) -> ChatSession | None:
    """A session with the chat model for (the rest of) a run; None where no model is set.

    Args:
        run_id: what the assets of one run share: its budget goes on where the last one left it.
    """
    with database.connection() as connection:
        spent = model_usage.spent(connection, app_id, run_id)
    budget = Budget(settings.chat_budget_tokens, settings.chat_budget, *spent)
    return open_chat_session(settings, StoredRecords(database, app_id, run_id), budget)


def question_session(database: Database, settings: Settings, app_id: str) -> ChatSession | None:
    """A session for questions that somebody waits for: asked once more at most, outside any run.

    Their usage is accounted to `QUESTIONS` as the run; the budget of runs does not end them.
    """
    records = StoredRecords(database, app_id, QUESTIONS)
    return open_chat_session(settings, records, Budget(), patient=False)


@dataclass(frozen=True, slots=True)
class Failed:
    """Why there is no reply to use; `answered` where there was one: the next may be no better."""

    reason: str
    answered: bool


class Patience:
    """Asks until asking is in vain: eight failures in a row, or a budget that is spent.

    Attributes:
        stopped: why nothing is asked any more in this run; None while there is hope.
    """

    def __init__(self) -> None:
        self.stopped: str | None = None
        self._in_a_row = 0
        self._lock = threading.Lock()

    def ask(self, ask: Callable[[], B]) -> B | Failed:
        """What `ask` returns, or why it could not.

        Raises:
            ConfigurationError: key, model or address are wrong. That is for somebody to mend
                before anything goes to its readers without what the model was to write.
            StoreUnavailable, StorageFull: replies could not be kept.
        """
        if self.stopped:
            return Failed(self.stopped, answered=False)
        try:
            found = ask()
        except (ModelReplyRejected, ModelReplyRefused) as error:
            self._told(None)  # it works, and what was asked is as it is
            return Failed(str(error), answered=True)
        except (ModelReplyUnusable, Refused) as error:
            self._told(str(error))
            return Failed(str(error), answered=True)
        except ModelUnavailable as error:
            self._told(str(error))
            return Failed(str(error), answered=False)
        except BudgetExhausted as error:
            self._told(str(error), for_good=True)
            return Failed(str(error), answered=False)
        except ConfigurationError as error:
            self._told(str(error), for_good=True)
            raise
        self._told(None)
        return found

    def _told(self, failure: str | None, *, for_good: bool = False) -> None:
        with self._lock:
            self._in_a_row = self._in_a_row + 1 if failure else 0
            if self.stopped is None and (for_good or self._in_a_row >= _GIVE_UP):
                self.stopped = failure


def side_by_side(ask: Callable[[A], B], asked: Iterable[A]) -> list[B]:
    """What `ask` makes of each, in their order, so many at a time as may be under way.

    When one of them raises, what has not begun is not asked any more.
    """
    with ThreadPoolExecutor(IN_FLIGHT) as threads:
        futures = [threads.submit(ask, each) for each in asked]
        try:
            return [future.result() for future in futures]
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            raise
