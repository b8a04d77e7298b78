"""Codes of one company that a document prints together: 688981.SH/00981.HK, （A股：…；H股：…）.

Of which company they are, the mention beside them says; what a registry joins, it joins itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from finrag_pipeline.grammar.securities import with_market
from finrag_pipeline.records import Metadata

_A = r"(?P<a>\d{6})(?:\s?[.．]\s?(?:SH|SS|SZ|CH|CN))?"
_H = r"(?P<h>\d{4,5})(?:\s?[.．]\s?HK)?"
_HK = r"(?P<h>\d{4,5})\s?[.．]?\s?HK"
#: One sign joins listings of a company; a stop or a comma lists companies, but for brackets.
_JOINT = r"\s*(?:[/／|+＋&]|[)）]\s*[(（])\s*"
_INSIDE = r"\s*[/／|+＋、,，;；]\s*"
_A_LABEL = r"(?:A\s?股|上交所|深交所|上海|深圳|科创板|SSE|SZSE|SH|SZ)"
_H_LABEL = r"(?:H\s?股|港股|联交所|香港|SEHK|HKEX|HK)"
_NAMED = r"(?:股票|股份|证券)?(?:代[码号號])?\s*[:：.]?\s*"
_OTHER = r"[^\d（）()。\n]{0,14}?"
_FORMS = (
    rf"{_A}{_JOINT}{_NAMED}{_HK}",
    rf"{_HK}{_JOINT}{_NAMED}{_A}",
    rf"[(（]\s*{_A}{_INSIDE}{_HK}\s*[)）]",
    rf"[(（]\s*{_HK}{_INSIDE}{_A}\s*[)）]",
    rf"{_A_LABEL}{_NAMED}{_A}{_OTHER}{_H_LABEL}{_NAMED}{_H}",
    rf"{_H_LABEL}{_NAMED}{_H}{_OTHER}{_A_LABEL}{_NAMED}{_A}",
)
_PAIRS = tuple(re.compile(rf"(?<![\d.]){form}(?!\d|\.\d|[%％])", re.IGNORECASE) for form in _FORMS)


def listings_together(texts: Iterable[str], metadata: Metadata) -> Mapping[str, tuple[str, ...]]:
    """Listings in Hong Kong by the mainland listing of the same company.

    Args:
        texts: of the chunks.
        metadata: the codes on the cover of a document that is about one company.

    Returns:
        Nothing of a code that is printed together with two others: one of them is a mistake.

    >>> dict(listings_together(["中芯国际（688981.SH/00981.HK）"], Metadata()))
    {'688981.SH': ('00981.HK',)}
    """
    found = {pair for text in texts for pair in _pairs(text)} | set(_on_cover(metadata))
    mainland = [a for a, _ in found]
    hong_kong = [h for _, h in found]
    return {a: (h,) for a, h in sorted(found) if mainland.count(a) == 1 and hong_kong.count(h) == 1}


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for pattern in _PAIRS:
        for match in pattern.finditer(text):
            a, h = with_market(match["a"]), with_market(match["h"], "HK")
            if a is not None and h is not None and a.endswith((".SH", ".SZ")) and int(match["h"]):
                yield a, h


def _on_cover(metadata: Metadata) -> Iterator[tuple[str, str]]:
    if metadata.kind not in ("company", "filing"):
        return
    codes = {*metadata.company_codes, metadata.company_code} - {None}
    mainland = [code for code in codes if code and code.endswith((".SH", ".SZ"))]
    hong_kong = [code for code in codes if code and code.endswith(".HK")]
    if len(mainland) == len(hong_kong) == 1:
        yield mainland[0], hong_kong[0]
