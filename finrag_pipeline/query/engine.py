"""The query engine: a question to ranked evidence, and from there to a cited answer.

question → plan → evidence → draft → gate, one step after the other; each has its own room.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from finrag_pipeline.models.chat import ChatSession
from finrag_pipeline.query import gate
from finrag_pipeline.query.answering import Answering
from finrag_pipeline.query.answers import writers
from finrag_pipeline.query.answers.closest.drafts import is_outdone, is_unsure, quoted_value
from finrag_pipeline.query.answers.closest.judge import Judge, Judged
from finrag_pipeline.query.answers.global_chat import FAILURES
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.asking import Asking
from finrag_pipeline.query.evidence.fact import FACT
from finrag_pipeline.query.evidence.results import Answer, SearchResult
from finrag_pipeline.query.lanes import registry
from finrag_pipeline.query.lanes.guarded import SETTINGS
from finrag_pipeline.query.lanes.light_keywords import chat_keywords, offline_keywords
from finrag_pipeline.query.lanes.run import elapsed_since_ms
from finrag_pipeline.query.numbers.reading import read_numbers
from finrag_pipeline.query.plan import Capabilities, Plan
from finrag_pipeline.query.question.absent import Absence
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.chat_intent import chat_intent
from finrag_pipeline.query.question.intents import UNCLEAR, read_intent
from finrag_pipeline.query.question.options import PLAIN, Options, checked
from finrag_pipeline.query.question.reading import Reading
from finrag_pipeline.query.question.rewording import as_asking, plainest, readings_of
from finrag_pipeline.query.question.typed import is_fragment
from finrag_pipeline.query.reranking import registry as reranking
from finrag_pipeline.query.reranking.run import Reranking
from finrag_pipeline.query.restating.restated import restated
from finrag_pipeline.query.retrieval import Retrieval
from finrag_pipeline.query.router import (
    MEANT,
    plan_passages,
    route,
    route_closest,
    route_search,
)
from finrag_pipeline.query.trying import needs_more, tried
from finrag_pipeline.settings import Settings
from finrag_pipeline.spans import question_span
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search.keyword_index import KeywordIndex

_logger = logging.getLogger(__name__)


class QueryEngine:
    """Answers questions over one store, for any number of threads.

    Args:
        reader: of an open store; the engine does not close it.
        settings: `home` (for the keyword copies), `app` (the default), `embedder`, `reranker`,
            `graph`, and how deep is looked.
        chat: whom modes of LightRAG ask for keywords and whom answers from text are worded by;
            None: the words of a question tell keywords, answers quote.
    """

    def __init__(self, reader: Reader, settings: Settings, chat: ChatSession | None = None) -> None:
        self._reader = reader
        self._settings = settings
        index = KeywordIndex(settings.home / "keyword", reader)
        find_keywords = chat_keywords(chat) if chat else offline_keywords
        self._retrieval = Retrieval(
            registry.Tools(reader, index, find_keywords),
            settings,
            Reranking(reader, settings, reranking.Tools(chat)),
        )
        self._chat = chat
        absent = Absence(index)
        #: What its writers are made of.
        self.tools = writers.Tools(reader, chat, self._search_part, absent)
        made = writers.make_writers(self.tools)
        self._judge = Judge(self.tools)
        self._answering = Answering(self._retrieval, made, chat, absent, self._judge)
        self._asked = Asking(reader, settings)

    def search(self, question: str, options: Options = PLAIN) -> SearchResult:
        """Ranked evidence for a question.

        Raises:
            InvalidQuestion: nothing was asked, or for what there is not or is switched off.
            NotFound: `document` or `entity` names none or several.
            VectorSpaceMismatch: the configured embedder did not make the stored vectors.
            NoLaneLeft: every lane failed.
        """
        with question_span("search") as step:
            found = self._found(question, options)
            step.attributes["degraded"] = _degraded(found.degraded)
            return found

    def _found(self, question: str, options: Options) -> SearchResult:
        start = time.perf_counter()
        asked, has = self._asked(checked(question), options)
        plan = route_search(asked.question, options, has)
        if not has.documents:
            latency_ms, mend = self._nothing(plan, asked, start)
            return SearchResult(asked.question, (), latency_ms, warnings=(mend,))
        return self._retrieval.search(plan, asked)

    def ask(self, question: str, options: Options = PLAIN) -> Answer:
        """An answer made of evidence, cited, or a clear word that there is none.

        A question that asks for the whole is answered from the reports of the weekly build, where
        there is one that answers it. Errors as in `search`.
        """
        with question_span("ask") as step:
            answer = self._answer(question, options)
            step.attributes["status"] = answer.status
            step.attributes["route"] = answer.route.get("kind", "none")
            step.attributes["degraded"] = _degraded(answer.degraded)
            return answer

    def _answer(self, question: str, options: Options) -> Answer:
        """An answer, found by other ways where the first does not say what is asked."""
        question = checked(question)
        answer = self._answered(question, options, route)
        assert answer is not None  # every question has a route
        if not needs_more(answer):
            return answer

        def again(reading: str) -> Answer | None:
            return self._answered(reading, options, route)

        def closest(reading: str) -> Answer | None:
            return self._answered(reading, options, route_closest)

        @cache
        def figures(asked: str) -> list[Judged]:
            # the question's own are looked at beside each reading's
            return self._figures(asked, options)

        def unsure(reading: str, other: Answer) -> bool:
            if any(each.kind == FACT for each in other.evidence):
                return False  # statements vouch for it
            value = other.value
            return is_unsure(value, figures(reading)) or is_outdone(value, figures(question))

        readings, worded = self._readings(question, options)
        answer = tried(answer, question, readings, again, closest, worded, unsure)
        return self._valued(answer, question, options)

    def _valued(self, answer: Answer, question: str, options: Options) -> Answer:
        """An answer to what only names a figure, with the one that its quotes say for its value."""
        lacks = answer.status == "answered" and answer.value is None
        named = question.rstrip("?？")
        if not lacks or not is_fragment(named) or options.mode != "auto" or options.lane:
            return answer
        judged = self._figures(as_asking(named), options, any_name=True)
        return replace(answer, value=quoted_value(answer.answer, answer.evidence, judged))

    def _figures(self, question: str, options: Options, *, any_name: bool = False) -> list[Judged]:
        """The figures that a question may mean; none where the look broke: what is answered stands
        as it is."""
        asked, _ = self._asked(question, options)
        try:
            return self._judge(asked, any_name=any_name)
        except SETTINGS:
            raise
        except Exception as error:
            _logger.warning("the writer %s broke", "closest", exc_info=error)
            return []

    def _readings(self, question: str, options: Options) -> tuple[list[str], list[str]]:
        """The other readings of a question that are of the same companies, houses and times:
        brackets, or where it says that its answer stands, may have said those; and those with
        terms in the place of its words."""
        asked = self._asked(question, options)[0]
        meant, wanted = asked.scope.reading, Wanted(asked)
        if not (wanted.terms or wanted.metrics):
            return [], []  # who only names whom and when asks for nothing yet

        def kept(others: Iterable[str]) -> list[str]:
            readings = ((each, self._asked(each, options)[0].scope.reading) for each in others)
            return [each for each, reading in readings if meant.means_as(reading)]

        others = kept(readings_of(question))
        plain = plainest(question)
        plain = plain if plain in others else question
        return others, kept(restated(plain, self._asked(plain, options)[0]))

    def _answered(
        self, question: str, options: Options, planned: Callable[..., Plan | None]
    ) -> Answer | None:
        """An answer by the plan that a router makes; None where it makes none."""
        start = time.perf_counter()
        asked, has = self._asked(question, options)
        asked, unread = self._wanting(asked, has)
        plan = planned(asked.question, asked.options, has, asked.intent)
        if plan is None:
            return None
        if not has.documents:
            reason = f"text question, mode {options.mode}: nothing is indexed"
            latency_ms, mend = self._nothing(plan, asked, start)
            return gate.refusal(asked, replace(plan, reason=reason), mend, latency_ms)
        if plan.mend:
            total = {"total": elapsed_since_ms(start)}
            return gate.refusal(asked, plan, plan.mend, total)
        answer = self._answering.answer(plan, asked)
        gone = answer.route
        if asked.question != question:
            gone = gone | {"read_as": asked.question}
        total = {"total": elapsed_since_ms(start)}
        latency_ms = answer.latency_ms | total
        degraded = (*unread, *answer.degraded)
        return replace(
            answer, question=question, route=gone, latency_ms=latency_ms, degraded=degraded
        )

    def read(self, question: str, options: Options = PLAIN) -> tuple[Reading, dict[str, str]]:
        """How a question is read, and the company of each document, empty where it is about none.

        Errors as in `search`.
        """
        asked, _ = self._asked(checked(question), options)
        documents = asked.scope.catalogue.documents
        return asked.scope.reading, {key: each.company for key, each in documents.items()}

    def passages(self, question: str, most: int | None = None) -> tuple[Asked, SearchResult]:
        """A question as it is read, and the passages that its writers are given.

        Args:
            most: passages; None: as many as a question without options gets.

        Errors as in `search`.
        """
        asked, has = self._asked(checked(question), PLAIN)
        asked, _ = self._wanting(asked, has)
        return asked, self._retrieval.search(plan_passages(asked.options, has, most), asked)

    def _wanting(self, asked: Asked, has: Capabilities) -> tuple[Asked, list[dict[str, str]]]:
        """The question with what it wants: by its words, else by the chat model where there is
        one; why that did not say."""
        catalogue, day = asked.scope.catalogue, asked.where.as_of
        figures = read_numbers(asked.question, catalogue, day) is not None
        intent = read_intent(asked.question, asked.scope.reading, figures=figures)
        chosen = asked.options.mode != "auto" or asked.options.lane is not None
        if (
            intent.name != UNCLEAR
            or intent.cue
            or chosen
            or self._chat is None
            or not has.documents
        ):
            return asked.wanting(intent), []
        try:
            return asked.wanting(chat_intent(self._chat, asked.question, MEANT)), []
        except FAILURES as error:
            reason = f"the question was routed by its words, the chat model did not say: {error}"
            return asked.wanting(intent), [{"lane": "route", "reason": reason}]

    def _search_part(
        self,
        asked: Asked,
        question: str,
        *,
        most: int,
        document_ids: tuple[str, ...] | None = None,
    ) -> tuple[Asked, SearchResult]:
        """Evidence for a part of a question, see `writers.Search`."""
        part, has = self._asked(question, replace(asked.options, history=()), document_ids)
        return part, self._retrieval.search(plan_passages(asked.options, has, most), part)

    def _nothing(self, plan: Plan, asked: Asked, start: float) -> tuple[dict[str, float], str]:
        """Times and the mend where nothing is indexed."""
        labels = [registry.entries()[name].label for name in _first_lanes(plan)]
        latency_ms = dict.fromkeys(labels, 0.0) | {"total": elapsed_since_ms(start)}
        app_id = asked.where.app_id
        return latency_ms, f"nothing is indexed in app {app_id!r}: run `finrag ingest PATH`"


def _degraded(degraded: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    """Which steps could not do their part, each once; why may quote the question."""
    return tuple(sorted({each["lane"] for each in degraded}))


def _first_lanes(plan: Plan) -> tuple[str, ...]:
    """The lanes that would run first, if there were anything to look in."""
    return plan.steps[0] if plan.steps else _first_lanes(plan.fallback) if plan.fallback else ()
