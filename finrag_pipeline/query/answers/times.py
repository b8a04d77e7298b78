"""Whether words of a document are of the times that a question names.

How periods are written is `grammar.periods`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from finrag_pipeline.grammar.periods import ReportingPeriod, periods_in
from finrag_pipeline.query.question.catalogue import DocumentFacts

#: A report tells of a period until the next one of its kind is told.
_TOLD_AFTER = timedelta(days=270)


def of_time(
    asked: Sequence[ReportingPeriod], sentence: str, document: DocumentFacts | None
) -> bool:
    """Whether a sentence is of one of some times: by those that it names, else by its document."""
    if not asked:
        return True
    said = periods_in(sentence)
    if said:
        return any(
            one.first_on <= other.last_on and other.first_on <= one.last_on
            for one in asked
            for other in said
        )
    if document is None:
        return True
    row = document.row
    last = row.period_last_on
    return any(
        each.first_on <= row.published_on <= each.last_on + _TOLD_AFTER
        or (last is not None and each.first_on <= last <= each.last_on)
        for each in asked
    )
