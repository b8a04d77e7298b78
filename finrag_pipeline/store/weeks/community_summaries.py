"""Reports on communities and what they are written from: functions over `community_summaries.sql`.

How they are written belongs to `stages.reports`, when and by whom to `pipelines`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, LiteralString

from psycopg import Connection
from psycopg.types.json import Jsonb

from finrag_pipeline.records.communities import Build, CommunityReport, Finding, Passage
from finrag_pipeline.records.graph import EdgeKey
from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("weeks/community_summaries")


@dataclass(frozen=True, slots=True)
class CommunityRow:
    """A community of a build and its report, or why there is none."""

    community_id: str
    level: int
    parent_id: str | None
    entity_count: int
    report_id: str | None
    no_report: str | None


@dataclass(frozen=True, slots=True)
class Members:
    """Entities of communities, one for one: the community, the entity, its sub-community."""

    community_ids: list[str]
    entity_ids: list[str]
    sub_ids: list[str | None]


@dataclass(frozen=True, slots=True)
class Inside:
    """The foremost entities or stated edges of a community with their degrees, of `total` in all.

    `rows` are (entity id, degree), or (edge, weight, degrees of both its ends).
    """

    rows: tuple[Any, ...] = ()
    total: int = 0


@dataclass(frozen=True, slots=True)
class Stated:
    """How much is stated inside a community, in how many documents of which days."""

    relations: int = 0
    claims: int = 0
    documents: int = 0
    first_on: date | None = None
    last_on: date | None = None


@dataclass(frozen=True, slots=True)
class NewReport:
    """A report to be stored, with what it was written from."""

    report_id: str
    report: CommunityReport
    child_report_ids: tuple[str, ...]
    written_by: str
    source_sha256: str
    source_tokens: int


def communities(connection: Connection[Row], build_id: str) -> list[CommunityRow]:
    """Every community of a build, the finest level first, then by id."""
    rows = connection.execute(Q.communities, {"build_id": build_id})
    return [CommunityRow(**row) for row in rows]


def members(connection: Connection[Row], build: Build, community_ids: Sequence[str]) -> Members:
    """The entities of some communities."""
    given = {"build_id": build.build_id, "community_ids": list(community_ids)}
    rows = connection.execute(Q.members, given).fetchall()
    return Members(
        [row["community_id"] for row in rows],
        [row["entity_id"] for row in rows],
        [row["sub_id"] for row in rows],
    )


def nodes(connection: Connection[Row], build: Build, of: Members, k: int) -> dict[str, Inside]:
    """The `k` entities of some communities with the most neighbours, those first."""
    found: dict[str, list[Row]] = {}
    for row in _inside(connection, build, Q.nodes, of, {"k": k}):
        found.setdefault(row["community_id"], []).append(row)
    return {
        each: Inside(tuple((row["entity_id"], row["degree"]) for row in rows), rows[0]["total"])
        for each, rows in found.items()
    }


def edges(
    connection: Connection[Row],
    build: Build,
    of: Members,
    k: int,
    *,
    across: bool = False,
    edge_types: Iterable[str] | None = None,
) -> dict[str, Inside]:
    """The `k` stated edges of some communities whose ends have the most neighbours, those first.

    Args:
        across: only edges from one sub-community to another.
        edge_types: only edges of these relations.
    """
    types = sorted(edge_types) if edge_types is not None else None
    given = {"k": k, "across": across, "edge_types": types, "subs": of.sub_ids}
    found: dict[str, list[Row]] = {}
    for row in _inside(connection, build, Q.edges, of, given):
        found.setdefault(row["community_id"], []).append(row)
    return {
        each: Inside(
            tuple(
                ((row["src"], row["edge_type"], row["dst"]), row["weight"], row["degree"])
                for row in rows
            ),
            rows[0]["total"],
        )
        for each, rows in found.items()
    }


def counts(connection: Connection[Row], build: Build, of: Members) -> dict[str, dict[str, int]]:
    """How many entities of each type some communities have."""
    found: dict[str, dict[str, int]] = {}
    for row in _inside(connection, build, Q.counts, of):
        found.setdefault(row["community_id"], {})[row["type"]] = row["entities"]
    return found


def stated(connection: Connection[Row], build: Build, of: Members) -> dict[str, Stated]:
    """How much is stated inside some communities; none for those where nothing is."""
    rows = _inside(connection, build, Q.stated, of)
    return {row.pop("community_id"): Stated(**row) for row in rows}


def statements(
    connection: Connection[Row],
    app_id: str,
    day: date,
    keys: Sequence[EdgeKey],
    symmetric: Iterable[str],
    k: int,
) -> dict[EdgeKey, list[Row]]:
    """The `k` newest statements that are asserted, by a day, behind some edges.

    Returns:
        Rows of kind, description, modality, period, place (document, chunk, page, start and end),
        quote, and the line of the chunk that it stands in with where that begins.
    """
    given = {
        "app_id": app_id,
        "day": day,
        "srcs": [src for src, _, _ in keys],
        "edge_types": [edge_type for _, edge_type, _ in keys],
        "dsts": [dst for _, _, dst in keys],
        "symmetric": sorted(symmetric),
        "k": k,
    }
    found: dict[EdgeKey, list[Row]] = {}
    for row in connection.execute(Q.statements, given, prepare=False).fetchall():
        found.setdefault(keys[row.pop("edge") - 1], []).append(row)
    return found


def claims(
    connection: Connection[Row], build: Build, entity_ids: Iterable[str], k: int
) -> dict[str, list[Row]]:
    """The `k` newest claims of each kind of some entities; rows as of `statements`."""
    return _said(connection, build, "claims", entity_ids, k)


def descriptions(
    connection: Connection[Row], build: Build, entity_ids: Iterable[str], k: int
) -> dict[str, list[Row]]:
    """The `k` newest mentions that say what some entities are; rows as of `statements`."""
    return _said(connection, build, "descriptions", entity_ids, k)


def lost(connection: Connection[Row], passages: Sequence[Passage]) -> set[Passage]:
    """Those of some passages that readers do not see (any more)."""
    given = {
        "document_ids": [each.document_id for each in passages],
        "chunks": [each.chunk for each in passages],
        "starts": [each.start for each in passages],
        "quotes": [each.quote for each in passages],
    }
    held = {row["passage"] - 1 for row in connection.execute(Q.held, given)}
    return {passage for at, passage in enumerate(passages) if at not in held}


def reports(connection: Connection[Row], report_ids: Iterable[str]) -> dict[str, CommunityReport]:
    """Those of some reports that there are, by id."""
    given = {"report_ids": sorted(set(report_ids))}
    return {
        row["report_id"]: CommunityReport(
            row["title"],
            row["summary"],
            row["rating"],
            row["rating_reason"],
            tuple(Finding.from_dict(each) for each in row["findings"]),
        )
        for row in connection.execute(Q.reports, given)
    }


def add_report(connection: Connection[Row], app_id: str, new: NewReport) -> None:
    """Store a report, unless it is there: its id tells its content."""
    report = new.report
    connection.execute(
        Q.add_report,
        {
            "report_id": new.report_id,
            "app_id": app_id,
            "title": report.title,
            "summary": report.summary,
            "rating": report.rating,
            "rating_reason": report.rating_reason,
            "findings": Jsonb([each.to_dict() for each in report.findings]),
            "child_report_ids": list(new.child_report_ids),
            "written_by": new.written_by,
            "source_sha256": new.source_sha256,
            "source_tokens": new.source_tokens,
        },
    )


def set_report(
    connection: Connection[Row],
    build_id: str,
    community_id: str,
    *,
    report_id: str | None = None,
    no_report: str | None = None,
) -> None:
    """Give a community of a build its report, or the reason why it has none."""
    given = {"report_id": report_id, "no_report": no_report}
    connection.execute(Q.set_report, given | {"build_id": build_id, "community_id": community_id})


def _inside(
    connection: Connection[Row],
    build: Build,
    block: LiteralString,
    of: Members,
    given: Row | None = None,
) -> list[Row]:
    """Rows on the members of communities, planned for as many as there are.

    A plan for any number takes them for ten: minutes instead of a second for 20,000.
    """
    whose = {"app_id": build.app_id, "day": build.published_by}
    whose |= {"communities": of.community_ids, "entities": of.entity_ids}
    return connection.execute(block, whose | (given or {}), prepare=False).fetchall()


def _said(
    connection: Connection[Row], build: Build, block: str, entity_ids: Iterable[str], k: int
) -> dict[str, list[Row]]:
    given: Row = {"app_id": build.app_id, "day": build.published_by, "k": k}
    given["entity_ids"] = sorted(set(entity_ids))
    rows = connection.execute(Q[block], given, prepare=False)
    found: dict[str, list[Row]] = {}
    for row in rows.fetchall():
        found.setdefault(row.pop("entity_id"), []).append(row)
    return found


def largest(connection: Connection[Row], build_id: str, k: int) -> list[Row]:
    """``level``, ``entity_count``, ``title``, ``rating`` of reports on the largest communities."""
    return connection.execute(Q.largest, {"build_id": build_id, "k": k}).fetchall()
