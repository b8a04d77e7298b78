"""Going the ways of a plan until one answers: evidence, draft, gate; what broke on them is told.

Which ways there are is `router`'s, how drafts are made `drafting`'s; a lane or writer that breaks
never ends a question.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import replace

from finrag_pipeline.models.chat import ChatSession
from finrag_pipeline.query import gate
from finrag_pipeline.query.answers.closest.judge import Judge
from finrag_pipeline.query.answers.writers import Writer
from finrag_pipeline.query.drafting import Drafting
from finrag_pipeline.query.evidence.results import Answer, SearchResult
from finrag_pipeline.query.lanes.run import NoLaneLeft, elapsed_since_ms
from finrag_pipeline.query.plan import Plan
from finrag_pipeline.query.question.absent import Absence
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.retrieval import Retrieval


class Answering:
    """Carries out plans, for any number of threads.

    Args:
        retrieval: finds the evidence of a plan.
        writers: by name, as plans name them.
        session: the chat model that words answers; None: there is none.
        absent: names of a question that the whole store does not know.
        judge: how sure the figures are that a question may mean.
    """

    def __init__(
        self,
        retrieval: Retrieval,
        writers: Mapping[str, Writer],
        session: ChatSession | None,
        absent: Absence,
        judge: Judge,
    ) -> None:
        self._retrieval = retrieval
        self._writers = writers
        self._session = session
        self._absent = absent
        self._judge = judge

    def answer(self, plan: Plan, asked: Asked) -> Answer:
        """The first answer that the gate lets pass, on the way that a plan goes.

        Raises:
            ConfigurationError, VectorSpaceMismatch: a wrong setting is mended, not worked around.
        """
        drafting = Drafting(self._writers, self._session, self._absent, self._judge)
        refused: Answer | None = None
        broken: list[dict[str, str]] = []
        while True:
            found = self._found(plan, asked)
            broken += found.broken
            answer, unread = self._decided(plan, asked, drafting, found)
            if answer is None:
                assert plan.fallback is not None  # the gate says None to no other plan
                plan = plan.fallback
            elif answer.status == "insufficient_evidence" and plan.refused is not None:
                refused, plan = answer, (plan.unread if unread else None) or plan.refused
            else:
                break
        told = [*broken, *drafting.broken, *answer.degraded]
        if answer.status != "answered" and refused is not None:
            told = [*refused.degraded, *told]
            # of two refusals the first, unless only the other says what is nearest
            if refused.evidence or not answer.evidence:
                answer = refused
        return replace(answer, degraded=_once(told))

    def _decided(
        self, plan: Plan, asked: Asked, drafting: Drafting, found: SearchResult
    ) -> tuple[Answer | None, bool]:
        """What the gate makes of the drafts by one way: the first that it says, else the last; and
        whether words of the question were left over to that."""
        written = time.perf_counter()
        answer: Answer | None = None
        unread = False
        for draft in drafting.drafts(plan, asked, found):
            spent = found.latency_ms | {"answer": elapsed_since_ms(written)}
            within = replace(found, latency_ms=spent)
            answer = gate.decide(asked, plan, within, draft, self._absent)
            unread = draft is not None and draft.unread
            if answer is not None and answer.status == "answered":
                break
        return answer, unread

    def _found(self, plan: Plan, asked: Asked) -> SearchResult:
        """What the lanes of a plan find; nothing where its writer looks things up itself, and
        where all of them broke."""
        if not plan.steps:
            return SearchResult(asked.question, (), {})
        try:
            return self._retrieval.search(plan, asked)
        except NoLaneLeft as error:
            return SearchResult(
                asked.question, (), error.latency_ms, broken=error.degraded, looked=False
            )


def _once(degraded: Iterable[dict[str, str]]) -> tuple[dict[str, str], ...]:
    """What broke, each once, though several ways came upon it."""
    return tuple({(each["lane"], each["reason"]): each for each in degraded}.values())
