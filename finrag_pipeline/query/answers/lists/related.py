"""Companies that documents relate to one that a question names: its customers, its suppliers.

Which relations make whom what is `plans.roles`.
"""

from __future__ import annotations

from dataclasses import dataclass

from finrag_pipeline.query.answers.lists.items import merged
from finrag_pipeline.query.answers.lists.listed import Item
from finrag_pipeline.query.answers.plans.links import names_of
from finrag_pipeline.query.answers.plans.roles import role_named
from finrag_pipeline.query.answers.plans.walks import reach
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.stages.identity.spelling import question_spellings
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.graph import graph_search

_COMPANIES = frozenset(("company", "organisation"))


@dataclass(frozen=True, slots=True)
class Whose:
    """Whose customers, suppliers or shareholders a question asks for.

    Attributes:
        entities: of the graph that stand for the company.
        names: how documents write it.
    """

    entities: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


def read_whose(connection: Connection[Row], asked: Asked) -> Whose:
    """The company that a question names, by the codes of its documents and as it is written."""
    app_id, as_of = asked.where.app_id, asked.where.as_of
    held = asked.scope.catalogue.by_company
    keys = [key for each in asked.scope.reading.companies[:1] for key in each.keys]
    codes = {code for key in keys for each in held.get(key, ()) for code in each.codes}
    found = [each.entity_id for each in graph_search.coded(connection, app_id, [*codes], as_of)]
    spellings = question_spellings(asked.question)
    spelled = graph_search.spelled(connection, app_id, spellings, as_of)
    companies = [each for each in spelled if each.type in _COMPANIES]
    longest = max((len(each.spelling) for each in companies), default=0)
    # a document that prints no code writes of it by its name alone
    found += [each.entity_id for each in companies if len(each.spelling) == longest]
    entities = tuple(dict.fromkeys(found))
    rows = graph_search.describe(connection, app_id, entities, as_of)
    names = [name for row in rows.values() for name in names_of(row)]
    names += [asked.scope.catalogue.name_of(key) for key in keys]
    names += [each.text for each in asked.scope.reading.companies[:1]]
    return Whose(entities, tuple(dict.fromkeys(names)))


def find_related(connection: Connection[Row], asked: Asked, kind: str, whose: Whose) -> list[Item]:
    """Who stands in a relation to the company of a question, as documents state it."""
    role = role_named(kind)
    if role is None or not whose.entities:
        return []
    start = dict.fromkeys(whose.entities, ())
    links = reach(connection, asked, start, role, whose.entities).values()
    return merged(Item(each.to, (each.said,)) for each in links if each.type in _COMPANIES)
