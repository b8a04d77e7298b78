"""Four ways to search company records and business documents: key points, sources, times of steps.

    python benchmarks/enterprise_latency.py [--rounds 5] [--json FILE]

Over the store of the settings, into which `finrag enterprise load` and `finrag ingest` have put
`samples/enterprise/companies.json` and `samples/enterprise/documents`. A is the documents by
vectors, B the records by keywords, C both by vectors, D both by all lanes and the reranker.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, quantiles

from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.settings import load_settings
from finrag_pipeline.store.database.reader import Reader

K = 5


@dataclass(frozen=True)
class Case:
    """A question, what an answer needs, and kinds of sources that it needs."""

    question: str
    points: tuple[str, ...]
    sources: tuple[str, ...]


CASES = (
    Case(
        "鼎盛科技是做什么的？公司规模多大？",
        ("智能制造", "2015", "5000万元", "500人", "李明"),
        ("profile",),
    ),
    Case(
        "鼎盛科技之前有没有用过我们的产品？效果怎么样？",
        ("2023年", "DataStream Lite", "工厂数字化改造", "35%"),
        ("project", "doc"),
    ),
    Case(
        "星辰金融集团想做实时风控，应该推荐哪个产品？",
        ("金融科技", "DataStream Pro", "实时风控延迟高", "10毫秒", "800毫秒"),
        ("needs", "profile", "doc"),
    ),
    Case(
        "鼎盛科技的母公司是谁？投资方有哪些？",
        ("鼎盛集团是", "红杉资本", "IDG", "2亿元"),
        ("relations",),
    ),
    Case(
        "星辰金融之前有没有合作过？",
        ("未合作过", "云澜数据", "120毫秒"),
        ("relations", "doc"),
    ),
    Case(
        "DataStream Pro 适合哪些行业？",
        ("金融、电商和物流", "2022年北辰汇通", "800毫秒"),
        ("project", "doc"),
    ),
)
#: Ways by the filters that make them; records are two source types.
SCHEMES = {
    "A documents, vectors": [{"source_type": "doc", "lane": "vector"}],
    "B records, keywords": [
        {"source_type": "graph", "lane": "keyword"},
        {"source_type": "edge", "lane": "keyword"},
    ],
    "C both, vectors": [{"lane": "vector"}],
    "D both, hybrid": [{}],
}


def kind_of(source: str) -> str:
    """`profile`, `relations`, `project`, `needs` or `doc`."""
    return re.split(r"[/_]", source.partition("#")[2] + "/doc")[2] if "#" in source else "doc"


def found(engine: QueryEngine, case: Case, scheme: str) -> tuple[list[str], str, dict[str, float]]:
    """Kinds of the first five sources, their text, and the times of all steps."""
    results, times = [], defaultdict[str, float](float)
    for filters in SCHEMES[scheme]:
        part = engine.search(case.question, Options(k=K, **filters))  # pyright: ignore
        results += part.results
        for name, elapsed_ms in part.latency_ms.items():
            times[name] += elapsed_ms
    first = sorted(results, key=lambda each: -each.score)[:K]
    kinds = [kind_of(str(each.to_dict()["source"])) for each in first]
    return kinds, "\n".join(each.text for each in first), times


def measured(engine: QueryEngine, rounds: int) -> dict[str, dict[str, object]]:
    """Shares of key points and sources, and p50 and p95 of every step, by scheme."""
    told: dict[str, dict[str, object]] = {}
    for scheme in SCHEMES:
        points, sources = [], []
        times: defaultdict[str, list[float]] = defaultdict(list)
        for case in CASES:
            kinds, text, _ = found(engine, case, scheme)
            for _ in range(rounds):
                for name, elapsed_ms in found(engine, case, scheme)[2].items():
                    times[name].append(elapsed_ms)
            points.append(mean(point in text for point in case.points))
            sources.append(mean(source in kinds for source in case.sources))
        told[scheme] = {
            "key points": round(mean(points), 2),
            "sources": round(mean(sources), 2),
            "p50_p95_ms": {
                name: [round(each[n], 1) for n in (9, 18)]
                for name, spent in times.items()
                for each in [quantiles(spent, n=20)]
            },
        }
    return told


def answered(engine: QueryEngine) -> tuple[float, float]:
    """Shares of key points that answers tell, and of the kinds of sources that they cite."""
    points, sources = [], []
    for case in CASES:
        answer = engine.ask(case.question)
        kinds = {kind_of(each.source or "") for each in answer.evidence}
        points.append(mean(point in answer.answer for point in case.points))
        sources.append(mean(source in kinds for source in case.sources))
    return round(mean(points), 2), round(mean(sources), 2)


def main() -> None:
    """Print one table, and write it where asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    settings = load_settings()
    with Reader.open(settings) as reader:
        engine = QueryEngine(reader, settings)
        engine.search(CASES[0].question)  # loads models
        told = measured(engine, arguments.rounds)
        points, sources = answered(engine)
    if arguments.json:
        arguments.json.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(f"| scheme, first {K} | key points | sources | p50 / p95 ms by step |\n|---|---|---|---|")
    for scheme, each in told.items():
        times: dict[str, list[float]] = each["p50_p95_ms"]  # pyright: ignore
        steps = ", ".join(f"{name} {p50:g} / {p95:g}" for name, (p50, p95) in times.items())
        print(f"| {scheme} | {each['key points']} | {each['sources']} | {steps} |")
    print(f"| answers of the writer `accounts` | {points} | {sources} | |")


if __name__ == "__main__":
    main()
