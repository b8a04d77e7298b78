"""The `value` of an answer for a figure that a text prints."""

from __future__ import annotations

from typing import Any

from finrag_pipeline.grammar.periods import periods_in
from finrag_pipeline.grammar.quantities import Quantity
from finrag_pipeline.query.answers.passages.apart import asked_spans, spans_of
from finrag_pipeline.query.answers.passages.counting import RATES
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.answers.values import as_asked, printed_value
from finrag_pipeline.words import is_chinese


def told_value(
    wanted: Wanted, text: str, quantity: Quantity, metric: str = "", *, changed: bool = False
) -> dict[str, Any] | None:
    """A figure of a text as JSON has it.

    Args:
        text: that prints it; the times asked for that it names are the figure's.
        metric: whose figure it is; empty: none of the vocabulary.
        changed: whether it tells how far something changed.
    """
    if changed and metric:
        metric = f"{metric}_growth" if quantity.unit in RATES else f"{metric}_difference"
    value = printed_value(
        quantity.value,
        quantity.unit,
        is_chinese(wanted.question),
        companies=wanted.companies,
        metric=metric,
        periods=[each for each in periods_in(text) if spans_of([each]) <= asked_spans(wanted)],
    )
    return as_asked(wanted.question, value, changed=changed)
