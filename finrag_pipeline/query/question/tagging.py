"""The words of a question as the tagger of names cuts them, each with its kind.

The segmentation of the keyword copies guesses what a short name is from the characters alone, and
joins 头豹按什么口径 to 豹按; a tagger reads the whole question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from finrag_pipeline.models.names import Lac
from finrag_pipeline.query.question.names import Named
from finrag_pipeline.words import fold, segmenter


@lru_cache(maxsize=10_000)
def tagged(text: str) -> tuple[tuple[str, str], ...]:
    """The words of a text, folded, with their tags (`models.names.TaggedWord`); 1 ms a question.

    >>> tagged("头豹按什么口径")
    (('头豹', 'n'), ('按', 'p'), ('什么', 'r'), ('口径', 'n'))
    """
    folded = fold(text)
    words = Lac.packaged().tag([folded])[0]
    return tuple((folded[each.start : each.end], each.tag) for each in words)


#: Tags for names.
NAMES = frozenset(("ORG", "PER", "LOC", "nz", "nw"))
#: Tags for nouns.
_NOUNS = frozenset(("n", "nz", "vn", "an"))
#: Characters of the short name of a firm, and what authorities and the like end with.
_LEAST_FIRM, _MOST_FIRM = 2, 4
_AUTHORITY = re.compile(r"[行委部局署院会卫所厅府校]$|组织$|大学$|医院$|中心$|协会$|基金$")
#: Words of one character that stand between words, and in no name.
_IN_NO_NAME = frozenset("的或和与及等不未在为对是有其该各将被把按从向以")
#: Tags of words of one character that are cut apart of a name: 昆 + 药, 朝 + 聚.
_PARTS = (frozenset(("n", "nz", "s", "ORG", "PER", "LOC")), frozenset("v"))


@lru_cache(maxsize=10_000)
def whole_words(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The same words with their tags, and what words of one character make side by side: the
    tagger, too, cuts short names that it never saw.

    >>> [word for word, _ in whole_words("希玛和朝聚25H1收入") if len(word) > 1]
    ['希玛', '25h1', '收入', '朝聚']
    """
    words = tagged(text)
    return (*((word, frozenset((tag,))) for word, tag in words), *_joined(words))


def firms_in(text: str, apart: Iterable[Named]) -> Iterator[str]:
    """Short names of firms in a text as the tagger knows them: 蒙牛, 华为; authorities go by
    several names, and so does what is called by more words.

    Args:
        apart: names whose places are known.

    >>> list(firms_in("蒙牛去年为什么掉份额", ())), list(firms_in("央行为什么降准", ()))
    (['蒙牛'], [])
    """
    at, taken = 0, [(each.start, each.end) for each in apart]
    for word, tag in tagged(text):
        known = any(start < at + len(word) and at < end for start, end in taken)
        short = _LEAST_FIRM <= len(word) <= _MOST_FIRM and not _AUTHORITY.search(word)
        if tag == "ORG" and short and not known and not word.isascii():
            yield word
        at += len(word)


def nouns_besides(text: str, known: Sequence[str]) -> list[str]:
    """Chinese nouns of a text that share no characters with words known of it: where these were
    cut in another way, 多 | 空年 | 化, a noun is lost.

    >>> nouns_besides("多空年化能到多少", ["年化"])
    ['多空']
    """
    found: list[str] = []
    for word, tag in (each for piece in text.split() for each in tagged(piece)):
        noun = tag in _NOUNS and len(word) > 1 and "\u3400" <= word[0] <= "\u9fff"
        if noun and not any(set(word) & set(each) for each in known):
            found.append(word)
    return found


def may_name(text: str) -> bool:
    """Whether a text may be the name of somebody: the tagger says so, or it is not put together
    from words of the language.

    >>> [may_name(each) for each in ("毕得医药", "SMIC", "if SMIC cuts", "品牌", "货币资金")]
    [True, True, False, False, False]
    """
    if text.isascii():  # iPhone is one, and what begins with another word is a clause
        return any(each.isupper() for each in text.partition(" ")[0])
    if any(mark in text for mark in "《》“”"):  # a law, a report
        return False
    if any(tag in NAMES for _, tag in tagged(text)):
        return True
    single = [each for each in segmenter().cut(text, False) if len(each) == 1]
    return bool(single) and not _IN_NO_NAME.intersection(single)


def _joined(words: tuple[tuple[str, str], ...]) -> Iterator[tuple[str, frozenset[str]]]:
    def parts(each: tuple[str, str]) -> frozenset[str]:
        own = (tags for tags in _PARTS if each[1] in tags)
        return next(own, frozenset()) if len(each[0]) == 1 else frozenset()

    for tags, run in groupby(words, parts):
        if tags and len(some := list(run)) > 1:
            yield "".join(word for word, _ in some), frozenset(tag for _, tag in some)
