"""Write the fictional business documents of TechFlow as DOCX, PPTX and PDF, and their sizes.

Run as ``python samples/enterprise/make_enterprise.py``, with the extra `docling` installed, which
brings python-docx and python-pptx; the same bytes come out on every run of the same releases.
"""

from __future__ import annotations

import io
import json
import zipfile
from datetime import datetime
from pathlib import Path
from typing import Any

import docx
import pptx
import pymupdf
from texts import Text, read_texts

HERE = Path(__file__).resolve().parent
#: What tells synthetic data from any other.
WATERMARK = "synthetic_v2"
_MADE = datetime(2025, 6, 30, 8)
_FOOTER = f"数据来源：{WATERMARK}，内容均为虚构。"


def docx_bytes(text: Text) -> bytes:
    """A Word file: title, headings, paragraphs."""
    document = docx.Document()
    _stamp(document.core_properties, text)
    document.add_heading(text.title, 0)
    for heading, paragraphs in text.sections:
        document.add_heading(heading, 1)
        for paragraph in paragraphs:
            document.add_paragraph(paragraph)
    document.add_paragraph(_FOOTER)
    return _saved(document)


def pptx_bytes(text: Text) -> bytes:
    """A PowerPoint file: a title slide, then a slide a section."""
    deck = pptx.Presentation()
    _stamp(deck.core_properties, text)
    first: Any = deck.slides.add_slide(deck.slide_layouts[0])
    first.shapes.title.text = text.title
    first.placeholders[1].text = _FOOTER
    for heading, paragraphs in text.sections:
        slide: Any = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = heading
        slide.placeholders[1].text = "\n".join(paragraphs)
    return _saved(deck)


def pdf_bytes(text: Text) -> bytes:
    """A PDF of one page."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    y = 80.0
    page.insert_text((60, y), text.title, fontsize=18, fontname="china-s")
    for heading, paragraphs in text.sections:
        y += 40
        page.insert_text((60, y), heading, fontsize=13, fontname="china-s")
        for paragraph in paragraphs:
            box = pymupdf.Rect(60, y + 10, 535, y + 60)
            page.insert_textbox(box, paragraph, fontsize=10.5, fontname="china-s", lineheight=1.5)
            y += 50
    page.insert_text((60, y + 30), _FOOTER, fontsize=9, fontname="china-s")
    day = f"D:{_MADE:%Y%m%d%H%M%S}+08'00'"
    document.set_metadata(
        {"title": text.title, "author": "TechFlow", "creationDate": day, "modDate": day}
    )
    return document.tobytes(garbage=4, deflate=True, no_new_id=True)


def _stamp(properties: Any, text: Text) -> None:
    properties.title, properties.author, properties.comments = text.title, "TechFlow", WATERMARK
    properties.created = properties.modified = _MADE
    properties.last_modified_by = "TechFlow"


def _saved(document: Any) -> bytes:
    """A file's parts, each with the same time."""
    stream, packed = io.BytesIO(), io.BytesIO()
    document.save(stream)
    with zipfile.ZipFile(stream) as made, zipfile.ZipFile(packed, "w") as archive:
        for name in made.namelist():
            content = b"" if name.startswith("docProps/thumbnail") else made.read(name)
            info = zipfile.ZipInfo(name, _MADE.timetuple()[:6])
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return packed.getvalue()


def main() -> None:
    """Write all documents, and how long each is."""
    makers = {".docx": docx_bytes, ".pptx": pptx_bytes, ".pdf": pdf_bytes}
    folder = HERE / "documents"
    folder.mkdir(exist_ok=True)
    manifest: list[dict[str, object]] = []
    for text in read_texts():
        path = folder / text.file
        path.write_bytes(makers[path.suffix](text))
        said = text.title + "".join(each for _, paragraphs in text.sections for each in paragraphs)
        manifest.append(
            {
                "file": text.file,
                "group": text.group,
                "source": WATERMARK,
                "bytes": path.stat().st_size,
                "characters": len(said),
            }
        )
    lines = json.dumps(manifest, ensure_ascii=False, indent=1)
    (HERE / "manifest.json").write_text(lines + "\n", "utf-8")


if __name__ == "__main__":
    main()
