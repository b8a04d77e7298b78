"""Facts put straight into their table, and a catalogue of their companies, for tests of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from finrag_pipeline.query.numbers.execute import answer_numbers
from finrag_pipeline.query.numbers.reading import read_numbers
from finrag_pipeline.query.numbers.records import NumberResult
from finrag_pipeline.query.question.catalogue import Catalogue, DocumentFacts
from finrag_pipeline.stages.identity.company_keys import company_key
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.documents.catalogue import Catalogued
from finrag_pipeline_tests.documents import add_document

#: Key, name, code, what else they are called.
COMPANIES: Mapping[str, tuple[str, str | None, tuple[str, ...]]] = {
    "星河": ("星河智造股份有限公司", "300999.SZ", ("星河智造",)),
    "云岭": ("云岭药业股份有限公司", "000998.SZ", ("云岭A",)),
    "澄光": ("澄光电气集团股份有限公司", "600997.SH", ("澄光电气",)),
    "northwind": ("Northwind Robotics, Inc.", None, ()),
}
#: First and last day by kind of period, of figures over time.
_SPANS = {
    "FY": ((1, 1), (12, 31)),
    "H1": ((1, 1), (6, 30)),
    "H2": ((7, 1), (12, 31)),
    "9M": ((1, 1), (9, 30)),
    "Q1": ((1, 1), (3, 31)),
    "Q2": ((4, 1), (6, 30)),
    "Q3": ((7, 1), (9, 30)),
    "Q4": ((10, 1), (12, 31)),
}


def key_of(name: str) -> str:
    """The key of one of `COMPANIES`."""
    full, code, _ = COMPANIES[name]
    return company_key(full, code)


def catalogue(brokers: Sequence[str] = ("长风证券", "海石证券")) -> Catalogue:
    """A catalogue of one annual report of each company, and of a report of each broker."""
    found: dict[str, DocumentFacts] = {}
    known: dict[str, tuple[str, ...]] = {}
    for at, (full, code, names) in enumerate(COMPANIES.values()):
        row = Catalogued(
            f"d{at}", full, code, [code] if code else [], None, "filing", date(2025, 4, 1), True
        )
        codes = frozenset([code] if code else [])
        found[row.document_id] = DocumentFacts(row, full, company_key(full, code), codes)
        if code:
            known[code] = names
    for at, broker in enumerate(brokers):
        row = Catalogued(f"b{at}", None, None, [], broker, "industry", date(2025, 5, 1), True)
        found[row.document_id] = DocumentFacts(row, None, "", frozenset())
    return Catalogue(found, known)


def fact(
    company: str, metric: str, year: int, value: str | int, kind: str = "FY", **more: Any
) -> dict[str, Any]:
    """A row of the table of facts; `more` are columns, `instant` for what has no first day."""
    full, code, _ = COMPANIES[company]
    first, last = _SPANS[kind]
    row: dict[str, Any] = {
        "document_id": f"{company}-{year}{kind}",
        "metric": metric,
        "company_key": company_key(full, code),
        "company_code": code,
        "company_name": full,
        "fiscal_year": year,
        "period_kind": kind,
        "first_on": None if more.pop("instant", False) else date(year, *first),
        "last_on": date(year, *last),
        "value": Decimal(value),
        "unit": "CNY",
        "source": "annual",
        "source_rank": 1,
        "nature": "actual",
        "scope": "consolidated",
        "segment": "",
        "restated": False,
        "broker": None,
        "checked": None,
    }
    row |= more
    unit = row["unit"].partition("/")[0]
    row["currency"] = unit if len(unit) == 3 and unit.isascii() else None
    return row


def hold(database: Database, facts: Sequence[dict[str, Any]]) -> None:
    """Store facts, each under its document, published on 1 April 2025 unless they say."""
    held = [dict(each) for each in facts]
    with database.transaction() as connection:
        for at, each in enumerate(held):
            published_on = each.pop("published_on", date(2025, 4, 1))
            document = each["document_id"]
            there = connection.execute(
                "select 1 from documents where document_id = %s", (document,)
            ).fetchone()
            if not there:
                add_document(connection, document, ["正文"], published_on=published_on)
            row = {
                "text": str(each["value"]),
                "quote": "",
                **each,
                "revision": "r1",
                "ordinal": at,
                "app_id": "default",
                "published_on": published_on,
                "printed_unit": "元",
                "page": 1,
                "bbox": [0.0, 0.0, 1.0, 1.0],
                "label": "",
                "heading": "",
            }
            columns = ", ".join(row)
            values = ", ".join(f"%({name})s" for name in row)
            connection.execute(
                f"insert into financial_facts ({columns}) values ({values})",  # pyright: ignore[reportArgumentType]
                row,
            )


def answered(reader: Reader, question: str) -> NumberResult:
    """A question read and answered from what is held."""
    read = read_numbers(question, catalogue())
    assert read is not None
    with reader.reading("default") as connection:
        return answer_numbers(read, connection)


def told(result: NumberResult) -> list[str]:
    """The figures of a result, rounded to four digits: `星河 revenue 2024 100 CNY`."""
    keys = {key_of(name): name for name in COMPANIES}
    return [
        " ".join(
            filter(
                None,
                (
                    keys.get(row.company_key, ""),
                    row.measure.name,
                    str(row.period or ""),
                    "-" if row.value is None else f"{round(row.value, 4).normalize():f}",
                    row.unit if row.value is not None else row.status,
                    row.broker or "",
                ),
            )
        )
        for row in result.rows
    ]
