"""Frozen values of company records: a document made of one, its lines, and what each line relates.

How files are read and checked is `stages.enterprise`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from types import MappingProxyType
from typing import Any, Self

from finrag_pipeline.records.graph import EntityType

#: What documents of company records say, by the part of the record that they are made of.
RECORD_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "profile": "company_profile",
        "relations": "company_relations",
        "projects": "project_history",
        "needs": "company_needs",
    }
)
#: Kinds of sources: records of companies, explicit edges between them, and documents of all sorts.
SOURCE_TYPES = ("graph", "edge", "doc")


def source_type(kind: str) -> str:
    """The source type of a document by its kind.

    >>> source_type("company_needs"), source_type("company_relations"), source_type("filing")
    ('graph', 'edge', 'doc')
    """
    if kind == RECORD_KINDS["relations"]:
        return "edge"
    return "graph" if kind in RECORD_KINDS.values() else "doc"


@dataclass(frozen=True, slots=True)
class RecordName:
    """A name that a line of a record prints.

    Attributes:
        company: of a person, whom they work for.
    """

    text: str
    type: EntityType
    company: str | None = None


@dataclass(frozen=True, slots=True)
class RecordRelation:
    """An explicit edge that a line states: `relation` is a name of the relation vocabulary, `head`
    and `tail` are places in the names of the line, -1 for the company of the record."""

    head: int
    relation: str
    tail: int
    year: int | None = None


@dataclass(frozen=True, slots=True)
class RecordLine:
    """One line of a record's document: what it is about, and what it says."""

    label: str
    text: str
    names: tuple[RecordName, ...] = ()
    relations: tuple[RecordRelation, ...] = ()

    @property
    def printed(self) -> str:
        """As the document prints it."""
        return f"【{self.label}】{self.text}"


@dataclass(frozen=True, slots=True)
class RecordDocument:
    """A document made of a company's record.

    Attributes:
        part: what tells it from the others of its company, as `project_2023_1`.
        kind: a value of `RECORD_KINDS`.
        aliases: what else the company is called.
        published_on: the day of the record; None: it says none.
        watermark: where the data comes from, as its file says; empty where it does not.
    """

    company_id: str
    part: str
    kind: str
    title: str
    company: str
    lines: tuple[RecordLine, ...]
    aliases: tuple[str, ...] = ()
    code: str | None = None
    published_on: date | None = None
    watermark: str = ""

    def to_json(self) -> str:
        """The same text for the same record, whatever made it."""
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True, default=str)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """What `to_json` wrote."""
        read: dict[str, Any] = json.loads(text)
        day = read.pop("published_on")
        lines = tuple(
            RecordLine(
                line["label"],
                line["text"],
                tuple(RecordName(**name) for name in line["names"]),
                tuple(RecordRelation(**each) for each in line["relations"]),
            )
            for line in read.pop("lines")
        )
        aliases = tuple(read.pop("aliases"))
        published_on = date.fromisoformat(day) if day else None
        return cls(**read, lines=lines, aliases=aliases, published_on=published_on)
