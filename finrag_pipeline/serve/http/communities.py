"""`/v1/weeks`: weekly builds, their communities and chains, and what a week changed."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from finrag_pipeline.query.browsing import communities
from finrag_pipeline.query.browsing.communities import (
    ChainLine,
    CommunityLine,
    WeekChanges,
    WeeklyBuild,
    WholeChain,
    WholeCommunity,
)
from finrag_pipeline.query.browsing.viewpoint import Paged
from finrag_pipeline.serve.http.errors import ERRORS
from finrag_pipeline.serve.http.looking import Id, Limit, Looking, Offset, Week

router = APIRouter(tags=["communities"], responses=ERRORS)

_Level = Annotated[int | None, Query(ge=0, le=100, description="0 is the coarsest")]


@router.get("/v1/weeks")
def list_weeks(view: Looking, limit: Limit = 50, offset: Offset = 0) -> Paged[WeeklyBuild]:
    """Published weekly builds, the last week's first."""
    return communities.list_builds(view, limit=limit, offset=offset)


@router.get("/v1/weeks/changes")
def week_changes(view: Looking, week: Week = None) -> WeekChanges:
    """What became of communities and chains since the build before."""
    return communities.week_changes(view, week=week)


@router.get("/v1/communities")
def list_communities(
    view: Looking, week: Week = None, level: _Level = None, limit: Limit = 50, offset: Offset = 0
) -> Paged[CommunityLine]:
    """Communities of a week, level by level, the best rated first."""
    return communities.list_communities(view, week=week, level=level, limit=limit, offset=offset)


@router.get("/v1/communities/{community_id}")
def read_community(community_id: Id, view: Looking, week: Week = None) -> WholeCommunity:
    """A community with its report and its quotes, members, edges and parts."""
    return communities.community(view, community_id, week=week)


@router.get("/v1/chains")
def list_chains(view: Looking, week: Week = None) -> list[ChainLine]:
    """Reports of a week on chains and on linked sectors."""
    return list(communities.list_chains(view, week=week))


@router.get("/v1/chains/{chain_id}")
def read_chain(chain_id: Id, view: Looking, week: Week = None) -> WholeChain:
    """A report on a chain or on linked sectors, with what it cites and what changed."""
    return communities.chain(view, chain_id, week=week)
