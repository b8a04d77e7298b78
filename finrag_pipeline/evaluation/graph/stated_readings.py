"""What the offline extractor reads in labelled sentences: made ones, and those of documents."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.evaluation.graph.stated import Reading, Sentence
from finrag_pipeline.evaluation.reading.documents import ReadDocument, pdfs, read_documents
from finrag_pipeline.models.names import Lac
from finrag_pipeline.models.relations import RelationClassifier
from finrag_pipeline.pipelines.documents.clique_chunks import chunk_regions
from finrag_pipeline.records import Chunk, Metadata, Place
from finrag_pipeline.records.graph import ChunkExtraction
from finrag_pipeline.registry import load_registry
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.chunking.sentence_ends import split_sentences
from finrag_pipeline.stages.extraction.offline import build_lexicon, extract
from finrag_pipeline.stages.identity.registry import registered_names

#: Reads the chunks of one document.
Extract = Callable[[Sequence[Chunk], Metadata], Sequence[ChunkExtraction]]
#: The chunks of one document, each with what is read in it.
Read = Sequence[tuple[Chunk, ChunkExtraction]]
_PLACE = Place(1, (0.0, 0.0, 1.0, 1.0))


def offline_extract(settings: Settings) -> Extract:
    """The extractor that ships, with the registry and the tagger of names of the settings."""
    names = registered_names(load_registry(settings))
    lexicon = build_lexicon((name, code) for name, code, _ in names)
    classify = RelationClassifier.packaged().classify
    tag = Lac.packaged().tag if settings.names == "lac" else None
    return lambda chunks, metadata: extract(chunks, metadata, lexicon, classify, tag)


def made_readings(
    sentences: Sequence[Sentence], read_document: Extract
) -> Iterator[tuple[Sentence, Reading]]:
    """Each made sentence read as a document of its own: below the name of the company that its
    label names, if it names one."""
    for sentence in sentences:
        name = sentence.company
        metadata = Metadata(kind="company", company_name=name) if name else Metadata()
        text = f"{name}\n{sentence.text}" if name else sentence.text
        (read,) = read_document([Chunk(0, text, (_PLACE,))], metadata)
        yield sentence, Reading(read.mentions, read.relations, name)


def document_readings(
    sentences: Sequence[Sentence], folder: Path, settings: Settings, read_document: Extract
) -> Iterator[tuple[Sentence, Reading]]:
    """Each sentence as the pipeline reads its document; one of a list of sentences by itself.

    Raises:
        ConfigurationError: the folder has no file of that name, or a page no such sentence.
    """
    paths = {path.name: path for path in (*pdfs(folder), *folder.rglob("*.json"))}
    by_file: defaultdict[str, list[Sentence]] = defaultdict(list)
    for sentence in sentences:
        by_file[sentence.file].append(sentence)
    missing = sorted(set(by_file) - set(paths))
    if missing:
        raise ConfigurationError(f"{folder} has no {missing[0]}; name the folder of the documents")
    lists = [name for name in sorted(by_file) if name.endswith(".json")]
    for name in lists:
        rows = json.loads(paths[name].read_text(encoding="utf-8"))
        for sentence in by_file.pop(name):
            # figures are masked in FinRE
            text = str(rows[sentence.page][-1]).replace("<N>", "5")
            (read,) = read_document([Chunk(0, text, (_PLACE,))], Metadata())
            yield sentence, Reading(read.mentions, read.relations, None)
    for document in read_documents([paths[name] for name in sorted(by_file)], settings):
        metadata = document.metadata or Metadata()
        read = chunks_read(document, read_document)
        for sentence in by_file[document.path.name]:
            yield sentence, _reading(sentence, read, metadata)


def chunks_read(document: ReadDocument, read_document: Extract) -> Read:
    """The chunks of a document, each with what is read in it."""
    metadata = document.metadata or Metadata()
    chunks = chunk_regions(document.regions, metadata)
    return list(zip(chunks, read_document(chunks, metadata), strict=True))


def place_of(
    read: Read, starts: str, page: int | None = None
) -> tuple[Chunk, ChunkExtraction, int, int] | None:
    """The chunk, and the characters of it, of the first sentence that starts so.

    Args:
        starts: its first characters; spaces do not count.
        page: that its chunk begins on; None for any.
    """
    known = "".join(starts.split())
    for chunk, found in read:
        if page not in (None, chunk.places[0].page):
            continue
        for start, end in _sentences(chunk.content):
            if "".join(chunk.content[start:end].split()).startswith(known):
                return chunk, found, start, end
    return None


def _reading(sentence: Sentence, read: Read, metadata: Metadata) -> Reading:
    place = place_of(read, sentence.starts, sentence.page)
    if place is None:
        return Reading((), (), metadata.company_name)
    _, found, start, end = place
    stated = tuple(each for each in found.relations if start <= each.start < end)
    return Reading(found.mentions, stated, metadata.company_name, metadata.company_code)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for piece in (p for line in text.splitlines() for p in split_sentences(line)):
        start = text.index(piece, start)
        yield start, start + len(piece)
        start += len(piece)
