"""Advertisements of the platforms that hand reports on: codes to scan, groups to join, their names.

The signs are data: ``advertisements.csv`` has one a row, with a text that it must find.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.stages.cleaning.text import folded, is_prose, is_sentence, weight

#: Half-width characters of the longest row that is an advertisement: a slogan, no paragraph.
_LONGEST = 120
#: A row that names a platform says this much beside the name, if it is no sentence about it.
_BESIDE_NAME = 24
#: A page of so little text is an advertisement's where a third of its rows are.
_SPARSE = 1200
#: Whom sentences of a report speak of, where an advertisement speaks to its reader.
_TELLS = re.compile(
    r"公司|企业|用户|客户|患者|消费者|商家|居民|同比|占比|通过|实现|提升|投资者关系"
)
_SITE = re.compile(r"(https?://|www\.)\S+|\S+\.(com|cn|net|org)\S*", re.IGNORECASE)


@cache
def signs() -> tuple[tuple[str, re.Pattern[str], str], ...]:
    """Kind, pattern and example of each sign.

    A ``call`` asks the reader to do something; a ``platform`` is a name or an address.
    """
    rows = data_rows(Path(__file__).with_name("advertisements.csv"), ("sign", "pattern", "example"))
    return tuple((r["sign"], re.compile(r["pattern"], re.IGNORECASE), r["example"]) for r in rows)


def is_advertisement(text: str) -> bool:
    """Whether a printed row or short paragraph is a platform's advertisement.

    >>> is_advertisement("扫码关注公众号，获取更多报告"), is_advertisement("用户扫码支付占比提升。")
    (True, False)
    """
    bare = folded(text)
    if weight(bare) > _LONGEST:
        return False
    calls = 0
    for sign, pattern, _ in signs():
        found = pattern.search(bare)
        if found is None:
            continue
        if sign == "call":
            calls += 1
        elif weight(_SITE.sub("", bare.replace(found[0], ""))) <= _BESIDE_NAME:
            return True
    if not _TELLS.search(bare) and not is_prose(text):
        return calls > 0
    return calls > 1 and not (_TELLS.search(bare) and is_sentence(text))


def is_advertising_page(rows: Sequence[str]) -> bool:
    """Whether the rows of a page are an inserted page of a platform's: few, many of them calls."""
    told = sum(map(is_advertisement, rows))
    return told >= 2 and 3 * told >= len(rows) and sum(map(weight, rows)) <= _SPARSE
