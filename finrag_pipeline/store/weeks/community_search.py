"""What questions read of a weekly build: typed functions over `community_search.sql`.

Which build that is tells `community_builds`; what is asked for, and in which order, the query.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, LiteralString

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector
from psycopg import Connection

from finrag_pipeline.records import Space
from finrag_pipeline.records.communities import Finding, Passage
from finrag_pipeline.store.database.queries import load_queries
from finrag_pipeline.store.search import embeddings
from finrag_pipeline.store.search.filters import Filter

Row = dict[str, Any]
Q = load_queries("weeks/community_search")


@dataclass(frozen=True, slots=True)
class StoredReport:
    """The report on one community of a build."""

    community_id: str
    level: int
    parent_id: str | None
    entity_count: int
    title: str
    summary: str
    rating: float
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class StoredChain:
    """A report on a chain or on linked communities; `citations` by their numbers."""

    chain_id: str
    kind: str
    title: str
    text: str
    content: dict[str, Any]
    citations: dict[int, Passage]


@dataclass(frozen=True, slots=True)
class HeldPassage:
    """Where a passage stands now: in which chunk, and whether a filter lets it pass."""

    document_id: str
    revision: str
    ordinal: int
    passes: bool


def reports(
    connection: Connection[Row], build_id: str, community_ids: Iterable[str]
) -> dict[str, StoredReport]:
    """The reports on some communities by their ids; those without a report are left out."""
    given = {"build_id": build_id, "community_ids": sorted(set(community_ids))}
    found: dict[str, StoredReport] = {}
    for row in connection.execute(Q.reports, given):
        row["findings"] = tuple(map(Finding.from_dict, row["findings"]))
        found[row["community_id"]] = StoredReport(**row)
    return found


def at_level(connection: Connection[Row], build_id: str, level: int) -> list[str]:
    """Communities with a report at a level, 0 the coarsest; finished ones count below theirs."""
    rows = connection.execute(Q.at_level, {"build_id": build_id, "level": level})
    return [row["community_id"] for row in rows]


def inside(
    connection: Connection[Row], build_id: str, parent_ids: Iterable[str] | None = None
) -> list[str]:
    """Communities right inside some others; None: those that are inside none.

    Those without a report are left out, unless others are inside them.
    """
    parents = sorted(set(parent_ids)) if parent_ids is not None else None
    rows = connection.execute(Q.inside, {"build_id": build_id, "parent_ids": parents})
    return [row["community_id"] for row in rows]


def around(connection: Connection[Row], build_id: str, community_ids: Iterable[str]) -> set[str]:
    """Some communities and all those that they stand inside."""
    given = {"build_id": build_id, "community_ids": sorted(set(community_ids))}
    return {row["community_id"] for row in connection.execute(Q.around, given)}


def of_entities(connection: Connection[Row], build_id: str, entity_ids: Iterable[str]) -> list[str]:
    """Communities with a report that some entities are in: the finest first, then by how many."""
    given = {"build_id": build_id, "entity_ids": sorted(set(entity_ids))}
    return [row["community_id"] for row in connection.execute(Q.of_entities, given)]


def nearest_communities(
    connection: Connection[Row],
    app_id: str,
    build_id: str,
    space: Space,
    vector: NDArray[np.floating],
    k: int,
    among: Iterable[str] | None = None,
) -> list[tuple[str, float]]:
    """Communities whose reports are nearest to a vector by cosine, best first.

    Args:
        among: only these; None: all of the build.
    """
    ids = sorted(set(among)) if among is not None else None
    given = _near(app_id, build_id, space, vector, k) | {"ids": ids}
    return _scored(connection, Q.nearest_communities, given)


def nearest_chains(
    connection: Connection[Row],
    app_id: str,
    build_id: str,
    space: Space,
    vector: NDArray[np.floating],
    k: int,
) -> list[tuple[str, float]]:
    """Chains whose reports are nearest to a vector by cosine, best first."""
    return _scored(connection, Q.nearest_chains, _near(app_id, build_id, space, vector, k))


def chains(
    connection: Connection[Row], build_id: str, chain_ids: Iterable[str] | None = None
) -> dict[str, StoredChain]:
    """Reports on some or all chains of a build by their ids."""
    ids = sorted(set(chain_ids)) if chain_ids is not None else None
    found: dict[str, StoredChain] = {}
    for row in connection.execute(Q.chains, {"build_id": build_id, "chain_ids": ids}):
        row["citations"] = {each["n"]: _cited(each) for each in row["citations"]}
        found[row["chain_id"]] = StoredChain(**row)
    return found


def foremost_chains(
    connection: Connection[Row], build_id: str, leads: Sequence[str], k: int
) -> list[str]:
    """The first `k` chains of a build: those among `leads` in their order, then by their ids."""
    given = {"build_id": build_id, "leads": list(leads), "k": k}
    return [row["chain_id"] for row in connection.execute(Q.foremost_chains, given)]


def held(
    connection: Connection[Row], passages: Sequence[Passage], where: Filter
) -> dict[Passage, HeldPassage]:
    """Where passages stand in what readers of an app see now; those that are gone are left out.

    A passage of a document that was read again may stand in another chunk of it.

    Args:
        where: decides which of them pass; its `kinds` do not count.
    """
    wanted = [each for each in dict.fromkeys(passages) if each.quote.strip()]
    found: dict[Passage, HeldPassage] = {}
    for moved in (False, True):
        left = [each for each in wanted if each not in found]
        if not left:
            break
        given = _filter(where) | {
            "document_ids": [each.document_id for each in left],
            "chunks": [each.chunk for each in left],
            "starts": [each.start for each in left],
            "quotes": [each.quote.replace("\0", " ") for each in left],
            "moved": moved,
        }
        for row in connection.execute(Q.passages, given):
            passage = left[row["at"] - 1]
            found[passage] = HeldPassage(
                passage.document_id, row["revision"], row["ordinal"], row["passes"]
            )
    return found


def _near(app_id: str, build_id: str, space: Space, vector: NDArray[np.floating], k: int) -> Row:
    return {
        "app_id": app_id,
        "build_id": build_id,
        "space_id": embeddings.space_id(space),
        "vector": HalfVector(vector),
        "k": k,
    }


def _scored(
    connection: Connection[Row], block: LiteralString, given: Row
) -> list[tuple[str, float]]:
    # a plan kept for any build takes its reports for a few: 40 ms against 13 with 9,400 of them
    rows = connection.execute(block, given, prepare=False)
    return [(row["report"], float(row["score"])) for row in rows]


def _filter(where: Filter) -> Row:
    return {
        "app_id": where.app_id,
        "day": where.as_of or date.max,
        "company": where.company.casefold() if where.company else None,
        "allowed": list(where.document_ids) if where.document_ids is not None else None,
        "names": list(where.entity) if where.entity is not None else None,
    }


def _cited(value: Row) -> Passage:
    kept = {name: value[name] for name in Passage.__slots__}
    return Passage.from_dict(kept)
