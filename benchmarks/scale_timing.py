"""What `scale` times in a filled store: searches lane by lane, publications, nights, a week."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import facts
from benchmarks import synthetic_store as store
from benchmarks.lanes import EMBEDDED
from benchmarks.nightly_growth import COMPARED, ms
from benchmarks.scale_library import Library
from benchmarks.scale_store import AtOnce, copy_vectors
from benchmarks.synthetic_reports import APP, company, day_of, drawn
from finrag_pipeline.errors import FinragError
from finrag_pipeline.models.embedding import Embedder
from finrag_pipeline.pipelines.documents.indexed_documents import withdraw_document
from finrag_pipeline.pipelines.graph.entity_summaries import write_summaries
from finrag_pipeline.pipelines.graph.graph_check import differences
from finrag_pipeline.pipelines.graph.graph_texts import embed_graph
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.pipelines.weeks.chain_reports import report_week
from finrag_pipeline.pipelines.weeks.community_summaries import summarise_week
from finrag_pipeline.pipelines.weeks.leiden_communities import cluster_week
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.records.communities import week_of
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline.store.search import embeddings
from finrag_pipeline.store.search.filters import Filter
from finrag_pipeline.store.search.keyword_index import KeywordCopy, KeywordIndex
from finrag_pipeline.words import words

LANES = ("keyword", "vector", "table", "fact", "graph")
#: Questions of each form, and those that warm up before.
QUESTIONS, WARMING = 50, 20
#: Documents of the nights that are timed.
NIGHTS = (10, 40)
#: Publications that are timed one by one.
PUBLICATIONS = 30
_ASKED = ("营业收入", "净利润", "毛利率", "研发费用")


def forms(library: Library) -> dict[str, list[str]]:
    """Questions of each form: words of a paragraph, these of a company, a figure, relations."""
    rng = random.Random(7)
    cut: list[str] = []
    while len(cut) < 2 * QUESTIONS:
        text, at = rng.choice(library.texts), rng.randrange(EMBEDDED // 2)
        if len(words(text[at : at + 20])) > 4:
            cut.append(text[at : at + 20])
    names = [company(drawn(rng))[1] for _ in range(2 * QUESTIONS)]
    # companies of which figures are held
    held = max(1, library.documents * 20 * 695 // 1_000_370)
    figures = (
        f"{company(rng.randrange(held))[1]}{year}年{rng.choice(_ASKED)}是多少？"
        for year in rng.choices(range(2016, 2025), k=QUESTIONS)
    )
    return {
        "words": cut[:QUESTIONS],
        "company": [f"{n}{c}" for n, c in zip(names, cut[QUESTIONS:], strict=False)],
        "figure": list(figures),
        "relation": [f"{name}的供应商有哪些？" for name in names[QUESTIONS:]],
    }


def searches(engine: QueryEngine, library: Library, home: Path) -> dict[str, Any]:
    """Percentiles of milliseconds from end to end: of each lane alone, of all, of answers."""
    asked = forms(library)
    mixed = [each for group in zip(*asked.values(), strict=True) for each in group]
    told: dict[str, Any] = {}
    for lane in LANES:
        questions = asked["figure"] if lane in ("table", "fact") else mixed
        taken = timed(questions, lambda one, lane=lane: engine.search(one, Options(lane=lane)))
        told[lane] = percentiles(taken)
    steps: list[dict[str, float]] = []
    asker, server = time.process_time(), server_s(home)
    taken = timed(mixed, lambda question: steps.append(engine.search(question).latency_ms))
    told["all lanes"] = percentiles(taken)
    told["all lanes, processor time"] = {
        "asker": round((time.process_time() - asker) * 1000 / len(steps), 1),
        "server": round((server_s(home) - server) * 1000 / len(steps), 1),
    }
    for at, form in enumerate(asked):
        told[f"all lanes, {form}"] = percentiles(taken[at :: len(asked)])
    for step in sorted({step for each in steps for step in each}):
        told[f"all lanes, their {step}"] = percentiles([each.get(step, 0.0) for each in steps])
    told["answers"] = percentiles(timed(mixed, engine.ask))
    return told


def look_ups(reader: Reader, companies: int) -> dict[str, Any]:
    """Percentiles of milliseconds of looking figures up by the views."""
    codes = [facts.code_of(number) for number in range(companies)]
    taken = facts.timed(reader, codes, None)
    return {name: percentiles(times) for name, times in taken.items()}


def timed(questions: Sequence[str], ask: Callable[[str], object]) -> list[float]:
    """Milliseconds of asking each question once, after some that warm up."""
    for question in questions[:WARMING]:
        ask(question)
    return [ms(lambda question=question: ask(question)) for question in questions]


def percentiles(taken: Sequence[float]) -> dict[str, float]:
    p50, p95 = np.percentile(taken, [50, 95])
    return {"p50": round(float(p50), 1), "p95": round(float(p95), 1)}


def recall(reader: Reader, embedder: Embedder, library: Library) -> dict[str, float]:
    """What the vector search finds of the ten nearest; equally near ones stand for one another."""
    asked = [each for group in forms(library).values() for each in group]
    questions = np.asarray(embedder.embed_questions(asked), dtype=np.float32)
    rounded = questions.astype(np.float16).astype(np.float32)
    best = np.full((len(asked), 10), -1.0, dtype=np.float32)
    for start in range(0, library.documents, 500):
        numbers = range(start, min(start + 500, library.documents))
        stored = np.concatenate([library.vectors(number) for number in numbers])
        cosines = rounded @ stored.astype(np.float16).astype(np.float32).T
        both = np.concatenate([best, cosines], axis=1)
        best = np.partition(both, -10, axis=1)[:, -10:]
    found: list[float] = []
    taken: list[float] = []
    for vector, nearest in zip(questions, best, strict=True):
        start_at = time.perf_counter()
        with reader.reading(APP) as connection:
            hits = embeddings.nearest(connection, embedder.space, vector, 50, Filter(APP))
        taken.append((time.perf_counter() - start_at) * 1000)
        found.append(sum(hit.score >= nearest.min() - 1e-4 for hit in hits[:10]) / 10)
    return {"recall@10": round(float(np.mean(found)), 4), **percentiles(taken)}


class Nights:
    """Publications and nights of a store, whose documents are withdrawn again."""

    def __init__(
        self, database: Database, settings: Settings, library: Library, embedder: AtOnce
    ) -> None:
        self._database, self._library, self._embedder = database, library, embedder
        self._run = Run(database, settings, Scope(APP))
        self._settings = settings
        self._number = library.documents
        self._published: list[str] = []

    def timed(self) -> dict[str, Any]:
        """Milliseconds of publications, and of every step of nights of some sizes."""
        with Reader.open(self._settings) as reader:
            copy = KeywordIndex(self._settings.home / "keyword", reader).of(APP)
            copy.sync()
            told: dict[str, Any] = {}
            self._night(copy, 1)  # what filling left
            taken = [self._publication() for _ in range(PUBLICATIONS)]
            for at, step in enumerate(("read", "vectors", "publish")):
                told[f"one document, {step}"] = percentiles([each[at] for each in taken])
            followed = [self._followed(copy) for _ in range(10)]
            told["one document, until found by words"] = percentiles(followed)
            told["a night of 0 documents"] = self._night(copy, 0)
            for documents in NIGHTS:
                told[f"a night of {documents} documents"] = self._night(copy, documents)
            gone = [
                ms(lambda each=each: withdraw_document(self._database, APP, each))
                for each in self._published
            ]
            told["withdrawal"] = percentiles(gone)
            self._night(copy, 0)
        return told

    def _publication(self) -> tuple[float, float, float]:
        number = self._number
        self._number += 1
        label = f"night of {time.time_ns()}"  # a store may be timed again
        report = self._library.report(number, day_of(self._library.documents), label)
        self._published.append(report.document.document_id)
        read = ms(lambda: store.read(self._database, report))

        def add() -> None:
            with self._database.transaction() as connection:
                copy_vectors(connection, self._embedder, self._library, [number], [report])

        return read, ms(add), ms(lambda: store.publish(self._database, report))

    def _followed(self, copy: KeywordCopy) -> float:
        self._publication()
        return ms(copy.sync)

    def _night(self, copy: KeywordCopy, documents: int) -> dict[str, float]:
        """Milliseconds of each step of a night, once."""
        on = day_of(self._library.documents) + timedelta(self._number % 1000)
        steps = {
            "documents": lambda: [self._publication() for _ in range(documents)],
            "vectors of the graph": lambda: embed_graph(self._database, APP, self._embedder),
            "summaries": lambda: write_summaries(self._run),
            "check of words": lambda: copy.verify(on),
            "check of the graph": lambda: differences(self._database, APP, COMPARED, str(on)),
        }
        told = {name: round(ms(step), 1) for name, step in steps.items()}
        return told | {"in all": round(sum(told.values()), 1)}


def weeks(database: Database, settings: Settings, library: Library) -> dict[str, Any]:
    """Seconds of the first weekly build and of the next one, step by step."""
    run = Run(database, settings, Scope(APP))
    last = week_of(day_of(library.documents))
    told: dict[str, Any] = {}
    for name, week in (("first week", last), ("next week", last + timedelta(weeks=1))):
        steps: dict[str, Any] = {}
        for step, build in (
            ("communities", cluster_week),
            ("reports", summarise_week),
            ("chains and vectors", report_week),
        ):
            start = time.perf_counter()
            try:
                made = build(run, week)
            except FinragError as error:
                steps[step] = str(error)
                break
            steps[step] = round(time.perf_counter() - start, 1)
            steps[f"made by {step}"] = str(made)[:400]
        told[name] = steps
    return told


def server_s(home: Path) -> float:
    """Seconds of a processor that the processes of a server have taken, those that run still."""
    postmaster = (home / "postgres" / "postmaster.pid").read_text().split()[0]
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        if fields[1] == postmaster:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def machine() -> dict[str, Any]:
    """How busy the machine is while this is written."""
    with open("/proc/loadavg") as file:
        return {"load": file.read().split()[0], "at": time.strftime("%H:%M:%S")}
