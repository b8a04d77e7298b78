"""`finrag evaluate retrieval`: how often questions find their pages, by every way to search.

**What counts.** A result counts for all pages of its regions. A gold page is found at the rank of
the first result that stands on it; further results on it, and results that stand in no document,
take their ranks for nothing. K counts results. Copies and parent pages that a result names beside
its place do not count. Where the gold names documents and no pages, any result of one counts, once.

**Who counts.** All questions of a file. One that raises an error, finds nothing, or whose gold is
not in the store counts 0 in every measure, and is told of in numbers beside the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from finrag_pipeline.evaluation.report import Report
from finrag_pipeline.evaluation.retrieval.plain_bm25 import PlainBm25
from finrag_pipeline.evaluation.retrieval.questions import GoldQuestion, read_questions
from finrag_pipeline.evaluation.retrieval.rankings import (
    CUTOFFS,
    FIRST,
    Unit,
    figures,
    first_rank,
    overlap,
)
from finrag_pipeline.evaluation.retrieval.variants import (
    SHIPPED,
    Found,
    Task,
    Variants,
    tasks_of,
    ways,
    with_document,
)
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.reader import Reader

#: Told how many of the questions of a file are through.
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Measured:
    """What the variants found for the questions of one file.

    Attributes:
        name: of the file, with its folder: many are called the same.
        left_out: questions that were not asked, since their gold stands in several documents.
        missing: why documents of the gold are not in the store, by name.
        found: by variant.
    """

    name: str
    tasks: tuple[Task, ...]
    left_out: int
    missing: dict[str, str]
    found: dict[str, Found]

    @property
    def gold(self) -> dict[str, tuple[Unit, ...]]:
        return {task.question.id: task.units for task in self.tasks}

    def figures(self, variant: str, cutoffs: Sequence[int] = CUTOFFS) -> dict[str, float]:
        """Measures of one variant by name."""
        return figures(self.found[variant].rankings, self.gold, cutoffs)

    def ranks(self, variant: str) -> dict[str, int]:
        """By question the rank of the first result on a gold page, 0 where there is none."""
        rankings = self.found[variant].rankings
        return {
            question: first_rank(rankings[question], gold) for question, gold in self.gold.items()
        }


def measure(
    files: Sequence[Path],
    settings: Settings,
    *,
    cutoffs: Sequence[int] = CUTOFFS,
    lanes: bool = False,
    given_document: bool = False,
    progress: Progress | None = None,
) -> list[Measured]:
    """Ask the questions of each file in every way, in this process, over the configured store.

    Args:
        files: question files, see `read_questions`.
        settings: whose store, app, embedder and reranker count. Nothing is written to the store.
        cutoffs: ranks at which recall is read off; the largest is how many results are asked for.
        lanes: whether each lane is asked alone too, and the baselines made of them.
        given_document: whether each question is asked about the one document of its gold.
        progress: is called after every question with the file's name, those through, and all.

    Raises:
        ConfigurationError: a file holds no questions.
        FinragError: the store cannot be read.
    """
    read = {path: read_questions(path) for path in files}
    with Reader.open(settings) as reader:
        variants = Variants(
            QueryEngine(reader, settings),
            PlainBm25(reader, settings.app),
            ways(settings.app, max(*cutoffs, FIRST), lanes),
            baselines=lanes,
        )
        return [
            _measure(reader, settings.app, variants, name_of(path), each, given_document, progress)
            for path, each in read.items()
        ]


def name_of(path: Path) -> str:
    """A question file with its folder."""
    return f"{path.resolve().parent.name}/{path.stem}"


def _measure(
    reader: Reader,
    app_id: str,
    variants: Variants,
    name: str,
    questions: Sequence[GoldQuestion],
    given_document: bool,
    progress: Progress | None,
) -> Measured:
    tasks, missing = tasks_of(reader, app_id, questions)
    asked = with_document(tasks) if given_document else tasks
    found = variants.run(
        asked, (lambda done: progress(name, done, len(asked))) if progress else None
    )
    return Measured(name, tuple(asked), len(tasks) - len(asked), missing, found)


def report(measured: Sequence[Measured], cutoffs: Sequence[int] = CUTOFFS) -> Report:
    """The table of all files and variants, what it leaves open, and the misses as shipped."""
    rows: list[tuple[object, ...]] = []
    columns: tuple[str, ...] = ()
    for each in measured:
        for variant, found in each.found.items():
            means = each.figures(variant, cutoffs) if each.tasks else {}
            columns = ("questions", "variant", "n", *means, "nothing", "errors")
            nothing = sum(not pieces for pieces in found.rankings.values()) - len(found.errors)
            values = [f"{value:.3f}" for value in means.values()]
            rows.append((each.name, variant, len(each.tasks), *values, nothing, len(found.errors)))
    return Report(
        title="Gold pages among the first results",
        columns=columns,
        rows=tuple(rows),
        notes=tuple(note for each in measured for note in _notes(each)),
        misses=tuple(line for each in measured for line in _misses(each)),
    )


def _notes(each: Measured) -> list[str]:
    notes: list[str] = []
    if each.left_out:
        notes.append(
            f"{each.name}: {each.left_out} questions are left out, since their gold stands in "
            "several documents."
        )
    if each.missing:
        notes.append(
            f"{each.name}: {len(each.missing)} documents of the gold are not in the store, and "
            f"what they answer counts as missed: {'; '.join(each.missing.values())}"
        )
    alone = {name: found for name, found in each.found.items() if name.startswith("lane ")}
    if alone:
        notes.append(f"{each.name}, shared by the first {FIRST} of two lanes: {_overlaps(alone)}.")
    return notes


def _overlaps(alone: dict[str, Found]) -> str:
    told: list[str] = []
    for (one, first), (other, second) in combinations(alone.items(), 2):
        shares = [
            share
            for question, pieces in first.rankings.items()
            if (share := overlap(pieces, second.rankings[question])) is not None
        ]
        if shares:
            pair = f"{one.removeprefix('lane ')} and {other.removeprefix('lane ')}"
            told.append(f"{pair} {np.mean(shares):.3f}")
    return ", ".join(told)


def _misses(each: Measured) -> list[str]:
    ranks = each.ranks(SHIPPED)
    errors = each.found[SHIPPED].errors
    lines: list[str] = []
    for task in each.tasks:
        rank = ranks[task.question.id]
        if 0 < rank <= FIRST:
            continue
        why = errors.get(task.question.id) or (f"rank {rank}" if rank else "not found")
        gold = ", ".join(
            page.document + (f" p. {page.page}" if page.page else "") for page in task.question.gold
        )
        lines.append(f"{each.name} {task.question.id}, {why}: {task.question.question} [{gold}]")
    return lines
