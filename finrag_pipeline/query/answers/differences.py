"""How two figures stand to each other, at two times or of two things: both are looked up, and their
difference, growth, share or sum is shown.

What the question asks of each is `question.differing`'s and `question.relating`'s.
"""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from typing import Any

from finrag_pipeline.query.answers.attribution import VOUCHED
from finrag_pipeline.query.answers.looking import Looking
from finrag_pipeline.query.answers.values import WORKED_OUT, as_asked, plain_number, unit_told
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.evidence.citation import MARK
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.differing import compares_things, figures_apart
from finrag_pipeline.query.question.relating import asks_multiple, figures_related
from finrag_pipeline.words import is_chinese

#: Money is told in these, the greatest that both figures reach, with the digits that each stands
#: for and those from which it is read more easily.
_SCALES = (("亿", 8, 8), ("万", 4, 6))
_SCALES_EN = (("billion", 9, 9), ("million", 6, 6), ("thousand", 3, 4))
_MONEY = re.compile(r"元$|^[A-Z]{3}$")
#: What of two makes nothing together: hours for which plants ran, ages, multiples.
_NOT_ADDED = ("小时", "天", "岁", "倍", "hours", "days", "x")
_RATES = ("%", "个百分点", "percentage points")


class DifferenceWriter:
    """Writes how far two figures lie apart.

    Args:
        looking: finds both.
    """

    def __init__(self, looking: Looking) -> None:
        self._find = looking

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """Both figures and their difference; None where no difference is asked for, or a figure of
        one time is not held, or they are counted in different things, or two things are told of by
        different documents."""
        names = self._find.names(asked) if compares_things(asked.question) else ()
        apart = figures_apart(asked.question, asked.scope.reading.periods, names)
        if apart is None:
            return None
        found_both = self._find.both(asked, *apart)
        if found_both is None:
            return None
        both, one, left, right = found_both
        if compares_things(asked.question) and _are_spread(both):
            return None  # what two documents say of two things need not be the same of both
        unit = str(one["unit"])
        chinese = is_chinese(asked.question)
        shown = _shown(left, right, unit, both.text, chinese)
        line = f"{'差额：' if chinese else 'Difference'}{shown}{''.join(_marks(both))}"
        apart_value = {**one, "number": plain_number(left - right)}
        if unit == "%":
            apart_value["unit"] = unit_told("pp", chinese)
        value = as_asked(asked.question, apart_value, changed=True)
        return replace(
            both, text=f"{line}\n{both.text}", value=value, kind="number", way=WORKED_OUT
        )


class RelatedWriter:
    """Writes by how much a hundred a figure has grown, how much a hundred it is of another, or what
    both come to, where nothing prints it.

    Args:
        looking: finds both.
    """

    def __init__(self, looking: Looking) -> None:
        self._find = looking

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """Both figures and what is asked of them; None where nothing such is asked, or as of
        `DifferenceWriter`."""
        reading = asked.scope.reading
        company = reading.companies[0].text if reading.companies else ""
        names = self._find.names(asked) if asks_multiple(asked.question) else ()
        related = figures_related(asked.question, reading.periods, company, names)
        if related is None:
            return None
        found_both = self._find.both(asked, related.one, related.other)
        if found_both is None:
            return None
        both, one, left, right = found_both
        if not company and len({each.document_id for each in both.citations}) > 1:
            return None  # of nobody in particular each may be of somebody else
        if related.how == "sum" and one["unit"] in _NOT_ADDED:
            return None
        if related.how == "sum":
            return _summed(asked.question, both, one, left, right)
        if related.how == "multiple":
            times = right > 0 and one["unit"] not in _RATES
            return _multiple(both, one, left, right) if times else None
        # what is no part of a whole, or grew from nothing, was read amiss
        if (
            right <= 0
            or left <= 0
            or one["unit"] in _RATES
            or _is_no_part(related.how, left, right)
        ):
            return None
        share, shown = _in_percent(left, right, growth=related.how == "growth")
        value = {**one, "number": plain_number(share), "unit": "%", "currency": None}
        text = f"{shown}{''.join(_marks(both))}\n{both.text}"
        return replace(both, text=text, value=value, kind="number", way=WORKED_OUT)


def _are_spread(both: Draft) -> bool:
    """Whether two figures stand in different documents, and not both as facts of one metric."""
    told = [each for each in both.citations if each.kind not in VOUCHED]
    return bool(told) and len({each.document_id for each in both.citations}) > 1


def _summed(
    question: str, both: Draft, one: dict[str, Any], left: Decimal, right: Decimal
) -> Draft:
    """A draft of two figures with what they come to."""
    chinese = is_chinese(question)
    shown = _shown(left, right, str(one["unit"]), both.text, chinese, together=True)
    line = f"{'合计：' if chinese else 'Total'}{shown}{''.join(_marks(both))}"
    value = as_asked(question, {**one, "number": plain_number(left + right)}, changed=False)
    return replace(both, text=f"{line}\n{both.text}", value=value, kind="number", way=WORKED_OUT)


def _multiple(both: Draft, one: dict[str, Any], left: Decimal, right: Decimal) -> Draft:
    """A draft of two figures with how many times the second the first is."""
    times = (left / right).quantize(Decimal("0.01"))
    chinese = is_chinese(both.text)
    unit = unit_told("x", chinese)
    line = f"{left:,f} / {right:,f} = {times}{unit}{''.join(_marks(both))}"
    value = {**one, "number": plain_number(times), "unit": unit, "currency": None}
    return replace(both, text=f"{line}\n{both.text}", value=value, kind="number", way=WORKED_OUT)


def _is_no_part(how: str, left: Decimal, right: Decimal) -> bool:
    return how == "share" and left > right


def _in_percent(left: Decimal, right: Decimal, *, growth: bool) -> tuple[Decimal, str]:
    """A growth or a share, and how it is worked out.

    >>> _in_percent(Decimal(120), Decimal(100), growth=True)
    (Decimal('20.00'), '((120 − 100) / 100) × 100 = 20.00%')
    >>> _in_percent(Decimal(30), Decimal(120), growth=False)[1]
    '(30 / 120) × 100 = 25.00%'
    """
    part = left - right if growth else left
    share = (part / right * 100).quantize(Decimal("0.01"))
    over = f"{left:,f} − {right:,f}" if growth else f"{left:,f}"
    shown = f"(({over}) / {right:,f}) × 100" if growth else f"({over} / {right:,f}) × 100"
    return share, f"{shown} = {share}%"


def _marks(draft: Draft) -> list[str]:
    return list(dict.fromkeys(each[0] for each in MARK.finditer(draft.text)))


def _is_short(value: Decimal) -> bool:
    """Whether a number has no more places than are read at a glance."""
    return value == value.quantize(Decimal("0.0001"))


def _shown(
    left: Decimal,
    right: Decimal,
    unit: str,
    told_of: str,
    chinese: bool = True,
    *,
    together: bool = False,
) -> str:
    """How a difference or a sum is worked out, money in the greatest unit that both reach, what
    else is counted as it is told.

    >>> _shown(Decimal(80000000000), Decimal(39000000000), "元", "")
    '800亿元 − 390亿元 = 410亿元'
    >>> _shown(Decimal(76), Decimal(67), "个", "", together=True)
    '76个 + 67个 = 143个'
    >>> _shown(Decimal(63414), Decimal(64305), "人", "63,414人")
    '63,414人 − 64,305人 = -891人'
    >>> _shown(Decimal(1624000), Decimal(1286000), "立方米", "162.4万立方米")
    '162.4万立方米 − 128.6万立方米 = 33.8万立方米'
    >>> _shown(Decimal("7.52"), Decimal("3.18"), "%", "")
    '7.52% − 3.18% = 4.34个百分点'
    >>> _shown(Decimal(318400000), Decimal(352700000), "USD", "", chinese=False)
    ' in million USD: 318.4 − 352.7 = -34.3'
    """
    sign, result = ("+", left + right) if together else ("−", left - right)
    if unit == "%":
        points = "%" if together else "个百分点" if chinese else " percentage points"
        return f"{'' if chinese else ': '}{left:,f}% {sign} {right:,f}% = {result:,f}{points}"
    least = min(abs(left), abs(right))
    scales = (
        (name, power)
        for name, power, digits in (_SCALES if chinese else _SCALES_EN)
        if least >= 10**digits
        and all(_is_short(each.scaleb(-power)) for each in (left, right))
        and (_MONEY.search(unit) or f"{name}{unit}" in told_of)
    )
    name, power = next(scales, ("", 0))

    def shown(value: Decimal) -> str:
        number = f"{value.scaleb(-power).normalize():,f}"
        return f"{number}{name}{unit}" if chinese else number

    counted = " ".join(filter(None, (name, unit)))
    lead = "" if chinese else f" in {counted}: " if counted else ": "
    return f"{lead}{shown(left)} {sign} {shown(right)} = {shown(result)}"
