"""Frozen values of documents: pages, regions, tables, chunks and what a document says of itself.

Pages are 1-based, boxes are `(x0, y0, x1, y1)` in PDF points from the top left of the page as a
reader sees it, days are `datetime.date`, and every tuple is in reading order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Place:
    """One box on one page."""

    page: int
    bbox: Box


@dataclass(frozen=True, slots=True)
class TextLine:
    """One printed line of a page: its box, text, dominant font size in points, boldness.

    `visible` is false for text that a reader cannot see: invisible render mode, no size, the
    colour of the paper.
    """

    bbox: Box
    text: str
    size: float
    bold: bool
    visible: bool = True


@dataclass(frozen=True, slots=True)
class LayoutBox:
    """One region that the layout model sees on a page.

    `kind` is the model's class: page-header, page-footer, section-header, title, text, list-item,
    table, table-fallback, picture, caption, footnote, formula. Where tables that rules and figures
    show made the model needless, their boxes are of the kind grid.
    """

    kind: str
    bbox: Box


@dataclass(frozen=True, slots=True)
class PageFlag:
    """What went less than well on one page: a code of `errors.PAGE_FLAGS` and what was seen."""

    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class PageReading:
    """What a PDF engine reads from one page, before any rule decides on it.

    `layout` is in reading order and empty where the layout model was not needed or gave up;
    `raw_layout` is what the engine's own table finder wants back (JSON), so that the layout model
    runs once a page; None where there is no table to find. `image_share` is the share of the page
    that images cover, 0 to 1. `ocr_confidence`, 0 to 1, is that of a page whose lines were read
    from its image.
    """

    page: int
    width: float
    height: float
    lines: tuple[TextLine, ...]
    layout: tuple[LayoutBox, ...]
    raw_layout: Any = None
    image_share: float = 0.0
    ocr_confidence: float | None = None
    flags: tuple[PageFlag, ...] = ()


@dataclass(frozen=True, slots=True)
class Region:
    """A piece of a page that is kept or dropped: every character belongs to exactly one.

    `rule` names what dropped it, or None while it is kept; regions of kind ``table`` are dropped
    here by the rule ``table`` and live on as a `Table`. `section` is the heading path above it.
    """

    ordinal: int
    page: int
    bbox: Box
    kind: str
    text: str
    rule: str | None = None
    section: tuple[str, ...] = ()

    @property
    def kept(self) -> bool:
        return self.rule is None


@dataclass(frozen=True, slots=True)
class EpsForecast:
    """Earnings per share that a report expects for a fiscal year, in its currency unit a share."""

    year: int
    value: float


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a document says of itself; None or empty where it does not say.

    `other_names` are what a filer's cover and profile call it beside `company_name`: in full,
    in short, in English, before, and the symbol of its shares. `published_basis` tells what
    `published_on` rests on: a printed `day`; the last day of a printed `month`; a day in the
    file's `name`; the legal `deadline` of a filing that prints none; once it is stored without
    any, its `arrival`. `period_first_on` and `period_last_on` are the period that it reports
    on, `fiscal_year` is what its filer calls the year of that. `places` tells where: field name
    to the boxes that it was read from.
    """

    title: str | None = None
    kind: str = "other"
    language: str = "zh"
    company_name: str | None = None
    company_code: str | None = None
    company_codes: tuple[str, ...] = ()
    other_names: tuple[str, ...] = ()
    broker: str | None = None
    analysts: tuple[str, ...] = ()
    rating: str | None = None
    target_price: float | None = None
    eps_forecasts: tuple[EpsForecast, ...] = ()
    published_on: date | None = None
    published_basis: str = "day"
    period_first_on: date | None = None
    period_last_on: date | None = None
    fiscal_year: int | None = None
    places: Mapping[str, tuple[Place, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cell:
    """One table cell with the grid position it starts at and the slots it spans.

    `page` is that of its box, which tells the parts of a table that crosses pages; both are None
    for an empty slot that the page does not draw.
    """

    row: int
    column: int
    text: str
    bbox: Box | None = None
    row_span: int = 1
    column_span: int = 1
    header: bool = False
    page: int | None = None


@dataclass(frozen=True, slots=True)
class RowStatement:
    """Some rows of a table as one sentence that stands alone: entity, header path, value, unit.

    `first_row` and `last_row` are the grid rows it tells, `place` their box.
    """

    text: str
    first_row: int
    last_row: int
    place: Place


@dataclass(frozen=True, slots=True)
class PeriodColumn:
    """A column of figures for one period: its grid column and the period as `periods` writes it."""

    column: int
    period: str


@dataclass(frozen=True, slots=True)
class Table:
    """One table: cells in row-major order and what is printed around them.

    `page` and `bbox` are where it starts, `places` are all its parts, one a page. `html` is the
    whole table, escaped; `markdown` is its skeleton: title, unit, header cells, row labels and
    footnote, no figures. `header` holds the text of the header cells.
    """

    ordinal: int
    page: int
    bbox: Box
    cells: tuple[Cell, ...]
    title: str | None = None
    unit: str | None = None
    footnote: str | None = None
    header: tuple[str, ...] = ()
    html: str = ""
    markdown: str = ""
    places: tuple[Place, ...] = ()
    periods: tuple[PeriodColumn, ...] = ()
    statements: tuple[RowStatement, ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence with every box it stands in (it may cross lines, columns and pages)."""

    text: str
    places: tuple[Place, ...]
    section: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of consecutive sentences of one section, drawn from one similarity clique.

    `parent_page` is the page that holds most of its text. `meta` names company, period and
    section, `context` is one line that places it in its document, `summary` its sentences that
    say most, `value` its class for ranking, `signature` a MinHash of its text by which copies of
    the same passage are told.
    """

    ordinal: int
    content: str
    places: tuple[Place, ...]
    section: tuple[str, ...] = ()
    token_count: int = 0
    parent_page: int = 0
    meta: str = ""
    context: str = ""
    summary: str = ""
    value: str = "plain"
    signature: tuple[int, ...] = ()

    @property
    def page(self) -> int:
        """The page it starts on."""
        return self.places[0].page

    @property
    def last_page(self) -> int:
        """The page it ends on."""
        return self.places[-1].page


class Space(Protocol):
    """The identity of a vector space, as models make it and the store remembers it."""

    @property
    def name(self) -> str: ...
    @property
    def dimension(self) -> int: ...
    @property
    def fingerprint(self) -> str: ...


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as a folder listing shows it; `fingerprint` changes whenever its bytes may have."""

    uri: str
    name: str
    size_bytes: int
    fingerprint: str
    modified_on: date


@dataclass(frozen=True, slots=True)
class Document:
    """A document on its way through the stages, in the revision that is being made of it.

    `source` is the name of its first source, `uris` are all of them.
    """

    document_id: str
    app_id: str
    content_sha256: str
    size_bytes: int
    arrival_on: date
    source: str
    uris: tuple[str, ...]
    revision: str
