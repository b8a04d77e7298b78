"""Retrieval: lanes of a plan to ranked evidence, looked into deeper where copies stand as one.

Which lanes run is the plan's; what is said of the evidence the writers'.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from finrag_pipeline.query.evidence import builds
from finrag_pipeline.query.evidence.keys import Key
from finrag_pipeline.query.evidence.reading import (
    RankedItems,
    ReadEvidence,
    rank_by_factor,
    read_evidence,
    read_ranked,
)
from finrag_pipeline.query.evidence.reports import COMMUNITY
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.fusion import Fused, fuse
from finrag_pipeline.query.lanes.guarded import GuardedLane, Patience
from finrag_pipeline.query.lanes.registry import Lane, LaneEntry, Tools, entries
from finrag_pipeline.query.lanes.run import LaneRun, elapsed_since_ms, run_lanes
from finrag_pipeline.query.lanes.scoped import ScopedLane
from finrag_pipeline.query.plan import Plan
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.options import K
from finrag_pipeline.query.reranking.run import Reranking
from finrag_pipeline.query.weights import ANSWER_PAGE_PIECES, PAGE_PIECES, RRF_K
from finrag_pipeline.settings import Settings
from finrag_pipeline.spans import span
from finrag_pipeline.store.search.filters import CONTENT

log = logging.getLogger(__name__)

#: How deep lanes look while copies leave less than what is asked for: `hnsw.ef_search` ends there.
_MAX_DEPTH = 1000


class Retrieval:
    """Carries out the steps of plans over one store, for any number of threads.

    Args:
        tools: what lanes are made of.
        settings: `lane_depth`, `rrf_k`, `answered`, and how long lanes are waited for.
        reranking: judges what plans want judged.
    """

    def __init__(self, tools: Tools, settings: Settings, reranking: Reranking) -> None:
        self._reader = tools.reader
        self._lane_depth = settings.lane_depth
        self._answered = settings.answered
        self._slow_ms = settings.slow_ms
        self._rrf_k = RRF_K if settings.rrf_k is None else settings.rrf_k
        self._reranking = reranking
        patience = Patience(settings.lane_timeout_s, settings.lane_failures, settings.lane_pause_s)
        self._lanes = {
            name: GuardedLane(name, _made(entry, tools), patience)
            for name, entry in entries().items()
        }
        self._labels = {name: entry.label for name, entry in entries().items()}
        self._meant = {entry.label for entry in entries().values() if entry.needs}

    def search(self, plan: Plan, asked: Asked) -> SearchResult:
        """Ranked evidence by a plan, with what lanes say beside it, and what they cannot.

        Raises:
            VectorSpaceMismatch: the configured embedder did not make the stored vectors.
            NoLaneLeft: every lane failed.
        """
        start = time.perf_counter()
        k = plan.most or asked.options.k or (self._answered if plan.writer else K)
        depth = max(self._lane_depth, 2 * k)
        latency_ms: dict[str, float] = {}
        while True:
            run = self._run(plan, asked, depth)
            read = self._read(plan, asked, run, k)
            for name, elapsed_ms in run.latency_ms.items():
                latency_ms[name] = round(latency_ms.get(name, 0.0) + elapsed_ms, 2)
            exhausted = all(len(hits) < depth for hits in run.hits.values())
            if len(read.results) == k or exhausted or depth >= _MAX_DEPTH:
                break
            # copies of a passage stand as one: what is behind them takes their places
            depth *= 2
        degraded = [*run.degraded]
        if plan.meant:
            # other lanes may have nothing to say of a question: they are not what is meant
            degraded += [
                {"lane": lane, "reason": reason}
                for lane, reason in run.reasons.items()
                if lane in self._meant
            ]
        reported = any(each.kind == COMMUNITY for each in read.results)
        used = asked.build if reported or plan.names_build else None
        warnings = self._shortcomings(asked, read.lost) if used else ()
        # reports of communities are about no one document
        weighed = any(each.kind in CONTENT for each in read.results)
        reason = asked.scope.reason if weighed else ""
        warnings += self._slow(latency_ms)
        latency_ms["total"] = elapsed_since_ms(start)
        return SearchResult(
            asked.question,
            read.results,
            latency_ms,
            tuple(degraded),
            warnings,
            graph_context=run.context,
            build=builds.named(used) if used else None,
            way="; ".join(filter(None, [run.summary, reason])),
            scope=asked.scope.to_dict() if weighed else None,
            broken=tuple(run.degraded),
        )

    def _run(self, plan: Plan, asked: Asked, depth: int) -> LaneRun:
        """Step by step, until one finds something."""
        run = LaneRun()
        for step in plan.steps:
            lanes: Mapping[str, Lane] = {self._labels[name]: self._lanes[name] for name in step}
            run = run.then(run_lanes(lanes, asked, depth))
            if any(run.hits.values()):
                break
        return run.checked()

    def _read(self, plan: Plan, asked: Asked, run: LaneRun, k: int) -> ReadEvidence:
        """The first `k` pieces that readers still see, with what stands behind them."""
        ranked = {name: [hit.key for hit in hits] for name, hits in run.hits.items()}
        with span("fusion") as fusing:
            fused = _agreeing(fuse(ranked, self._rrf_k, plan.weights), asked)
        where = asked.where
        with span("evidence") as found_in, self._reader.reading(where.app_id, where.as_of) as seen:
            found = read_ranked(seen, fused, asked, 2 * k, plan.reports_share)
        if plan.reranked and asked.options.rerank:
            # it may ask a server, which no connection waits for
            found = self._reranked(asked, run, found)
        with span("evidence") as read_in, self._reader.reading(where.app_id, where.as_of) as seen:
            read = read_evidence(
                seen,
                found,
                k,
                complete=plan.complete,
                page_pieces=ANSWER_PAGE_PIECES if plan.writer else PAGE_PIECES,
                reports_share=plan.reports_share,
            )
        run.latency_ms["evidence"] = round(fusing.ms + found_in.ms + read_in.ms, 2)
        return read

    def _reranked(self, asked: Asked, run: LaneRun, found: RankedItems) -> RankedItems:
        with span("rerank") as step:
            ranked, degraded = self._reranking.rerank(asked, found, run.hits)
        run.latency_ms["rerank"] = step.ms
        run.degraded += degraded
        return replace(found, ranked=ranked)

    def _slow(self, latency_ms: Mapping[str, float]) -> tuple[str, ...]:
        """Steps that took longer than the settings allow, for people and for the log."""
        slow = {
            name: elapsed_ms
            for name, elapsed_ms in latency_ms.items()
            if self._slow_ms is not None and elapsed_ms > self._slow_ms
        }
        if not slow:
            return ()
        steps = ", ".join(f"{name} {elapsed_ms:.0f} ms" for name, elapsed_ms in slow.items())
        line = f"the search took longer than usual: {steps} (FINRAG_SLOW_MS={self._slow_ms:g})"
        log.warning(line)
        return (line,)

    def _shortcomings(self, asked: Asked, lost: int) -> tuple[str, ...]:
        """What is told of the weekly build that was used."""
        assert asked.build is not None  # it was used
        with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            told = builds.shortcomings(connection, asked.build, asked.where.as_of)
        return (*told, *filter(None, [builds.lost(lost, asked.build)]))


def _made(entry: LaneEntry, tools: Tools) -> Lane:
    lane = entry.make(tools)
    return ScopedLane(lane) if entry.scoped else lane


def _agreeing(fused: Sequence[Fused[Key]], asked: Asked) -> list[Fused[Key]]:
    """Entries weighed by how far their documents agree with whom and when the question means."""
    agreement = asked.scope.agreement
    return rank_by_factor(
        fused,
        {
            entry.key: agreement(str(entry.key.id[0])) if entry.key.kind in CONTENT else 1.0
            for entry in fused
        },
    )
