"""Drafts for a question, one after the other until one holds: a chat model's, then the offline one.

Figures, what covers say and refusals are told as they are found: no model words them.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from finrag_pipeline.models.chat import ChatSession
from finrag_pipeline.query.answers.chat.writer import write
from finrag_pipeline.query.answers.closest.apart import leaves_related_open, tells_one_of_two
from finrag_pipeline.query.answers.closest.drafts import (
    hardly_quotes,
    is_doubtful,
    may_be_doubted,
    only_quotes,
    with_value,
)
from finrag_pipeline.query.answers.closest.judge import Judge, Judged
from finrag_pipeline.query.answers.global_chat import FAILURES
from finrag_pipeline.query.answers.likeliest.drafts import (
    TOLD_BY,
    is_told_in_words,
    is_unlikely,
    with_surest,
)
from finrag_pipeline.query.answers.likeliest.sentences import judged, likely_sentences
from finrag_pipeline.query.answers.passages.candidates import Reading
from finrag_pipeline.query.answers.roles import lacks_role
from finrag_pipeline.query.answers.values import WORKED_OUT
from finrag_pipeline.query.answers.writers import Draft, Writer
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.lanes.guarded import SETTINGS
from finrag_pipeline.query.lanes.run import reason_of
from finrag_pipeline.query.plan import Plan
from finrag_pipeline.query.question.absent import Absence
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.spans import span

#: Writers whose evidence is text that a chat model may put in its own words.
WORDED = frozenset(
    (
        *("extractive", "quoted_figures", "local", "reasons", "lists"),
        *("comparison", "profile", "plans", "relations"),
    )
)
#: The writer that quotes whatever says most of a question, a figure or none.
_QUOTING = "extractive"
#: Passages whose sentences may say more surely what a draft does.
_PASSAGES = 20
_logger = logging.getLogger(__name__)
_NOT_HELD = "what the chat model wrote was not said: its evidence does not hold it"


class Drafting:
    """Drafts for one question; a chat model that failed is not asked again for it.

    Args:
        writers: by name.
        session: the chat model; None: there is none.
        absent: names of a question that the whole store does not know: no model is asked of those.
        judge: how sure the figures are that a question may mean.

    Attributes:
        broken: writers that broke, each with its reason.
    """

    def __init__(
        self,
        writers: Mapping[str, Writer],
        session: ChatSession | None,
        absent: Absence,
        judge: Judge,
    ) -> None:
        self._writers = writers
        self._session = session
        self._absent = absent
        self._judge = judge
        self._judged: list[Judged] | None = None
        self._failed: tuple[str, ...] = ()
        self.broken: list[dict[str, str]] = []

    def drafts(self, plan: Plan, asked: Asked, found: SearchResult) -> Iterator[Draft | None]:
        """Drafts by one way, the one to be tried first first: one in words with the sentence that
        most surely answers, where there is one, which the gate may not let pass.

        The offline one comes second where the model wrote one that did not hold, and alone where
        the model has nothing to write from or fails. Where the model says that its evidence does
        not answer, that stands.
        """
        offline = self._offline(plan, asked, found)
        if self._session is None or not self._worded(plan, asked, found, offline):
            yield from self._by_sentences(plan, asked, found, offline) if offline else [None]
            return
        if not self._failed:
            try:
                with span("writer", writer="chat"):
                    written = write(self._session, asked, found, offline)
            except FAILURES as error:
                self._failed = (
                    f"the answer is the offline one, the chat model gave none: {error}",
                )
            else:
                if written is not None:
                    yield written
                    if not written.citations:
                        return
                    self._failed = (_NOT_HELD,)
        yield replace(offline or Draft(), degraded=self._failed)

    def _offline(self, plan: Plan, asked: Asked, found: SearchResult) -> Draft | None:
        """What a plan's writer makes of evidence; nothing where it broke, tells a figure that is
        hardly the one asked for, or does not say who had the part that is asked for: the ways
        behind it may still answer. Quotes get the value that one of them says."""
        draft: Draft | None = None
        with self._telling(plan.writer), span("writer", writer=plan.writer):
            draft = self._writers[plan.writer](asked, found)
        if draft is None:
            return None
        with self._telling("closest"):
            return self._looked_at(asked, draft, plan.writer)
        return draft  # the look broke: the draft stands as it is

    def _by_sentences(
        self, plan: Plan, asked: Asked, found: SearchResult, draft: Draft
    ) -> list[Draft | None]:
        """A draft in words behind the same with the sentence that most surely answers; None in the
        place of one that hardly does, where nothing else is likelier."""
        if plan.writer in TOLD_BY and is_told_in_words(draft):
            with self._telling("likeliest"):
                # writers that look things up themselves were given no passages
                few = found.results[:_PASSAGES]
                reading = Reading(asked, few) if few else self._judge.read(asked)
                likely = judged(likely_sentences(reading))
                if surer := with_surest(reading, likely, draft):
                    return [surer, draft]
                if is_unlikely(likely, draft):
                    return [None]
        return [draft]

    @contextmanager
    def _telling(self, step: str) -> Generator[None]:
        """A step that may break, which is told and costs what it would have done alone."""
        try:
            yield
        except SETTINGS:
            raise
        except Exception as error:
            _logger.warning("the writer %s broke", step, exc_info=error)
            self.broken.append({"lane": step, "reason": reason_of(error)})

    def _looked_at(self, asked: Asked, draft: Draft, writer: str) -> Draft | None:
        """A draft that tells what is asked for, as far as it can be seen; None of another one."""
        if lacks_role(asked.question, draft):
            return None
        if draft.way != WORKED_OUT and (
            tells_one_of_two(asked, draft) or leaves_related_open(asked, draft)
        ):
            return None
        # that one chose its figure for standing with what the question names
        if writer != "closest" and self._judge.attribution.is_of_another(asked, draft):
            return None
        if may_be_doubted(draft):
            return None if is_doubtful(draft, self._figures(asked)) else draft
        # who chose a mode or a lane is answered by that alone
        chosen = asked.options.mode != "auto" or asked.options.lane is not None
        if only_quotes(draft, asked.question) and not chosen:
            meant = self._judge(asked, any_name=True)
            valued = with_value(draft, meant)
            open_still = valued.value is None and writer == _QUOTING
            return None if open_still and hardly_quotes(draft, meant) else valued
        return draft

    def _figures(self, asked: Asked) -> list[Judged]:
        """What a question may mean, looked for once, however many drafts it has."""
        if self._judged is None:
            self._judged = self._judge(asked)
        return self._judged

    def _worded(self, plan: Plan, asked: Asked, found: SearchResult, offline: Draft | None) -> bool:
        """Whether a model writes: there is an answer to word, or this is the last way."""
        if plan.writer not in WORDED or (offline and (_says_why_not(offline) or offline.lacking)):
            return False
        if offline and offline.citations and not offline.near:
            return True
        return plan.fallback is None and bool(found.results) and not self._absent(asked)


def _says_why_not(draft: Draft) -> bool:
    """Whether a draft is no answer for reasons that hold whoever writes; what quotes the nearest
    lines found no better ones."""
    return bool(draft.status) and not draft.near
