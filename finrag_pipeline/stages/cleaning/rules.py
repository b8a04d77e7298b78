"""The rules that drop a block by what it is and where it stands, each a small predicate.

Rules that need the run of the document (disclaimers, the cover) are in `passages`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from finrag_pipeline.records import PageReading
from finrag_pipeline.stages.cleaning.blocks import TABLE_KINDS, Block
from finrag_pipeline.stages.cleaning.cover import is_cover_line
from finrag_pipeline.stages.cleaning.text import despace, is_prose, join_rows, weight

#: Running heads and feet stand within this share of the page height from its edges.
EDGE = 0.12
#: Running heads of the reports seen are short or small: a longer line of this size is a headline.
_HEADLINE_PT = 12.0
_PAGE_NUMBER = re.compile(
    r"^(第?\s*[-–—|/]*\s*P?\s*\d{1,4}\s*[-–—|/]*\s*页?"
    r"(\s*[,，]?\s*(/|of|共)?\s*\d{1,4}\s*页?)?|page\s*\d+(\s*of\s*\d+)?)$",
    re.IGNORECASE,
)
_NOTICE = re.compile(r"(请务必|请仔细|敬请|请参[阅见]|务请).{0,24}(声明|免责|披露|条款|提示|说明)")
_DOTTED = re.compile(r"(\.{4,}|…{2,}|·{4,}|．{4,}|(\.\s){4,}|_{6,})\s*\d{0,4}\s*$")
_ENDS_IN_PAGE = re.compile(r"\D[\s.…·]+\d{1,3}\s*$")
_CONTENTS_HEADING = re.compile(
    r"^(目\s*录|内容目录|正文目录|图表?目录|表格?目录|插图目录|图表索引|table of contents|contents|"
    r"(list of )?(figures|tables|charts))$",
    re.IGNORECASE,
)
_PHONE = re.compile(
    r"(?<!\d)(0\d{2,3}[-\s]?\d{7,8}|1[3-9]\d{9}|[48]00[-\s]{1,3}\d{3,4}[-\s]{1,3}\d{3,4}|"
    r"(\(\+?\d{2,3}\)|\+\d{2,3})[-\s]?\d{3,4}[-\s]?\d{4}|\d{3}-\d{3}-\d{4})(?!\d)"
)
_EMAIL = re.compile(r"[\w.\-]+@[\w\-]+(\.[\w\-]+)+")
_CONTACT = re.compile(
    r"(电话|手机|传真|邮箱|邮编|地址|网址|邮件|联系方式|\bTel\b|\bFax\b|E-?mail|Address)\s*[:：]"
    r"|https?://|www\.",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"[省市区县].{0,20}[路街道].{0,16}\d+\s*号|\d+\s*[层楼座室]$")
_LICENCE = re.compile(
    r"(执业|SAC|证书|资格).{0,8}(编号|证号|证书|No)?\s*[:：]?\s*S\d{13}|^S\d{13}$"
)
_SALES = re.compile(r"(机构)?销售(团队|人员|经理|总监)?(通讯录|联系方式)?$|^销售")


@dataclass(frozen=True, slots=True)
class PageContext:
    """What a rule may ask about the page that a block stands on."""

    page: PageReading
    repeated: frozenset[str] = field(default_factory=frozenset)

    def at_edge(self, block: Block) -> bool:
        """Whether a block stands wholly in the head or foot of its page."""
        return (
            block.bbox[3] <= EDGE * self.page.height
            or block.bbox[1] >= (1 - EDGE) * self.page.height
        )


Rule = Callable[[Block, PageContext], bool]


def invisible(block: Block, context: PageContext) -> bool:
    """Text that no reader can see."""
    return block.kind == "invisible"


def template_marker(block: Block, context: PageContext) -> bool:
    """Names of template fields that were left in the file, such as ``[Table_Summary]``."""
    return block.kind == "marker"


def table(block: Block, context: PageContext) -> bool:
    """Text in a table box; it lives on in `html_tables`."""
    return block.kind in TABLE_KINDS


def page_header(block: Block, context: PageContext) -> bool:
    """A running head. The model decides, except over running text and the cover's headline."""
    return block.kind == "page-header" and not _is_body(block, context)


def page_footer(block: Block, context: PageContext) -> bool:
    """A running foot, a page number or a pointer to the disclaimer at the page's edge."""
    if block.kind == "page-footer" and not _is_body(block, context):
        return True
    text = despace(block.text)
    return context.at_edge(block) and bool(_PAGE_NUMBER.match(text) or _NOTICE.search(text))


def repeated_line(block: Block, context: PageContext) -> bool:
    """Text that stands at the edge of several pages, or at one spot of most pages."""
    return not _is_headline(block, context) and any(
        key in context.repeated
        for key in (_edge_key(block, context.page), _spot_key(block))
        if key is not None
    )


def watermark(block: Block, context: PageContext) -> bool:
    """The same words all over the pages, printed across the text."""
    return block.kind == "watermark"


def contents_page(block: Block, context: PageContext) -> bool:
    """Lines of a table of contents: dotted leaders, or titles that end in page numbers."""
    if _CONTENTS_HEADING.match(despace(block.text)):
        return True
    texts = [join_rows([row]) for row in block.rows]
    if is_contents(texts):
        return True
    numbered = sum(bool(_ENDS_IN_PAGE.search(text)) for text in texts)
    figures = block.kind in TABLE_KINDS or is_prose(block.text)
    return len(texts) >= 4 and 10 * numbered >= 7 * len(texts) and not figures


def is_contents(rows: Sequence[str]) -> bool:
    """Whether half of some rows are titles with dotted leaders."""
    return 2 * sum(bool(_DOTTED.search(row)) for row in rows) >= len(rows)


def contact(block: Block, context: PageContext) -> bool:
    """Phones, addresses and licences of people and offices, where they fill the block."""
    if block.kind == "picture":
        return False
    rows = [join_rows([row]) for row in block.rows]
    hits = sum(is_contact_text(row) for row in rows)
    return hits > 0 and 3 * hits >= len(rows) and not is_prose(_without_contacts(block.text))


def chart(block: Block, context: PageContext) -> bool:
    """Labels inside a picture, axis labels beside one, and source lines."""
    if block.kind in ("picture", "source"):
        return True
    if block.kind != "loose" or is_prose(block.text):
        return False
    shown = "".join(block.text.split())
    digits = sum(char.isdigit() or char in "%.,-/" for char in shown)
    short = sum(weight(line.text) <= 12 for line in block.lines)
    return 10 * digits >= 4 * len(shown) or (len(block.lines) >= 3 and short == len(block.lines))


def symbols(block: Block, context: PageContext) -> bool:
    """Nothing but digits and signs."""
    return not any(char.isalpha() for char in block.text)


#: Rules in the order they are asked; the first that holds names the drop. `table` is asked after
#: these and after disclaimers: contents pages, sales contacts and rating scales come in grids too.
BLOCK_RULES: tuple[tuple[str, Rule], ...] = (
    ("invisible", invisible),
    ("template_marker", template_marker),
    ("page_header", page_header),
    ("page_footer", page_footer),
    ("watermark", watermark),
    ("contents_page", contents_page),
    ("contact", contact),
    ("chart", chart),
    ("repeated_line", repeated_line),
    ("symbols", symbols),
)


def repeated_keys(pages: Sequence[tuple[PageReading, Sequence[Block]]]) -> frozenset[str]:
    """What `repeated_line` looks for in a document.

    Args:
        pages: each page with its blocks.

    Returns:
        Keys of edge text found on 3 pages, or on both of two (of a title, which a deck repeats
        over a few slides, on half of all); and of text at one spot on 3 pages and 60 % of all.
    """
    edges: Counter[str] = Counter()
    spots: Counter[str] = Counter()
    for page, blocks in pages:
        text = [block for block in blocks if block.kind not in (*TABLE_KINDS, "invisible")]
        edges.update({key for block in text if (key := _edge_key(block, page)) is not None})
        spots.update({_spot_key(block) for block in text})
    enough = min(3, max(2, len(pages)))
    kept = {
        key
        for key, count in edges.items()
        if count >= (max(enough, 0.5 * len(pages)) if key.startswith("title") else enough)
    }
    kept |= {key for key, count in spots.items() if count >= max(3, 0.6 * len(pages))}
    return frozenset(kept)


def _edge_key(block: Block, page: PageReading) -> str | None:
    if not PageContext(page).at_edge(block):
        return None
    place = "title " if block.kind in ("section-header", "title") else "edge "
    return place + re.sub(r"\d+", "0", "".join(block.text.split()))


def _spot_key(block: Block) -> str:
    x, y = round(block.bbox[0] / 4), round(block.bbox[1] / 4)
    return f"spot {x} {y} " + re.sub(r"\d+", "0", "".join(block.text.split()))


def _is_headline(block: Block, context: PageContext) -> bool:
    """The cover's headline, which later pages may repeat in their running heads."""
    return (
        context.page.page == 1
        and block.size >= _HEADLINE_PT
        and weight(block.text) >= 24
        and not is_cover_line(block.text)
    )


def _is_body(block: Block, context: PageContext) -> bool:
    """What the model takes for a head or foot, but is a headline or stands where text does."""
    if _is_headline(block, context):
        return True
    if context.at_edge(block):
        return False
    _, y0, _, y1 = block.bbox
    low_head = block.kind == "page-header" and y0 > 0.3 * context.page.height
    high_foot = block.kind == "page-footer" and y1 < 0.8 * context.page.height
    level = block.bbox[2] - block.bbox[0] > y1 - y0  # vertical side titles are running heads
    return level and (low_head or high_foot or (is_prose(block.text) and len(block.rows) >= 2))


def is_contact_text(row: str) -> bool:
    """Whether one row or cell is a phone, an address, a licence or the like."""
    bare = despace(row)
    return bool(
        _EMAIL.search(bare)
        or _LICENCE.search(bare)
        or _ADDRESS.search(bare)
        or _SALES.search(bare)
        or (_CONTACT.search(bare) and weight(_without_contacts(bare)) < 40)
        or (_PHONE.search(bare) and weight(_PHONE.sub("", bare)) < 30)
    )


def _without_contacts(text: str) -> str:
    for pattern in (_EMAIL, _LICENCE, _PHONE, _CONTACT):
        text = pattern.sub("", text)
    return text
