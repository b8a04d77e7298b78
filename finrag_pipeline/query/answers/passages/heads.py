"""Points of a list by their heads: 人才的竞争与培养：…, or headings under what announces them.

Points that marks or numbers part are read whole by `leading`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from finrag_pipeline.query.answers.passages.candidates import Candidate
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.clauses import placed

#: What a sentence is about, before its colon.
_HEAD = re.compile(r"[^，。；：:,.;？?！!\n]{2,24}(?=[：:]\s*\S)")
_MOST, _LEAST = 10, 2


def headed_points(
    candidate: Candidate, following: Callable[[ChunkItem], ChunkItem | None]
) -> list[Candidate]:
    """The heads of the points that a sentence announces, in its passage or as headings under its
    own; empty where there are not several.

    Args:
        candidate: a sentence that leads to them.
        following: reads the passage behind one.
    """
    item, said = candidate.item, candidate.said
    assert isinstance(item, ChunkItem)  # tables lead to nothing
    found = [*_opening(candidate, item, said.start + len(said.quote))]
    if len(found) < _LEAST:
        found = [*_headings(candidate, item, following)]
    return found[:_MOST] if len(found) >= _LEAST else []


def _opening(candidate: Candidate, item: ChunkItem, begin: int) -> Iterator[Candidate]:
    """What sentences behind a place open with."""
    for start, sentence in placed(item.text):
        head = _HEAD.match(sentence) if start >= begin else None
        if head and (quoted := item.quoted(head.group(), start)):
            yield replace(candidate, said=quoted)


def _headings(
    candidate: Candidate, item: ChunkItem, following: Callable[[ChunkItem], ChunkItem | None]
) -> Iterator[Candidate]:
    """Headings right under that of a passage, one behind the other."""
    depth, last = len(item.section), ""
    behind = following(item)
    while behind is not None and behind.section[:depth] == item.section:
        heading = behind.section[depth] if len(behind.section) > depth else ""
        if heading and heading != last:
            start = behind.text.find(heading)
            quoted = behind.quoted(heading, start) if start >= 0 else None
            if quoted is None:
                return
            result = replace(candidate.result, item=behind)
            yield replace(candidate, result=result, said=quoted)
        last = heading
        behind = following(behind)
