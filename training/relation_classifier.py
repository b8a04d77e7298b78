"""Trains the weights of `finrag_pipeline.models.relations` on labelled pairs of companies.

    python -m training.relation_classifier FILE.json

FILE is as `finrag_pipeline.evaluation.graph.examples` reads it. Numpy and scipy alone; the same
file gives the same weights.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from finrag_pipeline.evaluation.graph.examples import Example, read_examples
from finrag_pipeline.models.relations import (
    WEIGHTS_PATH,
    RelationClassifier,
    evidence,
    known_rows,
)
from finrag_pipeline.models.relations.features import pair_features
from finrag_pipeline.stages.extraction.vocabulary import SYMMETRIC

Matrix = NDArray[np.float32]

#: Rarer features have no row: on dev that was better than rows shared by hash, and better than two.
LEAST = 3
NETWORKS = 3
HIDDEN = 42
EPOCHS = 25
BATCH = 128
LEARNING_RATE = 0.003
#: Shares of features and of hidden units that each step leaves out: most features occur once.
FEATURES_OUT, HIDDEN_OUT = 0.3, 0.5
#: Rows of length one are this much lengthened: the first layer learns as fast as the second.
LENGTH = 4.0
#: How sure a relation is, is learned from parts held out in turn. Recall at precision .80 is .377
#: by it, .357 by the probability alone; where unrelated pairs count fully it is .369.
FOLDS = 5
UNRELATED = 0.3
#: How firmly the classes are held to share one offset.
CLASS_HELD = 8.0
NEWTON_STEPS = 30
#: By the same cross validation .816 of what the extractor gives to related pairs by this and its
#: rules is right, at recall .333; of this alone .84, at .317. What ships has seen more than what it
#: is learned from, and is surer: learned from networks of three parts, applied to networks of
#: four, it is .804 at .345 for the extractor, .83 at .335 for this alone.
THRESHOLD = 0.62


def class_names(examples: Sequence[Example]) -> list[str]:
    """None first, then every relation with its direction."""
    return [
        "",
        *sorted({_class(labelled) for example in examples for labelled in example.relations}),
    ]


def targets(examples: Sequence[Example], classes: Sequence[str]) -> Matrix:
    """Shape `(len(examples), len(classes))`: rows sum to one, shared by all that holds."""
    place = {name: at for at, name in enumerate(classes)}
    found = np.zeros((len(examples), len(classes)), np.float32)
    for row, example in zip(found, examples, strict=True):
        known = [place[_class(labelled)] for labelled in example.relations]
        row[known or [0]] = 1 / max(1, len(known))
    return found


def train(
    features: csr_array, width: int, wanted: Matrix, seed: int
) -> tuple[Matrix, Matrix, Matrix]:
    """One network by Adam with dropout; about 4 s of a core.

    Args:
        features: shape `(examples, width)`, rows of length one.
        wanted: as `targets` gives them.

    Returns:
        First layer `(width, HIDDEN)`, its biases, second layer `(HIDDEN, classes)`.
    """
    chance = np.random.default_rng(seed)
    first = chance.normal(0, 0.3 / np.sqrt(HIDDEN), (width, HIDDEN)).astype(np.float32)
    bias = np.zeros(HIDDEN, np.float32)
    second = chance.normal(0, 0.1, (HIDDEN, wanted.shape[1])).astype(np.float32)
    values = [first, bias, second]
    means = [np.zeros_like(value) for value in values]
    squares = [np.zeros_like(value) for value in values]
    step = 0
    for epoch in range(EPOCHS):
        order = chance.permutation(len(wanted))
        for start in range(0, len(order), BATCH):
            at = order[start : start + BATCH]
            batch = csr_array(features[at] * LENGTH)
            kept = chance.random(len(batch.data)) > FEATURES_OUT
            batch.data = (batch.data * kept / (1 - FEATURES_OUT)).astype(np.float32)
            linear = batch @ first + bias
            mask = (chance.random(linear.shape) > HIDDEN_OUT) / np.float32(1 - HIDDEN_OUT)
            hidden = np.maximum(linear, 0) * mask
            wrong = ((_softmax(hidden @ second) - wanted[at]) / len(at)).astype(np.float32)
            back = (wrong @ second.T) * mask * (linear > 0)
            slopes = [
                batch.T @ back + 1e-5 * first,
                back.sum(axis=0),
                hidden.T @ wrong + 1e-4 * second,
            ]
            step += 1
            rate = LEARNING_RATE * (1 - epoch / EPOCHS)
            for value, mean, square, slope in zip(values, means, squares, slopes, strict=True):
                mean += 0.1 * (slope - mean)
                square += 0.001 * (slope**2 - square)
                scale = np.sqrt(square / (1 - 0.999**step)) + 1e-8
                value -= (rate * mean / (1 - 0.9**step) / scale).astype(np.float32)
    return first * np.float32(LENGTH), bias, second


def train_classifier(examples: Sequence[Example]) -> dict[str, Any]:
    """The arrays of a weights file; about two minutes of a core."""
    classes = class_names(examples)
    shown = [pair_features(e.text, e.first, e.second) for e in examples]
    wanted = targets(examples, classes)
    known = known_features(shown)
    features = _matrix(shown, known)
    networks = [train(features, len(known), wanted, seed) for seed in range(NETWORKS)]
    first = np.concatenate([network[0] for network in networks], axis=1)
    scales = np.maximum(np.abs(first).max(axis=1), 1e-12) / 127
    likely, shows, right, weights = _judged(examples, held_out(examples, shown, wanted), classes)
    offsets, slopes = fit_confidence(likely, shows, right, weights, len(classes))
    return {
        "classes": np.frombuffer("\n".join(classes).encode(), dtype=np.uint8),
        "features": known,
        "steps": np.rint(first / scales[:, None]).astype(np.int8),
        "scales": scales.astype(np.float16),
        "biases": np.stack([network[1] for network in networks]).astype(np.float16),
        "outputs": np.stack([network[2] for network in networks]).astype(np.float16),
        "offsets": offsets,
        "slopes": slopes,
        "threshold": np.float32(THRESHOLD),
    }


def known_features(shown: Sequence[NDArray[np.uint32]]) -> NDArray[np.uint32]:
    """The features that occur often enough to be learned, ascending."""
    every, times = np.unique(np.concatenate(shown), return_counts=True)
    return every[times >= LEAST]


def _matrix(shown: Sequence[NDArray[np.uint32]], known: NDArray[np.uint32]) -> csr_array:
    rows = [known_rows(known, features) for features in shown]
    lengths = np.array([len(row) for row in rows])
    values = np.repeat(1 / np.sqrt(np.maximum(lengths, 1)), lengths).astype(np.float32)
    starts = np.cumsum([0, *lengths])
    return csr_array((values, np.concatenate(rows), starts), shape=(len(rows), len(known)))


def held_out(
    examples: Sequence[Example], shown: Sequence[NDArray[np.uint32]], wanted: Matrix
) -> Matrix:
    """Probabilities of each example by networks that have not seen its sentence."""
    fold = np.array([sha256(f"f{e.text}".encode()).digest()[0] % FOLDS for e in examples])
    found = np.zeros_like(wanted)
    for part in np.unique(fold):
        seen = np.flatnonzero(fold != part)
        known = known_features([shown[int(at)] for at in seen])
        features = _matrix(shown, known)
        for seed in range(NETWORKS):
            first, bias, second = train(features[seen], len(known), wanted[seen], seed)
            hidden = np.maximum(features[fold == part] @ first + bias, 0)
            found[fold == part] += _softmax(hidden @ second) / NETWORKS
    return found


def _judged(
    examples: Sequence[Example], probabilities: Matrix, classes: Sequence[str]
) -> tuple[NDArray[np.intp], Matrix, Matrix, Matrix]:
    """The likeliest relation of each example, its evidence, whether it is right, its weight."""
    likely, shows = zip(*map(evidence, probabilities), strict=True)
    right = [
        classes[at] in {_class(labelled) for labelled in example.relations}
        for at, example in zip(likely, examples, strict=True)
    ]
    weights = [1.0 if example.relations else UNRELATED for example in examples]
    return np.array(likely), np.array(shows), np.array(right, float), np.array(weights)


def fit_confidence(
    likely: NDArray[np.intp],
    shows: NDArray[np.floating],
    right: NDArray[np.floating],
    weights: NDArray[np.floating],
    classes: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Logistic regression by Newton's method: how sure each class is, what evidence adds to it."""
    inputs = np.hstack([np.ones((len(likely), 1)), shows, np.eye(classes)[likely]])
    values = np.zeros(inputs.shape[1])
    held = np.r_[np.full(1 + shows.shape[1], 0.1), np.full(classes, CLASS_HELD)]
    for _ in range(NEWTON_STEPS):
        sure = 1 / (1 + np.exp(-inputs @ values))
        slope = inputs.T @ (weights * (sure - right)) + held * values
        bend = (inputs.T * (weights * sure * (1 - sure))) @ inputs + np.diag(held)
        values -= np.linalg.solve(bend, slope)
    return values[0] + values[1 + shows.shape[1] :], values[1 : 1 + shows.shape[1]]


def _class(labelled: tuple[str, str, str]) -> str:
    head, name, _ = labelled
    return name if name in SYMMETRIC else f"{name}{'>' if head == 'first' else '<'}"


def _softmax(values: NDArray[np.floating]) -> Matrix:
    grown = np.exp(values - values.max(axis=1, keepdims=True))
    return (grown / grown.sum(axis=1, keepdims=True)).astype(np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--parts", nargs="+", default=["train", "dev"])
    parser.add_argument("--out", type=Path, default=WEIGHTS_PATH)
    options = parser.parse_args()
    examples = [e for e in read_examples(options.file) if e.part in options.parts]
    print(f"{len(examples)} pairs, {sum(bool(e.relations) for e in examples)} of them related")
    np.savez_compressed(options.out, **train_classifier(examples))
    classes = len(RelationClassifier.read(options.out).classes)
    print(f"{options.out}: {options.out.stat().st_size} bytes, {classes} classes")


if __name__ == "__main__":
    main()
