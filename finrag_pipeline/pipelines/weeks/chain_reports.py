"""The last step of a week: reports on chains and sectors, vectors of all reports, publication.

What the reports say belongs to `stages.chains`, the steps before to `leiden_communities` and
`community_summaries`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.pipelines.documents.embeddings import ready_embedder
from finrag_pipeline.pipelines.graph.graph_texts import embed_graph
from finrag_pipeline.pipelines.run.retention import forget_old
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.records.communities import Build, Passage
from finrag_pipeline.records.graph import EdgeKey
from finrag_pipeline.stages.chains.changes import is_changed
from finrag_pipeline.stages.chains.graph import (
    Node,
    SourcedPassage,
    StatedLink,
    sentence_around,
    stated_links,
)
from finrag_pipeline.stages.chains.markdown import to_markdown, to_text
from finrag_pipeline.stages.chains.page import to_html
from finrag_pipeline.stages.chains.sectors import TOLD_RELATIONS
from finrag_pipeline.stages.chains.weekly import (
    INDUSTRY_CHAIN,
    ChainReport,
    WeekBefore,
    chain_reports,
    sector_reports,
)
from finrag_pipeline.stages.extraction.vocabulary import SYMMETRIC
from finrag_pipeline.stages.graph.edges import edge_key
from finrag_pipeline.stages.reports.chain import PEER_RELATIONS, PLACE_RELATIONS
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.weeks import chain_reports as store
from finrag_pipeline.store.weeks import community_builds, leiden_communities
from finrag_pipeline.store.weeks.community_builds import StoredBuild


@dataclass(frozen=True, slots=True)
class Reported:
    """What a week's reports came to.

    `changed` counts those that say something else than last week's, `embedded` texts that got a
    vector now; `published` is false where readers had been sent to this very build before.
    """

    build_id: str
    chains: int
    sectors: int
    changed: int
    embedded: int
    published: bool


def report_week(run: Run, week: date) -> Reported:
    """Write the reports on chains and sectors of a week and send readers to its build.

    A rerun writes the same rows; until the last statement readers see what they saw before.

    Args:
        week: the Sunday that opens it.

    Raises:
        ConfigurationError: an earlier step of the week is lacking.
        TransientError: the build was replaced meanwhile.
        VectorSpaceMismatch: as `ready_embedder`.
    """
    app_id = run.scope.app_id
    with run.database.transaction() as connection:
        # what is published meanwhile is for the next week
        connection.execute("set transaction isolation level repeatable read")
        stored = _summarised(community_builds.of_week(connection, app_id, week), week)
        run.progress("chain_reports", 0, 1)
        told = _reports(connection, stored.build)
    rows = [_row(report) for report in told]
    build = stored.build
    with run.database.transaction() as connection:
        community_builds.hold(connection, build)
        if store.reports(connection, build.build_id) != sorted(rows, key=_place):
            store.replace(connection, build.build_id, rows)
    embedder = ready_embedder(run)
    embedded = embed_graph(run.database, app_id, embedder, run.progress, build_id=build.build_id)
    with run.database.transaction() as connection:
        published = community_builds.hold(connection, build).published_at is None
        # a build that readers have already may have other reports now
        community_builds.publish(connection, build)
    forget_old(run)
    run.progress("chain_reports", 1, 1)
    chains = sum(report.kind == INDUSTRY_CHAIN for report in told)
    changed = sum(is_changed(report.changes) for report in told)
    return Reported(build.build_id, chains, len(told) - chains, changed, embedded, published)


def _summarised(stored: StoredBuild | None, week: date) -> StoredBuild:
    if stored is None:
        raise ConfigurationError(
            f"the week of {week} has no communities: materialise leiden_communities for it first, "
            f"or run `finrag rebuild --week {week}`"
        )
    if stored.summarised_at is None:
        raise ConfigurationError(
            f"communities of the week of {week} lack their reports: materialise "
            f"community_summaries for it first, or run `finrag rebuild --week {week}`"
        )
    return stored


def _reports(connection: Connection[Row], build: Build) -> list[ChainReport]:
    communities = leiden_communities.communities(connection, build.build_id)
    links = _links(connection, build)
    entities = {entity for each in communities for entity in each.entity_ids}
    entities |= {end for link in links for end in link.ends}
    rows = store.nodes_of_day(connection, build.app_id, entities, build.published_by)
    nodes = {
        row["entity_id"]: Node(row["entity_id"], row["name"], row["type"], tuple(row["codes"]))
        for row in rows
    }
    # what was withdrawn since the communities were made has no name any more
    links = [link for link in links if all(end in nodes for end in link.ends)]
    before = _week_before(connection, build)
    return [
        *chain_reports(build, links, nodes, communities, before),
        *sector_reports(build, links, nodes, communities, before),
    ]


def _links(connection: Connection[Row], build: Build) -> list[StatedLink]:
    """The stated links of the graph by the day of a build."""
    app_id, day = build.app_id, build.published_by
    relations = TOLD_RELATIONS | PEER_RELATIONS | PLACE_RELATIONS
    weights = store.links_of_day(connection, app_id, relations, day)
    said: dict[EdgeKey, list[SourcedPassage]] = defaultdict(list)
    for key, statement in _statements(connection, app_id, relations, day):
        said[key].append(statement)
    return stated_links(weights, said)


def _statements(
    connection: Connection[Row], app_id: str, relations: AbstractSet[str], day: date
) -> Iterator[tuple[EdgeKey, SourcedPassage]]:
    for each in store.statements_of_day(connection, app_id, relations, day):
        start, end = sentence_around(each.content, each.start, each.end)
        passage = Passage(
            each.document_id,
            each.chunk,
            start,
            end,
            each.page,
            each.content[start:end],
            each.published_on,
        )
        yield edge_key(*each.key, SYMMETRIC), SourcedPassage(passage, each.source)


def _week_before(connection: Connection[Row], build: Build) -> WeekBefore | None:
    """The build that this one started from, else the last one before it, if it has reports."""
    started = community_builds.find(connection, build.started_from) if build.started_from else None
    earlier = community_builds.before(connection, build.app_id, build.week)
    for stored in (started, earlier):
        if stored is None:
            continue
        reports = store.reports(connection, stored.build.build_id)
        if reports or stored.published_at:
            chains = {each.chain_id: each for each in reports if each.kind == INDUSTRY_CHAIN}
            return WeekBefore(
                stored.build,
                {chain_id: each.content for chain_id, each in chains.items()},
                {e.chain_id: e.content for e in reports if e.chain_id not in chains},
            )
    return None


def _row(report: ChainReport) -> store.StoredReport:
    document = report.document
    return store.StoredReport(
        report.chain_id,
        report.kind,
        document.title,
        report.content,
        report.changes,
        list(report.citations),
        to_text(document),
        to_markdown(document),
        to_html(document),
    )


def _place(row: store.StoredReport) -> tuple[str, str, str]:
    return row.kind, row.title, row.chain_id
