"""Words of a question that say where something is: what is done there is called by no name."""

from __future__ import annotations

from collections.abc import Sequence

from finrag_pipeline.query.question.terms import PROPER_TAGS, is_known
from finrag_pipeline.words import segmenter

#: Tag of a place.
PLACE = "ns"


def lists_places(before: str) -> bool:
    """Whether a text ends in a list of places that goes on: 越南、中国、.

    >>> lists_places("主要在越南、中国、"), lists_places("恒瑞、药明、")
    (True, False)
    """
    *_, last, rest = ["", *before.split("、")]
    tags = [tag for _, tag in segmenter().tag(last)][-1:]
    return not rest and tags == [PLACE]


def opens_with_place(run: Sequence[tuple[str, str]]) -> bool:
    """Whether words side by side are of the language and begin with a place: 印尼代工."""
    return run[0][1] == PLACE and all(is_known(word) for word, _ in run)


def is_placed(word: str, tag: str) -> bool:
    """Whether a word of the language is a place or no name at all."""
    return is_known(word) and (tag == PLACE or tag not in PROPER_TAGS)
