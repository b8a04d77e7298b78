"""What a page paints beside its text: images, ruling lines and shapes, as boxes.

What they mean (a table, a chart, a scan) is decided where it matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import pymupdf

from finrag_pipeline.records import Box
from finrag_pipeline.stages.cleaning.geometry import lies_in
from finrag_pipeline.stages.pages.pdf_file import rounded

#: Above this many painted paths a page is too complex to analyse: reports have up to 1,821 on a
#: page; 3,000 rectangles all over a page cost the layout model 28 s, 50,000 cost it 112 s.
MAX_PATHS = 3000
#: A painted path as thin as this is a ruling line.
_RULE_PT = 3.0
#: What covers more of the page than this is its background.
BACKGROUND = 0.9
_GRID = 40
_PATHS = frozenset(("fill-path", "stroke-path"))


@dataclass(frozen=True, slots=True)
class Artwork:
    """Boxes of what a page paints, in painting order; backgrounds are left out.

    `horizontal` and `vertical` are ruling lines, `shapes` all other painted paths; `path_count`
    counts every path, backgrounds too.
    """

    images: tuple[Box, ...] = ()
    horizontal: tuple[Box, ...] = ()
    vertical: tuple[Box, ...] = ()
    shapes: tuple[Box, ...] = ()
    path_count: int = 0

    def outside(self, boxes: Sequence[Box]) -> Artwork:
        """What is painted with its middle in none of some boxes."""

        def free(painted: tuple[Box, ...]) -> tuple[Box, ...]:
            return tuple(box for box in painted if not any(lies_in(box, other) for other in boxes))

        return Artwork(
            free(self.images),
            free(self.horizontal),
            free(self.vertical),
            free(self.shapes),
            self.path_count,
        )

    @property
    def too_complex(self) -> bool:
        """Whether analysing what is painted would cost more time than a page may take."""
        return self.path_count > MAX_PATHS


def read_artwork(page: pymupdf.Page) -> Artwork:
    """What a page paints inside its box; costs 5 ms, and 0.3 s for 50,000 drawing commands."""
    area = page.rect
    images: list[Box] = []
    horizontal: list[Box] = []
    vertical: list[Box] = []
    shapes: list[Box] = []
    paths = 0
    for kind, bbox in cast("list[tuple[str, Any]]", page.get_bboxlog()):
        path = kind in _PATHS
        paths += path
        if not (path or kind in ("fill-image", "fill-imgmask", "fill-shade")):
            continue
        x0, y0 = max(bbox[0], area.x0), max(bbox[1], area.y0)
        x1, y1 = min(bbox[2], area.x1), min(bbox[3], area.y1)
        width, height = x1 - x0, y1 - y0
        if width < 0 or height < 0:
            continue
        if not path:
            images.append(rounded((x0, y0, x1, y1)))
        elif width * height > BACKGROUND * area.get_area():
            continue
        elif height <= _RULE_PT:
            horizontal.append(rounded((x0, y0, x1, y1)))
        elif width <= _RULE_PT:
            vertical.append(rounded((x0, y0, x1, y1)))
        else:
            shapes.append(rounded((x0, y0, x1, y1)))
    return Artwork(tuple(images), tuple(horizontal), tuple(vertical), tuple(shapes), paths)


def count_paths(page: pymupdf.Page) -> int:
    """How many paths a page paints, as `Artwork.path_count`; costs 3 ms."""
    painted = cast("list[tuple[str, Any]]", page.get_bboxlog())
    return sum(kind in _PATHS for kind, _ in painted)


def cover_share(boxes: Sequence[Box], width: float, height: float) -> float:
    """Share of a page under boxes, 0 to 1, counted on a coarse grid so that overlaps count once."""
    if width <= 0 or height <= 0:
        return 0.0
    covered: set[tuple[int, int]] = set()
    for x0, y0, x1, y1 in boxes:
        columns = range(round(x0 / width * _GRID), round(x1 / width * _GRID))
        rows = range(round(y0 / height * _GRID), round(y1 / height * _GRID))
        covered.update((row, column) for row in rows for column in columns)
    return round(len(covered) / _GRID**2, 2)
