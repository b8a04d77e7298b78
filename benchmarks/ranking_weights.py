"""How often the gold page is among the first 10, by the weights of the ranking: one table each.

`python benchmarks/ranking_weights.py QUESTIONS.jsonl [--sample 137]`, over a store that holds the
documents; each line has a `question` and its `evidence`: [{"source", "page"}]. What stands in
`finrag_pipeline/query/weights.py` is read off here.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from finrag_pipeline.models.embedders import load_embedder
from finrag_pipeline.query.evidence.documents import read_rows
from finrag_pipeline.query.evidence.keys import Key, content_hit
from finrag_pipeline.query.evidence.reading import rank_by_factor
from finrag_pipeline.query.fusion import fuse
from finrag_pipeline.query.lanes.lite import LiteLane
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.weights import LANE_WEIGHTS, METRIC_SHARE, RRF_K, VALUE_FACTORS
from finrag_pipeline.settings import load_settings
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search import embeddings
from finrag_pipeline.store.search.filters import Filter, Hit
from finrag_pipeline.store.search.keyword_index import KeywordIndex

DEPTH = 50
#: k of reciprocal rank fusion and what the vector lane counts beside the keyword lane.
FUSIONS = ((60, 1.0), (60, 0.4), (20, 0.4), (10, 1.0), (10, 0.6), (10, 0.4), (10, 0.3))
#: What the lite graph lane counts beside both.
GRAPH_WEIGHTS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5)
FACTORS: tuple[Mapping[str, float], ...] = (
    {},
    VALUE_FACTORS,
    {"argument": 1.05},
    {"figures": 0.9, "template": 0.9},
    {"figures": 0.8, "template": 0.8},
)
Row = dict[str, Any]


@dataclass(frozen=True)
class Found:
    """What every search found for one question, and the rows behind it."""

    gold: set[tuple[str, int]]
    keyword: list[Hit]
    vector: list[Hit]
    graph: list[Key]
    rows: dict[Key, Row]

    def rank(self, keys: Iterable[Key]) -> int:
        """1-based rank of the first entry on a gold page among the first 10, else 0."""
        for rank, key in enumerate(list(keys)[:10], start=1):
            row = self.rows[key]
            places = row["places"] or [{"page": row["page"]}]
            if self.gold & {(row["source"], place["page"]) for place in places}:
                return rank
        return 0


def main() -> None:
    """Search once, then print what each choice of weights makes of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--sample", type=int, default=137)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    lines = options.questions.read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line) for line in lines if line.strip()]
    random.Random(options.seed).shuffle(questions)
    found = search_all(questions[: options.sample])
    report("keyword", [each.rank(map(_key, each.keyword)) for each in found])
    report("vector", [each.rank(map(_key, each.vector)) for each in found])
    for k, weight in FUSIONS:
        ranks = [each.rank(_fused(each, {}, k, {"vector": weight})) for each in found]
        report(f"fused, k {k}, vector counts {weight}", ranks)
    report("graph", [each.rank(each.graph) for each in found])
    for weight in GRAPH_WEIGHTS:
        weights = {**LANE_WEIGHTS, "graph": weight}
        report(
            f"fused, graph counts {weight}",
            [each.rank(_fused(each, {}, weights=weights, graph=True)) for each in found],
        )
    for factors in FACTORS:
        ranks = [each.rank(_fused(each, factors)) for each in found]
        report(f"fused, {dict(factors) or 'no factors'}", ranks)


def search_all(questions: Sequence[Row]) -> list[Found]:
    """Everything that each question finds, down to `DEPTH`."""
    settings = load_settings()
    embedder = load_embedder(settings)
    vectors = embedder.embed_questions([each["question"] for each in questions])
    where = Filter(settings.app)
    found: list[Found] = []
    with Reader.open(settings) as reader:
        index = KeywordIndex(settings.home / "keyword", reader)
        lane = LiteLane(reader)
        for asked, vector in zip(questions, vectors, strict=True):
            keyword = index.search(asked["question"], DEPTH, where, METRIC_SHARE)
            around = lane.search(Asked(asked["question"], where, lambda: embedder), DEPTH).hits
            graph = [hit.key for hit in around]
            with reader.reading(settings.app) as connection:
                near = embeddings.nearest(connection, embedder.space, vector, DEPTH, where)
                rows = read_rows(connection, dict.fromkeys([*map(_key, [*keyword, *near]), *graph]))
            gold = {(each["source"], each["page"]) for each in asked["evidence"]}
            found.append(Found(gold, keyword, near, graph, rows))
    return found


def report(name: str, ranks: Sequence[int]) -> None:
    """One line: share among the first 10 and 3, mean reciprocal rank."""
    first_10 = sum(rank > 0 for rank in ranks) / len(ranks)
    first_3 = sum(0 < rank <= 3 for rank in ranks) / len(ranks)
    reciprocal = sum(1 / rank for rank in ranks if rank) / len(ranks)
    print(f"R@10 {first_10:.3f}  R@3 {first_3:.3f}  MRR {reciprocal:.3f}  {name}")


def _fused(
    found: Found,
    factors: Mapping[str, float],
    k: int = RRF_K,
    weights: Mapping[str, float] = LANE_WEIGHTS,
    graph: bool = False,
) -> list[Key]:
    lanes = {"keyword": [*map(_key, found.keyword)], "vector": [*map(_key, found.vector)]}
    if graph:
        lanes["graph"] = found.graph
    fused = fuse(lanes, k, weights)
    by_key = {key: factors.get(row.get("value") or "plain", 1.0) for key, row in found.rows.items()}
    return [entry.key for entry in rank_by_factor(fused, by_key)]


def _key(hit: Hit) -> Key:
    return content_hit(hit).key


if __name__ == "__main__":
    main()
