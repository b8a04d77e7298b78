"""Reports of weekly builds on supply chains and on linked sectors, with what they cite.

Communities and what a week changed are `communities`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from finrag_pipeline.errors import NotFound
from finrag_pipeline.query.browsing import weekly_reports
from finrag_pipeline.query.browsing.quotes import Quote, read_quotes
from finrag_pipeline.query.browsing.viewpoint import Viewpoint
from finrag_pipeline.query.browsing.weekly_reports import (
    WeeklyBuild,
    cited_passage,
    find_build,
    weekly_build,
)
from finrag_pipeline.records.communities import Json
from finrag_pipeline.stages.chains.changes import is_changed
from finrag_pipeline.store.weeks.chain_reports import StoredReport


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


def list_chains(view: Viewpoint, *, week: date | None = None) -> tuple[ChainLine, ...]:
    """Reports of a build on chains and on linked sectors.

    Raises:
        NotFound: the week has no published build.
    """
    build = find_build(view.connection, view.app_id, week, view.as_of)
    drawn, _ = weekly_reports.chains(view.connection, build)
    return tuple(_line(each) for each in drawn)


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
                weekly_build(view, build),
                _line(each),
                each.content,
                each.changes,
                tuple(CitedQuote(n, quotes[one]) for n, one in cited.items() if one in quotes),
                each.markdown,
            )
    raise NotFound(f"the build of {build.week} has no chain {chain_id!r}")


def _line(stored: StoredReport) -> ChainLine:
    content = stored.content
    sizes = (len(content["nodes"]), len(content["links"]))
    return ChainLine(stored.chain_id, stored.kind, stored.title, *sizes, is_changed(stored.changes))
