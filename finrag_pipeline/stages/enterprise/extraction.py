"""What a record states to mentions and relations of its chunks: nothing is guessed.

Which relations a line states is decided where it is made, in `documents`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from finrag_pipeline.records import Chunk
from finrag_pipeline.records.enterprise import RecordDocument, RecordLine, RecordName
from finrag_pipeline.records.graph import ChunkExtraction, Mention, Period, RelationStatement


def record_extractions(document: RecordDocument, chunks: Sequence[Chunk]) -> list[ChunkExtraction]:
    """One extraction for each chunk: the names of its lines, and the edges that they state.

    An edge of a field, such as an industry, rests on the line that names the company, too: it is
    stated where both stand in one chunk.
    """
    return [_extraction(document, chunk) for chunk in chunks]


def _extraction(document: RecordDocument, chunk: Chunk) -> ChunkExtraction:
    text = chunk.content
    mentions: list[Mention] = []
    relations: list[RelationStatement] = []
    own: int | None = None
    for line in document.lines:
        start = text.find(line.text)
        if start < 0:
            continue
        stop = start + len(line.text)
        at = text.find(document.company, start, stop)
        inside = own
        if at >= 0:
            mentions.append(_mention(RecordName(document.company, "company"), at, document))
            inside = len(mentions) - 1
            own = inside if own is None else own
        places = list(_named(line, text, start, document, mentions))
        for each in line.relations:
            ends = [inside if end < 0 else places[end] for end in (each.head, each.tail)]
            head, tail = ends
            if head is None or tail is None:
                continue
            first = min(start, mentions[head].start, mentions[tail].start)
            period = _period(each.year)
            statement = RelationStatement(
                head, each.relation, tail, first, stop, line.printed, "asserted", "high", period
            )
            relations.append(statement)
    return _in_order(ChunkExtraction(chunk.ordinal, tuple(mentions), tuple(relations)))


def _named(
    line: RecordLine, text: str, start: int, document: RecordDocument, mentions: list[Mention]
) -> Iterator[int | None]:
    """Places in the mentions of the names of a line; those that are new are added."""
    for name in line.names:
        at = text.find(name.text, start)
        known = next((n for n, each in enumerate(mentions) if each.start == at), None)
        if known is None and 0 <= at < start + len(line.text):
            mentions.append(_mention(name, at, document))
            known = len(mentions) - 1
        yield known


def _mention(name: RecordName, at: int, document: RecordDocument) -> Mention:
    own = name.text == document.company
    return Mention(
        at,
        at + len(name.text),
        name.text,
        name.text,
        name.type,
        "high",
        document.aliases if own else (),
        name.company,
        document.code if own else None,
    )


def _period(year: int | None) -> Period | None:
    if year is None:
        return None
    return Period(f"{year}年", date(year, 1, 1), date(year, 12, 31))


def _in_order(extraction: ChunkExtraction) -> ChunkExtraction:
    """The same with its mentions in order of print."""
    order = sorted(range(len(extraction.mentions)), key=lambda n: extraction.mentions[n].start)
    place = {old: new for new, old in enumerate(order)}
    return ChunkExtraction(
        extraction.chunk,
        tuple(extraction.mentions[n] for n in order),
        tuple(
            RelationStatement(
                place[each.head],
                each.relation,
                place[each.tail],
                each.start,
                each.end,
                each.description,
                each.modality,
                each.confidence,
                each.period,
            )
            for each in extraction.relations
        ),
    )
