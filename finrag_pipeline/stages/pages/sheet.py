"""What is extracted of a page once, for its lines and for its tables."""

from __future__ import annotations

from dataclasses import dataclass

import pymupdf

from finrag_pipeline.stages.pages.artwork import count_paths

#: Everything a page prints inside its box; ligatures are spelt out, unknown glyphs stay U+FFFD.
_TEXT_FLAGS = (
    pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP | pymupdf.TEXT_COLLECT_STYLES
)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The text of a page, and how many paths it paints."""

    text: pymupdf.TextPage
    paths: int


def text_of(page: pymupdf.Page) -> pymupdf.TextPage:
    """The text of an upright page; costs about 5 ms."""
    return page.get_textpage(flags=_TEXT_FLAGS)


def sheet_of(page: pymupdf.Page) -> Sheet:
    """What an upright page prints; costs about 8 ms."""
    return Sheet(text_of(page), count_paths(page))
