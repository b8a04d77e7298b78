"""The entities that a question names: by their spellings and codes, else by one that is nearly one.

What is near to a question without being named in it belongs to `light`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import SequenceMatcher
from itertools import chain

from finrag_pipeline.errors import NotFound
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.records import Space
from finrag_pipeline.stages.identity.codes import written_code
from finrag_pipeline.stages.identity.spelling import question_spellings, spelling
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.graph import graph_search
from finrag_pipeline.store.graph.graph_search import Spelled
from finrag_pipeline.words import words

#: Why a lane through the graph has nothing to say.
NO_ENTITY = "the question names no entity of the graph: the other lanes answer alone"
MOST_ENTITIES = 5
#: What names little alone: everybody has a margin.
GENERAL_TYPES = frozenset({"metric", "place", "concept", "industry"})
#: Entities near to a question among whose names one that is nearly written there is looked for.
_CANDIDATES = 20
# A name with a mistyped letter; one exchanged Chinese character makes another company.
_LEAST_CHINESE = 4
_LEAST_LATIN = 5
_LATIN_ALIKE = 0.85
_LONGEST_FUZZY_QUESTION = 200


@dataclass(frozen=True, slots=True)
class Seed:
    """An entity that a question names: how it is written there, and whether exactly so."""

    entity_id: str
    type: str
    spelling: str
    exact: bool = True


def find_seeds(connection: Connection[Row], asked: Asked, space: Space | None = None) -> list[Seed]:
    """Up to five entities of a question, those that tell most first.

    Longer names go before what stands inside them. Where several entities share a name, those that
    documents name most come first.

    Args:
        space: of the stored vectors; None: look for exact names only.
    """
    app_id, as_of = asked.where.app_id, asked.where.as_of
    spellings = question_spellings(asked.question)
    rows = graph_search.spelled(connection, app_id, spellings, as_of)
    by_spelling: dict[str, list[Spelled]] = {}
    for row in rows:
        by_spelling.setdefault(row.spelling, []).append(row)
    seeds = _longest(spelling(asked.question), spellings, by_spelling)
    codes = sorted({code for word in words(asked.question) if (code := written_code(word))})
    if codes:
        found = graph_search.coded(connection, app_id, codes, as_of)
        seeds = [Seed(row.entity_id, row.type, row.spelling) for row in found] + seeds
    if space is not None and all(seed.type in GENERAL_TYPES for seed in seeds):
        seeds = [*_nearly(connection, asked, space, spellings), *seeds]
    told = {seed.entity_id: seed for seed in reversed(seeds)}
    ordered = [told[entity_id] for entity_id in dict.fromkeys(seed.entity_id for seed in seeds)]
    return sorted(ordered, key=lambda seed: seed.type in GENERAL_TYPES)[:MOST_ENTITIES]


def named(connection: Connection[Row], app_id: str, name: str, as_of: date | None) -> list[Spelled]:
    """Every entity that a name stands for by a day: its id, a code or a spelling of it."""
    if graph_search.existing(connection, app_id, [name], as_of):
        return [Spelled(name, name, "", 0)]
    code = written_code(name)
    coded = graph_search.coded(connection, app_id, [code], as_of) if code else []
    found = coded or graph_search.spelled(connection, app_id, [spelling(name)], as_of)
    return list({each.entity_id: each for each in found}.values())


def one_entity(connection: Connection[Row], app_id: str, name: str, as_of: date | None) -> str:
    """The id of the one entity that a name stands for by a day.

    Raises:
        NotFound: it stands for none, or for several; the line lists them.
    """
    found = named(connection, app_id, name, as_of)
    if len(found) == 1:
        return found[0].entity_id
    rows = graph_search.describe(connection, app_id, [each.entity_id for each in found], as_of)
    listed = ", ".join(
        f"{row['entity_id']} ({row['name']}, {row['type']})" for row in rows.values()
    )
    raise NotFound(
        f"{name!r} names several entities: {listed}; give an id"
        if found
        else f"no entity is named {name!r}: give a name as documents write it"
    )


def _longest(
    question: str, spellings: Iterable[str], found: dict[str, list[Spelled]]
) -> list[Seed]:
    """The entities of spellings that do not stand inside longer ones, as the question has them."""
    taken = [False] * len(question)
    places: list[tuple[int, int, Seed]] = []
    for spelled in spellings:
        at = question.find(spelled) if spelled in found else -1
        while at >= 0:
            end = at + len(spelled)
            if not any(taken[at:end]):
                taken[at:end] = [True] * len(spelled)
                places += [
                    (at, n, Seed(row.entity_id, row.type, spelled))
                    for n, row in enumerate(found[spelled])
                ]
            at = question.find(spelled, at + 1)
    # the first meaning of every name before the second of any
    places.sort(key=lambda place: (place[1], place[0], place[2].entity_id))
    return [seed for _, _, seed in places]


def _nearly(
    connection: Connection[Row], asked: Asked, space: Space, spellings: Sequence[str]
) -> list[Seed]:
    """The nearest entity of which a name stands in the question but for a letter."""
    if len(asked.question) > _LONGEST_FUZZY_QUESTION or not asked.vector.any():
        return []
    app_id, as_of = asked.where.app_id, asked.where.as_of
    near = graph_search.nearest_entities(
        connection, app_id, space, asked.vector, _CANDIDATES, as_of
    )
    rows = graph_search.describe(connection, app_id, [each for each, _ in near], as_of)
    by_length: dict[int, list[str]] = {}
    for written in spellings:
        by_length.setdefault(len(written), []).append(written)
    for entity_id, _ in near:
        row = rows.get(entity_id)
        if row is None or row["type"] in GENERAL_TYPES:
            continue
        for alias in sorted({spelling(alias["name"]) for alias in row["aliases"]}):
            near_length = (by_length.get(len(alias) + more, ()) for more in range(-2, 3))
            for written in chain.from_iterable(near_length):
                if is_nearly(written, alias):
                    return [Seed(entity_id, row["type"], written, exact=False)]
    return []


def is_nearly(written: str, name: str) -> bool:
    """Whether a spelling is a name with one character too many or too few, or a mistyped word.

    >>> is_nearly("星河智造科", "星河智造科技"), is_nearly("远山生物", "远山格物")
    (True, False)
    >>> is_nearly("zyntrix", "zyntrex"), is_nearly("alder", "elder")
    (True, False)
    """
    if abs(len(written) - len(name)) > 2 or written == name:
        return False
    if written.isascii() and name.isascii():
        alike = SequenceMatcher(None, written, name, autojunk=False).ratio()
        return min(len(written), len(name)) >= _LEAST_LATIN and alike >= _LATIN_ALIKE
    short, long = sorted((written, name), key=len)
    if len(short) < _LEAST_CHINESE or len(long) - len(short) != 1:
        return False
    return any(long[:at] + long[at + 1 :] == short for at in range(len(long)))
