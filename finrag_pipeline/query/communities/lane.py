"""The community lane: reports of a weekly build that share words with a question or are near to it.

How they answer a question that asks for the whole belongs to `global_search`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import Connection

from finrag_pipeline.query.asked import Asked
from finrag_pipeline.query.communities import builds
from finrag_pipeline.query.communities.citations import Standing, find_places, find_standing
from finrag_pipeline.query.communities.reports import (
    COMMUNITY,
    Report,
    read_chains,
    read_reports,
    standing,
)
from finrag_pipeline.query.evidence import Key
from finrag_pipeline.query.fusion import fuse
from finrag_pipeline.query.lanes import Found
from finrag_pipeline.query.results import ReportContent, Result
from finrag_pipeline.records import Space
from finrag_pipeline.records.communities import Passage
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search.filters import REPORTS, Filter, Hit
from finrag_pipeline.store.search.keyword_index import KeywordIndex
from finrag_pipeline.store.weeks import community_search
from finrag_pipeline.store.weeks.community_builds import StoredBuild

Row = dict[str, Any]

CHAIN = "chain"
#: Passages of one report that a search result shows, those of different findings first.
CITED = 12


class CommunityLane:
    """Reports of the build that a question goes to, by words and by vectors, fused by rank."""

    def __init__(self, reader: Reader, index: KeywordIndex) -> None:
        self._reader = reader
        self._index = index

    def search(self, asked: Asked, depth: int) -> Found:
        where = asked.where
        with asked.snapshot(self._reader) as (connection, space):
            stored = builds.serving(connection, where.app_id, where.as_of)
            if stored is None:
                return Found([], reason=builds.no_build(where.as_of))
            near = nearest(connection, asked, stored, space, depth)
        build_id = stored.build.build_id
        within = Filter(where.app_id, document_ids=(build_id,), kinds=REPORTS)
        worded = self._index.search(asked.question, depth, within)
        ranked = {"keyword": [(hit.kind, hit.revision) for hit in worded], "vector": near}
        hits = [Hit(entry.key[0], build_id, entry.key[1], 0, entry.score) for entry in fuse(ranked)]
        return Found(hits[:depth])


def nearest(
    connection: Connection[Row], asked: Asked, stored: StoredBuild, space: Space, k: int
) -> list[tuple[str, str]]:
    """Kind and id of the reports nearest to a question; none for one without words."""
    if not asked.vector.any():
        return []
    given = (connection, asked.where.app_id, stored.build.build_id, space, asked.vector, k)
    found = [
        *((score, COMMUNITY, key) for key, score in community_search.nearest_communities(*given)),
        *((score, CHAIN, key) for key, score in community_search.nearest_chains(*given)),
    ]
    found.sort(key=lambda each: (-each[0], each[1:]))
    return [(kind, key) for _, kind, key in found[:k]]


@dataclass(frozen=True, slots=True)
class ReadReports:
    """Reports that lanes found as results, and how many passages behind them are gone."""

    results: dict[Key, Result]
    lost: int


def read_found(
    connection: Connection[Row], keys: Sequence[Key], where: Filter, stored: StoredBuild
) -> ReadReports:
    """The reports behind some entries with the passages that pass; those without any left out."""
    build_id = stored.build.build_id
    ids = {kind: [key[2] for key in keys if key[0] == kind] for kind in REPORTS}
    found = {
        **{(COMMUNITY, key): each for key, each in
           read_reports(connection, build_id, ids[COMMUNITY]).items()},
        **{(CHAIN, key): each for key, each in
           read_chains(connection, build_id, ids[CHAIN]).items()},
    }  # fmt: skip
    passages = dict.fromkeys(each for report in found.values() for each in report.passages)
    held = find_standing(connection, passages, where)
    shown = {
        key: left
        for key in keys
        if (report := found.get((key[0], key[2]))) and (left := standing(report, held.chunks))
    }
    results = _results(connection, shown, held, stored)
    return ReadReports(results, held.lost)


def _results(
    connection: Connection[Row], shown: dict[Key, Report], held: Standing, stored: StoredBuild
) -> dict[Key, Result]:
    first = {key: _in_turn(report)[:CITED] for key, report in shown.items()}
    cited = find_places(connection, held, (each for few in first.values() for each in few))
    results: dict[Key, Result] = {}
    for key, report in shown.items():
        citations = [cited[each].evidence(0) for each in first[key] if each in cited]
        if not citations:
            continue
        results[key] = Result(
            rank=0,
            kind=COMMUNITY,
            document_id=key[1],
            revision=key[2],
            ordinal=0,
            source="",
            places=(),
            score=0.0,
            text=report.text,
            lanes={},
            title=report.title,
            report=ReportContent(
                kind=report.kind,
                report_id=report.report_id,
                level=report.level,
                title=report.title,
                rating=report.rating,
                build_id=stored.build.build_id,
                week=stored.build.week,
                citations=tuple(citations),
            ),
        )
    return results


def _in_turn(report: Report) -> list[Passage]:
    """The first passage of every finding, then the second of every finding."""
    ranked: Iterable[tuple[int, int, Passage]] = (
        (place, n, each)
        for n, finding in enumerate(report.findings)
        for place, each in enumerate(finding.evidence)
    )
    return list(dict.fromkeys(each for _, _, each in sorted(ranked, key=lambda one: one[:2])))
