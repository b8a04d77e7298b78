"""Going the ways of a plan until one answers: evidence, draft, gate; what broke on them is told.

Which ways there are is `router`'s; a lane or writer that breaks never ends a question.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace

from finrag_pipeline.query import gate
from finrag_pipeline.query.answers.writers import Draft, Writer
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
    """

    def __init__(self, retrieval: Retrieval, writers: Mapping[str, Writer]) -> None:
        self._retrieval = retrieval
        self._writers = writers

    def answer(self, plan: Plan, asked: Asked) -> Answer:
        """The first answer that the gate lets pass, on the way that a plan goes.

        Raises:
            ConfigurationError, VectorSpaceMismatch: a wrong setting is mended, not worked around.
        """
        refused: Answer | None = None
        broken: list[dict[str, str]] = []
        while True:
            found = self._found(plan, asked)
            written = time.perf_counter()
            draft, failed = self._draft(plan, asked, found)
            broken += [*found.broken, *failed]
            spent = found.latency_ms | {"answer": elapsed_since_ms(written)}
            answer = gate.decide(asked, plan, replace(found, latency_ms=spent), draft)
            if answer is None:
                assert plan.fallback is not None  # the gate says None to no other plan
                plan = plan.fallback
            elif answer.status == "insufficient_evidence" and plan.refused is not None:
                refused, plan = answer, plan.refused
            else:
                said = answer if answer.status == "answered" or refused is None else refused
                return replace(said, degraded=_once([*broken, *said.degraded]))

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
        self, plan: Plan, asked: Asked, found: SearchResult
    ) -> tuple[Draft | None, list[dict[str, str]]]:
        """What a plan's writer makes of evidence; why it made nothing where it broke."""
        try:
            return self._writers[plan.writer](asked, found), []
        except SETTINGS:
            raise
        except Exception as error:  # the ways behind it may still answer
            _logger.warning("the writer %s broke", plan.writer, exc_info=error)
            return None, [{"lane": plan.writer, "reason": reason_of(error)}]


def _once(degraded: Iterable[dict[str, str]]) -> tuple[dict[str, str], ...]:
    """What broke, each once, though several ways came upon it."""
    return tuple({(each["lane"], each["reason"]): each for each in degraded}.values())
