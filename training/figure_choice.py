"""Learns the trees of `finrag_pipeline.query.answers.closest` from questions and their figures.

    python -m training.figure_choice --home DIRECTORY FILE…

DIRECTORY is a FINRAG_HOME that holds the documents, a FILE as `finrag evaluate answers` reads it.
What can be learned is first shown by cross-validation: a set is judged by trees that were
learned from all others. The same store and files give the same trees. Needs the extra `dev`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.evaluation.answering.gold import GoldAnswer, read_gold
from finrag_pipeline.evaluation.answering.values import is_right
from finrag_pipeline.query.answers.closest.found import FoundFigure
from finrag_pipeline.query.answers.closest.judge import Judge
from finrag_pipeline.query.answers.closest.judging import WEIGHTS_PATH, compared, matrix, traits_of
from finrag_pipeline.query.answers.closest.trees import Matrix, Trees
from finrag_pipeline.query.answers.passages.candidates import Reading
from finrag_pipeline.query.answers.passages.stated import Stated
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.rewording import as_asking
from finrag_pipeline.settings import Settings, load_settings
from finrag_pipeline.store.database.reader import open_reader

#: Of the trees: more of them, or deeper ones, told no more right figures of held-out sets.
TREES, LEAVES, LEARNING_RATE = 500, 31, 0.02
#: Figures that a leaf holds at least, and how firmly it is held to zero.
LEAST_IN_LEAF, HELD = 20, 2.0
#: Share of the figures and of the traits that each tree sees.
FIGURES_SEEN, TRAITS_SEEN = 0.8, 0.5
#: Figures beside which others are learned from: fewer than this of any, and of those that say most.
MOST_OF_FEW, MOST_OF_NEAR = 7, 4
#: How sure a figure has to be, as it is shown.
SURE = (0.15, 0.2, 0.25, 0.3, 0.4, 0.5)


@dataclass(frozen=True, slots=True)
class Example:
    """The figures that were found for a question of a set.

    Attributes:
        traits: of each figure, by itself.
        right: whether it is the gold.
    """

    of: str
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
                asked, passages = engine.passages(as_asking(gold.question))
                reading = Reading(asked, passages.results)
                figures, wording = judge.figures(reading, Stated(asked))
                right = np.array([_is_right(gold, each) for each in figures], bool)
                traits = traits_of(figures, wording) if figures else []
                yield Example(path.stem, traits, right, gold.value is not None)


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


def names_of(found: Sequence[Example]) -> tuple[str, ...]:
    """The traits that figures have, those beside the others among them."""
    held = (one for each in found if each.traits for one in compared(each.traits[:1]))
    single = {name for each in found for one in each.traits for name in one} - {"number"}
    return tuple(sorted(single.union(*held)))


def rows_of(
    example: Example, names: tuple[str, ...], of: NDArray[np.int64] | None = None
) -> Matrix:
    """The figures of a question as rows; `of` some of them alone."""
    held = range(len(example.traits)) if of is None else of
    return matrix(compared([example.traits[n] for n in held]), names)


def learn(found: Sequence[Example], names: tuple[str, ...]) -> Trees:
    """Trees of the figures of some questions."""
    chance = np.random.default_rng(0)
    parts = [(each, of) for each in found if each.traits for of in parts_of(each, chance)]
    rows = np.vstack([rows_of(each, names, of) for each, of in parts])
    right = np.concatenate([each.right[of] for each, of in parts])
    asked = {
        "objective": "binary",
        "num_leaves": LEAVES,
        "learning_rate": LEARNING_RATE,
        "min_data_in_leaf": LEAST_IN_LEAF,
        "lambda_l2": HELD,
        "bagging_fraction": FIGURES_SEEN,
        "bagging_freq": 1,
        "feature_fraction": TRAITS_SEEN,
        "seed": 0,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": 1,
        "boost_from_average": False,
        "verbose": -1,
    }
    model = lightgbm.train(asked, lightgbm.Dataset(rows, right), TREES)
    return _as_arrays(model.dump_model()["tree_info"], names)


def _as_arrays(trees: Sequence[dict[str, Any]], names: tuple[str, ...]) -> Trees:
    column: list[int] = []
    bound: list[float] = []
    left: list[int] = []
    right: list[int] = []
    leaf: list[float] = []

    def add(node: dict[str, Any]) -> int:
        at = len(column)
        inner = "split_feature" in node
        column.append(node["split_feature"] if inner else -1)
        bound.append(node["threshold"] if inner else 0.0)
        leaf.append(0.0 if inner else node["leaf_value"])
        left.append(0)
        right.append(0)
        if inner:
            left[at] = add(node["left_child"])
            right[at] = add(node["right_child"])
        return at

    roots = [add(each["tree_structure"]) for each in trees]
    whole = (np.array(each, np.int64) for each in (roots, column, left, right))
    first, asked, lower, upper = whole
    return Trees(names, first, asked, np.array(bound), lower, upper, np.array(leaf))


def cross_validated(found: Sequence[Example], names: tuple[str, ...]) -> list[tuple[float, bool]]:
    """How sure the surest figure of each question is, and whether it is right, by trees that were
    learned from all other sets: halves of one set are one."""
    sets = sorted({_set(each) for each in found})
    best: list[tuple[float, bool]] = []
    for one in sets:
        trees = learn([each for each in found if _set(each) != one], names)
        for each in found:
            if _set(each) == one and each.traits:
                sure = trees.chances(rows_of(each, names))
                best.append((float(sure.max()), bool(each.right[sure.argmax()])))
    return best


def _set(example: Example) -> str:
    return example.of.rpartition("_")[0]


def main() -> None:
    """Find, show by cross-validation what can be learned, learn from everything, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="FINRAG_HOME of the store; default: that set")
    parser.add_argument("--out", type=Path, default=WEIGHTS_PATH)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    options = parser.parse_args()
    settings = load_settings()
    if options.home:
        settings = settings.model_copy(update={"home": options.home.expanduser().absolute()})
    found = list(examples(settings, options.files))
    names = names_of(found)
    print(f"{len(found)} questions, {sum(each.answerable for each in found)} answerable")
    print(f"the figure is among those judged: {sum(bool(each.right.any()) for each in found)}")
    best = cross_validated(found, names)
    print(f"the surest figure is right: {sum(right for _, right in best)}")
    for least in SURE:
        told = [right for sure, right in best if sure >= least]
        print(f"  from {least}: {sum(told)} of {len(told)}")
    learn(found, names).write(options.out)


if __name__ == "__main__":
    main()
