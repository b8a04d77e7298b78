"""Running heads and feet: what stands at the edges of pages, by position and repetition.

Repetition decides; the layout model's word counts where a page is one of few.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from finrag_pipeline.records import Box, PageReading, TextLine
from finrag_pipeline.stages.cleaning.boxes import TABLE_KINDS
from finrag_pipeline.stages.cleaning.geometry import centre, lies_in, rows
from finrag_pipeline.stages.cleaning.marks import is_list_mark
from finrag_pipeline.stages.cleaning.text import folded

#: Running heads and feet stand within this share of the page height from its edges.
EDGE = 0.12
#: Two lines of different pages stand in one place when they differ by less, in points.
_SAME_PLACE_PT = 5.0
#: As many pages at least end with one row, but for its number, where that is a foot.
_TAILS = 4
_PAGE_NUMBER = re.compile(
    r"^(第?\s*[-–—|/·]*\s*P?\s*\d{1,4}\s*[-–—|/·]*\s*页?"
    r"(\s*[,，]?\s*(/|of|共|\|)?\s*\d{1,4}\s*页?)?|page\s*\d+(\s*(of|/)\s*\d+)?|[ivx]{1,5})$",
    re.IGNORECASE,
)
_NOTICE = re.compile(
    r"(请务必|请仔细|敬请|请参[阅见]|务请|请阅读).{0,24}(声明|免责|披露|条款|提示|说明)|"
    r"(please (see|read|refer)|refer to|see) .{0,60}(disclaimer|disclosure|certification)",
    re.IGNORECASE,
)
_COPYRIGHT = re.compile(
    r"^\W*(copyright|©|\(c\)\s*(19|20)\d\d)|all rights reserved|creativecommons\.org|"
    r"(open[ -]access article|licensed) under|版权所有|著作权所有|保留所有权利",
    re.IGNORECASE,
)
_CONTINUES = re.compile(
    r"^[.·\s]*[(（]?(接?[续转]?下页|见下页|未完待续|"
    r"continued( on (the )?next page)?)[)）]?[.·\s]*$|"
    r"^(see )?(the )?(accompanying |selected )?notes to (the |these )?"
    r"(interim |unaudited |condensed |consolidated )*financial statements"
    r"( are an integral part .{0,60})?\.?$|"
    r"^(the )?accompanying notes are an integral part .{0,70}$|"
    r"^(后附|所附|附注|财务报表附注).{0,12}(为|是)(本|上述)?财务报表.{0,6}组成部分。?$",
    re.IGNORECASE,
)
#: Whose report it is, as a head: 星河医药(301801.SZ)/医药.
_CODED_HEAD = re.compile(
    r"\s*\S{2,12}?\s?[(（]\d{5,6}(?:\.[A-Za-z]{2})?[)）](?:\s*[/|·]\s*\S{1,5})?\s*"
)
#: What a statement's head repeats from page to page and its figures need.
_UNIT = re.compile(
    r"\bin (millions|thousands|billions)\b|单位\s*[:：]|币种|^[□√☑☐\s]*(不?适用)", re.IGNORECASE
)

#: Figures of a table: masked they are alike from page to page.
_FIGURE = re.compile(r"[-–—+(（$¥€£\s]*\d[\d,]*([.,]\d+|,\d{3})[\d,.\s]*[%％)）]*|[-–—%$]+")


def _says_nothing(text: str) -> bool:
    return bool(_FIGURE.fullmatch(text.strip())) or is_list_mark(text)


def at_edge(box: Box, page: PageReading) -> bool:
    """Whether a box lies wholly in the head or foot of its page."""
    return box[3] <= EDGE * page.height or box[1] >= (1 - EDGE) * page.height


def is_page_number(text: str) -> bool:
    """Whether a text is a page number alone, Arabic or Roman."""
    return bool(_PAGE_NUMBER.match(folded(text)))


def points_on(text: str) -> bool:
    """Whether a line only says that the text goes on overleaf, or that notes belong to it."""
    return bool(_CONTINUES.match(folded(text)))


def is_coded_head(text: str) -> bool:
    """Whether a line names a stock by its code and says nothing of it."""
    return _CODED_HEAD.fullmatch(text) is not None


def is_notice(text: str) -> bool:
    """Whether a text points to the disclaimer, as the feet of reports do."""
    return bool(_NOTICE.search(folded(text)))


def is_copyright(text: str) -> bool:
    """Whether a line says who owns the rights, as the feet of papers and slides do."""
    return bool(_COPYRIGHT.search(folded(text)))


@dataclass(frozen=True)
class Running:
    """What a document repeats: `edges` at the edges of its pages, `spots` at one spot of most.

    Text is without spaces, its digits as 0; `edges` and `pairs` (what two pages share) map it to
    its heights in points. `usual` is what stands on half of the pages, and `slots` are heights
    and font sizes where nearly all that stands repeats, with what does. `tails` are numbered rows
    that end many pages, however high: pages printed from the web end with their text.
    """

    edges: dict[str, list[float]] = field(default_factory=dict[str, "list[float]"])
    pairs: dict[str, list[float]] = field(default_factory=dict[str, "list[float]"])
    spots: frozenset[tuple[str, int, int]] = frozenset()
    usual: frozenset[str] = frozenset()
    slots: tuple[tuple[float, float, frozenset[str]], ...] = ()
    tails: frozenset[str] = frozenset()

    def holds(self, line: TextLine, page: PageReading) -> bool:
        """Whether a line is one of the repeated ones."""
        if _says_nothing(line.text):
            return False
        text = masked(line.text)
        if at_edge(line.bbox, page):
            y = _height(line.bbox, page)
            if _near(y, self.edges.get(text, ())):
                return True
            if not _UNIT.search(line.text) and any(
                abs(y - height) <= 1.5 and abs(line.size - size) <= 0.3 and _alike(text, others)
                for height, size, others in self.slots
            ):
                return True
        return (text, *_spot(line)) in self.spots

    def on(self, page: PageReading, lines: Sequence[TextLine]) -> frozenset[int]:
        """`id` of the repeated lines of a page.

        Repeated lines that stand close above or below others of their size belong to them: the
        name of a company over the title of its statement is no running head, unless it stands
        so on most pages.
        """
        held = {id(line) for line in lines if self.holds(line, page)}
        for stack in _stacks([line for line in lines if held]):
            if all(id(line) in held or is_page_number(line.text) for line in stack):
                continue
            held -= {id(line) for line in stack if masked(line.text) not in self.usual}
        last = (line for row in rows(lines)[-1:] for line in row)
        return frozenset(held | {id(line) for line in last if masked(line.text) in self.tails})

    def agrees(self, line: TextLine, page: PageReading) -> bool:
        """Whether a second page at least has a line at the same place of its edge."""
        return _near(_height(line.bbox, page), self.pairs.get(masked(line.text), ()))


def masked(text: str) -> str:
    """A text without spaces, its figures as 0: pages that count on are one text so."""
    return re.sub(r"\d+", "0", "".join(text.split()))


def running_lines(pages: Sequence[PageReading], large: float) -> Running:
    """Find what a document repeats.

    Args:
        pages: all pages of one document.
        large: font size in points above which a line is a title, which a deck repeats over
            a few slides: such lines count from half of all pages on.

    Returns:
        Text at one height of the edge of 4 pages that follow each other (each, or each second
        one) or of a tenth of all and 3, of both where there are two; and text at one spot of
        60 % of the pages.
    """
    seen: dict[str, list[tuple[float, int, float]]] = defaultdict(list)
    spots: dict[tuple[str, int, int], set[int]] = defaultdict(set)
    at: dict[tuple[int, float], list[str]] = defaultdict(list)
    for index, page in enumerate(pages):
        grids = [box.bbox for box in page.layout if box.kind in TABLE_KINDS]
        for line in page.lines:
            text = masked(line.text)
            if not line.visible or len(text) > 200 or _says_nothing(line.text):
                continue
            if any(lies_in(line.bbox, grid) for grid in grids):
                continue
            spots[(text, *_spot(line))].add(index)
            if at_edge(line.bbox, page) and not _UNIT.search(line.text):
                y = _height(line.bbox, page)
                seen[text].append((y, index, line.size))
                at[round(y), line.size].append(text)
    edges = {
        text: heights
        for text, found in seen.items()
        if (heights := _repeated(found, len(pages), large))
    }
    pairs = {text: heights for text, found in seen.items() if (heights := _repeated(found, 2, 1e9))}
    slots = tuple(
        (float(y), size, frozenset(text for text in texts if text in edges))
        for (y, size), texts in at.items()
        if len(texts) >= max(3, 0.3 * len(pages))
        and 10 * sum(text in edges for text in texts) >= 8 * len(texts)
    )
    enough = max(3, 0.6 * len(pages))
    kept = frozenset(key for key, where in spots.items() if len(where) >= enough)
    usual = frozenset(
        text
        for text in edges
        if len({index for _, index, _ in seen[text]}) >= max(3, 0.5 * len(pages))
    )
    return Running(edges, pairs, kept, usual, slots, _tails(pages))


def _tails(pages: Sequence[PageReading]) -> frozenset[str]:
    """Rows of words with a number that counts the pages, at the end of a tenth of them, and 4."""
    ends: Counter[tuple[str, int]] = Counter()
    for page in pages:
        last = rows(line for line in page.lines if line.visible)[-1:]
        ends.update(
            {
                (masked(line.text), int(number) - page.page)
                for row in last
                for line in row
                if any(char.isalpha() for char in line.text)
                for number in re.findall(r"(?<!\d)\d{1,4}(?!\d)", line.text)
            }
        )
    enough = max(_TAILS, 0.1 * len(pages))
    return frozenset(text for (text, _), count in ends.items() if count >= enough)


def _repeated(
    found: Iterable[tuple[float, int, float]], page_count: int, large: float
) -> list[float]:
    """Heights at which one text stands on enough pages."""
    heights: list[float] = []
    groups: list[list[tuple[float, int, float]]] = []
    for item in sorted(found):
        if not groups or item[0] - groups[-1][-1][0] > _SAME_PLACE_PT:
            groups.append([])
        groups[-1].append(item)
    for group in groups:
        indices = sorted({index for _, index, _ in group})
        if max(size for _, _, size in group) > large:
            enough = len(indices) >= max(3, 0.5 * page_count)
        else:
            enough = _follow(indices) or len(indices) >= max(3, 0.1 * page_count)
            # of a report of three pages the cover has another head
            enough = enough or (
                page_count in (2, 3) and indices[-2:] == [page_count - 2, page_count - 1]
            )
        if enough:
            heights += [group[0][0], group[-1][0]]
    return heights


def _stacks(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """Rows of one size that follow each other without a gap."""
    stacks: list[list[TextLine]] = []
    for row in rows(lines):
        above = stacks[-1][-1] if stacks else None
        height = row[0].bbox[3] - row[0].bbox[1]
        if (
            above is None
            or row[0].bbox[1] - above.bbox[3] > 0.7 * height
            or abs(above.size - row[0].size) > 1.0
        ):
            stacks.append([])
        stacks[-1] += row
    return stacks


def _near(y: float, heights: Iterable[float]) -> bool:
    return any(abs(y - height) <= _SAME_PLACE_PT for height in heights)


def _alike(text: str, others: Iterable[str]) -> bool:
    """Whether a text begins or ends as one of the others does, as `Item 1B` does as `Item 1A`."""
    for other in others:
        half = max(3, (min(len(text), len(other)) + 1) // 2)
        if text[:half] == other[:half] or text[-half:] == other[-half:]:
            return True
    return False


def _follow(indices: Sequence[int]) -> bool:
    """Whether four pages follow each other, each or each second one.

    Three are not enough: the certificates behind an annual report open three pages alike.
    """
    there = set(indices)
    return any({i + step, i + 2 * step, i + 3 * step} <= there for i in indices for step in (1, 2))


def _height(box: Box, page: PageReading) -> float:
    """Distance of a line's middle from the edge that it stands at, negative at the foot."""
    y = centre(box)[1]
    return y if y < page.height / 2 else y - page.height


def _spot(line: TextLine) -> tuple[int, int]:
    return round(line.bbox[0] / 4), round(line.bbox[1] / 4)
