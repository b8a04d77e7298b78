"""What explains figures in the documents of a company, whatever words a search would look for:
tables that give causes, and passages under headings that announce them.

Which causes of it answer a question is `reasons`'.
"""

from __future__ import annotations

from finrag_pipeline.query.answers.passages.causes import CAUSE_CELL, CAUSE_HEADING
from finrag_pipeline.query.evidence.items import read_items
from finrag_pipeline.query.evidence.keys import content_hit
from finrag_pipeline.query.evidence.results import Result
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search import entries

#: Documents of a company that are looked through, those that agree most first.
_MOST_DOCUMENTS = 6


def read_explaining(reader: Reader, asked: Asked) -> list[Result]:
    """Tables that give causes, and passages under headings that announce them, in the documents of
    the companies asked about that agree most."""
    document_ids = [
        each for group in asked.scope.groups for each in group.document_ids[:_MOST_DOCUMENTS]
    ]
    if not document_ids:
        return []
    with reader.reading(asked.where.app_id, asked.where.as_of) as connection:
        found = entries.saying(connection, document_ids, passage=CAUSE_HEADING, cell=CAUSE_CELL)
        keys = [content_hit(each).key for each in found]
        items = read_items(connection, keys, asked)
    return [Result(n, 0.0, {}, items[key]) for n, key in enumerate(keys, 1) if key in items]
