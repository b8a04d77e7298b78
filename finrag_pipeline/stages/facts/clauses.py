"""Reads a sentence from left to right: whom it speaks of, when, and which metric is how much.

Words that it does not know make it lose whom it speaks of until that is said again: what follows
公司小分子业务 is no company's. What becomes of what it reads is decided in `sentences`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache

from finrag_pipeline.grammar.fact_metrics import FactMetric, fact_metrics
from finrag_pipeline.grammar.measures import Measure, measure_of
from finrag_pipeline.grammar.numerals import narrow
from finrag_pipeline.grammar.periods import ReportingPeriod, periods_in
from finrag_pipeline.grammar.quantities import NUMBER, number_of

_UNIT = (
    r"(?:(?:百万|千万|亿|万|千)?\s?(?:元人民币|美元|港元|港币|人民币|元)(?:/股)?|"
    r"(?:mn|bn|million|billion)\b|[%％])"
)
_VALUE = rf"[-+－−]?\s?{NUMBER}"
_AND = r"\s*(?:[/、,，]|和|与|及|以及)\s*"
_VALUES = re.compile(
    rf"(?P<before>人民币|RMB|HK\$|US\$)?\s?(?P<values>{_VALUE}(?:\s*{_UNIT})?"
    rf"(?:{_AND}{_VALUE}(?:\s*{_UNIT})?)*)"
)
_ONE = re.compile(rf"(?P<number>{_VALUE})\s*(?P<unit>{_UNIT})?")
#: From a metric to its figure.
_GAP = re.compile(
    r"(?P<gap>(?:\s|分别|合计|为|达到?|实现|录得|至|到|了|有望|将|预计|预测|:|：|亏损|的)*)"
)
#: What makes a figure an end of a range, or no more than near one.
_INEXACT = re.compile(r"\s*(?:左右|以上|以下|上下|以内|[-–—~～至到]\s*\d|多|余|\+)")
_CHANGE = re.compile(
    r"(?:[,，]?\s*(?:分别)?(?:同比|环比|较(?:上年|去年|20\d\d\s*年)?\s*同期|yoy|qoq)\s*(?:变动|分别|大幅|小幅|略有)?)+"
    r"(?:[增下上回降提减][长加降滑升少落]|[增降])?[为约了达]?\s*"
    rf"{_VALUE}\s*(?:[%％]|个?百分点|pct|pp)?(?:{_AND}{_VALUE}\s*(?:[%％]|个?百分点|pct|pp)?)*",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"(?<![子母分孙])(?:本?公司|本?集团)(?![股债治管章])")
_EXPECTS = re.compile(r"(?:我们)?(?:维持)?(?:预计|预测|预期)")
_TELLS = re.compile(
    r"发布[^，。：；]{0,50}?(?:报告|年报|季报|中报|公告|业绩|预告|快报|草案)[》]?\s*(?=[，：:。、]|$)|"
    r"(?:业绩)?(?:基本)?(?:符合|超出?|略超|好于)(?:我们|市场)?的?预期"
)
#: Words that leave it to be the whole company's own, for the same time.
_PLAIN = re.compile(
    r"[\s,，.。;；:：“”\"'《》、\uf000-\uf0ff·•●➢◆■⚫]|事件|点评|报告期内?|全年|实现|录得|取得|完成|其中|同时|并|且|也|"
    r"对应|分别|有望|将|的|摊薄|基本|投资建议|盈利预测|我们认为|整体|合计|累计|业绩"
)
_YEARS = re.compile(
    r"(?<![\d.])(?P<years>(?:20)?\d\d\s*(?:年|E)?(?:\s*[/、]\s*(?:20)?\d\d\s*(?:年|E)?)+|"
    r"(?:20)?\d\d\s*(?:年|E)?\s*[-–—~～至到]\s*(?:20)?\d\d(?=\s*(?:年|E)))\s*(?:年|E)(?:度)?(?![\d月])"
)
#: Names that houses use for more than one metric.
_LOOSE = frozenset(("净利润", "净利", "利润", "成本", "basic", "diluted"))
_FLOWS = frozenset(("amount", "per_share"))
_MARGINS = frozenset(("printed_gross_margin", "printed_net_margin"))


@dataclass(frozen=True, slots=True)
class Said:
    """A metric of the company for a period, as a sentence says it."""

    metric: FactMetric
    period: ReportingPeriod
    number: Decimal
    measure: Measure
    text: str
    expects: bool
    by_company: bool


@dataclass(frozen=True, slots=True)
class State:
    """What a sentence has said so far: of the company or not, when, whether it expects."""

    own: bool = False
    periods: tuple[ReportingPeriod, ...] = ()
    expects: bool = False
    by_company: bool = False


def read_clauses(text: str, names: tuple[str, ...], state: State) -> tuple[list[Said], State]:
    """What a sentence says of its company, and how it may go on.

    Args:
        text: a sentence.
        names: of the company, which count as 公司 does.
        state: what the sentence before has left, if this one may lean on it.
    """
    shown = _without_brackets(narrow(text))
    found: list[Said] = []
    periods = {each.start: each for each in periods_in(shown, "text") if each.kind != "years"}
    lists = {match.start(): match for match in _YEARS.finditer(shown)}
    metrics = {match.start(): match for match in _metrics().finditer(shown)}
    at = 0
    while at < len(shown):
        if match := lists.get(at):
            state = replace(state, periods=tuple(_years(match["years"])))
            at = match.end()
        elif period := periods.get(at):
            state = replace(state, periods=(period,))
            at = max(period.end, at + 1)
        elif match := _EXPECTS.match(shown, at):
            by_company = state.own and bool(_SUBJECT.search(shown[max(0, at - 3) : at]))
            state = replace(state, own=True, expects=True, by_company=by_company)
            at = match.end()
        elif match := _SUBJECT.match(shown, at) or _name(names).match(shown, at):
            state = replace(state, own=True)
            at = match.end()
        elif match := _CHANGE.match(shown, at) or _TELLS.match(shown, at):
            at = match.end()
        elif named := metrics.get(at):
            said, at = _figures(shown, named, state)
            found += said
            if not said:
                state = replace(state, own=False)
        elif match := _PLAIN.match(shown, at):
            at = match.end()
        else:
            state = replace(state, own=False)
            at += 1
    return found, state


def _figures(shown: str, named: re.Match[str], state: State) -> tuple[list[Said], int]:
    """The figures behind a metric, one a period; none where anything about them is unsure."""
    gap = _GAP.match(shown, named.end())
    assert gap is not None
    match = _VALUES.match(shown, gap.end())
    if not match:
        return [], named.end()
    end = match.end()
    metric = fact_metrics()[_wordings()[named[0].lower()]]
    values = list(_split(match, len(state.periods)))
    if not state.own or not values or len(values) != len(state.periods):
        return [], end
    if _INEXACT.match(shown, end) or named[0] in _LOOSE:
        return [], end
    end = values[-1][2]
    sign = -1 if "亏损" in gap["gap"] else 1
    return [
        Said(metric, period, sign * number, measure, written, state.expects, state.by_company)
        for period, (number, measure, _, written) in zip(state.periods, values, strict=True)
    ], end


def _split(match: re.Match[str], count: int) -> Iterator[tuple[Decimal, Measure, int, str]]:
    """As many numbers as there are periods, each with its unit or that of the next behind it."""
    every = list(_ONE.finditer(match["values"]))
    ones, more = every[:count], every[count : count + 1]
    if (
        ones
        and more
        and match["values"][ones[-1].end() : more[0].start()].strip() not in (",", "，")
    ):
        return  # one more figure of another period
    units = [each["unit"] for each in ones]
    for n, one in enumerate(ones):
        written = next((unit for unit in units[n:] if unit), None)
        number = number_of(one["number"].replace(" ", ""))
        measure = measure_of(f"{match['before'] or ''}{written}") if written else None
        if number is None or measure is None:
            return
        yield number, measure, match.start("values") + one.end(), one["number"].strip()


def _years(written: str) -> Iterator[ReportingPeriod]:
    numbers = [int(each) % 100 + 2000 for each in re.findall(r"\d{4}|\d\d", written)]
    if re.search(r"[-–—~～至到]", written) and len(numbers) == 2:
        numbers = list(range(numbers[0], numbers[1] + 1))
    for year in numbers:
        yield next(iter(periods_in(f"{year}年", "question")))


def _without_brackets(text: str) -> str:
    """A text with what stands in brackets blanked out, at the same places."""
    return re.sub(r"[(（][^()（）]*[)）]", lambda match: " " * len(match[0]), text)


def _name(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, names)) if names else r"(?!)")


@cache
def _wordings() -> dict[str, str]:
    found: dict[str, str] = {}
    for each in fact_metrics().values():
        if each.timing == "flow" and (each.kind in _FLOWS or each.name in _MARGINS):
            for word in (*each.asked, *each.labels, each.name_zh):
                found.setdefault(word.lower(), each.name)
    return {word: name for word, name in found.items() if len(word) > 1}


@cache
def _metrics() -> re.Pattern[str]:
    words = sorted(_wordings(), key=lambda word: (-len(word), word))
    return re.compile(
        "|".join(
            rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])" if word.isascii() else re.escape(word)
            for word in words
        ),
        re.IGNORECASE,
    )
