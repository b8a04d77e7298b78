"""Whether evidence is by whom and of whom a question asks: its house, its note, its firms.

Which company a figure is of is `stated`'s.
"""

from __future__ import annotations

from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.evidence.documents import DocumentItem
from finrag_pipeline.query.evidence.kinds import EvidenceItem
from finrag_pipeline.query.evidence.results import Result
from finrag_pipeline.words import fold

#: Characters by which a house is called for short.
_SHORT = 2


def of_house(wanted: Wanted, item: EvidenceItem) -> bool:
    """Whether a piece is of the notes or the houses that are asked for, where any are."""
    if wanted.notes:
        return not isinstance(item, DocumentItem) or item.document_id in wanted.notes
    if wanted.outsiders and not wanted.publishers:
        # what others report of them
        held = fold(item.text)
        return any(each in held or each[:_SHORT] in held for each in wanted.outsiders)
    houses = wanted.publishers
    return not houses or not isinstance(item, DocumentItem) or item.broker in houses


def names_firms(wanted: Wanted, text: str) -> bool:
    """Whether a text names the firms asked for: what another one does answers nothing."""
    held = fold(text)
    return all(each in held for each in wanted.firms)


def text_of(result: Result) -> str:
    """A result with what stands over it."""
    return f"{result.item.identity}\n{result.text}"
