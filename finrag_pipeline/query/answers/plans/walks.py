"""Relations walked one after the other: from whom a question names to the supplier of its customer.

What roles a question wants walked is `roles`, the words that state each relation `links`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from finrag_pipeline.query.answers.plans.links import names_of, stated
from finrag_pipeline.query.answers.plans.roles import Role, roles_in
from finrag_pipeline.query.answers.quotes import Quote
from finrag_pipeline.query.lanes.entities import GENERAL_TYPES, Seed, find_seeds
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.signals import cue
from finrag_pipeline.stages.identity.spelling import spelling
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.graph import graph_search

#: Steps of a plan at most, and whom each goes on from.
MOST_STEPS = 5
MOST_OF_A_STEP = 6
#: Relations over which effects pass: who trades with whom, who owns whom, what works on what.
_DEALS_WITH = Role(
    "relations",
    ("supplies", "upstream_of", "owns", "drives", "affects", "benefits_from", "harmed_by"),
    "both",
    "",
)
#: What follows a name in English that is only the beginning of another.
_GOES_ON = re.compile(r" [A-Z][a-z]")
#: Neighbours of a role that are looked at.
_NEAR = 20


@dataclass(frozen=True, slots=True)
class Link:
    """A relation that was followed: whose, to whom, and the words that state it.

    `way` are the words behind all relations from the start of the walk to it, its own last; `type`
    is that of whom it leads to.
    """

    of: str
    to: str
    type: str
    way: tuple[Quote, ...]

    @property
    def said(self) -> Quote:
        return self.way[-1]


@dataclass(frozen=True, slots=True)
class Step:
    """One role followed from all that the step before reached."""

    role: Role
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Walk:
    """What a question wants walked, and how far documents lead.

    Attributes:
        start: whom it names.
        roles: what it wants.
        steps: what was found, in order; fewer than `roles` where nothing more was.
    """

    start: str
    roles: tuple[Role, ...]
    steps: tuple[Step, ...]


def walk(reader: Reader, asked: Asked) -> Walk | None:
    """Follow the roles of a question; None where it names nobody, or wants no role followed."""
    where = asked.where
    with reader.reading(where.app_id, where.as_of) as connection:
        seeds = [each for each in find_seeds(connection, asked) if each.type not in GENERAL_TYPES]
        if not seeds:
            return None
        # what a name may stand for besides is left: its first meaning is what documents say most
        first = seeds[0]
        place = _place(asked.question, first.spelling)
        # Xinghe Recycling is another than Xinghe
        alone = place is not None and not _GOES_ON.match(asked.question, place[1])
        roles = roles_in(asked.question, *place) if place and alone else ()
        if not roles:
            return None
        rows = graph_search.describe(connection, where.app_id, [first.entity_id], where.as_of)
        start = rows[first.entity_id]["name"]
        steps = list[Step]()
        # a document that prints no code has an entity of the name alone
        starts = [each.entity_id for each in seeds if _same(each, first)]
        frontier: dict[str, tuple[Quote, ...]] = dict.fromkeys(starts, ())
        for role in roles[:MOST_STEPS]:
            reached = reach(connection, asked, frontier, role, starts)
            if not reached:
                break
            steps.append(Step(role, tuple(reached.values())))
            frontier = {each: link.way for each, link in [*reached.items()][:MOST_OF_A_STEP]}
    return Walk(start, roles, tuple(steps))


def reach(
    connection: Connection[Row],
    asked: Asked,
    frontier: Mapping[str, tuple[Quote, ...]],
    role: Role,
    starts: Collection[str] = (),
) -> dict[str, Link]:
    """Whom a role leads to from some entities, the heaviest first; not back to where one began.

    Args:
        frontier: the entities, each with the words behind the way to it.
    """
    where = asked.where
    found: dict[str, Link] = {}
    for entity_id, way in frontier.items():
        near = [
            each
            for each in graph_search.neighbours(
                connection,
                where.app_id,
                [entity_id],
                where.as_of,
                k=_NEAR,
                edge_types=role.relations,
            )
            if role.direction in ("both", "out" if each.outgoing else "in")
            and each.entity_id not in (*starts, *found)
        ]
        ids = [entity_id, *(each.entity_id for each in near)]
        rows = graph_search.describe(connection, where.app_id, ids, where.as_of)
        names = {each: names_of(row) for each, row in rows.items()}
        near = [each for each in near if each.entity_id in names]
        said = stated(connection, asked, near, names)
        if cue("largest", asked.question):
            # one of many customers is not the largest of them
            said = {each: words for each, words in said.items() if cue("largest", words.text)}
        told = {link.to for link in found.values()}
        for each, words in said.items():
            # one name may be two entities where documents leave its type open
            if names[each][0] not in told:
                found[each] = Link(
                    names[entity_id][0], names[each][0], rows[each]["type"], (*way, words)
                )
    return found


def _same(one: Seed, other: Seed) -> bool:
    return (one.spelling, one.type) == (other.spelling, other.type)


def _place(question: str, spelled: str) -> tuple[int, int] | None:
    """Where a spelling stands in a question as it is written."""
    for length in range(1, len(question) + 1):
        for start in range(len(question) - length + 1):
            if spelling(question[start : start + length]) == spelled:
                return start, start + length
    return None


def nearby(reader: Reader, asked: Asked) -> list[Link]:
    """Who supplies, buys from or belongs to whom a question names, the weightiest first."""
    where = asked.where
    with reader.reading(where.app_id, where.as_of) as connection:
        seeds = [each for each in find_seeds(connection, asked) if each.type not in GENERAL_TYPES]
        start = {each.entity_id: () for each in seeds}
        found = reach(connection, asked, start, _DEALS_WITH)
    return list(found.values())
