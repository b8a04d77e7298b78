"""Milliseconds that a question spends on whom and when it means, in a store of many documents.

`python benchmarks/question_scope.py [--documents 10000]` fills a store of its own in a temporary
home with filings of made-up companies, asks for them by name, and prints one table: the first
question of a process reads the catalogue, each later one what changed, one after a publication the
documents published.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

from finrag_pipeline.query.question.catalogues import Catalogues
from finrag_pipeline.query.question.reading import read_question
from finrag_pipeline.query.question.scope import Scope
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.embedded.server import stop_embedded_server
from finrag_pipeline.store.search.filters import Filter

APP = "scope"
YEARS = range(2021, 2026)
QUESTIONS = 300
#: Documents whose agreement a ranking asks for.
RANKED = 200
_CHINESE = "星河远山辰光澄海云岭青禾锦程瑞丰恒泰嘉木宏图博远凌峰盛世安澜启航"
_BUSINESS = ("电器", "医药", "新材", "科技", "能源", "银行", "股份", "生物")
_LATIN = ("Zyn", "Bel", "Cor", "Dra", "Elm", "Fen", "Gal", "Hex", "Ira", "Jun", "Kal", "Lor")
_SECOND = ("Resorts", "Systems", "Materials", "Beauty", "Foods", "Devices", "Motors", "Bancorp")


def main() -> None:
    """Fill, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="finrag-") as home:
        settings = Settings(_env_file=None, home=Path(home))  # type: ignore[call-arg]
        try:
            with Database.open(settings) as database:
                names = fill(database, options.documents)
                measure(database, names)
        finally:
            stop_embedded_server(Path(home))


def fill(database: Database, documents: int) -> list[str]:
    """One filing a company and year; the companies' names."""
    draw = random.Random(1)
    names: dict[str, None] = {}
    while len(names) < documents // len(YEARS):
        if draw.random() < 0.5:
            names["".join(draw.sample(_CHINESE, 2)) + draw.choice(_BUSINESS)] = None
        else:
            first = "".join(draw.sample(_LATIN, 2)).capitalize()
            names[f"{first} {draw.choice(_SECOND)}, Inc."] = None
    rows = [
        (f"d{number:05}-{year}", name, f"{number:06}.SZ" if name.isalpha() else None, year)
        for number, name in enumerate(names)
        for year in YEARS
    ]
    with database.transaction() as connection, connection.cursor() as cursor:
        cursor.executemany(
            "insert into documents (document_id, app_id, content_sha256, size_bytes, arrival_on,"
            " status) values (%s, %s, %s, 1, %s, 'registered')",
            [(row[0], APP, row[0], date(2026, 1, 1)) for row in rows],
        )
        cursor.executemany(
            "insert into document_revisions (document_id, revision, page_count, kind, language,"
            " company_name, company_code, company_codes, published_on, published_on_printed,"
            " period_first_on, period_last_on, fiscal_year)"
            " values (%s, 'r', 1, 'filing', 'zh', %s, %s, array_remove(array[%s], null), %s, true,"
            " %s, %s, %s)",
            [
                (
                    *(key, name, code, code, date(year + 1, 4, 1)),
                    *(date(year, 1, 1), date(year, 12, 31), year),
                )
                for key, name, code, year in rows
            ],
        )
        cursor.execute("update documents set status = 'indexed', current_revision = 'r'")
    return list(names)


def measure(database: Database, names: list[str]) -> None:
    """Print the table."""
    draw = random.Random(2)
    asked = [
        f"{name}{draw.choice(YEARS)}年度的营业收入是多少？"
        if name.isalpha()
        else f"What was the FY{draw.choice(YEARS)} operating margin of {name.partition(',')[0]}?"
        for name in draw.choices(names, k=QUESTIONS)
    ]
    unnamed = ["储能行业的竞争格局在过去几年里发生了什么变化，谁的份额提高了？" * 2] * QUESTIONS
    catalogues = Catalogues()

    def ask(question: str) -> Scope:
        with database.connection() as connection:
            catalogue = catalogues.of(connection, APP)
        scope = Scope(read_question(question, catalogue), catalogue, Filter(APP))
        for document_id in list(catalogue.documents)[:RANKED]:
            scope.agreement(document_id)
        return scope

    def published(question: str) -> None:
        with database.transaction() as connection:
            connection.execute(
                "insert into index_changes (app_id, document_id) values (%s, 'd00001-2021')", (APP,)
            )
        start = time.perf_counter()
        ask(question)
        late.append(1000 * (time.perf_counter() - start))

    late: list[float] = []
    first = timed(ask, asked[:1])
    found = sum(bool(ask(question).groups) for question in asked)
    for question in asked[:20]:
        published(question)
    print(f"{len(names)} companies; {found} of {len(asked)} questions find theirs")
    print("| question | p50 ms | p95 ms |\n|---|---|---|")
    for label, times in (
        ("first of a process", first),
        ("names a company and a year", timed(ask, asked)),
        ("names nobody", timed(ask, unnamed)),
        ("after a publication", late),
    ):
        high = statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
        print(f"| {label} | {statistics.median(times):.1f} | {high:.1f} |")


def timed(ask: Callable[[str], object], questions: list[str]) -> list[float]:
    """Milliseconds of each question."""
    times: list[float] = []
    for question in questions:
        start = time.perf_counter()
        ask(question)
        times.append(1000 * (time.perf_counter() - start))
    return times


if __name__ == "__main__":
    main()
