"""Global search: reports of a build, points of batches of them, one cited answer.

Which reports is `descent`, who writes points and answer `chat` or `offline`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from finrag_pipeline.models.chat import ChatSession
from finrag_pipeline.query.asked import Asked
from finrag_pipeline.query.communities import builds, chat, offline
from finrag_pipeline.query.communities.citations import (
    Citations,
    Standing,
    find_places,
    find_standing,
)
from finrag_pipeline.query.communities.descent import descend, of_level
from finrag_pipeline.query.communities.lane import CommunityLane
from finrag_pipeline.query.communities.map_reduce import Point, batches, best_points
from finrag_pipeline.query.communities.relevance import Relevance
from finrag_pipeline.query.communities.reports import (
    Report,
    read_chains,
    report_item,
    standing,
)
from finrag_pipeline.query.results import Evidence, Json, Result
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.weeks import community_search
from finrag_pipeline.store.weeks.community_builds import StoredBuild

#: Reports that the lane finds, whose communities are looked into besides.
_LEADS = 50
#: Chains that may be points of an answer, those that the lane found first.
_CHAINS = 20
#: Reports behind an answer that are told beside it.
_TOLD = 10


@dataclass(frozen=True, slots=True)
class GlobalAnswer:
    """An answer from a build; text and evidence are empty where it has none.

    Attributes:
        lacking: names of the question that no report has.
        results: what the evidence is cited from.
        way: how it came about.
        context: the reports behind its points, for orientation.
        degraded: why batches, or the model as a whole, did not answer.
    """

    stored: StoredBuild
    text: str = ""
    evidence: tuple[Evidence, ...] = ()
    results: tuple[Result, ...] = ()
    lacking: tuple[str, ...] = ()
    way: str = ""
    context: tuple[Json, ...] = ()
    degraded: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class GlobalSearch:
    """Answers from the reports of the build that a question goes to.

    Args:
        reader: of an open store.
        lane: finds what is looked into besides the coarsest communities.
        session: the chat model that writes; None: the offline way.
    """

    def __init__(self, reader: Reader, lane: CommunityLane, session: ChatSession | None) -> None:
        self._reader = reader
        self._lane = lane
        self._session = session

    def answer(self, asked: Asked, stored: StoredBuild, level: int | None = None) -> GlobalAnswer:
        """One answer of the reports of a build.

        Args:
            level: take all reports of this level; None: go down into what is relevant.

        Raises:
            VectorSpaceMismatch: the configured embedder did not make the stored vectors.
            ConfigurationError: the chat model is configured wrongly.
        """
        leads = [hit.revision for hit in self._lane.search(asked, _LEADS).hits]
        with asked.snapshot(self._reader) as (connection, space):
            build_id = stored.build.build_id
            if level is None:
                chosen = descend(connection, asked, space, build_id, leads)
                how = f"{len(chosen)} relevant reports by dynamic descent"
            else:
                chosen, there = of_level(connection, build_id, level)
                best = "" if len(chosen) == there else f" of {there}, the best rated,"
                how = f"{len(chosen)} reports{best} of level {level}"
            ordered = community_search.foremost_chains(connection, build_id, leads, _CHAINS)
            chains = read_chains(connection, build_id, ordered)
            reports = [*chosen, *(chains[key] for key in ordered)]
            held = find_standing(
                connection, (each for report in reports for each in report.passages), asked.where
            )
        shown = [left for each in reports if (left := standing(each, held.chunks))]
        warnings = tuple(filter(None, [builds.lost(held.lost, stored)]))
        if lacking := Relevance(asked.question).lacking(shown):
            return GlobalAnswer(stored, lacking=tuple(lacking), way=how, warnings=warnings)
        return self._written(asked, stored, shown, held, how, warnings)

    def _written(
        self,
        asked: Asked,
        stored: StoredBuild,
        reports: Sequence[Report],
        held: Standing,
        how: str,
        warnings: tuple[str, ...],
    ) -> GlobalAnswer:
        question, degraded = asked.question, ()
        if self._session is not None:
            found, failed = chat.ask_points(self._session, question, batches(reports, question))
            degraded = tuple(f"a batch of reports was not read: {each}" for each in failed)
            best = best_points(found)
            citations = self._citations(asked, held, best)
            try:
                text = ""
                if best:
                    text = chat.ask_answer(self._session, question, best, citations)
                if text or not failed:
                    way = f"{how}; {self._session.name} made {len(best)} points of them"
                    return _answer(stored, text, best, citations, way, degraded, warnings)
            except chat.FAILURES as error:
                degraded += (f"points were not put together: {error}",)
            degraded += ("the answer is the offline one: the chat model gave none",)
        best = best_points(offline.points(question, reports))
        citations = self._citations(asked, held, best)
        text = offline.write(question, best, citations)
        way = f"{how}; the findings that fit best, without a chat model"
        return _answer(stored, text, best, citations, way, degraded, warnings)

    def _citations(self, asked: Asked, held: Standing, best: Sequence[Point]) -> Citations:
        passages = (
            each for point in best for finding in point.findings for each in finding.evidence
        )
        with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            return Citations(find_places(connection, held, passages))


def _answer(
    stored: StoredBuild,
    text: str,
    best: Sequence[Point],
    citations: Citations,
    way: str,
    degraded: tuple[str, ...],
    warnings: tuple[str, ...],
) -> GlobalAnswer:
    evidence = tuple(citations.evidence) if text else ()
    behind = {each.report.report_id: each.report for each in best}
    told = list(behind.values())[:_TOLD] if text else []
    return GlobalAnswer(
        stored,
        text,
        evidence,
        tuple(citations.results),
        way=way,
        context=tuple(report_item(each) for each in told),
        degraded=degraded,
        warnings=warnings,
    )
