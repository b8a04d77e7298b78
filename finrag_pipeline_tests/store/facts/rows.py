"""Figures put straight into the store, for tests of what reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from psycopg import Connection

from finrag_pipeline.records import Document, Place
from finrag_pipeline.records.facts import FactPeriod, FinancialFact
from finrag_pipeline.stages.facts.sources import fact_sources
from finrag_pipeline.store.facts import financial_facts
from finrag_pipeline_tests.documents import add_document

RANKS = {name: source.rank for name, source in fact_sources().items()}
BASE = FinancialFact(
    metric="revenue",
    company_key="300999.SZ",
    company_code="300999.SZ",
    company_name="星河新材",
    period=FactPeriod(2024, "FY", date(2024, 12, 31), date(2024, 1, 1)),
    value=Decimal(100),
    unit="CNY",
    text="100",
    printed_unit="元",
    source="annual",
    place=Place(1, (1.0, 2.0, 3.0, 4.0)),
    quote="营业收入 | 100",
    checked=True,
    table=0,
    row=1,
    column=1,
    label="营业收入",
    heading="2024年",
)


def fact(value: int | str, **changed: Any) -> FinancialFact:
    """A figure of 星河新材: its revenue of 2024, unless told otherwise."""
    return replace(BASE, value=Decimal(value), text=str(value), **changed)


def add_facts(
    connection: Connection[Any],
    document_id: str,
    facts: Sequence[FinancialFact],
    *,
    app_id: str = "default",
    revision: str = "r1",
    contents: Sequence[str] = (),
    **told: Any,
) -> Document:
    """An indexed document that prints some figures; the rest as for `add_document`."""
    add_document(connection, document_id, contents, app_id=app_id, revision=revision, **told)
    document = Document(document_id, app_id, "", 1, date(2026, 3, 1), document_id, (), revision)
    financial_facts.replace(connection, document, facts, RANKS)
    return document
