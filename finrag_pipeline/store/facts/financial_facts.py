"""The figures that documents print: typed functions over `financial_facts.sql`.

What answers cite is read by `cited_facts`, a data vendor's figures are `structured_financials`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from psycopg import Connection

from finrag_pipeline.records import Document, Place
from finrag_pipeline.records.facts import FactPeriod, FinancialFact, SuppliedFact
from finrag_pipeline.store.database.copying import copy_rows
from finrag_pipeline.store.database.queries import load_queries

Row = dict[str, Any]
Q = load_queries("facts/financial_facts")

#: What has a column of the same name in both tables of figures.
_SAID = (
    *("metric", "company_key", "company_code", "company_name", "value", "unit", "currency"),
    *("text", "printed_unit", "source", "nature", "scope", "segment", "restated", "broker"),
    *("label", "quote"),
)


def replace(
    connection: Connection[Row],
    document: Document,
    facts: Sequence[FinancialFact],
    ranks: Mapping[str, int],
) -> None:
    """Store the figures of a revision in place of those that it had.

    Args:
        facts: in order of print: their place in it is part of what they are called.
        ranks: of their sources, 1 is believed first.
    """
    key = {"document_id": document.document_id, "revision": document.revision}
    connection.execute(Q.remove, key)
    copy_rows(
        connection,
        "financial_facts",
        (
            key
            | {"ordinal": ordinal, "source_rank": ranks[fact.source]}
            | said(fact)
            | {
                "checked": fact.checked,
                "page": fact.place.page,
                "bbox": list(fact.place.bbox),
                "table_ordinal": fact.table,
                "grid_row": fact.row,
                "grid_column": fact.column,
                "heading": fact.heading,
            }
            for ordinal, fact in enumerate(facts)
        ),
    )


def read(
    connection: Connection[Row], document_id: str, revision: str | None
) -> list[FinancialFact]:
    """The figures of a revision in order of print."""
    key = {"document_id": document_id, "revision": revision}
    return [_fact(row) for row in connection.execute(Q.facts_of, key)]


def never_read(connection: Connection[Row], document_ids: Sequence[str]) -> int:
    """How many of some documents readers see that no release read for figures."""
    row = connection.execute(Q.never_read, {"document_ids": list(document_ids)}).fetchone()
    assert row is not None  # a count
    return row["documents"]


def said(fact: FinancialFact | SuppliedFact) -> Row:
    """What a figure says, by columns: all but where it stands."""
    period = fact.period
    return {name: getattr(fact, name) for name in _SAID} | {
        "fiscal_year": period.fiscal_year,
        "period_kind": period.kind,
        "first_on": period.first_on,
        "last_on": period.last_on,
    }


def _fact(row: Row) -> FinancialFact:
    period = FactPeriod(
        row.pop("fiscal_year"), row.pop("period_kind"), row.pop("last_on"), row.pop("first_on")
    )
    place = Place(row.pop("page"), tuple(row.pop("bbox")))
    stood = {
        "table": row.pop("table_ordinal"),
        "row": row.pop("grid_row"),
        "column": row.pop("grid_column"),
    }
    return FinancialFact(period=period, place=place, **stood, **row)
