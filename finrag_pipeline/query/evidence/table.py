"""Tables as evidence: read with their cells, quoted by the row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.documents import (
    DocumentItem,
    document_fields,
    document_to_dict,
    places_of,
)
from finrag_pipeline.query.evidence.keys import Key
from finrag_pipeline.query.evidence.kinds import Quotable
from finrag_pipeline.records import Cell, Place, Table
from finrag_pipeline.stages.tables.figures import Figure, figures, figures_in_words
from finrag_pipeline.stages.tables.phrases import is_value
from finrag_pipeline.stages.tables.row_quotes import table_rows
from finrag_pipeline.store.database.connections import Row

Json = dict[str, Any]

TABLE = "table"


@dataclass(frozen=True, slots=True)
class TableItem(DocumentItem):
    """A table of a document: beside its skeleton what is printed around it, and its cells."""

    caption: str | None = None
    unit: str | None = None
    cells: tuple[Json, ...] = ()

    @property
    def factor(self) -> float:
        """Tables have no value class: their fused scores stand."""
        return 1.0

    def quotes(self, question: str) -> Iterable[Quotable]:
        """Its rows, in words."""
        context = "\n".join([self.identity, self.caption or ""])
        for row in table_rows(self.read_cells(), self.figures()):
            yield Quotable(
                row.quote,
                row.sentence(self.caption, question),
                # the row says what it counts, the header when; other rows' figures say nothing
                f"{row.label}\n{' '.join(row.header.values())}",
                context,
                (row.place,) if row.place else self.places,
                has_figure=True,
                row=tuple(
                    (row.header.get(column, ""), text) for column, text in sorted(row.cells.items())
                ),
            )

    def figures(self) -> tuple[Figure, ...]:
        """Its figures with what each means."""
        return figures(self._table())

    def figures_in_words(self) -> tuple[Figure, ...]:
        """The figures of its cells of words."""
        return figures_in_words(self._table())

    def _table(self) -> Table:
        return Table(0, 0, (0, 0, 0, 0), self.read_cells(), self.caption, self.unit)

    def row_figures(self, quote: str) -> tuple[Figure, ...]:
        """The figures of the rows that are quoted so."""
        rows = {row.row for row in table_rows(self.read_cells()) if row.quote == quote}
        return tuple(each for each in self.figures() if each.row in rows)

    def row_headings(self, quote: str) -> tuple[str, ...]:
        """The headings in the body under which the rows stand that are quoted so."""
        rows = table_rows(self.read_cells(), self.figures())
        return tuple(row.over for row in rows if row.quote == quote and row.over)

    def row_words(self, quote: str) -> tuple[str, ...]:
        """The cells of the rows that are quoted so that are words, no figures: labels, too, since
        5年以上 has a number."""
        rows = [row for row in table_rows(self.read_cells()) if row.quote == quote]
        texts = (text for row in rows for _, text in sorted(row.cells.items()))
        return tuple(dict.fromkeys(each for each in texts if each and not is_value(each)))

    def read_cells(self) -> tuple[Cell, ...]:
        """Its cells as the stages read them."""
        return tuple(map(_cell, self.cells))

    def holds(self, citation: Citation) -> bool:
        """Whether one of its rows is the cited one, in its own box or the table's."""
        return any(
            row.quote == citation.quote and citation.places in ((row.place,), self.places)
            for row in table_rows(self.read_cells())
        )

    def to_dict(self) -> Json:
        return document_to_dict(self) | {"text": self.text}


def table_item(key: Key, row: Row) -> TableItem:
    """A table out of its row."""
    return TableItem(
        key=key,
        text=row["text"],
        places=places_of(row) or (Place(row["page"], tuple(row["bbox"])),),
        **document_fields(row),
        caption=row["caption"],
        unit=row["unit"],
        cells=tuple(row["cells"]),
    )


def _cell(stored: Json) -> Cell:
    values: Json = dict(stored)
    if box := stored.get("bbox"):
        values["bbox"] = tuple(box)
    return Cell(**values)
