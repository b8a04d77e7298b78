"""Makes documents with tables of many layouts: `python -m benchmarks.made_tables FOLDER`.

`finrag evaluate reading tables FOLDER` then measures how they are read.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.made_tables.kinds import KINDS, make


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--first", type=int, default=0, help="first seed of each kind")
    parser.add_argument("--count", type=int, default=6, help="files of each kind")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    for kind in KINDS:
        for seed in range(asked.first, asked.first + asked.count):
            make(asked.folder / f"{kind}-{seed:03}.pdf", kind, seed)


if __name__ == "__main__":
    main()
