"""Writes what must be read, as the files of ICDAR 2013 do: `-str.xml` and `-reg.xml`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from benchmarks.made_tables.content import Entry

#: Left, top, right and bottom in points from the upper left corner of the page.
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Answer:
    """A table as it must be read: page (1-based), its height in points, box and cells."""

    page: int
    page_height: float
    box: Box
    entries: tuple[Entry, ...]


def write(pdf: Path, answers: Sequence[Answer]) -> None:
    """Write the structure and the regions of all tables beside their PDF."""
    structure = ElementTree.Element("document", filename=pdf.name)
    regions = ElementTree.Element("document", filename=pdf.name)
    for number, answer in enumerate(answers, 1):
        table = ElementTree.SubElement(structure, "table", id=str(number))
        place = {"id": "1", "page": str(answer.page)}
        region = ElementTree.SubElement(
            table, "region", {**place, "col-increment": "0", "row-increment": "0"}
        )
        for index, entry in enumerate((e for e in answer.entries if e.text), 1):
            cell = ElementTree.SubElement(
                region,
                "cell",
                {
                    "id": str(index),
                    "start-row": str(entry.row),
                    "start-col": str(entry.column),
                    "end-row": str(entry.row + entry.rows - 1),
                    "end-col": str(entry.column + entry.columns - 1),
                },
            )
            content = " ".join(entry.text.split("\n"))
            ElementTree.SubElement(cell, "content").text = content
        outline = ElementTree.SubElement(regions, "table", id=str(number))
        held = ElementTree.SubElement(outline, "region", place)
        x0, y0, x1, y1 = answer.box
        bounds = (x0, answer.page_height - y1, x1, answer.page_height - y0)
        names = ("x1", "y1", "x2", "y2")
        ElementTree.SubElement(
            held,
            "bounding-box",
            {name: str(round(value)) for name, value in zip(names, bounds, strict=True)},
        )
    for name, root in (("str", structure), ("reg", regions)):
        ElementTree.indent(root)
        path = pdf.with_name(f"{pdf.stem}-{name}.xml")
        ElementTree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)
