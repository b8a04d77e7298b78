"""What a record may say: fields of companies, relations between them, properties of relations.

All of it stands in `fields.csv`, `relations.csv` and `properties.csv`, each under a name of ours
and under the headings that exports of company data have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import DataRow, data_rows
from finrag_pipeline.records.graph import EntityType
from finrag_pipeline.stages.extraction.vocabulary import RELATIONS
from finrag_pipeline.words import fold

_HERE = Path(__file__).parent
_FORMS = (
    *("id", "text", "list", "code", "day", "date", "count", "industry", "person"),
    *("company", "companies", "projects"),
)
_TYPES: Mapping[str, EntityType] = {
    "company": "company",
    "person": "person",
    "product": "product",
}


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a company.

    Attributes:
        form: how its value is written, one of `_FORMS`.
        part: the document that tells it; empty where none does by itself.
        label: what its line is called, in Chinese and English.
        relation: the relation that it states, `reversed_` where the company is its target.
    """

    name: str
    form: str
    part: str
    label: tuple[str, str]
    relation: str
    reversed_: bool


@dataclass(frozen=True, slots=True)
class RelationKind:
    """A relation of records.

    Attributes:
        edge: its name in the graph's vocabulary, read from source to target, or the other way
            round where it is `reversed_`.
        source_type, target_type: what stands at its ends.
        source_label, target_label: what its line is called in the document of each end, in
            Chinese and English.
        said: the sentence that states it, in both.
    """

    name: str
    edge: str
    reversed_: bool
    source_type: EntityType
    target_type: EntityType
    source_label: tuple[str, str]
    target_label: tuple[str, str]
    said: tuple[str, str]


@cache
def fields() -> Mapping[str, Field]:
    """Every field by its name, in the order in which documents tell them."""
    columns = ("field", "form", "part", "zh", "en", "relation", "reversed", "also")
    return {
        row["field"]: Field(
            row["field"],
            row.choice("form", _FORMS),
            row["part"],
            (row["zh"], row["en"]),
            row["relation"],
            row.choice("reversed", ("", "yes")) == "yes",
        )
        for row in data_rows(_HERE / "fields.csv", columns)
    }


@cache
def relation_kinds() -> Mapping[str, RelationKind]:
    """Every relation by its name."""
    return {row["relation"]: _relation(row) for row in _relation_rows()}


@cache
def properties() -> Mapping[str, tuple[str, str]]:
    """How each property of a relation is told, in Chinese and English."""
    return {row["property"]: (row["zh"], row["en"]) for row in _property_rows()}


def field_named(heading: str) -> Field | None:
    """The field that a heading means.

    >>> field_named("注册资本").name, field_named(" Name ").name, field_named("x")
    ('capital', 'name', None)
    """
    return fields().get(_spelled("fields.csv").get(_plain(heading), ""))


def relation_named(word: str) -> RelationKind | None:
    """The relation that a word means.

    >>> relation_named("领投").edge, relation_named("uses_product").target_type
    ('invests_in', 'product')
    """
    return relation_kinds().get(_spelled("relations.csv").get(_plain(word), ""))


def property_named(word: str) -> str | None:
    """The property of a relation that a word means.

    >>> property_named("持股比例"), property_named("colour")
    ('percentage', None)
    """
    return _spelled("properties.csv").get(_plain(word))


def _relation_rows() -> list[DataRow]:
    columns = (
        *("relation", "edge", "reversed", "source_type", "target_type", "source_zh", "target_zh"),
        *("source_en", "target_en", "said_zh", "said_en", "also"),
    )
    return list(data_rows(_HERE / "relations.csv", columns))


def _property_rows() -> list[DataRow]:
    return list(data_rows(_HERE / "properties.csv", ("property", "zh", "en", "also")))


def _relation(row: DataRow) -> RelationKind:
    if row["edge"] not in RELATIONS:
        row.wrong(f"edge is {row['edge']!r}, which the graph's vocabulary does not have")
    return RelationKind(
        row["relation"],
        row["edge"],
        row.choice("reversed", ("", "yes")) == "yes",
        _TYPES[row.choice("source_type", list(_TYPES))],
        _TYPES[row.choice("target_type", list(_TYPES))],
        (row["source_zh"], row["source_en"]),
        (row["target_zh"], row["target_en"]),
        (row["said_zh"], row["said_en"]),
    )


@cache
def _spelled(file: str) -> Mapping[str, str]:
    """Names by all that they are written as."""
    rows: list[tuple[str, DataRow]] = []
    if file == "relations.csv":
        rows = [(row["relation"], row) for row in _relation_rows()]
    elif file == "properties.csv":
        rows = [(row["property"], row) for row in _property_rows()]
    else:
        columns = ("field", "form", "part", "zh", "en", "relation", "reversed", "also")
        rows = [(row["field"], row) for row in data_rows(_HERE / file, columns)]
    found: dict[str, str] = {}
    for name, row in rows:
        for form in (name, *row.listed("also")):
            found.setdefault(_plain(form), name)
    return found


def _plain(heading: str) -> str:
    return fold(heading).strip().replace(" ", "_")
