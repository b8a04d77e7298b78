"""Figures that a sentence lists over the years that it names: 2025-2027年净利润1.1/1.6/2.3亿元."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from finrag_pipeline.grammar.quantities import Quantity

#: Years from one to another, or one after the other.
_YEAR = r"20\d\d"
_MARK = r"\s*[年EFA]?(?!\s*[QqHh上下第前])"
_RANGE = re.compile(
    rf"(?<!\d)(?P<first>{_YEAR}){_MARK}\s*[-—–−~～至到]\s*(?P<last>(?:20)?\d\d)(?!\d){_MARK}(?:度)?"
)
_LIST = re.compile(
    rf"(?<!\d){_YEAR}{_MARK}(?:\s*[/、，,和及与]\s*(?:20)?\d\d(?!\d|\.|%){_MARK}){{1,4}}(?:度)?"
)
_NUMBER = re.compile(r"\d+")
_CENTURY = 2000
#: What parts the figures of one list, which have one unit: behind the last, or behind each.
_BETWEEN = re.compile(r"\s*[/、]\s*|\s*(?:和|及)\s*")
#: The year behind each figure: $37.4 million in 2025, $36.1 million in 2026.
_BEHIND = re.compile(
    r"\s*(?:in|for) (?:fiscal (?:year )?)?(?P<year>20\d\d)(?!\d)[,;]?(?: and| or)?\s*",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[。！!？?\n]")
_OPENED, _CLOSED = "（(", "）)"
_FEWEST, _MOST = 2, 5


@dataclass(frozen=True, slots=True)
class Yearly:
    """A figure of a list with its year.

    Attributes:
        quantity: with the unit of its list.
        first: the place of the first figure of the list.
    """

    quantity: Quantity
    year: int
    first: int


def over_years(text: str, quantities: Sequence[Quantity]) -> dict[int, Yearly]:
    """The figures of lists with their years, by where they start; of a list that has as many as
    the years named nearest before it, and none of another one.

    Args:
        quantities: of the text, in order of print.

    >>> from finrag_pipeline.grammar.quantities import quantities_in
    >>> text = "预计2025-2027年营收3.8/5.1/6.9亿元（原2025、2026年为4/6亿元），同比+9%/8%/8%"
    >>> found = over_years(text, list(quantities_in(text)))
    >>> [(each.year, str(each.quantity.value)) for each in found.values()] # doctest: +ELLIPSIS
    [(2025, '3.8E+8'), (2026, '5.1E+8'), (2027, '6.9E+8'), (2025, '4E+8'), (2026, '6E+8'), ...]
    >>> text = "Amortization will be $37.4 million in 2025, $36.1 million in 2026 and $35 in 2027."
    >>> found = over_years(text, list(quantities_in(text)))
    >>> [(each.year, each.quantity.text) for each in found.values()]
    [(2025, '$37.4 million'), (2026, '$36.1 million'), (2027, '$35')]
    """
    named = years_named(text)
    found = {each.quantity.start: each for each in _each_of_its_year(text, quantities)}
    for run in _runs(text, quantities):
        opened = max((each.end() for each in _SENTENCE.finditer(text, 0, run[0].start)), default=0)
        before = [
            (span, years)
            for span, years in named
            if opened <= span[0]
            and span[1] <= run[0].start
            and _bracket(text, span[0], run[0].start)
        ]
        if not before or len(before[-1][1]) != len(run):
            continue
        _, years = before[-1]
        last = run[-1]
        scale = last.value / last.number if last.number else Decimal(1)
        for year, each in zip(years, run, strict=True):
            bare = not each.unit and each.value == each.number
            told = replace(each, value=each.value * scale, unit=last.unit) if bare else each
            found[each.start] = Yearly(told, year, run[0].start)
    return found


def _each_of_its_year(text: str, quantities: Sequence[Quantity]) -> Iterator[Yearly]:
    """Figures that stand one behind the other, each with its year behind it."""
    behind = ((each, _BEHIND.match(text, each.end)) for each in quantities)
    run = [(each, int(match["year"])) for each, match in behind if match]
    joined = (
        _BEHIND.fullmatch(text, one.end, other.start) for (one, _), (other, _) in pairwise(run)
    )
    if len(run) >= _FEWEST and all(joined):
        for quantity, year in run:
            yield Yearly(quantity, year, run[0][0].start)


def without_years(text: str) -> str:
    """A text without the years that it names together."""
    return _LIST.sub("", _RANGE.sub("", text))


def years_named(text: str) -> list[tuple[tuple[int, int], list[int]]]:
    """Years that a text names together, with where."""
    spans: list[tuple[tuple[int, int], list[int]]] = []
    for match in _RANGE.finditer(text):
        first = int(match["first"])
        last = int(match["last"]) % 100 + _CENTURY
        if _FEWEST <= last - first + 1 <= _MOST:
            spans.append((match.span(), list(range(first, last + 1))))
    for match in _LIST.finditer(text):
        years = [int(each) % 100 + _CENTURY for each in _NUMBER.findall(match[0])]
        apart = all(match.end() <= start or end <= match.start() for (start, end), _ in spans)
        if apart and years == sorted(set(years)):
            spans.append((match.span(), years))
    return sorted(spans)


def _runs(text: str, quantities: Sequence[Quantity]) -> Iterator[list[Quantity]]:
    """Figures that stand one behind the other, with nothing but what parts a list between."""
    run: list[Quantity] = []
    for each in quantities:
        if run and not _BETWEEN.fullmatch(text, run[-1].end, each.start):
            if len(run) >= _FEWEST:
                yield run
            run = []
        run.append(each)
    if len(run) >= _FEWEST:
        yield run


def _bracket(text: str, start: int, end: int) -> bool:
    """Whether two places stand in the same brackets, or in none."""
    between = text[start:end]
    opened = sum(between.count(each) for each in _OPENED)
    return opened == sum(between.count(each) for each in _CLOSED)
