"""What documents of an app say of themselves, and what of it changed: functions over
`catalogue.sql`.

Which of them a question means is the query's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from psycopg import Connection

from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("documents/catalogue")


@dataclass(frozen=True, slots=True)
class Catalogued:
    """A document that readers see.

    Attributes:
        other_names: what else its own filing calls its company.
        source: its file's name.
        aliases: what else its company is called, as a record of it says.
        period_last_on: the last day that it reports on, None where it says none or was read by a
            release that did not ask.
    """

    document_id: str
    company_name: str | None
    company_code: str | None
    company_codes: list[str]
    broker: str | None
    kind: str
    published_on: date
    published_on_printed: bool
    period_first_on: date | None = None
    period_last_on: date | None = None
    fiscal_year: int | None = None
    other_names: Sequence[str] = ()
    source: str | None = None
    aliases: Sequence[str] = ()
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed since a horizon: documents, or None where the log does not reach back."""

    horizon: int
    document_ids: tuple[str, ...] | None


def documents(
    connection: Connection[Row], app_id: str, document_ids: Sequence[str] | None = None
) -> list[Catalogued]:
    """The documents of an app in order of ids, or those of some that there still are."""
    ids = list(document_ids) if document_ids is not None else None
    rows = connection.execute(Q.documents, {"app_id": app_id, "document_ids": ids})
    return [Catalogued(**row) for row in rows]


def known_names(
    connection: Connection[Row], app_id: str, codes: Iterable[str]
) -> dict[str, tuple[str, ...]]:
    """What else the graph of an app calls the companies of some codes, by code."""
    names: dict[str, list[str]] = {}
    for row in connection.execute(Q.known_names, {"app_id": app_id, "codes": sorted(codes)}):
        names.setdefault(row["code"], []).append(row["name"])
    return {code: tuple(each) for code, each in names.items()}


def changes(connection: Connection[Row], since: int) -> Changes:
    """What changed by transactions that ended since a horizon; order of commits does not matter."""
    row = connection.execute(Q.changed, {"since": since}).fetchone()
    assert row is not None  # a migration inserts the only row of `store_identity`
    whole = since >= row["changes_from"]
    return Changes(row["horizon"], tuple(row["document_ids"]) if whole else None)
