"""Sums up entities and relations with many descriptions, before reports tell of them.

The same descriptions are summed up once: what an earlier build says of them is copied.
"""

from __future__ import annotations

from dataclasses import dataclass

from finrag_pipeline.models.chat import count_tokens
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.pipelines.weeks.community_elements import described
from finrag_pipeline.pipelines.weeks.community_writers import ASSET, Unwritten, Writer
from finrag_pipeline.records.communities import Build
from finrag_pipeline.records.graph import EdgeKey
from finrag_pipeline.stages.extraction.vocabulary import SYMMETRIC
from finrag_pipeline.stages.reports.element_summary import Described
from finrag_pipeline.stages.reports.limits import ReportLimits
from finrag_pipeline.store.weeks import community_builds, element_summaries
from finrag_pipeline.store.weeks.element_summaries import ElementSummary


@dataclass(frozen=True, slots=True)
class SummedUp:
    """How many summaries a build has, how many were written now, and what failed."""

    summaries: int
    written: int
    degraded: tuple[str, ...] = ()


def sum_up(run: Run, build: Build, writer: Writer, limits: ReportLimits) -> SummedUp:
    """Bring the summaries of a build's elements to what their descriptions say.

    Raises:
        ModelUnavailable, BudgetExhausted, ConfigurationError: the writer stopped; what it wrote
            until then stays.
    """
    database, app_id = run.database, build.app_id
    with database.transaction() as connection:
        connection.execute("set transaction isolation level repeatable read")
        found = element_summaries.described(connection, build, SYMMETRIC, 1)
        elements = {
            key: texts
            for key, texts in found.items()
            if len(texts) > limits.few or sum(map(count_tokens, texts)) > limits.summary_tokens
        }
        ends = {end for src, _, dst in elements for end in (src, dst) if end}
        names = {each: row["name"] for each, row in described(connection, build, ends).items()}
    told = {key: Described(_called(key, names), texts) for key, texts in elements.items()}
    source = {
        key: each.source_sha256(writer.name, limits.summary_tokens) for key, each in told.items()
    }
    with database.transaction() as connection:
        element_summaries.keep_only(connection, build.build_id, told)
    keys, written, failed = list(told), 0, list[str]()
    for start in range(0, len(keys), limits.batch):
        run.progress(ASSET, start, len(keys))
        batch = keys[start : start + limits.batch]
        with database.connection() as connection:
            known = element_summaries.known(connection, app_id, (source[key] for key in batch))
        new = [key for key in batch if source[key] not in known]
        texts = dict(known)
        for key, text in zip(new, writer.summaries([told[key] for key in new]), strict=True):
            if isinstance(text, Unwritten):
                failed.append(f"{told[key].name}: {text.reason}")
            else:
                texts[source[key]] = text
                written += 1
        rows = [
            ElementSummary(key, texts[source[key]], writer.name, source[key])
            for key in batch
            if source[key] in texts
        ]
        with database.transaction() as connection:
            community_builds.hold(connection, build)
            element_summaries.set_summaries(connection, build.build_id, rows)
    degraded: tuple[str, ...] = ()
    if failed:
        line = f"{len(failed)} entities or relations have no summary by {writer.name}: {failed[0]}"
        degraded = (line,)
    return SummedUp(len(keys) - len(failed), written, degraded)


def _called(key: EdgeKey, names: dict[str, str]) -> str:
    src, edge_type, dst = key
    if not edge_type:
        return names.get(src, src)
    return f"{names.get(src, src)} {edge_type.replace('_', ' ')} {names.get(dst, dst)}"
