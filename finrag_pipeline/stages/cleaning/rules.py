"""The rules that drop a block by what it is and where it stands, each a small predicate.

Rules that need the run of the document (disclaimers, the cover) are in `passages` and `cover`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from finrag_pipeline.records import PageReading
from finrag_pipeline.stages.cleaning.advertisements import is_advertisement
from finrag_pipeline.stages.cleaning.blocks import Block
from finrag_pipeline.stages.cleaning.boxes import TABLE_KINDS
from finrag_pipeline.stages.cleaning.contacts import (
    is_biography,
    is_contact_text,
    is_team_title,
    without_contacts,
)
from finrag_pipeline.stages.cleaning.contents import (
    is_contents,
    is_contents_heading,
    is_listing,
)
from finrag_pipeline.stages.cleaning.cover import is_cover_line
from finrag_pipeline.stages.cleaning.edges import (
    Running,
    at_edge,
    is_coded_head,
    is_copyright,
    is_notice,
    is_page_number,
    points_on,
)
from finrag_pipeline.stages.cleaning.forms import is_signed
from finrag_pipeline.stages.cleaning.marks import opens_item
from finrag_pipeline.stages.cleaning.plain import are_labels
from finrag_pipeline.stages.cleaning.sources import is_note
from finrag_pipeline.stages.cleaning.text import SENTENCE_END, is_prose, join_rows, weight

#: Running heads of the reports seen are short or small: a longer line of this size is a headline.
_HEADLINE_PT = 12.0
#: A document of so few pages may show a running head once.
_FEW_PAGES = 6


@dataclass(frozen=True, slots=True)
class PageContext:
    """What a rule may ask about the page that a block stands on and its document."""

    page: PageReading
    page_count: int = 1
    running: Running = field(default_factory=Running)
    filing: bool = False
    under_contents: bool = False
    advertising: bool = False


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
    """A running head that the model sees, where repetition or a small document bears it out, or
    that names the stock alone."""
    later = context.page.page > 1 and at_edge(block.bbox, context.page)
    coded = later and is_coded_head(block.text) and block.kind not in TABLE_KINDS
    return coded or (block.kind == "page-header" and not _is_body(block, context))


def page_footer(block: Block, context: PageContext) -> bool:
    """A running foot, a page number or a pointer to the disclaimer at the page's edge."""
    if points_on(block.text) or block.kind == "foot":
        return True
    if block.kind == "page-footer" and not _is_body(block, context):
        return True
    said = is_notice(block.text) or is_copyright(block.text)
    sign = is_page_number(block.text) or (said and weight(block.text) <= 160)
    return at_edge(block.bbox, context.page) and sign and block.kind not in TABLE_KINDS


def repeated_line(block: Block, context: PageContext) -> bool:
    """Text that stands at one place of several pages."""
    return block.kind == "repeated" and not _is_headline(block, context)


def watermark(block: Block, context: PageContext) -> bool:
    """The same words all over the pages, printed across the text."""
    return block.kind == "watermark"


def contents_page(block: Block, context: PageContext) -> bool:
    """Lines of a table of contents: titles that end in page numbers which rise."""
    if is_contents_heading(block.text):
        return True
    texts = [join_rows([row]) for row in block.rows]
    if is_contents(texts):
        return True
    figures = block.kind in TABLE_KINDS and not context.under_contents
    return not figures and not is_prose(block.text) and is_listing(texts, context.under_contents)


def advertisement(block: Block, context: PageContext) -> bool:
    """What the platform that hands a report on says of itself; all of a page that it inserted."""
    if context.filing or block.kind in TABLE_KINDS:
        return False
    return context.advertising or is_advertisement(block.text)


def contact(block: Block, context: PageContext) -> bool:
    """Phones, addresses, licences that fill a block, lives of analysts; a filing's are its own."""
    if block.kind == "picture" or (context.filing and weight(block.text) > 60):
        return False
    if not context.filing and (is_biography(block.text) or is_team_title(block.text)):
        return True
    if context.filing and block.kind in TABLE_KINDS:
        return False
    hits = sum(is_contact_text(join_rows([row])) for row in block.rows)
    few = hits == 0 or 3 * hits < len(block.rows)
    beside = without_contacts(block.text)
    # addresses of authors have as many commas as prose, and no full stop
    listed = context.page.page == 1 and not SENTENCE_END.search(beside)
    return not few and (listed or not is_prose(beside))


def form(block: Block, context: PageContext) -> bool:
    """Boxes of a form with what they stand for, such as ``□适用 √不适用``, and who signed it."""
    return block.kind == "form" or is_signed(block.text)


def source_line(block: Block, context: PageContext) -> bool:
    """Where a figure or table comes from, and short notes below one; a filing's are its content."""
    return block.kind == "source" or (not context.filing and is_note(block.text))


def chart(block: Block, context: PageContext) -> bool:
    """Labels inside a picture and axis labels beside one."""
    if block.kind == "picture":
        return True
    if block.kind != "loose" or is_prose(block.text) or opens_item(block.text):
        return False
    return are_labels([join_rows([row]) for row in block.rows])


def symbols(block: Block, context: PageContext) -> bool:
    """Nothing but digits and signs; columns of figures are a table's."""
    tail = block.text.rstrip().endswith(("。", "；"))  # the last figure of a sentence
    return not (tail or block.kind in TABLE_KINDS or any(char.isalpha() for char in block.text))


#: Rules in the order they are asked; the first that holds names the drop. `table` is asked after
#: these and after disclaimers: contents pages, sales contacts and rating scales come in grids too.
BLOCK_RULES: tuple[tuple[str, Rule], ...] = (
    ("invisible", invisible),
    ("template_marker", template_marker),
    ("page_header", page_header),
    ("page_footer", page_footer),
    ("watermark", watermark),
    ("repeated_line", repeated_line),
    ("contents_page", contents_page),
    ("advertisement", advertisement),
    ("form", form),
    ("source_line", source_line),
    ("contact", contact),
    ("chart", chart),
    ("symbols", symbols),
)


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
    _, y0, _, y1 = block.bbox
    if at_edge(block.bbox, context.page):
        return not (_runs(block, context) or _short_head(block, context))
    low_head = block.kind == "page-header" and y0 > 0.3 * context.page.height
    high_foot = block.kind == "page-footer" and y1 < 0.8 * context.page.height
    level = block.bbox[2] - block.bbox[0] > y1 - y0  # vertical side titles are running heads
    if level and (low_head or high_foot or (is_prose(block.text) and len(block.rows) >= 2)):
        return True
    return level and context.page_count > _FEW_PAGES and not _runs(block, context)


def _runs(block: Block, context: PageContext) -> bool:
    """Whether all lines of a block repeat, number the page or point to the disclaimer."""
    page, running = context.page, context.running
    return is_notice(block.text) or all(
        is_page_number(line.text) or running.holds(line, page) or running.agrees(line, page)
        for line in block.lines
    )


def _short_head(block: Block, context: PageContext) -> bool:
    """Whether the model's word is enough: a label on a cover, a last page or one of few pages."""
    edge_page = context.page.page in (1, context.page_count)
    label = weight(block.text) <= 100 and not (
        SENTENCE_END.search(block.text) and weight(block.text) > 30
    )
    return label and (edge_page or context.page_count <= _FEW_PAGES)
