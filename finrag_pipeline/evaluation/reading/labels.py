"""Hand labels of pages, and which characters lie in which label and which region.

A file of labels is JSON as `Labels` has it: boxes and classes without text. They hold for the file
whose content has their SHA-256, whatever its name. Nothing is counted here.

Each printed line is first a piece of its page (its label) and then a piece of the cleaning's answer
(its region):

- *Label*: the box that covers most of the line; of boxes that cover it alike, the smallest, so that
  a watermark across the page does not claim the lines below it.
- *Region*: cleaning puts every character of a page into the text of exactly one region. So a line's
  characters are taken out of the regions that still hold them: out of one that holds the whole line
  before all others, then by how much of the line its box covers. Long lines choose first, and what
  no text holds as it was printed (a replaced bullet) follows the rest of its line.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field, ValidationError

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.records import Box, Region, TextLine

#: A line whose best box covers less of it than this has no label.
_COVERED = 0.5


class Label(BaseModel):
    """One labelled box of a page, in PDF points."""

    bbox: Box
    label: str = Field(alias="class")


class LabelledPage(BaseModel):
    """All boxes of one page, 1-based, of the file with that content."""

    file_sha256: str
    page: int
    boxes: tuple[Label, ...]


class Labels(BaseModel):
    """A file of labels: what each class counts as, and the pages."""

    description: str = ""
    classes: dict[str, Literal["body", "noise", "either"]]
    pages: tuple[LabelledPage, ...]


@dataclass(frozen=True)
class Piece:
    """Characters of one page that share a label and a region; either may be missing."""

    label: str | None
    region: Region | None
    text: str

    @property
    def kept(self) -> bool:
        return self.region is not None and self.region.kept


def read_labels(path: Path) -> Labels:
    """Read a file of labels.

    Raises:
        ConfigurationError: it is not one, or a box has a class that it does not explain.
    """
    try:
        labels = Labels.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "JSON"
        raise ConfigurationError(f"{path} holds no labels: {where}: {first['msg']}") from error
    unknown = {box.label for page in labels.pages for box in page.boxes} - labels.classes.keys()
    if unknown:
        raise ConfigurationError(f"{path}: add {', '.join(sorted(unknown))} to its classes")
    return labels


def weigh(
    lines: Sequence[TextLine], regions: Sequence[Region], boxes: Sequence[Label]
) -> list[Piece]:
    """The characters of one page by label and region, each exactly once, without spaces.

    Args:
        lines: what the page prints.
        regions: what cleaning made of that page.
        boxes: the page's labels.

    Returns:
        One piece for each label and region that share characters, in the order of the lines;
        characters in their compatibility form (full-width letters as half-width ones).
    """
    texts: dict[tuple[str | None, int | None], list[str]] = {}
    for index, holder, text in sorted(_held(lines, regions), key=lambda held: held[0]):
        texts.setdefault((_label(lines[index].bbox, boxes), holder), []).append(text)
    return [
        Piece(label, None if holder is None else regions[holder], "".join(parts))
        for (label, holder), parts in texts.items()
    ]


def _held(
    lines: Sequence[TextLine], regions: Sequence[Region]
) -> Iterator[tuple[int, int | None, str]]:
    """Line, region and the characters they share, long lines first; None: no region has them."""
    inks = [_ink(region.text) for region in regions]
    left = [Counter(ink) for ink in inks]
    texts = [_ink(line.text) for line in lines]
    for index in sorted(range(len(lines)), key=lambda i: -len(texts[i])):
        text, box = texts[index], lines[index].bbox
        ranks: dict[int, tuple[bool, float, float]] = {}
        for r, region in enumerate(regions):
            if cover := round(_cover(box, region.bbox), 2):
                whole = text in inks[r] and Counter(text) <= left[r]
                ranks[r] = (not whole, -cover, _area(region.bbox))
        shares: dict[int | None, str] = {}
        rest = text
        for r in sorted(ranks, key=lambda r: ranks[r]):
            for char in rest:
                if left[r][char]:
                    left[r][char] -= 1
                    shares[r] = shares.get(r, "") + char
                    rest = rest.replace(char, "", 1)
        if rest:
            most = max(shares, key=lambda r: len(shares[r]), default=None)
            shares[most] = shares.get(most, "") + rest
        yield from ((index, r, held) for r, held in shares.items())


def _label(line: Box, boxes: Sequence[Label]) -> str | None:
    covers = [(round(_cover(line, box.bbox), 1), -_area(box.bbox), box.label) for box in boxes]
    share, _, label = max(covers, default=(0.0, 0.0, None))
    return label if share >= _COVERED else None


def _ink(text: str) -> str:
    """What is seen of a text, in one form: no spaces, no control marks, no full-width letters."""
    folded = unicodedata.normalize("NFKC", text)
    return "".join(c for c in folded if not c.isspace() and unicodedata.category(c) != "Cf")


def _cover(line: Box, box: Box) -> float:
    """Share of a line's box that another box covers."""
    width = min(line[2], box[2]) - max(line[0], box[0])
    height = min(line[3], box[3]) - max(line[1], box[1])
    return max(width, 0.0) * max(height, 0.0) / (_area(line) or 1.0)


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])
