"""Learns which term of tables a phrase stands for: `finrag_pipeline/query/restating/terms.npz`.

    python -m training.term_wordings HOME

HOME is where the folder of the e5 model is made. Learned from `term_wordings.csv`: how people who
avoid a printed term say it, and phrases of questions that stand for none (with no term). A part of
the wordings is held out first, to say how often the likeliest term is the right one; what ships is
learned from all. Numpy and scipy alone; the same file gives the same bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.models import e5
from finrag_pipeline.models.embedding import Embedder, Vectors, unit
from finrag_pipeline.query.restating.terms import PATH, Terms

WORDINGS = Path(__file__).with_name("term_wordings.csv")
#: How loosely the directions are held to nought: of 3, 10 and 30 the best on what is held out.
LOOSE = 30.0
#: A term itself counts as so many of its wordings.
ITSELF = 3
#: One wording of so many is held out.
PART = 5
Matrix = NDArray[np.float64]


def read_wordings(path: Path = WORDINGS) -> list[tuple[str, str]]:
    """Pairs of a term, empty for none, and a wording."""
    found = []
    for row in data_rows(path, ("term", "wordings")):
        own = [row["term"]] * ITSELF if row["term"] else []
        found += [(row["term"], each) for each in (*row["wordings"].split("|"), *own)]
    return found


def learn(pairs: Sequence[tuple[str, str]], embedder: Embedder) -> Terms:
    """Terms by logistic regression over all of them, none first."""
    vectors = embedder.embed_questions([wording for _, wording in pairs]).astype(np.float64)
    names = sorted({term for term, _ in pairs})
    assert names[0] == "", "phrases that stand for no term are needed"
    centre = vectors.mean(axis=0)
    rows = unit(vectors - centre).astype(np.float64)
    target = np.zeros((len(pairs), len(names)))
    target[np.arange(len(pairs)), [names.index(term) for term, _ in pairs]] = 1.0
    weights, bias = _fitted(rows, target)
    fingerprint = embedder.space.fingerprint
    return Terms(
        tuple(names[1:]),
        weights.astype(np.float32),
        bias.astype(np.float32),
        centre.astype(np.float32),
        fingerprint,
    )


def share_right(terms: Terms, pairs: Sequence[tuple[str, str]], embedder: Embedder) -> float:
    """How often the likeliest term of a wording is its own."""
    vectors: Vectors = embedder.embed_questions([wording for _, wording in pairs])
    best = terms.likely(vectors).argmax(axis=1)
    return float(
        np.mean([terms.names[at] == term for at, (term, _) in zip(best, pairs, strict=True)])
    )


def _fitted(rows: Matrix, target: Matrix) -> tuple[Matrix, Matrix]:
    """Weights and offsets of the least loss over all pairs, weights held to nought."""
    width, classes = rows.shape[1], target.shape[1]

    def loss(flat: Matrix) -> tuple[float, Matrix]:
        weights = flat[: classes * width].reshape(classes, width)
        scores = rows @ weights.T + flat[classes * width :]
        scores -= scores.max(axis=1, keepdims=True)
        logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
        error = np.exp(logs) - target
        value = -(logs * target).sum() + (weights**2).sum() / (2 * LOOSE)
        slope = error.T @ rows + weights / LOOSE
        return float(value), np.concatenate([slope.ravel(), error.sum(axis=0)])

    start = np.zeros(classes * width + classes)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 400})
    return found.x[: classes * width].reshape(classes, width), found.x[classes * width :]


def main(home: Path) -> None:
    """Say how well it goes on what is held out, then learn from all."""
    embedder = e5.load(home).matcher
    pairs = read_wordings()
    kept = [pair for at, pair in enumerate(pairs) if at % PART or not pair[0]]
    held = [
        pair for at, pair in enumerate(pairs) if not at % PART and pair[0] != pair[1] and pair[0]
    ]
    right = share_right(learn(kept, embedder), held, embedder)
    print(f"{len(held)} wordings held out: the likeliest term is right for {right:.1%}")
    learn(pairs, embedder).write(PATH)
    print(f"{len({term for term, _ in pairs}) - 1} terms, {len(pairs)} wordings: {PATH.name}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
