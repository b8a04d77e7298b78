"""Reads the elements of communities as of the day of their build, with what documents say of them.

Which of them a report is written from belongs to `community_sources`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from finrag_pipeline.records.communities import Build, Passage
from finrag_pipeline.records.graph import EdgeKey
from finrag_pipeline.stages.extraction.vocabulary import SYMMETRIC
from finrag_pipeline.stages.reports.chain import CHAIN_RELATIONS
from finrag_pipeline.stages.reports.elements import (
    OPINIONS,
    Elements,
    Extent,
    Node,
    Relation,
    Told,
    distinct,
    sentence_at,
)
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.graph import entity_graph
from finrag_pipeline.store.weeks import community_summaries, element_summaries
from finrag_pipeline.store.weeks.community_summaries import Inside, Members

# A source has room for a few hundred lines: so much of one element lets others speak, too.
#: Statements of a relation, and descriptions of an entity, that are told.
_STATEMENTS = 3
#: Claims of an entity that are told, by kind: figures say the most.
_CLAIMS = {"figure": 6, "risk": 6, "rating": 2, "target_price": 2}
_OTHER_CLAIMS = 3
#: Rows read for them: the same sentence stands behind several.
_ROWS = 24
#: Relations of a chain, and entities that may be central, of a community that is read in parts.
_CHAIN, _CENTRAL = 300, 40
#: Entities described together: the query looks at each pair of them.
_DESCRIBED = 100


def read_elements(
    connection: Connection[Row], build: Build, community_ids: Sequence[str], most: int
) -> dict[str, Elements]:
    """What there is in some communities; of large ones the `most` foremost of each kind."""
    members = community_summaries.members(connection, build, community_ids)
    nodes = community_summaries.nodes(connection, build, members, most)
    edges = community_summaries.edges(connection, build, members, most)
    cut = [each for each in community_ids if _cut(edges.get(each))]
    chains = _chains(connection, build, community_summaries.members(connection, build, cut))
    told = _Told(connection, build, nodes.values(), [*edges.values(), *chains.values()])
    extents = _extents(connection, build, members, community_ids)
    found: dict[str, Elements] = {}
    for each in community_ids:
        inside = nodes.get(each, Inside())
        relations = told.relations(edges.get(each, Inside()))
        ends = [end for one in relations for end in (one.key[0], one.key[2])]
        own = dict(inside.rows)
        described = told.nodes(own | {end: 0 for end in ends if end not in own})
        chain = told.relations(chains[each]) if each in chains else relations
        found[each] = Elements(
            described,
            relations,
            not _cut(inside) and not _cut(edges.get(each)),
            tuple(one for one in chain if one.key[1] in CHAIN_RELATIONS),
            described[:_CENTRAL],
            extents[each],
        )
    return found


def read_across(
    connection: Connection[Row], build: Build, community_ids: Sequence[str], most: int
) -> dict[str, Elements]:
    """Of communities too large to be read whole: the relations between their sub-communities.

    Beside them stand their whole chain, their central entities and their extent.
    """
    members = community_summaries.members(connection, build, community_ids)
    nodes = community_summaries.nodes(connection, build, members, _CENTRAL)
    edges = community_summaries.edges(connection, build, members, most, across=True)
    chains = _chains(connection, build, members)
    told = _Told(connection, build, nodes.values(), [*edges.values(), *chains.values()])
    extents = _extents(connection, build, members, community_ids)
    return {
        each: Elements(
            relations=told.relations(edges.get(each, Inside())),
            complete=not _cut(edges.get(each)),
            chain=told.relations(chains.get(each, Inside())),
            central=told.nodes(dict(nodes.get(each, Inside()).rows), bare=True),
            extent=extents[each],
        )
        for each in community_ids
    }


def joined(parts: Iterable[Elements], whole: Elements) -> Elements:
    """The elements of some sub-communities with those that belong to their parent."""
    told = list(parts)
    nodes = tuple(node for part in told for node in part.nodes)
    relations = tuple(one for part in told for one in part.relations)
    return replace(whole, nodes=nodes, relations=(*relations, *whole.relations))


def described(connection: Connection[Row], build: Build, ids: Iterable[str]) -> dict[str, Row]:
    """Some entities as of the day of a build, by id; rows as in `entities`."""
    wanted = sorted(set(ids))
    found: dict[str, Row] = {}
    for start in range(0, len(wanted), _DESCRIBED):
        some = wanted[start : start + _DESCRIBED]
        for row in entity_graph.describe_entities(
            connection, build.app_id, some, build.published_by
        ):
            found[row["entity_id"]] = row
    return found


class _Told:
    """Entities and relations of several communities with what is told of each."""

    def __init__(
        self,
        connection: Connection[Row],
        build: Build,
        nodes: Iterable[Inside],
        edges: Iterable[Inside],
    ) -> None:
        keys: dict[EdgeKey, None] = {row[0]: None for inside in edges for row in inside.rows}
        ids = {row[0] for inside in nodes for row in inside.rows}
        ids |= {end for src, _, dst in keys for end in (src, dst)}
        self._rows = described(connection, build, ids)
        self._statements = community_summaries.statements(
            connection, build.app_id, build.published_by, list(keys), SYMMETRIC, _ROWS
        )
        self._claims = community_summaries.claims(connection, build, ids, _ROWS)
        self._descriptions = community_summaries.descriptions(connection, build, ids, _ROWS)
        self._summaries = element_summaries.summaries(connection, build.build_id, ids)

    def nodes(self, degrees: Mapping[str, int], *, bare: bool = False) -> tuple[Node, ...]:
        """Some entities by degree; `bare` ones are only called by name."""
        found: list[Node] = []
        for entity_id in degrees:
            row = self._rows.get(entity_id)
            if row is None:
                continue
            node = Node(entity_id, row["name"], row["type"], tuple(row["codes"]), row["degree"])
            if not bare:
                node = replace(
                    node,
                    descriptions=_told(self._descriptions.get(entity_id, []), _STATEMENTS),
                    claims=_claims(self._claims.get(entity_id, [])),
                    summary=self._summaries.get((entity_id, "", ""), ""),
                )
            found.append(node)
        return tuple(sorted(found, key=lambda node: (-node.degree, node.entity_id)))

    def relations(self, inside: Inside) -> tuple[Relation, ...]:
        """Some edges in their order; not those whose statements were withdrawn meanwhile."""
        return tuple(
            Relation(
                key,
                self._rows[key[0]]["name"],
                self._rows[key[2]]["name"],
                weight,
                degree,
                _told(self._statements[key], _STATEMENTS),
                self._summaries.get(key, ""),
            )
            for key, weight, degree in inside.rows
            if key in self._statements and key[0] in self._rows and key[2] in self._rows
        )


def _chains(connection: Connection[Row], build: Build, of: Members) -> dict[str, Inside]:
    return community_summaries.edges(connection, build, of, _CHAIN, edge_types=CHAIN_RELATIONS)


def _extents(
    connection: Connection[Row], build: Build, of: Members, community_ids: Sequence[str]
) -> dict[str, Extent]:
    types = community_summaries.counts(connection, build, of)
    stated = community_summaries.stated(connection, build, of)
    found: dict[str, Extent] = {}
    for each in community_ids:
        its = stated.get(each, community_summaries.Stated())
        found[each] = Extent(
            tuple(sorted(types.get(each, {}).items())),
            its.relations,
            its.claims,
            its.documents,
            its.first_on,
            its.last_on,
        )
    return found


def _cut(inside: Inside | None) -> bool:
    return inside is not None and inside.total > len(inside.rows)


def _claims(rows: Sequence[Row]) -> tuple[Told, ...]:
    """The newest of each kind, together the newest first."""
    found: list[Told] = []
    for kind, of_kind in groupby(rows, key=lambda row: str(row["kind"])):
        found += _told(list(of_kind), _CLAIMS.get(kind, _OTHER_CLAIMS))
    return tuple(
        sorted(
            found,
            key=lambda told: (
                -told.passage.published_on.toordinal(),
                told.passage.document_id,
                told.passage.chunk,
                told.passage.start,
                told.kind,
                told.text,
            ),
        )
    )


def _told(rows: Sequence[Row], most: int) -> tuple[Told, ...]:
    return distinct(map(_one, rows), most)


def _one(row: Row) -> Told:
    """A row with the sentence around its span, where that ends in the same line."""
    line, at = row["line"], row["line_at"]
    start, end, quote = row["start_at"], row["end_at"], row["quote"]
    if end - at <= len(line):
        first, last = sentence_at(line, start - at, end - at)
        start, end, quote = at + first, at + last, line[first:last]
    passage = Passage(
        row["document_id"], row["chunk"], start, end, row["page"], quote, row["published_on"]
    )
    text = row["description"] or quote
    publisher = (row["publisher"] or "") if row["kind"] in OPINIONS else ""
    return Told(row["kind"], text, row["modality"], row["period"] or "", passage, publisher)
