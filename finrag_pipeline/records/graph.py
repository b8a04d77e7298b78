"""Frozen values of the entity graph: what an extractor reads from chunks, and whose names they are.

Spans are character offsets in a chunk's content, or in the text of a table's row; how rows become
a graph belongs to the store.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

from finrag_pipeline.records.documents import Place

EntityType = Literal[
    "company",
    "person",
    "product",
    "industry",
    "metric",
    "event",
    "policy",
    "organisation",
    "place",
    "commodity",
    "concept",
]
Confidence = Literal["high", "medium", "low"]
#: Only what is asserted becomes an edge.
Modality = Literal["asserted", "negated", "conditional", "forecast"]

#: The relation of two entities that share a chunk: nobody states it.
CO_OCCURS = "co_occurs"

#: What a confidence counts in weights.
CONFIDENCE_WEIGHTS: dict[Confidence, float] = {"high": 1.0, "medium": 0.6, "low": 0.3}


@dataclass(frozen=True, slots=True)
class Period:
    """A time that a statement speaks of: as it is written, and its first and last day."""

    text: str
    first_on: date | None = None
    last_on: date | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where a chunk names an entity.

    `text` is what is printed between `start` and `end`, `name` the name to identify it by: the
    full name where `text` is an alias that the document declares, or a word such as 本公司.
    `company` names the company that a person works for or a business segment belongs to; `code`
    is a securities code printed beside it. `aliases` are names declared here for the entity, fit
    for other documents, too (never 公司 or 本集团), and codes of its other listings printed with
    it. `description` is what this chunk says that it is; may be empty.
    """

    start: int
    end: int
    text: str
    name: str
    type: EntityType
    confidence: Confidence
    aliases: tuple[str, ...] = ()
    company: str | None = None
    code: str | None = None
    description: str = ""


@dataclass(frozen=True, slots=True)
class RelationStatement:
    """One statement of a chunk that relates two of its mentions.

    `head` and `tail` are places in the chunk's tuple of mentions, `relation` is a name of the
    relation vocabulary, read from head to tail. `start` and `end` span the evidence.
    """

    head: int
    relation: str
    tail: int
    start: int
    end: int
    description: str
    modality: Modality
    confidence: Confidence
    period: Period | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of a chunk about one mention (a covariate): a figure, a rating, a risk.

    `subject` is a place in the chunk's tuple of mentions. A figure has `metric`, `value` as it is
    printed without its unit, and `unit`.
    """

    subject: int
    kind: str
    start: int
    end: int
    description: str
    modality: Modality
    metric: str | None = None
    value: str | None = None
    unit: str | None = None
    period: Period | None = None


@dataclass(frozen=True, slots=True)
class ChunkExtraction:
    """What one chunk says: mentions in order of print, relations and claims that point at them.

    `chunk` is its number, or that of a row of a table (`row_number`).

    `problem` says why it is incomplete: the model failed, or found nothing where there must be
    something; None when it is whole. `answered` is whether the model said anything.
    """

    chunk: int
    mentions: tuple[Mention, ...] = ()
    relations: tuple[RelationStatement, ...] = ()
    claims: tuple[Claim, ...] = ()
    problem: str | None = None
    answered: bool = True


@dataclass(frozen=True, slots=True)
class StatingRow:
    """A row of a table that states relations: the text it is quoted by, its box, what it says.

    Spans of mentions and relations are characters of `text`.
    """

    table: int
    text: str
    place: Place
    mentions: tuple[Mention, ...]
    relations: tuple[RelationStatement, ...]


#: Rows of one table that the graph can tell apart.
MOST_STATING_ROWS = 1000


def row_number(table: int, row: int) -> int:
    """What stands for a chunk's number where a row of a table is meant: it is below zero.

    Args:
        table: the table's number in its document.
        row: its place among the stating rows of the table, less than `MOST_STATING_ROWS`.

    >>> row_number(0, 0), row_number(2, 7)
    (-1, -2008)
    """
    return -1 - (MOST_STATING_ROWS * table + row)


def table_of(number: int) -> int | None:
    """The table whose row a number means; None where it is a chunk's.

    >>> table_of(-2008), table_of(5)
    (2, None)
    """
    return (-1 - number) // MOST_STATING_ROWS if number < 0 else None


@dataclass(frozen=True, slots=True)
class Identity:
    """Whose name a mention is, as far as its document and the registry tell.

    `key` anchors it: ``company:600519.SH``, ``person:company:600519.SH/张三``, else `plain_key`,
    its type and normalised name. `name` is how it is called: the registered name that held when
    the document was published, else the name of the mention. `codes` are every listing's.
    """

    key: str
    plain_key: str
    name: str
    codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AliasLink:
    """A name that a document declares for another, from the day it was published."""

    alias_id: str
    name_id: str
    published_on: date


@dataclass(frozen=True, slots=True)
class Decision:
    """A merge (`name_id` is one with `other_id`) or a split (it is no part of it) by hand."""

    kind: str
    name_id: str
    other_id: str


@dataclass(frozen=True, slots=True)
class Membership:
    """The entity of a name for days of publication by `since` and before `until`.

    None is the beginning, or the end, of time.
    """

    entity_id: str
    since: date | None = None
    until: date | None = None


#: (source entity, edge type, destination entity)
EdgeKey = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A chunk that names an entity: its id and its content, sentences one a line."""

    chunk_id: str
    content: str


@dataclass(frozen=True, slots=True)
class EntitySource:
    """What a summary of an entity is written from: its names, description and foremost chunks.

    The lines of the description tell what it is, then its relations, then what is claimed of it.
    """

    entity_id: str
    name: str
    type: str
    aliases: tuple[str, ...]
    description: str
    anchors: tuple[Anchor, ...]
    published_to: date


@dataclass(frozen=True, slots=True)
class EntitySummary:
    """A summary of an entity with the chunks that it rests on; lines are labelled by part."""

    text: str
    anchor_chunk_ids: tuple[str, ...]
