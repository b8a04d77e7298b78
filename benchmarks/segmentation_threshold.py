"""From which similarity two sentences are one topic, for the offline embedder.

    python benchmarks/segmentation_threshold.py FOLDER

Pairs of neighbours inside one section are mostly one topic, pairs from different sections of one
document mostly are not. The table shows, by threshold, what share of either is joined; the best
threshold separates them most (Youden's J).
"""

from __future__ import annotations

import argparse
import itertools
import random
from pathlib import Path

import numpy as np

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.models.hashing import HashingEmbedder
from finrag_pipeline.stages.chunks import count_tokens
from finrag_pipeline.stages.cleaning import clean
from finrag_pipeline.stages.pdf import count_pages, read_pages, require_text_layer
from finrag_pipeline.stages.sentences import read_sections

#: Shorter sentences (units, labels) say too little of their topic to measure by.
SHORTEST_TOKENS = 10


def pairs_of(path: Path, chance: random.Random) -> tuple[list[float], list[float]]:
    """Similarities of neighbours in a section, and of sentences from different sections."""
    pages = read_pages(path, 1, count_pages(path))
    require_text_layer(pages)
    sections = [
        [s.text for s in section.sentences if count_tokens(s.text) >= SHORTEST_TOKENS]
        for section in read_sections(clean(pages))
    ]
    embed = HashingEmbedder().embed_passages
    vectors = [embed(section) for section in sections if section]
    near = [float(a @ b) for rows in vectors for a, b in itertools.pairwise(rows)]
    far: list[float] = []
    if len(vectors) > 1:
        for _ in range(len(near)):
            first, second = chance.sample(range(len(vectors)), 2)
            far.append(float(chance.choice(vectors[first]) @ chance.choice(vectors[second])))
    return near, far


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    chance = random.Random(0)
    near: list[float] = []
    far: list[float] = []
    for path in sorted(parser.parse_args().folder.rglob("*.pdf")):
        try:
            more_near, more_far = pairs_of(path, chance)
        except DocumentError:
            continue
        near += more_near
        far += more_far
    print(f"{len(near)} neighbours, {len(far)} pairs of different sections\n")
    print("| threshold | neighbours joined | others joined | J |\n|---|---|---|---|")
    for threshold in np.arange(0.04, 0.32, 0.02):
        hit, miss = (float(np.mean(np.array(x) >= threshold)) for x in (near, far))
        print(f"| {threshold:.2f} | {hit:.1%} | {miss:.1%} | {hit - miss:.3f} |")


if __name__ == "__main__":
    main()
