"""Kept regions to sections of sentences with their places: cut at headings and at questions.

Paragraphs are joined across columns and pages. No similarity and no lengths here: what belongs
together is decided in `cliques`, `groups` and `chunks`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from finrag_pipeline.records import Place, Region, Sentence
from finrag_pipeline.stages.chunking.sentence_ends import split_sentences
from finrag_pipeline.stages.chunking.transcripts import (
    answer_start,
    opens_turn,
    question_starts,
    question_title,
)
from finrag_pipeline.stages.cleaning.marks import starts_list
from finrag_pipeline.stages.cleaning.numbering import numbering_level
from finrag_pipeline.stages.cleaning.text import weight

#: A paragraph that ends so is finished; anything else may go on in the next column or page.
_FINISHED = re.compile(r"[。！？；：…!?;:.”\"）)】]\s*$")
#: Half-width characters of the shortest row of a paragraph; labels are shorter.
_LABEL = 40
_CJK = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Section:
    """The sentences between two headings, or a question with its answers.

    `heading_count` of them, at the start, are headings or the question; `path` ends with the
    nearest heading, or the question, shortened.
    """

    path: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    heading_count: int


def read_sections(regions: Sequence[Region]) -> tuple[Section, ...]:
    """Cut kept text at its headings, then into sentences, then at the questions of a transcript.

    Headings that follow each other without text between them open one section together, so that
    no section is a heading alone unless the document ends there. A question is a section of its
    own with its answers, up to the next question or heading.

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
            path = (body or headings)[-1].section
            sections.extend(_cut_questions(path, titles, list(_split_paragraphs(body))))
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


def _cut_questions(
    path: tuple[str, ...], titles: Sequence[Sentence], body: Sequence[Sentence]
) -> Iterator[Section]:
    """One section, or one for each question in it; headings open the first."""
    starts = question_starts(body)
    before = body[: starts[0]] if starts else body
    if before or not starts:
        yield Section(path, (*titles, *before), len(titles))
        titles = ()
    for start, stop in zip(starts, [*starts[1:], len(body)], strict=False):
        asked = (*path, question_title(body[start].text))
        turn = [replace(sentence, section=asked) for sentence in body[start:stop]]
        yield Section(asked, (*titles, *turn), len(titles) + answer_start(turn))
        titles = ()


def _split_paragraphs(regions: Sequence[Region]) -> Iterator[Sentence]:
    """Sentences of the text regions of one section, those that cross regions joined."""
    paragraph: list[Region] = []
    for region in regions:
        if paragraph and not _goes_on(paragraph[-1], region):
            yield from _split_paragraph(paragraph)
            paragraph = []
        paragraph.append(region)
    yield from _split_paragraph(paragraph)


def _goes_on(region: Region, after: Region) -> bool:
    """Whether a paragraph that a column or page has cut goes on in the next region.

    Labels of forms and notes (``其他说明``, ``单位：元``) stand above one another unfinished.
    """
    if region.kind != "text" or after.kind != "text" or _FINISHED.search(region.text):
        return False
    below = region.page == after.page and after.bbox[1] >= region.bbox[1]
    if below and weight(region.text) < _LABEL:
        return False
    opens = numbering_level(after.text) is not None or starts_list(after.text)
    return not opens and not opens_turn(after.text)


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
        start = text.index(piece, start)
        stop = start + len(piece)
        touched = [
            region
            for region, begin, end in zip(regions, [0, *ends], ends, strict=False)
            if begin < stop and start < end
        ]
        yield _sentence(piece, touched)
        start = stop


def _sentence(text: str, regions: Sequence[Region]) -> Sentence:
    places = tuple(Place(region.page, region.bbox) for region in regions)
    return Sentence(text=text.strip(), places=places, section=regions[0].section)
