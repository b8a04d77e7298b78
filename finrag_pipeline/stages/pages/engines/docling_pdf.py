"""Reads PDF pages with Docling: its parser's text cells, its layout and table models.

The models are no part of a wheel: `missing_models` says what is missing and how to get it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.extras import install_extra, pip_install
from finrag_pipeline.records import Box, Cell, LayoutBox, PageReading, TextLine
from finrag_pipeline.stages.pages.artwork import cover_share
from finrag_pipeline.stages.pages.engines.docling_items import box_of, cells_of, to_table
from finrag_pipeline.stages.pages.pdf_file import open_pdf, rounded, storable
from finrag_pipeline.stages.tables.reading import TableReading

_MEND = f"run `{pip_install('docling')}`, then `docling-tools models download layout tableformer -o"
#: Folders of an artifacts directory that hold the layout model and the table model.
_MODEL_FOLDERS = ("docling-project--docling-layout-heron", "docling-project--docling-models")
#: Docling's labels to kinds of `LayoutBox`; everything else is text.
_KINDS = {
    "title": "title",
    "section_header": "section-header",
    "list_item": "list-item",
    "table": "table",
    "document_index": "table",
    "picture": "picture",
    "chart": "picture",
    "caption": "caption",
    "footnote": "footnote",
    "formula": "formula",
    "page_header": "page-header",
    "page_footer": "page-footer",
}
#: Font size over the height of a cell, which reaches from ascender to descender.
_SIZE_IN_CELL = 0.8
_INVISIBLE = ("INVISIBLE", "ONLY_CLIPPING")


def missing_models(artifacts: Path | None) -> str | None:
    """Why Docling's models cannot be used, with the mend, or None when they are loaded.

    Loads them into this process: seconds, and some 2 GiB.

    Args:
        artifacts: the models' folder; None: the one that Docling downloads to.
    """
    if find_spec("docling") is None:
        return f"needs the extra `docling`: run `{install_extra('docling')}`"
    folder = _artifacts(artifacts)
    lacking = [name for name in _MODEL_FOLDERS if not (folder / name).is_dir()]
    if lacking:
        return f"{folder} holds no {' and no '.join(lacking)}: {_MEND} {folder}`"
    try:
        _converter(folder)
    except Exception as error:  # whatever a model's loader raises, nothing can be read without it
        line = f"{type(error).__name__}: {error}".splitlines()[0]
        return f"the models in {folder} cannot be loaded ({line}): {_MEND} {folder}`"
    return None


def read_pages(
    path: Path, first: int, last: int, artifacts: Path | None
) -> tuple[PageReading, ...]:
    """Read a range of pages with the layout and the tables that Docling's models see.

    Args:
        path: a local PDF that `pdf_file.count_pages` accepts.
        first: first page, 1-based.
        last: last page, inclusive.
        artifacts: as for `missing_models`, which must have found nothing missing.

    Returns:
        As `pdf.read_pages`; `raw_layout` holds the tables, for `read_tables`.

    Raises:
        DocumentError: as `pdf.read_pages`.
    """
    from docling.datamodel.base_models import ConversionStatus

    result = _converter(_artifacts(artifacts)).convert(
        path, page_range=(first, last), raises_on_error=False
    )
    if result.status not in (ConversionStatus.SUCCESS, ConversionStatus.PARTIAL_SUCCESS):
        why = "; ".join(str(error.error_message) for error in result.errors)
        raise DocumentError("truncated", (why.splitlines() or [""])[0][:200])
    boxes: dict[int, list[LayoutBox]] = {}
    tables: dict[int, list[dict[str, Any]]] = {}
    for item, page, box in _placed(result.document):
        label = str(item.label.value)
        boxes.setdefault(page, []).append(LayoutBox(_KINDS.get(label, "text"), box))
        if label == "table":
            height = float(result.document.pages[page].size.height)
            cells = cells_of(item.data, page, height)
            title = " ".join(storable(item.caption_text(result.document)).split())
            tables.setdefault(page, []).append(
                {"bbox": box, "title": title or None, "cells": [asdict(cell) for cell in cells]}
            )
    return tuple(
        replace(page, layout=tuple(boxes.get(page.page, ())), raw_layout=tables.get(page.page, []))
        for page in read_cells(path, first, last)
    )


def read_tables(pages: Sequence[tuple[int, Any]]) -> TableReading:
    """The tables that `read_pages` found.

    Args:
        pages: page number, 1-based, and the `raw_layout` of its reading.

    Returns:
        As `tables.read_flagged_tables`.
    """
    tables = [
        to_table(
            [Cell(**cell | {"bbox": _box(cell["bbox"])}) for cell in found["cells"]],
            page,
            rounded(found["bbox"]),
            found["title"],
        )
        for page, raw in pages
        for found in raw
    ]
    kept = [table for table in tables if table is not None]
    return TableReading(tuple(replace(table, ordinal=n) for n, table in enumerate(kept)))


def read_cells(path: Path, first: int, last: int) -> tuple[PageReading, ...]:
    """Read the text of a range of pages with Docling's parser, which needs no model.

    Returns:
        As `pdf.read_pages`, without layout. Costs 0.1 to 0.4 s a page.

    Raises:
        DocumentError: as `pdf.read_pages`.
    """
    from docling_parse.pdf_parser import DoclingPdfParser

    with open_pdf(path):  # what PyMuPDF refuses is refused here for the same reasons
        try:
            document = DoclingPdfParser(loglevel="fatal").load(path)
            return tuple(_reading(document.get_page(n), n) for n in range(first, last + 1))
        except RuntimeError as error:
            why = f"pages {first} to {last}: {error}".splitlines()[0]
            raise DocumentError("truncated", why[:200]) from error


def _reading(page: Any, number: int) -> PageReading:
    """One page of `docling-parse`, whose origin is the lower left corner of its crop box."""
    size = page.dimension
    width, height = float(size.width), float(size.height)
    cells = sorted(page.textline_cells, key=lambda cell: int(cell.index))
    lines = tuple(_line(cell, height) for cell in cells if str(cell.text).strip())
    images = [box_of(image.rect.to_bounding_box(), height) for image in page.bitmap_resources]
    return PageReading(
        page=number,
        width=round(width, 2),
        height=round(height, 2),
        lines=lines,
        layout=(),
        raw_layout=[],
        image_share=cover_share(images, width, height),
    )


def _line(cell: Any, height: float) -> TextLine:
    box = box_of(cell.rect.to_bounding_box(), height)
    # the side across the line: some run down the page
    size = round(_SIZE_IN_CELL * min(box[2] - box[0], box[3] - box[1]), 2)
    visible = cell.rendering_mode.name not in _INVISIBLE and cell.rgba.a > 0
    return TextLine(box, storable(str(cell.text)), size, "bold" in cell.font_name.lower(), visible)


def _placed(document: Any) -> Iterator[tuple[Any, int, Box]]:
    """Items in reading order with every box they stand in."""
    from docling_core.types.doc.common.content_layer import ContentLayer

    for item, _ in document.iterate_items(included_content_layers=set(ContentLayer)):
        for place in item.prov:
            page = int(place.page_no)
            height = float(document.pages[page].size.height)
            yield item, page, box_of(place.bbox, height)


@lru_cache(maxsize=1)
def _converter(folder: Path) -> Any:
    """The pipeline of this process, with its models loaded; nothing is ever downloaded."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from docling.datamodel.accelerator_options import AcceleratorOptions
    from docling.datamodel.base_models import InputFormat
    from docling.datamodel.pipeline_options import PdfPipelineOptions
    from docling.document_converter import DocumentConverter, PdfFormatOption

    options = PdfPipelineOptions(
        artifacts_path=folder,
        # scanned pages go to `ocr`, whatever the engine
        do_ocr=False,
        # pages are read on as many processes as there are cores
        accelerator_options=AcceleratorOptions(num_threads=1),
    )
    converter = DocumentConverter(
        allowed_formats=[InputFormat.PDF],
        format_options={InputFormat.PDF: PdfFormatOption(pipeline_options=options)},
    )
    converter.initialize_pipeline(InputFormat.PDF)
    return converter


def _artifacts(artifacts: Path | None) -> Path:
    from docling.datamodel.settings import settings

    return artifacts or Path(settings.cache_dir) / "models"


def _box(value: Any) -> Box | None:
    return rounded(value) if value is not None else None
