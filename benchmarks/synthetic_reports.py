"""Reports of a made-up library, with what an extractor reads of them: for benchmarks of the graph.

Companies are named by Zipf's law, so that a few stand in every tenth report; two metrics stand in
every chunk or every other one, and the industry in most.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from itertools import accumulate, combinations

from finrag_pipeline.pipelines.graph.entity_graph import name_id
from finrag_pipeline.records import Document
from finrag_pipeline.records.graph import ChunkExtraction, Claim, Mention, RelationStatement
from finrag_pipeline.stages.identity.spelling import spelling
from finrag_pipeline.store.graph.entity_mentions import Alias, IdentifiedChunk, Name

APP = "default"
REVISION = "r1"
#: Listed companies of the A-share market.
COMPANIES = 5000
PRODUCTS = 3000
INDUSTRIES = 30
BROKERS = 60
CHUNKS = 5
REPORTS_A_DAY = 30
#: Names of a chunk that are told to share it: extractors take its foremost.
PAIRED = 3
FIRST_DAY = date(2018, 1, 2)
#: A chunk so long that its sentences can be pointed at.
CONTENT = "。" * 400

_HARMONIC = list(accumulate(1 / (number + 1) for number in range(COMPANIES)))
Named = tuple[str, str]


@dataclass(frozen=True)
class SyntheticReport:
    """A report to be published: its document and the chunks as they were read.

    Attributes:
        chunks: those that name entities, by what was read of them.
        contents: the texts of all chunks; empty where each is `CONTENT`.
        tables: titles and Markdown of its tables.
        about: code and name of the company that its cover names.
    """

    document: Document
    chunks: tuple[IdentifiedChunk, ...]
    contents: tuple[str, ...] = ()
    tables: tuple[tuple[str, str], ...] = ()
    about: tuple[str | None, str | None] = (None, None)


def company(number: int) -> Named:
    return "company", f"第{number}号能源设备公司"


def drawn(draw: random.Random) -> int:
    """A company's number, by Zipf's law."""
    return draw.choices(range(COMPANIES), cum_weights=_HARMONIC)[0]


def ordinary(number: int, published_on: date, label: str = "report") -> SyntheticReport:
    """A report on one company, with competitors, products, its industry, broker and metrics."""
    draw = random.Random(f"{label} {number}")
    return made_report(f"{label} {number}", published_on, _chunks(draw, drawn(draw)))


def on_hub(number: int, published_on: date) -> SyntheticReport:
    """A report on the company that most reports name."""
    draw = random.Random(f"hub {number}")
    return made_report(f"hub {number}", published_on, _chunks(draw, 0))


def of_many_companies(number: int, published_on: date) -> SyntheticReport:
    """A report on an industry: sixty companies, the most named ones first, three a chunk."""
    draw = random.Random(f"many {number}")
    named = list(range(30)) + [drawn(draw) for _ in range(30)]
    chunks = [
        [*(company(each) for each in named[start : start + 3]), ("metric", "营业收入")]
        for start in range(0, 60, 3)
    ]
    return made_report(f"many {number}", published_on, chunks)


def of_many_mentions(number: int, published_on: date) -> SyntheticReport:
    """A prospectus: 8,000 mentions in 400 chunks."""
    draw = random.Random(f"long {number}")
    own = drawn(draw)
    chunks = [
        [
            *_chunks(draw, own)[0],
            *(("product", f"第{draw.randrange(900)}项设备") for _ in range(14)),
        ]
        for _ in range(400)
    ]
    return made_report(f"long {number}", published_on, chunks)


def day_of(number: int) -> date:
    """When the report of a number was published: reports come in order."""
    return FIRST_DAY + timedelta(number // REPORTS_A_DAY)


def _chunks(draw: random.Random, own: int) -> list[list[Named]]:
    industry = ("industry", f"第{own % INDUSTRIES}类储能行业")
    broker = ("organisation", f"第{draw.randrange(BROKERS)}证券研究所")
    chunks: list[list[Named]] = []
    for _ in range(CHUNKS):
        other = drawn(draw)
        product = ("product", f"第{int(draw.paretovariate(1.1)) % PRODUCTS}型储能电池")
        chunk = [company(own), ("metric", "营业收入"), company(other), product]
        chunk.append(("metric", "归母净利润") if draw.random() < 0.5 else industry)
        chunk.append(broker if draw.random() < 0.3 else industry)
        chunks.append(list(dict.fromkeys(chunk)))
    return chunks


def made_report(
    label: str, published_on: date, chunks: Sequence[Sequence[Named]]
) -> SyntheticReport:
    """A report whose chunks name these, those first that are told to share it."""
    sha = f"{random.Random(label).getrandbits(256):064x}"
    document = Document(
        f"d{sha[:24]}", APP, sha, 1, published_on, f"{label}.pdf", (f"/{label}.pdf",), REVISION
    )
    return SyntheticReport(
        document, tuple(_chunk(n, label, names) for n, names in enumerate(chunks))
    )


def _chunk(ordinal: int, label: str, names: Sequence[Named]) -> IdentifiedChunk:
    mentions = tuple(
        Mention(place * 10, place * 10 + 8, text, text, kind, "high")  # type: ignore[arg-type]
        for place, (kind, text) in enumerate(names)
    )
    said = f"{label}第{ordinal}段："
    companies = [place for place, (kind, _) in enumerate(names) if kind == "company"]
    relations = tuple(
        RelationStatement(
            head, "supplies", tail, 0, 20, f"{said}{names[head][1]}向{names[tail][1]}供货",
            "asserted", "high",
        )
        for head, tail in combinations(companies[:2], 2)
        if ordinal % 2 == 0
    )  # fmt: skip
    claims = tuple(
        Claim(head, "figure", 20, 40, f"{said}{names[head][1]}营业收入增长", "asserted", "营业收入")
        for head in companies[:1]
    )
    identified = tuple(_name(kind, text) for kind, text in names)
    # the short name of the company is declared in the first chunk, as in most reports
    short = _name("company", f"{names[0][1][:-4]}")
    alias = (Alias(short.spelling, short.spelling, short.plain_id),)
    aliases = tuple(alias if ordinal == place == 0 else () for place in range(len(names)))
    pairs = tuple(
        pair
        for pair in combinations(range(min(len(names), PAIRED)), 2)
        if {names[place][0] for place in pair} != {"metric"}
    )
    return IdentifiedChunk(
        ChunkExtraction(ordinal, mentions, relations, claims), identified, aliases, pairs
    )


@lru_cache(maxsize=100_000)
def _name(kind: str, text: str) -> Name:
    key = f"{kind}:{spelling(text)}"
    identity = name_id(APP, key)
    return Name(spelling(text), identity, key, identity, key)
