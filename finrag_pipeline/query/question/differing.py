"""How far a figure lies apart at two times, as two questions for the figure: 比一年前多了几个."""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.grammar.periods import ReportingPeriod

_TIME = (
    r"(?:(?:19|20)?\d\d\s*年?(?:[hHqQ][1-4]|[上下]半年|全年|[一二三四]季度|(?:年?[中末底初])|\d{1,2}月[末底]?)?"
    r"|[1-4][qQ]\d\d|[hH][12]\s?\d\d)"
)
_BEFORE = (
    r"(?:一年(?:前|以前)|上一?年(?:同期|末|底)?|去年(?:同期|末|底)?|前一年(?:同期|末|底)?|上年同期)"
)
_MORE = r"(?:[多少高低]|增加|增长|减少)(?:出|了)?"
#: 25H1的项目比24H1多了几个; what was done stands between: 多发了多少度.
_THAN = re.compile(
    rf"^(?P<head>.+?)[，,]?(?:比|较)(?P<base>{_TIME}|{_BEFORE})的?时?(?:要|会|将)?{_MORE}"
    r"(?P<done>[\u3400-\u9fff]?)了?(?P<rest>(?:多少|几)(?!个?(?:百分)?点|倍|成|%).*)$"
)
#: 从2023年到2028年要多出多少钱
_FROM = re.compile(
    rf"^(?P<head>.*?)从(?P<base>{_TIME})(?:到|至)(?P<end>{_TIME})(?:[要会将]|预计)?{_MORE}"
    r"(?P<done>[\u3400-\u9fff]?)了?(?P<rest>(?:多少|几)(?!个?(?:百分)?点|倍|成|%).*)$"
)
_YEAR = re.compile(r"(?:19|20)?\d\d")


def figures_apart(question: str, periods: Sequence[ReportingPeriod]) -> tuple[str, str] | None:
    """The questions for the figure at the later and at the earlier time; None where a question does
    not ask how far two lie apart.

    Args:
        periods: the times that it names.

    >>> from finrag_pipeline.grammar.periods import periods_in
    >>> def read(question):
    ...     return figures_apart(question, list(periods_in(question, "question")))
    >>> read("药明25H1的商业化项目比24H1多了几个")
    ('药明25H1的商业化项目有几个', '药明24H1的商业化项目有几个')
    >>> read("药明2025年上半年的项目比一年前多了几个")[1]
    '药明2024年上半年的项目有几个'
    >>> read("长电2025年比2024年多发了多少度电")
    ('长电2025年发了多少度电', '长电2024年发了多少度电')
    >>> read("诊疗市场从2023年到2028年要多出多少钱")
    ('诊疗市场2028年有多少钱', '诊疗市场2023年有多少钱')
    >>> read("毛利率比去年高了几个百分点"), read("营收是多少")
    (None, None)
    """
    question = question.strip()
    over = _FROM.match(question)
    match = over or _THAN.match(question)
    if match is None:
        return None
    head, base = match["head"], match["base"]
    tail = f"{_asks(match['done'])}{match['rest']}"
    if over:
        return f"{head}{over['end']}{tail}", f"{head}{base}{tail}"
    named = [each for each in periods if each.text and each.end <= len(head)]
    if not named:
        return None
    last = named[-1]
    if not re.fullmatch(_TIME, base):
        base = _YEAR.sub(_year_before, last.text, count=1)
        if base == last.text:
            return None
    return f"{head}{tail}", f"{head[: last.start]}{base}{head[last.end :]}{tail}"


def _asks(done: str) -> str:
    return f"{done}了" if done else "有"


def _year_before(match: re.Match[str]) -> str:
    return str(int(match[0]) - 1).zfill(len(match[0]))
