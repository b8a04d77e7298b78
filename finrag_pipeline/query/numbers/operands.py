"""Which held fact a figure of an expression stands for, and what is worked out where none is held.

A part of a year is the rest of a sum only of what goes together: one scope, one start, adjusted or
not, and never of figures per share or ratios. Arithmetic is `arithmetic`'s.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from finrag_pipeline.grammar.fact_metrics import fact_metrics
from finrag_pipeline.query.numbers.arithmetic import EXACT, Unavailable, Worked, shown
from finrag_pipeline.query.numbers.compile import CLOSES, REST, at_shift
from finrag_pipeline.query.numbers.expressions import Figure, Nature
from finrag_pipeline.query.numbers.records import AskedPeriod, HeldFact, Step
from finrag_pipeline.query.numbers.times import QUARTERS

_Key = tuple[str, str, int, str, str, str]


@dataclass(frozen=True, slots=True)
class Point:
    """Where a figure is looked for: whose, when, what kind, by whom.

    `base` is the period that growths are counted from, where it is not the one before. `adjusted`
    is whether what came before is as the newer document adjusts it, where it does. `published` is
    when the document came out in which a house says so; None: any, the newest first.
    """

    company: str
    period: AskedPeriod
    nature: Nature = "actual"
    broker: str | None = None
    segment: str = ""
    base: AskedPeriod | None = None
    adjusted: bool = True
    published: tuple[date, date] | None = None


class Held:
    """Facts by what they are of, the one believed first.

    Args:
        best: rows of `best_facts`, of one scope.
        beside: rows of `facts`: what the same document tells of the year before is compared with,
            not what another one tells.
    """

    def __init__(self, best: Iterable[HeldFact], beside: Iterable[HeldFact] = ()) -> None:
        self.facts = tuple(sorted(best, key=_order))
        self.beside = tuple(sorted(beside, key=_order))
        self._best: defaultdict[_Key, list[HeldFact]] = defaultdict(list)
        for each in self.facts:
            self._best[_key(each)].append(each)
        self._named = {each.company_key: each for each in reversed(self.facts)}
        self._beside: defaultdict[tuple[str | None, _Key], list[HeldFact]] = defaultdict(list)
        for each in self.beside:
            self._beside[each.document_id, _key(each)].append(each)

    def companies(self) -> tuple[str, ...]:
        """Keys of the companies that anything is held of, in order."""
        return tuple(dict.fromkeys(sorted(each.company_key for each in self.facts)))

    def named(self, company: str) -> HeldFact | None:
        """A fact that bears the name of a company."""
        return self._named.get(company)

    def work_out(self, figure: Figure, point: Point) -> Worked:
        """The value of a figure at a point.

        Raises:
            Unavailable: it is not held, and cannot be worked out of what is.
        """
        period = at_shift(point.period, figure.shift, point.base)
        if period is None:
            raise Unavailable("not_derivable", f"nothing comes before {point.period}")
        nature = figure.nature or point.nature
        broker = None if nature == "actual" else point.broker
        at = point
        if (period, nature, broker) != (point.period, point.nature, point.broker):
            at = replace(point, period=period, nature=nature, broker=broker)
        if figure.shift and point.adjusted:
            now = self._of(figure.metric, replace(at, period=point.period))
            same = self._of(figure.metric, at, now.document_id) if now else None
            if same and same.restated:
                return _held(same)
        if direct := self._of(figure.metric, at):
            return _held(direct)
        was = replace(at, nature="actual", broker=None)
        if figure.shift and at.nature == "forecast" and self.has(figure.metric, was):
            # what is expected grows on what was
            at = was
            return self.work_out(replace(figure, shift=""), replace(at, base=None))
        metric = fact_metrics()[figure.metric]
        sums = metric.timing == "flow" and metric.kind == "amount"
        if sums and (summed := self._sum_of_quarters(figure.metric, at)):
            return summed
        if metric.timing == "instant" or period.kind not in REST:
            raise Unavailable("missing", f"{figure.metric} of {period} is not held")
        if metric.kind not in ("amount", "people"):
            raise Unavailable("not_derivable", f"{figure.metric} of {period} is no difference")
        return self._rest(figure.metric, at)

    def has(self, metric: str, point: Point) -> bool:
        """Whether a figure is held as it is."""
        return self._of(metric, point) is not None

    def _of(self, metric: str, at: Point, document: str | None = None) -> HeldFact | None:
        kind = at.period.kind
        if fact_metrics()[metric].timing == "instant":
            kind = CLOSES.get(kind, kind)
        key = (at.company, metric, at.period.fiscal_year, kind, at.nature, at.segment)
        if document is not None:
            return next(iter(self._beside[document, key]), None)
        found = self._best.get(key, [])
        if at.nature != "actual" and at.broker is not None:
            found = [each for each in found if each.broker == at.broker]
            if at.published is not None:
                first, last = at.published
                found = [each for each in found if first <= (each.published_on or date.min) <= last]
        return found[0] if found else None

    def _sum_of_quarters(self, metric: str, at: Point) -> Worked | None:
        """What a half or nine months are where one document prints their quarters side by side."""
        quarters = [
            self._of(metric, replace(at, period=AskedPeriod(at.period.fiscal_year, kind)))
            for kind in QUARTERS.get(at.period.kind, ())
        ]
        found = [each for each in quarters if each is not None]
        alike = {(each.document_id, each.scope, each.restated, each.unit) for each in found}
        if not found or len(found) < len(quarters) or len(alike) > 1:
            return None
        values = [each.value for each in found]
        value = EXACT.create_decimal(0)
        for each in values:
            value = EXACT.add(value, each)
        text = " + ".join(
            f"({shown(each)})" if at and each < 0 else shown(each) for at, each in enumerate(values)
        )
        ids = tuple(each.fact_id for each in found)
        step = Step(f"{metric} {at.period}", text, value, found[0].unit, ids)
        return Worked(value, found[0].unit, shown(value), tuple(found), (step,), _notes(found[0]))

    def _rest(self, metric: str, at: Point) -> Worked:
        """What a part of a year is: the sum up to its end less the sum up to its start."""
        whole, part = (
            self._of(metric, replace(at, period=AskedPeriod(at.period.fiscal_year, kind)))
            for kind in REST[at.period.kind]
        )
        if whole is None or part is None:
            raise Unavailable("missing", f"{metric} of {at.period} is not held")
        apart = [
            name
            for name in ("first_on", "restated", "scope", "unit")
            if getattr(whole, name) != getattr(part, name)
        ]
        if apart or whole.first_on is None:
            why = ", ".join(apart) or "first_on"
            raise Unavailable(
                "not_derivable", f"{metric} of {at.period}: the sums held differ in {why}"
            )
        value = EXACT.subtract(whole.value, part.value)
        right = shown(part.value)
        text = f"{shown(whole.value)} - {f'({right})' if right.startswith('-') else right}"
        ids = (whole.fact_id, part.fact_id)
        step = Step(f"{metric} {at.period}", text, value, whole.unit, ids)
        return Worked(
            value, whole.unit, shown(value), (whole, part), (step,), _notes(whole) + _notes(part)
        )


def disagreeing(fact: HeldFact, beside: Sequence[HeldFact]) -> tuple[HeldFact, ...]:
    """Facts of the same rank that say otherwise than one does, beyond rounding."""
    return tuple(
        each
        for each in beside
        if _key(each) == _key(fact)
        and each.source_rank == fact.source_rank
        and each.restated == fact.restated
        and each.broker == fact.broker
        and each.unit == fact.unit
        and each.checked is not False
        and abs(each.value - fact.value) * 200 > abs(fact.value)
    )


def _held(fact: HeldFact) -> Worked:
    return Worked(fact.value, fact.unit, shown(fact.value), (fact,), (), _notes(fact))


def _notes(fact: HeldFact) -> tuple[str, ...]:
    notes = ("restated",) if fact.restated else ()
    return (*notes, "statement_does_not_add_up") if fact.checked is False else notes


def _key(fact: HeldFact) -> _Key:
    return (
        fact.company_key,
        fact.metric,
        fact.fiscal_year,
        fact.period,
        fact.nature,
        fact.segment,
    )


def _order(fact: HeldFact) -> tuple[object, ...]:
    """As `best_facts` has them, over brokers, too."""
    published = (fact.published_on or date.min).toordinal()
    return (
        fact.company_key,
        fact.metric,
        fact.checked is False,
        fact.source_rank,
        not fact.restated,
        -published,
        fact.fact_id,
    )
