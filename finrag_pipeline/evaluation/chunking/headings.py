"""`finrag evaluate chunking headings`: does a heading find its own section among all others?

Once with the text as it is, and once without any word of the heading, so that only meaning is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import numpy as np

from finrag_pipeline.evaluation.chunking.sections import ink
from finrag_pipeline.evaluation.reading.documents import ReadDocument, pdfs, read_documents
from finrag_pipeline.evaluation.report import Report
from finrag_pipeline.models.embedders import load_embedder
from finrag_pipeline.models.embedding import Embedder
from finrag_pipeline.query.fusion import fuse
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.chunking.sentences import read_sections
from finrag_pipeline.store.search.filters import Filter
from finrag_pipeline.store.search.keyword_entries import FIELDS, schema, write_entries
from finrag_pipeline.store.search.keyword_question import read_question
from finrag_pipeline.store.search.keyword_search import search_entries
from finrag_pipeline.words import is_chinese, search_words, words

#: Characters of a heading and of a section that are used.
SHORTEST_HEADING, SHORTEST_SECTION = 4, 150
#: Entries of each lane that are fused, as a search does.
DEPTH = 50
#: A section counts as found among so many.
FOUND = 10

_APP = "sections"


@dataclass(frozen=True)
class HeadedSection:
    """The text below a heading that no other section bears."""

    heading: str
    text: str
    report: str


def measure(folders: Sequence[Path], settings: Settings) -> Report:
    """Recall and reciprocal rank of headings' own sections, by lane.

    Args:
        folders: PDFs that the embedder was not trained on.
        settings: whose reading and embedder count.
    """
    sections = unique_sections(read_documents(pdfs(*folders), settings))
    embedder = load_embedder(settings)
    bare = [replace(s, text=without_words_of(s.heading, s.text)) for s in sections]
    rows: list[tuple[object, ...]] = []
    missed: list[str] = []
    for name, texts in (("as it is", sections), ("without the heading's words", bare)):
        for lane, ranks in rank_by_lane(texts, embedder).items():
            recall = float(np.mean([0 < rank <= FOUND for rank in ranks]))
            reciprocal = float(np.mean([1 / rank if rank else 0.0 for rank in ranks]))
            rows.append((name, lane, f"{recall:.3f}", f"{reciprocal:.3f}"))
            if lane != "fused":
                missed += [
                    f"{name}, {lane}, rank {rank or f'over {DEPTH}'}: {section.heading}"
                    for section, rank in zip(texts, ranks, strict=True)
                    if not 0 < rank <= FOUND
                ]
    return Report(
        title=f"{len(sections)} sections, embedder {embedder.space.name}",
        columns=("text", "lane", f"R@{FOUND}", "MRR"),
        rows=tuple(rows),
        notes=(
            f"Headings of {SHORTEST_HEADING} characters and more that one section alone bears, "
            f"sections of {SHORTEST_SECTION} and more; the heading is not part of the text.",
        ),
        misses=tuple(missed),
    )


def unique_sections(documents: Iterable[ReadDocument]) -> list[HeadedSection]:
    """Sections below a heading that tells them from all others, in order."""
    found = [
        HeadedSection(heading, text, document.path.name)
        for document in documents
        for section in read_sections(document.regions)
        if section.heading_count
        for heading in [section.sentences[section.heading_count - 1].text]
        for text in ["\n".join(s.text for s in section.sentences[section.heading_count :])]
        if ink(heading) >= SHORTEST_HEADING and ink(text) >= SHORTEST_SECTION
    ]
    borne = Counter(section.heading for section in found)
    return [section for section in found if borne[section.heading] == 1]


def without_words_of(heading: str, text: str) -> str:
    """A text's words, as `words` gives them, without those by which the keyword lane would find it
    by the heading.

    >>> without_words_of("毛利率下降", "公司毛利率承压，原料涨价")
    '公司 承压原料涨价'
    """
    gone = set(search_words(heading))
    left = ""
    for word in words(text):
        kept = word if gone.isdisjoint(search_words(word)) else " "
        joined = left and is_chinese(left[-1]) and is_chinese(kept[0])
        left += kept if joined or not left or " " in (left[-1], kept) else f" {kept}"
    return left.strip()


def rank_by_lane(sections: Sequence[HeadedSection], embedder: Embedder) -> Mapping[str, list[int]]:
    """Ranks of the headings' own sections from 1, 0 where a lane does not hold them."""
    keyword = _keyword_lane(sections)
    vector = _vector_lane(sections, embedder)
    fused = [
        [entry.key for entry in fuse({"keyword": first, "vector": second})]
        for first, second in zip(keyword, vector, strict=True)
    ]
    return {
        name: [order.index(n) + 1 if n in order else 0 for n, order in enumerate(lane)]
        for name, lane in (("keyword", keyword), ("vector", vector), ("fused", fused))
    }


def _keyword_lane(sections: Sequence[HeadedSection]) -> list[list[int]]:
    import tantivy

    index = tantivy.Index(schema())
    rows = [
        {
            "app_id": _APP,
            "document_id": "all",
            "revision": "r",
            "kind": "chunk",
            "ordinal": n,
            **dict.fromkeys(FIELDS, ""),
            "body": section.text,
            "codes": (),
            "entity_ids": (),
            "published_on": date.min,
        }
        for n, section in enumerate(sections)
    ]
    write_entries(index, rows, ())
    index.reload()
    return [
        [hit.ordinal for hit in search_entries(index, asked, DEPTH, Filter(_APP))]
        for asked in (read_question(section.heading) for section in sections)
    ]


def _vector_lane(sections: Sequence[HeadedSection], embedder: Embedder) -> list[list[int]]:
    questions = embedder.embed_questions([section.heading for section in sections])
    passages = embedder.embed_passages([section.text for section in sections])
    near = np.argsort(-(questions @ passages.T), axis=1, kind="stable")
    return near[:, :DEPTH].tolist()
