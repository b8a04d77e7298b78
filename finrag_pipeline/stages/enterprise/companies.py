"""Companies as records have them: names, projects, edges, and what was no record.

How they are read from the objects of files is `checking`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from finrag_pipeline.stages.enterprise.vocabulary import RelationKind
from finrag_pipeline.stages.identity.names import normalised, without_group


@dataclass(frozen=True, slots=True)
class Refused:
    """An object that was not taken, or a part of it, and why; one line."""

    file: str
    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class Project:
    """A project of a company in the past; empty where the record does not say."""

    year: int | None
    project: str
    partner: str = ""
    product: str = ""
    result: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """An explicit relation, as its record writes the ends."""

    source: str
    kind: RelationKind
    target: str
    properties: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(slots=True)
class CompanyRecord:
    """A company as its record has it.

    Attributes:
        values: what its fields say, lists as tuples.
        projects: None where the record says nothing of projects; empty where it says that there
            were none.
        edges: what its own fields and relations of the files say, once.
    """

    company_id: str
    name: str
    file: str
    values: Mapping[str, Any]
    projects: list[Project] | None = None
    edges: list[Edge] = field(default_factory=list[Edge])

    @property
    def names(self) -> tuple[str, ...]:
        """All that it is called."""
        short = without_group(self.name)
        return tuple(
            dict.fromkeys([self.name, *self.values.get("aliases", ()), *filter(None, [short])])
        )


@dataclass(frozen=True, slots=True)
class Records:
    """What files hold: companies in order, what was refused, headings that mean nothing here."""

    companies: tuple[CompanyRecord, ...]
    refused: tuple[Refused, ...]
    ignored: tuple[str, ...]


def by_name(companies: Iterable[CompanyRecord]) -> Mapping[str, CompanyRecord]:
    """Companies by every name that is one company's alone."""
    found: dict[str, CompanyRecord | None] = {}
    for record in companies:
        for name in record.names:
            key = normalised(name)
            same = key not in found or found[key] is record
            found[key] = record if same else None
    return {key: record for key, record in found.items() if record is not None}


def canonical_name(name: str, known: Mapping[str, CompanyRecord]) -> str:
    """A company's full name where a record has it, else the name as it is."""
    record = known.get(normalised(name))
    return record.name if record else name
