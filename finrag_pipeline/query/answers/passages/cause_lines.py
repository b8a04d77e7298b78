"""Which lines answer why, where no reason is written out: those that give a cause of what is asked.

Reasons in full are `reasons`'.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from finrag_pipeline.query.answers.passages.candidates import Candidate
from finrag_pipeline.query.answers.passages.causes import causes_in
from finrag_pipeline.query.answers.passages.synonyms import direction
from finrag_pipeline.query.answers.passages.wanted import Wanted

#: What houses work out from other figures.
_WORKED_OUT = frozenset({"target_price"})
#: What it counts that a quote gives a cause, where one is asked for.
_CAUSE = 0.4


def giving_causes(wanted: Wanted, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Lines that give a cause: what repeats what happened, is of another metric or tells the
    contrary is no reason. What moves a target price is said of what it is worked out from."""
    of_figures = bool(wanted.metrics - _WORKED_OUT)
    return [
        replace(each, strength=_CAUSE)
        for each in candidates
        if (each.metric or not of_figures)
        and next(iter(causes_in(each.said.told)), None)
        and direction(each.said.told) in ("", wanted.direction)
    ]
