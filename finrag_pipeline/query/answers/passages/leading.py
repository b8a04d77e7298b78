"""Sentences that lead to what follows, and pieces of one that semicolons part: told with the rest.

Where sentences begin and end is `evidence.clauses`; what a passage leads to may stand in the next.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from finrag_pipeline.query.answers.passages.candidates import Candidate
from finrag_pipeline.query.answers.passages.heads import headed_points
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.clauses import LIST_MARKS, placed

#: The passage behind one in its document; None where none is.
Following = Callable[[ChunkItem], ChunkItem | None]
#: A sentence of a passage with where it begins.
Sentence = tuple[int, str]

#: Characters of a sentence with the points that it leads to; points at most.
_LONGEST, _MOST_POINTS = 1_200, 12
#: Characters of a sentence that only announces points, and how it ends.
_SHORT = 40
_ANNOUNCES = re.compile(
    r"(?:在于|如下|包括|包含|体现在|表现[为在]|来自|分为|原因[有是]?|因素[有是]?|主要[有是为]|"
    r"以下[\u3400-\u9fff]{0,6}|[两二三四五六几][个大]?(?:点|方面|类|种|条|项|步|因素|原因)|"
    r"following|includes?|are|reasons?)\s*[:：]\s*$",
    re.IGNORECASE,
)
_LEADS = re.compile(r"[:：]\s*$")
_GOES_ON = re.compile(r"(?:[;；]|[;；,，] (?:and|or))\s*$")
#: The number or letter of a point, and what else stands before one.
_NUMBER = re.compile(r"\s*[（(]?(?:\d{1,2}|[a-z]|[ivx]{1,4})[)）.、](?=\s|$)")
_MARK = re.compile(rf"[{LIST_MARKS}]")
_DASH = re.compile(r"\s*[-–—*]\s")
#: How many points a sentence says that follow.
_COUNT = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight)\b|[两二三四五六七八](?=[个大项类方点种条])",
    re.IGNORECASE,
)
_COUNTS = {
    word: number
    for number, words in enumerate(
        ("two 两 二", "three 三", "four 四", "five 五", "six 六", "seven 七", "eight 八"), 2
    )
    for word in words.split()
}


def no_more(item: ChunkItem) -> None:
    """Nothing is read behind a passage."""
    del item


def leads(text: str) -> bool:
    """Whether a sentence says that something follows, and not what."""
    return bool(_LEADS.search(text))


def announced_behind(candidate: Candidate) -> Candidate | None:
    """The short sentence right behind one that announces points on the same: 瓶颈在于：; None where
    something else follows."""
    item, said = candidate.item, candidate.said
    if not isinstance(item, ChunkItem) or said.row:
        return None
    end = said.start + len(said.quote)
    behind = next(((start, each) for start, each in placed(item.text) if start >= end), None)
    if behind is None or len(behind[1]) > _SHORT or not _ANNOUNCES.search(behind[1]):
        return None
    quoted = item.quoted(behind[1], behind[0])
    return replace(candidate, said=quoted) if quoted else None


def goes_on(text: str) -> bool:
    """Whether a piece of a sentence is parted from the next by its semicolon alone."""
    return bool(_GOES_ON.search(text))


def with_points(candidate: Candidate, following: Following) -> list[Candidate]:
    """A candidate with what it leads to, in a passage behind as one of its own; nothing where
    nothing is told of what it leads to."""
    item, said = candidate.item, candidate.said
    if not leads(said.quote) or not isinstance(item, ChunkItem) or said.row:
        return [candidate]
    sentences = list(placed(item.text))
    end = said.start + len(said.quote)
    at = [n for n, (start, each) in enumerate(sentences) if start + len(each) == end]
    if not at:
        return []
    reached = end_of(item.text, sentences, at[0])
    heads = headed_points(candidate, following)
    if (heads and heads[-1].said.start >= reached) or (heads and heads[-1].item is not item):
        return [candidate, *heads]
    if reached > end:
        longer = item.quoted(item.text[said.start : reached], said.start)
        return [replace(candidate, said=longer)] if longer else []
    behind = following(item) if at[0] == len(sentences) - 1 else None
    reached = end_of_points(behind.text, counted_in(said.quote)) if behind else 0
    points = behind.quoted(behind.text[:reached], 0) if behind and reached else None
    if behind is None or points is None:
        return []
    result = replace(candidate.result, item=behind)
    return [candidate, replace(candidate, result=result, said=points)]


def end_of(text: str, sentences: Sequence[Sentence], at: int) -> int:
    """Where a sentence ends with all that it leads to, or that goes on behind its semicolon.

    Args:
        text: of the passage.
        sentences: of it.
        at: which of them.

    >>> text = "We have two goals:\\n• Growth;\\n• Margin.\\nRates rose."
    >>> text[: end_of(text, list(placed(text)), 0)][-7:]
    'Margin.'
    """
    start, sentence = sentences[at]
    end = start + len(sentence)
    if _GOES_ON.search(sentence):
        return _last_piece(sentences, at)
    if not leads(sentence):
        return end
    room = start + _LONGEST
    return max(
        end, _end_of_points(text, sentences[at + 1 :], counted_in(sentence), end, room, True)
    )


def end_of_points(text: str, count: int) -> int:
    """Where the points end with which a passage begins; 0 where it begins with none.

    Args:
        count: how many were announced; 0 where that was not said.
    """
    return _end_of_points(text, list(placed(text)), count, 0, _LONGEST, False)


def counted_in(lead: str) -> int:
    """How many points a sentence says that follow; 0 where it does not say.

    >>> counted_in("the following five categories:"), counted_in("as follows:")
    (5, 0)
    """
    counts = _COUNT.findall(lead)
    return _COUNTS[counts[-1].lower()] if counts else 0


def _end_of_points(
    text: str, sentences: Sequence[Sentence], count: int, end: int, room: int, one: bool
) -> int:
    """Where points end.

    Args:
        sentences: that may be points.
        end: where what leads to them ends.
        room: up to where they may reach.
        one: whether a sentence that nothing marks may be what follows.
    """
    reached, points, numbered = 0, 0, False
    for begin, each in sentences:
        before = text[max(end, reached) : begin]
        if _NUMBER.fullmatch(each):  # the number of a point stands by itself
            numbered = True
            continue
        marked = numbered or bool(_MARK.search(before)) or _marked(each)
        goes_on = points > 0 and bool(_GOES_ON.search(text[:reached].rstrip()))
        expected = points < count or (one and not points)
        numbered = False
        if not (marked or goes_on or expected) or points == _MOST_POINTS:
            break
        if begin + len(each) > room:
            break
        reached, points = begin + len(each), points + 1
        if points == 1 and not (marked or count or _GOES_ON.search(each)):
            break  # one sentence follows, and no list
    return reached


def _marked(point: str) -> bool:
    return bool(_NUMBER.match(point) or _DASH.match(point))


def _last_piece(sentences: Sequence[Sentence], at: int) -> int:
    """Where the last of the pieces ends that semicolons part from one another."""
    start, sentence = sentences[at]
    end = start + len(sentence)
    for begin, each in _small(sentences[at + 1 :]):
        if begin + len(each) - start > _LONGEST:
            break
        end = begin + len(each)
        if not _GOES_ON.search(each):
            break
    return end


def _small(sentences: Sequence[Sentence]) -> Iterator[Sentence]:
    """Those that go on in small letters."""
    for begin, each in sentences:
        if each[:1].isupper():
            return
        yield begin, each
