"""A small trained classifier: which relation a sentence states between two companies it names.

Numpy alone, no word of the training text in its weights. How they are trained is `training`, what
it looks at `features`; rules for other entities belong to `stages.extraction`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.models.relations.features import Span, pair_features

WEIGHTS_PATH = Path(__file__).with_name("weights.npz")

#: From this score on a relation is worth telling: it bears out others who find it. By cross
#: validation rules that it bears out below its threshold are right two times in three.
LIKELY = 0.3
#: From this score on a relation is beyond doubt: of competitors and partners that it finds in mere
#: lists, without a word for it, half are right by cross validation (unrelated pairs counted), below
#: it a fifth.
CERTAIN = 0.7

#: Keeps logarithms finite.
_LEAST = 1e-4

Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class PairRelation:
    """A relation between two of the given names: their places in the list, head first.

    `score`, 0 to 1, is how likely it is right. `sure` is 0 where it is merely likely, 1 where the
    score reaches the classifier's threshold, 2 where it is beyond doubt.
    """

    head: int
    relation: str
    tail: int
    score: float
    sure: int


class RelationClassifier:
    """Several small networks with one hidden layer each, whose probabilities are averaged; and how
    sure their likeliest relation is, learned from sentences that they had not seen.

    Args:
        classes: ``name>`` from the name printed first to the second, ``name<`` the other way,
            ``name`` for symmetric relations; the first class is none.
        features: hashes that have weights, ascending, shape `(features,)`.
        steps: first layers, shape `(features, networks * hidden)`, int8.
        scales: shape `(features,)`, what one step of a row is worth.
        biases: shape `(networks, hidden)`.
        outputs: shape `(networks, hidden, len(classes))`.
        offsets: shape `(len(classes),)`, how sure each class is by itself.
        slopes: shape `(3,)`, what `evidence` adds to it.
        threshold: the score from which on it is sure.
    """

    def __init__(
        self,
        classes: Sequence[str],
        features: NDArray[np.uint32],
        steps: NDArray[np.int8],
        scales: NDArray[np.floating],
        biases: NDArray[np.floating],
        outputs: NDArray[np.floating],
        offsets: NDArray[np.floating],
        slopes: NDArray[np.floating],
        threshold: float,
    ) -> None:
        self.classes = tuple(classes)
        self.threshold = threshold
        self._features = features
        self._steps = steps
        self._scales = scales.astype(np.float32)
        self._biases = biases.astype(np.float32)
        self._outputs = outputs.astype(np.float32)
        self._offsets = offsets
        self._slopes = slopes

    @classmethod
    def packaged(cls) -> RelationClassifier:
        """The weights that ship with the package, read once a process."""
        return _packaged()

    @classmethod
    def read(cls, path: Path) -> RelationClassifier:
        """Weights as `training` left them."""
        with np.load(path) as stored:
            return cls(
                stored["classes"].tobytes().decode().split("\n"),
                stored["features"],
                stored["steps"],
                stored["scales"],
                stored["biases"],
                stored["outputs"],
                stored["offsets"],
                stored["slopes"],
                float(stored["threshold"]),
            )

    @property
    def fingerprint(self) -> str:
        """Changes whenever it may decide otherwise."""
        return _fingerprint()

    def classify(self, text: str, spans: Sequence[Span]) -> list[PairRelation]:
        """The likely relations between the companies of one sentence; 0.5 ms a pair.

        Args:
            text: a Chinese sentence.
            spans: start and end of each company's name, in order of print, none overlapping.

        Returns:
            The likeliest for each pair, if it is likely at all, in order of the pairs.
        """
        found: list[PairRelation] = []
        for one in range(len(spans)):
            for two in range(one + 1, len(spans)):
                name, score = self.best(text, spans[one], spans[two])
                if score >= LIKELY:
                    turned = name.endswith("<")
                    head, tail = (two, one) if turned else (one, two)
                    sure = (score >= self.threshold) + (score >= CERTAIN)
                    found.append(PairRelation(head, name.rstrip("<>"), tail, score, sure))
        return found

    def best(self, text: str, first: Span, second: Span) -> tuple[str, float]:
        """The likeliest class that is a relation, and its score."""
        at, shown = evidence(self.probabilities(pair_features(text, first, second)))
        score = self._offsets[at] + np.einsum("s,s->", shown, self._slopes)
        return self.classes[at], float(1 / (1 + np.exp(-score)))

    def probabilities(self, features: NDArray[np.uint32]) -> Matrix:
        """Of each class, shape `(len(classes),)`, for a pair with these features."""
        rows = known_rows(self._features, features)
        weights = self._scales[rows] / np.float32(np.sqrt(max(1, len(rows))))
        # one sum in one order, whatever the library under numpy does with threads
        first = np.einsum("r,rh->h", weights, self._steps[rows].astype(np.float32))
        hidden = np.maximum(first.reshape(self._biases.shape) + self._biases, 0)
        logits = np.einsum("nh,nhc->nc", hidden, self._outputs)
        grown = np.exp(logits - logits.max(axis=1, keepdims=True))
        return (grown / grown.sum(axis=1, keepdims=True)).mean(axis=0)


def evidence(probabilities: NDArray[np.floating]) -> tuple[int, NDArray[np.float64]]:
    """The likeliest relation of a pair and what shows whether it is right.

    Returns:
        Its class, and logarithms of how likely it is, of how likely any relation is, and of how
        near the next one comes.
    """
    none, *others = map(float, probabilities)
    at = int(np.argmax(others))
    top = others.pop(at) + _LEAST
    return at + 1, np.log([top, 1 - none + _LEAST, (max(others, default=0) + _LEAST) / top])


def known_rows(known: NDArray[np.uint32], features: NDArray[np.uint32]) -> NDArray[np.intp]:
    """Places in the ascending `known` of those features that are in it."""
    places = np.searchsorted(known, features)
    places[places == len(known)] = 0
    return places[known[places] == features]


@cache
def _packaged() -> RelationClassifier:
    return RelationClassifier.read(WEIGHTS_PATH)


@cache
def _fingerprint() -> str:
    return sha256(WEIGHTS_PATH.read_bytes()).hexdigest()[:16]
