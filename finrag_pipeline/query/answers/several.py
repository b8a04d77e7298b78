"""Answers to questions that ask for figures beside something else: both are told, or said to be
missing.

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
from finrag_pipeline.query.question.clauses import figure_clauses

#: Clauses that are answered, and passages looked through where a figure is not held.
_MOST_CLAUSES, _PASSAGES = 2, 20


class BesideFigures:
    """Writes what a writer does, and the figures that the question asks for beside it.

    Args:
        writer: of the rest of the question.
        numbers: of figures.
        search: finds what states those that are not held.
    """

    def __init__(self, writer: Writer, numbers: Writer, search: Search) -> None:
        self._writer = writer
        self._numbers = numbers
        self._search = search

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """The writer's draft, with figures; None where the writer has none."""
        draft = self._writer(asked, found)
        if draft is None or draft.status == "needs_clarification":
            return draft
        scope = asked.scope
        clauses = figure_clauses(asked.question, scope.reading, scope.catalogue, asked.where.as_of)
        figures = [each for clause in clauses if (each := self._figures(asked, clause))]
        told = [each for each in figures[:_MOST_CLAUSES] if not each.status]
        lost = [each for each in figures[:_MOST_CLAUSES] if each.status]
        if draft.status and told:
            # what is there is told, then what is not
            first = merged(told[0], [*told[1:], replace(draft, status="")])
            return merged(replace(first, way=draft.way, value=None), lost)
        return merged(draft, [*told, *lost]) if not draft.status else draft

    def _figures(self, asked: Asked, clause: str) -> Draft | None:
        """A draft of the figures of a clause, or the line that says that there are none; None where
        it asks for none."""
        try:
            part, found = self._search(asked, clause, most=_PASSAGES)
        except FinragError:
            return None  # the rest of the question stands without it
        read = read_numbers(clause, asked.scope.catalogue, asked.where.as_of)
        if read is None or all(map(is_price, read.measures)):
            return None  # prices of shares are what covers say
        draft = self._numbers(part, found)
        if draft is None or draft.unread or draft.status == "needs_clarification":
            return None
        if not draft.status:
            return draft
        quoted = write_passages(part, found, stated=True)
        if quoted.citations and not quoted.status:
            return quoted
        return Draft(draft.text.splitlines()[0], status=draft.status)
