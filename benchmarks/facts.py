"""Milliseconds of typical look-ups of figures through the views that readers have: one table.

`python benchmarks/facts.py [--facts 1000000] [--plans]` fills a store of its own in a temporary
home with annual and interim figures of invented companies, a tenth of them printed a second time by
the next report, and with forecasts of brokers.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.synthetic_reports import company
from benchmarks.synthetic_store import settle
from finrag_pipeline.grammar.fact_metrics import fact_metrics
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.embedded.server import stop_embedded_server

APP = "default"
REVISION = "r"
YEARS = range(2015, 2025)
PERIODS = {"Q1": 3, "H1": 6, "9M": 9, "FY": 12}
#: Of the vocabulary, in number like those of an annual report.
METRICS = [*fact_metrics()][:60]
BROKERS = [f"券商{number}" for number in range(8)]
ROUNDS = 200

_LOOKUPS = {
    "a company's figure of one period": (
        "select value from best_facts where company_key = %(company)s and metric = %(metric)s"
        " and fiscal_year = %(year)s and period = 'FY' and scope = 'consolidated'"
        " and nature = 'actual' and segment = ''"
    ),
    "a company's figure of ten years": (
        "select fiscal_year, value from best_facts where company_key = %(company)s"
        " and metric = %(metric)s and period = 'FY' and scope = 'consolidated'"
        " and nature = 'actual' and segment = '' order by fiscal_year"
    ),
    "all that a company has of a year": (
        "select metric, value from facts where company_key = %(company)s and fiscal_year = %(year)s"
    ),
    "forecasts of brokers for a company": (
        "select broker, value from best_facts where company_key = %(company)s"
        " and metric = %(metric)s and nature = 'forecast' and fiscal_year = 2025"
    ),
    "ten companies compared": (
        "select company_key, value from best_facts where company_key = any(%(companies)s)"
        " and metric = %(metric)s and fiscal_year = %(year)s and period = 'FY'"
        " and scope = 'consolidated' and nature = 'actual' and segment = ''"
    ),
    "the ten largest of all companies": (
        "select company_key, value from best_facts where metric = %(metric)s"
        " and fiscal_year = %(year)s and period = 'FY' and scope = 'consolidated'"
        " and nature = 'actual' and segment = '' order by value desc limit 10"
    ),
    "how many companies reach a value": (
        "select count(*) from best_facts where metric = %(metric)s and fiscal_year = %(year)s"
        " and period = 'FY' and scope = 'consolidated' and nature = 'actual' and segment = ''"
        " and value >= 500000000"
    ),
    "the name of a company": "select * from companies where company_key = %(company)s",
}


def main() -> None:
    """Fill, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--facts", type=int, default=1_000_000)
    parser.add_argument("--plans", action="store_true", help="print how Postgres goes about each")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="finrag-") as home:
        settings = Settings(_env_file=None, home=Path(home))  # type: ignore[call-arg]
        try:
            with Database.open(settings) as database:
                start = time.perf_counter()
                companies, facts = fill(database, options.facts)
                seconds = time.perf_counter() - start
                print(f"{facts} facts of {len(companies)} companies, filled in {seconds:.0f} s")
            with Reader.open(settings) as reader:
                measure(reader, companies, None, options.plans)
                measure(reader, companies, date(2022, 6, 30), False)
        finally:
            stop_embedded_server(Path(home))


def fill(database: Database, least: int) -> tuple[list[str], int]:
    """Write whole companies until there are as many facts as asked for.

    Returns:
        Keys of the companies, and the number of facts.
    """
    companies: list[str] = []
    documents: list[tuple[str, date, str, str]] = []
    rng = random.Random(7)
    written = 0
    with database.transaction() as connection:
        connection.execute("alter table financial_facts disable trigger all")
        with connection.cursor().copy(f"copy financial_facts ({_COLUMNS}) from stdin") as copy:
            while written < least:
                code = code_of(len(companies))
                name = company(len(companies))[1]
                companies.append(code)
                for document, day, facts in _documents(code, name, rng):
                    documents.append((document, day, code, name))
                    for ordinal, fact in enumerate(facts):
                        copy.write_row((document, REVISION, ordinal, APP, day, *fact))
                        written += 1
        with connection.cursor().copy(
            "copy documents (document_id, app_id, content_sha256, size_bytes, arrival_on, status,"
            " current_revision) from stdin"
        ) as copy:
            for document, day, _, _ in documents:
                copy.write_row((document, APP, document, 1, day, "indexed", REVISION))
        with connection.cursor().copy(
            "copy document_revisions (document_id, revision, app_id, page_count, kind, language,"
            " company_code, company_name, published_on, published_on_printed) from stdin"
        ) as copy:
            for document, day, code, name in documents:
                copy.write_row((document, REVISION, APP, 1, "annual", "zh", code, name, day, True))
        connection.execute("alter table financial_facts enable trigger all")
    settle(database)
    return companies, written


def code_of(number: int) -> str:
    """The code of a company's listing."""
    return f"{600000 + number}.SH"


def measure(reader: Reader, companies: list[str], as_of: date | None, plans: bool) -> None:
    """Ask each look-up many times, of other companies each time, and print what it took."""
    print(f"\nas of {as_of or 'today'}\n| look-up | p50 ms | p95 ms |\n|---|---|---|")
    for name, taken in timed(reader, companies, as_of).items():
        p50, p95 = np.percentile(taken, (50, 95))
        print(f"| {name} | {p50:.1f} | {p95:.1f} |")
        if plans:
            given = _given(random.Random(11), companies)
            with reader.reading(APP, as_of) as connection:
                told = connection.execute(f"explain (analyze) {_LOOKUPS[name]}".encode(), given)
                print(*(line for row in told for line in row.values()), sep="\n")


def timed(reader: Reader, companies: list[str], as_of: date | None) -> dict[str, list[float]]:
    """Milliseconds of every time that each look-up is asked."""
    rng = random.Random(11)
    taken: dict[str, list[float]] = {}
    for name, query in _LOOKUPS.items():
        taken[name] = []
        for _ in range(ROUNDS):
            given = _given(rng, companies)
            start = time.perf_counter()
            with reader.reading(APP, as_of) as connection:
                connection.execute(query.encode(), given).fetchall()
            taken[name].append((time.perf_counter() - start) * 1000)
    return taken


def _given(rng: random.Random, companies: list[str]) -> dict[str, Any]:
    return {
        "company": rng.choice(companies),
        "companies": rng.sample(companies, min(10, len(companies))),
        "metric": rng.choice(METRICS),
        "year": rng.choice(YEARS),
    }


_COLUMNS = (
    "document_id, revision, ordinal, app_id, published_on, metric, company_key, company_code,"
    " company_name, fiscal_year, period_kind, first_on, last_on, value, unit, currency, text,"
    " printed_unit, source, source_rank, nature, scope, segment, restated, broker, checked, page,"
    " bbox, table_ordinal, grid_row, grid_column, label, heading, quote"
)


def _documents(
    code: str, name: str, rng: random.Random
) -> Iterator[tuple[str, date, list[tuple[Any, ...]]]]:
    """The filings of a company and a broker's reports on it, each with its facts."""
    for year in YEARS:
        for kind, months in PERIODS.items():
            last = date(year, months, 28)
            # interim reports have the main figures alone
            metrics = METRICS if kind == "FY" else METRICS[:20]
            facts: list[tuple[Any, ...]] = []
            for metric in metrics:
                facts.append(_fact(code, name, metric, year, kind, last, 1, rng))
                if rng.random() < 0.1:  # its year before, beside it
                    before = last.replace(year=year - 1)
                    facts.append(_fact(code, name, metric, year - 1, kind, before, 2, rng))
            yield f"d{code}{year}{kind}", last + timedelta(60), facts
    for broker in BROKERS:
        facts = [
            _fact(code, name, metric, year, "FY", date(year, 12, 28), 7, rng, broker)
            for metric in METRICS[:5]
            for year in (2025, 2026, 2027)
        ]
        yield f"d{code}{broker}", date(2025, 3, 1), facts


def _fact(
    code: str,
    name: str,
    metric: str,
    year: int,
    kind: str,
    last: date,
    rank: int,
    rng: random.Random,
    broker: str | None = None,
) -> tuple[Any, ...]:
    value = rng.randrange(10**9)
    nature = "forecast" if broker else "actual"
    return (
        *(metric, code, code, name, year, kind, date(year, 1, 1), last, value),
        *("CNY", "CNY", f"{value:,}", "元", "annual", rank, nature, "consolidated", "", False),
        *(broker, True, 1, [0, 0, 1, 1], 1, 1, 1, metric, str(year), f"{metric} {value:,} 元"),
    )


if __name__ == "__main__":
    main()
