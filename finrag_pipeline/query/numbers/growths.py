"""Growths and differences that a question asks for: of what, and from which period.

How they are written is `wording.csv`; how they are worked out is `arithmetic`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from finrag_pipeline.grammar.fact_metrics import fact_metrics
from finrag_pipeline.query.numbers.expressions import (
    Expression,
    Figure,
    Shift,
    difference,
    figures_of,
    growth,
    shifted,
)
from finrag_pipeline.query.numbers.marking import DONE, PERIOD, Marked
from finrag_pipeline.query.numbers.records import AskedPeriod, Measure
from finrag_pipeline.query.numbers.times import quarter_before, year_before
from finrag_pipeline.query.numbers.wording import find

#: How a change on the year before is called, and without the year.
_SPOKEN = (("同比增长率", "year-on-year growth", "growth"), ("变动额", "change", "change"))
Change = Literal["year_on_year", "quarter_on_quarter", "difference"]
#: Between measures that a growth behind the last of them is of.
_LISTED = re.compile(
    r"^(?:[\s、,，和与及]|以及|and|\ue000|\ue001|的|同期|各自|各|分别)*$", re.IGNORECASE
)
#: Between a measure and its growth; what asks in between makes it another measure beside.
_NEAR = re.compile(
    rf"^(?:[\s的\ue000\ue001{DONE}（(]|同期|情况|金额|总额|数额|余额|is|was|the|of|in|its|for|'s|by)*$",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"^\s*(?:余额|金额|数额|规模|[和与及、\ue001]|以及|并|其|的|and|its|in|for|of|\s)+$",
    re.IGNORECASE,
)


def grown_since(measure: Measure, period: AskedPeriod) -> Shift:
    """From when the growth of a figure is told unasked: within a year, what stands at a day is
    held against the year's opening, as reports print it, and the rest against the year before."""
    return "opening" if _stands(measure) and period.kind != "FY" else "year"


def _stands(measure: Measure) -> bool:
    """Whether it is one figure, or the change of one, that stands at a point in time."""
    metrics = {each.metric for each in figures_of(measure.expression)}
    return len(metrics) == 1 and fact_metrics()[metrics.pop()].timing == "instant"


def counted_from(
    measure: Measure, periods: Sequence[AskedPeriod], base: AskedPeriod | None
) -> Measure:
    """A change with the name of the period that it is counted from, where a question names another
    than the year before.

    >>> from finrag_pipeline.query.numbers.formulas import metric_measure
    >>> grown = changed_measure(metric_measure("total_assets"), "year_on_year", "year")
    >>> later, end = AskedPeriod(2025, "9M"), AskedPeriod(2024, "FY")
    >>> counted_from(grown, [later], end).name_zh, counted_from(grown, [later], None).name_zh
    ('总资产增长率（较2024年末）', '总资产同比增长率')
    """
    if not measure.change or base is None or all(year_before(each) == base for each in periods):
        return measure
    ends = _stands(measure)
    from_zh = f"{base.fiscal_year}年{'末' if ends else ''}" if base.kind == "FY" else f"{base}"
    zh, en = measure.name_zh, measure.name_en
    for bare_zh, bare_en, word in _SPOKEN:
        if zh.endswith(bare_zh):
            zh = f"{zh.removesuffix(bare_zh)}{bare_zh.removeprefix('同比')}（较{from_zh}）"
            en = f"{word} from {base}{en.removeprefix(bare_en)}"
            return replace(measure, name_zh=zh, name_en=en, since=base)
    return measure


def mark_growths(marked: Marked, unit: str, compared: bool, yearly: bool) -> None:
    """Mark growths and make them of the measures that they are of.

    Args:
        unit: that the answer is asked in.
        compared: whether a period to compare with is named: that asks for a growth without more.
        yearly: whether a growth over years is asked for; others are then other words for it.
    """
    found: list[tuple[int, int, Change, Shift]] = []
    since_opening = bool(marked.take("since_opening"))
    # the longest first: "year-over-year change in" is no "change in"
    taken = [(role, *each) for role in ("growth", "difference") for each in find(role, marked.text)]
    # 增长了多少亿元 is a difference, 增长了多少 a growth
    rise = "difference" if unit else "growth"
    taken.sort(key=lambda each: each[2].start() - each[2].end())
    taken += [("rise", "year", match) for _, match in find("rise", marked.text)]
    for role, value, match in taken:
        if marked.text[slice(*match.span())] != match[0]:
            continue
        marked.mark(*match.span())
        if role == "rise" and any(each[1] == match.start() for each in found):
            continue  # 环比掉了多少 says once how it has changed
        start, end = match.span()
        if value == "both":
            found.append((start, start + 1, "year_on_year", "year"))
            found.append((start + 1, end, "quarter_on_quarter", "quarter"))
            continue
        shift: Shift = "quarter" if value == "quarter" else "year"
        if since_opening and shift == "year":
            shift = "opening"
        change: Change = (
            "difference"
            if (rise if role == "rise" else role) == "difference"
            else "quarter_on_quarter"
            if shift == "quarter"
            else "year_on_year"
        )
        found.append((start, end, change, shift))
    if yearly:
        return
    if not found and compared and all(not each.change for _, _, each in marked.placed()):
        asked: Change = "difference" if unit else "year_on_year"
        for start, end, measure in marked.placed():
            marked.mark_measure(start, end, changed_measure(measure, asked, "year"))
        return
    if not found:
        return
    placed = marked.placed()
    changed: dict[int, tuple[Change, Shift]] = {}
    beside: list[tuple[int, Measure]] = []
    for start, end, change, shift in sorted(found):
        for at, alone in _of(marked, placed, start, end):
            measure = placed[at][2]
            if alone:
                beside.append((start, changed_measure(measure, change, shift)))
            elif at not in changed or change == "difference":
                changed[at] = (change, shift)
            elif changed[at][1] != shift:
                # 同比环比 asks for both
                beside.append((start, changed_measure(measure, change, shift)))
    for at, (change, shift) in changed.items():
        start, end, measure = placed[at]
        marked.mark_measure(start, end, changed_measure(measure, change, shift))
    named = {each.name for _, _, each in marked.placed()}
    beside = [(start, measure) for start, measure in beside if measure.name not in named]
    place = -1
    for count, (start, measure) in enumerate(beside):
        # one behind the other, all of them before the end of the question
        last = len(marked.text) - (len(beside) - count)
        place = max(place + 1, min(start, last))
        marked.mark_measure(place, place + 1, measure)


def changed_measure(measure: Measure, change: Change, shift: Shift) -> Measure:
    """A measure's growth or difference; of a share of a hundred the difference in points."""
    if measure.change:
        return measure
    made = change
    metric = fact_metrics().get(measure.name)
    shares = measure.kind == "percent" or (metric is not None and metric.kind == "share")
    if shares and change != "difference":
        made = "difference"
    make = difference_to if made == "difference" else growth
    suffix = {
        "year_on_year": "growth",
        "quarter_on_quarter": "quarter_growth",
        "difference": "difference",
    }[made]
    spoken_zh = {"growth": "同比增长率", "quarter_growth": "环比增长率", "difference": "变动额"}
    spoken_en = {
        "growth": "year-on-year growth",
        "quarter_growth": "quarter-on-quarter growth",
        "difference": "change",
    }
    if shift == "opening":
        spoken_zh = {"growth": "较年初增长率", "difference": "较年初变动额"}
        spoken_en = {
            "growth": "growth since the beginning of the year",
            "difference": "change since the beginning of the year",
        }
    return replace(
        measure,
        name=f"{measure.name}_{suffix}",
        expression=make(measure.expression, shift),
        alternatives=tuple(make(each, shift) for each in measure.alternatives),
        printed=(),
        kind=measure.kind if made == "difference" else "percent",
        name_zh=f"{measure.name_zh}{spoken_zh[suffix]}",
        name_en=f"{spoken_en[suffix]} of {measure.name_en}",
        change=made,
        grown=(
            *([measure.name] if isinstance(measure.expression, Figure) else []),
            *measure.printed,
        ),
    )


def difference_to(expression: Expression, shift: Shift) -> Expression:
    """An expression less what it was."""
    return difference(expression, shifted(expression, shift))


def without_base(
    periods: Sequence[AskedPeriod], measures: Sequence[Measure]
) -> tuple[tuple[AskedPeriod, ...], AskedPeriod | None]:
    """The periods that growths are of, without the one they are counted from.

    Returns:
        The periods left, and the one counted from where it is not the one before.

    >>> from finrag_pipeline.query.numbers.formulas import metric_measure
    >>> grown = changed_measure(metric_measure("revenue"), "year_on_year", "year")
    >>> [str(each) for each in without_base(
    ...     [AskedPeriod(2025, "Q3"), AskedPeriod(2024, "Q3")], [grown])[0]]
    ['2025Q3']
    """
    changes = {each.change for each in measures} - {""}
    if len(periods) != 2 or not changes:
        return tuple(periods), None
    later, earlier = sorted(periods, key=lambda each: (each.fiscal_year, each.kind), reverse=True)
    before = quarter_before(later) if "quarter_on_quarter" in changes else year_before(later)
    return (later,), None if before == earlier else earlier


def _of(
    marked: Marked, placed: Sequence[tuple[int, int, Measure]], start: int, end: int
) -> list[tuple[int, bool]]:
    """Which measures a growth is of, and whether it stands beside them as one more."""
    text = marked.text
    before = [at for at, each in enumerate(placed) if each[1] <= start]
    after = [at for at, each in enumerate(placed) if each[0] >= end]
    if before:
        last = before[-1]
        between = text[placed[last][1] : start]
        if _NEAR.match(between):
            return [(at, False) for at in _listed_before(text, placed, last)]
        if _BESIDE.match(between) and not re.search("与", between):
            return [(last, True)]
    if after and _NEAR.match(text[end : placed[after[0]][0]]):
        found = [after[0]]
        while found[-1] + 1 < len(placed) and _LISTED.match(
            text[placed[found[-1]][1] : placed[found[-1] + 1][0]]
        ):
            found.append(found[-1] + 1)
        return [(at, False) for at in found]
    between = text[placed[before[-1]][1] : start] if before else ""
    # behind a comma with times of its own it is the growth alone: 营收，2024年比2023年变动百分之几
    beside = bool(re.search("[，,]", between)) and PERIOD not in between
    if beside or re.search("多少|几何|how much|what", between, re.IGNORECASE):
        return [(at, True) for at in _listed_before(text, placed, before[-1])]
    return [(at, False) for at in range(len(placed))]


def _listed_before(text: str, placed: Sequence[tuple[int, int, Measure]], last: int) -> list[int]:
    """A measure and those that are listed before it."""
    found = [last]
    while found[0] > 0 and _LISTED.match(text[placed[found[0] - 1][1] : placed[found[0]][0]]):
        found.insert(0, found[0] - 1)
    return found
