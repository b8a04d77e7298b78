"""The points of a report: the short sentences that open its paragraphs, with what follows them;
where it has none, the first sentences of its sections.

Words that tell them are rows of `words.csv`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.errors import FinragError
from finrag_pipeline.query.answers.profile.sentences import Found
from finrag_pipeline.query.answers.records.telling import Telling, say
from finrag_pipeline.query.answers.writers import Search
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.kinds import Quotable
from finrag_pipeline.query.evidence.places import squeeze
from finrag_pipeline.query.evidence.results import Result
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.views.reading import View

_PATH = Path(__file__).with_name("words.csv")
#: Characters of the longest sentence that opens a paragraph as its headline, and of what is told.
_HEADLINE, _LONGEST = 36, 240
#: Characters of the shortest sentence that is a point by itself.
_LEAST = 18
#: Sentences of a chunk under a heading that announces points, and of one of the first pages.
_OF_HEADED, _OF_OPENING = 3, 2
#: What a point begins with and is not told.
BULLET = re.compile(r"^[\s\uf000-\uf0ff·•●➢◆■▌◼⚫▶✓*-]+")
#: Passages of a report that are looked through.
_PASSAGES = 120
#: Pages on which a report says what it says as a whole.
_OPENING = 2


def says(role: str, text: str) -> bool:
    """Whether a text has words of a role of `words.csv`."""
    return bool(_pattern(role).search(text))


def points(items: Sequence[ChunkItem], most: int) -> list[Found]:
    """The points of a report, in its order.

    Args:
        items: chunks of one report, in its order.
        most: sentences.
    """
    opening = [each for each in items if each.places and each.places[0].page <= _OPENING]
    headed = [each for each in items if each.section and says("heading", each.section[-1])]
    headlines = _different([*_headlines(opening)])
    if len(headlines) >= most // 2:
        return headlines[:most]
    lead = [*headlines, *_sentences(headed, _OF_HEADED), *_sentences(opening, _OF_OPENING)]
    lead = _different(lead)[: most // 2]
    # a study says in each of its parts what that finds: some of them, from the first to the last
    parts = [each for each in _different([*_openings(items)]) if each not in lead]
    apart = max(1, -(-len(parts) // (most - len(lead))))
    return _different([*lead, *parts[::apart]])


def report_points(
    search: Search, asked: Asked, view: View, tell: Telling, most: int
) -> list[Found]:
    """The points of the report of a view, in its order, without its title; empty where its
    passages cannot be searched.

    Args:
        most: sentences.
    """
    chunks = [
        each.item
        for each in passages_of(search, asked, view, "ask_points", tell)
        if isinstance(each.item, ChunkItem)
    ]
    ordered = sorted(chunks, key=lambda each: each.key.id[2])
    title = squeeze(view.title + view.cover.source)
    return [each for each in points(ordered, most) if squeeze(each.said.told) not in title]


def passages_of(
    search: Search, asked: Asked, view: View, phrase: str, tell: Telling
) -> Sequence[Result]:
    """The passages of the report of a view that are nearest to a phrase of `phrases.csv`."""
    question = say(phrase, tell.chinese, company=view.name or view.title)
    ids = (view.cover.document_id,)
    try:
        _, found = search(asked, question, most=_PASSAGES, document_ids=ids)
    except FinragError:
        return ()
    return found.results


def discussed(items: Sequence[ChunkItem], most: int) -> list[Found]:
    """What a filing says of how it went: whole sentences with an amount, of the sections that
    discuss it, in its order.

    Args:
        items: chunks of one filing, those that tell most of it first.
    """
    told: list[Found] = []
    for item in items:
        if not any(says("discussion", each) for each in item.section):
            continue
        fitting = (
            Found(item, each)
            for each in item.quotes("")
            if _LEAST <= len(each.told) <= _LONGEST
            and says("ends", each.told)
            and _tells_amount(each)
            and not (_is_boilerplate(each) or each.row)
        )
        told += [each for n, each in enumerate(fitting) if n < _OF_OPENING]
        told = _different(told)
        if len(told) >= most:
            break
    return sorted(told[:most], key=lambda each: (each.item.key.id[2], each.said.start))


def _sentences(items: Sequence[ChunkItem], most: int) -> Iterator[Found]:
    """The first sentences of each chunk."""
    for item in items:
        told = [each for each in item.quotes("") if not _is_boilerplate(each)]
        whole = [each for each in told if _LEAST <= len(each.told) <= _LONGEST]
        yield from (Found(item, each) for each in whole[:most])


def _headlines(items: Sequence[ChunkItem]) -> Iterator[Found]:
    """Short sentences that open paragraphs, each with the one behind it."""
    for item in items:
        quotes = [each for each in item.quotes("") if not _is_boilerplate(each)]
        for one, other in pairwise([*quotes, *quotes[-1:]]):
            before = item.text[max(0, one.start - 3) : one.start]
            opens = says("bullet", one.told) or says("bullet", before) or before.endswith("\n")
            if opens and len(one.told) <= _HEADLINE and not any(map(str.isdigit, one.told)):
                yield Found(item, one)
                if other is not one and len(other.told) <= _LONGEST:
                    yield Found(item, other)


def _openings(items: Sequence[ChunkItem]) -> Iterator[Found]:
    """The first sentence of each section that gives a figure, else its first."""
    sections: dict[tuple[str, ...], Found] = {}
    for item in items:
        for each in item.quotes(""):
            whole = _LEAST <= len(each.told) <= _LONGEST and says("ends", each.told)
            if not whole or _is_boilerplate(each):
                continue
            held = sections.get(item.section)
            if held is None or (_tells_amount(each) and not _tells_amount(held.said)):
                sections[item.section] = Found(item, each)
    yield from sections.values()


def _tells_amount(said: Quotable) -> bool:
    return says("amount", said.told)


def _is_boilerplate(said: Quotable) -> bool:
    return says("boilerplate", said.told)


def _different(found: Sequence[Found]) -> list[Found]:
    once: dict[str, Found] = {}
    for each in found:
        once.setdefault("".join(each.said.told.split()), each)
    return list(once.values())


@cache
def _pattern(role: str) -> re.Pattern[str]:
    rows = data_rows(_PATH, ("role", "language", "pattern"))
    return re.compile("|".join(row["pattern"] for row in rows if row["role"] == role), re.I)
