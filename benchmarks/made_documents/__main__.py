"""Prints invented reports, filings, notices and papers as PDF files.

    python -m benchmarks.made_documents FOLDER [--chromium PATH]

31 documents of invented companies in both languages, by people who did not know the pipeline, each
a page of HTML here: broker reports, annual and interim reports, notices, minutes, papers, a rating,
a fund's report, results of Hong Kong, 10-K, 10-Q and an earnings release. The questions on them are
`questions/answers_made_*.jsonl` and `questions/figures_made_*.jsonl`. Needs Chromium and the fonts
Noto Sans CJK and Noto Serif CJK.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

#: Printing one takes some seconds.
_TIMEOUT_S = 120


def print_all(folder: Path, chromium: str) -> int:
    """Print each document into a folder; how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    sources = sorted(Path(__file__).parent.glob("*.html"))
    for source in sources:
        with tempfile.TemporaryDirectory() as profile:
            options = (
                *("--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"),
                f"--user-data-dir={profile}",
                f"--print-to-pdf={folder.absolute() / source.with_suffix('.pdf').name}",
                source.absolute().as_uri(),
            )
            command = [chromium, *options]
            subprocess.run(command, check=True, timeout=_TIMEOUT_S, capture_output=True)
    return len(sources)


def main() -> None:
    """Print them, tell how many."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--chromium", default="chromium", metavar="PATH")
    options = parser.parse_args()
    print(f"{print_all(options.folder, options.chromium)} documents in {options.folder}")


if __name__ == "__main__":
    main()
