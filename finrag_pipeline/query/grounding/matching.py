"""Whether evidence holds what an answer states: value at its rounding, unit, sign, company, time
and scope, all of one figure. What both say is read in `figures` and `held`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from finrag_pipeline.grammar.measures import currencies
from finrag_pipeline.query.grounding.figures import Stated
from finrag_pipeline.query.grounding.held import Ground
from finrag_pipeline.query.grounding.holding import Held
from finrag_pipeline.query.grounding.scopes import Scope
from finrag_pipeline.query.grounding.spans import Span, agree, is_part
from finrag_pipeline.words import fold

#: What of a figure evidence does not hold; as checks call it.
Lack = Literal["numbers", "units", "companies", "periods", "scopes"]
#: Words before a printed number by which it is a share of a hundred.
_SHARE = re.compile(r"率|比|占|幅|速|margin|ratio|growth|rate|share|roe|roa", re.IGNORECASE)
#: What says that a sentence speaks of parts of a year.
_PARTS = re.compile(r"[QH]\d|\dQ|\dH|季|半年|quarter|half|月", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Support:
    """The figure of a citation that holds a stated one."""

    ground: Ground
    held: Held


def support(
    stated: Stated, grounds: Sequence[Ground], scope: Scope | None, literal: str = ""
) -> Support | Lack:
    """The figure that holds a stated one, or what is lacking first.

    Args:
        grounds: what is cited beside it.
        scope: that the answer names there.
        literal: the figure as the answer writes it.
    """
    pairs = [Support(ground, held) for ground in grounds for held in ground.figures]
    found = [each for each in pairs if _counts(stated, each, literal)]
    if not found:
        same = any(_same_digits(stated, each.held) for each in pairs)
        return "units" if same else "numbers"
    tests: tuple[tuple[Lack, Callable[[Support], bool]], ...] = (
        ("companies", lambda each: _of_company(stated, each)),
        ("periods", lambda each: _of_period(stated, each)),
        ("scopes", lambda each: _of_scope(scope, each)),
    )
    for name, test in tests:
        found = [each for each in found if test(each)]
        if not found:
            return name
    return found[0]


def same_value(stated: Stated, held: Held) -> bool:
    """Whether two values are one at the rounding that the stated one shows."""
    one, other = stated.value, held.value
    if held.either_sign:
        one, other = abs(one), abs(other)
    if (one == 0) != (other == 0):
        return False
    return abs(one - other) <= stated.half


def units_agree(one: str, other: str) -> bool:
    """Whether two units may count the same; an answer that says none leaves it open.

    >>> units_agree("CNY", "CNY/股"), units_agree("%", "pp"), units_agree("", "CNY")
    (True, False, True)
    """
    if one == other or not one:
        return True
    if {one, other} <= {"x", ""}:
        return True
    money, _, per = one.partition("/")
    others, _, by = other.partition("/")
    per_share = {"", "股", "share"}
    return money == others and money in currencies() and {per, by} <= per_share


def _counts(stated: Stated, each: Support, literal: str) -> bool:
    held = each.held
    if units_agree(stated.unit, held.unit) and same_value(stated, held):
        # what is stored as a sum is none per share
        return not (held.exact and "/" in stated.unit and "/" not in held.unit)
    if not _same_number(stated, held) or (stated.value < 0) != (held.value < 0):
        return (
            held.either_sign and _same_number(stated, held) and _units_around(stated, each, literal)
        )
    return _units_around(stated, each, literal)


def _same_number(stated: Stated, held: Held) -> bool:
    return held.printed is not None and stated.printed == held.printed


def _same_digits(stated: Stated, held: Held) -> bool:
    """Whether two figures differ at most by what they count: 121.96亿元 and 121.96万元."""
    if not stated.printed or not held.value or (stated.value < 0) != (held.value < 0):
        return stated.value == held.value
    shift = stated.printed.adjusted() - held.value.adjusted()
    half = stated.half * stated.printed / abs(stated.value)
    return abs(abs(held.value).scaleb(shift) - stated.printed) <= half


def _units_around(stated: Stated, each: Support, literal: str) -> bool:
    """Whether a number that prints no unit has the stated one by what stands around it."""
    held, ground = each.held, each.ground
    if not stated.unit and abs(stated.value) == stated.printed:
        return True  # the answer says no unit either
    if held.unit or (held.printed is not None and abs(held.value) != held.printed):
        return False
    before = ground.quote[: held.start or 0][-40:] or ground.quote
    if stated.unit == "%" and _SHARE.search(before):
        return True
    unit = re.sub(r"[\d.,\s+\-−]", "", literal)
    return bool(unit) and unit in f"{ground.quote}\n{ground.around}"


def _of_company(stated: Stated, each: Support) -> bool:
    if not stated.names:
        return True
    name = stated.names[-1]
    if each.held.companies:
        return bool(name.keys & each.held.companies)
    return fold(name.text) in fold(f"{each.ground.quote}\n{each.ground.around}")


def _of_period(stated: Stated, each: Support) -> bool:
    if not stated.spans:
        return True
    spans = each.held.spans
    if not spans:
        return all(agree([span], each.ground.context) for span in stated.spans)
    if agree(stated.spans, spans):
        return True
    return (
        not each.held.exact
        and bool(_PARTS.search(each.ground.quote))
        and any(is_part(one, other) for one in stated.spans for other in spans)
    )


def _of_scope(said: Scope | None, each: Support) -> bool:
    held = each.held.scope or each.ground.scope
    if said == "parent" or held == "parent":
        return said == held == "parent"
    return True


def spans_held(said: Iterable[Span], grounds: Sequence[Ground]) -> bool:
    """Whether each of some times is one that a citation names."""
    held = [span for ground in grounds for span in ground.spans]
    return all(agree([span], held) for span in said)
