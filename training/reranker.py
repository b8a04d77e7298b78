"""Learns the weights of `finrag_pipeline.query.reranking.offline` from questions and their pages.

    python -m training.reranker --home DIRECTORY APP=FILE,FILE… [APP=FILE…]

DIRECTORY is a FINRAG_HOME whose apps hold the documents, a FILE as
`finrag_pipeline.evaluation.retrieval.questions` reads it. What can be learned is first shown by
cross-validation: questions on the documents of a company are judged by weights that were learned
from all others. The same store and files give the same weights.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.evaluation.retrieval.measure import name_of
from finrag_pipeline.evaluation.retrieval.questions import read_questions
from finrag_pipeline.evaluation.retrieval.rankings import Unit
from finrag_pipeline.evaluation.retrieval.variants import Task, tasks_of
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.evidence.documents import DocumentItem
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.query.reranking import registry
from finrag_pipeline.query.reranking.features import FEATURES, features
from finrag_pipeline.query.reranking.offline import WEIGHTS_PATH
from finrag_pipeline.query.reranking.registry import Candidate, Scores
from finrag_pipeline.settings import Settings, load_settings
from finrag_pipeline.store.database.reader import Reader

Matrix = NDArray[np.float64]
Mask = NDArray[np.bool_]

#: How firmly weights are held to zero. Cross-validated, 3 to 30 differ by a question or two a file.
HELD = 5.0
STEPS = 500
LEARNING_RATE = 0.05
FOLDS = 8
#: What a document's name begins with is taken for its company: documents of one are one group.
_COMPANY = re.compile(r"\d{6}|[^_\s\d]+|.")


@dataclass(frozen=True, slots=True)
class Example:
    """What was found for a question of a file.

    Attributes:
        rows: features of each candidate, shape `(n, features)`, in the order as fused.
        gold: which candidate stands on which page of the gold, shape `(pages, n)`.
    """

    of: str
    task: Task
    rows: Matrix
    gold: Mask

    @property
    def company(self) -> str:
        """What the name of the first document of the gold begins with."""
        found = _COMPANY.match(self.task.question.gold[0].document)
        return found[0].casefold() if found else ""


class _Recorder:
    """A reranker that leaves the order as it is and keeps what it saw."""

    def __init__(self) -> None:
        self.seen: list[Candidate] = []

    def score(self, asked: Asked, candidates: Sequence[Candidate]) -> Scores:
        self.seen = list(candidates)
        return np.array([candidate.fused for candidate in candidates])


def find(settings: Settings, files: Sequence[tuple[str, Path]]) -> list[Example]:
    """What a search finds for the questions of each app and file, before any reranking."""
    recorder = _Recorder()
    registry.register("recorder", lambda tools, argument: recorder)
    chosen = settings.model_copy(update={"reranker": "recorder"})
    found: list[Example] = []
    with Reader.open(chosen) as reader:
        engine = QueryEngine(reader, chosen)
        for app, path in files:
            tasks, missing = tasks_of(reader, app, read_questions(path))
            for name, why in missing.items():
                print(f"{path.name}: {name}: {why}")
            for task in tasks:
                recorder.seen = []
                engine.search(task.question.question, Options(app=app))
                found.append(_example(name_of(path), task, recorder.seen))
    return found


def learn(examples: Sequence[Example]) -> Matrix:
    """Weights of features, shape `(features,)`, under which gold pages come first.

    What is raised is the likelihood that a page of the gold is drawn first (softmax over what was
    found, other pages of the gold left out); each weight stays on the side that `FEATURES` says.
    Files count alike, and so do the questions of a file.
    """
    known = [each for each in examples if each.gold.any()]
    files = Counter(each.of for each in known)
    scale = np.concatenate([each.rows - each.rows.mean(axis=0) for each in known]).std(axis=0)
    scale += 1e-6
    cases = [(each, page) for each in known for page in each.gold if page.any()]
    longest = max(len(each.rows) for each in known)
    inputs = np.zeros((len(cases), longest, len(FEATURES)))
    there, wanted = np.zeros((2, len(cases), longest), dtype=bool)
    shares = np.zeros(len(cases))
    for n, (each, page) in enumerate(cases):
        size = len(each.rows)
        inputs[n, :size] = (each.rows - each.rows.mean(axis=0)) / scale
        wanted[n, :size] = page
        there[n, :size] = page | ~each.gold.any(axis=0)
        shares[n] = 1 / files[each.of] / each.gold.any(axis=1).sum()
    return _descend(inputs, there, wanted, shares / shares.sum(), HELD / len(known)) / scale


def _descend(inputs: Matrix, there: Mask, wanted: Mask, shares: Matrix, held: float) -> Matrix:
    """Adam, each step brought back to the side where a weight belongs."""
    sides = np.array(list(FEATURES.values()))
    least, most = np.where(sides > 0, 0.0, -np.inf), np.where(sides < 0, 0.0, np.inf)
    weights = np.zeros(len(sides))
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        scores = np.where(there, inputs @ weights, -np.inf)
        likely = np.exp(scores - scores.max(axis=1, keepdims=True))
        right = likely * wanted
        slope = likely / likely.sum(axis=1, keepdims=True) - right / right.sum(
            axis=1, keepdims=True
        )
        change = np.einsum("q,qn,qnf->f", shares, slope, inputs) + held * weights
        mean += 0.1 * (change - mean)
        square += 0.001 * (change**2 - square)
        rate = LEARNING_RATE * (1 - step / (STEPS + 1))
        move = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        weights = np.clip(weights - rate * move, least, most)
    return weights


def cross_validated(examples: Sequence[Example]) -> list[Matrix]:
    """The scores of each example by weights learned without its company."""
    companies = sorted({each.company for each in examples})
    order = np.random.default_rng(1).permutation(len(companies))
    fold_of = {companies[at]: n % FOLDS for n, at in enumerate(order.tolist())}
    scores: list[Matrix] = [np.zeros(0)] * len(examples)
    for fold in sorted(set(fold_of.values())):
        held_out = [n for n, e in enumerate(examples) if fold_of[e.company] == fold]
        weights = learn([e for e in examples if fold_of[e.company] != fold])
        for n in held_out:
            scores[n] = examples[n].rows @ weights
    return scores


def report(title: str, examples: Sequence[Example], scores: Sequence[Matrix]) -> None:
    """A line a file: gold pages among the first 5 and 10, mean reciprocal rank of the first."""
    for of in dict.fromkeys(each.of for each in examples):
        ranks = [_ranks(e, s) for e, s in zip(examples, scores, strict=True) if e.of == of]
        recall = {
            k: np.mean([np.mean([rank <= k for rank in each]) for each in ranks]) for k in (5, 10)
        }
        first = np.mean([1 / min(each) if min(each) <= 10 else 0.0 for each in ranks])
        print(
            f"{title:<16}{of:<36}n {len(ranks):<5}R@5 {recall[5]:.3f}  R@10 {recall[10]:.3f}  "
            f"MRR {first:.3f}"
        )


def write(weights: Matrix, path: Path) -> None:
    """Weights as `offline` reads them; features that count nothing are left out."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("feature", "weight"))
        for name, weight in zip(FEATURES, weights.tolist(), strict=True):
            if round(weight, 3):
                rows.writerow((name, f"{weight:.3f}"))


def main() -> None:
    """Find, show by cross-validation what can be learned, learn from everything, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="FINRAG_HOME of the store; default: that set")
    parser.add_argument("--out", type=Path, default=WEIGHTS_PATH)
    parser.add_argument("files", nargs="+", metavar="APP=FILE,FILE…")
    options = parser.parse_args()
    settings = load_settings()
    if options.home:
        settings = settings.model_copy(update={"home": options.home.expanduser().absolute()})
    files: list[tuple[str, Path]] = []
    for given in options.files:
        app, _, paths = given.partition("=")
        files += [(app, Path(path)) for path in paths.split(",")]
    examples = find(settings, files)
    report("fused", examples, [-np.arange(len(each.rows), dtype=float) for each in examples])
    report("cross-validated", examples, cross_validated(examples))
    weights = learn(examples)
    report("learned", examples, [each.rows @ weights for each in examples])
    write(weights, options.out)


def _example(of: str, task: Task, seen: Sequence[Candidate]) -> Example:
    rows = features(task.question.question, seen) if seen else np.zeros((0, len(FEATURES)))
    held = [_units(candidate) for candidate in seen]
    gold = [[wanted in units for units in held] for wanted in task.units]
    return Example(of, task, rows, np.array(gold, dtype=bool).reshape(len(gold), len(seen)))


def _units(candidate: Candidate) -> set[Unit]:
    item = candidate.item
    if not isinstance(item, DocumentItem):
        return set()
    units: set[Unit] = {(item.document_id, place.page) for place in item.places}
    return units | {(item.document_id, None)}


def _ranks(example: Example, scores: Matrix) -> list[float]:
    """The 1-based rank of each page of the gold, infinite where it was not found."""
    order = np.argsort(-scores, kind="stable")
    return [
        float(np.flatnonzero(page[order])[0]) + 1 if page.any() else np.inf for page in example.gold
    ]


if __name__ == "__main__":
    main()
