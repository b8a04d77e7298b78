"""Puts run-in headings back on the row that they open: bold words with the text behind them.

The layout model may draw a box around ``投资建议：`` alone; its paragraph then lacks its subject.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.stages.cleaning.blocks import Block
from finrag_pipeline.stages.cleaning.geometry import centre
from finrag_pipeline.stages.cleaning.marks import opens_item
from finrag_pipeline.stages.cleaning.text import join_rows, weight

_HEADINGS = ("section-header", "title")
_TEXTS = ("text", "list-item")
#: Half-width characters of a lead-in's last row: the rest of the row is the paragraph's.
_LONGEST = 80
#: Bold words and what they lead to: ``投资建议：我们预计``.
_LEAD = re.compile(r"^\W*[^：:。]{2,24}[：:。]\s*\S{2,}.*[^。！？：:]$", re.DOTALL)


def joined(blocks: Sequence[Block]) -> list[Block]:
    """Blocks of a page, each run-in heading in one block with its paragraph.

    A heading runs in where the first row of a text of its size stands behind its last row.
    """
    texts = [block for block in blocks if block.kind in _TEXTS]
    found: dict[Block, Block] = {}
    for block in blocks:
        if block.kind in _HEADINGS and weight(join_rows(block.rows[-1:])) <= _LONGEST:
            text = next((each for each in texts if _opens(block, each)), None)
            if text is not None and text not in found.values():
                found[block] = text
    paragraphs = {text: heading for heading, text in found.items()}
    result: list[Block] = []
    for block in blocks:
        if block in paragraphs:
            lines = paragraphs[block].lines + block.lines
            result.append(Block(block.page, block.kind, lines))
        elif block not in found:
            result.append(block)
    return result


def _opens(heading: Block, text: Block) -> bool:
    """Whether a text goes on where a heading's last row ends: behind it, or below a full row."""
    last, first = heading.rows[-1][-1], text.rows[0][0]
    size = last.size
    if abs(size - first.size) > 1.0:
        return False
    if last.bbox[1] <= centre(first.bbox)[1] <= last.bbox[3]:
        behind = -0.5 * size <= first.bbox[0] - last.bbox[2] <= 2.5 * size
        return behind and (len(text.rows) == 1 or text.bbox[0] <= heading.bbox[0] + 2.5 * size)
    below = 0 <= first.bbox[1] - last.bbox[1] <= 2.2 * size
    full = abs(last.bbox[2] - text.bbox[2]) <= 1.5 * size and len(text.rows) > 1
    level = abs(last.bbox[0] - text.bbox[0]) <= 3 * size
    return (
        below and full and level and bool(_LEAD.search(heading.text)) and not opens_item(first.text)
    )
