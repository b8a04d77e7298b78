"""At which step the figures of a set of questions are lost: an answer that is wrong or none says
little of what to mend.

    python -m benchmarks.figures_lost HOME FILE…

HOME is a FINRAG_HOME that holds the documents, a FILE as `finrag evaluate answers` reads it, of
figures. Each question whose figure is not told is printed with one of

* page: none of its pages is among the first twenty passages;
* candidate: its pages are, the figure is none of those that are judged, or a rule dropped it;
* order: it is judged, another one goes first;
* surety: it goes first, and is not sure enough;
* writer: it goes first and is sure, and another writer or a refusal spoke.

Figures that are worked out of others are counted as candidates that lack.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from finrag_pipeline.evaluation.answering.gold import GoldAnswer, read_gold
from finrag_pipeline.evaluation.answering.values import is_right
from finrag_pipeline.query.answers.closest.judge import SURE, Judge
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.settings import load_settings
from finrag_pipeline.store.database.reader import open_reader

#: Passages that are looked through for the pages of a figure.
_PASSAGES = 20


def lost_at(engine: QueryEngine, judge: Judge, gold: GoldAnswer) -> str | None:
    """The step at which the figure of a question is lost; None where it is told."""
    answer = engine.ask(gold.question)
    if answer.status == "answered" and is_right(gold, answer.value):
        return None
    asked, found = engine.passages(gold.question, _PASSAGES)
    judged = judge(asked, any_name=True)
    right = [is_right(gold, figure.value) for _, figure in judged]
    if True not in right:
        held = (each.item for each in found.results)
        pages = {(i.source, i.page) for i in held if isinstance(i, ChunkItem | TableItem)}
        return "candidate" if pages.intersection(gold.pages) else "page"
    if not right[0]:
        return "order"
    return "writer" if judged[0][0] >= SURE else "surety"


def main() -> None:
    """Print each figure that is lost, then how many are at each step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("home", type=Path)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    options = parser.parse_args()
    settings = load_settings().model_copy(update={"home": options.home})
    steps: Counter[str] = Counter()
    with open_reader(settings) as reader:
        engine = QueryEngine(reader, settings)
        judge = Judge(engine.tools)
        for gold in (each for path in options.files for each in read_gold(path)):
            if gold.value is None:
                continue
            step = lost_at(engine, judge, gold)
            steps[step or "told"] += 1
            if step:
                print(f"{step:9} {gold.id} {gold.question}", flush=True)
    print(", ".join(f"{step} {count}" for step, count in steps.most_common()))


if __name__ == "__main__":
    main()
