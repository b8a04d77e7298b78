"""Lists and comparisons with the passage that says more of the question than what they cite.

A list of the right form may be of something else: its source then says less of what is asked than
another passage does, which is told with it.
"""

from __future__ import annotations

from dataclasses import replace

from finrag_pipeline.errors import FinragError
from finrag_pipeline.query.answers.merging import merged
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.answers.passages.writer import write_passages
from finrag_pipeline.query.answers.writers import Draft, Search, Writer
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked

#: Passages that are looked through.
_PASSAGES = 10
#: Words of a question from which it tells passages apart how many of them they say.
_LEAST_TERMS = 3
#: How much more of what is wanted a passage has to say to be told, and to be told first.
_MORE, _FAR_MORE = 0.1, 0.3


class BesidePassages:
    """Writes what a writer does, and a passage that says more of what is asked.

    Args:
        writer: of lists or comparisons.
        search: finds passages where the writer looks things up itself.
    """

    def __init__(self, writer: Writer, search: Search) -> None:
        self._writer = writer
        self._search = search

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """The writer's draft, the passage behind or before it; None where the writer has none."""
        draft = self._writer(asked, found)
        if draft is None or draft.status or not draft.citations:
            return draft
        wanted = Wanted(asked)
        if len(wanted.terms) < _LEAST_TERMS:
            return draft  # any line says those
        passage = self._passage(asked, found)
        if passage is None or passage.citations[0].key in {each.key for each in draft.citations}:
            return draft
        more = _said(wanted, passage) - _said(wanted, draft)
        if more < _MORE:
            return draft
        if more < _FAR_MORE:
            return merged(draft, [passage])
        first = replace(passage, kind=draft.kind, value=draft.value, way=draft.way)
        return merged(first, [draft])

    def _passage(self, asked: Asked, found: SearchResult) -> Draft | None:
        if not found.results:
            try:
                _, found = self._search(asked, asked.question, most=_PASSAGES)
            except FinragError:
                return None  # the draft stands without it
        passage = write_passages(asked, replace(found, results=found.results[:_PASSAGES]))
        return passage if passage.citations and not passage.status else None


def _said(wanted: Wanted, draft: Draft) -> float:
    """The share of what is wanted that the best citation of a draft says."""
    items = {each.key: each for each in draft.sources}
    shares = [0.0]
    for each in draft.citations:
        item = items[each.key]
        over = f"{item.identity}\n{getattr(item, 'caption', None) or ''}"
        shares.append(wanted.covered(each.quote, wanted.text(over)))
    return max(shares)
