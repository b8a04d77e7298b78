"""Learns the weights of `finrag_pipeline.query.reranking.offline` from questions and their pages.

    python -m training.reranker --home DIRECTORY APP=FILE,FILE… [APP=FILE…]

DIRECTORY is a FINRAG_HOME whose apps hold the documents. A FILE has a question a line, with its
`pages` (`[{"source", "page"}]`, page from 1), or as the corpora have it, see `finrag_pipeline.
evaluation`. What is learned is first shown by cross-validation: the documents of a company are
judged by weights that were learned from all others. The same store and files give the same weights.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
Page = tuple[str, int]

#: How firmly weights are held to zero. Cross-validated, 3 to 30 differ by a question or two.
HELD = 10.0
STEPS = 500
LEARNING_RATE = 0.05
FOLDS = 8
#: What a document's name begins with is taken for its company: documents of one are one group.
_COMPANY = re.compile(r"\d{6}|[^_\s\d]+|.")


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the pages that answer it, and the file that it is of."""

    of: str
    app: str
    text: str
    pages: frozenset[Page]

    @property
    def company(self) -> str:
        found = _COMPANY.match(min(self.pages)[0])
        assert found is not None  # any name begins with a character
        return found[0].casefold()


@dataclass(frozen=True, slots=True)
class Example:
    """What was found for a question: features, shape `(n, features)`, and the page of each row.

    `answers` has, row by row, the number of the gold page that it stands on; -1: none of them.
    """

    question: Question
    rows: Matrix
    answers: NDArray[np.int64]


class _Recorder:
    """A reranker that leaves the order as it is and keeps what it saw."""

    def __init__(self) -> None:
        self.seen: list[Candidate] = []

    def score(self, asked: Asked, candidates: Sequence[Candidate]) -> Scores:
        self.seen = list(candidates)
        return np.array([candidate.fused for candidate in candidates])


def read_questions(path: Path, app: str) -> Iterator[Question]:
    """The questions of a file, in its form or in that of FinanceBench."""
    for line in filter(str.strip, path.read_text("utf-8").splitlines()):
        row: dict[str, Any] = json.loads(line)
        if "doc_name" in row:
            pages = [(row["doc_name"], int(each["page_index"]) + 1) for each in row["evidence"]]
        else:
            told = row.get("pages") or row["evidence"]
            pages = [(Path(each["source"]).stem, int(each["page"])) for each in told]
        yield Question(f"{path.parent.name}/{path.stem}", app, row["question"], frozenset(pages))


def find(settings: Settings, questions: Sequence[Question]) -> list[Example]:
    """What a search finds for each question, before any reranking."""
    recorder = _Recorder()
    registry.register("recorder", lambda tools, argument: recorder)
    chosen = settings.model_copy(update={"reranker": "recorder"})
    found: list[Example] = []
    with Reader.open(chosen) as reader:
        engine = QueryEngine(reader, chosen)
        for question in questions:
            recorder.seen = []
            engine.search(question.text, Options(app=question.app))
            if recorder.seen:
                rows = features(question.text, recorder.seen)
                found.append(Example(question, rows, _answers(question, recorder.seen)))
            else:
                empty = np.zeros((0, len(FEATURES)))
                found.append(Example(question, empty, np.zeros(0, dtype=np.int64)))
    return found


def learn(examples: Sequence[Example]) -> Matrix:
    """Weights of features, shape `(features,)`, under which gold pages come first.

    The likelihood that a gold page is drawn first (softmax over what was found; the pages of one
    question count alike), each weight held to the side that `FEATURES` says. Files count by the
    root of how many questions they have.
    """
    known = [each for each in examples if each.answers.max(initial=-1) >= 0]
    centred = [each.rows - each.rows.mean(axis=0) for each in known]
    scale = np.concatenate(centred).std(axis=0) + 1e-6
    longest = max(len(rows) for rows in centred)
    inputs = np.zeros((len(known), longest, len(FEATURES)))
    there = np.zeros((len(known), longest), dtype=bool)
    for n, rows in enumerate(centred):
        inputs[n, : len(rows)] = rows / scale
        there[n, : len(rows)] = True
    cases = [
        (n, each.answers == page) for n, each in enumerate(known) for page in _found_pages(each)
    ]
    of_case = np.array([n for n, _ in cases])
    wanted = np.zeros((len(cases), longest), dtype=bool)
    for row, (_, mask) in zip(wanted, cases, strict=True):
        row[: len(mask)] = mask
    counts = Counter(each.question.of for each in known)
    shares = np.array(
        [
            counts[known[n].question.of] ** -0.5 / len(_found_pages(known[n]))
            for n in of_case.tolist()
        ]
    )
    shares /= shares.sum()
    inputs, there = inputs[of_case], there[of_case]
    # other gold pages of the question are no competitors of this one
    gold = np.zeros_like(there)
    for row, n in zip(gold, of_case.tolist(), strict=True):
        row[: len(known[n].answers)] = known[n].answers >= 0
    there = there & (wanted | ~gold)
    return _descend(inputs, there, wanted, shares, HELD / len(known)) / scale


def _descend(inputs: Matrix, there: Any, wanted: Any, shares: Matrix, held: float) -> Matrix:
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
    companies = sorted({each.question.company for each in examples})
    order = np.random.default_rng(1).permutation(len(companies))
    fold_of = {companies[at]: n % FOLDS for n, at in enumerate(order.tolist())}
    scores: list[Matrix] = [np.zeros(0)] * len(examples)
    for fold in sorted(set(fold_of.values())):
        held_out = [n for n, e in enumerate(examples) if fold_of[e.question.company] == fold]
        weights = learn([e for n, e in enumerate(examples) if n not in set(held_out)])
        for n in held_out:
            scores[n] = examples[n].rows @ weights
    return scores


def report(title: str, examples: Sequence[Example], scores: Sequence[Matrix]) -> None:
    """A line a file: gold pages among the first 5 and 10, mean reciprocal rank of the first."""
    for of in dict.fromkeys(each.question.of for each in examples):
        pairs = [(e, s) for e, s in zip(examples, scores, strict=True) if e.question.of == of]
        ranks = [_ranks(example, score) for example, score in pairs]
        pages = [len(example.question.pages) for example, _ in pairs]
        recalls = {
            k: np.mean(
                [sum(r <= k for r in found) / n for found, n in zip(ranks, pages, strict=True)]
            )
            for k in (5, 10)
        }
        first = np.mean([1 / min(found) if found and min(found) <= 10 else 0.0 for found in ranks])
        hit = np.mean([bool(found) and min(found) <= 10 for found in ranks])
        print(
            f"{title:<16}{of:<36}n {len(pairs):<5}R@5 {recalls[5]:.3f}  R@10 {recalls[10]:.3f}  "
            f"S@10 {hit:.3f}  MRR {first:.3f}"
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
    questions: list[Question] = []
    for given in options.files:
        app, _, files = given.partition("=")
        for file in files.split(","):
            questions += read_questions(Path(file), app)
    examples = find(settings, questions)
    report("fused", examples, [-np.arange(len(each.rows), dtype=float) for each in examples])
    report("cross-validated", examples, cross_validated(examples))
    weights = learn(examples)
    report("learned", examples, [each.rows @ weights for each in examples])
    write(weights, options.out)


def _answers(question: Question, seen: Sequence[Candidate]) -> NDArray[np.int64]:
    pages = sorted(question.pages)
    found = np.full(len(seen), -1, dtype=np.int64)
    for n, candidate in enumerate(seen):
        item = candidate.item
        if isinstance(item, DocumentItem):
            here = {(Path(item.source).stem, place.page) for place in item.places}
            found[n] = next((at for at, page in enumerate(pages) if page in here), -1)
    return found


def _found_pages(example: Example) -> list[int]:
    """The numbers of the gold pages that were found."""
    return sorted({int(page) for page in example.answers if page >= 0})


def _ranks(example: Example, scores: Matrix) -> list[int]:
    """The 1-based rank of each gold page that was found."""
    ordered = example.answers[np.argsort(-scores, kind="stable")]
    return [int(np.flatnonzero(ordered == page)[0]) + 1 for page in _found_pages(example)]


if __name__ == "__main__":
    main()
