"""How many answerable and unanswerable questions get an answer, by threshold: one table.

Run it over a store that holds the documents of the first file and none of the companies of the
second: `python benchmarks/answer_threshold.py ANSWERABLE.jsonl UNANSWERABLE.jsonl`, one JSON
object with a `question` a line. `MIN_COVERED` in `finrag_pipeline/query/question/relevance.py` is
read off here.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

from finrag_pipeline.query.answers.passages import confidence_of
from finrag_pipeline.query.answers.writers import register
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.settings import load_settings
from finrag_pipeline.store.database.reader import Reader

THRESHOLDS = (0.0, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7)


def main() -> None:
    """Print, per threshold, the share of each set that would be answered."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("answerable", type=Path)
    parser.add_argument("unanswerable", type=Path)
    parser.add_argument("--sample", type=int, default=300, help="questions of each file")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    held: list[float] = []

    def measure(asked: Asked, found: SearchResult) -> None:
        held.append(confidence_of(asked, found.results))

    register("extractive", lambda _: measure)
    settings = load_settings()
    with Reader.open(settings) as reader:
        engine = QueryEngine(reader, settings)
        sets: dict[str, list[float]] = {}
        for path in (options.answerable, options.unanswerable):
            lines = path.read_text(encoding="utf-8").splitlines()
            questions = [json.loads(line)["question"] for line in lines if line.strip()]
            random.Random(options.seed).shuffle(questions)
            held.clear()
            for question in questions[: options.sample]:
                engine.ask(question, Options(mode="text"))
            sets[path.stem] = [*held]
    print("threshold  " + "  ".join(f"{name} ({len(held)})" for name, held in sets.items()))
    for threshold in THRESHOLDS:
        shares = (sum(c > 0 and c >= threshold for c in held) / len(held) for held in sets.values())
        print(f"{threshold:9.2f}  " + "  ".join(f"{share:8.1%}" for share in shares))


if __name__ == "__main__":
    main()
