"""Tells filings of a company from reports about it.

A filing's addresses, statements of responsibility and disclosures are its content, where a
broker's are not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.records import PageReading
from finrag_pipeline.stages.cleaning.geometry import rows
from finrag_pipeline.stages.cleaning.text import folded, join_rows

_TITLE = re.compile(
    r"^\S{0,40}?((年度|半年度|季度|中期)报告(全文|正文|摘要|书)?|年报(全文|摘要)?|招股(说明|意向)书(摘要)?|"
    r"募集说明书|公告|上市公告书|债券\S{0,12}说明书)([（(]\S{1,16}[)）])?$"
)
_ENGLISH_TITLE = re.compile(
    r"^(united states )?securities and exchange commission$|"
    r"^(annual|quarterly|interim|half-year|current) report( pursuant to section .*| \d{4})?$|"
    r"^form\s*(10-[kq]|8-k|20-f|6-k|s-1|def 14a)\b.{0,20}$",
    re.IGNORECASE,
)
_BROKER = re.compile(
    r"(证券)?分析师|研究(助理|员|所|部|中心)|证券研究|投资评级|研究报告|[点简]评|equity research|"
    r"analyst|(buy|hold|neutral|outperform)\b.*\brating",
    re.IGNORECASE,
)


def is_filing(pages: Sequence[PageReading]) -> bool:
    """Whether the first page is titled as a filing and names no broker's analysts."""
    if not pages:
        return False
    lines = [line for line in pages[0].lines if line.visible]
    texts = [folded(join_rows([row])) for row in rows(lines)]
    titled = any(
        _TITLE.match("".join(text.split())) or _ENGLISH_TITLE.match(text) for text in texts
    )
    return titled and not any(map(_BROKER.search, texts))
