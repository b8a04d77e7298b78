"""Headings that stand side by side in a document as the items of a list: 1、政策风险, 2、质量风险.

Which noun is meant is `asking`'s; lists inside texts are `enumerations`'.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from finrag_pipeline.query.answers.quotes import Quote
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.places import locate

#: What a heading in a row of headings opens with, and its number.
_NUMBERED = re.compile(
    r"^\s*(?:[（(]?(?P<number>\d{1,2}|[一二三四五六七八九十]{1,3})[)）]?[、.．\s]|[（(](?P<bracketed>\d{1,2}|"
    r"[一二三四五六七八九十]{1,3})[)）])[、.．\s]*(?P<name>\S.*)$"
)
_LONGEST = 30
_LEAST = 2


@dataclass(frozen=True, slots=True)
class Headings:
    """Headings under one heading.

    Attributes:
        over: what they stand under.
        names: without their numbers, in the order of the document.
        quotes: each as it is printed.
        rank: of the best passage under them, by its place among those given.
    """

    over: str
    names: tuple[str, ...]
    quotes: tuple[Quote, ...]
    document_id: str
    rank: int


def headings(items: Sequence[ChunkItem], said: re.Pattern[str]) -> Iterator[Headings]:
    """Rows of headings that a noun calls, out of the headings over some chunks."""
    rows: dict[tuple[str, tuple[str, ...]], dict[str, tuple[ChunkItem, int]]] = {}
    for place, item in enumerate(items):
        for depth, heading in enumerate(item.section):
            match = _NUMBERED.match(heading)
            if match is None or len(match["name"]) > _LONGEST or not _ends(match["name"], said):
                continue
            row = rows.setdefault((item.document_id, item.section[:depth]), {})
            held = row.get(heading)
            if held is None or item.places[0].page < held[0].places[0].page:
                row[heading] = (item, min(place, held[1] if held else place))
    for (document_id, over), row in rows.items():
        found = [
            (item.places[0].page, heading, Quote(item, heading, places), place)
            for heading, (item, place) in row.items()
            if (places := locate(heading, item.regions_text))
        ]
        if len(found) < _LEAST:
            continue
        found.sort(key=lambda each: (each[2].places[0].page, each[2].places[0].bbox[1]))
        names = tuple(_name(heading) for _, heading, _, _ in found)
        quotes = tuple(quote for _, _, quote, _ in found)
        rank = min(place for _, _, _, place in found)
        yield Headings("\n".join(over[-1:]), names, quotes, document_id, rank)


def _ends(name: str, said: re.Pattern[str]) -> bool:
    """Whether a noun is what a name ends with: 重大风险提示 is no risk."""
    return any(match.end() == len(name.rstrip()) for match in said.finditer(name))


def _name(heading: str) -> str:
    match = _NUMBERED.match(heading)
    return match["name"].strip() if match else heading
