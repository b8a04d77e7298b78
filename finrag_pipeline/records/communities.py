"""Frozen values of the weekly communities: partitions and their history, reports, chains.

What they are made of (entities, edges, statements) is `records.graph`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import date, timedelta
from typing import Any, Literal

Json = dict[str, Any]
EventKind = Literal["born", "grew", "shrank", "split", "merged", "died"]


def week_of(day: date) -> date:
    """The Sunday that opens the week of a day.

    >>> week_of(date(2026, 3, 14)), week_of(date(2026, 3, 15))
    (datetime.date(2026, 3, 8), datetime.date(2026, 3, 15))
    """
    return day - timedelta(days=day.isoweekday() % 7)


@dataclass(frozen=True, slots=True)
class Build:
    """One weekly build: of what was published by the Saturday that ends its week."""

    build_id: str
    app_id: str
    week: date
    started_from: str | None
    input_sha256: str
    parameters: Json
    versions: Json
    sizes: Json
    modularity: tuple[float, ...]
    degraded: tuple[str, ...] = ()

    @property
    def published_by(self) -> date:
        return self.week + timedelta(days=6)


@dataclass(frozen=True, slots=True)
class Community:
    """One community; level 0 is the coarsest.

    `entity_ids` are those of which it is the finest community: none where it is divided further.
    Finest communities have a number, `first_leaf` = `last_leaf`; another spans those inside it.
    `entity_count` counts all inside, `edge_count` the edges between them.
    """

    community_id: str
    level: int
    parent_id: str | None
    entity_ids: tuple[str, ...]
    entity_count: int
    edge_count: int
    first_leaf: int
    last_leaf: int


@dataclass(frozen=True, slots=True)
class CommunityEvent:
    """What became of a community since the last build; see the table `community_events`."""

    community_id: str
    event: EventKind
    level: int
    others: tuple[str, ...]
    entities_before: int
    entities_after: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A place in a chunk that says something: characters `start` to `end` of its content.

    `quote` is that text, `page` the page that the chunk starts on (1-based).
    """

    document_id: str
    chunk: int
    start: int
    end: int
    page: int
    quote: str
    published_on: date

    def to_dict(self) -> Json:
        return asdict(self) | {"published_on": self.published_on.isoformat()}

    @classmethod
    def from_dict(cls, value: Json) -> Passage:
        rest = {name: each for name, each in value.items() if name != "published_on"}
        return cls(**rest, published_on=date.fromisoformat(value["published_on"]))


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a report says, with the passages that it rests on (at least one)."""

    summary: str
    explanation: str
    evidence: tuple[Passage, ...]

    def to_dict(self) -> Json:
        evidence = [each.to_dict() for each in self.evidence]
        return {"summary": self.summary, "explanation": self.explanation, "evidence": evidence}

    @classmethod
    def from_dict(cls, value: Json) -> Finding:
        evidence = tuple(Passage.from_dict(each) for each in value["evidence"])
        return cls(value["summary"], value["explanation"], evidence)


@dataclass(frozen=True, slots=True)
class CommunityReport:
    """What is told of a community; `rating` from 0 to 10 says how much it matters."""

    title: str
    summary: str
    rating: float
    rating_reason: str
    findings: tuple[Finding, ...] = field(default=())
