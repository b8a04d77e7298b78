"""What meaning should count of the offline embedder's cosine: headings that find their section.

    python benchmarks/meaning_share.py FOLDER…

Every share is tried in the vector lane over the sections of `finrag evaluate chunking headings`,
as they are and without any word of their heading. The share stands in
`finrag_pipeline/models/offline.py`.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np

from finrag_pipeline.evaluation.chunking.headings import (
    FOUND,
    rank_by_lane,
    unique_sections,
    without_words_of,
)
from finrag_pipeline.evaluation.reading.documents import pdfs, read_documents
from finrag_pipeline.models import offline
from finrag_pipeline.settings import load_settings

SHARES = (0.0, 0.1, 0.25, 0.33, 0.5, 1.0)


def main() -> None:
    """Read once, print a row a share."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    folders = parser.parse_args().folders
    sections = unique_sections(read_documents(pdfs(*folders), load_settings()))
    bare = [replace(s, text=without_words_of(s.heading, s.text)) for s in sections]
    print(f"{len(sections)} sections, R@{FOUND}\n")
    print("| share | vector | fused | vector without words |\n|---|---|---|---|")
    for share in SHARES:
        with patch.object(offline, "MEANING_SHARE", share):
            whole = rank_by_lane(sections, offline.OfflineEmbedder())
            left = rank_by_lane(bare, offline.OfflineEmbedder())
        found = (whole["vector"], whole["fused"], left["vector"])
        figures = (f"{np.mean([0 < rank <= FOUND for rank in ranks]):.3f}" for ranks in found)
        print(f"| {share} | {' | '.join(figures)} |")


if __name__ == "__main__":
    main()
