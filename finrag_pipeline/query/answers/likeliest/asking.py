"""What a question asks for by its form: whom it asks for, and the words that stand at what asks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.words import segmenter

#: Who asks for somebody: by a word that asks, or by what somebody is in a deal.
_WHOM = re.compile(
    r"谁|哪[一]?[家位所]|哪个(?:公司|企业|机构|医院|人)|叫(?:什么|啥)|"
    r"(?:接盘|买|卖|合作|对手|交易对|受让|出让|中标|投资)(?:方|家)|姓名|"
    r"\bwho|\bwhom|which (?:company|firm|bank|hospital|person)",
    re.IGNORECASE,
)
#: What asks in Chinese.
_ASKS = re.compile(
    r"谁|什么|啥|哪|多少|几(?!乎)|怎|咋|如何|为何|何时|原因|理由|吗|"
    r"(?P<again>[\u3400-\u9fff])不(?P=again)|是否|有没有"
)
#: Characters between what asks and a word that stands at it.
_NEAR = 6
#: Tags of names of people, of bodies and of other things.
_NAMES = frozenset(("nr", "nt", "nz", "nrt", "nrfg"))
#: What bodies are called by.
_BODIES = re.compile(
    r"[\u3400-\u9fffA-Za-z（）()]{2,20}"
    r"(?:公司|集团|医院|大学|研究院|研究所|银行|基金|事务所|资本)"
)


def asks_whom(question: str) -> bool:
    """Whether a question asks for somebody.

    >>> asks_whom("接盘方是谁"), asks_whom("毛利率为什么下降")
    (True, False)
    """
    return bool(_WHOM.search(question))


def asked_terms(wanted: Wanted) -> list[str]:
    """The words of a question that stand right at what asks: 创始人 in 创始人是谁."""
    asks = [match.span() for match in _ASKS.finditer(wanted.rest)]
    return [
        term
        for term in wanted.terms
        if any(
            0 <= begin - at.end() <= _NEAR or 0 <= at.start() - end <= _NEAR
            for at in re.finditer(re.escape(term), wanted.rest, re.IGNORECASE)
            for begin, end in asks
        )
    ]


def further_names(question: str, text: str) -> int:
    """How many names a text has that a question does not say."""
    return len({each for each in _names_in(text) if each not in question})


def _names_in(text: str) -> Iterator[str]:
    yield from (word for word, tag in segmenter().tag(text) if tag in _NAMES and len(word) > 1)
    yield from _BODIES.findall(text)
