"""Companies that documents relate to one that a question names: its customers, its suppliers.

Which relations there are is `stages.extraction.vocabulary`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

from finrag_pipeline.query.answers.lists.items import merged
from finrag_pipeline.query.answers.lists.listed import Item
from finrag_pipeline.query.answers.quotes import Quote
from finrag_pipeline.query.evidence.chunk import CHUNK, read_chunks
from finrag_pipeline.query.evidence.clauses import split
from finrag_pipeline.query.evidence.keys import content_key
from finrag_pipeline.query.evidence.places import locate
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.records.graph import EdgeKey, table_of
from finrag_pipeline.stages.extraction.vocabulary import SYMMETRIC
from finrag_pipeline.stages.identity.spelling import question_spellings
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.graph import graph_chunks, graph_search

_MOST = 30
#: Statements of one relation that are looked at.
_STATEMENTS = 3
_COMPANIES = frozenset(("company", "organisation"))


@dataclass(frozen=True, slots=True)
class _Relation:
    """Relations by which others stand to a company; `outgoing`: it is their source."""

    names: tuple[str, ...]
    outgoing: bool | None = None


#: What others are to a company, by the kind of noun.
_RELATIONS = MappingProxyType(
    {
        "customer": _Relation(("supplies",), outgoing=True),
        "supplier": _Relation(("supplies",), outgoing=False),
        "subsidiary": _Relation(("owns", "holds_stake_in", "establishes"), outgoing=True),
        "shareholder": _Relation(("owns", "holds_stake_in"), outgoing=False),
        "competitor": _Relation(("competes_with", "comparable_to")),
        "partner": _Relation(("cooperates_with", "signs_with", "jointly_establishes_with"), None),
    }
)


def find_related(connection: Connection[Row], asked: Asked, kind: str) -> list[Item]:
    """Who stands in a relation to the companies of a question, as documents state it."""
    relation = _RELATIONS.get(kind)
    if relation is None:
        return []
    app_id, as_of = asked.where.app_id, asked.where.as_of
    seeds = _named(connection, asked)
    if not seeds:
        return []
    near = graph_search.neighbours(
        connection, app_id, seeds, as_of, hops=1, k=_MOST, edge_types=relation.names
    )
    near = [each for each in near if relation.outgoing in (None, each.outgoing)]
    known = graph_search.describe(connection, app_id, [each.entity_id for each in near], as_of)
    near = [
        each
        for each in near
        if each.entity_id in known and known[each.entity_id]["type"] in _COMPANIES
    ]
    stated = _statements(connection, asked, [each.key for each in near])
    keys = {
        each: content_key(CHUNK, each.document_id, each.revision, each.ordinal)
        for each in stated
        if table_of(each.ordinal) is None
    }
    chunks = read_chunks(connection, keys.values())
    found: list[Item] = []
    for each, key in keys.items():
        entity = known[near[each.edge].entity_id]
        names = [entity["name"], *(alias["name"] for alias in entity["aliases"])]
        chunk = chunks.get(key)
        if chunk is None:
            continue
        for sentence in split(chunk.text):
            if _names(sentence, names) and (places := locate(sentence, chunk.regions_text)):
                found.append(Item(entity["name"], (Quote(chunk, sentence, places),)))
                break
    return merged(found)


def _named(connection: Connection[Row], asked: Asked) -> list[str]:
    """The company that a question names: by the codes of its documents, else as it is written."""
    app_id, as_of = asked.where.app_id, asked.where.as_of
    held = asked.scope.catalogue.by_company
    keys = [key for each in asked.scope.reading.companies[:1] for key in each.keys]
    codes = {code for key in keys for each in held.get(key, ()) for code in each.codes}
    if codes:
        return [each.entity_id for each in graph_search.coded(connection, app_id, [*codes], as_of)]
    spellings = question_spellings(asked.question)
    found = graph_search.spelled(connection, app_id, spellings, as_of)
    companies = [each for each in found if each.type in _COMPANIES]
    longest = max(companies, key=lambda each: len(each.spelling), default=None)
    return [longest.entity_id] if longest else []


def _statements(
    connection: Connection[Row], asked: Asked, edges: Sequence[EdgeKey]
) -> list[graph_chunks.EdgeStatement]:
    where = asked.where
    ends = {end for src, _, dst in edges for end in (src, dst)}
    names = graph_search.names_of(connection, where.app_id, ends, where.as_of)
    symmetric = [edge_type in SYMMETRIC for _, edge_type, _ in edges]
    return graph_chunks.statements(connection, edges, symmetric, names, where, _STATEMENTS)


def _names(sentence: str, names: Sequence[str]) -> bool:
    folded = sentence.casefold()
    return any(name.casefold() in folded for name in names if name)
