"""Routing by labelled questions: what intent is read, and what kind of evidence answers first.

By words alone, or with the companies and houses of a store. What is then answered is `told`'s.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from finrag_pipeline.evaluation.json_lines import read_lines
from finrag_pipeline.evaluation.report import Report, percent
from finrag_pipeline.query.numbers.reading import read_numbers
from finrag_pipeline.query.question.catalogue import Catalogue
from finrag_pipeline.query.question.catalogues import Catalogues
from finrag_pipeline.query.question.intents import read_intent
from finrag_pipeline.query.question.reading import read_question
from finrag_pipeline.query.router import routed
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.reader import open_reader


@dataclass(frozen=True, slots=True)
class _Label:
    question: str
    intent: str
    route: str


def measure(files: Sequence[Path], settings: Settings | None = None) -> Report:
    """Shares of right routes and intents, by the intent that a question is labelled with.

    Args:
        files: a question, its `intent` (a row of `routes.csv`) and its `route` a line.
        settings: of the store whose companies and houses are known; None: none is.
    """
    catalogue = _catalogue(settings) if settings else Catalogue({})
    asked: Counter[str] = Counter()
    intents: Counter[str] = Counter()
    routes: Counter[str] = Counter()
    misses: list[str] = []
    for label in _labels(files):
        figures = read_numbers(label.question, catalogue) is not None
        intent = read_intent(
            label.question, read_question(label.question, catalogue), figures=figures
        )
        kind = routed(intent, figures=figures)
        asked[label.intent] += 1
        intents[label.intent] += intent.name == label.intent
        routes[label.intent] += kind == label.route
        if (intent.name, kind) != (label.intent, label.route):
            wrong = f"{intent.name}, {kind} ({intent.cue or 'no word'})"
            misses.append(f"{label.question}: {wrong}, not {label.intent}, {label.route}")
    rows = [
        (name, percent(routes[name], total), percent(intents[name], total))
        for name, total in asked.items()
    ]
    total = asked.total()
    rows.append(("all", percent(routes.total(), total), percent(intents.total(), total)))
    known = f"the companies of app {settings.app!r}" if settings else "no company"
    return Report(
        "Routes of questions",
        ("intent", "route", "intent read"),
        tuple(rows),
        (f"Read by words, knowing {known}.",),
        tuple(misses),
    )


def _labels(files: Sequence[Path]) -> Iterator[_Label]:
    for file in files:
        yield from read_lines(
            file,
            lambda row: _Label(**row),
            lacks="is no question with its route",
            give='{"question", "intent", "route"}',
        )


def _catalogue(settings: Settings) -> Catalogue:
    with open_reader(settings) as reader, reader.reading(settings.app) as connection:
        return Catalogues().of(connection, settings.app)
