"""What a search may see and what a lane hands back: shared by the keyword and the vector side."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

#: What documents hold: what is asked for unless reports are.
CONTENT = ("chunk", "table")
#: What weekly builds hold: reports on communities and on chains.
REPORTS = ("community", "chain")


@dataclass(frozen=True, slots=True)
class Filter:
    """Which documents a question may be answered from.

    Attributes:
        app_id: whose documents.
        as_of: only what was published by this day.
        company: securities code with or without its market, e.g. ``600519`` or ``600519.SH``.
        document_ids: only these documents.
        entity: only chunks that have one of these names of an entity, by their ids.
        kinds: only entries of these kinds; the entries of a build have its id as `document_id`.
    """

    app_id: str
    as_of: date | None = None
    company: str | None = None
    document_ids: tuple[str, ...] | None = None
    entity: tuple[str, ...] | None = None
    kinds: tuple[str, ...] = CONTENT


@dataclass(frozen=True, slots=True)
class Hit:
    """One entry found: a chunk, table or document of a revision; higher scores are better.

    A report is found under the id of its build and, as if that were a revision, its own.
    """

    kind: str
    document_id: str
    revision: str
    ordinal: int
    score: float

    @property
    def place(self) -> tuple[float, str, str, str, int]:
        """Where it belongs in a ranking; equally good ones are ordered by what they are."""
        return (-self.score, self.document_id, self.revision, self.kind, self.ordinal)
