"""How often title, publisher and day are read right from made covers of many layouts.

`covers.jsonl` holds one document a line: the texts of its pages with place and size in points, and
what is right; "zh" and "en" among them stand for paragraphs of text. Half of them were read only
once, after the code was finished.

    python benchmarks/covers.py [open|kept] [--misses]
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pymupdf

from finrag_pipeline.evaluation.reading.documents import read_documents
from finrag_pipeline.evaluation.reading.publications import Publication, compared
from finrag_pipeline.records import Metadata
from finrag_pipeline.settings import load_settings

COVERS = Path(__file__).with_name("covers.jsonl")
_PARAGRAPHS = {
    "zh": (
        "需求自年初以来逐步恢复，头部企业的份额继续提高。渠道调研显示，经销商的库存处在低位，价格也趋于稳定。",
        "供给一侧，新增产能主要来自已有基地的扩建，投产节奏较为克制。我们认为行业的盈利能力有望逐步修复。",
        "从竞争格局看，企业在成本、渠道与品牌上的差距正在拉大，中小企业的出清仍将持续一段时间。",
    ),
    "en": (
        "Demand has recovered step by step since the start of the year, and the leaders keep "
        "gaining share. Channel checks show that inventories are low and that prices have stopped "
        "falling.",
        "New capacity comes mostly from existing sites, and owners are careful about its timing. "
        "We expect margins to recover slowly as smaller producers leave the market.",
    ),
}


def draw(document: dict[str, Any], path: Path) -> None:
    """Write one document as a PDF."""
    pdf = pymupdf.open()
    width, height = document["page"]
    for texts in document["pages"]:
        page = pdf.new_page(width=width, height=height)
        below = max([each[1] + 40 for each in texts if not isinstance(each, str)], default=80)
        body = min(below, 200.0)
        for each in texts:
            x, y, size, text = (50, body, 10, each) if isinstance(each, str) else each
            if text in _PARAGRAPHS:
                right = min(width - 50, 390) if x == 50 and width < 700 else width - 50
                for paragraph in _PARAGRAPHS[text]:
                    box = pymupdf.Rect(x, y, right, y + 90)
                    page.insert_textbox(box, paragraph, fontsize=10, fontname=_font(paragraph))
                    y += 75
            else:
                page.insert_text((x, y), text, fontsize=size, fontname=_font(text))
    pdf.save(path)


def _font(text: str) -> str:
    return "china-s" if any(character > "\u2e80" for character in text) else "helv"


def main() -> None:
    """Draw, read, compare and print one row a field."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("half", nargs="?", choices=("open", "kept"), default="open")
    parser.add_argument("--misses", action="store_true")
    asked = parser.parse_args()
    lines = COVERS.read_text(encoding="utf-8").splitlines()
    documents = [each for each in map(json.loads, lines) if each["half"] == asked.half]
    right: Counter[str] = Counter()
    counted: Counter[str] = Counter()
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number}.pdf" for number in range(len(documents))]
        for document, path in zip(documents, paths, strict=True):
            draw(document, path)
        settings = load_settings().model_copy(update={"workers": 1})
        found = read_documents(paths, settings, tables=False)
        for document, read in zip(documents, found, strict=True):
            gold = Publication(sha256="", **{k: document[k] for k in _GOLD})
            metadata = read.metadata or Metadata(published_basis="arrival")
            for field, same, got, wanted in compared(gold, metadata):
                counted[field] += 1
                right[field] += same
                if asked.misses and not same:
                    print(f"{document['name']}: {field}: read {got!r}, gold {wanted!r}")
    print("| field | right |\n|---|---|")
    for field in counted:
        print(f"| {field} | {right[field]} of {counted[field]} |")


_GOLD = ("kind", "titles", "publishers", "published")

if __name__ == "__main__":
    main()
