"""Writes the reports of a week's communities, the finest first, anew where their source changed.

Partitions come from `leiden_communities`; readers see a build once `chain_reports` publishes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any

from finrag_pipeline.errors import ConfigurationError, TransientError
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.pipelines.weeks.community_sources import SourceReader
from finrag_pipeline.pipelines.weeks.community_writers import (
    ASSET,
    Writer,
    load_writer,
    room_for_source,
)
from finrag_pipeline.pipelines.weeks.element_summaries import sum_up
from finrag_pipeline.records.communities import Build, CommunityReport
from finrag_pipeline.stages.reports.limits import ReportLimits
from finrag_pipeline.stages.reports.source import Source, report_id
from finrag_pipeline.store.database.connections import Connection
from finrag_pipeline.store.graph import entity_graph
from finrag_pipeline.store.weeks import community_builds, community_summaries
from finrag_pipeline.store.weeks.community_summaries import CommunityRow, NewReport

ALONE = "one entity alone"
SILENT = "nothing is stated of its entities"
#: Reads of a batch whose evidence is withdrawn while it is written, before the run gives up.
_TRIES = 5


@dataclass(frozen=True, slots=True)
class Summarised:
    """What became of a build's communities, counted as in `CommunityCounts`.

    `written` reports are new, `reused` ones were there; `without` counts communities that have
    none, `degraded` says which of these should have one. Entities alone never have any.
    """

    build_id: str
    communities: int
    written: int
    reused: int
    without: int
    degraded: tuple[str, ...] = ()


def summarise_week(run: Run, week: date, limits: ReportLimits | None = None) -> Summarised:
    """Give every community of a week's build its report, or the reason why it has none.

    Every batch is committed; after a crash the next call goes on, and the rows are the same.

    Raises:
        ConfigurationError: the week was not clustered, or the chat model is configured wrongly.
        TransientError: the build was replaced meanwhile.
        ModelUnavailable, BudgetExhausted: the chat model writes no more for now.
        StoreUnavailable, StorageFull: the store gave up; reports written until then stay.
    """
    limits = limits or ReportLimits()
    with run.database.connection() as connection:
        stored = community_builds.of_week(connection, run.scope.app_id, week)
        if stored is None:
            raise ConfigurationError(
                f"the week of {week} has no communities: materialise leiden_communities for the "
                f"week first, or run `finrag rebuild --week {week}`"
            )
        rows = community_summaries.communities(connection, stored.build.build_id)
    build, writer = stored.build, load_writer(run, limits)
    summed_up = sum_up(run, build, writer, limits)
    work = _Work(run, build, writer, limits, rows)
    done = 0
    for _, level in groupby(rows, key=lambda row: row.level):
        communities = list(level)
        for start in range(0, len(communities), limits.batch):
            run.progress(ASSET, done, len(rows))
            batch = communities[start : start + limits.batch]
            work.write(batch)
            done += len(batch)
    run.progress(ASSET, done, len(rows))
    degraded = summed_up.degraded
    if work.failed:
        degraded += (
            f"{writer.name} wrote no report on {len(work.failed)} of {len(rows)} communities: "
            f"{work.failed[0]}",
        )
    with run.database.transaction() as connection:
        community_builds.hold(connection, build)
        community_builds.set_summarised(connection, build.build_id, degraded)
    communities = sum(row.entity_count > 1 for row in rows)
    return Summarised(
        build.build_id, communities, work.written, work.reused, work.without, degraded
    )


class _Work:
    """The reports of one build, level by level: parents are written from what is known of children.

    Attributes:
        failed: why communities have no report that should have one.
    """

    def __init__(
        self,
        run: Run,
        build: Build,
        writer: Writer,
        limits: ReportLimits,
        rows: Sequence[CommunityRow],
    ) -> None:
        self._database = run.database
        self._build, self._writer = build, writer
        self._sources = SourceReader(build, rows, room_for_source(limits))
        self.written = self.reused = self.without = 0
        self.failed: list[str] = []

    def write(self, batch: Sequence[CommunityRow]) -> None:
        """Read, write and commit some communities of one level."""
        pending = list(batch)
        for _ in range(_TRIES):
            # what was withdrawn while it was written of is read again
            pending = self._try(pending)
            if not pending:
                return
        raise TransientError(
            "documents are withdrawn faster than reports on them are written: run it again later"
        )

    def _try(self, batch: Sequence[CommunityRow]) -> list[CommunityRow]:
        with self._database.transaction() as connection:
            connection.execute("set transaction isolation level repeatable read")
            sources = self._sources.read(connection, batch)
            ids = {
                each: report_id(self._build.app_id, source.sha256, self._writer.edition)
                for each, source in sources.items()
                if not source.silent
            }
            there = community_summaries.reports(connection, ids.values())
        wanted = {report: each for each, report in sorted(ids.items()) if report not in there}
        asked = sorted(wanted.values())
        answers = self._writer.reports([sources[each] for each in asked])
        new = {ids[each]: answer for each, answer in zip(asked, answers, strict=True)}
        again: list[CommunityRow] = []
        with self._database.transaction() as connection:
            # until the commit nothing is withdrawn, and no other week removes unused reports
            entity_graph.lock(connection, self._build.app_id)
            community_builds.hold(connection, self._build)
            for row in batch:
                each = row.community_id
                source, report = sources.get(each), ids.get(each, "")
                answer = new.get(report) or there.get(report)
                if isinstance(answer, CommunityReport):
                    passages = [one for each in answer.findings for one in each.evidence]
                    if community_summaries.lost(connection, passages):
                        again.append(row)
                        continue
                    assert source is not None
                    self._add(connection, source, report, answer)
                    if wanted.get(report) == each:
                        self.written += 1
                    else:
                        self.reused += 1
                    self._sources.report_ids[each] = report
                    self._point(connection, each, report, None)
                    continue
                reason = answer.reason if answer else SILENT if source else ALONE
                if answer and answer.failed:
                    self.failed.append(f"{each}: {reason}")
                self.without += row.entity_count > 1
                self._point(connection, each, None, reason)
        return again

    def _add(
        self,
        connection: Connection[dict[str, Any]],
        source: Source,
        report: str,
        answer: CommunityReport,
    ) -> None:
        new = NewReport(
            report,
            answer,
            source.packed.child_report_ids,
            self._writer.name,
            source.sha256,
            source.tokens,
        )
        community_summaries.add_report(connection, self._build.app_id, new)

    def _point(
        self,
        connection: Connection[dict[str, Any]],
        community: str,
        report: str | None,
        reason: str | None,
    ) -> None:
        community_summaries.set_report(
            connection, self._build.build_id, community, report_id=report, no_report=reason
        )
