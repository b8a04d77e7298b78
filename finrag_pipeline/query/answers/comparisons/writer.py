"""The writer of comparisons: a search for each side, a small table, the difference said.

Sides of which nothing is found are named.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from finrag_pipeline.query.answers.comparisons.cells import GROWTH, Cell, find_cells
from finrag_pipeline.query.answers.comparisons.figures import side_figures, worked_out
from finrag_pipeline.query.answers.comparisons.sides import Comparison, Side, read_comparison
from finrag_pipeline.query.answers.comparisons.telling import Told
from finrag_pipeline.query.answers.writers import Draft, Search
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.signals import wanted_kind
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.words import is_chinese

#: Passages that are looked through for each side.
_PASSAGES = 16
#: Cells of one side where no figure is asked for.
_MOST_TOLD = 2
_WAY = "one search for each of {count} sides, held against each other"


class ComparisonWriter:
    """Writes what sides have of their own.

    Args:
        reader: of an open store.
        search: finds evidence for each side.
        absent: names of a question that the whole store does not know.
    """

    def __init__(
        self, reader: Reader, search: Search, absent: Callable[[Asked], tuple[str, ...]]
    ) -> None:
        self._reader = reader
        self._search = search
        self._absent = absent

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """A draft; None where nothing is compared, or nothing is found of any side."""
        comparison = read_comparison(asked)
        if comparison is None:
            return None
        of_nobody = comparison.sides[0].kind == "house" and not asked.scope.reading.companies
        if of_nobody and self._absent(asked):
            return None  # of whom nobody writes, no house has a view
        chinese = is_chinese(asked.question)
        with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            figures = side_figures(connection, asked, comparison, chinese=chinese)
        # what is told in figures of the vocabulary is told so, a growth only where it is held
        grown = any(
            each.row.measure.change or "growth" in each.row.measure.name
            for own in figures.values()
            for each in own
        )
        whole = grown or not GROWTH.search(comparison.topic)
        cells = {
            side: [] if side in figures and whole else self._cells(asked, comparison, side)
            for side in comparison.sides
        }
        if not figures and not any(cells.values()):
            return None
        told = Told(asked.question, comparison)
        text = told.text(cells, figures)
        lacking = not all(side in figures or own for side, own in cells.items())
        asks_one = wanted_kind(asked.question) == "name"
        return Draft(
            text,
            tuple(told.quotes.made),
            told.quotes.sources,
            way=_WAY.format(count=len(comparison.sides)),
            status="insufficient_evidence" if lacking else "",
            kind="name" if told.greater and asks_one else "text",
            value={"name": told.greater} if told.greater and asks_one and not lacking else None,
            numbers=worked_out(asked, chain.from_iterable(figures.values())),
        )

    def _cells(self, asked: Asked, comparison: Comparison, side: Side) -> list[Cell]:
        if not side.known:
            return []
        catalogue = asked.scope.catalogue
        documents = [each for key in side.keys for each in catalogue.by_company.get(key, ())]
        if side.house:
            own = documents or [*catalogue.documents.values()]
            documents = [each for each in own if each.row.broker == side.house]
            if not documents:
                return []
            if not comparison.topic and not asked.scope.reading.periods:
                # what a house thinks is what it said last
                documents = [max(documents, key=lambda each: each.row.published_on)]
        when = [each.text for each in asked.scope.reading.periods if each.text]
        words = (
            side.name if side.kind in ("company", "part") else "",
            comparison.whom,
            *([side.name] if side.kind == "period" else when),
            comparison.topic,
        )
        ids = tuple(each.document_id for each in documents) if documents else None
        part, found = self._search(
            asked, " ".join(filter(None, words)), most=_PASSAGES, document_ids=ids
        )
        most = 1 if GROWTH.search(comparison.topic) else _MOST_TOLD
        return find_cells(part, comparison, side, found.results, most)
