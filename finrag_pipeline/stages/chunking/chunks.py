"""Order-preserving clique segmentation: a document's kept text to chunks within length bounds.

Source: chapters 3 and 8.1 of the design of financial RAG. The steps are `sentences`, `units`,
`cliques`, `groups` and `cuts`; vectors are passed in, so that no model is known here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.records import Chunk, Region, Sentence
from finrag_pipeline.stages.chunking.calibration import Calibration
from finrag_pipeline.stages.chunking.cliques import (
    maximal_cliques,
    neighbour_sets,
    window_similarities,
)
from finrag_pipeline.stages.chunking.cuts import block_links, cheapest_cuts, cut_costs
from finrag_pipeline.stages.chunking.groups import Group, clique_runs, core, partition
from finrag_pipeline.stages.chunking.segmentation_units import (
    MAX_TOKENS,
    MIN_TOKENS,
    count_tokens,
    section_units,
    unit_texts,
)
from finrag_pipeline.stages.chunking.sentences import Section, read_sections
from finrag_pipeline.stages.chunking.short_pieces import Piece, join_short

EmbedSentences = Callable[[Sequence[str]], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Part:
    """Consecutive units `start..stop-1` of one chunk; `anchors` of them share one clique."""

    start: int
    stop: int
    anchors: tuple[int, ...]


def segment(
    regions: Sequence[Region], embed: EmbedSentences, calibration: Calibration
) -> tuple[Chunk, ...]:
    """Cut a document's kept text into chunks.

    Every kept non-space character is in exactly one chunk, order is kept, and none is longer than
    `MAX_TOKENS`. A chunk holds text of one section or question, except that one too short to stand
    alone joins its neighbour (`short_pieces`); `section` is then what most of the chunk stands
    under. A chunk shorter than `MIN_TOKENS` is a section that is, or has neighbours without room.

    Args:
        regions: all regions of the document in reading order.
        embed: sentences to unit vectors, shape (sentences, dimension).
        calibration: of the document's language and kind for `embed`.

    Returns:
        Chunks in reading order, ordinals from 0, without the fields that `enrichment` fills.
    """
    pieces: list[Piece] = []
    for section in read_sections(regions):
        bare = section.heading_count == len(section.sentences)
        for sentences in _segment_section(section, embed, calibration):
            pieces.append(Piece(((section.path, tuple(sentences)),), bare))
    return tuple(_chunk(ordinal, piece) for ordinal, piece in enumerate(join_short(pieces)))


def divide(
    vectors: NDArray[np.float32], lengths: Sequence[int], calibration: Calibration
) -> tuple[Part, ...]:
    """Cut the units of one section: the cheapest cuts between the groups of its cliques.

    Args:
        vectors: unit rows, shape (units, dimension).
        lengths: of the units in tokens, none over `MAX_TOKENS`.
        calibration: see `Calibration`.

    Returns:
        Parts in order that hold each unit once. Every two anchors of a part are at least
        `threshold` similar and within one window.
    """
    groups = clique_groups(vectors, lengths, calibration.threshold, calibration.window)
    return cut_between(groups, vectors, lengths, calibration)


def clique_groups(
    vectors: NDArray[np.float32], lengths: Sequence[int], threshold: float, window: int
) -> tuple[Group, ...]:
    """The groups of the units of one section, each drawn from one clique of the graph."""
    similarities = window_similarities(vectors, window)
    cliques = maximal_cliques(neighbour_sets(similarities, threshold))
    return partition(clique_runs(cliques, similarities), lengths, MIN_TOKENS)


def cut_between(
    groups: Sequence[Group],
    vectors: NDArray[np.float32],
    lengths: Sequence[int],
    calibration: Calibration,
) -> tuple[Part, ...]:
    """Groups to parts within the bounds of length, by the cuts of least cost."""
    links = block_links(vectors, lengths, calibration.reach)
    costs = cut_costs(links, groups, calibration.separation).tolist()
    bounds = cheapest_cuts(lengths, costs, MIN_TOKENS, MAX_TOKENS)
    return tuple(Part(start, stop, core(groups, start, stop)) for start, stop in bounds)


def _segment_section(
    section: Section, embed: EmbedSentences, calibration: Calibration
) -> list[Sequence[Sentence]]:
    sentences, units = section_units(section)
    lengths = [unit.tokens for unit in units]
    if sum(lengths) <= MIN_TOKENS or len(units) == 1:
        return [sentences]  # nothing to decide
    parts = divide(embed(unit_texts(sentences, units)), lengths, calibration)
    return [sentences[units[p.start].start : units[p.stop - 1].stop] for p in parts]


def _chunk(ordinal: int, piece: Piece) -> Chunk:
    sentences = piece.sentences
    content = "\n".join(sentence.text for sentence in sentences)
    return Chunk(
        ordinal=ordinal,
        content=content,
        places=tuple(dict.fromkeys(place for s in sentences for place in s.places)),
        section=piece.path,
        token_count=count_tokens(content),
        parent_page=_parent_page(sentences),
    )


def _parent_page(sentences: Sequence[Sentence]) -> int:
    """The page with most of the characters, the earlier of equals.

    A sentence that crosses regions is counted to each of them in equal shares.
    """
    characters: defaultdict[int, float] = defaultdict(float)
    for sentence in sentences:
        for place in sentence.places:
            characters[place.page] += len(sentence.text) / len(sentence.places)
    return max(sorted(characters), key=lambda page: characters[page])
