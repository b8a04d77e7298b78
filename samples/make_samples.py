"""Write the fictional sample reports, their gold file and the company register.

Run as ``python samples/make_samples.py``; the same bytes come out on every run.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

from drawing.layout import Sheet
from model import Report
from registry import write_registry
from reports import REPORTS

HERE = Path(__file__).resolve().parent


def squeeze(text: str) -> str:
    """Remove all white space, so that line breaks do not matter in comparisons."""
    return re.sub(r"\s+", "", text)


def lay_out(report: Report) -> Sheet:
    """Lay a report out until its contents page agrees with its pages."""
    sheet = Sheet(report.theme, report.meta)
    report.build(sheet)
    for _ in range(3):
        sheet.commit()
        prior = sheet.outline
        prior.total = sheet.number
        sheet = Sheet(report.theme, report.meta, prior)
        report.build(sheet)
        sheet.commit()
        sheet.outline.total = sheet.number
        if sheet.outline == prior:
            return sheet
    raise ValueError(f"{report.meta.file}: the contents page does not settle")


def pdf_bytes(sheet: Sheet) -> bytes:
    """Return the finished PDF with subset fonts and fixed metadata."""
    stamp = "D:" + sheet.meta.published_on.replace("-", "") + "080000+08'00'"
    sheet.doc.set_metadata(
        {
            "title": sheet.meta.title,
            "author": sheet.meta.broker,
            "creationDate": stamp,
            "modDate": stamp,
        }
    )
    sheet.doc.subset_fonts()
    return sheet.doc.tobytes(garbage=4, deflate=True, use_objstms=1, no_new_id=True)


def phrase_page(sheet: Sheet, phrase: str) -> int:
    """Return the only page whose kept text holds a phrase."""
    pages = [n for n, kept in sheet.kept.items() if squeeze(phrase) in squeeze("".join(kept))]
    if len(pages) != 1:
        raise ValueError(f"{sheet.meta.file}: {phrase!r} is on pages {pages}")
    return pages[0]


def gold_entry(report: Report, sheet: Sheet) -> dict[str, Any]:
    """Return what a reader of the PDF should find, and what it should drop."""
    kept = squeeze("\n".join(["".join(page) for page in sheet.kept.values()]))
    drawn = squeeze("\n".join(sheet.drawn))
    furniture = [text for text in sheet.dropped if len(squeeze(text)) > 5]
    for text in furniture:
        if squeeze(text) in kept + drawn:
            raise ValueError(f"{report.meta.file}: {text!r} is both kept and dropped")
    for text in sheet.legal:
        if squeeze(text) in kept:
            raise ValueError(f"{report.meta.file}: {text!r} is both kept and dropped")
    return {
        **asdict(report.meta),
        "pages": sheet.number,
        "tables": sheet.tables,
        "phrases": [
            {"text": phrase, "page": phrase_page(sheet, phrase)} for phrase in report.phrases
        ],
        "dropped": [*furniture, *sheet.legal],
    }


def make(target: Path) -> list[dict[str, Any]]:
    """Write every sample below target and return the gold entries."""
    pdfs = target / "pdfs"
    pdfs.mkdir(parents=True, exist_ok=True)
    gold = []
    for report in REPORTS:
        sheet = lay_out(report)
        gold.append(gold_entry(report, sheet))
        (pdfs / report.meta.file).write_bytes(pdf_bytes(sheet))
    text = json.dumps(gold, ensure_ascii=False, indent=1) + "\n"
    (target / "gold.json").write_text(text, encoding="utf-8")
    write_registry(target / "registry.csv")
    return gold


if __name__ == "__main__":
    for entry in make(HERE):
        tables, size = entry["tables"], (HERE / "pdfs" / str(entry["file"])).stat().st_size
        print(f"{entry['file']}: {entry['pages']} pages, {len(tables)} tables, {size} bytes")
