"""Prints invented reports, filings, notices and papers as PDF files.

    python -m benchmarks.made_documents first|second|third FOLDER [--chromium PATH] [--soffice PATH]

Two sets of 31 documents each of invented companies in both languages, and a third of 16 whose codes
no exchange gives, by people who did not know the pipeline, each a page of HTML here: broker
reports, annual and interim reports, notices, minutes, papers, prospectuses, ratings, a fund's
report, results of Hong Kong, 10-K, 10-Q and releases. The questions on them are
`questions/answers_made_*.jsonl` and `questions/figures_made_*.jsonl`, `made2` and `made3` those on
the other sets. A set is meant for a store of its own: companies of two may share a code. Needs
Chromium and the fonts Noto Sans CJK and Noto Serif CJK, for `second/writer` LibreOffice Writer.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

#: Printing one takes some seconds.
_TIMEOUT_S = 120
_HERE = Path(__file__).parent
#: Pages of HTML that LibreOffice Writer prints, as office software does.
_WRITER = "writer"


def print_all(chosen: str, folder: Path, chromium: str, soffice: str) -> int:
    """Print each document of a set into a folder; how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    sources = sorted((_HERE / chosen).rglob("*.html"))
    for source in sources:
        with tempfile.TemporaryDirectory() as profile:
            if source.parent.name == _WRITER:
                _by_writer(soffice, source.absolute(), folder.absolute(), Path(profile))
            else:
                _by_chromium(chromium, source.absolute(), folder.absolute(), Path(profile))
    return len(sources)


def _by_chromium(chromium: str, source: Path, folder: Path, profile: Path) -> None:
    options = (
        *("--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"),
        f"--user-data-dir={profile}",
        f"--print-to-pdf={folder / source.with_suffix('.pdf').name}",
        source.as_uri(),
    )
    _run(chromium, *options)


def _by_writer(soffice: str, source: Path, folder: Path, profile: Path) -> None:
    common = ("--headless", f"-env:UserInstallation={profile.as_uri()}")
    # as a web page it would be one long page
    text = ("--infilter=HTML (StarWriter)", "--convert-to", "odt:writer8", "--outdir")
    _run(soffice, *common, *text, str(profile), str(source))
    made = profile / source.with_suffix(".odt").name
    _run(soffice, *common, "--convert-to", "pdf", "--outdir", str(folder), str(made))


def _run(*command: str) -> None:
    subprocess.run(command, check=True, timeout=_TIMEOUT_S, capture_output=True)


def main() -> None:
    """Print them, tell how many."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("set", choices=("first", "second", "third"))
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--chromium", default="chromium", metavar="PATH")
    parser.add_argument("--soffice", default="soffice", metavar="PATH")
    options = parser.parse_args()
    count = print_all(options.set, options.folder, options.chromium, options.soffice)
    print(f"{count} documents in {options.folder}")


if __name__ == "__main__":
    main()
