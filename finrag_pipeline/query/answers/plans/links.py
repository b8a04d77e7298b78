"""What documents state of relations, to be cited: the words and where they are.

Which relations are followed is `walks`; which statements there are `lanes.relations`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from finrag_pipeline.query.answers.quotes import Quote
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.clauses import split
from finrag_pipeline.query.evidence.documents import DocumentItem
from finrag_pipeline.query.evidence.items import read_items
from finrag_pipeline.query.evidence.kinds import EvidenceItem
from finrag_pipeline.query.evidence.passages import passage_key
from finrag_pipeline.query.evidence.places import locate, squeeze
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.query.lanes.relations import statements
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.stages.tables.row_quotes import table_rows
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.graph.graph_search import Neighbour

#: Names of an entity by its id.
Names = Mapping[str, Sequence[str]]


def stated(
    connection: Connection[Row], asked: Asked, near: Sequence[Neighbour], names: Names
) -> dict[str, Quote]:
    """The newest words that state how each neighbour was reached, by its id.

    A neighbour whose relation no page's text has any more is left out.
    """
    said = statements(connection, asked, [each.key for each in near])
    keys = {each: passage_key(each.document_id, each.revision, each.ordinal) for each in said}
    items = read_items(connection, keys.values(), asked)
    found: dict[str, Quote] = {}
    for each in said:
        neighbour = near[each.edge]
        item = items.get(keys[each])
        if neighbour.entity_id in found or item is None:
            continue
        ends = (names[neighbour.entity_id], names[neighbour.from_id])
        if words := _words(item, each.description, ends):
            found[neighbour.entity_id] = words
    return found


def _words(item: EvidenceItem, description: str, ends: Sequence[Sequence[str]]) -> Quote | None:
    """The words of a piece of evidence that name the far end, and the near one where any do."""
    if isinstance(item, ChunkItem):
        quotes = [(text, locate(text, item.regions_text)) for text in _sentences(item, description)]
    elif isinstance(item, TableItem):
        rows = table_rows(item.read_cells())
        quotes = [(row.quote, (row.place,) if row.place else item.places) for row in rows]
    else:
        return None
    # of relations of its own a document says 公司, and need not name itself
    own = document_company(item)
    standing = [
        (sum(_names(quote, names) for names in ends), quote, places)
        for quote, places in quotes
        if places and all(_names(quote, names) or _names(own, names) for names in ends)
    ]
    standing = [each for each in standing if each[0]]
    if not standing:
        return None
    _, quote, places = max(standing, key=lambda each: each[0])
    return Quote(item, quote, places)


def _sentences(item: ChunkItem, description: str) -> list[str]:
    sentences = split(item.text)
    said = squeeze(description or "")
    if not said or said not in squeeze(item.text):
        return sentences
    whole = [each for each in sentences if said in squeeze(each)]
    return [*(whole or [description]), *sentences]


def _names(text: str, names: Sequence[str]) -> bool:
    squeezed = squeeze(text).casefold()
    return any(squeeze(name).casefold() in squeezed for name in names if name)


def names_of(row: Mapping[str, Any]) -> tuple[str, ...]:
    """How documents write an entity: its name, then its others."""
    return tuple(dict.fromkeys([row["name"], *(each["name"] for each in row["aliases"])]))


def document_company(item: EvidenceItem) -> str:
    """Whom the document of a piece of evidence is about; empty where it is of nobody."""
    return (item.company or "") if isinstance(item, DocumentItem) else ""
