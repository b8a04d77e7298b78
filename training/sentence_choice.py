"""Learns the trees of `finrag_pipeline.query.answers.likeliest` from questions and what their
answers have to say.

    python -m training.sentence_choice HOME=FILE,FILE…

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

from finrag_pipeline.evaluation.answering.told import GoldTelling, read_tellings, says
from finrag_pipeline.query.answers.choice import Choice
from finrag_pipeline.query.answers.likeliest.sentences import (
    TREES_PATH,
    LikelySentence,
    likely_sentences,
)
from finrag_pipeline.query.answers.likeliest.traits import compared
from finrag_pipeline.query.answers.passages.candidates import Reading
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.rewording import as_asking
from finrag_pipeline.query.router import LIKELIEST_PASSAGES
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.reader import open_reader
from training.folds import fold_of, surest
from training.parts import OF_SOME, parts_of
from training.stores import read_asked
from training.two_steps import Found, Growing, learn_choice

#: Of the trees that set sentences in order.
ORDER = Growing(
    400,
    {
        "objective": "lambdarank",
        "num_leaves": 15,
        "learning_rate": 0.03,
        "lambda_l2": 3.0,
        "feature_fraction": 0.4,
    },
)
#: Of those that say how sure the first ones are.
SURETY = Growing(
    250,
    {
        "objective": "binary",
        "num_leaves": 8,
        "learning_rate": 0.03,
        "lambda_l2": 10.0,
        "feature_fraction": 0.3,
        "min_data_in_leaf": 40,
    },
)
#: How sure a sentence has to be, as it is shown.
SURE = (0.3, 0.4, 0.5, 0.6)


@dataclass(frozen=True, slots=True)
class Example:
    """The sentences that were found for a question.

    Attributes:
        about: whom it is on; of nobody, its own words.
        traits: of each sentence.
        right: whether it says what the answer has to.
    """

    about: str
    traits: list[dict[str, float]]
    right: NDArray[np.bool_]


def examples(settings: Settings, files: Sequence[Path]) -> Iterator[Example]:
    """What was found for each question."""
    with open_reader(settings) as reader:
        engine = QueryEngine(reader, settings)
        for path in files:
            for gold in read_tellings(path):
                question = as_asking(gold.question)
                asked, found = engine.passages(question, LIKELIEST_PASSAGES)
                reading = Reading(asked, found.results)
                sentences = likely_sentences(reading)
                right = np.array([_is_right(gold, each) for each in sentences], bool)
                about = " ".join(sorted(reading.wanted.companies)) or gold.question
                yield Example(about, [dict(each.traits) for each in sentences], right)


def _is_right(gold: GoldTelling, sentence: LikelySentence) -> bool:
    if gold.status != "answered" or not (gold.must or gold.some):
        return False
    sources = {source for source, _ in gold.pages}
    source = getattr(sentence.line.item, "source", None)
    return (not sources or source in sources) and says(gold, sentence.told)


def learn(found: Sequence[Example]) -> Choice:
    """What sets sentences in order and says how sure the first are, from some questions, each with
    all of its sentences and with some of them."""
    return learn_choice(list(_with_parts(found)), ORDER, SURETY)


def _with_parts(found: Sequence[Example]) -> Iterator[Found]:
    chance = np.random.default_rng(0)
    for each in found:
        if not each.traits:
            continue
        for part, of in enumerate(parts_of(each, chance, _told)):
            beside = list(compared([each.traits[n] for n in of]))
            counts = OF_SOME if part else 1.0
            yield Found(fold_of(each), beside, None, each.right[of], counts)


def _told(traits: Mapping[str, float]) -> float:
    return traits["covered"] + traits["near"]


def cross_validated(found: Sequence[Example]) -> list[tuple[float, bool]]:
    """How sure the surest sentence of each question is, and whether it is right, by what was
    learned from the questions on others."""
    return surest(found, learn)


def main() -> None:
    """Find, show by cross-validation what can be learned, learn from everything, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=TREES_PATH, metavar="FOLDER")
    parser.add_argument("stores", type=read_asked, nargs="+", metavar="HOME=FILE,FILE")
    options = parser.parse_args()
    found = [each for asked in options.stores for each in examples(asked.settings, asked.files)]
    held = sum(bool(each.right.any()) for each in found)
    best = cross_validated(found)
    print(f"{len(found)} questions, {held} with a sentence that answers; by trees of the others:")
    for sure in SURE:
        told = [right for surest, right in best if surest >= sure]
        print(f"  from {sure:.2f}: {sum(told)} right, {len(told) - sum(told)} wrong")
    learn(found).write(options.out)


if __name__ == "__main__":
    main()
