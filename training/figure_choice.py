"""Learns the trees of `finrag_pipeline.query.answers.closest` from questions and their figures.

    python -m training.figure_choice --home DIRECTORY FILE…

DIRECTORY is a FINRAG_HOME that holds the documents, a FILE as `finrag evaluate answers` reads it.
What can be learned is first shown by cross-validation: questions are judged by what was learned
from questions on others. The same store and files give the same trees. Needs the extra `dev`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import lightgbm
import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.evaluation.answering.gold import GoldAnswer, read_gold
from finrag_pipeline.evaluation.answering.values import is_right
from finrag_pipeline.models.trees import Trees, matrix
from finrag_pipeline.query.answers.closest import choice
from finrag_pipeline.query.answers.closest.choice import Choice, contenders
from finrag_pipeline.query.answers.closest.found import FoundFigure
from finrag_pipeline.query.answers.closest.judge import Judge
from finrag_pipeline.query.answers.closest.traits import compared, traits_of
from finrag_pipeline.query.answers.passages.stated import Stated
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.rewording import as_asking
from finrag_pipeline.settings import Settings, load_settings
from finrag_pipeline.store.database.reader import open_reader
from training.folds import FOLDS, fold_of, surest
from training.trees import SAME, as_trees

#: Of the trees that set figures in order.
ORDER_TREES, ORDER = (
    500,
    {
        "objective": "lambdarank",
        "num_leaves": 31,
        "learning_rate": 0.02,
        "lambda_l2": 2.0,
        "feature_fraction": 0.5,
    },
)
#: Of those that say how sure the first ones are.
SURETY_TREES, SURETY = (
    400,
    {
        "objective": "binary",
        "num_leaves": 31,
        "learning_rate": 0.03,
        "lambda_l2": 5.0,
        "feature_fraction": 0.4,
    },
)
#: Figures beside which others are learned from: fewer than this of any, and of those that say most.
MOST_OF_FEW, MOST_OF_NEAR = 10, 4
#: What a question with some of its figures counts beside one with all of them.
OF_SOME = 0.15
#: How sure a figure has to be, as it is shown.
SURE = (0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7)


@dataclass(frozen=True, slots=True)
class Example:
    """The figures that were found for a question.

    Attributes:
        about: whom it is on; of nobody, its own words.
        traits: of each figure, by itself.
        right: whether it is the gold.
    """

    about: str
    traits: list[dict[str, float]]
    right: NDArray[np.bool_]
    answerable: bool


def examples(settings: Settings, files: Sequence[Path]) -> Iterator[Example]:
    """What was found for each question."""
    with open_reader(settings) as reader:
        engine = QueryEngine(reader, settings)
        judge = Judge(engine.tools)
        for path in files:
            for gold in read_gold(path):
                asked, _ = engine.passages(as_asking(gold.question))
                reading = judge.read(asked)
                figures, wording = judge.figures(reading, Stated(asked))
                right = np.array([_is_right(gold, each) for each in figures], bool)
                traits = traits_of(figures, wording) if figures else []
                about = " ".join(sorted(reading.wanted.companies)) or gold.question
                yield Example(about, traits, right, gold.value is not None)


def _is_right(gold: GoldAnswer, figure: FoundFigure) -> bool:
    return gold.value is not None and is_right(gold, figure.value)


def parts_of(example: Example, chance: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Which figures of a question are learned from together: all, all but the gold, and some, as a
    small store would hold them: what says most of a question may still be of something else."""
    right, others = np.flatnonzero(example.right), np.flatnonzero(~example.right)
    yield np.arange(len(example.traits))
    if not len(others):
        return
    if len(right):
        yield others
    few = chance.choice(others, min(int(chance.integers(1, MOST_OF_FEW)), len(others)), False)
    yield few
    if len(right):
        yield np.concatenate([right, few])
    told = np.array([-(example.traits[n]["said"] + example.traits[n]["near"]) for n in others])
    yield others[np.argsort(told, kind="stable")[: int(chance.integers(1, MOST_OF_NEAR))]]


def learn(found: Sequence[Example]) -> Choice:
    """What sets figures in order and says how sure the first are, from some questions.

    The second is learned from how those of each part of the questions are set in order by what was
    learned from all other parts: in the order of questions that were learned from the right one
    leads too far.
    """
    asked = _with_parts(found)
    order = _learned_order(asked)
    placed: list[tuple[dict[str, float], bool, float]] = []
    for fold in range(FOLDS):
        others = [each for each in asked if fold_of(each.example) != fold]
        if len(others) == len(asked) or not any(map(_teaches, others)):
            continue
        unseen = _learned_order(others)
        for each in asked:
            if fold_of(each.example) == fold:
                first, traits = contenders(each.figures, unseen)
                right = each.right[first].tolist()
                placed += zip(traits, right, [each.counts] * len(first), strict=True)
    return Choice(order, _learned_surety(placed))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with all or some of its figures, and what it counts."""

    example: Example
    figures: list[dict[str, float]]
    right: NDArray[np.bool_]
    counts: float


def _with_parts(found: Sequence[Example]) -> list[_Asked]:
    chance = np.random.default_rng(0)
    return [
        _Asked(each, [each.traits[n] for n in of], each.right[of], OF_SOME if part else 1.0)
        for each in found
        if each.traits
        for part, of in enumerate(parts_of(each, chance))
    ]


def _teaches(asked: _Asked) -> bool:
    return bool(asked.right.any()) and not asked.right.all()


def _learned_order(asked: Sequence[_Asked]) -> Trees:
    """Trees from the questions whose right figure is beside others."""
    told = [each for each in asked if _teaches(each)]
    names = _names(each for one in told for each in compared(one.figures[:1]))
    rows = np.vstack([matrix(compared(each.figures), names) for each in told])
    right = np.concatenate([each.right for each in told])
    sizes = [len(each.right) for each in told]
    counts = np.repeat([each.counts for each in told], sizes)
    held = lightgbm.Dataset(rows, right, weight=counts, group=sizes)
    return as_trees(lightgbm.train({**SAME, **ORDER}, held, ORDER_TREES), names)


def _learned_surety(placed: Sequence[tuple[dict[str, float], bool, float]]) -> Trees:
    names = _names(each for each, _, _ in placed)
    rows = matrix([each for each, _, _ in placed], names)
    right, counts = (np.array([each[n] for each in placed], float) for n in (1, 2))
    held = lightgbm.Dataset(rows, right, weight=counts)
    return as_trees(lightgbm.train({**SAME, **SURETY}, held, SURETY_TREES), names)


def _names(figures: Iterable[dict[str, float]]) -> tuple[str, ...]:
    """The traits that figures have, but for the number that they print."""
    return tuple(sorted({name for each in figures for name in each} - {"number"}))


def cross_validated(found: Sequence[Example]) -> list[tuple[float, bool]]:
    """How sure the surest figure of each question is, and whether it is right, by what was learned
    from the questions on others."""
    return surest(found, learn)


def main() -> None:
    """Find, show by cross-validation what can be learned, learn from everything, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="FINRAG_HOME of the store; default: that set")
    parser.add_argument("--out", type=Path, default=Path(choice.__file__).parent, metavar="FOLDER")
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    options = parser.parse_args()
    settings = load_settings()
    if options.home:
        settings = settings.model_copy(update={"home": options.home.expanduser().absolute()})
    found = list(examples(settings, options.files))
    if len({fold_of(each) for each in found if each.right.any()}) < 3:
        parser.error("the questions are on too few companies to judge some by what others teach")
    print(f"{len(found)} questions, {sum(each.answerable for each in found)} answerable")
    print(f"the figure is among those judged: {sum(bool(each.right.any()) for each in found)}")
    best = cross_validated(found)
    print(f"the surest figure is right: {sum(right for _, right in best)}")
    for least in SURE:
        told = [right for sure, right in best if sure >= least]
        print(f"  from {least}: {sum(told)} of {len(told)}")
    learn(found).write(options.out)


if __name__ == "__main__":
    main()
