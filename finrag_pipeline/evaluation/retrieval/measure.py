"""`finrag evaluate retrieval`: how often questions find their pages, by every way to search.

**What counts.** A result counts for all pages of its regions. A gold page is found at the rank of
the first result that stands on it; further results on it, and results that stand in no document,
take their ranks for nothing. K counts results. Copies and parent pages that a result names beside
its place do not count. Where the gold names documents and no pages, any result of one counts, once.

**Who counts.** All questions of a file. One that raises an error, finds nothing, or whose gold is
not in the store counts 0 in every measure, and is told of in numbers beside the table.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.evaluation.retrieval.latency import (
    Timed,
    breakdown,
    stage_times,
    time_questions,
)
from finrag_pipeline.evaluation.retrieval.pictures import latency_picture
from finrag_pipeline.evaluation.retrieval.plain_bm25 import PlainBm25
from finrag_pipeline.evaluation.retrieval.questions import read_questions
from finrag_pipeline.evaluation.retrieval.rankings import (
    CUTOFFS,
    FIRST,
    Unit,
    figures,
    first_rank,
    library,
)
from finrag_pipeline.evaluation.retrieval.variants import (
    Found,
    Task,
    Variants,
    tasks_of,
    ways,
    with_document,
)
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.reader import Reader

#: Told how many of a file's questions are through.
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Measured:
    """What the variants found for the questions of one file.

    Attributes:
        name: of the file, with its folder: many are called the same.
        left_out: questions that were not asked, since their gold stands in several documents.
        missing: why documents of the gold are not in the store, by name.
        found: by variant.
        timed: runs as shipped, for latency; none where no repeats were asked for.
    """

    name: str
    tasks: tuple[Task, ...]
    left_out: int
    missing: dict[str, str]
    found: dict[str, Found]
    timed: tuple[Timed, ...] = ()

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
    as_of: date | None = None,
    repeat: int = 0,
    progress: Progress | None = None,
) -> list[Measured]:
    """Ask the questions of each file in every way, in this process, over the configured store.

    Args:
        files: question files, see `read_questions`.
        settings: whose store, app, embedder and reranker count. Nothing is written to the store.
        cutoffs: ranks at which recall is read off; the largest is how many results are asked for.
        lanes: whether each lane is asked alone too, and the baselines made of them.
        given_document: whether each question is asked about the one document of its gold.
        as_of: only what was published by this day is there.
        repeat: runs a question, as shipped, whose stages are timed.
        progress: is called after every question with the file's name, those through, and all.

    Raises:
        ConfigurationError: a file holds no questions, or two are called the same; or
            there is no library that measures.
        FinragError: the store cannot be read.
    """
    library()  # before anything is asked
    read = {name_of(path): read_questions(path) for path in files}
    if len(read) < len(set(files)):
        raise ConfigurationError(
            "two question files have the same name in folders of the same name: rename one"
        )
    with Reader.open(settings) as reader:
        engine = QueryEngine(reader, settings)
        shipped = Options(app=settings.app, k=max(*cutoffs, FIRST), as_of=as_of)
        options = ways(shipped, lanes)
        bm25 = PlainBm25(reader, settings.app, as_of)
        variants = Variants(engine, bm25, options, baselines=lanes)
        measured: list[Measured] = []
        for name, questions in read.items():
            tasks, missing = tasks_of(reader, settings.app, questions, as_of)
            asked = with_document(tasks) if given_document else tasks
            found = variants.run(asked, _telling(progress, name, len(asked)))
            timed: list[Timed] = []
            if repeat:
                tell = _telling(progress, f"{name}, timed", len(asked))
                timed = time_questions(engine, asked, shipped, repeat, tell)
            left_out = len(tasks) - len(asked)
            measured.append(Measured(name, tuple(asked), left_out, missing, found, tuple(timed)))
    return measured


def name_of(path: Path) -> str:
    """A question file with its folder."""
    return f"{path.resolve().parent.name}/{path.stem}"


def write_output(measured: Sequence[Measured], folder: Path) -> list[Path]:
    """Write `rankings.jsonl`, and where runs were timed `latency_breakdown.json` and its picture.

    Returns:
        The files, which are replaced where they are there.

    Raises:
        ConfigurationError: the folder cannot be written.
    """
    written = {"rankings.jsonl": "\n".join(_rank_lines(measured)).encode() + b"\n"}
    if timed := {each.name: each.timed for each in measured if each.timed}:
        stages = [breakdown(name, runs) for name, runs in timed.items()]
        written["latency_breakdown.json"] = json.dumps(
            stages, ensure_ascii=False, indent=2
        ).encode()
        times = {name: stage_times(runs) for name, runs in timed.items()}
        written["latency_breakdown.png"] = latency_picture(times)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in written.items():
            (folder / name).write_bytes(content)
    except OSError as error:
        raise ConfigurationError(f"{folder} cannot be written: {error.strerror}") from error
    return [folder / name for name in written]


def _rank_lines(measured: Sequence[Measured]) -> Generator[str]:
    """Of each question the rank of its first gold page by variant: for comparing two runs."""
    for each in measured:
        ranks = {variant: each.ranks(variant) for variant in each.found}
        for task in each.tasks:
            own = {variant: by_question[task.question.id] for variant, by_question in ranks.items()}
            line = {"questions": each.name, "id": task.question.id, "first_rank": own}
            yield json.dumps(line, ensure_ascii=False)


def _telling(progress: Progress | None, name: str, total: int) -> Callable[[int], None] | None:
    return (lambda done: progress(name, done, total)) if progress else None
