"""The fact lane: the cells and sentences that print the figures which a question asks for.

How figures are found is `query.numbers`', how they are told is their writer's.
"""

from __future__ import annotations

from finrag_pipeline.query.evidence.fact import FactItem, read_facts
from finrag_pipeline.query.evidence.keys import LaneHit
from finrag_pipeline.query.lanes.registry import Found
from finrag_pipeline.query.numbers.execute import answer_numbers
from finrag_pipeline.query.numbers.reading import read_numbers
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.store.database.reader import Reader


class FactLane:
    """Single figures, by company, metric and period; in the order in which they are asked for.

    It leaves questions to the others that ask for no figure of the vocabulary, or for more than
    figures, or of all companies.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def search(self, asked: Asked, depth: int) -> Found:
        where, catalogue = asked.where, asked.scope.catalogue
        question = read_numbers(asked.question, catalogue, where.as_of)
        understood = question is not None and not question.not_understood
        if question is None or not understood or not question.companies:
            return Found([], aside=True)
        with self._reader.reading(where.app_id, where.as_of) as connection:
            rows = answer_numbers(question, connection).rows
            held = read_facts(connection, (fact for row in rows for fact in row.fact_ids))
        found = [each for each in held.values() if _allowed(asked, each)][:depth]
        return Found([LaneHit(each.key, 1 / rank) for rank, each in enumerate(found, 1)])


def _allowed(asked: Asked, item: FactItem) -> bool:
    """Whether a figure passes what was asked for beside the question."""
    where = asked.where
    if where.entity is not None:
        return False  # figures name no entities
    document = asked.scope.catalogue.documents.get(item.document_id)
    bears = where.company is None or (
        document is not None and document.bears(where.company.casefold())
    )
    return bears and (where.document_ids is None or item.document_id in where.document_ids)
