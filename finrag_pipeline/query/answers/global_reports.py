"""A global answer: the reports that a question led to, points of batches of them, cited as one.

Which reports those are, the descent decides; who writes is `global_chat` or `global_offline`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from finrag_pipeline.models.chat import ChatSession
from finrag_pipeline.query.answers import global_chat, global_offline
from finrag_pipeline.query.answers.citations import Citations
from finrag_pipeline.query.answers.map_reduce import Point, batches, best_points
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.evidence.keys import Key
from finrag_pipeline.query.evidence.passages import find_places
from finrag_pipeline.query.evidence.report import ReportItem
from finrag_pipeline.query.evidence.reports import report_item
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.relevance import Relevance
from finrag_pipeline.records.communities import Passage
from finrag_pipeline.store.database.reader import Reader

#: Reports behind an answer that are told beside it.
_TOLD = 10


class GlobalWriter:
    """Answers from the reports of the build that a question goes to.

    Args:
        reader: of the store, for the pages of what is cited.
        session: the chat model that writes; None: the offline way.
    """

    def __init__(self, reader: Reader, session: ChatSession | None) -> None:
        self._reader = reader
        self._session = session

    def __call__(self, asked: Asked, found: SearchResult) -> Draft:
        """One answer of the reports among what was found."""
        items = [each.item for each in found.results if isinstance(each.item, ReportItem)]
        reports = [each.report for each in items]
        held = {passage: key for each in items for passage, key in each.chunks.items()}
        if lacking := Relevance(asked.question).lacking(each.whole_text for each in reports):
            return Draft(lacking=tuple(lacking))
        question, degraded = asked.question, ()
        if self._session is not None:
            asking = global_chat.ask_points(self._session, question, batches(reports, question))
            found_points, failed = asking
            degraded = tuple(f"a batch of reports was not read: {each}" for each in failed)
            best = best_points(found_points)
            citations = self._citations(asked, held, best)
            try:
                text = ""
                if best:
                    text = global_chat.ask_answer(self._session, question, best, citations)
                if text or not failed:
                    way = f"{self._session.name} made {len(best)} points of them"
                    return _draft(text, best, citations, way, degraded)
            except global_chat.FAILURES as error:
                degraded += (f"points were not put together: {error}",)
            degraded += ("the answer is the offline one: the chat model gave none",)
        best = best_points(global_offline.points(question, reports))
        citations = self._citations(asked, held, best)
        text = global_offline.write(question, best, citations)
        way = "the findings that fit best, without a chat model"
        return _draft(text, best, citations, way, degraded)

    def _citations(
        self, asked: Asked, held: Mapping[Passage, Key], best: Sequence[Point]
    ) -> Citations:
        passages = (
            each for point in best for finding in point.findings for each in finding.evidence
        )
        with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            return Citations(find_places(connection, held, passages))


def _draft(
    text: str, best: Sequence[Point], citations: Citations, way: str, degraded: tuple[str, ...]
) -> Draft:
    behind = {each.report.report_id: each.report for each in best}
    told = list(behind.values())[:_TOLD] if text else []
    return Draft(
        text,
        tuple(citations.made) if text else (),
        citations.sources,
        way=way,
        context=tuple(report_item(each) for each in told),
        degraded=degraded,
    )
