"""The descent: which reports of a build a question that asks for the whole is answered from.

Those of one level, or by going down from the coarsest level into what is relevant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from finrag_pipeline.models.embedding import VectorSpace
from finrag_pipeline.query.evidence import builds
from finrag_pipeline.query.evidence.keys import LaneHit
from finrag_pipeline.query.evidence.report import report_key
from finrag_pipeline.query.evidence.reports import (
    CHAIN,
    COMMUNITY,
    Report,
    read_reports,
)
from finrag_pipeline.query.lanes.community import CommunityLane
from finrag_pipeline.query.lanes.registry import Found
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.relevance import MIN_COVERED, Relevance
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search.keyword_index import KeywordIndex
from finrag_pipeline.store.weeks import community_search

#: Reports that are rated a level: reading and cutting into words takes a millisecond each.
MOST_RATED = 200
#: Relevant reports that are read: as many as fill a dozen batches.
MOST_REPORTS = 100
#: Reports that the community lane finds, whose communities are looked into besides.
_LEADS = 50
#: Chains that may be points of an answer, those that the lane found first.
_CHAINS = 20
#: Nearness that stands for words: a question in another language shares none with the reports. The
#: offline embedder, which knows no translation, gives unrelated texts at most half of that.
NEAR = 0.5


@dataclass(frozen=True, slots=True)
class Rated:
    """A report and how relevant it is: the share of words that it covers plus its nearness."""

    report: Report
    relevance: float


class DescentLane:
    """Reports that a question for the whole is answered from, then chains of the build."""

    def __init__(self, reader: Reader, index: KeywordIndex) -> None:
        self._reader = reader
        self._lane = CommunityLane(reader, index)

    def search(self, asked: Asked, depth: int) -> Found:
        """All of them, whatever `depth`: how many are read is bounded here."""
        if asked.build is None:
            return Found([], reason=builds.no_build(asked.where.as_of))
        build_id = asked.build.build.build_id
        level = asked.options.level
        leads = [str(hit.key.id[2]) for hit in self._lane.search(asked, _LEADS).hits]
        with asked.reading(self._reader) as (connection, space):
            if level is None:
                chosen = descend(connection, asked, space, build_id, leads)
                way = f"{len(chosen)} relevant reports by dynamic descent"
            else:
                chosen, there = of_level(connection, build_id, level)
                best = "" if len(chosen) == there else f" of {there}, the best rated,"
                way = f"{len(chosen)} reports{best} of level {level}"
            first = community_search.foremost_chains(connection, build_id, leads, _CHAINS)
        keys = [
            *(report_key(build_id, COMMUNITY, each.report_id) for each in chosen),
            *(report_key(build_id, CHAIN, chain_id) for chain_id in first),
        ]
        return Found([LaneHit(key, 1 / n) for n, key in enumerate(keys, 1)], way=way)


def of_level(connection: Connection[Row], build_id: str, level: int) -> tuple[list[Report], int]:
    """Up to `MOST_REPORTS` reports of a level, finished communities included, the best rated first.

    Returns:
        The reports, and how many there are in all.
    """
    found = read_reports(
        connection, build_id, community_search.at_level(connection, build_id, level)
    )
    ordered = sorted(found.items(), key=lambda each: (-(each[1].rating or 0), each[0]))
    return [report for _, report in ordered[:MOST_REPORTS]], len(found)


def descend(
    connection: Connection[Row],
    asked: Asked,
    space: VectorSpace,
    build_id: str,
    found: Iterable[str] = (),
) -> list[Report]:
    """Up to `MOST_REPORTS` relevant reports of all levels, the most relevant first.

    A question that is about nothing in particular gets the coarsest level. A community
    is entered where its report is relevant, where it has none, or where one of `found` stands
    inside it; where a report inside is at least as relevant, it takes the place of the one around
    it.

    Args:
        found: communities that a search named, best first.
    """
    relevance = Relevance(asked.question)
    entered = community_search.around(connection, build_id, found)
    kept: dict[str, Rated] = {}
    level = community_search.inside(connection, build_id)
    if not relevance.terms:
        coarsest = read_reports(connection, build_id, level).values()
        return sorted(coarsest, key=lambda each: (-(each.rating or 0), each.report_id))[
            :MOST_REPORTS
        ]
    while level:
        near = _nearness(connection, asked, space, build_id, level)
        # what a search leads to first, then what is near, then the rest
        looked = dict.fromkeys([*sorted(entered & set(level)), *near, *level])
        ids = list(looked)[:MOST_RATED]
        reports = read_reports(connection, build_id, ids)
        relevant = {
            key: rated
            for key, report in reports.items()
            if (rated := _rated(report, relevance, near.get(key, 0.0)))
        }
        replaced = {
            parent
            for each in relevant.values()
            if (parent := each.report.parent_id) in kept
            and each.relevance >= kept[parent].relevance
        }
        kept = {key: each for key, each in kept.items() if key not in replaced} | relevant
        without = set(ids) - set(reports)
        below = sorted({*relevant, *without, *(entered & set(level))})
        level = community_search.inside(connection, build_id, below)
    ordered = sorted(kept.items(), key=lambda each: (-each[1].relevance, each[0]))
    return [each.report for _, each in ordered[:MOST_REPORTS]]


def _nearness(
    connection: Connection[Row], asked: Asked, space: VectorSpace, build_id: str, ids: Sequence[str]
) -> Mapping[str, float]:
    """How near the nearest of some reports are, best first."""
    if not asked.vector.any():
        return {}
    nearest = community_search.nearest_communities(
        connection, asked.where.app_id, build_id, space, asked.vector, MOST_RATED, ids
    )
    return {report_id: space.nearness(cosine) for report_id, cosine in nearest}


def _rated(report: Report, relevance: Relevance, near: float) -> Rated | None:
    """How relevant a report is, None where it is not."""
    covered = relevance.covered(report.whole_text)
    return Rated(report, covered + near) if max(covered / MIN_COVERED, near / NEAR) >= 1 else None
