"""Answers to questions that ask for figures beside something else, or for several of them: each is
told, or said to be missing.

Which clauses ask for figures is `question.clauses`'; what else is asked has a writer of its own.
"""

from __future__ import annotations

from dataclasses import replace

from finrag_pipeline.errors import FinragError
from finrag_pipeline.query.answers.merging import merged
from finrag_pipeline.query.answers.passages.writer import write_passages
from finrag_pipeline.query.answers.writers import Draft, Search, Writer
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.numbers.prices import is_price
from finrag_pipeline.query.numbers.reading import read_numbers
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.clauses import asks_rating, figure_clauses
from finrag_pipeline.query.question.enumerated import FigureAsked, figures_enumerated

#: Clauses that are answered, and passages looked through where a figure is not held.
_MOST_CLAUSES, _PASSAGES = 2, 20
#: Figures of an enumeration that are looked up, and that have to be there.
_MOST_ENUMERATED, _LEAST_TOLD = 6, 2
_WAY = "each figure that is asked for is looked up by itself"


class BesideFigures:
    """Writes what a writer does, and the figures that the question asks for beside it.

    Args:
        writer: of the rest of the question.
        numbers: of figures.
        search: finds what states those that are not held.
        covers: of target prices, which covers say; None: the writer tells them itself.
    """

    def __init__(
        self, writer: Writer, numbers: Writer, search: Search, covers: Writer | None = None
    ) -> None:
        self._writer = writer
        self._numbers = numbers
        self._search = search
        self._covers = covers

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """The writer's draft, with figures; None where the writer has none."""
        draft = self._writer(asked, found)
        if draft is None or draft.status == "needs_clarification":
            return draft
        scope = asked.scope
        clauses = figure_clauses(asked.question, scope.reading, scope.catalogue, asked.where.as_of)
        covers = self._covers
        rated = covers(asked, found) if covers and asks_rating(asked.question) else None
        # who tells the rating tells the price beside it
        of_prices = None if rated else covers
        read = (
            figures_of(asked, clause, self._numbers, self._search, of_prices) for clause in clauses
        )
        figures = [each for each in (rated, *read) if each is not None]
        told = [each for each in figures[:_MOST_CLAUSES] if not each.status]
        lost = [each for each in figures[:_MOST_CLAUSES] if each.status]
        if draft.status and told:
            # what is there is told, then what is not
            first = merged(told[0], [*told[1:], replace(draft, status="")])
            return merged(replace(first, way=draft.way, value=None), lost)
        if draft.status:
            return draft
        alone = told[0].value if len(told) == 1 and draft.value is None else draft.value
        return replace(merged(draft, [*told, *lost]), value=alone)


class EachFigure:
    """Writes the figures that a question enumerates, one by one.

    Args:
        numbers: of figures that have a name as such.
        rows: of those that rows of tables spell out.
        search: finds what states the others.
    """

    def __init__(self, numbers: Writer, rows: Writer, search: Search) -> None:
        self._numbers = numbers
        self._rows = rows
        self._search = search

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """Figures, and the lines that say which are not held; None where fewer than two are."""
        asks = figures_enumerated(asked.question, asked.scope.reading)[:_MOST_ENUMERATED]
        figures = [each for ask in asks if (each := self._figure(asked, ask))]
        told = [each for each in figures if not each.status]
        if len(told) < _LEAST_TOLD:
            return None
        lost = [each for each in figures if each.status]
        return merged(replace(told[0], way=_WAY, value=None), [*told[1:], *lost])

    def _figure(self, asked: Asked, ask: FigureAsked) -> Draft | None:
        """The direct line of one of them, or the line that says that it is not held; None where it
        is no figure, or none says of what it tells."""
        try:
            part, found = self._search(asked, ask.text, most=_PASSAGES)
        except FinragError:
            return None  # the others stand without it
        refused = None
        for writer in (self._numbers, self._rows):
            draft = writer(part, found)
            if draft is not None and not draft.status and not draft.unread:
                return direct(draft)
            refused = refused or draft
        quoted = write_passages(part, found, stated=True)
        if quoted.citations and not quoted.status and ask.named_in(quoted.text.splitlines()[0]):
            return direct(quoted)
        if refused is None or refused.status != "insufficient_evidence":
            return None
        return Draft(refused.text.splitlines()[0], status=refused.status)


def direct(draft: Draft) -> Draft:
    """Its first line alone: many figures are told side by side."""
    line = draft.text.splitlines()[0]
    cited = tuple(each for each in draft.citations if f"[{each.n}]" in line)
    return replace(draft, text=line, citations=cited)


def figures_of(
    asked: Asked, clause: str, numbers: Writer, search: Search, covers: Writer | None = None
) -> Draft | None:
    """A draft of the figures of a clause, or the line that says that there are none; None where it
    asks for none, or for prices of shares that only `covers` would tell."""
    try:
        part, found = search(asked, clause, most=_PASSAGES)
    except FinragError:
        return None  # the rest of the question stands without it
    read = read_numbers(clause, asked.scope.catalogue, asked.where.as_of)
    if read is None:
        return None
    if all(map(is_price, read.measures)):
        return covers(part, found) if covers else None
    draft = numbers(part, found)
    if draft is None or draft.unread or draft.status == "needs_clarification":
        return None
    if not draft.status:
        return draft
    quoted = write_passages(part, found, stated=True)
    if quoted.citations and not quoted.status:
        return quoted
    return Draft(draft.text.splitlines()[0], status=draft.status)
