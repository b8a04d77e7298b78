"""The figures that a data vendor supplied: typed functions over `structured_financials.sql`.

What documents print is `financial_facts`; both meet in the views that questions read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from psycopg import Connection

from finrag_pipeline.records.facts import SuppliedFact
from finrag_pipeline.store.database.copying import copy_rows
from finrag_pipeline.store.database.queries import load_queries
from finrag_pipeline.store.facts.financial_facts import said

Row = dict[str, Any]
Q = load_queries("facts/structured_financials")


def file_id(app_id: str, file: str, sheet: str) -> str:
    """What rows of a table are found by: the same on every machine.

    >>> file_id("default", "income.csv", "")
    'vf16b75704b2e5281'
    """
    digest = hashlib.sha256(f"{app_id}\n{file}\n{sheet}".encode()).hexdigest()
    return f"v{digest[:16]}"


def replace(
    connection: Connection[Row],
    app_id: str,
    file: str,
    sheet: str,
    facts: Sequence[SuppliedFact],
    rank: int,
) -> None:
    """Store the figures of a table in place of those that it gave before.

    Args:
        file: its path as its mapping writes it.
        rank: of a vendor's data among kinds of sources.
    """
    key = {"app_id": app_id, "file": file, "file_id": file_id(app_id, file, sheet)}
    connection.execute(Q.remove, key)
    copy_rows(
        connection,
        "structured_financials",
        (
            key
            | {"ordinal": ordinal, "source_rank": rank, "published_on": fact.published_on}
            | said(fact)
            | {"sheet": fact.sheet, "line": fact.line}
            for ordinal, fact in enumerate(facts)
        ),
    )


def remove_others(connection: Connection[Row], app_id: str, kept: Sequence[str]) -> list[Row]:
    """Remove the figures of tables that a mapping names no more.

    Args:
        kept: ids of those that it does.

    Returns:
        File, sheet and number of figures of each that went.
    """
    return connection.execute(Q.remove_others, {"app_id": app_id, "kept": list(kept)}).fetchall()


def lock(connection: Connection[Row], app_id: str) -> None:
    """Let other loads of the same application wait until the transaction ends."""
    connection.execute(Q.lock, {"app_id": app_id})


def count(connection: Connection[Row], app_id: str) -> int:
    """Figures that are there of an application."""
    row = connection.execute(Q.held, {"app_id": app_id}).fetchone()
    return row["figures"] if row else 0
