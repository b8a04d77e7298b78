"""`finrag evaluate graph names`: are companies, products and people of sentences found, whole?"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.evaluation.graph.stated_readings import (
    chunks_read,
    offline_extract,
    place_of,
)
from finrag_pipeline.evaluation.reading.documents import pdfs, read_documents
from finrag_pipeline.evaluation.report import Report, percent
from finrag_pipeline.records import Chunk
from finrag_pipeline.records.graph import ChunkExtraction
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.extraction.references import is_reference

_KINDS = {"companies": ("company",), "products_and_people": ("product", "person")}


@dataclass(frozen=True, slots=True)
class LabelledNames:
    """A sentence by the file and the characters that it begins with, and all that it names."""

    file: str
    begins: str
    half: str
    names: dict[str, frozenset[str]]


def measure(corpus: Path, labels: Path, settings: Settings) -> Report:
    """Precision and recall of names in labelled sentences, spelt whole, as documents are read.

    Args:
        corpus: folder below which the files lie.
        labels: ``{"sentences": [{"file", "begins", "half", "companies", "products_and_people"}]}``.
        settings: whose registry and tagger of names the extractor has.

    Raises:
        ConfigurationError: a file is missing.
    """
    by_file: defaultdict[str, list[LabelledNames]] = defaultdict(list)
    for sentence in read_labels(labels):
        by_file[sentence.file].append(sentence)
    paths = {path.stem: path for path in pdfs(corpus)}
    missing = sorted(set(by_file) - set(paths))
    if missing:
        raise ConfigurationError(f"{corpus} has no {missing[0]}.pdf: name the folder of documents")
    extract = offline_extract(settings)
    counts: Counter[tuple[str, str, str]] = Counter()
    misses: list[str] = []
    lost: list[str] = []
    for document in read_documents([paths[name] for name in sorted(by_file)], settings):
        read = chunks_read(document, extract)
        for sentence in by_file[document.path.stem]:
            place = place_of(read, sentence.begins)
            if place is None:
                lost.append(f"{sentence.file} {sentence.begins}: no sentence of the kept text")
                continue
            for kind, wanted in sentence.names.items():
                found = _found(place, _KINDS[kind])
                key = sentence.half, kind
                counts[*key, "right"] += len(found & wanted)
                counts[*key, "found"] += len(found)
                counts[*key, "named"] += len(wanted)
                if found != wanted:
                    told = f"missed {sorted(wanted - found)}, found {sorted(found - wanted)} beside"
                    misses.append(f"{sentence.file} {sentence.begins}: {told}")
    rows: list[tuple[object, ...]] = []
    for half in sorted({half for half, _, _ in counts}, reverse=True):
        for kind in _KINDS:
            right, found, named = (counts[half, kind, what] for what in ("right", "found", "named"))
            rows.append((half, kind, named, percent(right, found), percent(right, named)))
    return Report(
        title=f"Names in {sum(map(len, by_file.values()))} labelled sentences",
        columns=("half", "kind", "named", "precision", "recall"),
        rows=tuple(rows),
        notes=(
            "A name counts where it is found as it is labelled, each once a sentence. Sentences "
            f"that are not in the kept text, or parted otherwise, are left out: {len(lost)}.",
        ),
        misses=(*misses, *lost),
    )


def read_labels(path: Path) -> list[LabelledNames]:
    """The labelled sentences of a file in order."""
    return [
        LabelledNames(
            row["file"], row["begins"], row["half"], {kind: frozenset(row[kind]) for kind in _KINDS}
        )
        for row in json.loads(path.read_text(encoding="utf-8"))["sentences"]
    ]


def _found(
    place: tuple[Chunk, ChunkExtraction, int, int], types: tuple[str, ...]
) -> frozenset[str]:
    chunk, extraction, start, end = place
    return frozenset(
        mention.text.strip("“”")
        for mention in extraction.mentions
        if mention.type in types
        and start <= mention.start < end
        # codes and 公司 mean who is named elsewhere
        and not mention.text[:1].isdigit()
        and not is_reference(chunk.content, mention.start, mention.end)
    )
