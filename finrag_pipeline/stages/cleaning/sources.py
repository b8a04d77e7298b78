"""Lines below figures and tables that say where they come from, and notes that explain them.

Tables keep those of their own as footnotes; in running text they are no sentences of the report.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from finrag_pipeline.records import TextLine
from finrag_pipeline.stages.cleaning.geometry import rows
from finrag_pipeline.stages.cleaning.text import (
    SENTENCE_END,
    SOURCE_LABEL,
    folded,
    weight,
)

_LABEL = (
    rf"(?:{SOURCE_LABEL}|(?:图表?|表格?|内容|报告|部分|以上|原始)?(?:资料|数据)?(?:来源|提供|出处)|"
    r"(?:资料|数据)来源(?:及\S{1,6}|于)|(?:制|绘)[图表])"
)
#: What the letter behind a year means: ``E=浦银国际预测``, ``A 为实际值，E 为预测值``.
_KEY = (
    r"[AEF]\s*(?:[=:]|为|表示|代表)\s*[^,，;；。\s]{0,12}"
    r"(?:预测|估计|预计|预期|实际|历史|forecast|estimate|actual|expect)[^,，;；。\s]{0,3}[,，;；]?\s*"
)
_SOURCE = re.compile(rf"^[\W_]{{0,3}}(?:{_KEY})*{_LABEL}\s*[:]", re.IGNORECASE)
_BARE = re.compile(r"^[\W_]{0,2}(?:资料|数据)来源\s+\S")
_KEY_ALONE = re.compile(rf"^[\W_]{{0,3}}(?:{_KEY})+$")
#: A short remark with its source behind it: ``截至5月9日收盘；资料来源：Wind``.
_TAIL = re.compile(rf"^.{{0,60}}?[;。,)\]\s]\s*{_LABEL}\s*:")
_SHORT_TAIL = 120
_NOTE = re.compile(
    r"^[\W_]{0,3}(?:(?:附|备)?注|说明|样本(?:量|数)?|Notes?|N\.?B\.?)\s*\d{0,2}\s*(?::|\.(?!\d))|"
    r"^\*{1,3}\s*(?:数据|股价|收盘价|行情)?截[至止]\s*\S{2,30}$",
    re.IGNORECASE,
)
#: Notes of the reports seen have up to 95 Chinese characters; longer ones are arguments.
_LONGEST_NOTE = 200
#: A source line that fills its column has that much text, in half-width characters.
_LONG = 50


def is_source(text: str) -> bool:
    """Whether a printed row names the source of a figure or table, or explains its letters.

    >>> is_source("（资料来源：公司公告，E=研究所预测）"), is_source("收入来源：海外订单。")
    (True, False)
    """
    bare = folded(text)
    if _SOURCE.match(bare) or _BARE.match(bare):
        return True
    return weight(bare) <= _SHORT_TAIL and bool(_TAIL.match(bare) or _KEY_ALONE.match(bare))


def is_note(text: str) -> bool:
    """Whether a paragraph is a short note on a figure or table.

    >>> is_note("注：每股收益按最新股本摊薄计算"), is_note("注意风险。")
    (True, False)
    """
    bare = folded(text)
    argues = "。" in bare[:-1] and weight(bare) > _LONG
    return weight(bare) <= _LONGEST_NOTE and bool(_NOTE.match(bare)) and not argues


def source_lines(lines: Sequence[TextLine]) -> list[TextLine]:
    """Lines of a page that name a source, with the rows that such a line runs on to."""
    found = {id(line): line for line in lines if is_source(line.text)}
    for above, row in pairwise(rows(lines)):
        for line in row:
            if any(id(over) in found and _runs_on(over, line) for over in above):
                found[id(line)] = line
    return list(found.values())


def _runs_on(line: TextLine, below: TextLine) -> bool:
    """Whether a long line goes on in the one below it: of its print, close, and no longer."""
    height = line.bbox[3] - line.bbox[1]
    return (
        weight(line.text) >= _LONG
        and not SENTENCE_END.search(line.text)
        and abs(line.size - below.size) < 0.3
        and abs(line.bbox[0] - below.bbox[0]) < 2 * line.size
        and below.bbox[1] - line.bbox[3] < 0.5 * height
        and below.bbox[2] < line.bbox[2]
    )
