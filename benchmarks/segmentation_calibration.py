"""θ, N and the separation of blocks for segmentation, by language and kind of document.

    python benchmarks/segmentation_calibration.py FOLDER…

Joins sections of different reports (`finrag evaluate chunking boundaries` reports on the other
half of them) and takes the values of lowest Pk. Paste what it prints last into
`finrag_pipeline/stages/chunking/calibration.py`. Thresholds are tried at quantiles of the
similarities of the vectors of segmentation: nothing here changes with the embedder. Minutes.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.evaluation.chunking.boundaries import (
    REPORTED_HALF,
    SEED,
    Score,
    read_source_sections,
    score,
)
from finrag_pipeline.evaluation.chunking.sections import (
    JoinedDocument,
    SourceSection,
    ends,
    half_of,
    ink,
    join_sections,
)
from finrag_pipeline.models.segmentation import embed_sentences
from finrag_pipeline.settings import load_settings
from finrag_pipeline.stages.chunking.calibration import Calibration
from finrag_pipeline.stages.chunking.chunks import EmbedSentences, clique_groups, cut_between
from finrag_pipeline.stages.chunking.cliques import window_similarities
from finrag_pipeline.stages.chunking.cuts import block_links
from finrag_pipeline.stages.chunking.groups import Group
from finrag_pipeline.stages.chunking.segmentation_units import section_units, unit_texts
from finrag_pipeline.stages.chunking.sentences import read_sections

Vectors = NDArray[np.float32]

DOCUMENTS = 60
WINDOWS = (20, 24, 28, 32, 40, 60, 80)
#: Of the similarities of all pairs in a window, and of the links at all gaps.
THRESHOLD_QUANTILES = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98)
SEPARATION_QUANTILES = (0.0, 0.01, 0.02, 0.05, 0.08, 0.12, 0.16, 0.2, 0.25, 0.3)
#: A kind has values of its own only where they rest on so many reports and sections, and gain
#: this share of Pk: a gain of 10 % on 22 sections was a loss of 10 % on the other half.
FEWEST_REPORTS, FEWEST_SECTIONS, LEAST_GAIN = 5, 25, 0.1
#: A language has values however little there is, as long as sections can be joined.
FEWEST_OF_LANGUAGE = 3
#: Share of Pk that larger cliques may cost.
NEXT_TO_NOTHING = 0.02


class Bench:
    """Joined documents whose units are embedded once, to be cut with many values."""

    def __init__(self, sections: Sequence[SourceSection], embed: EmbedSentences) -> None:
        self.documents = join_sections(sections, DOCUMENTS, SEED)
        self.units = {document: _units(document, embed) for document in self.documents}
        self.groups = cache(self._groups)

    def _groups(self, document: JoinedDocument, threshold: float, window: int) -> tuple[Group, ...]:
        vectors, lengths, _ = self.units[document]
        return clique_groups(vectors, lengths, threshold, window)

    def score(self, values: Calibration) -> Score:
        def cut(document: JoinedDocument) -> list[int]:
            vectors, lengths, after = self.units[document]
            groups = self.groups(document, values.threshold, values.window)
            parts = cut_between(groups, vectors, lengths, values)
            return [after[part.stop - 1] for part in parts[:-1]]

        return score(self.documents, cut)

    def thresholds(self, window: int) -> list[float]:
        similarities = [window_similarities(v, window).ravel() for v, _, _ in self.units.values()]
        pairs = np.concatenate(similarities)
        return _quantiles(pairs[np.isfinite(pairs)], THRESHOLD_QUANTILES)

    def separations(self, window: int) -> list[float]:
        reach = Calibration(0, window, 0).reach
        links = [block_links(v, lengths, reach) for v, lengths, _ in self.units.values()]
        return _quantiles(np.concatenate(links), SEPARATION_QUANTILES)

    def best(self) -> Calibration:
        """Lowest Pk: window and separation first, then the threshold, then the separation again.

        The lowest threshold that costs next to nothing is taken: the larger the cliques, the more
        of a chunk is drawn from one.
        """
        start = Calibration(threshold=self.thresholds(WINDOWS[0])[-2], window=0, separation=0.0)
        values = self._lowest(
            replace(start, window=window, separation=separation)
            for window in WINDOWS
            for separation in self.separations(window)
        )
        by_threshold = [
            replace(values, threshold=threshold) for threshold in self.thresholds(values.window)
        ]
        enough = self.score(self._lowest(by_threshold)).pk * (1 + NEXT_TO_NOTHING)
        values = next(one for one in by_threshold if self.score(one).pk <= enough)
        return self._lowest(
            replace(values, separation=separation) for separation in self.separations(values.window)
        )

    def _lowest(self, candidates: Iterable[Calibration]) -> Calibration:
        return min(candidates, key=lambda values: self.score(values).pk)


def _units(document: JoinedDocument, embed: EmbedSentences) -> tuple[Vectors, list[int], list[int]]:
    """Vectors and lengths of the units of a document, and the characters up to each one's end."""
    (section,) = read_sections(document.regions)
    sentences, units = section_units(section)
    texts = unit_texts(sentences, units)
    return embed(texts), [unit.tokens for unit in units], list(ends(map(ink, texts)))


def _quantiles(values: NDArray[np.floating], at: Sequence[float]) -> list[float]:
    return sorted({round(float(value), 3) for value in np.quantile(values, at)})


def calibrate(sections: Sequence[SourceSection], embed: EmbedSentences) -> None:
    """Print the table and the values to paste."""
    chosen: dict[tuple[str, str], Calibration] = {}
    print("Pk by the values found and by those of the language, on this half | on the other\n")
    print("| language | kind | reports | sections | values | own | language | own | language |")
    print("|---|---|---|---|---|---|---|---|---|")
    for language, kind in sorted({key for s in sections for key in _keys(s)}):
        halves = ([], [])
        for section in sections:
            if (language, kind) in _keys(section):
                halves[half_of(section.report)].append(section)
        own, other = halves[1 - REPORTED_HALF], halves[REPORTED_HALF]
        reports = len({section.report for section in own})
        shown = f"| {language} | {kind or 'all'} | {reports} | {len(own)} "
        enough = FEWEST_REPORTS if kind else FEWEST_OF_LANGUAGE
        if reports < enough or len(own) < FEWEST_SECTIONS:
            print(shown + "| too few | | | | |")
            continue
        bench, check = Bench(own, embed), Bench(other, embed)
        values = bench.best()
        shared = chosen.get((language, ""), values)
        pk, shared_pk = bench.score(values).pk, bench.score(shared).pk
        better = not kind or pk <= shared_pk * (1 - LEAST_GAIN)
        if better:
            chosen[language, kind] = values
        elsewhere = (
            f"{check.score(one).pk:.3f}" if check.documents else "none" for one in (values, shared)
        )
        kept = _written(values) + ("" if better else ", not taken")
        print(shown + f"| {kept} | {pk:.3f} | {shared_pk:.3f} | {' | '.join(elsewhere)} |")
    print()
    for key, values in chosen.items():
        print(f"{key}: {_written(values)},")


def _keys(section: SourceSection) -> tuple[tuple[str, str], tuple[str, str]]:
    metadata = section.metadata
    return (metadata.language, ""), (metadata.language, metadata.kind)


def _written(values: Calibration) -> str:
    return f"Calibration({values.threshold}, {values.window}, {values.separation})"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", type=Path, nargs="+")
    settings = load_settings()
    sections = read_source_sections(parser.parse_args().folders, settings)
    calibrate(sections, embed_sentences)


if __name__ == "__main__":
    main()
