"""Lanes by name: what each needs, and which ways of asking it joins by itself.

A new lane is one module and one call of `register`; running lanes is `run`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from finrag_pipeline.errors import InvalidQuestion
from finrag_pipeline.query.evidence.keys import LaneHit
from finrag_pipeline.query.lanes.light_keywords import FindKeywords
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search.keyword_index import KeywordIndex

#: What has to be there for a lane: the entity graph, or a weekly build of its communities as well.
Need = Literal["", "graph", "build"]
#: Ways of asking that a lane joins without being named.
Way = Literal["search", "ask"]


@dataclass(frozen=True, slots=True)
class Found:
    """What a lane found: pieces of evidence, best first; what orders them but cannot be cited.

    Attributes:
        reason: why it found nothing, or could not look as it should.
        way: how it came to what it found, where that is not by rank alone.
        aside: whether it left the question to the others, which is no shortcoming.
    """

    hits: list[LaneHit]
    context: tuple[dict[str, Any], ...] = ()
    reason: str = ""
    way: str = ""
    aside: bool = False


class Lane(Protocol):
    """One way to find evidence."""

    def search(self, asked: Asked, depth: int) -> Found:
        """The `depth` best entries, as far as there are."""
        ...


@dataclass(frozen=True, slots=True)
class Tools:
    """What lanes are made of; any number of threads share it."""

    reader: Reader
    index: KeywordIndex
    find_keywords: FindKeywords


@dataclass(frozen=True, slots=True)
class LaneEntry:
    """A lane that can be asked for.

    Attributes:
        name: by which plans name it.
        label: what results call it; lanes of one label are ways to do the same.
        scoped: whether it also looks into the documents that a question names alone.
    """

    name: str
    label: str
    make: Callable[[Tools], Lane]
    needs: Need
    joins: tuple[Way, ...]
    scoped: bool = False


_lanes: dict[str, LaneEntry] = {}


def register(
    name: str,
    make: Callable[[Tools], Lane],
    *,
    label: str = "",
    needs: Need = "",
    joins: tuple[Way, ...] = (),
    scoped: bool = False,
) -> None:
    """Make a lane known; one of the same name is replaced.

    Args:
        make: makes it for one engine.
        label: what results, times and weights call it; empty: its name.
        joins: the ways of asking that run it beside the others.
        scoped: whether it looks into the documents that a question names beside all others.
    """
    _lanes[name] = LaneEntry(name, label or name, make, needs, joins, scoped)


def entries() -> Mapping[str, LaneEntry]:
    """Every lane by its name, in the order of registration."""
    return dict(_lanes)


def labels() -> tuple[str, ...]:
    """What results call the lanes, each once."""
    return tuple(dict.fromkeys(entry.label for entry in _lanes.values()))


def called(label: str) -> LaneEntry:
    """The lane that answers to a label alone: the first one registered under it.

    Raises:
        InvalidQuestion: there is none.
    """
    for entry in _lanes.values():
        if entry.label == label:
            return entry
    raise InvalidQuestion(f"there is no lane {label!r}: use one of {', '.join(labels())}")
