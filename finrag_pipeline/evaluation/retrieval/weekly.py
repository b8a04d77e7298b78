"""The weekly measurement: questions that a deployment names, asked of what a week's end had."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path

from finrag_pipeline import __version__
from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.evaluation.retrieval.measure import measure
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.store.evaluation import retrieval_evaluations
from finrag_pipeline.store.evaluation.retrieval_evaluations import Evaluation
from finrag_pipeline.store.search import embeddings

SETTING = "FINRAG_EVALUATION_QUESTIONS"


@dataclass(frozen=True, slots=True)
class EvaluatedWeek:
    """What a week came to: one evaluation a question file and variant; none where none is set."""

    week: date
    evaluations: tuple[Evaluation, ...]

    @property
    def rows(self) -> int:
        return sum(len(each.values) for each in self.evaluations)


def evaluate_week(run: Run, week: date) -> EvaluatedWeek:
    """Measure the question files of the deployment and store what came of it.

    A backfill of past weeks asks today's store, release and models for what was published by then.

    Args:
        week: the Sunday that opens it.

    Raises:
        ConfigurationError: the setting names no file, or one that holds no questions.
    """
    named = run.settings.evaluation_questions
    if named is None:
        return EvaluatedWeek(week, ())
    app_id = run.scope.app_id
    settings = run.settings.model_copy(update={"app": app_id})
    files = question_files(named)
    measured = measure(
        files,
        settings,
        as_of=week + timedelta(days=6),
        progress=lambda name, done, total: run.progress(f"retrieval, {name}", done, total),
    )
    with run.database.connection() as connection:
        # the active one stands first; none before anything is embedded
        space = next((each.name for each in embeddings.stored_spaces(connection)), "")
    evaluations = [
        Evaluation(
            week=week,
            questions=each.name,
            variant=variant,
            values=each.figures(variant),
            question_count=len(each.tasks),
            error_count=len(found.errors),
            questions_sha256=sha256(path.read_bytes()).hexdigest(),
            release=__version__,
            space=space,
        )
        for path, each in zip(files, measured, strict=True)
        for variant, found in each.found.items()
    ]
    with run.database.transaction() as connection:
        retrieval_evaluations.replace_week(connection, app_id, week, evaluations)
    return EvaluatedWeek(week, tuple(evaluations))


def question_files(named: Path) -> list[Path]:
    """The file, or the ``*.jsonl`` of the folder in order of names.

    Raises:
        ConfigurationError: there is none.
    """
    files = sorted(named.glob("*.jsonl")) if named.is_dir() else [named]
    if not files or not files[0].is_file():
        raise ConfigurationError(
            f"{SETTING}: {named} is no question file and no folder with *.jsonl: see "
            "docs/operations.md, Measuring search"
        )
    return files
