"""Figures that are asked for as parts of a question: each is looked up as one of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from finrag_pipeline.errors import FinragError
from finrag_pipeline.query.answers.closest.found import FoundFigure, Judged
from finrag_pipeline.query.answers.closest.judge import Judge
from finrag_pipeline.query.answers.merging import merged
from finrag_pipeline.query.answers.passages.times import Time
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.answers.passages.writer import write_passages
from finrag_pipeline.query.answers.several import direct
from finrag_pipeline.query.answers.writers import Draft, Search, Writer
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked

#: Passages in which a figure is looked for that no row and no fact has.
_PASSAGES = 10
#: How sure a figure has to be that stands in the same row or column as the one it is held against.
_BESIDE = 0.2


class Looking:
    """Looks figures up.

    Args:
        writers: of figures: of those that have a name as such, that rows of tables spell out, and
            that most surely are the one asked for; the first that has one is taken.
        search: finds what states the others.
        judge: how sure figures are that stand beside one that was found.
    """

    def __init__(self, writers: Sequence[Writer], search: Search, judge: Judge) -> None:
        self._writers = writers
        self._search = search
        self._judge = judge

    def both(
        self, asked: Asked, one: str, other: str
    ) -> tuple[Draft, dict[str, Any], Decimal, Decimal] | None:
        """A draft of both figures, the value of the first, and both numbers; None where one is not
        held, or they are counted in different things, or both are one."""
        for_one, for_other = (self._looked_for(asked, each) for each in (one, other))
        if for_one is None or for_other is None:
            return None
        left, right = self._written(*for_one), self._written(*for_other)
        if left is None and right is None:
            left, right = self._quoted(*for_one), self._quoted(*for_other)
        if left is None and right is not None:
            left = self._beside(for_other[0], right, for_one[0]) or self._quoted(*for_one)
        elif left is not None and (right is None or _are_apart(left, right)):
            beside = self._beside(for_one[0], left, for_other[0])
            right = beside or right or self._quoted(*for_other)
        if left is None or right is None:
            return None
        first, second = value_of(left), value_of(right)
        same = (left.text, first["number"]) == (right.text, second["number"])
        # a table may say its unit far from a figure that a sentence has with it
        units = {str(each["unit"]) for each in (first, second)} - {""}
        if same or len(units) > 1:
            return None
        told = {**first, "unit": next(iter(units), ""), "currency": _currency(first, second)}
        numbers = (Decimal(str(each["number"])) for each in (first, second))
        return merged(left, [right]), told, next(numbers), next(numbers)

    def _beside(self, known: Asked, told: Draft, other: Asked) -> Draft | None:
        """The figure of the same row, column or sentence as one that was found, which is less sure
        by itself; None where that has none.

        Args:
            known: the question for the one that was found.
            told: its draft.
            other: the question for the one beside it.
        """
        here = self._judge(known, any_name=True)
        number = value_of(told)["number"]
        at = next((each for _, each in here if each.value["number"] == number), None)
        judged = self._judge(other, any_name=True)
        if at is not None and not at.traits["table"]:
            other_end = _in_sentence(at, [each for _, each in judged])
            return _direct(other_end) if other_end else None
        best = _leading(judged)
        if at is None or best is None or not _is_in_line(at, best):
            return None
        one, draft = at.tell(), best.tell()
        if one is None or draft is None or one.citations[0].key != draft.citations[0].key:
            return None
        return direct(draft)

    def figure(self, asked: Asked, question: str) -> Draft | None:
        """The line of a figure, with its value; None where it is not held."""
        looked = self._looked_for(asked, question)
        return (self._written(*looked) or self._quoted(*looked)) if looked else None

    def _written(self, part: Asked, found: SearchResult) -> Draft | None:
        """The line of a figure that one of the writers knows."""
        drafts = (write(part, found) for write in self._writers)
        told = (each for each in drafts if each and _tells(each))
        return next((direct(each) for each in told if self._is_meant(part, each)), None)

    def _quoted(self, part: Asked, found: SearchResult) -> Draft | None:
        """The line of what states a figure."""
        quoted = write_passages(part, found, stated=True)
        return direct(quoted) if _tells(quoted) and self._is_meant(part, quoted) else None

    def _is_meant(self, part: Asked, draft: Draft) -> bool:
        return not self._judge.attribution.is_of_another(part, draft)

    def names(self, asked: Asked) -> tuple[str, ...]:
        """What a question names: firms, places, indices and things."""
        wanted = Wanted(asked)
        mentioned = self._judge.attribution(asked, wanted)
        reading = asked.scope.reading
        known = (each.text for each in (*reading.companies, *reading.strangers))
        others = (ways[0] for ways in mentioned.names)
        return tuple(dict.fromkeys((*known, *others, *mentioned.words)))

    def _looked_for(self, asked: Asked, question: str) -> tuple[Asked, SearchResult] | None:
        try:
            return self._search(asked, question, most=_PASSAGES)
        except FinragError:
            return None


def _tells(draft: Draft) -> bool:
    return not draft.status and "number" in (draft.value or {})


def value_of(draft: Draft) -> dict[str, Any]:
    """The value of a draft that has one."""
    return dict(draft.value or {})


def _currency(*values: Mapping[str, Any]) -> Any:
    return next((each["currency"] for each in values if each.get("currency")), None)


def _leading(judged: Sequence[Judged]) -> FoundFigure | None:
    """The first of some figures, where it is sure enough to stand beside another one, and no other
    is half as sure."""
    if not judged or judged[0][0] < _BESIDE:
        return None
    sure, first = judged[0]
    number = first.value["number"]
    others = (other for other, each in judged if each.value["number"] != number)
    return first if next(others, 0.0) < sure / 2 else None


def _are_apart(one: Draft, other: Draft) -> bool:
    """Whether two figures that were read from texts stand in different places."""
    read = one.numbers is None and other.numbers is None
    return read and one.citations[0].key != other.citations[0].key


def _in_sentence(one: FoundFigure, others: Sequence[FoundFigure]) -> FoundFigure | None:
    """The only other figure of a sentence that is counted alike and of the time asked for:
    由2019年的312万颗增长至2024年686万颗."""
    found = {
        each.value["number"]: each
        for each in others
        if each.place[0] == one.place[0]
        and each.value["number"] != one.value["number"]
        and each.value.get("unit") == one.value.get("unit")
        and each.traits.get("own_time") == Time.NAMED
    }
    return next(iter(found.values())) if len(found) == 1 else None


def _direct(figure: FoundFigure) -> Draft | None:
    told = figure.tell()
    return direct(told) if told else None


def _is_in_line(one: FoundFigure, other: FoundFigure) -> bool:
    """Whether two figures of tables stand in one row or in one column, if it is one table."""
    (_, *place), (_, *at) = one.place, other.place
    of_tables = bool(one.traits["table"] and other.traits["table"])
    return of_tables and sum(a == b for a, b in zip(place, at, strict=True)) == 1
