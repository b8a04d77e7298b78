"""Frozen values that cross from one stage to another; no behaviour beyond small derivations.

Documents and what is read from them stand here, the entity graph in `records.graph`.
"""

from finrag_pipeline.records.documents import (
    Box,
    Cell,
    Chunk,
    Document,
    EpsForecast,
    LayoutBox,
    Metadata,
    PageFlag,
    PageReading,
    PeriodColumn,
    Place,
    Region,
    RowStatement,
    Sentence,
    SourceFile,
    Space,
    Table,
    TextLine,
)

__all__ = [
    "Box",
    "Cell",
    "Chunk",
    "Document",
    "EpsForecast",
    "LayoutBox",
    "Metadata",
    "PageFlag",
    "PageReading",
    "PeriodColumn",
    "Place",
    "Region",
    "RowStatement",
    "Sentence",
    "SourceFile",
    "Space",
    "Table",
    "TextLine",
]
