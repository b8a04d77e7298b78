"""Words of a question that need stand in no row, by their kind: what points, joins and counts, and
verbs and adjectives of talk, 压着, 难看, which no table writes.

Those that are known to say nothing are listed in `plain_words.csv`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from finrag_pipeline.query.answers.rows.matching import joined
from finrag_pipeline.query.question.tagging import NAMES, tagged
from finrag_pipeline.words import FUNCTION_WORDS, fold, is_chinese

#: Tags of the tagger for words that point, join, count or colour; for verbs and adjectives.
_SILENT = frozenset(("c", "d", "f", "p", "q", "r", "u", "xc"))
_TALK = frozenset(("v", "a", "ad", "vd"))
_THINGS = NAMES | {"n", "vn", "an"}
#: What stands for the opposite of another word, or for a change, is no mere talk.
_OPPOSED = re.compile(r"[买卖购销借贷租存收付还进出增减涨跌升降加扣除退不未无非新老旧首末]")
#: English words that ask or join; what stands behind an apostrophe is one of its own.
_ENGLISH = frozenset(joined(each) for each in (*FUNCTION_WORDS, "s") if each.isascii())


def silent_words(question: str) -> frozenset[str]:
    """The words of a question that need stand nowhere whatever tables write, joined.

    >>> sorted(silent_words("23年中报那会儿，手里还有多少股")), "<the>" in silent_words("the rate")
    (['多少', '股', '那会儿'], True)
    """
    if not is_chinese(question):
        return _ENGLISH
    found = {joined(word) for word, tag in tagged(question) if tag in _SILENT}
    return frozenset(each for each in found if not _OPPOSED.search(each))


def talk_in(question: str) -> frozenset[str]:
    """Its verbs and adjectives, folded: talk where no table has them. One right before a noun says
    which, 订阅收入, and one right behind a name may be of it, 长江润发.

    >>> sorted(talk_in("冷饮还压着多少吨库存")), sorted(talk_in("星河2024年订阅收入多少"))
    (['压'], [])
    """
    words = tagged(question)
    return frozenset(
        word
        for n, (word, tag) in enumerate(words)
        if tag in _TALK
        and not _OPPOSED.search(word)
        and not (n + 1 < len(words) and words[n + 1][1] in _THINGS)
        and not (n and words[n - 1][1] in NAMES)
    )


def unwritten(words: Iterable[str], texts: Iterable[str]) -> frozenset[str]:
    """Those words, joined, that no text has; of one character they are a part of any."""
    written = "\n".join(map(fold, texts))
    return frozenset(joined(each) for each in words if len(each) == 1 or each not in written)
