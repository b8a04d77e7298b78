"""Whether words of a document are of the times that a question names.

How periods are written is `grammar.periods`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from finrag_pipeline.grammar.period_forms import Style
from finrag_pipeline.grammar.periods import ReportingPeriod, periods_in
from finrag_pipeline.query.question.catalogue import DocumentFacts

#: A report tells of a period until the next one of its kind is told.
_TOLD_AFTER = timedelta(days=270)


def _inside(one: ReportingPeriod, other: ReportingPeriod) -> bool:
    """Whether a time is another or a part of it: what is of a year is not of its half."""
    return other.first_on <= one.first_on and one.last_on <= other.last_on


def _years(period: ReportingPeriod, least: int = 2) -> bool:
    """Whether a time is of so many years: forecasts of 2025-2027 are of each of them."""
    return (period.last_on - period.first_on).days + 1 >= 365 * least


def exactly(asked: Sequence[ReportingPeriod], text: str, style: Style = "heading") -> bool:
    """Whether a text names one of some times itself."""
    spans = {(each.first_on, each.last_on) for each in periods_in(text, style)}
    return any((each.first_on, each.last_on) in spans for each in asked)


def of_time(
    asked: Sequence[ReportingPeriod], sentence: str, document: DocumentFacts | None
) -> bool:
    """Whether a sentence is of one of some times: by those that it names, else by its document."""
    if not asked:
        return True
    said = tuple(periods_in(sentence))
    if said:
        return any(
            _inside(other, one) or (_years(other) and _years(one, 1) and _inside(one, other))
            for one in asked
            for other in said
        )
    if document is None:
        return True
    row = document.row
    last = row.period_last_on
    return any(
        each.first_on <= row.published_on <= each.last_on + _TOLD_AFTER
        or (last is not None and last <= each.last_on)
        for each in asked
        # what came out within a time may report on the one before it
        if last is None or each.first_on <= last
    )
