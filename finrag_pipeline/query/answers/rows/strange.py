"""How much of a label or a heading nobody asked for: a row of something else says more of that."""

from __future__ import annotations

import re

from finrag_pipeline.grammar.fact_metrics import fact_metrics_in
from finrag_pipeline.query.answers.rows.asking import AskedRow
from finrag_pipeline.query.answers.rows.matching import (
    Place,
    cover,
    joined,
    plain_words,
    units_of,
)
from finrag_pipeline.words import fold

_BRACKETED = re.compile(r"[（(]([^（）()]*)[)）]")
_TIME_WORDS = re.compile(
    r"(?:19|20)\d\d|\d{2}(?=[qh][1-4])|[1-4][qh]\d{2}|[qh][1-4]|fy\d+|\d+[ae](?![a-z])|\d+"
)
#: What a label leaves out again, or says more closely: 政府补助，但…除外.
_EXCEPT = re.compile(r"[,，(（](?:但|不含|不包括|除|其中|含).*$")
_NUMBERED = re.compile(r"^[（(]?[一二三四五六七八九十\d]+[)）、.．]+")


def strange_units(asked: AskedRow, text: str) -> int:
    """The units of a label or heading that nobody asked for."""
    folded = _EXCEPT.sub("", _NUMBERED.sub("", fold(text)))
    inside = [each for each in _BRACKETED.findall(folded) if each.isascii()]
    plain = plain_words("label") | plain_words("share") | plain_words("change")
    ways = (way for ways in asked.names for way in ways)
    words = " | ".join((asked.words, *ways, *asked.chinese))
    asked_for = [Place(words, 1.0, frozenset(asked.meant.values()))]
    for short in inside:
        if units_of(short) and not cover(short, asked_for).left:
            return 0  # the rest spells out what is asked for in short
    bare = _TIME_WORDS.sub(" ", _BRACKETED.sub(" ", folded))
    meant = {
        joined(bare[each.start : each.end]): each.metric.name for each in fact_metrics_in(bare)
    }
    return cover(bare, asked_for, plain, meant).left
