"""What nothing has of a question: names, topics, what figures are asked of; then none answers."""

from __future__ import annotations

from collections.abc import Sequence

from finrag_pipeline.query.answers.passages.synonyms import others, respelled
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.absent import Absence
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.words import fold, segmenter

#: Characters of a Chinese word that is a name and nothing else.
_LONG_NAME = 4
#: Characters of a word that is no mere part of a name.
_LONG_WORD = 3
#: How an answer came about that quotes passages.
WAY = "the answer quotes the best sentences"


def lacking(asked: Asked, found: SearchResult, absent: Absence) -> Draft | None:
    """A draft that says what nothing has; None where all of it is somewhere.

    Args:
        found: ranked evidence.
        absent: what the whole store does not know.
    """
    if gone := called_absent(asked, absent(asked), found):
        return Draft(lacking=gone, way=WAY)
    if gone := lacking_partners(asked, absent) or lacking_words(asked, absent):
        return Draft(lacking=gone, way=f"{WAY}, but nothing of whom is asked says {gone}")
    return None


def lacking_partners(asked: Asked, absent: Absence) -> tuple[str, ...]:
    """Other companies of a question that nothing of whom is asked names: what one company has to
    do with another stands where both are named."""
    scope = asked.scope
    if not scope.reading.companies:
        return ()
    return absent.unheld(asked, map(scope.catalogue.registered.written, scope.reading.strangers))


def lacking_words(asked: Asked, absent: Absence) -> tuple[str, ...]:
    """Words for a topic, or for what figures are asked of, that nothing of whom is asked has."""
    wanted = Wanted(asked)
    if gone := absent.unheld(asked, map(others, wanted.topics)):
        return gone
    counted = absent.unheld(asked, map(others, wanted.counted))
    # of several nouns one may be put in other words
    return counted if len(counted) == len(wanted.counted) else ()


def called_absent(asked: Asked, absent: Sequence[str], found: SearchResult) -> tuple[str, ...]:
    """Names that nothing has for which a question is refused: where it names a company that is
    known, what is short may be a word of its own, which passages say in others.

    Args:
        found: kinds of evidence may be registered that the keyword copies do not hold.
    """
    known = bool(asked.scope.reading.companies)
    held = fold("\n".join(f"{each.item.identity}\n{each.text}" for each in found.results))
    return tuple(
        each
        for each in absent
        if each in asked.question
        and not any(fold(way) in held for way in (*respelled(each), *_inner(each)))
        and (not known or (not each.isascii() and len(each) >= _LONG_NAME))
    )


def _inner(name: str) -> tuple[str, ...]:
    """The word of the language that a name is beside one character, which was cut off another:
    里程碑 of 价里程碑.

    >>> _inner("价里程碑"), _inner("恒瑞生物")
    (('里程碑',), ())
    """
    rest = name[1:]
    whole = len(rest) >= _LONG_WORD and list(segmenter().cut(rest, False)) == [rest]
    return (rest,) if whole else ()
