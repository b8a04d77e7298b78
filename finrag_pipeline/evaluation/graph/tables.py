"""`finrag evaluate graph tables`: are the relations right that rows of tables state?

By tables labelled by hand, among them such as look alike and state nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from finrag_pipeline.evaluation.reading.documents import ReadDocument, read_documents
from finrag_pipeline.evaluation.report import Report, percent
from finrag_pipeline.records import Box, Metadata, Table
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.cleaning.geometry import overlap
from finrag_pipeline.stages.extraction.tables.kinds import OWN
from finrag_pipeline.stages.extraction.tables.relations import stating_rows
from finrag_pipeline.stages.extraction.vocabulary import SYMMETRIC
from finrag_pipeline.stages.identity.spelling import spelling

#: Head, relation, tail by their spelling; the company that the document is about is `OWN`.
Fact = tuple[str, str, str]
#: A table is the labelled one where either lies in the other by this share.
_SAME_PLACE = 0.5


@dataclass(frozen=True, slots=True)
class LabelledTable:
    """A table with all that it states: nothing where it only looks as if it did."""

    file: str
    page: int
    bbox: Box
    first_cell: str
    facts: frozenset[Fact]
    half: str


@dataclass(slots=True)
class _Counts:
    right: int = 0
    given: int = 0
    gold: int = 0
    tables: int = 0


def measure(corpus: Path, labels: Path, settings: Settings) -> Report:
    """Precision and recall of relations stated by labelled tables, half by half.

    Args:
        corpus: the folder that the files are in.
        labels: one JSON object a line: file below `corpus`, page, bbox in points, first_cell,
            relations as [head, relation, tail], half.
        settings: whose engine reads them.
    """
    labelled = read_labels(labels)
    files = sorted({corpus / each.file for each in labelled})
    return report(labelled, corpus, read_documents(files, settings))


def report(
    labelled: Sequence[LabelledTable], corpus: Path, documents: Iterable[ReadDocument]
) -> Report:
    """The measure over documents that are read already."""
    wanted: dict[Path, list[LabelledTable]] = {}
    for each in labelled:
        wanted.setdefault(corpus / each.file, []).append(each)
    counts: dict[tuple[str, str], _Counts] = {}
    misses: list[str] = []
    for document in documents:
        for each in wanted.get(document.path, ()):
            given = stated(each, document)
            row = "states relations" if each.facts else "looks alike"
            for key in ((each.half, row), (each.half, "all")):
                count = counts.setdefault(key, _Counts())
                count.tables += 1
                count.right += len(given & each.facts)
                count.given += len(given)
                count.gold += len(each.facts)
            where = f"{each.file} p{each.page} {each.first_cell}"
            misses += [f"wrong: {fact}: {where}" for fact in sorted(given - each.facts)]
            misses += [f"missed: {fact}: {where}" for fact in sorted(each.facts - given)]
    return Report(
        title=f"Relations stated by {len(labelled)} labelled tables",
        columns=("half", "tables", "count", "precision", "recall"),
        rows=tuple(
            (*key, c.tables, percent(c.right, c.given), percent(c.right, c.gold))
            for key, c in sorted(counts.items())
        ),
        notes=("Direction must be right; names are compared by their spelling.",),
        misses=tuple(misses),
    )


def stated(labelled: LabelledTable, document: ReadDocument) -> frozenset[Fact]:
    """What the tables at a labelled place state; nothing where none was read there."""
    tables = [table for table in document.tables if _is_there(table, labelled)]
    metadata = document.metadata or Metadata()
    return frozenset(
        _fact(row.mentions[each.head].name, each.relation, row.mentions[each.tail].name, metadata)
        for row in stating_rows(tables, metadata)
        for each in row.relations
    )


def read_labels(path: Path) -> list[LabelledTable]:
    """The tables of a file of labels, in its order."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return [
        LabelledTable(
            row["file"],
            row["page"],
            tuple(row["bbox"]),
            row["first_cell"],
            frozenset(_fact(h, r, t, Metadata()) for h, r, t in row["relations"]),
            row["half"],
        )
        for row in rows
    ]


def _fact(head: str, relation: str, tail: str, metadata: Metadata) -> Fact:
    own = metadata.company_name
    one, other = (OWN if name in (own, OWN) else spelling(name) for name in (head, tail))
    if relation in SYMMETRIC:
        one, other = sorted((one, other))
    return one, relation, other


def _is_there(table: Table, labelled: LabelledTable) -> bool:
    if table.page != labelled.page:
        return False
    return max(overlap(table.bbox, labelled.bbox), overlap(labelled.bbox, table.bbox)) > _SAME_PLACE
