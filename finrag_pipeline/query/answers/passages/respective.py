"""Which figure of a list belongs to which of several things: A、B和C分别为1%、2%和3%."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from finrag_pipeline.grammar.periods import ReportingPeriod, periods_in
from finrag_pipeline.grammar.quantities import Quantity
from finrag_pipeline.query.answers.passages.saying import blanked
from finrag_pipeline.words import fold

_RESPECTIVELY = re.compile(r"分别|依次(?=[为是])")
#: What parts the things of a list.
_PARTS = re.compile(r"\s*(?:、|/|以及|[和与及])\s*")
#: The same of times: 2024年全年和2025年Q1.
_PARTED_TIMES = re.compile(rf"(?:全年|年?[度末底])?{_PARTS.pattern}")
_CLAUSES = re.compile(r"[，,：:]")
_BRACKETED = re.compile(r"[（(][^（）()]*[)）]")
#: What may stand between 分别 and the first figure.
_LEAD = re.compile(r"[^\d，。；]{0,10}")
#: Between its figures; by what they count may stand behind them.
_BETWEEN = re.compile(r"\s*[\u3400-\u9fff]{0,2}\s*(?:、|/|以及|[和与及,，])\s*")
_HAN, _LATIN, _DIGITS = (re.compile(each) for each in (r"[\u3400-\u9fff]+", "[a-z]+", r"\d+"))
#: 前五名, top5
_PLACES = "一二三四五六七八九"
_PLACED = re.compile(rf"[{_PLACES}](?=[名大家位年月])")
#: The share of a thing that a question says, and by how much more of one than of any other.
_LEAST, _CLEAR = 0.3, 0.1
_SENTENCE = re.compile(r"[。；;！？!?\n]")


@dataclass(frozen=True, slots=True)
class Listed:
    """One thing of a list with its figure."""

    thing: str
    quantity: Quantity


def respective(text: str, quantities: Sequence[Quantity]) -> Iterator[Listed]:
    """The things of lists with their figures; none where there are more of one than of the other.

    Args:
        quantities: of the text, in order of print.

    >>> from finrag_pipeline.grammar.quantities import quantities_in
    >>> text = "账龄在1年以内、1-2年、3年以上的应收账款分别为55.1/12.5/6.7亿元"
    >>> found = respective(text, list(quantities_in(text)))
    >>> [(each.thing, str(each.quantity.value)) for each in found]
    [('账龄在1年以内', '5.51E+9'), ('1-2年', '1.25E+9'), ('3年以上的应收账款', '6.7E+8')]
    """
    for match in _RESPECTIVELY.finditer(text):
        lead = _LEAD.match(text, match.end())
        start = lead.end() if lead else match.end()
        figures = _run(text, start, quantities)
        opened = [each.end() for each in _SENTENCE.finditer(text, 0, match.start())]
        before = text[opened[-1] if opened else 0 : match.start()]
        for clause in reversed(_CLAUSES.split(before)):
            things = _PARTS.split(clause)
            if len(things) == len(figures) > 1:
                yield from map(Listed, things, figures)
                break


def of_times(
    text: str, start: int, quantities: Sequence[Quantity], times: Sequence[ReportingPeriod]
) -> list[tuple[ReportingPeriod, Quantity]]:
    """The figures that stand right behind a name, each with its time, where as many times are
    listed before it; empty where they are not.

    Args:
        start: where the name ends.
        times: of the text, in order of print.

    >>> from finrag_pipeline.grammar.quantities import quantities_in
    >>> text = "2024年和2025Q1毛利率67.7%和70.2%，净利率24.6%和26.1%"
    >>> start, told, times = text.index("24.6"), quantities_in(text), periods_in(text)
    >>> found = of_times(text, start, list(told), list(times))
    >>> [(str(time), str(each.value)) for time, each in found]
    [('2024', '24.6'), ('2025Q1', '26.1')]
    """
    lead = _LEAD.match(text, start)
    figures = _run(text, lead.end() if lead else start, quantities)
    listed: list[ReportingPeriod] = []
    for each in times:
        if each.end > start:
            break
        if listed and not _PARTED_TIMES.fullmatch(text, listed[-1].end, each.start):
            listed = []
        listed.append(each)
    return list(zip(listed, figures, strict=True)) if len(listed) == len(figures) > 1 else []


def belongs(question: str, listed: Sequence[Listed]) -> Listed | None:
    """The one of several things that a question asks of: it says more of it than of any other;
    None where that is none or more than one.

    >>> one = Quantity(Decimal(1), "", Decimal(1))
    >>> things = [Listed(each, one) for each in ("1-2年", "3年以上")]
    >>> belongs("账龄超过3年的应收账款", things).thing, belongs("应收账款", things)
    ('3年以上', None)
    """
    asked = _words(_untimed(question))
    shares: list[float] = []
    for each in listed:
        own = _words(_untimed(each.thing))
        numbers = set(filter(str.isdigit, own))
        # of 2-3年 and 3年以上 the one whose every number is asked for
        shares.append(len(own & asked) / len(own) if own and numbers <= asked else 0.0)
    best = max(shares, default=0.0)
    near = sum(best - each < _CLEAR for each in shares)
    return listed[shares.index(best)] if best >= _LEAST and near == 1 else None


def _untimed(text: str) -> str:
    """A text without its times, which say of no thing that it is another."""
    return blanked(text, {(each.start, each.end) for each in periods_in(text)})


def _words(text: str) -> set[str]:
    """The pairs of characters, Latin words and numbers of a text."""
    shown = _PLACED.sub(lambda each: str(_PLACES.index(each[0]) + 1), fold(text))
    pairs = {run[n : n + 2] for run in _HAN.findall(shown) for n in range(len(run) - 1)}
    return pairs | set(_LATIN.findall(shown)) | set(_DIGITS.findall(shown))


def _run(text: str, start: int, quantities: Sequence[Quantity]) -> list[Quantity]:
    """The figures that follow one another from a place, with the unit of the last where they have
    none of their own."""
    found: list[Quantity] = []
    at = start
    aside = [each.span() for each in _BRACKETED.finditer(text)]
    for each in quantities:
        if each.start < start or any(begin < each.start < end for begin, end in aside):
            continue
        between = _BRACKETED.sub("", text[at : each.start])
        if between and not (found and _BETWEEN.fullmatch(between)):
            break
        found.append(each)
        at = each.end
    if not found:
        return []
    last = found[-1]
    scale = last.value / last.number if last.number else Decimal(1)
    return [
        each
        if each.unit or each.value != each.number
        else replace(each, value=each.value * scale, unit=last.unit)
        for each in found
    ]
