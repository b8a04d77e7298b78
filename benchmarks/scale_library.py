"""A made-up library of any size with the words and the vectors of real paragraphs: for `scale`.

Every chunk is some of 60,000 real paragraphs and a sentence that names entities, so that words are
as frequent as they are; its vector is that of its first paragraph, moved by the difference of two
others, so that vectors lie as near one another as real ones do.
"""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import accumulate, islice
from pathlib import Path

import numpy as np

from benchmarks.facts import code_of
from benchmarks.lanes import EMBEDDED, embedded
from benchmarks.synthetic_reports import Named, SyntheticReport, company, day_of, drawn, made_report
from finrag_pipeline.models.embedding import Embedder, Vectors, unit

#: Real paragraphs of which chunks are made.
PARAGRAPHS = 60_000
CHUNKS, TABLES = 20, 2
#: What of a document has a vector.
ENTRIES = CHUNKS + TABLES
#: Chunks of a document that name entities.
NAMING = 8
#: At a million chunks; fewer below. About three in four are drawn at all.
ENTITIES = 270_000
#: How an entity is drawn, as in `graph_hops`.
POWER = 0.75
#: How far a vector is moved. Median cosines of 60,000 made of 6,000 to their first and tenth
#: nearest are .963 and .946 (`spread`), those of 60,000 real ones .963 and .944.
MOVED = 0.45
_LINES = ("营业收入", "营业成本", "净利润", "毛利率", "研发费用", "经营活动产生的现金流量净额")


class Library:
    """Documents by their number, and the vectors of what they hold.

    Args:
        paragraphs: gzipped lines of real text.
        vectors: file that keeps the vectors of the paragraphs, made if it is not there.
        chunks: how many the library is to have.
    """

    def __init__(self, paragraphs: Path, vectors: Path, chunks: int, embedder: Embedder) -> None:
        with gzip.open(paragraphs, "rt", encoding="utf-8") as lines:
            long = (line.strip()[:500] for line in lines if len(line) > EMBEDDED)
            self.texts = list(islice(long, PARAGRAPHS))
        self._base = unit(embedded(self.texts, embedder, vectors))
        self.documents = chunks // CHUNKS
        entities = ENTITIES * chunks // 1_000_000
        chances = (number**-POWER for number in range(1, entities + 1))
        self._entities, self._chances = range(entities), list(accumulate(chances))

    def reports(self, start: int, stop: int) -> Iterator[SyntheticReport]:
        """Documents of these numbers, in the order of their days."""
        return (self.report(number, day_of(number)) for number in range(start, stop))

    def report(self, number: int, published_on: date, label: str = "scale") -> SyntheticReport:
        """A document of 20 chunks and two tables on one company."""
        draw = random.Random(f"{label} {number}")
        own = drawn(draw)
        named = [self._named(draw, own) for _ in range(NAMING)]
        contents = tuple(
            self._content(draw, int(lead), named[at] if at < NAMING else ())
            for at, lead in enumerate(self._leads(number)[:CHUNKS])
        )
        tables = tuple(_table(draw, own) for _ in range(TABLES))
        report = made_report(f"{label} {number}", published_on, named)
        about = (code_of(own), company(own)[1])
        return replace(report, contents=contents, tables=tables, about=about)

    def vectors(self, number: int) -> Vectors:
        """The vectors of a document's chunks, then of its tables, shape `(ENTRIES, dimension)`."""
        rng = np.random.default_rng(number)
        one, other = rng.integers(0, len(self._base), (2, ENTRIES))
        return moved(self._base, self._leads(number), one, other)

    def near(self, texts: Sequence[str]) -> Vectors:
        """Vectors for texts that no model is to read, the same each time."""
        seeds = [random.Random(text).randrange(len(self._base) ** 3) for text in texts]
        each = len(self._base)
        lead, one, other = (np.array([s // each**n % each for s in seeds]) for n in range(3))
        return moved(self._base, lead, one, other)

    def _leads(self, number: int) -> np.ndarray:
        """The paragraphs that chunks begin with; tables lie among them, too."""
        return np.random.default_rng((7, number)).integers(0, len(self._base), ENTRIES)

    def _named(self, draw: random.Random, own: int) -> list[Named]:
        others = draw.choices(self._entities, cum_weights=self._chances, k=2)
        return list(dict.fromkeys([company(own), *map(_entity, others), ("metric", "营业收入")]))

    def _content(self, draw: random.Random, lead: int, named: Sequence[Named]) -> str:
        names = "、".join(text for _, text in named)
        told = f"{names}同比增长{draw.randrange(1, 9999) / 100}%。" if named else ""
        return "\n".join([self.texts[lead], *filter(None, [told]), draw.choice(self.texts)])


def moved(base: Vectors, lead: np.ndarray, one: np.ndarray, other: np.ndarray) -> Vectors:
    """Vectors beside some, by the differences of pairs of others."""
    return unit(base[lead] + MOVED * (base[one] - base[other]))


def spread(vectors: Vectors, asked: int = 500) -> np.ndarray:
    """Cosines of some vectors with their 10 nearest, ascending, shape `(asked, 10)`."""
    chosen = np.random.default_rng(3).choice(len(vectors), asked, replace=False)
    cosines = vectors[chosen] @ vectors.T
    return np.sort(np.partition(cosines, -11, axis=1)[:, -11:], axis=1)[:, :10]


def _entity(number: int) -> Named:
    kinds = (
        company(number),
        ("product", f"第{number}型储能电池"),
        ("product", f"第{number}款精密部件"),
        ("organisation", f"第{number}号研究中心"),
    )
    return kinds[number % len(kinds)]


def _table(draw: random.Random, own: int) -> tuple[str, str]:
    """Title and Markdown of a table with two years of some lines."""
    year = draw.randrange(2015, 2025)
    rows = [f"| 项目 | {year}年 | {year - 1}年 |", "|---|---|---|"]
    for line in draw.sample(_LINES, 4):
        rows.append(f"| {line} | {draw.randrange(10**10):,} | {draw.randrange(10**10):,} |")
    return f"{company(own)[1]}主要会计数据", "\n".join(rows)
