"""The ids of reports: a chain keeps its own from week to week, a sector has its community's."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from finrag_pipeline.records.communities import Build, Community
from finrag_pipeline.stages.communities.hierarchy import read_hierarchy
from finrag_pipeline.stages.communities.matching import match


def chain_ids(
    build: Build, chains: Sequence[AbstractSet[str]], before: Mapping[str, AbstractSet[str]]
) -> list[str]:
    """The id of each chain: that of last week's that it goes on, as communities do, else a new one.

    Args:
        chains: entities of each; an entity is in one chain only.
        before: entities of last week's chains by their ids.
    """
    kept: dict[str, str] = {}
    if chains and before:
        everything = sorted({each for chain in (*chains, *before.values()) for each in chain})
        names = [str(place) for place in range(len(chains))]
        then, ids_before = read_hierarchy(_flat(before), everything)
        now, ids_now = read_hierarchy(_flat(dict(zip(names, chains, strict=True))), everything)
        found = match(then, now).before.tolist()
        kept = {name: ids_before[old] for name, old in zip(ids_now, found, strict=True) if old >= 0}
    return [kept.get(str(place)) or _born(build, chain) for place, chain in enumerate(chains)]


def _flat(chains: Mapping[str, AbstractSet[str]]) -> list[Community]:
    """Chains as communities of one level."""
    return [
        Community(name, 0, None, tuple(sorted(each)), len(each), 0, n, n)
        for n, (name, each) in enumerate(chains.items())
    ]


def sector_report_id(community_id: str) -> str:
    """The id of the report on a community of level 0.

    >>> sector_report_id("c0123")
    's0123'
    """
    return "s" + community_id.removeprefix("c")


def _born(build: Build, entities: AbstractSet[str]) -> str:
    born = "\n".join([build.app_id, build.week.isoformat(), *sorted(entities)])
    return "i" + hashlib.sha256(born.encode()).hexdigest()[:20]
