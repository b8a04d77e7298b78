"""Page, font and text-flow primitives: a Sheet lays a report out and notes what it drew."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, cast

import pymupdf

from model import Meta, Outline, Theme

WIDTH, HEIGHT = 595.0, 842.0
CJK = pymupdf.Font("china-s")
FACES = {"helv": pymupdf.Font("helv"), "hebo": pymupdf.Font("hebo"), "cjk": CJK}
BLACK = (0.08, 0.08, 0.1)
GREY = (0.42, 0.44, 0.48)
WHITE = (1.0, 1.0, 1.0)
NO_LINE_START = "，。、；：！？）》”％%,.;:!?)"
NO_LINE_END = "（《“("
RUN = re.compile(r"[\x20-\x7e]+|[^\x20-\x7e]+")
TOKEN = re.compile(r"[A-Za-z0-9.,%+\-/@&'$~]+|.", re.S)
Color = tuple[float, float, float]


def runs(text: str, bold: bool = False) -> list[tuple[str, str]]:
    """Split text into (face, piece) runs: Latin pieces in Helvetica, the rest in the CJK face."""
    latin = "hebo" if bold else "helv"
    return [(latin if piece[0] <= "~" else "cjk", piece) for piece in RUN.findall(text)]


def measure(text: str, size: float, bold: bool = False) -> float:
    """Return the drawn width of text."""
    return sum(FACES[face].text_length(piece, cast(int, size)) for face, piece in runs(text, bold))


def wrap(text: str, width: float, size: float, bold: bool = False, indent: float = 0) -> list[str]:
    """Break text into lines no wider than width, minding Latin words and CJK punctuation."""
    lines: list[str] = []
    line, room = "", width - indent
    for token in TOKEN.findall(text):
        if token == "\n" or (measure(line + token, size, bold) > room and line):
            if token in NO_LINE_START and token != "\n":
                line += token
                continue
            carry = ""
            while line and line[-1] in NO_LINE_END:
                carry, line = line[-1] + carry, line[:-1]
            lines.append(line.rstrip(" "))
            line, room = carry + token.strip(), width
        else:
            line += token
    return [*lines, line.rstrip(" ")] if line.strip() else lines


class Sheet:
    """Lays one report out page by page and records kept text, dropped text and tables."""

    margin = 48.0

    def __init__(self, theme: Theme, meta: Meta, prior: Outline | None = None) -> None:
        """Start an empty document; prior is the outline of an earlier pass, for the contents."""
        self.theme, self.meta = theme, meta
        self.prior = prior or Outline()
        self.outline = Outline()
        self.doc = pymupdf.open()
        self.kept: dict[int, list[str]] = {}
        self.dropped: list[str] = []
        self.drawn: list[str] = []
        self.legal: list[str] = []
        self.tables: list[dict[str, object]] = []
        self.running: tuple[str, str] = ("", "")
        self.x0, self.x1 = self.margin, WIDTH - self.margin
        self.y, self.bottom = 0.0, HEIGHT - 64
        self.shape: Any = None  # of the open page

    @property
    def number(self) -> int:
        """The 1-based number of the page being drawn."""
        return len(self.doc)

    @property
    def width(self) -> float:
        """The width of the text column."""
        return self.x1 - self.x0

    def new_page(self, header: bool = True) -> None:
        """Open the next page with its running header and footer."""
        self.commit()
        page = self.doc.new_page(width=WIDTH, height=HEIGHT)
        if self.theme.language == "zh":
            page.insert_font(fontname="cjk", fontbuffer=CJK.buffer)
        self.shape = page.new_shape()
        self.x0, self.x1 = self.margin, WIDTH - self.margin
        self.y, self.bottom = 84.0, HEIGHT - 64
        self.kept.setdefault(self.number, [])
        if header:
            self.header()
        self.footer()

    def commit(self) -> None:
        """Write what was drawn to the open page."""
        if self.shape is not None:
            self.shape.commit()
            self.shape = None

    def header(self) -> None:
        """Draw the running header."""
        left, right = self.running
        self.text(self.x0, 46, left, 9, self.theme.accent, bold=True, drop=True)
        self.right(self.x1, 46, right, 8, GREY, drop=True)
        self.line(self.x0, 54, self.x1, 54, self.theme.accent, 1)

    def footer(self) -> None:
        """Draw the running footer with the page number."""
        y = HEIGHT - 32
        self.line(self.x0, y - 14, self.x1, y - 14, GREY, 0.4)
        self.text(self.x0, y, self.theme.disclaimer, 7.6, self.theme.accent, drop=True)
        total = f" / {self.prior.total}" if self.theme.total_in_footer else ""
        self.right(self.x1, y, f"{self.number}{total}", 8, GREY)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 9,
        color: Color = BLACK,
        bold: bool = False,
        drop: bool = False,
        mode: int = 0,
        rotate: int = 0,
    ) -> float:
        """Draw one line at a baseline and return the x (or y, if turned) where it ends."""
        if drop and text.strip() and text not in self.dropped:
            self.dropped.append(text)
        if not drop:
            self.drawn.append(text)
        for face, piece in runs(text, bold):
            heavy = bold and face == "cjk"
            self.shape.insert_text(
                (x, y),
                piece,
                fontname=face,
                fontsize=size,
                color=color,
                fill=color,
                render_mode=mode or (2 if heavy else 0),
                border_width=0.035,
                rotate=rotate,
            )
            step = FACES[face].text_length(piece, cast(int, size))
            x, y = (x, y - step) if rotate == 90 else (x + step, y)
        return y if rotate else x

    def right(self, x: float, y: float, text: str, size: float, color: Color, **more: bool) -> None:
        """Draw one line that ends at x."""
        self.text(x - measure(text, size, more.get("bold", False)), y, text, size, color, **more)

    def center(self, y: float, text: str, size: float, color: Color = BLACK, **more: bool) -> None:
        """Draw one line centred in the text column."""
        width = measure(text, size, more.get("bold", False))
        self.text((self.x0 + self.x1 - width) / 2, y, text, size, color, **more)

    def hidden(self, marker: str, how: str = "invisible") -> None:
        """Leave a template marker no reader sees: invisible, white or one point high."""
        size, color, mode = {
            "invisible": (8, BLACK, 3),
            "white": (8, WHITE, 0),
            "tiny": (1, GREY, 0),
        }[how]
        self.text(self.x0, self.y + 4, marker, size, color, drop=True, mode=mode)

    def line(
        self, xa: float, ya: float, xb: float, yb: float, color: Color = BLACK, width: float = 0.5
    ) -> None:
        """Draw a straight rule."""
        self.shape.draw_line((xa, ya), (xb, yb))
        self.shape.finish(color=color, width=width)

    def box(self, xa: float, ya: float, xb: float, yb: float, fill: Color) -> None:
        """Draw a filled rectangle without a border."""
        self.shape.draw_rect((xa, ya, xb, yb))
        self.shape.finish(color=None, fill=fill, width=0)

    def keep(self, text: str) -> None:
        """Note text a reader of the page body must find."""
        self.kept[self.number].append(text)

    def need(self, height: float) -> None:
        """Go to the next page unless height is still free on this one."""
        if self.y + height > self.bottom:
            self.new_page()

    def heading(self, text: str, level: int = 1) -> None:
        """Draw a heading and note it for the contents page."""
        size = {1: 14.0, 2: 11.5}.get(level, 10.0)
        self.need(size * 4.5)
        self.y += 8 if level > 1 else 12
        color = self.theme.accent if level < 3 else BLACK
        for part in wrap(text, self.width, size, True):
            self.y += size * 1.15
            self.text(self.x0, self.y, part, size, color, bold=True)
        self.y += size * 0.6
        self.keep(text)
        self.outline.headings.append((level, text, self.number))

    def draw_line(self, x: float, text: str, size: float, strong: int, color: Color) -> None:
        """Draw one body line whose first `strong` characters are bold."""
        end = self.text(x, self.y, text[:strong], size, self.theme.accent, bold=True)
        self.text(end, self.y, text[strong:], size, color)

    def para(
        self, text: str, lead: str = "", bullet: str = "", size: float = 0, color: Color = BLACK
    ) -> None:
        """Flow one paragraph; lead is a bold opening, bullet a hanging mark."""
        size = size or self.theme.body_size
        step = size * self.theme.leading
        chinese = self.theme.language == "zh"
        first = size * 2 if chinese and not bullet else 0.0
        hang = size * 1.4 if bullet else 0.0
        whole, strong = lead + text, len(lead)
        for i, part in enumerate(wrap(whole, self.width - hang, size, indent=first)):
            self.need(step)
            self.y += step
            if bullet and i == 0:
                self.text(self.x0, self.y, bullet, size, self.theme.accent)
            x = self.x0 + hang + (first if i == 0 else 0)
            self.draw_line(x, part, size, min(strong, len(part)), color)
            self.keep(part if chinese else part + " ")
            strong = max(0, strong - len(part) - (0 if chinese else 1))
        self.y += size * 0.45

    def two_columns(self, parts: Iterable[tuple[str, str]], gap: float = 20) -> None:
        """Flow (lead, text) paragraphs in two balanced columns, over pages if they must."""
        size, step = self.theme.body_size, self.theme.body_size * self.theme.leading
        chinese = self.theme.language == "zh"
        col = (self.width - gap) / 2
        lines: list[tuple[str, int, float]] = []
        for lead, text in parts:
            strong, first = len(lead), size * 2 if chinese else 0.0
            for i, part in enumerate(wrap(lead + text, col, size, indent=first)):
                lines.append((part, min(strong, len(part)), first if i == 0 else 0.0))
                strong = max(0, strong - len(part) - (0 if chinese else 1))
            lines.append(("", 0, 0.0))
        lines.pop()
        while lines:
            fit = int((self.bottom - self.y) // step)
            if fit < 5:
                self.new_page()
                continue
            rows = min(fit, (len(lines) + 1) // 2)
            top, left, used = self.y, self.x0, 0
            for c in range(2):
                chunk = lines[c * rows : (c + 1) * rows]
                used += len(chunk)
                if chunk and not chunk[0][0]:
                    chunk = chunk[1:]
                for i, (part, strong, indent) in enumerate(chunk):
                    self.y = top + (i + 1) * step
                    x = left + c * (col + gap) + indent
                    self.draw_line(x, part, size, strong, BLACK)
                    self.keep(part if chinese else part + " ")
            self.y = top + rows * step + 6
            lines = lines[used:]

    def caption(self, text: str, x: float | None = None, width: float | None = None) -> None:
        """Draw a table or figure caption over a rule and note it for the contents page."""
        x, width = x or self.x0, width or self.width
        self.y += 13
        self.text(x, self.y, text, 9, self.theme.accent, bold=True)
        self.line(x, self.y + 4, x + width, self.y + 4, self.theme.accent, 0.8)
        self.y += 5
        self.outline.captions.append((text, self.number))

    def source(self, text: str, x: float | None = None) -> None:
        """Draw a source line."""
        if text:
            self.y += 11
            self.text(x or self.x0, self.y, text, 7.4, GREY)
        self.y += 6

    def disclaimer(self, title: str, sentences: Sequence[str]) -> None:
        """Draw a legal section: its sentences must not reach the kept text."""
        self.need(60)
        self.y += 26
        self.text(self.x0, self.y, title, 12, self.theme.accent, bold=True)
        self.y += 6
        size = 8.2
        for sentence in sentences:
            for part in wrap(sentence, self.width, size, indent=size * 2):
                self.need(13)
                self.y += 13
                self.text(self.x0, self.y, part, size, GREY)
            self.y += 4
            self.legal.append(sentence)
