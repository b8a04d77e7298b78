"""Questions to answers: from the reports of a weekly build, or from passages that lanes find.

Finding is `searching`, writing `extractive` and the modules of `communities`.
"""

from __future__ import annotations

import time

from finrag_pipeline.models.chat import ChatSession
from finrag_pipeline.query.asked import Asked
from finrag_pipeline.query.checks import citations_verified, numbers_grounded
from finrag_pipeline.query.communities import builds
from finrag_pipeline.query.communities.chat import FAILURES
from finrag_pipeline.query.communities.global_search import GlobalAnswer, GlobalSearch
from finrag_pipeline.query.communities.local import HOPS
from finrag_pipeline.query.communities.local_chat import local_answer
from finrag_pipeline.query.communities.relevance import Relevance
from finrag_pipeline.query.extractive import Drawn, answer_from
from finrag_pipeline.query.graph.entities import find_seeds
from finrag_pipeline.query.lanes import elapsed_since_ms
from finrag_pipeline.query.modes import COMMUNITY_MODES, LANES, Plans
from finrag_pipeline.query.results import Answer, Json, SearchResult
from finrag_pipeline.query.scope import asks_chain, asks_whole
from finrag_pipeline.query.searching import Searcher
from finrag_pipeline.query.terms import insufficient
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.weeks.community_builds import StoredBuild

#: Results that an answer is drawn from.
_ANSWER_K = 10
#: Share of a question's words in an answer from reports that nobody asked for by their mode: 服务
#: of 什么公司提供审计服务 is in many, and half of the question.
MIN_COVERED_UNASKED = 0.6


class Asker:
    """Answers by one of `modes.MODES`, for any number of threads.

    Args:
        reader: of an open store.
        plans: the lanes that there are.
        searcher: runs them.
        session: the chat model that writes answers from communities; None: the offline way.
    """

    def __init__(
        self, reader: Reader, plans: Plans, searcher: Searcher, session: ChatSession | None
    ) -> None:
        self._reader = reader
        self._plans = plans
        self._searcher = searcher
        self._session = session

    def answer(self, asked: Asked, mode: str, level: int | None = None, hops: int = HOPS) -> Answer:
        """An answer by a mode; errors as `QueryEngine.ask`."""
        start = time.perf_counter()
        if mode not in COMMUNITY_MODES:
            reason = f"text question, mode {mode}"
            if mode == "auto" and (cue := self.whole(asked)):
                stored = self._serving(asked)
                whole = self._globally(asked, stored, level, start, _why(cue)) if stored else None
                if whole is not None and _tells(asked.question, whole):
                    return whole
                if whole is not None:
                    reason += f", {_why(cue)}, but no report of the weekly build answers it"
            return self._from_passages(asked, mode, hops, start, reason)
        stored = self._serving(asked)
        if stored is None:
            return without_evidence(
                asked.question,
                f"mode {mode}: no weekly build is published",
                {"total": elapsed_since_ms(start)},
                builds.no_build(asked.where.as_of),
            )
        if mode == "community_global":
            return self._globally(asked, stored, level, start, f"mode {mode}")
        reason = f"text question, mode {mode}"
        return self._from_passages(asked, mode, hops, start, reason, stored)

    def whole(self, asked: Asked) -> str | None:
        """The words by which a question asks for the whole, if a build can tell it."""
        if not self._plans.has_graph or asks_whole(asked.question) is None:
            return None
        with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            if builds.serving(connection, asked.where.app_id, asked.where.as_of) is None:
                return None
            named = {seed.type for seed in find_seeds(connection, asked)}
        return asks_whole(asked.question, named)

    def _serving(self, asked: Asked) -> StoredBuild | None:
        with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            return builds.serving(connection, asked.where.app_id, asked.where.as_of)

    def _globally(
        self, asked: Asked, stored: StoredBuild, level: int | None, start: float, why: str
    ) -> Answer:
        search = GlobalSearch(self._reader, self._plans.require_reports(), self._session)
        found = search.answer(asked, stored, level)
        searched_ms = elapsed_since_ms(start)
        answered = bool(found.evidence)
        return Answer(
            question=asked.question,
            status="answered" if answered else "insufficient_evidence",
            answer=found.text if answered else insufficient(asked.question, found.lacking),
            evidence=found.evidence,
            checks=_checks(found),
            route={
                "lanes": ["community"],
                "reason": f"{why}: {found.way}",
                "build": builds.named(stored),
            },
            latency_ms={"community": searched_ms, "total": elapsed_since_ms(start)},
            graph_context=found.context,
            degraded=tuple({"lane": "community", "reason": each} for each in found.degraded),
            warnings=(*self._shortcomings(asked, stored), *found.warnings),
        )

    def _from_passages(
        self,
        asked: Asked,
        mode: str,
        hops: int,
        start: float,
        reason: str,
        stored: StoredBuild | None = None,
    ) -> Answer:
        plan = self._plans.of_mode(mode, hops)
        found, lanes = self._searcher.search(plan, asked, _ANSWER_K)
        drawn, how, degraded = self._drawn(asked, found, stored is not None)
        route: Json = {
            "lanes": [lane for lane in LANES if any(lane in each.lanes for each in found.results)],
            "reason": f"{reason}: {lanes}; {how}",
        }
        warnings = found.warnings
        if stored is not None:
            route["build"] = builds.named(stored)
            warnings += self._shortcomings(asked, stored)
        return Answer(
            question=found.question,
            status="answered" if drawn.evidence else "insufficient_evidence",
            answer=drawn.text or insufficient(found.question, drawn.lacking),
            evidence=drawn.evidence,
            checks={
                "numbers_grounded": numbers_grounded(drawn.text, drawn.evidence),
                "citations_verified": citations_verified(drawn.evidence, found.results),
            },
            route=route,
            graph_context=found.graph_context,
            latency_ms=found.latency_ms | {"total": elapsed_since_ms(start)},
            degraded=(*found.degraded, *degraded),
            warnings=warnings,
        )

    def _drawn(
        self, asked: Asked, found: SearchResult, written: bool
    ) -> tuple[Drawn, str, list[dict[str, str]]]:
        """The answer to what was found, how it came about, and why the model gave none.

        Args:
            written: a chat model is asked, if there is one.
        """
        quoted = "the answer quotes the best sentences"
        degraded: list[dict[str, str]] = []
        if written and self._session is not None:
            try:
                drawn = local_answer(
                    self._session, asked.question, found.results, found.graph_context
                )
                return drawn, f"{self._session.name} answered from them", degraded
            except FAILURES as error:
                reason = f"the answer quotes sentences, the chat model gave none: {error}"
                degraded.append({"lane": "community", "reason": reason})
        return answer_from(found.question, found.results), quoted, degraded

    def _shortcomings(self, asked: Asked, stored: StoredBuild) -> tuple[str, ...]:
        with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            return builds.shortcomings(connection, stored, asked.where.as_of)


def _tells(question: str, answer: Answer) -> bool:
    """Whether reports answer a question that did not ask for them: passages may do better.

    Who asks for a chain is told one, and most of the words asked for are in the answer.
    """
    kinds = {each["report_kind"] for each in answer.graph_context}
    if asks_chain(question) and "industry_chain" not in kinds:
        return False
    covered = Relevance(question).covered(answer.answer)
    return bool(answer.evidence) and covered >= MIN_COVERED_UNASKED


def _why(cue: str) -> str:
    return f"the question asks for the whole ({cue})"


def _checks(found: GlobalAnswer) -> dict[str, bool]:
    return {
        "numbers_grounded": numbers_grounded(found.text, found.evidence),
        "citations_verified": citations_verified(found.evidence, found.results),
    }


def without_evidence(question: str, reason: str, latency_ms: dict[str, float], mend: str) -> Answer:
    """What is said where there is nothing to answer from: no document, or no build."""
    return Answer(
        question=question,
        status="insufficient_evidence",
        answer=insufficient(question, ()),
        evidence=(),
        checks={"numbers_grounded": True, "citations_verified": True},
        route={"lanes": [], "reason": reason},
        latency_ms=latency_ms,
        warnings=(mend,),
    )
