"""Weekly builds: communities with their reports and members, chains, and what a week changed.

Which build answers a question is `query.evidence.builds`. What a report rests on and readers no
longer see is left out of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from finrag_pipeline.errors import NotFound
from finrag_pipeline.query.browsing import weekly_reports
from finrag_pipeline.query.browsing.graph import Edge, Node, edge_of
from finrag_pipeline.query.browsing.quotes import Quote, read_quotes
from finrag_pipeline.query.browsing.viewpoint import MOST, Paged, Viewpoint, paged, part_of
from finrag_pipeline.query.browsing.weekly_reports import cited_passage, find_build
from finrag_pipeline.records.communities import Build, EventKind, Json
from finrag_pipeline.stages.chains.changes import is_changed
from finrag_pipeline.stages.chains.index import ListedCommunity
from finrag_pipeline.store.graph import graph_search
from finrag_pipeline.store.weeks import community_builds, community_summaries, leiden_communities
from finrag_pipeline.store.weeks.chain_reports import StoredReport
from finrag_pipeline.store.weeks.community_builds import StoredBuild


@dataclass(frozen=True, slots=True)
class WeeklyBuild:
    """A published build.

    Attributes:
        week: the Sunday that opens it; it holds what was published by `published_by`.
        started_from: the build whose communities it carries over.
        degraded: what is there, but less well than the settings ask for.
    """

    build_id: str
    week: date
    published_by: date
    published_at: datetime | None
    started_from: str | None
    communities: int
    levels: int
    degraded: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CommunityLine:
    """A community in a list; level 0 is the coarsest.

    Attributes:
        rating: 0 to 10, how much it matters; None where it has no report, for `no_report`.
    """

    community_id: str
    level: int
    parent_id: str | None
    entities: int
    title: str | None
    summary: str | None
    rating: float | None
    no_report: str | None


@dataclass(frozen=True, slots=True)
class ReportedFinding:
    """One thing that a report says, and the words that it rests on."""

    summary: str
    explanation: str
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class WholeCommunity:
    """A community of a week with its report and its members.

    Attributes:
        members: with `edges` among them, those with the most neighbours, 200 at most.
        parts: communities of the next finer level inside it.
    """

    build: WeeklyBuild
    community: CommunityLine
    rating_reason: str | None
    findings: tuple[ReportedFinding, ...]
    members: tuple[Node, ...]
    edges: tuple[Edge, ...]
    parts: tuple[CommunityLine, ...]


@dataclass(frozen=True, slots=True)
class CommunityChange:
    """What became of a community since the build before.

    Attributes:
        event: born, grew, shrank, split, merged or died.
        title: of its report in this week, else in the week before.
        others: split: what it became besides itself; merged: what it took up; died: where its
            entities went; born: where they came from.
    """

    community_id: str
    event: EventKind
    level: int
    title: str | None
    others: tuple[str, ...]
    entities_before: int
    entities_after: int


@dataclass(frozen=True, slots=True)
class ChainLine:
    """A report on a chain (`industry_chain`) or on linked sectors (`sector_links`)."""

    chain_id: str
    kind: str
    title: str
    entities: int
    links: int
    changed: bool


@dataclass(frozen=True, slots=True)
class CitedQuote:
    """What a chain's report cites, by its number there."""

    n: int
    quote: Quote


@dataclass(frozen=True, slots=True)
class WholeChain:
    """A report on a chain or on linked sectors.

    Attributes:
        content: what it was drawn from: nodes with their stages, links with their passages.
        changes: nodes and links that are new, gone or otherwise since last week's.
    """

    build: WeeklyBuild
    chain: ChainLine
    content: Json
    changes: Json
    citations: tuple[CitedQuote, ...]
    markdown: str


@dataclass(frozen=True, slots=True)
class WeekChanges:
    """What a week changed: communities, and the chains that are otherwise than the week before."""

    build: WeeklyBuild
    since: date | None
    communities: tuple[CommunityChange, ...]
    chains: tuple[ChainLine, ...]


def list_builds(view: Viewpoint, *, limit: int = 50, offset: int = 0) -> Paged[WeeklyBuild]:
    """The published builds, the last week's first.

    Raises:
        InvalidQuestion: `limit` or `offset` is out of range.
    """
    held = [each for each in community_builds.builds(view.connection, view.app_id)]
    part = part_of([each for each in held if each.published_at], limit, offset)
    told = [_build(view, each) for each in part.items]
    return paged(told, part.total, limit, offset)


def list_communities(
    view: Viewpoint,
    *,
    week: date | None = None,
    level: int | None = None,
    limit: int = 50,
    offset: int = 0,
) -> Paged[CommunityLine]:
    """Communities of a build of two entities or more, level by level, the best rated first.

    Args:
        week: any day of it; None: the last that is over by the day of the view.

    Raises:
        InvalidQuestion: `limit` or `offset` is out of range.
        NotFound: the week has no published build.
    """
    build = find_build(view.connection, view.app_id, week, view.as_of)
    parents = _parents(view, build)
    listed = [
        _line(each, parents)
        for each in weekly_reports.communities(view.connection, build)
        if each.entity_count > 1 and level in (None, each.level)
    ]
    return part_of(listed, limit, offset)


def community(view: Viewpoint, community_id: str, *, week: date | None = None) -> WholeCommunity:
    """A community with its report, its members and its parts.

    Raises:
        NotFound: the week has no published build, or no such community.
    """
    build = find_build(view.connection, view.app_id, week, view.as_of)
    parents = _parents(view, build)
    listed = {
        each.community_id: each for each in weekly_reports.communities(view.connection, build)
    }
    if community_id not in listed:
        raise NotFound(f"the build of {build.week} has no community {community_id!r}")
    found = listed[community_id]
    findings = found.report.findings if found.report else ()
    quotes = read_quotes(view, (each for finding in findings for each in finding.evidence))
    ids = leiden_communities.members(view.connection, build.build_id, community_id)
    members = _members(view, build, ids)
    return WholeCommunity(
        _build(view, _stored(view, build)),
        _line(found, parents),
        found.report.rating_reason if found.report else None,
        tuple(
            ReportedFinding(
                each.summary,
                each.explanation,
                tuple(quotes[passage] for passage in each.evidence if passage in quotes),
            )
            for each in findings
        ),
        members,
        _edges(view, build, [each.entity_id for each in members]),
        tuple(
            _line(each, parents)
            for each in listed.values()
            if parents[each.community_id] == community_id
        ),
    )


def week_changes(view: Viewpoint, *, week: date | None = None) -> WeekChanges:
    """What became of communities and chains since the build that a week's started from.

    Raises:
        NotFound: the week has no published build.
    """
    build = find_build(view.connection, view.app_id, week, view.as_of)
    before = community_builds.find(view.connection, build.started_from or "")
    titles: dict[str, str] = {}
    for each in (before.build if before else None, build):
        if each is not None:
            listed = weekly_reports.communities(view.connection, each)
            titles |= {one.community_id: one.report.title for one in listed if one.report}
    events = leiden_communities.events(view.connection, build.build_id)
    drawn, _ = weekly_reports.chains(view.connection, build)
    return WeekChanges(
        _build(view, _stored(view, build)),
        before.build.week if before else None,
        tuple(
            CommunityChange(
                each.community_id,
                each.event,
                each.level,
                titles.get(each.community_id),
                each.others,
                each.entities_before,
                each.entities_after,
            )
            for each in events
        ),
        tuple(line for each in drawn if (line := _chain(each)).changed),
    )


def list_chains(view: Viewpoint, *, week: date | None = None) -> tuple[ChainLine, ...]:
    """Reports of a build on chains and on linked sectors.

    Raises:
        NotFound: the week has no published build.
    """
    build = find_build(view.connection, view.app_id, week, view.as_of)
    drawn, _ = weekly_reports.chains(view.connection, build)
    return tuple(_chain(each) for each in drawn)


def chain(view: Viewpoint, chain_id: str, *, week: date | None = None) -> WholeChain:
    """One report on a chain or on linked sectors, with what it cites.

    Raises:
        NotFound: the week has no published build, or no such chain, or what the report rests on
            was withdrawn.
    """
    build = find_build(view.connection, view.app_id, week, view.as_of)
    drawn, left_out = weekly_reports.chains(view.connection, build)
    if lost := next((line for line in left_out if f"({chain_id})" in line), None):
        raise NotFound(lost)
    for each in drawn:
        if each.chain_id == chain_id:
            cited = {row["n"]: cited_passage(row) for row in each.citations}
            quotes = read_quotes(view, cited.values())
            return WholeChain(
                _build(view, _stored(view, build)),
                _chain(each),
                each.content,
                each.changes,
                tuple(CitedQuote(n, quotes[one]) for n, one in cited.items() if one in quotes),
                each.markdown,
            )
    raise NotFound(f"the build of {build.week} has no chain {chain_id!r}")


def _build(view: Viewpoint, stored: StoredBuild) -> WeeklyBuild:
    build = stored.build
    counts = community_builds.community_counts(view.connection, build.build_id)
    return WeeklyBuild(
        build.build_id,
        build.week,
        build.published_by,
        stored.published_at,
        build.started_from,
        counts.communities,
        counts.levels,
        build.degraded,
    )


def _stored(view: Viewpoint, build: Build) -> StoredBuild:
    stored = community_builds.find(view.connection, build.build_id)
    assert stored is not None  # it was found in this transaction
    return stored


def _parents(view: Viewpoint, build: Build) -> dict[str, str | None]:
    rows = community_summaries.communities(view.connection, build.build_id)
    return {row.community_id: row.parent_id for row in rows}


def _line(each: ListedCommunity, parents: Mapping[str, str | None]) -> CommunityLine:
    report = each.report
    return CommunityLine(
        each.community_id,
        each.level,
        parents[each.community_id],
        each.entity_count,
        report.title if report else None,
        report.summary if report else None,
        report.rating if report else None,
        each.no_report,
    )


def _members(view: Viewpoint, build: Build, entity_ids: Sequence[str]) -> tuple[Node, ...]:
    """Some entities as they were by the day of a build, those with the most neighbours first."""
    day = build.published_by
    rows = graph_search.describe(view.connection, view.app_id, entity_ids, day)
    nodes = [
        Node(key, row["name"], row["type"], tuple(row["codes"]), row["degree"], 0)
        for key, row in rows.items()
    ]
    return tuple(sorted(nodes, key=lambda each: (-each.degree, each.entity_id))[:MOST])


def _edges(view: Viewpoint, build: Build, entity_ids: Sequence[str]) -> tuple[Edge, ...]:
    held = graph_search.edges_among(
        view.connection, view.app_id, entity_ids, build.published_by, MOST
    )
    return tuple(edge_of(*key, weight) for key, weight in held)


def _chain(stored: StoredReport) -> ChainLine:
    content = stored.content
    sizes = (len(content["nodes"]), len(content["links"]))
    return ChainLine(stored.chain_id, stored.kind, stored.title, *sizes, is_changed(stored.changes))
