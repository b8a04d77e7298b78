"""Sentences that announce others: so many points of a list, or what somebody thinks."""

from __future__ import annotations

import re

from finrag_pipeline.grammar.numerals import chinese_number

_ENGLISH = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
#: So many things: 五项建议, 三条线索, three sources.
_COUNTED = re.compile(
    r"(?<![第前近每\d.])(?P<count>[二两三四五六七八九十]|[2-9](?!\d))\s*(?:大|个|项|点|条|类|种|步|件|重|方面)"
    r"(?:方面|主要|核心|关键|重要)?(?P<what>[\u3400-\u9fff]{0,6})(?=[^。；]*[：:]|[^。；]*$)|"
    rf"\b(?P<english>{'|'.join(_ENGLISH)}) (?:\w+ ){{0,2}}"
    r"(?:sources|reasons|factors|drivers|risks|things|points|priorities|steps|ways|areas|themes)\b",
    re.IGNORECASE,
)
#: What counts things that nothing lists: 两个百分点, 三类医疗器械, 三个月.
_MEASURES = re.compile(r"百分点|月|季度|交易日|工作日|年|类(?:证|医疗)|板$")
#: Who thinks something of what stands before: no heading.
_THINKS = re.compile(r"\s*(?:我们|公司|管理层|董事会|分析师|其|we\b|management\b)", re.IGNORECASE)


def announced(sentence: str) -> int:
    """How many points a sentence says that follow it, its own first one not counted; none: 0.

    >>> announced("我们仍看好三条线索：半导体设备的份额提升；"), announced("毛利率上升两个百分点。")
    (2, 0)
    >>> announced("The gain came from three sources:"), announced("公司有三个风险：")
    (3, 3)
    """
    counted = _COUNTED.search(sentence)
    if counted is None or _MEASURES.match(counted["what"] or ""):
        return 0
    if counted["english"]:
        number = _ENGLISH.index(counted["english"].lower()) + 2
    else:
        number = _number(counted["count"])
    # the first point stands behind the colon
    first = re.search(r"[：:]\s*\S", sentence[counted.end() :]) is not None
    return number - 1 if first else number


def says_who_thinks(text: str) -> bool:
    """Whether a text opens with who thinks something: 我们认为影响有限：其一……

    >>> says_who_thinks("我们认为影响有限：其一，"), says_who_thinks("盈利预测：预计收入")
    (True, False)
    """
    return _THINKS.match(text) is not None


def _number(numeral: str) -> int:
    if numeral.isdigit():
        return int(numeral)
    return chinese_number(numeral.replace("两", "二")) or 0
