"""Order-preserving clique segmentation: sections of sentences to chunks within length bounds.

Source: chapter 3 and 8.1 of the design of financial RAG. Sentences come from `sentences`,
candidate runs from `cliques`; vectors are passed in, so that no model is known here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.records import Chunk, Metadata, Place, Region, Sentence
from finrag_pipeline.stages.cliques import Run, clique_runs, similarity_graph
from finrag_pipeline.stages.sentences import Section, read_sections

EmbedSentences = Callable[[Sequence[str]], NDArray[np.float32]]

#: Sentences further apart than this are never compared (the design asks for 20 to 80).
WINDOW = 40
#: Tokens of a chunk: a Chinese character or a word of another script counts as one.
MIN_TOKENS = 100
MAX_TOKENS = 500
#: Characters of `meta`: longer ones would outweigh the content in its vector.
META_CHARACTERS = 40

_TOKEN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W\u3400-\u9fff\uf900-\ufaff]+")
_CLAUSE_END = re.compile(r"(?<=[，,、：:；;）)])|\s+")


def count_tokens(text: str) -> int:
    """Chinese characters plus words and numbers of other scripts, punctuation left out.

    >>> count_tokens("营收46.3亿元, up 12%")
    8
    """
    return len(_TOKEN.findall(text))


def segment(
    regions: Sequence[Region], metadata: Metadata, embed: EmbedSentences, threshold: float
) -> tuple[Chunk, ...]:
    """Cut a document's kept text into chunks.

    Every kept non-space character is in exactly one chunk, order is kept, no chunk holds text of
    two sections, and no chunk is longer than `MAX_TOKENS`. A chunk shorter than `MIN_TOKENS` is a
    section that is.

    Args:
        regions: all regions of the document in reading order.
        metadata: who and when, for the chunk's `meta`.
        embed: sentences to unit vectors, shape (sentences, dimension).
        threshold: cosine similarity from which two sentences are one topic; it belongs to `embed`.

    Returns:
        Chunks in reading order, ordinals from 0.
    """
    chunks: list[Chunk] = []
    for section in read_sections(regions):
        sentences = [piece for s in section.sentences for piece in _cut_long(s)]
        for group in _group(section, sentences, embed, threshold):
            content = "\n".join(sentence.text for sentence in group)
            chunks.append(
                Chunk(
                    ordinal=len(chunks),
                    content=content,
                    places=_merge_places(place for s in group for place in s.places),
                    section=section.path,
                    meta=describe(metadata, section.path),
                    token_count=count_tokens(content),
                )
            )
    return tuple(chunks)


def describe(metadata: Metadata, section: Sequence[str]) -> str:
    """The line that says whose text it is: company or title, month, section.

    >>> describe(Metadata(company_name="星河新材"), ("投资要点", "业绩"))
    '星河新材 | 业绩'
    """
    subject = metadata.company_name or metadata.title or ""
    month = f"{metadata.published_on:%Y-%m}" if metadata.published_on else ""
    who = " ".join(part for part in (subject[: META_CHARACTERS // 2], month) if part)
    where = section[-1][: META_CHARACTERS - len(who) - 3] if section else ""
    return " | ".join(part for part in (who, where) if part)


def _group(
    section: Section, sentences: Sequence[Sentence], embed: EmbedSentences, threshold: float
) -> Iterator[Sequence[Sentence]]:
    lengths = [count_tokens(sentence.text) for sentence in sentences]
    if sum(lengths) <= MIN_TOKENS or len(sentences) == 1:
        # nothing to decide: one chunk, unless a single over-long sentence was cut to pieces
        bounds = _limit([(0, len(sentences))], lengths, np.zeros(len(sentences)))
    else:
        vectors = embed([sentence.text for sentence in sentences])
        links = np.einsum("ij,ij->i", vectors[:-1], vectors[1:])
        runs = clique_runs(similarity_graph(vectors, WINDOW, threshold))
        bounds = _resolve(runs, lengths)
        bounds = _lengthen(_bind_headings(bounds, section.heading_count), lengths, links)
        bounds = _limit(bounds, lengths, links)
    for start, stop in bounds:
        yield sentences[start:stop]


Bounds = list[tuple[int, int]]


def _resolve(runs: Sequence[Run], lengths: Sequence[int]) -> Bounds:
    """Runs to a partition: overlaps go to the earlier run while it is short, else to the more
    cohesive; sentences in no run stand alone."""
    chosen: list[Run] = []
    for run in runs:
        if not chosen or run.start >= chosen[-1].stop:
            chosen.append(run)
            continue
        previous = chosen[-1]
        if run.stop <= previous.stop:
            continue  # wholly inside
        earlier_is_short = sum(lengths[previous.start : previous.stop]) < MIN_TOKENS
        if earlier_is_short or previous.cohesion >= run.cohesion:
            trimmed = _trim(run, start=previous.stop)
            if trimmed:
                chosen.append(trimmed)
        else:
            shorter = _trim(previous, stop=run.start)
            chosen[-1:] = [shorter, run] if shorter else [run]
    bounds: Bounds = []
    position = 0
    for run in chosen:
        bounds += [(single, single + 1) for single in range(position, run.start)]
        bounds.append((run.start, run.stop))
        position = run.stop
    return bounds + [(single, single + 1) for single in range(position, len(lengths))]


def _trim(run: Run, start: int = 0, stop: int | None = None) -> Run | None:
    anchors = tuple(a for a in run.anchors if a >= start and (stop is None or a < stop))
    if len(anchors) < 2:
        return None
    return Run(anchors[0], anchors[-1] + 1, anchors, run.cohesion)


def _bind_headings(bounds: Bounds, heading_count: int) -> Bounds:
    """Headings open the first chunk of their section; they are never a chunk apart from text."""
    if heading_count == 0:
        return bounds
    first_text = next((i for i, (_, stop) in enumerate(bounds) if stop > heading_count), None)
    if first_text is None:
        return [(0, bounds[-1][1])]
    return [(0, bounds[first_text][1]), *bounds[first_text + 1 :]]


def _lengthen(bounds: Bounds, lengths: Sequence[int], links: NDArray[np.floating]) -> Bounds:
    """Join what is shorter than `MIN_TOKENS` to its more similar neighbour, in one pass."""
    sizes = [sum(lengths[start:stop]) for start, stop in bounds]
    joined: Bounds = []
    size = 0  # of the last joined one
    for i, (start, stop) in enumerate(bounds):
        fits = bool(joined) and size + sizes[i] <= MAX_TOKENS
        wants_left = sizes[i] < MIN_TOKENS and not _prefers_right(i, bounds, sizes, links)
        if fits and (size < MIN_TOKENS or wants_left):
            joined[-1] = (joined[-1][0], stop)
            size += sizes[i]
        else:
            joined.append((start, stop))
            size = sizes[i]
    return joined


def _prefers_right(
    i: int, bounds: Bounds, sizes: Sequence[int], links: NDArray[np.floating]
) -> bool:
    if i + 1 == len(bounds) or sizes[i] + sizes[i + 1] > MAX_TOKENS:
        return False
    start, stop = bounds[i]
    return bool(links[stop - 1] > links[start - 1])


def _limit(bounds: Bounds, lengths: Sequence[int], links: NDArray[np.floating]) -> Bounds:
    """Cut what is longer than `MAX_TOKENS` at its weakest link, so that no side is tiny."""
    result: Bounds = []
    pending = list(reversed(bounds))
    while pending:
        start, stop = pending.pop()
        total = sum(lengths[start:stop])
        if total <= MAX_TOKENS or stop - start == 1:
            result.append((start, stop))
            continue
        cuts = range(start + 1, stop)
        before = np.cumsum(lengths[start:stop])[:-1]
        balanced = [c for c, left in zip(cuts, before, strict=True) if _both_fit(left, total)]
        cut = min(balanced or cuts, key=lambda c: (float(links[c - 1]), c))
        pending += [(cut, stop), (start, cut)]
    return result


def _both_fit(left: int, total: int) -> bool:
    return left >= MIN_TOKENS and total - left >= MIN_TOKENS


def _cut_long(sentence: Sentence) -> Iterator[Sentence]:
    """A sentence longer than a chunk may be, cut at clause ends, else by length."""
    if count_tokens(sentence.text) <= MAX_TOKENS:
        yield sentence
        return
    pieces: list[str] = []
    for clause in filter(None, _CLAUSE_END.split(sentence.text)):
        for start in range(0, len(clause), MAX_TOKENS):
            part = clause[start : start + MAX_TOKENS]
            if pieces and count_tokens(pieces[-1] + part) <= MAX_TOKENS:
                gap = " " if pieces[-1][-1].isascii() and part[0].isascii() else ""
                pieces[-1] += gap + part
            else:
                pieces.append(part)
    for piece in pieces:
        yield Sentence(piece, sentence.places, sentence.section)


def _merge_places(places: Iterable[Place]) -> tuple[Place, ...]:
    """The distinct boxes, in order."""
    return tuple(dict.fromkeys(places))
