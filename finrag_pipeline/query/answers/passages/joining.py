"""Sentences that say a thing together: what points to the one before it, points of a list, what
goes on. A quote is widened by those that it cannot be understood without.

The words are rows of `joining.csv`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.query.answers.passages.candidates import Candidate
from finrag_pipeline.query.answers.passages.leading import goes_on
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.clauses import placed

_PATH = Path(__file__).with_name("joining.csv")
_COLUMNS = ("role", "language", "pattern", "meaning")
#: Characters of a quote that joins several sentences.
LONGEST = 480
#: The same where semicolons part what one sentence says.
_LONGEST_PARTED = 1_000
#: Characters in which a list may begin at once.
_LEAST = 4
#: The mark of a point that a sentence ends with, as it opens the next one.
_POINT = re.compile(r"[（(]?[\d一二三①]{1,2}[)）.、]?\s*$")


def refers_back(text: str) -> bool:
    """Whether a text means something that stands before it.

    >>> refers_back("患者因担心这些副作用而放弃"), refers_back("患者放弃")
    (True, False)
    """
    return bool(_pattern("refers").search(text))


def is_point(sentence: str) -> bool:
    """Whether a sentence is a point of a list.

    >>> is_point("2）研发投入减少。"), is_point("二是价格回升。"), is_point("2024年增长。")
    (True, True, False)
    """
    return bool(_pattern("point").search(sentence.strip()))


def opens_points(sentence: str) -> bool:
    """Whether further points of a list follow a sentence.

    >>> opens_points("主要原因如下："), opens_points("主要原因：1."), opens_points("毛利率下降。")
    (True, True, False)
    >>> opens_points("主要系：1）收入增加；"), opens_points("（1）货币资金增加；")
    (True, False)
    """
    opened = _POINT.sub("", sentence.rstrip()).endswith((":", "："))
    listed = "：" in sentence[:-1] and sentence.rstrip().endswith("；") and not is_point(sentence)
    return opened or listed or bool(_pattern("first").search(sentence, _LEAST))


def end_of(sentences: Sequence[tuple[int, str]], n: int, begin: int) -> int:
    """Where what a sentence says ends: behind the points that it opens, and what goes on with it.

    Args:
        sentences: of a passage, each with where it begins.
        n: which of them.
        begin: where the quote begins that it is part of.
    """
    start, sentence = sentences[n]
    end = start + len(sentence)
    listed, first, parted = opens_points(sentence), True, goes_on(sentence)
    for later_start, later in sentences[n + 1 :]:
        reached = later_start + len(later)
        more = (listed and (first or is_point(later))) or _goes_on(later)
        # causes of one sentence that semicolons part
        more = more or (parted and later[:1].islower())
        if reached - begin > (_LONGEST_PARTED if parted else LONGEST) or not more:
            break
        end, first, parted = reached, False, goes_on(later)
    return end


def widened(candidate: Candidate) -> Candidate:
    """A quote with the sentence that it points to, and with what goes on with it."""
    item, said = candidate.item, candidate.said
    if not isinstance(item, ChunkItem) or said.row:
        return candidate
    text, own = item.with_lead()
    sentences = list(placed(text))
    at = own + said.start
    n = next(
        (n for n, (start, each) in enumerate(sentences) if start <= at < start + len(each)), None
    )
    if n is None or not sentences[n][1].endswith(said.quote.strip()):
        return candidate
    begin = sentences[n - 1][0] if n and refers_back(said.quote) else at
    end = end_of(sentences, n, begin)
    if end - begin > LONGEST:
        begin = at
    if (begin, end) == (at, at + len(said.quote)):
        return candidate
    wide = item.quoted(text[begin:end], max(begin - own, 0))
    return replace(candidate, said=wide) if wide else candidate


def _goes_on(sentence: str) -> bool:
    return bool(_pattern("goes_on").search(sentence.strip()))


@cache
def _pattern(role: str) -> re.Pattern[str]:
    rows = [row["pattern"] for row in data_rows(_PATH, _COLUMNS) if row["role"] == role]
    return re.compile("|".join(rows), re.IGNORECASE)
