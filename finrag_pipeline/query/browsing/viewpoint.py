"""From where something is looked at: one application, up to one day, over one open reading.

Lists come in parts (`Paged`), figures as exact decimals that JSON has as numbers.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Annotated, Generic, TypeVar

from pydantic import PlainSerializer

from finrag_pipeline.errors import InvalidQuestion
from finrag_pipeline.query.browsing.frames import Tabular
from finrag_pipeline.query.question.catalogue import Catalogue
from finrag_pipeline.query.question.catalogues import Catalogues
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.database.reader import Reader

#: Of a list at a time.
MOST = 200
Item = TypeVar("Item")
Value = Annotated[Decimal, PlainSerializer(float, return_type=float, when_used="json")]


class Viewpoint:
    """One state of the store as an application sees it by a day; ends with its `Browser.view`.

    Attributes:
        connection: of the reader's role: row-level security decides what its statements see.
        app_id: whose rows.
        as_of: the day; None: everything.
    """

    def __init__(
        self, connection: Connection[Row], app_id: str, as_of: date | None, catalogues: Catalogues
    ) -> None:
        self.connection = connection
        self.app_id = app_id
        self.as_of = as_of
        self._catalogues = catalogues

    @cached_property
    def catalogue(self) -> Catalogue:
        """The documents by company and house; of a day as that day had them."""
        # what is kept is of no day; reading it anew costs what the documents of the day are
        catalogues = self._catalogues if self.as_of is None else Catalogues()
        return catalogues.of(self.connection, self.app_id)


class Browser:
    """Looks things up in one store, for any number of threads.

    Args:
        reader: of an open store; the browser does not close it.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._catalogues = Catalogues()

    @contextmanager
    def view(self, app_id: str, as_of: date | None = None) -> Generator[Viewpoint]:
        """What an application has, of what was published by a day; one transaction.

        Errors as in `Reader.reading`.
        """
        with self._reader.reading(app_id, as_of) as connection:
            yield Viewpoint(connection, app_id, as_of, self._catalogues)


@dataclass(frozen=True, slots=True)
class Paged(Tabular, Generic[Item]):
    """A part of a list.

    Attributes:
        total: items of the whole list.
        next_offset: where the next part begins; None at the end.
    """

    items: tuple[Item, ...]
    total: int
    limit: int
    offset: int
    next_offset: int | None

    @property
    def rows(self) -> tuple[Item, ...]:
        """Its items."""
        return self.items


def paged(items: Sequence[Item], total: int, limit: int, offset: int) -> Paged[Item]:
    """A part of a list that the store has cut."""
    end = offset + len(items)
    return Paged(tuple(items), total, limit, offset, end if items and end < total else None)


def part_of(items: Sequence[Item], limit: int, offset: int) -> Paged[Item]:
    """A part of a list that is held whole."""
    check_part(limit, offset)
    return paged(items[offset : offset + limit], len(items), limit, offset)


def check_part(limit: int, offset: int) -> None:
    """Refuse parts that are too large, or begin before the list.

    Raises:
        InvalidQuestion: they are.
    """
    if not 1 <= limit <= MOST:
        raise InvalidQuestion(f"limit is 1 to {MOST}, not {limit}")
    if offset < 0:
        raise InvalidQuestion(f"offset is 0 or more, not {offset}")
