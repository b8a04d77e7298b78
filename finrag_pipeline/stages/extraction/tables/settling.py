"""Whom the rows of a document's tables name, as all of them together tell: people, whole names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from finrag_pipeline.records import Metadata
from finrag_pipeline.records.graph import Mention, StatingRow
from finrag_pipeline.stages.extraction.wording import whole_names


def settled(rows: Sequence[StatingRow], metadata: Metadata) -> list[StatingRow]:
    """The rows with who is a person by one table as such in all of them, and companies by their
    whole names, where a cell ends before they do.

    Args:
        metadata: names the company that people belong to.
    """
    people = {m.name for row in rows for m in row.mentions if m.type == "person"}
    names = {m.name for row in rows for m in row.mentions if m.type == "company"}
    whole = whole_names(names)
    return [
        replace(row, mentions=tuple(_told(m, people, whole, metadata) for m in row.mentions))
        for row in rows
    ]


def _told(
    mention: Mention, people: set[str], whole: Mapping[str, str], metadata: Metadata
) -> Mention:
    if mention.name in people:
        return replace(mention, type="person", company=metadata.company_name)
    return replace(mention, name=whole.get(mention.name, mention.name))
