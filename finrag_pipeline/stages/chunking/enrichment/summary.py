"""The sentence or two of a chunk that say most, cut short where they are most of it.

No model and no words of its own: every piece stands in the chunk. Words are weighed by a function
that the caller passes in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import sqrt

from finrag_pipeline.stages.chunking.enrichment.cues import cues_in
from finrag_pipeline.stages.chunking.segmentation_units import count_tokens
from finrag_pipeline.words import words

WordWeight = Callable[[str], float]

#: Tokens of a summary: these at most, and three quarters of its chunk, but a line at least.
MAX_TOKENS = 80
MIN_TOKENS = 24
MAX_SENTENCES = 2
#: A further sentence must say something else than the ones chosen before it.
_MAX_ALIKE = 0.6
# A sentence that shows such cues weighs that much more: they are what an analyst underlines, and
# none outweighs being twice as near to what the chunk is about.
_CAUSE, _JUDGEMENT, _FORECAST, _TEMPLATE, _AMOUNT = 0.3, 0.3, 0.2, -0.5, 0.15

_ASIDE = re.compile(r"\s*[（(][^（()）]{0,60}[)）]|\s*[\[【][^\[\]【】]{0,40}[\]】]")
#: A clause with the mark that ends it; a comma inside a number ends none.
_CLAUSE = re.compile(r".+?(?:[，；;：]+|[,:](?!\d)|$)")
_ENDS = re.compile(r"[。！？!?.…；;]\s*$")

Vector = dict[str, float]


def summarize(content: str, section: Sequence[str], weight: WordWeight) -> str:
    """The sentences nearest to what their chunk is about, in the order of the chunk.

    Args:
        content: sentences, one a line; headings of `section` among them are passed over.
        weight: how rare a word of `words` is.

    Returns:
        One line; empty only where the content has no text.

    >>> cause = "薄膜毛利率升至31%，主要受益于原料降价（去年同期为28%，当时新产线尚在爬坡）。"
    >>> summarize(f"薄膜业务平稳。\\n{cause}", (), len)
    '薄膜毛利率升至31%，主要受益于原料降价。'
    """
    lines = [" ".join(line.split()) for line in content.splitlines()]
    titles = {"".join(heading.split()) for heading in section}
    sentences = [line for line in lines if line and "".join(line.split()) not in titles]
    sentences = sentences or [line for line in lines if line]
    if not sentences:
        return ""
    total = count_tokens(content)
    limit = max(MIN_TOKENS, min(MAX_TOKENS, 3 * total // 4))
    if total <= MIN_TOKENS:
        return " ".join(sentences)
    vectors = [_vector(sentence, weight) for sentence in sentences]
    centroid = _sum(vectors)
    scores = [
        _product(vector, centroid) * _emphasis(sentence)
        for sentence, vector in zip(sentences, vectors, strict=True)
    ]
    chosen: dict[int, str] = {}
    left = limit
    for n in sorted(range(len(sentences)), key=lambda n: (-scores[n], n)):
        piece = sentences[n]
        if count_tokens(piece) > left:
            if chosen:
                continue
            piece = _shorten(piece, left, weight, centroid)
        if any(_product(vectors[n], vectors[m]) > _MAX_ALIKE for m in chosen):
            continue
        chosen[n] = piece
        left -= count_tokens(piece)
        if len(chosen) == MAX_SENTENCES or left < MIN_TOKENS // 2:
            break
    return " ".join(chosen[n] for n in sorted(chosen))


def _shorten(sentence: str, limit: int, weight: WordWeight, centroid: Vector) -> str:
    """A sentence without its asides, then the clauses of it that say most, in order."""
    end = match.group() if (match := _ENDS.search(sentence)) else ""
    bare = _ASIDE.sub("", sentence)
    if count_tokens(bare) <= limit:
        return bare
    clauses = _CLAUSE.findall(bare)
    sizes = [count_tokens(clause) for clause in clauses]
    scores = [_product(_vector(clause, weight), centroid) * _emphasis(clause) for clause in clauses]
    # only neighbours: with a clause left out between them, two others may say what neither meant
    best, start, stop = 0.0, 0, 0
    left = 0
    for right in range(len(clauses)):
        while left <= right and sum(sizes[left : right + 1]) > limit:
            left += 1
        if (score := sum(scores[left : right + 1])) > best:
            best, start, stop = score, left, right + 1
    if stop == start:
        return _first_tokens(bare, limit)
    text = "".join(clauses[start:stop]).strip()
    return text if _ENDS.search(text) else text.rstrip("，,；;：: ") + end


def _first_tokens(text: str, limit: int) -> str:
    """The longest head of a text that has at most `limit` tokens."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count_tokens(text[:middle]) <= limit else (low, middle - 1)
    return text[:low].rstrip() + "…"


def _emphasis(sentence: str) -> float:
    cues = cues_in(sentence)
    return (
        1.0
        + _CAUSE * cues.cause
        + _JUDGEMENT * cues.judgement
        + _FORECAST * cues.forecast
        + _TEMPLATE * cues.template
        + _AMOUNT * cues.amount
    )


def _vector(text: str, weight: WordWeight) -> Vector:
    """Each word with its weight, as a vector of length one."""
    weighed = {word: weight(word) for word in words(text)}
    length = sqrt(sum(value * value for value in weighed.values()))
    return {word: value / length for word, value in weighed.items()} if length else {}


def _sum(vectors: Sequence[Vector]) -> Vector:
    total: Vector = {}
    for vector in vectors:
        for word, value in vector.items():
            total[word] = total.get(word, 0.0) + value
    return total


def _product(one: Vector, other: Vector) -> float:
    return sum(value * other[word] for word, value in one.items() if word in other)
