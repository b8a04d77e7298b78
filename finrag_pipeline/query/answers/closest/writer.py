"""The writer of the figure that is most surely the one asked for, last of all writers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from finrag_pipeline.query.answers.closest.found import FoundFigure
from finrag_pipeline.query.answers.closest.judge import SURE, Judge, Judged, is_exact
from finrag_pipeline.query.answers.merging import merged
from finrag_pipeline.query.answers.passages.figure_asked import asks_one
from finrag_pipeline.query.answers.passages.lacking import (
    called_absent,
    lacking_partners,
    lacking_words,
)
from finrag_pipeline.query.answers.passages.stated import Stated
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.answers.refusing import nearest_label, refused
from finrag_pipeline.query.answers.writers import Draft, Tools
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.words import words

#: How sure a figure has to be that is told below a refusal, and how many are.
_NEAR, _MOST_NEAR = 0.02, 3
#: How sure one has to be though nothing of whom is asked has a word of the question, or it is of a
#: metric as a whole where a part of that is asked for.
_SURE_THOUGH = 0.7
#: How sure one has to be though its document has names of the question in none of their words.
_SURE_ANYWAY = 0.85
_NEAREST_WAY = "no figure is surely the one asked for: those that come nearest are quoted"


class Closest:
    """Answers with the figure that is most surely meant.

    Args:
        tools: whose search finds tables; what the whole store does not know.
    """

    def __init__(self, tools: Tools) -> None:
        self._absent = tools.absent
        self._judge = Judge(tools)

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """A draft, or a refusal with the figures that come nearest; None where no single figure is
        asked for, or none is near."""
        wanted = Wanted(asked)
        if not asks_one(wanted) or lacking_partners(asked, self._absent):
            return None
        gone = called_absent(asked, self._absent(asked), found)
        judged = self._judge(asked, any_name=True)
        if gone and not _stands_though(wanted, judged, gone):
            return None
        states = Stated(asked)
        exact = is_exact(asked, states)
        best = next((figure for sure, figure in judged[:1] if sure >= SURE), None)
        if best and judged[0][0] < _SURE_THOUGH:
            unheld = lacking_words(asked, self._absent) or _is_whole(wanted, best, states.beside)
            best = None if unheld else best
        draft = best.tell() if best else None
        if draft is None and exact:
            return None  # whoever knows the metric says what is nearest
        if draft is None:
            return _nearest(asked, [figure for sure, figure in judged if sure >= _NEAR])
        text = wanted.text("\n".join(each.quote for each in draft.citations))
        unsaid = "、".join(each for each in wanted.terms if not text.has(each))
        told = f"what is quoted may say it in other words: it lacks {unsaid}"
        return replace(draft, warnings=(told,)) if unsaid else draft


def _stands_though(wanted: Wanted, judged: Sequence[Judged], gone: Sequence[str]) -> bool:
    """Whether a figure is so sure that it answers though nothing has names of the question."""
    if not judged:
        return False
    sure, figure = judged[0]
    return sure >= _SURE_ANYWAY or (sure >= _SURE_THOUGH and _has(wanted, figure, gone))


def _has(wanted: Wanted, figure: FoundFigure, names: Sequence[str]) -> bool:
    """Whether what is said of a figure has each part of names that nothing has as a whole:
    有机纯奶零售额 of 有机纯奶 …, 零售额 …."""
    text = wanted.text(f"{figure.text}\n{figure.around}")
    return all(text.has(each) for name in names for each in words(name))


def _is_whole(wanted: Wanted, figure: FoundFigure, beside: Sequence[str]) -> bool:
    """Whether a row is of the metric as a whole, and nothing says of it what is asked beside that:
    营业收入 is no 保费收入."""
    text = wanted.text(f"{figure.text}\n{figure.around}")
    named = bool(beside) and bool(figure.traits["table"]) and wanted.names_metric(figure.text)
    return bool(wanted.metrics) and named and not any(map(text.has, beside))


def _nearest(asked: Asked, figures: Sequence[FoundFigure]) -> Draft | None:
    """A refusal with the figures that come nearest, one a line below it; None where none does."""
    told: dict[object, Draft] = {}
    for each in figures:
        if len(told) < _MOST_NEAR and each.value["number"] not in told and (draft := each.tell()):
            told[each.value["number"]] = draft
    if not told:
        return None
    lead = f"{refused(asked, ())}\n{nearest_label(asked.question)}"
    refusal = Draft(lead, status="insufficient_evidence", way=_NEAREST_WAY, near=True)
    return merged(refusal, tuple(told.values()))
