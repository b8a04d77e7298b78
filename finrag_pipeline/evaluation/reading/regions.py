"""Kept text that is none, and body text wrongly dropped, by pages that a person has labelled.

Text that cleaning leaves to tables counts as dropped: body text there is lost to the text lanes.
How characters come to labels and regions is decided in `labels`.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from finrag_pipeline.evaluation.reading.documents import ReadDocument, pdfs, read_documents
from finrag_pipeline.evaluation.reading.labels import (
    LabelledPage,
    Labels,
    Piece,
    read_labels,
    weigh,
)
from finrag_pipeline.evaluation.report import Report
from finrag_pipeline.settings import Settings

#: Classes that are no running text though no harm is done where they stay: told apart for a look.
_LOOSE_MATTER = ("contents", "cover", "chart")


def measure(folder: Path, labels: Path, settings: Settings) -> Report:
    """Weigh what cleaning keeps and drops on labelled pages.

    Args:
        folder: the PDFs below it, under any names; files without labels are not read.
        labels: a file as `read_labels` takes it.
        settings: whose engine, workers and bounds count.

    Returns:
        Shares of characters (without spaces), then each class with the share that is kept. A miss
        is one region: its rule, page, length and first 30 characters. Whole documents are read,
        since cleaning looks at all pages.

    Raises:
        ConfigurationError: the labels are malformed.
    """
    truth = read_labels(labels)
    wanted = {page.file_sha256 for page in truth.pages}
    paths = {digest: path for path in pdfs(folder) if (digest := _digest(path)) in wanted}
    digests = {path: digest for digest, path in paths.items()}
    lacking = sorted(f"No file here has the content {d[:12]}…" for d in wanted - paths.keys())
    pieces: list[Piece] = []
    misses: list[str] = []
    pages = 0
    for document in read_documents(sorted(digests), settings):
        if document.error is not None:
            lacking.append(f"{document.path.name} was not read: {document.error}")
            continue
        for page in truth.pages:
            if page.file_sha256 == digests[document.path]:
                found = _weigh_page(document, page)
                pieces += found
                misses += _misses(document.path.name, page.page, found, truth)
                pages += 1
    notes = [f"{pages} of {len(truth.pages)} labelled pages were read.", *lacking]
    if unlabelled := sum(len(piece.text) for piece in pieces if piece.label is None):
        notes.append(f"{unlabelled} characters lie in no label and are not counted.")
    notes.append("Body text that the pipeline leaves to tables counts as dropped.")
    return Report(
        "Regions by hand labels",
        ("text", "characters", "of", "share", "target"),
        tuple(_rows(pieces, truth)),
        tuple(notes),
        tuple(misses),
    )


def _weigh_page(document: ReadDocument, page: LabelledPage) -> list[Piece]:
    lines = [line for p in document.pages if p.page == page.page for line in p.lines]
    regions = [region for region in document.regions if region.page == page.page]
    return weigh(lines, regions, page.boxes)


def _rows(pieces: Sequence[Piece], truth: Labels) -> Iterator[tuple[object, ...]]:
    total: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    for piece in pieces:
        if piece.label is not None:
            total[piece.label] += len(piece.text)
            kept[piece.label] += len(piece.text) * piece.kept
    noise = sum(kept[name] for name, part in truth.classes.items() if part == "noise")
    body = [name for name, part in truth.classes.items() if part == "body"]
    dropped = sum(total[name] - kept[name] for name in body)
    matter = [name for name in _LOOSE_MATTER if truth.classes.get(name) == "either"]
    loose = sum(kept[name] for name in matter)
    yield "kept text that is noise", *_share(noise, kept.total()), "< 0.5 %"
    yield "body text dropped", *_share(dropped, sum(total[name] for name in body)), "< 0.5 %"
    if matter:
        yield f"kept text that is {', '.join(matter)}", *_share(loose, kept.total()), ""
    for name, part in truth.classes.items():
        yield f"{name} ({part}) kept", *_share(kept[name], total[name]), ""


def _misses(name: str, page: int, pieces: Sequence[Piece], truth: Labels) -> Iterator[str]:
    for piece in pieces:
        part = truth.classes[piece.label] if piece.label is not None else "either"
        if part == ("noise" if piece.kept else "body"):
            rule = piece.region.rule if piece.region else "no region holds it"
            fate = f"kept {piece.label}" if piece.kept else f"dropped {piece.label} ({rule})"
            yield f"{name} p.{page} {fate}, {len(piece.text)} characters: {piece.text[:30]}"


def _share(part: int, whole: int) -> tuple[int, int, str]:
    return part, whole, f"{100 * part / whole:.2f} %" if whole else "none"


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
