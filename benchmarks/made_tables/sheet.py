"""Pages that are filled from the top: text, rules, fills, and tables that are remembered."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pymupdf

from benchmarks.made_tables.content import Entry, chosen
from benchmarks.made_tables.gold import Answer, Box, write

WIDTH, HEIGHT = 595.0, 842.0
LEFT, RIGHT, TOP, BOTTOM = 62.0, 533.0, 70.0, 770.0
_HAN = "china-s"
#: Chinese letters and signs, or what stands between them.
_RUN = re.compile(r"[\u2000-\uffef]+|[^\u2000-\uffef]+")
_BOLD = {"helv": "hebo", "tiro": "tibo", "cour": "cobo"}

Colour = tuple[float, float, float]
BLACK: Colour = (0, 0, 0)


@dataclass
class Sheet:
    """A document of A4 pages in one language and one family of letters."""

    language: str
    family: str
    document: pymupdf.Document = field(default_factory=pymupdf.open)
    y: float = TOP
    answers: list[Answer] = field(default_factory=list[Answer])

    @property
    def page(self) -> pymupdf.Page:
        if not self.document.page_count:
            self.turn()
        return self.document[-1]

    def turn(self) -> None:
        """Begin a new page."""
        self.document.new_page(width=WIDTH, height=HEIGHT)
        self.y = TOP

    def room(self, height: float) -> None:
        """Begin a new page where less than a height in points is left."""
        if self.y + height > BOTTOM:
            self.turn()

    def _runs(self, text: str, bold: bool) -> list[tuple[str, str]]:
        """Parts of a text, each with its font: Chinese letters and Latin ones, as reports set."""
        latin = _BOLD[self.family] if bold else self.family
        return [(_HAN if run[0] > "\u2000" else latin, run) for run in _RUN.findall(text)]

    def length(self, text: str, size: float, bold: bool = False) -> float:
        return sum(pymupdf.get_text_length(t, font, size) for font, t in self._runs(text, bold))

    def write(
        self,
        x: float,
        baseline: float,
        text: str,
        size: float,
        *,
        bold: bool = False,
        colour: Colour = BLACK,
    ) -> None:
        for font, run in self._runs(text, bold):
            self.page.insert_text((x, baseline), run, fontsize=size, fontname=font, color=colour)
            x += pymupdf.get_text_length(run, font, size)

    def wrapped(self, text: str, width: float, size: float, bold: bool = False) -> list[str]:
        """Lines of a text that fit a width; words stay whole unless the text is Chinese."""
        space = "" if self.language == "zh" else " "
        lines: list[str] = []
        for part in text.split("\n"):
            line = ""
            for word in part if self.language == "zh" else part.split():
                longer = f"{line}{space}{word}" if line else word
                if line and self.length(longer, size, bold) > width:
                    lines.append(line)
                    line = word
                else:
                    line = longer
            lines.append(line)
        return lines

    def prose(self, rng: random.Random, sentences: int, size: float = 10) -> None:
        """Running text over the width of the page."""
        space = "" if self.language == "zh" else " "
        text = space.join(chosen(rng, self.language, "prose", sentences))
        lines = self.wrapped(text, RIGHT - LEFT, size)
        self.room(1.35 * size * len(lines))
        for line in lines:
            self.write(LEFT, self.y + size, line, size)
            self.y += 1.35 * size
        self.y += size

    def line(self, text: str, size: float, *, bold: bool = False, middle: bool = False) -> None:
        """One line: a title or a source."""
        x = (LEFT + RIGHT - self.length(text, size, bold)) / 2 if middle else LEFT
        self.write(x, self.y + size, text, size, bold=bold)
        self.y += 1.4 * size

    def rule(self, x0: float, y0: float, x1: float, y1: float, width: float = 0.5) -> None:
        self.page.draw_line((x0, y0), (x1, y1), width=width)

    def fill(self, box: Box, colour: Colour) -> None:
        self.page.draw_rect(pymupdf.Rect(box), color=None, fill=colour)

    def remember(self, box: Box, entries: Sequence[Entry]) -> None:
        """Say that a table stands in a box of the present page."""
        number = self.document.page_count
        self.answers.append(Answer(number, HEIGHT, box, tuple(entries)))

    def save(self, path: Path) -> None:
        """Write the PDF and, beside it, what must be read from it."""
        self.document.save(path, deflate=True, no_new_id=True)
        write(path, self.answers)
