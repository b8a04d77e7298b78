"""Figures of a text as it says them: value with its sign, unit, the rounding that it shows, and
the time and company that govern them. Which evidence holds them is `matching`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from finrag_pipeline.grammar.measures import Measure, measure_of
from finrag_pipeline.grammar.numerals import narrow
from finrag_pipeline.grammar.quantities import Quantity, parse_quantity, quantities_in
from finrag_pipeline.query.grounding.governing import LISTED, governing
from finrag_pipeline.query.grounding.names import Name
from finrag_pipeline.query.grounding.spans import Said, Span, spans_in


@dataclass(frozen=True, slots=True)
class Stated:
    """One figure of a text.

    Attributes:
        value: with its sign and scale, in `unit`; words of fall make it negative.
        unit: `CNY`, `CNY/股`, `%`, `pp`, `x`, `台` …; empty where none is printed.
        printed: the number before words of scale, without a sign.
        half: half of the last place shown, scaled.
        spans: the times that may govern it; empty where the text names none.
        names: the companies that govern it; empty where it names none.
        start: where it stands; `end` behind it.
    """

    value: Decimal
    unit: str
    printed: Decimal
    half: Decimal
    start: int
    end: int
    spans: tuple[Span, ...] = ()
    names: tuple[Name, ...] = ()


#: Numbers that count nothing: of lists, pages, tables, places in an order, what is paid on ten
#: shares.
_NO_FIGURES = re.compile(
    r"""
      ^\s*(?:[(（]?\d{1,2}[)）]|\d{1,2}\s*[.、．](?!\d)) | (?<=[。；;：:\s])\d{1,2}[、．](?!\d)
    | (?<=[；;。\s])[(（]\d{1,2}[)）] | ^\s*[(（]?[一二三四五六七八九十]{1,3}[)）]?[、.．]
    | 第\s*[\d一二三四五六七八九十百]+\s*(?:页|名|位|章|节|条|款|期|届|号|次|大|部分|版)
    | (?:图表?|表格?|附注|附表|注|page|pages|pp?\.|table|figure|exhibit|chart|note|item|section|
        no\.|number|phase)\s*\d+(?:[.\-–]\d+)*
    | (?:前|top|rank(?:s|ed)?|排名第?|排第|\#)\s*\d+(?:\s*(?:名|大|位|强))?
    | \d+(?:st|nd|rd|th)\b
    | 每\s?10\s?股
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CODE = re.compile(
    r"(?<![\w.])\d{4,6}\.(?:SH|SZ|BJ|HK|SS)(?![A-Za-z])|(?<=[(（])\d{6}(?=[)）,，、])"
    r"|(?<=代码)[：:\s]*\d{4,6}",
    re.I,
)
#: HBM3E, A100, COVID-19, 10-K, 5G, 3D: names with a digit in them.
_TAGGED = re.compile(
    r"(?<![A-Za-z\d])(?!(?:US|HK|NT|RMB|CNY|USD|HKD|EUR|GBP|JPY|YOY|QOQ|EPS|PE|PB|ROE)\b)"
    r"(?!(?:USD|HKD|RMB|CNY|EUR|GBP|JPY|EPS|ROE|PE|PB|yoy|qoq)[\d+\-])"
    r"(?:[A-Za-z]+-?\d[A-Za-z\d\-]*|"
    r"\d+-?(?!(?:x|k|m|b|bn|mn|tn|pp|pps|bp|bps|gw|mw)(?![A-Za-z]))[A-Za-z]{1,2}(?![A-Za-z]))",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"[(（\[]([^()（）\[\]]{1,16})[)）\]]|单位[：:]\s*([^\s,，；;。]{1,12})")
_FILL = (
    r"(?:了|率|约|超过|超|近|达到?|幅度?|额|为|[：:]|\s|by|of|approximately|about|nearly|over|"
    r"more than|was|were|net|an?|人民币|RMB|USD|US|\$|[¥￥])*$"
)
_FALL = re.compile(
    r"(?:(?<!增)减少?|下降|下滑|下跌|降低|降幅|跌幅|减幅|回落|缩减|亏损?|跌|降|负增长|"
    r"\b(?:decreas\w*|declin\w*|fell|fall\w*|drop\w*|down|loss(?:es)?|lower|reduc\w*|shrank))"
    + _FILL,
    re.IGNORECASE,
)
_RISE = re.compile(
    r"(?:增长|增加|增幅|上升|提升|提高|上涨|涨幅|(?<!负)增|升|涨|"
    r"\b(?:rose|rise|grew|grow\w*|increas\w*|up|higher|climb\w*|jump\w*|surg\w*))" + _FILL,
    re.IGNORECASE,
)


def stated_in(text: str, names: Sequence[Name] = ()) -> list[Stated]:
    """The figures of a text, in order.

    Args:
        names: the companies that it names.

    >>> [(f"{each.value:f}", each.unit, len(each.spans)) for each in stated_in(
    ...     "2024年营业收入：121.96亿元（同比下降9.04%）")]
    [('12196000000', 'CNY', 1), ('-9.04', '%', 1)]
    >>> [(f"{each.value:f}", each.unit) for each in stated_in("质押：53,270,000（2025-10-30）")]
    [('53270000', '')]
    """
    said = spans_in(text)
    shown = without_times(text, said)
    shown = _masked(shown, [match.span() for match in no_figures(shown)], " ")
    shown = _masked(shown, [match.span() for match in tags(shown)], "牌")
    found = [_stated(each, shown) for each in _quantities(shown)]
    # a time in brackets is nothing that figures are counted in
    brackets = bracketed_measures(without_times(text, said, " "))
    found = _with_units(found, shown, brackets)
    times = governing(text, [(each.start, each.end) for each in found], said)
    return [
        replace(each, spans=spans, names=_named(each, names))
        for each, spans in zip(found, times, strict=True)
    ]


def without_times(text: str, said: Sequence[Said], mask: str = "年") -> str:
    """A text as long, with the times that it names made unreadable.

    Behind a time a dash is a range and no sign, which the mask tells.
    """
    return _masked(text, [(each.start, each.end) for each in said], mask)


def no_figures(text: str) -> Iterator[re.Match[str]]:
    """Numbers of lists, pages and orders in a text."""
    return _NO_FIGURES.finditer(text)


def tags(text: str) -> list[re.Match[str]]:
    """Codes and names with digits in a text: not counted, but said by evidence or not."""
    codes = list(_CODE.finditer(text))
    taken = [match.span() for match in codes]
    others = (
        match
        for match in _TAGGED.finditer(narrow(text))
        if not any(start < match.end() and match.start() < end for start, end in taken)
    )
    return [*codes, *others]


def bracketed_measures(text: str) -> list[tuple[Measure, int]]:
    """What a text says in brackets that its figures are counted in, and where."""
    found: list[tuple[Measure, int]] = []
    for match in _BRACKETED.finditer(text):
        measure = measure_of((match[1] or match[2]).removeprefix("单位").strip("：: "))
        if measure and (measure.unit or measure.power):
            found.append((measure, match.start()))
    return found


def canonical(value: Decimal, unit: str) -> tuple[Decimal, str]:
    """A value in the unit that it is compared in: 30bp is 0.3pp, 5‰ is 0.5%."""
    if unit == "bp":
        return value / 100, "pp"
    if unit == "‰":
        return value / 10, "%"
    return value, unit


def _quantities(shown: str) -> Iterator[Quantity]:
    """Quantities, ranges as their two ends."""
    for each in quantities_in(_dollar_brackets(shown)):
        if each.upper is None:
            yield each
            continue
        # 9.04%至5.3亿元 is no range
        match = re.search(r"\s?(?:[-–—~～−]|至|到)\s?(?=\d)", each.text)
        if match is None:
            yield each
            continue
        left = parse_quantity(each.text[: match.start()])
        right = parse_quantity(each.text[match.end() :])
        if left is None or right is None:
            yield each
            continue
        middle = each.start + match.end()
        if not left.unit and left.value == left.number:  # 10-15%: the unit stands behind
            scale = right.value / right.number if right.number else Decimal(1)
            left = replace(left, value=left.number * scale, unit=right.unit)
        elif not left.unit:
            left = replace(left, unit=right.unit)
        yield replace(left, start=each.start, end=each.start + match.start())
        yield replace(right, start=middle, end=each.end)


def _dollar_brackets(shown: str) -> str:
    """$(5.2) million as a negative amount, each character in its place but the sign."""
    return re.sub(
        r"([$¥￥€£])\((\d[\d,]*(?:\.\d+)?)\)", lambda found: f" {found[1]}-{found[2]}", shown
    )


def _stated(each: Quantity, shown: str) -> Stated:
    scale = each.value / each.number if each.number else Decimal(1)
    exponent = each.number.as_tuple().exponent
    half = Decimal("0.5").scaleb(exponent if isinstance(exponent, int) else 0) * abs(scale)
    value, unit = canonical(each.value, each.unit)
    if unit != each.unit:
        half = canonical(half, each.unit)[0]
    fall = _FALL.search(shown[max(0, each.start - 24) : each.start])
    # 下降-9.04% is a fall, but 下降率：-9.04% none
    if fall and (value > 0 or "率" in fall[0]):
        value = -value
    return Stated(value, unit, abs(each.number), half, each.start, each.end)


def _with_units(
    found: Sequence[Stated], shown: str, brackets: Sequence[tuple[Measure, int]]
) -> list[Stated]:
    """Plain numbers with the unit of a list that they stand in, or of brackets in their text."""
    units = list(found)
    for n in range(len(units) - 2, -1, -1):
        one, after = units[n], units[n + 1]
        between = shown[one.end : after.start]
        if not one.unit and one.value.copy_abs() == one.printed and LISTED.fullmatch(between):
            units[n] = _scaled(one, after.unit, _scale(after))
    for n, one in enumerate(units):
        if not one.unit and one.value.copy_abs() == one.printed and brackets:
            measure = min(brackets, key=lambda each: (abs(each[1] - one.end), each[1]))[0]
            units[n] = _scaled(one, measure.unit, Decimal(10) ** measure.power)
    return units


def _scaled(one: Stated, unit: str, scale: Decimal) -> Stated:
    value, known = canonical(one.value * scale, unit)
    half = canonical(one.half * scale, unit)[0]
    return replace(one, value=value, half=half, unit=known)


def _scale(one: Stated) -> Decimal:
    return abs(one.value) / one.printed if one.printed else Decimal(1)


def _named(one: Stated, names: Sequence[Name]) -> tuple[Name, ...]:
    """The company that is named last before a figure."""
    return tuple(each for each in names if each.end <= one.start)[-1:]


def _masked(text: str, places: Iterable[tuple[int, int]], mask: str) -> str:
    for start, end in places:
        text = text[:start] + mask * (end - start) + text[end:]
    return text
