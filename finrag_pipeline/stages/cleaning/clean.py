"""Cleaning: every line of a document in exactly one region, kept or dropped by a named rule.

What the words say (metadata, figures) is read elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from finrag_pipeline.records import PageReading, Region
from finrag_pipeline.stages.cleaning.advertisements import is_advertising_page
from finrag_pipeline.stages.cleaning.blocks import Block, page_blocks
from finrag_pipeline.stages.cleaning.boxes import TABLE_KINDS
from finrag_pipeline.stages.cleaning.contents import is_contents_heading, is_entry
from finrag_pipeline.stages.cleaning.cover import cover_matter, is_cover_data, is_cover_line
from finrag_pipeline.stages.cleaning.edges import running_lines
from finrag_pipeline.stages.cleaning.filings import is_filing
from finrag_pipeline.stages.cleaning.geometry import reading_order
from finrag_pipeline.stages.cleaning.headings import Sections, body_size, is_caption, is_heading
from finrag_pipeline.stages.cleaning.marks import watermarks
from finrag_pipeline.stages.cleaning.passages import disclaimers
from finrag_pipeline.stages.cleaning.rules import BLOCK_RULES, PageContext, table
from finrag_pipeline.stages.cleaning.run_in import joined
from finrag_pipeline.stages.cleaning.text import (
    SENTENCE_END,
    is_prose,
    is_sentence,
    join_rows,
    usual_size,
    weight,
)

__all__ = ["RULES", "clean"]

#: Boxes that may hold the report's title; a headline in a head has been kept by then.
_TITLES = ("section-header", "title", "page-header")
#: Running heads are printed in the size of the text or smaller; what is larger is a title.
_TITLE_STEP_PT = 2.0
#: A page with as many entries is one of contents, though their heading stands on the page before.
_CONTENTS_ROWS = 4
#: Half-width characters of the longest entry without leaders.
_ENTRY = 64
#: Every rule that can drop a region.
RULES = (*(name for name, _ in BLOCK_RULES), "disclaimer", "table", "cover_block")


def clean(pages: Sequence[PageReading]) -> tuple[Region, ...]:
    """Assign every line of a document to one region and decide which regions are kept.

    Args:
        pages: all pages of one document in order.

    Returns:
        Regions in reading order. Their text holds every non-space character of the lines exactly
        once; dropped labels keep their printed rows as lines. Kinds: ``title``, ``heading``,
        ``text``, ``caption``, ``side``, ``cover``,
        ``table``, ``picture``, ``header``, ``footer``, ``marker``, ``watermark``,
        ``invisible``, ``source``, ``form``.
    """
    marks, filing = watermarks(pages), is_filing(pages)
    usual = usual_size(line for page in pages for line in page.lines if line.visible)
    running = running_lines(pages, usual + _TITLE_STEP_PT)
    blocks = [_ordered(joined(page_blocks(page, marks, running))) for page in pages]
    rules: dict[Block, str] = {}
    for page, page_of_blocks in zip(pages, blocks, strict=True):
        listed = any(is_contents_heading(block.text) for block in page_of_blocks)
        printed = [join_rows([row]) for block in page_of_blocks for row in block.rows]
        advertising = is_advertising_page(printed)
        context = PageContext(page, len(pages), running, filing, listed, advertising)
        for block in page_of_blocks:
            name = next((name for name, rule in BLOCK_RULES if rule(block, context)), None)
            if name is not None:
                rules[block] = name
        if page.page > 1:
            rules |= dict.fromkeys(_contents_left(page_of_blocks, rules), "contents_page")
    kinds: dict[Block, str] = {}

    def left() -> list[list[Block | None]]:
        return [[None if block in rules else block for block in page] for page in blocks]

    if not filing:
        rules |= dict.fromkeys(disclaimers(left()), "disclaimer")
    for page, page_of_blocks in zip(pages, left(), strict=True):
        grids = [b for b in page_of_blocks if b is not None and table(b, PageContext(page))]
        rules |= dict.fromkeys(grids, "table")
    body = body_size([block for page in left() for block in page if block is not None])
    if pages and pages[0].page == 1:
        title = _title(left()[0], pages[0])
        kinds |= dict.fromkeys(title, "title")
        matter = cover_matter([b for b in left()[0] if b not in title], pages[0].width)
        # rating and prices are the cover's wherever on it they stand
        matter |= {block: "cover" for block in blocks[0] if _holds_data(block, rules.get(block))}
        kinds |= matter
        rules |= dict.fromkeys(matter, "cover_block")
    flat = [block for page in blocks for block in page]
    for block in flat:
        kinds.setdefault(block, _kind(block, body))
    headings = [block for block in flat if block not in rules and kinds[block] == "heading"]
    return _regions(flat, rules, kinds, Sections(headings))


def _holds_data(block: Block, rule: str | None) -> bool:
    return rule in ("page_header", "page_footer", "contact", "chart") and is_cover_data(
        "\n".join(join_rows([row]) for row in block.rows)
    )


def _ordered(blocks: Sequence[Block]) -> list[Block]:
    """Running heads first and feet last, as the model has them; the rest as a reader goes."""
    heads = [block for block in blocks if block.kind == "page-header"]
    feet = [block for block in blocks if block.kind == "page-footer"]
    hidden = [block for block in blocks if block.kind in ("invisible", "marker", "watermark")]
    apart = {id(block) for block in (*heads, *feet, *hidden)}
    return [
        *reading_order(heads),
        *hidden,
        *reading_order([block for block in blocks if id(block) not in apart]),
        *reading_order(feet),
    ]


def _contents_left(blocks: Sequence[Block], rules: dict[Block, str]) -> list[Block]:
    """What a page of contents has beside the entries that tell themselves.

    Under its heading, without a sentence or a table on the page, all that is short; else what
    looks like an entry.
    """
    taken = [block for block in blocks if rules.get(block) == "contents_page"]
    listed = any(is_contents_heading(block.text) for block in taken)
    if not listed and sum(len(block.rows) for block in taken) < _CONTENTS_ROWS:
        return []
    left = [block for block in blocks if block not in rules]
    told = any(
        block.kind in TABLE_KINDS
        or is_sentence(block.text)
        or (is_prose(block.text) and SENTENCE_END.search(block.text))
        for block in left
    )
    short = [block for block in left if weight(block.text) <= _ENTRY]
    return [block for block in short if (listed and not told) or is_entry(block.text)]


def _title(blocks: Sequence[Block | None], page: PageReading) -> list[Block]:
    """The report's own title: the largest print in the upper half of the first page.

    Name and code of the company, ratings and dates are as large on some covers, and no title.
    """
    upper = [
        block
        for block in blocks
        if block is not None
        and block.kind in (*_TITLES, "text", "loose")
        and block.bbox[1] < 0.5 * page.height
        and len("".join(block.text.split())) >= 6
        and weight(block.text) <= 160
        and not is_cover_line(block.text)
    ]
    titled = [block for block in upper if block.kind in _TITLES] or upper
    if not titled:
        return []
    largest = max(block.size for block in titled)
    return [block for block in titled if block.size >= largest - 0.5]


def _kind(block: Block, body: float) -> str:
    if block.kind in ("page-header", "page-footer"):
        return block.kind.removeprefix("page-")
    if block.kind == "repeated":
        return "header"
    if block.kind in ("picture", "marker", "watermark", "invisible", "source", "form"):
        return block.kind
    if block.kind in TABLE_KINDS:
        return "table"
    if is_caption(block):
        return "caption"
    return "heading" if is_heading(block, body) else "text"


def _regions(
    blocks: Sequence[Block], rules: dict[Block, str], kinds: dict[Block, str], sections: Sections
) -> tuple[Region, ...]:
    regions: list[Region] = []
    for ordinal, block in enumerate(blocks):
        kind, rule = kinds[block], rules.get(block)
        if kind in ("header", "footer") and rule is None:
            kind = "text"
        if kind == "heading" and rule is None:
            sections.enter(block)
        # nobody reads dropped labels as text, so they keep their rows, which part names from titles
        labels = rule is not None and not is_prose(block.text)
        text = "\n".join(join_rows([row]) for row in block.rows) if labels else block.text
        region = Region(ordinal, block.page, block.bbox, kind, text, rule)
        regions.append(replace(region, section=sections.path))
    return tuple(regions)
