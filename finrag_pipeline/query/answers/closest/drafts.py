"""What the figures that a question may mean tell of the drafts of other writers: which of them is
doubtful, and what the value is of one that only quotes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from finrag_pipeline.grammar.fact_metrics import fact_metrics_in
from finrag_pipeline.grammar.quantities import numbers_in
from finrag_pipeline.query.answers.attribution import VOUCHED
from finrag_pipeline.query.answers.closest.found import FoundFigure
from finrag_pipeline.query.answers.closest.judge import SURE, Judged
from finrag_pipeline.query.answers.rows.writer import MEETING
from finrag_pipeline.query.answers.values import WORKED_OUT
from finrag_pipeline.query.answers.writers import Draft, Json
from finrag_pipeline.query.evidence.citation import MARK, Citation
from finrag_pipeline.query.evidence.places import squeeze
from finrag_pipeline.query.numbers.records import NumberResult
from finrag_pipeline.query.question.signals import asks_figure
from finrag_pipeline.query.question.typed import is_fragment

#: A figure that another writer tells is doubtful where it is less sure than the first, and another
#: figure at least as sure as the second.
_DOUBTFUL = ((0.2, 0.5), (0.05, 0.25))
#: How sure another figure has to be where the one that is told was not judged at all.
_SURER = 0.7
#: How sure a figure of a quote has to be that is its value: where it is not, the question is gone
#: about once more, and its term may be known by another name. So sure where the same document
#: prints it elsewhere, too, and is not quoted there.
_QUOTED, _QUOTED_ELSEWHERE = 0.4, 0.6
#: How sure any has to be that quotes say which leave open which it is.
_HARDLY = 0.1


def may_be_doubted(draft: Draft) -> bool:
    """Whether a draft tells one figure that neither statements nor arithmetic nor covers nor two
    headings of its table vouch for: what a part of a business was a year ago its own document may
    tell otherwise than the last one."""
    told = draft.value is not None and isinstance(draft.value.get("number"), int | float)
    if not told or draft.status or draft.way in (MEETING, WORKED_OUT):
        return False
    if draft.numbers is not None:
        return _over_documents(draft.numbers)
    return not any(each.kind in VOUCHED for each in draft.citations)


def _over_documents(result: NumberResult) -> bool:
    """Whether a figure of a part is worked out of figures of several documents."""
    return any(
        row.segment and row.steps and len({each.document_id for each in row.facts}) > 1
        for row in result.rows
    )


def is_doubtful(draft: Draft, judged: Sequence[Judged]) -> bool:
    """Whether a draft tells a figure that is hardly the one asked for, and another one more surely:
    what was not judged is doubted only where that one is sure."""
    if draft.numbers is not None:
        judged = [each for each in judged if _is_of(each[1], draft.numbers)]
    if not judged:
        return False
    own = _sure_of(draft.value, judged)
    most, first = judged[0]
    if own is None:
        return most >= _SURER
    # what a quote says beside another year's figure is the newest of them
    both = _says(draft.text, first.value["number"])
    ways = _DOUBTFUL[:1] if both else _DOUBTFUL
    return any(own < below and most >= other for below, other in ways)


def _is_of(figure: FoundFigure, result: NumberResult) -> bool:
    """Whether a figure is printed of a metric whose growth is told."""
    named = {each.metric.name for each in fact_metrics_in(figure.text)}
    return any(not named.isdisjoint(row.measure.grown) for row in result.rows)


def is_unsure(value: Mapping[str, Any] | None, judged: Sequence[Judged]) -> bool:
    """Whether a value was judged, and is less sure than what answers has to be."""
    own = _sure_of(value, judged)
    return own is not None and own < SURE


def is_outdone(value: Mapping[str, Any] | None, judged: Sequence[Judged]) -> bool:
    """Whether another figure answers more surely than a value that was judged by the same."""
    own = _sure_of(value, judged) or 0.0
    most, first = judged[0] if judged else (0.0, None)
    other = first is not None and value is not None and first.value["number"] != value.get("number")
    return other and most >= SURE and most > own


def _sure_of(value: Mapping[str, Any] | None, judged: Sequence[Judged]) -> float | None:
    """How sure a value is; None where it was not judged."""
    number = value.get("number") if value else None
    return max((sure for sure, each in judged if each.value["number"] == number), default=None)


def only_quotes(draft: Draft, question: str) -> bool:
    """Whether a draft answers a question for a figure with quotes that leave open which it is; what
    is typed without asking is read once more as asking, which may find the figure itself."""
    told = draft.value is not None or draft.numbers is not None
    asks = asks_figure(question) and not is_fragment(question)
    return bool(draft.citations) and not told and not draft.status and asks


def with_value(draft: Draft, judged: Sequence[Judged]) -> Draft:
    """A draft with the figure as its value that one of its quotes says, where that is sure."""
    value = quoted_value(draft.text, draft.citations, judged)
    return replace(draft, value=value) if value else draft


def hardly_quotes(draft: Draft, judged: Sequence[Judged]) -> bool:
    """Whether a draft that quotes says none of the figures that are at all likely to be meant: a
    page on the same thing is no answer to how much it was."""
    told = (sure for sure, each in judged if _says(draft.text, each.value["number"]))
    return bool(judged) and max(told, default=0.0) < _HARDLY


def quoted_value(text: str, citations: Sequence[Citation], judged: Sequence[Judged]) -> Json | None:
    """The figure that quotes say, or that their document prints elsewhere, too, where that is sure;
    None where none is."""
    documents = {each.document_id for each in citations}
    for sure, figure in judged:
        if sure < _QUOTED:
            break
        told = figure.tell() if _says(text, figure.value["number"]) else None
        if told is None:
            continue
        quoted = any(_is_in(each, citations) for each in told.citations)
        beside = any(each.document_id in documents for each in told.citations)
        if quoted or (beside and sure >= _QUOTED_ELSEWHERE):
            return figure.value
    return None


def _says(text: str, number: float) -> bool:
    """Whether a text prints the digits of a number, in whatever unit: a table that is cited holds
    other rows than the one that is told."""
    digits = "".join(map(str, Decimal(str(number)).normalize().as_tuple().digits)).strip("0")
    return digits in {each.replace(".", "").strip("0") for each in numbers_in(MARK.sub("", text))}


def _is_in(citation: Citation, quoted: Sequence[Citation]) -> bool:
    """Whether a citation is a part of another one of the same evidence, or the other way round."""
    own = squeeze(citation.quote)
    others = (squeeze(each.quote) for each in quoted if each.key == citation.key)
    return any(own in each or each in own for each in others)
