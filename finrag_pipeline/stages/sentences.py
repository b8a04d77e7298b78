"""Kept regions to sentences with their places; paragraphs are joined across columns and pages.

No similarity and no lengths here: what belongs together is decided in `cliques` and `chunks`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from finrag_pipeline.records import Place, Region, Sentence

if TYPE_CHECKING:
    from spacy.language import Language

#: A paragraph that ends so is finished; anything else may go on in the next column or page.
_FINISHED = re.compile(r"[。！？；：…!?;:.”\"）)】]\s*$")
#: Chinese sentence ends. The full stop of English is left out: it splits decimals.
_CHINESE_ENDS = ["。", "！", "？", "；", "…", "!", "?"]
_CJK = re.compile(r"[\u3400-\u9fff]")
#: spaCy keeps the closing quote or bracket that follows a sentence end with the next sentence.
_CLOSERS = re.compile(r"^[”’」』）)】\"']+")


@dataclass(frozen=True, slots=True)
class Section:
    """The sentences between two headings; `heading_count` of them, at the start, are headings."""

    path: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    heading_count: int


def read_sections(regions: Sequence[Region]) -> tuple[Section, ...]:
    """Cut kept text at its headings, then into sentences.

    Headings that follow each other without text between them open one section together, so that
    no section is a heading alone unless the document ends there.

    Args:
        regions: all regions of a document in reading order; dropped ones are passed over.

    Returns:
        Sections in order. Their sentences hold every kept non-space character exactly once.
    """
    sections: list[Section] = []
    headings: list[Region] = []
    body: list[Region] = []

    def close() -> None:
        if headings or body:
            titles = [_sentence(r.text, [r]) for r in headings]
            sentences = [*titles, *_split_paragraphs(body)]
            path = (body or headings)[-1].section
            sections.append(Section(path, tuple(sentences), len(titles)))
        headings.clear()
        body.clear()

    for region in regions:
        if not region.kept or not region.text.strip():
            continue
        if region.kind in ("title", "heading"):
            if body:
                close()
            headings.append(region)
        else:
            body.append(region)
    close()
    return tuple(sections)


def split_sentences(text: str) -> list[str]:
    """Split text after sentence ends, Chinese and English, decimals and abbreviations kept.

    Returns:
        Stripped, non-empty pieces that together hold every non-space character, in order.

    >>> split_sentences("营收46.30亿元（+11.8%）。利润承压；预计回升。")
    ['营收46.30亿元（+11.8%）。', '利润承压；', '预计回升。']
    >>> split_sentences("Revenue rose 3.4% to $1.2bn. Margins fell.")
    ['Revenue rose 3.4% to $1.2bn.', 'Margins fell.']
    """
    language = "zh" if len(_CJK.findall(text)) * 5 > len(text) else "en"
    pieces: list[str] = []
    for sentence in _splitter(language)(text).sents:
        piece = sentence.text
        closers = _CLOSERS.match(piece)
        if closers and pieces:
            pieces[-1] += closers.group()
            piece = piece[closers.end() :]
        if piece.strip():
            pieces.append(piece.strip())
    return pieces


@lru_cache(maxsize=2)
def _splitter(language: str) -> Language:
    import spacy

    nlp = spacy.blank(language)
    ends = {"punct_chars": _CHINESE_ENDS} if language == "zh" else {}
    nlp.add_pipe("sentencizer", config=ends)
    return nlp


def _split_paragraphs(regions: Sequence[Region]) -> Iterator[Sentence]:
    """Sentences of the text regions of one section, those that cross regions joined."""
    paragraph: list[Region] = []
    for region in regions:
        goes_on = paragraph and not _FINISHED.search(paragraph[-1].text)
        if paragraph and not (goes_on and region.kind == paragraph[-1].kind == "text"):
            yield from _split_paragraph(paragraph)
            paragraph = []
        paragraph.append(region)
    yield from _split_paragraph(paragraph)


def _split_paragraph(regions: Sequence[Region]) -> Iterator[Sentence]:
    text = ""
    ends: list[int] = []  # where each region's text ends in the joined text
    for region in regions:
        piece = region.text.strip()
        if text and not (_CJK.match(text[-1]) or _CJK.match(piece[0])):
            text += " "
        text += piece
        ends.append(len(text))
    start = 0
    for piece in split_sentences(text):
        start = text.index(piece[0], start)
        stop = _after(text, start, piece)
        touched = [
            region
            for region, begin, end in zip(regions, [0, *ends], ends, strict=False)
            if begin < stop and start < end
        ]
        yield _sentence(piece, touched)
        start = stop


def _after(text: str, start: int, piece: str) -> int:
    """Index in `text` behind the last character of `piece`; white space may differ."""
    if text.startswith(piece, start):
        return start + len(piece)
    position = start
    for character in piece:
        if not character.isspace():
            position = text.index(character, position) + 1
    return position


def _sentence(text: str, regions: Sequence[Region]) -> Sentence:
    places = tuple(Place(region.page, region.bbox) for region in regions)
    return Sentence(text=text.strip(), places=places, section=regions[0].section)
