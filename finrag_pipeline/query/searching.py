"""Lanes to ranked evidence: run, fused, read back, looked into deeper where copies stand as one.

Which lanes run is a plan of `modes`; answering from what was found belongs to `asking`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from finrag_pipeline.query.asked import Asked
from finrag_pipeline.query.communities import builds
from finrag_pipeline.query.communities.lane import ReadReports, read_found
from finrag_pipeline.query.evidence import Key, read_evidence
from finrag_pipeline.query.fusion import fuse
from finrag_pipeline.query.lanes import LaneRun, elapsed_since_ms, run_lanes
from finrag_pipeline.query.modes import Plan
from finrag_pipeline.query.results import Result, SearchResult
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search.filters import REPORTS, Hit
from finrag_pipeline.store.weeks.community_builds import StoredBuild

# Lanes look deeper than what is asked for: an entry that both have in the middle beats one that
# only one has near its top.
_DEPTH = 50
#: How deep lanes look while copies leave less than what is asked for: `hnsw.ef_search` ends there.
_MAX_DEPTH = 1000


@dataclass(frozen=True, slots=True)
class _Read:
    """Results, and the passages that reports among them have lost."""

    results: tuple[Result, ...]
    lost: int = 0

    @property
    def reports(self) -> bool:
        return any(each.report for each in self.results)


class Searcher:
    """Runs plans over one database, for any number of threads."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def search(self, plan: Plan, asked: Asked, k: int) -> tuple[SearchResult, str]:
        """Up to `k` results by a plan, and which lanes they came from and why.

        Raises:
            VectorSpaceMismatch: the configured embedder did not make the stored vectors.
            FinragError: every lane failed.
        """
        start = time.perf_counter()
        where = asked.where
        stored = None
        if "community" in plan.lanes:
            with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
                stored = builds.serving(connection, where.app_id, where.as_of)
            plan = plan if stored else plan.without_reports()
        depth = max(_DEPTH, 2 * k)
        latency_ms: dict[str, float] = {}
        while True:
            run = run_lanes(plan.lanes, asked, depth)
            if plan.otherwise and not any(run.hits.values()):
                run = run.then(run_lanes(plan.otherwise, asked, depth))
            read_start = time.perf_counter()
            read = self._read(run, asked, k, plan, stored)
            run.latency_ms["evidence"] = elapsed_since_ms(read_start)
            for name, elapsed_ms in run.latency_ms.items():
                latency_ms[name] = round(latency_ms.get(name, 0.0) + elapsed_ms, 2)
            exhausted = all(len(hits) < depth for hits in run.hits.values())
            if len(read.results) == k or exhausted or depth >= _MAX_DEPTH:
                break
            # copies of a passage stand as one: what is behind them takes their places
            depth *= 2
        degraded = [*run.degraded]
        if plan.graph_asked:
            degraded += [{"lane": lane, "reason": reason} for lane, reason in run.reasons.items()]
        used = stored if read.reports else None
        warnings = self._shortcomings(asked, used, read.lost) if used else ()
        latency_ms["total"] = elapsed_since_ms(start)
        result = SearchResult(
            asked.question,
            read.results,
            latency_ms,
            tuple(degraded),
            warnings,
            graph_context=run.context,
            build=builds.named(used) if used else None,
        )
        return result, run.summary

    def _read(
        self, run: LaneRun, asked: Asked, k: int, plan: Plan, stored: StoredBuild | None
    ) -> _Read:
        """The first `k` entries that readers still see, with what stands behind them."""
        ranked = {name: [_key(hit) for hit in hits] for name, hits in run.hits.items()}
        fused = fuse(ranked, weights=plan.weights)
        keys = [entry.key for entry in fused if entry.key[0] in REPORTS]
        with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            if stored is None or not keys:
                return _Read(read_evidence(connection, fused, k))
            # reports without a passage that passes give their places to others
            found: ReadReports = read_found(connection, keys[: 2 * k], asked.where, stored)
            return _Read(read_evidence(connection, fused, k, found.results), found.lost)

    def _shortcomings(self, asked: Asked, stored: StoredBuild, lost: int) -> tuple[str, ...]:
        with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            told = builds.shortcomings(connection, stored, asked.where.as_of)
        return (*told, *filter(None, [builds.lost(lost, stored)]))


def _key(hit: Hit) -> Key:
    return (hit.kind, hit.document_id, hit.revision, hit.ordinal)
