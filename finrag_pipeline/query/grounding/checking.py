"""An answer held against its evidence, segment by segment: what holds, what does not, and where.

What is done with that is the gate's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.kinds import EvidenceItem
from finrag_pipeline.query.evidence.places import squeeze
from finrag_pipeline.query.grounding.derived import counts_of, growths, of_calculation, of_numbers
from finrag_pipeline.query.grounding.figures import Stated, stated_in, tags, without_times
from finrag_pipeline.query.grounding.formulas import CONSTANTS, Calculation, calculations
from finrag_pipeline.query.grounding.held import Ground, ground_of
from finrag_pipeline.query.grounding.holding import Held
from finrag_pipeline.query.grounding.matching import Lack, Support, spans_held, support
from finrag_pipeline.query.grounding.names import Companies
from finrag_pipeline.query.grounding.scopes import scope_in, without_metrics
from finrag_pipeline.query.grounding.segments import Segment, segments, without
from finrag_pipeline.query.grounding.spans import Span as Time
from finrag_pipeline.query.grounding.spans import agree, spans_in
from finrag_pipeline.query.grounding.strangers import strangers
from finrag_pipeline.query.numbers.records import NumberResult
from finrag_pipeline.query.question.catalogue import Catalogue
from finrag_pipeline.words import fold

Json = dict[str, Any]

CHECKS: tuple[Lack, ...] = ("numbers", "units", "periods", "companies", "scopes")
#: A number that prints no unit, and what tells what it is a part of.
_SIGNED = re.compile(r"[$¥￥€£]\s?[\d.,]+\d")
_BARE = re.compile(r"[\d.,]+")
_GOES_ON = re.compile(r"\s?(?P<sign>[\u3400-\u9fffA-Za-z+]|[-–—～~]\d|[.、](?=[\u3400-\u9fff]))")
#: What a number is joined to that ends a name: 沪深300.
_NAMED = re.compile(r"[\u3400-\u9fffA-Za-z]{2}$")
_SOURCE = re.compile(r"\s?[（(][^（()）]*\d{4}-\d\d-\d\d[)）]\s*$")
_QUOTED = re.compile(r"[“\"]([^“”\"]{4,})[”\"]")
#: What a line may join to a quote: what it opens with, whose words they are.
_CLAUSE = re.compile(r"(?:(?![：（]| \().)+", re.DOTALL)
#: Characters from which the words of a quote are told as they are, and not by chance.
_LEAST_QUOTED = 12
#: What opens a line of a list; the sign of a figure stands right before it.
_BULLET = re.compile(r"^\s*- ")
#: How many there are of what is listed.
_COUNTED = re.compile(r"\d+\s*(?:家|个|项|条|companies|periods|figures|of them|more|in all)")


@dataclass(frozen=True, slots=True)
class Span:
    """A part of an answer that says a figure, a time, a company or a name with digits.

    Attributes:
        start: in the answer; `end` behind it.
        lack: what its evidence does not hold; None where it holds.
        n: the citation that holds it; None where it is worked out, or does not hold.
        place: where its quote prints it.
    """

    start: int
    end: int
    text: str
    lack: Lack | None = None
    n: int | None = None
    place: tuple[int, int] | None = None

    def to_dict(self) -> Json:
        """Places as offsets of characters; `by` tells what holds it."""
        told: Json = {"start": self.start, "end": self.end, "text": self.text}
        if self.lack:
            return told | {"lack": self.lack}
        by = "formula" if self.n is None else "evidence"
        return told | {"by": by, "n": self.n, "quote": list(self.place) if self.place else None}


@dataclass(frozen=True, slots=True)
class Grounding:
    """What of an answer its evidence holds.

    Attributes:
        spans: what it says, in order.
        lacking: segments with something that its evidence does not hold.
        direct: whether the first cited segment is one of them.
        text: the answer without them.
    """

    spans: tuple[Span, ...]
    lacking: tuple[Segment, ...]
    direct: bool
    text: str

    @property
    def checks(self) -> dict[str, bool]:
        """By kind whether all that the answer says is held."""
        lacks = {each.lack for each in self.spans}
        return {f"{name}_grounded": name not in lacks for name in CHECKS}

    def to_dict(self) -> Json:
        """Spans as they are written in an answer's JSON."""
        return {"spans": [each.to_dict() for each in self.spans]}


def grounded(
    answer: str,
    citations: Sequence[Citation],
    sources: Sequence[EvidenceItem],
    catalogue: Catalogue,
    numbers: NumberResult | None = None,
    question: str = "",
    *,
    refusing: bool = False,
) -> Grounding:
    """Look for every figure, time, company and unit of an answer in what it cites.

    Args:
        answer: with marks ``[1]``.
        citations: what the marks stand for.
        sources: what they are cited from.
        catalogue: whose names and documents are known.
        numbers: what the answer tells the result of; what it makes of its rows is recomputed.
        question: names with digits of it may be said again.
        refusing: whether the text says why there is no answer: what it says without a mark is
            what was looked for, and not a statement.
    """
    companies = Companies(catalogue)
    items = {item.key: item for item in sources}
    grounds = {each.n: ground_of(each, items.get(each.key), companies) for each in citations}
    reader = _Reader(companies, grounds, question, numbers)
    found = [each for each in segments(answer) if each.marks or not refusing]
    calculated = [each for each in found if list(calculations(each.text))]
    spans = [span for each in calculated for span in reader.read(each)]
    spans += [span for each in found if each not in calculated for span in reader.read(each)]
    spans.sort(key=lambda each: each.start)
    lacking = tuple(each for each in found if any(_in(span, each) for span in spans if span.lack))
    first = next((each for each in found if each.marks), None)
    return Grounding(tuple(spans), lacking, first in lacking, without(answer, list(lacking)))


@dataclass(slots=True)
class _Reader:
    companies: Companies
    grounds: dict[int, Ground]
    question: str
    numbers: NumberResult | None
    derived: list[Held] = field(default_factory=list[Held])

    def __post_init__(self) -> None:
        self.derived += growths(self.grounds.values())
        if self.numbers is not None:
            self.derived += of_numbers(self.numbers)

    def read(self, segment: Segment) -> list[Span]:
        """What a segment says, each part with what holds it."""
        cited = self._grounds(segment.marks or segment.line_marks or tuple(self.grounds))
        text = self._unquoted(segment, cited)
        if _QUOTED.search(segment.text) and text != segment.text:
            cited = self._grounds(segment.line_marks)  # the lead of several quotes
        names = self.companies.names_in(text)
        scope = scope_in(without_metrics(text))
        spans: list[Span] = []
        taken: list[tuple[int, int]] = []
        # times of what is worked out: a quarter out of two sums is neither of theirs
        made_of: set[Time] = set()
        for each in calculations(text):
            spans += self._calculated(segment, each, cited)
            taken.append((each.start, each.end))
            taken.append((each.result.start, each.result.end))
        # whose words a line quotes, and of which day, is no time of its figures
        told = _SOURCE.sub(lambda match: " " * len(match[0]), text)
        for each in stated_in(told, names):
            if any(start <= each.start and each.end <= end for start, end in taken):
                continue
            found = self._found(each, cited, scope, text)
            spans.append(_span(segment, each.start, each.end, found))
            if isinstance(found, Support) and not found.ground.n:
                made_of |= found.held.spans
        held = "\n".join(f"{ground.quote}\n{ground.around}" for ground in cited)
        said = spans_in(text)
        for each in said:
            known = spans_held([each.span], cited) or agree([each.span], made_of)
            lack = None if known else "periods"
            spans.append(_span(segment, each.start, each.end, lack))
        lost = self._lost if not segment.marks else frozenset[str]()
        printed = fold("\n".join(ground.quote for ground in cited))
        for name in names:
            if fold(name.text) in printed:
                continue  # said in the words of its quote, whomever the library knows
            known = any(name.keys & ground.companies for ground in cited) or name.keys & lost
            lack = None if known or fold(name.text) in fold(held) else "companies"
            spans.append(_span(segment, name.start, name.end, lack))
        for start, end in strangers(text, said, held):
            if not any(name.start < end and start < name.end for name in names):
                spans.append(_span(segment, start, end, "companies"))
        for match in tags(without_times(text, said)):
            lack = None if fold(match[0]) in fold(f"{held}\n{self.question}") else "companies"
            spans.append(_span(segment, *match.span(), lack))
        return spans

    @property
    def _lost(self) -> frozenset[str]:
        """Companies of which a figure was looked for and is not held: that may be said."""
        rows = (*self.numbers.rows, *self.numbers.without) if self.numbers else ()
        return frozenset(each.company_key for each in rows if each.value is None)

    def _grounds(self, marks: Iterable[int]) -> list[Ground]:
        return [self.grounds[n] for n in marks if n in self.grounds]

    def _unquoted(self, segment: Segment, cited: Sequence[Ground]) -> str:
        """A segment with what it says in the words of its quotes blanked out."""
        quotes = [squeeze(each.quote) for each in cited]
        told = _SOURCE.sub("", segment.text)  # whose words a line quotes stands behind them
        bare = squeeze(_BULLET.sub("", told)).strip("。；;，,.、 ")
        if bare and any(bare in quote for quote in quotes):
            return " " * len(told) + segment.text[len(told) :]

        text = _without_quotes(segment.text, quotes)
        for title in (each for ground in cited for each in ground.titles):
            text = text.replace(title, " " * len(title))

        def blank(match: re.Match[str]) -> str:
            held = any(squeeze(match[1]) in quote for quote in quotes)
            return " " * len(match[0]) if held else match[0]

        return _QUOTED.sub(blank, text)

    def _calculated(
        self, segment: Segment, found: Calculation, cited: Sequence[Ground]
    ) -> list[Span]:
        """The parts of a calculation; its result is known from then on if all of it holds."""
        spans: list[Span] = []
        operands: list[Held] = []
        for each in found.operands:
            support = self._found(each, cited, None, segment.text)
            constant = each.printed in CONSTANTS and not each.unit.startswith(("CNY", "USD"))
            if isinstance(support, Support):
                operands.append(support.held)
            elif constant or (each.unit == "%" and each.printed == 100):
                continue
            spans.append(_span(segment, each.start, each.end, support))
        holds = found.holds and all(span.lack is None for span in spans)
        if holds:
            self.derived.append(of_calculation(found, operands))
        result = found.result
        spans.append(_span(segment, result.start, result.end, None if holds else "numbers"))
        return spans

    def _found(
        self, stated: Stated, cited: Sequence[Ground], scope: Any, text: str
    ) -> Support | Lack | None:
        """What holds a figure: a citation, or something worked out; else what is lacking."""
        found = support(stated, cited, scope, text[stated.start : stated.end])
        if isinstance(found, Support):
            return found
        worked_out = Ground(0, "", figures=tuple(self.derived))
        by_formula = support(stated, [worked_out], scope)
        if isinstance(by_formula, Support):
            return by_formula
        counts = counts_of(self.numbers) if self.numbers else frozenset()
        if stated.value in counts and _COUNTED.match(text, stated.start):
            return None
        lack = max(found, by_formula, key=_order)
        if _as_printed(text, stated.start, stated.end, cited, lack):
            return None
        return lack


def _as_printed(text: str, start: int, end: int, cited: Sequence[Ground], lack: Lack) -> bool:
    """Whether a number stands in a quote with the same sign before it, or without a unit with the
    same character behind it, or behind the same word: the parts of a day, 3月20日, under a heading
    that counts in millions, 沪深300, 4.期末余额, 1-9 月.
    """
    written, bare = re.escape(text[start:end]), _BARE.fullmatch(text, start, end)
    if bare and (behind := _GOES_ON.match(text, end)):
        written = rf"{written}\s?{re.escape(behind['sign'])}"
    elif bare and lack == "numbers" and (named := _NAMED.search(text[:start])):
        written = rf"{named[0]}{written}(?![\d,.])"
    elif _SIGNED.fullmatch(text, start, end):
        written = rf"{written}(?![\d,])"
    else:
        return False
    return any(re.search(rf"(?<![\d.,]){written}", each.quote) for each in cited)


def _without_quotes(text: str, quotes: Sequence[str]) -> str:
    """A text with its long clauses blanked out that stand in a quote as they are."""
    for match in _CLAUSE.finditer(text):
        bare = squeeze(match[0]).strip("。；;，,.、 ")
        if len(bare) >= _LEAST_QUOTED and any(bare in quote for quote in quotes):
            text = f"{text[: match.start()]}{' ' * len(match[0])}{text[match.end() :]}"
    return text


def _order(lack: Lack) -> int:
    """How near a figure came to be held."""
    return ("numbers", "units", "companies", "periods", "scopes").index(lack)


def _span(segment: Segment, start: int, end: int, found: Support | Lack | None) -> Span:
    at = segment.start
    text = segment.text[start:end]
    if not isinstance(found, Support):
        return Span(at + start, at + end, text, found)
    held = found.held
    place = (held.start, held.end) if held.start is not None and held.end is not None else None
    return Span(at + start, at + end, text, None, found.ground.n or None, place)


def _in(span: Span, segment: Segment) -> bool:
    return segment.start <= span.start < segment.end
