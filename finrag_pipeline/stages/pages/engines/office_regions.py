"""The items of a Docling document as pages, regions and tables.

The rules that need no geometry apply: running heads, contents, contacts, disclaimers, cover data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from finrag_pipeline.records import Box, PageReading, Region, Table, TextLine
from finrag_pipeline.stages.cleaning.blocks import Block
from finrag_pipeline.stages.cleaning.cover import is_cover_line
from finrag_pipeline.stages.cleaning.passages import disclaimers
from finrag_pipeline.stages.cleaning.rules import BLOCK_RULES, PageContext
from finrag_pipeline.stages.cleaning.text import is_prose, join_rows
from finrag_pipeline.stages.pages.engines.docling_items import NO_BOX, box_of, cells_of, to_table
from finrag_pipeline.stages.pages.pdf_file import storable

#: Docling gives slides in English Metric Units.
_POINTS_IN_EMU = 1 / 12700
#: Docling's labels to kinds of regions; everything else is text.
_KINDS = {"section_header": "heading", "caption": "caption", "list_item": "list"}
#: Docling's layers to kind and rule of what stands in them; speaker notes are text.
_LAYERS = {"furniture": ("header", "page_header"), "invisible": ("invisible", "invisible")}
#: Rules that look at words alone.
_WORD_RULES = [
    (name, rule) for name, rule in BLOCK_RULES if name in ("contents_page", "contact", "symbols")
]
#: In a format without pages, this many characters at the start stand for the cover.
_COVER_CHARACTERS = 1500


def read_items(
    document: Any,
) -> tuple[tuple[PageReading, ...], tuple[Region, ...], tuple[Table, ...]]:
    """Pages, regions and tables of a `DoclingDocument`, all in reading order."""
    sizes = {
        int(number): (page.size.width * _POINTS_IN_EMU, page.size.height * _POINTS_IN_EMU)
        for number, page in document.pages.items()
    }
    regions: list[Region] = []
    tables: list[Table] = []
    sections: list[tuple[int, str]] = []
    inline: str | None = None  # the paragraph whose pieces, bold or linked, come one by one
    for item, parent in _items(document):
        page, box = _place(item, document)
        label = item.label.value
        if label == "table":
            cells = cells_of(item.data, page)
            text = "\n".join(
                " ".join(cell.text for cell in cells if cell.row == row and cell.text)
                for row in range(max((cell.row for cell in cells), default=-1) + 1)
            )
            near = [region.text for region in regions[-2:] if region.page == page]
            caption = " ".join(storable(item.caption_text(document)).split())
            table = to_table(cells, page, box, caption or None, near)
            if table is not None:
                tables.append(replace(table, ordinal=len(tables)))
            kind, rule = "table", ("table" if table is not None else None)
        else:
            text = " ".join(storable(str(getattr(item, "text", ""))).split())
            kind, rule = _LAYERS.get(item.content_layer.value, (_KINDS.get(label, "text"), None))
            if label == "title" and rule is None:
                kind = "heading" if any(r.kind == "title" for r in regions) else "title"
        if not text.strip():
            continue
        if parent is not None and parent == inline:
            regions[-1] = replace(regions[-1], text=_joined(regions[-1].text, text))
            continue
        inline = parent
        if kind == "heading" and rule is None:
            level = int(getattr(item, "level", None) or 0)
            sections = [*(entry for entry in sections if entry[0] < level), (level, text)]
        path = tuple(name for _, name in sections)
        shown = "text" if kind == "table" and rule is None else kind
        regions.append(Region(len(regions), page, box, shown, text, rule, path))
    pages = tuple(
        PageReading(number, round(width, 2), round(height, 2), (), ())
        for number, (width, height) in sorted((sizes or {1: (0.0, 0.0)}).items())
    )
    return pages, _ruled(regions, has_pages=bool(sizes)), tuple(tables)


def is_cover(regions: Sequence[Region]) -> list[bool]:
    """For each region of a format without pages, whether it is among the first lines."""
    lengths = accumulate(len(region.text) for region in regions)
    return [length <= _COVER_CHARACTERS for length in lengths]


def _items(document: Any) -> Any:
    """Items outside of tables, each with the paragraph that it shares with other pieces."""
    from docling_core.types.doc.common.content_layer import ContentLayer
    from docling_core.types.doc.items.table.table import TableItem
    from docling_core.types.doc.labels import GroupLabel

    for item, _ in document.iterate_items(included_content_layers=set(ContentLayer)):
        parent, inline = item.parent, None
        inside = False
        while parent is not None:
            above = parent.resolve(document)
            # a caption is the table's child, but stands beside it
            inside = inside or (isinstance(above, TableItem) and item.label.value != "caption")
            if inline is None and getattr(above, "label", None) == GroupLabel.INLINE:
                inline = str(parent.cref)
            parent = above.parent
        if not inside:
            yield item, inline


def _place(item: Any, document: Any) -> tuple[int, Box]:
    if not item.prov:
        return 1, NO_BOX
    place = item.prov[0]
    page = document.pages.get(place.page_no)
    height = page.size.height if page is not None else 0.0
    return int(place.page_no), box_of(place.bbox, height, _POINTS_IN_EMU)


def _joined(left: str, right: str) -> str:
    return join_rows([[_line(left, 0)], [_line(right, 1)]])


def _line(text: str, number: int) -> TextLine:
    """A text as a line of its own across a page, for rules that ask for lines."""
    return TextLine((0.0, 12.0 * number, 500.0, 12.0 * number + 10), text, 10.0, bold=False)


def _ruled(regions: Sequence[Region], *, has_pages: bool) -> tuple[Region, ...]:
    """Regions with the rules that drop them; passages of disclaimers end with slide or section."""
    empty = PageContext(PageReading(1, 500.0, 700.0, (), ()))
    ruled: dict[int, tuple[str, str]] = {}
    parts: list[list[Block | None]] = [[]]
    owners: dict[Block, Region] = {}
    cover = [region.page == 1 for region in regions] if has_pages else is_cover(regions)
    for region, on_cover in zip(regions, cover, strict=True):
        first = not parts[-1]
        opens = region.kind == "heading" and not has_pages
        if not first and (opens or region.page != regions[region.ordinal - 1].page):
            parts.append([])
        if region.rule is not None or region.kind == "title":
            continue
        kind = "section-header" if region.kind == "heading" else "text"
        block = Block(region.page, kind, (_line(region.text, region.ordinal),))
        name = next((name for name, rule in _WORD_RULES if rule(block, empty)), None)
        if name is None and on_cover and is_cover_line(region.text) and not is_prose(region.text):
            ruled[region.ordinal] = ("cover", "cover_block")
        elif name is not None:
            ruled[region.ordinal] = (region.kind, name)
        else:
            parts[-1].append(block)
            owners[block] = region
    for block in disclaimers(parts):
        region = owners[block]
        ruled[region.ordinal] = (region.kind, "disclaimer")
    return tuple(
        replace(region, kind=kind, rule=rule)
        for region in regions
        for kind, rule in [ruled.get(region.ordinal, (region.kind, region.rule))]
    )
