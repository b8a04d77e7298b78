"""Other ways to read a question that says something twice: 冰淇淋（冷饮产品）, 口径 in brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from finrag_pipeline.words import is_chinese, segmenter

#: What stands in brackets and is no code, time or unit: another name, or a remark.
_BRACKETED = re.compile(r"[（(]([\u3400-\u9fff、，/A-Za-z]{2,30})[)）]")
_HAN = re.compile(r"[\u3400-\u9fff]{2}")
#: Tags of what may be called by another name.
_NOUN = re.compile("n|v[gn]|j|l|i|s")


def readings_of(question: str) -> Iterator[str]:
    """A question without what it says in brackets, then with that in the place of what stands
    before it; nothing where it has no brackets in Chinese.

    >>> list(readings_of("伊利24年底冰淇淋（冷饮产品）库存多少吨"))
    ['伊利24年底冰淇淋库存多少吨', '伊利24年底冷饮产品库存多少吨']
    >>> list(readings_of("中芯国际（688981）营收"))
    []
    """
    match = _BRACKETED.search(question)
    if match is None or not is_chinese(question) or not _HAN.search(match[1]):
        return
    before, after = question[: match.start()], question[match.end() :]
    yield before + after
    named = len(before)
    for word, tag in reversed(list(segmenter().tag(before))):
        if not _NOUN.match(tag):
            break
        named -= len(word)
    if named < len(before):
        yield before[:named] + match[1] + after
