"""Right answers made wrong in one thing: a digit, a sign, a unit, a time, a scope, a company.

What catches them is `query.grounding`; answers come from whoever measures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from finrag_pipeline.query.grounding.figures import stated_in
from finrag_pipeline.query.grounding.segments import segments
from finrag_pipeline.query.grounding.spans import spans_in

Flip = Literal["digit", "sign", "unit", "period", "scope", "company"]

#: What a unit is taken for; each row is another unit, or the same a thousand times as much.
_UNITS = {
    "万亿元": "亿元",
    "亿元": "万元",
    "万元": "亿元",
    "百万元": "亿元",
    "亿美元": "亿元",
    "美元": "元",
    "港元": "元",
    "个百分点": "%",
    "%": "个百分点",
    "元/股": "%",
    "元": "万元",
    "倍": "%",
    " billion": " million",
    " million": " billion",
    "USD": "CNY",
    "CNY": "USD",
    "RMB": "USD",
    "$": "€",
    " people": "%",
    "人": "%",
    "x": "%",
}
_PARTS = {
    "前三季度": "上半年",
    "上半年": "前三季度",
    "第一季度": "第二季度",
    "第二季度": "第三季度",
    "第三季度": "第二季度",
    "第四季度": "第三季度",
    "H1": "H2",
    "H2": "H1",
    "Q1": "Q2",
    "Q2": "Q3",
    "Q3": "Q2",
    "Q4": "Q3",
    "nine months of": "H1",
}
_WORDS = {
    **{"下降": "增长", "增长": "下降", "下滑": "增长", "减少": "增加", "亏损": "盈利"},
    **{"fell": "rose", "rose": "fell", "down": "up", "decreased": "increased"},
}
_PARENT = ("（母公司口径）", " (parent company)")


@dataclass(frozen=True, slots=True)
class Mutation:
    """A wrong answer: what was flipped, and the text."""

    flip: Flip
    text: str


def mutations(answer: str, name: str, others: Sequence[str], seed: int = 0) -> Iterator[Mutation]:
    """One wrong answer of each kind that an answer allows.

    Args:
        answer: a right one, with marks.
        name: of its company as it writes it.
        others: companies that its evidence is not of.
    """
    random = Random(f"{seed} {answer}")
    first = next((each for each in segments(answer) if each.marks), None)
    if first is None:
        return
    text, at = first.text, first.start

    def with_(start: int, end: int, new: str) -> str:
        return answer[: at + start] + new + answer[at + end :]

    # nothing has neither sign nor unit
    figures = [each for each in stated_in(text) if each.value]
    if figures:
        chosen = random.choice(figures)
        digits = [n for n in range(chosen.start, chosen.end) if text[n].isdecimal()]
        place = random.choice(digits)
        new = str((int(text[place]) + random.randint(1, 9)) % 10)
        yield Mutation("digit", with_(place, place + 1, new))
        main = figures[0]
        sign = re.search(r"[-−]", text[main.start : main.end])
        if sign:
            start = main.start + sign.start()
            yield Mutation("sign", with_(start, start + 1, ""))
        else:
            yield Mutation(
                "sign", with_(digits_at(text, main.start), digits_at(text, main.start), "-")
            )
        flipped = _other_unit(text, main.start, main.end + 12)
        if flipped:
            yield Mutation("unit", with_(*flipped))
    for word, other in _WORDS.items():
        if word in text:
            start = text.index(word)
            yield Mutation("sign", with_(start, start + len(word), other))
            break
    yield from (Mutation("period", with_(*each)) for each in _other_times(text, random))
    parent = next((each for each in _PARENT if each in text), None)
    if parent:
        start = text.index(parent)
        yield Mutation("scope", with_(start, start + len(parent), ""))
    elif figures:
        chinese = bool(re.search(r"[\u3400-\u9fff]", text))
        colon = max(text.find("："), text.find(": "))
        start = colon if 0 <= colon < figures[0].start else figures[0].start
        yield Mutation("scope", with_(start, start, _PARENT[0 if chinese else 1]))
    if name and name in text and others:
        start = text.index(name)
        yield Mutation("company", with_(start, start + len(name), random.choice(others)))


def digits_at(text: str, start: int) -> int:
    """Where the digits of a figure begin."""
    return next(n for n in range(start, len(text)) if text[n].isdecimal())


def _other_unit(text: str, start: int, end: int) -> tuple[int, int, str] | None:
    window = text[start:end]
    found = [
        (window.index(unit), -len(unit), unit, other)
        for unit, other in _UNITS.items()
        if unit in window
    ]
    if not found:
        return None
    place, _, unit, other = min(found)
    return start + place, start + place + len(unit), other


def _other_times(text: str, random: Random) -> Iterator[tuple[int, int, str]]:
    said = [each for each in spans_in(text) if not each.compared]
    if not said:
        return
    first = said[0]
    written = text[first.start : first.end]
    if year := re.search(r"(?:19|20)\d\d", written):
        new = str(int(year[0]) + random.choice((-2, -1, 1, 2)))
        yield first.start + year.start(), first.start + year.end(), new
    for part, other in _PARTS.items():
        if part in text[first.start : first.end + 1]:
            start = text.index(part, first.start)
            yield start, start + len(part), other
            return
    if re.fullmatch(r"(?:19|20)\d\d年", written) and not text[first.end :].startswith("末"):
        yield first.end, first.end, "上半年"
