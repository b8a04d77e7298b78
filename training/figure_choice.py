"""Learns the trees of `finrag_pipeline.query.answers.closest` from questions and their figures.

    python -m training.figure_choice HOME=FILE,FILE…

HOME is a FINRAG_HOME that holds the documents, a FILE as `finrag evaluate answers` reads it.
What can be learned is first shown by cross-validation: questions are judged by what was learned
from questions on others. The same stores and files give the same trees. Needs the extra `dev`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.evaluation.answering.gold import GoldAnswer, read_gold
from finrag_pipeline.evaluation.answering.values import is_right
from finrag_pipeline.query.answers.choice import Choice
from finrag_pipeline.query.answers.closest.found import FoundFigure
from finrag_pipeline.query.answers.closest.judge import TREES_PATH, Judge
from finrag_pipeline.query.answers.closest.traits import compared, numbers_of, traits_of
from finrag_pipeline.query.answers.passages.stated import Stated
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.rewording import as_asking
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.reader import open_reader
from training.folds import fold_of, surest
from training.parts import OF_SOME, parts_of
from training.stores import read_asked
from training.two_steps import Found, Growing, learn_choice

#: Of the trees that set figures in order.
ORDER = Growing(
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
SURETY = Growing(
    400,
    {
        "objective": "binary",
        "num_leaves": 31,
        "learning_rate": 0.03,
        "lambda_l2": 5.0,
        "feature_fraction": 0.4,
    },
)
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


def learn(found: Sequence[Example]) -> Choice:
    """What sets figures in order and says how sure the first are, from some questions, each with
    all of its figures and with some of them."""
    return learn_choice(_with_parts(found), ORDER, SURETY)


def _with_parts(found: Sequence[Example]) -> list[Found]:
    chance = np.random.default_rng(0)
    parts = [
        (each, [each.traits[n] for n in of], each.right[of], OF_SOME if part else 1.0)
        for each in found
        if each.traits
        for part, of in enumerate(parts_of(each, chance, _told))
    ]
    return [
        Found(fold_of(each), compared(traits), numbers_of(traits), right, counts)
        for each, traits, right, counts in parts
    ]


def _told(traits: Mapping[str, float]) -> float:
    return traits["said"] + traits["near"]


@dataclass(frozen=True, slots=True)
class Sure:
    """A choice that is asked with the traits of each figure by itself."""

    choice: Choice

    def chances(self, traits: list[dict[str, float]], /) -> NDArray[np.float64]:
        """How sure each figure is, 0 to 1."""
        return self.choice.chances(compared(traits), numbers_of(traits))


def cross_validated(found: Sequence[Example]) -> list[tuple[float, bool]]:
    """How sure the surest figure of each question is, and whether it is right, by what was learned
    from the questions on others."""
    return surest(found, lambda some: Sure(learn(some)))


def main() -> None:
    """Find, show by cross-validation what can be learned, learn from everything, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=TREES_PATH, metavar="FOLDER")
    parser.add_argument("stores", type=read_asked, nargs="+", metavar="HOME=FILE,FILE")
    options = parser.parse_args()
    found = [each for asked in options.stores for each in examples(asked.settings, asked.files)]
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
