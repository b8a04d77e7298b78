"""Going the ways of a plan until one answers: evidence, draft, gate; what broke on them is told.

Which ways there are is `router`'s; a lane or writer that breaks never ends a question.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

from finrag_pipeline.models.chat import ChatSession
from finrag_pipeline.query import gate
from finrag_pipeline.query.answers.writers import Draft, Writer
from finrag_pipeline.query.drafting import Drafting
from finrag_pipeline.query.evidence.results import Answer, SearchResult
from finrag_pipeline.query.lanes.guarded import SETTINGS
from finrag_pipeline.query.lanes.run import NoLaneLeft, elapsed_since_ms, reason_of
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.retrieval import Retrieval
from finrag_pipeline.query.router import Plan

_logger = logging.getLogger(__name__)


class Answering:
    """Carries out plans, for any number of threads.

    Args:
        retrieval: finds the evidence of a plan.
        writers: by name, as plans name them.
        session: the chat model that words what they found; None: there is none.
    """

    def __init__(
        self,
        retrieval: Retrieval,
        writers: Mapping[str, Writer],
        session: ChatSession | None = None,
    ) -> None:
        self._retrieval = retrieval
        self._writers = writers
        self._session = session

    def answer(self, plan: Plan, asked: Asked) -> Answer:
        """The first answer that the gate lets pass, on the way that a plan goes.

        Raises:
            ConfigurationError, VectorSpaceMismatch: a wrong setting is mended, not worked around.
        """
        broken: list[dict[str, str]] = []
        drafting = Drafting(partial(self._draft, broken), self._session)
        refused: Answer | None = None
        while True:
            answer = self._decided(plan, asked, drafting, broken)
            if answer is None:
                assert plan.fallback is not None  # the gate says None to no other plan
                plan = plan.fallback
            elif answer.status == "insufficient_evidence" and plan.refused is not None:
                refused, plan = answer, plan.refused
            else:
                said = answer if answer.status == "answered" or refused is None else refused
                return replace(said, degraded=_once([*broken, *said.degraded, *answer.degraded]))

    def _decided(
        self, plan: Plan, asked: Asked, drafting: Drafting, broken: list[dict[str, str]]
    ) -> Answer | None:
        """What the gate makes of the drafts by one way: the first that it says, else the last."""
        found = self._found(plan, asked)
        broken += found.broken
        written = time.perf_counter()
        answer: Answer | None = None
        for draft in drafting.drafts(plan, asked, found):
            spent = found.latency_ms | {"answer": elapsed_since_ms(written)}
            answer = gate.decide(asked, plan, replace(found, latency_ms=spent), draft)
            if answer is not None and answer.status == "answered":
                break
        return answer

    def _found(self, plan: Plan, asked: Asked) -> SearchResult:
        """What the lanes of a plan find; nothing where its writer looks things up itself, and
        where all of them broke."""
        if not plan.steps:
            return SearchResult(asked.question, (), {})
        try:
            return self._retrieval.search(plan, asked)
        except NoLaneLeft as error:
            latency_ms = error.latency_ms
            return SearchResult(asked.question, (), latency_ms, broken=error.degraded)

    def _draft(
        self, broken: list[dict[str, str]], plan: Plan, asked: Asked, found: SearchResult
    ) -> Draft | None:
        """What a plan's writer makes of evidence; nothing, and the reason, where it broke."""
        try:
            return self._writers[plan.writer](asked, found)
        except SETTINGS:
            raise
        except Exception as error:  # the ways behind it may still answer
            _logger.warning("the writer %s broke", plan.writer, exc_info=error)
            broken.append({"lane": plan.writer, "reason": reason_of(error)})
            return None


def _once(degraded: Iterable[dict[str, str]]) -> tuple[dict[str, str], ...]:
    """What broke, each once, though several ways came upon it."""
    return tuple({(each["lane"], each["reason"]): each for each in degraded}.values())
