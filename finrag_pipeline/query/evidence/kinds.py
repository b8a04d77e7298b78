"""Kinds of evidence behind one protocol: how each is read, quoted, held against its source, told.

A new kind is one module and one call of `register`; lanes name its pieces by `Key`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.keys import Key
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.records import Place
from finrag_pipeline.store.database.connections import Connection, Row

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Quotable:
    """A sentence or a table's row that an answer may consist of.

    Attributes:
        quote: the stored text.
        told: how an answer says it.
        about: what is compared with the question.
        context: what stands over it: counts half.
        places: the boxes that it stands in.
        has_figure: whether it answers a question for a figure.
        start: where it begins in the text of its piece.
        row: a table's row by columns: heading and cell; empty where it is none.
    """

    quote: str
    told: str
    about: str
    context: str = ""
    places: tuple[Place, ...] = ()
    has_figure: bool = False
    start: int = 0
    row: tuple[tuple[str, str], ...] = ()


class EvidenceItem(Protocol):
    """One piece of evidence as readers see it now. What it does not say of itself is empty."""

    @property
    def key(self) -> Key:
        """What rankings and citations call it."""
        ...

    @property
    def text(self) -> str:
        """What it says."""
        ...

    @property
    def identity(self) -> str:
        """Whose text it is: what a sentence of it need not say again."""
        return ""

    @property
    def subjects(self) -> tuple[str, ...]:
        """Names of whom it speaks and who speaks, settled for all that it says."""
        return ()

    @property
    def factor(self) -> float:
        """What its fused score is multiplied with."""
        return 1.0

    def quotes(self, question: str) -> Iterable[Quotable]:
        """What of it an answer to a question may quote."""
        return ()

    def cite(self, n: int, quote: str, places: tuple[Place, ...]) -> Citation:
        """The citation of some words of it, as number `n` of an answer."""
        return Citation(n, self.key, quote, places)

    def holds(self, citation: Citation) -> bool:
        """Whether the cited words stand in it, where the citation says."""
        ...

    def to_dict(self) -> Json:
        """What of the contract of a result it fills in; the rest is null."""
        ...


@dataclass(frozen=True, slots=True)
class ReadItems:
    """What readers see behind some keys, and how many passages behind it are gone."""

    items: Mapping[Key, EvidenceItem]
    lost: int = 0


class EvidenceKind(Protocol):
    """How pieces of one kind are read."""

    @property
    def name(self) -> str:
        """As keys, results and citations have it."""
        ...

    def read(
        self, connection: Connection[Row], keys: Sequence[Key], asked: Asked, most: int
    ) -> ReadItems:
        """What stands behind some keys; what readers of the question do not see is left out.

        Args:
            keys: best first.
            most: of how many anything will be shown: a kind that is costly to read stops there.
        """
        ...

    def complete(
        self, connection: Connection[Row], items: Sequence[EvidenceItem]
    ) -> Iterable[EvidenceItem]:
        """Items with what only those need that are shown; such as cannot be shown are left out."""
        return items


_kinds: dict[str, EvidenceKind] = {}


def register(kind: EvidenceKind) -> None:
    """Make a kind of evidence known; one of the same name is replaced."""
    _kinds[kind.name] = kind


def kinds() -> tuple[EvidenceKind, ...]:
    """Every kind, in the order of registration."""
    return tuple(_kinds.values())
