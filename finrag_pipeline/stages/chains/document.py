"""A report as sections of lines, tables and a drawing, before it is Markdown, HTML or plain text.

What stands in it belongs to `telling`, how it looks to `markdown`, `page` and `plain`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from finrag_pipeline.records.communities import Json


@dataclass(frozen=True, slots=True)
class Line:
    """A text and the numbers of the citations that it rests on.

    `file` is that of the report that it leads to, without its suffix.
    """

    text: str
    cites: tuple[int, ...] = ()
    file: str = ""


@dataclass(frozen=True, slots=True)
class Bullets:
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Table:
    header: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A graph as SVG, and as indented lines for where nothing is drawn; its colours and names."""

    svg: str
    lines: tuple[str, ...]
    legend: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Sources:
    """Rows as in `chain_reports.citations`."""

    citations: Sequence[Json]


Block = Line | Bullets | Table | Drawing | Sources


@dataclass(frozen=True, slots=True)
class Section:
    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class ReportDocument:
    """A whole report.

    Attributes:
        language: ``zh-Hans`` or ``en``.
        facts: what stands under the title: build, week, day.
    """

    title: str
    language: str
    facts: tuple[str, ...]
    sections: tuple[Section, ...]
