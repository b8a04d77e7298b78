"""Teaches the table of `finrag_pipeline.models.semantic` what e5 makes of the training text.

    python -m training.distillation HOME FILE.gz…

HOME holds or gets the folder of e5. Each FILE is gzipped UTF-8, one paragraph a line. First the
commonest words and characters get the vectors that e5 has for each by itself (Minish Lab's
model2vec), then all are moved until sums of them come near to e5's vectors of paragraphs (its
tokenlearn). Twenty minutes of a core; the same files give the same table but for the last digits.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array

from finrag_pipeline.models import e5
from finrag_pipeline.models.embedding import Vectors, unit
from finrag_pipeline.models.onnx.embedder import OnnxEmbedder
from finrag_pipeline.models.semantic import SEARCH_PATH, damped, write
from finrag_pipeline.words import is_chinese
from training.text_pairs import features_of, read_lines, read_training_text

Matrix = NDArray[np.float32]

DIMENSION = 128
#: Paragraphs drawn of the first file and of each further one, and how many of all are kept: five in
#: seven of the larger text. As many of both cost Chinese questions a tenth of their pages.
FIRST, FURTHER, PARAGRAPHS = 30_000, 12_000, 17_000
#: Shortest paragraph, and how many characters of a Chinese or another one are read.
SHORTEST, CHINESE, OTHER = 8, 160, 400
#: Features that get a vector of their own from e5; rarer ones begin at zero.
WORDS = 44_000
#: A feature that is everywhere still says a little.
LEAST_RARITY = 0.3
# What it costs to leave the first vectors. Cosine to e5 of paragraphs held out: .003 .796, .01
# .796, .03 .792, .1 .768; questions on reports find as many by .01 as by .03.
STAY = 0.02
STEPS = 40
#: Texts embedded between two lines of progress.
_TOLD = 4_000


def sample(paths: Sequence[Path], seed: int) -> list[str]:
    """Beginnings of paragraphs of all files, in no order."""
    chance = random.Random(seed)
    texts: list[str] = []
    for path, most in zip(paths, chain([FIRST], repeat(FURTHER)), strict=False):
        lines = [line for line in read_lines(path) if len(line) >= SHORTEST]
        drawn = chance.sample(lines, min(most, len(lines)))
        texts += [line[: CHINESE if is_chinese(line) else OTHER] for line in drawn]
    chance.shuffle(texts)
    return texts[:PARAGRAPHS]


def embed(embedder: OnnxEmbedder, texts: Sequence[str]) -> Vectors:
    """Vectors as passages, with a line of progress now and then."""
    parts: list[Vectors] = []
    for start in range(0, len(texts), _TOLD):
        parts.append(embedder.embed_passages(texts[start : start + _TOLD]))
        print(f"{start + len(parts[-1])} of {len(texts)} texts embedded", flush=True)
    return np.concatenate(parts)


def feature_counts(texts: Sequence[str], features: Sequence[str]) -> csr_array:
    """How much each feature counts in each text, shape `(len(texts), len(features))`."""
    place = {feature: n for n, feature in enumerate(features)}
    counted = [
        Counter(place[each] for each in features_of(text) if each in place) for text in texts
    ]
    times = np.array([n for text in counted for n in text.values()], dtype=np.float32)
    return csr_array(
        (
            damped(times),
            np.array([feature for text in counted for feature in text], dtype=np.int64),
            np.cumsum([0, *map(len, counted)]),
        ),
        shape=(len(texts), len(features)),
    )


def fit(counts: csr_array, taught: Matrix, first: Matrix) -> Matrix:
    """Vectors of features whose sums come near to taught vectors, near to their first ones.

    Ridge regression around `first` by conjugate gradients, a column each; every text weighs the
    same, whatever the length of its sum.

    Args:
        counts: shape `(texts, features)`.
        taught: rows of length one, shape `(texts, dimension)`.
        first: shape `(features, dimension)`.
    """
    lengths = np.linalg.norm(counts @ first, axis=1)
    weighed = diags_array(1 / np.maximum(lengths, 1e-6)) @ counts
    moved = np.zeros_like(first)
    left = taught - weighed @ first
    slope = weighed.T @ left
    direction, steepness = slope.copy(), (slope**2).sum(axis=0)
    for _ in range(STEPS):
        reached = weighed @ direction
        curve = (reached**2).sum(axis=0) + STAY * (direction**2).sum(axis=0)
        step = steepness / np.maximum(curve, 1e-12)
        moved += step * direction
        left -= step * reached
        slope = weighed.T @ left - STAY * moved
        steeper = (slope**2).sum(axis=0)
        direction = slope + steeper / np.maximum(steepness, 1e-12) * direction
        steepness = steeper
    return first + moved


def centred(vectors: Matrix, texts: Sequence[str]) -> Matrix:
    """Vectors without what those of a language have in common, which tells no text from another:
    else two unrelated Chinese texts are as near as a keyword and a sentence that has it.
    """
    chinese = np.array([is_chinese(text) for text in texts])
    moved = vectors.copy()
    for group in (chinese, ~chinese):
        if group.any():
            moved[group] -= vectors[group].mean(axis=0)
    return moved


def distil(
    counts: csr_array, paragraphs: Matrix, words: Matrix, dimension: int = DIMENSION
) -> Matrix:
    """The table for centred vectors of a teacher, where paragraphs differ most.

    Args:
        counts: features of the paragraphs.
        paragraphs: the teacher's vectors of them, shape `(paragraphs, width)`.
        words: those of the first features, shape `(at most features, width)`.

    Returns:
        Shape `(features, dimension)`.
    """
    _, _, directions = np.linalg.svd(paragraphs, full_matrices=False)
    kept = directions[:dimension].T
    texts, features = cast(tuple[int, int], counts.shape)
    rarity = np.log(texts / (1 + np.bincount(counts.indices, minlength=features)))
    first = np.zeros((features, dimension), dtype=np.float32)
    first[: len(words)] = unit(words @ kept)
    first *= np.maximum(rarity, LEAST_RARITY)[:, None].astype(np.float32)
    return fit(counts, unit(paragraphs @ kept), first)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("home", type=Path)
    parser.add_argument("texts", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=SEARCH_PATH)
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    features = read_training_text(options.texts).features
    texts = sample(options.texts, options.seed)
    teacher = e5.load(options.home)
    paragraphs = centred(embed(teacher, texts), texts)
    words = centred(embed(teacher, features[:WORDS]), features[:WORDS])
    table = distil(feature_counts(texts, features), paragraphs, words)
    write(options.out, features, table)
    print(f"{options.out}: {options.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
