"""Sides of a comparison by a figure looked up for each, where nothing else has all of them."""

from __future__ import annotations

from decimal import Decimal

from finrag_pipeline.query.answers.comparisons.sides import Comparison, Side, read_comparison
from finrag_pipeline.query.answers.comparisons.telling import greater_word
from finrag_pipeline.query.answers.looking import Looking, value_of
from finrag_pipeline.query.answers.merging import merged
from finrag_pipeline.query.answers.writers import Draft, Writer
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.signals import asks_figure
from finrag_pipeline.words import is_chinese

_WAY = "the figure of each side is looked up by itself"


class LookedUp:
    """Writes what a writer of comparisons does, and where that lacks a side the figure that is
    asked for of each, if all are held.

    Args:
        writer: of comparisons.
        looking: finds the figures.
    """

    def __init__(self, writer: Writer, looking: Looking) -> None:
        self._writer = writer
        self._looking = looking

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """A draft; None where the writer has none and a side has no figure."""
        draft = self._writer(asked, found)
        if draft is not None and not draft.status:
            return draft
        comparison = read_comparison(asked)
        if comparison is None or not asks_figure(comparison.topic):
            return draft
        return self._figures(asked, comparison) or draft

    def _figures(self, asked: Asked, comparison: Comparison) -> Draft | None:
        told: list[tuple[Side, Draft]] = []
        for side in comparison.sides:
            figure = self._looking.figure(asked, _question(asked, comparison, side))
            if figure is None:
                return None
            told.append((side, figure))
        numbers = [Decimal(str(value_of(each)["number"])) for _, each in told]
        units = {value_of(each)["unit"] for _, each in told}
        same = {(each.text, number) for (_, each), number in zip(told, numbers, strict=True)}
        if len(units) != 1 or len(same) < len(told):
            return None  # counted otherwise, or one figure found for several
        first, *others = (_of_side(side, each) for side, each in told)
        both = merged(first, others)
        lead = ""
        if len(set(numbers)) == len(numbers):
            greatest = told[numbers.index(max(numbers))][0].name
            lead = f"{greatest}{greater_word(asked.question)}\n"
        return Draft(f"{lead}{both.text}", both.citations, both.sources, way=_WAY, kind="text")


def _of_side(side: Side, draft: Draft) -> Draft:
    mark = "" if side.name in draft.text else f"{side.name}："
    return Draft(f"{mark}{draft.text}", draft.citations, draft.sources)


def _question(asked: Asked, comparison: Comparison, side: Side) -> str:
    """The question for the figure of one side."""
    periods = [each.text for each in asked.scope.reading.periods if each.text]
    when = side.name if side.kind == "period" else "".join(dict.fromkeys(periods))
    whose = "" if side.kind == "period" else side.name
    if is_chinese(asked.question):
        return f"{comparison.whom}{when}{whose}{comparison.topic}是多少"
    words = (comparison.whom, whose, comparison.topic, when)
    return f"how much was {' '.join(filter(None, words))}"
