"""How a question is gone about once more that was refused, or whose figure was quoted without its
value: read otherwise, then by what comes closest."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from finrag_pipeline.query.evidence.results import Answer
from finrag_pipeline.query.lanes.run import elapsed_since_ms
from finrag_pipeline.query.question.signals import asks_figure, asks_reason
from finrag_pipeline.query.question.typed import is_fragment
from finrag_pipeline.words import is_chinese

#: An answer to a reading of a question; None where there is no such way.
Try = Callable[[str], Answer | None]


def needs_more(answer: Answer) -> bool:
    """Whether an answer is a refusal, or quotes where a figure is asked for and names none."""
    if answer.status != "answered" or answer.value is not None:
        return answer.status == "insufficient_evidence"
    if is_fragment(answer.question):  # a row over all years may be what was quoted
        return len({each.kind for each in answer.evidence}) == 1
    if not (answer.kind == "number" or asks_figure(answer.question)):
        return False
    # a rating beside a figure that is asked for tells which report is meant; several figures side
    # by side are an answer
    return {each.kind for each in answer.evidence} in ({"cover"}, {"chunk"}, set())


def tried(
    answer: Answer,
    question: str,
    readings: Sequence[str],
    again: Try,
    closest: Try,
    worded: Sequence[str] = (),
    unsure: Callable[[str, Answer], bool] = lambda reading, other: False,
) -> Answer:
    """The first other answer to a question, else the one that there is; of refusals the first,
    unless only another one says what is nearest.

    Args:
        readings: other ones of the question.
        again: answers one as the question was; where an answer only lacks its value, another one
            has to have it.
        closest: answers the question or a reading by what comes closest.
        worded: readings in words that the question does not use: what they find has to be a value.
        unsure: whether a value that one of those finds is not surely what it asks for.
    """
    start = time.perf_counter()
    refused = answer.status == "insufficient_evidence"
    tries = [(each, again) for each in (*readings, *worded)]
    # what is said by a term comes closer than what says it in other words
    tries += [(each, closest) for each in (*worded, question, *readings)]
    for reading, answers in tries:
        other = answers(reading)
        if other is None or not (other.status == "answered" or other.evidence):
            continue
        figureless = other.status == "answered" and other.value is None
        if figureless and (not refused or reading in worded):
            continue
        if "number" in (other.value or {}) and asks_reason(question):
            continue  # a reading in other words may have lost what asks why
        if reading in worded and other.status == "answered" and unsure(reading, other):
            continue
        read_as = {"read_as": reading} if reading != question else {}
        spent = answer.latency_ms.get("total", 0.0) + elapsed_since_ms(start)
        latency_ms = other.latency_ms | {"total": spent}
        route = read_as | other.route
        if reading in worded:  # whoever reads the answer judges whether that was meant
            other = replace(
                other, warnings=(*other.warnings, f"the question was read as: {reading}")
            )
        other = replace(other, question=question, route=route, latency_ms=latency_ms)
        if other.status == "answered":
            return other
        # a name in small letters may be nobody's: msft fy24 revenue is near no other's
        stands = answer.evidence or (is_fragment(question) and not is_chinese(question))
        answer = answer if stands else other
    return answer
