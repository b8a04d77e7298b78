"""What stands over a table on its page and tells of what it is: its caption and the headings."""

from __future__ import annotations

import re

from finrag_pipeline.query.evidence.table import TableItem

#: What leads to a table or heads it, and nothing else: forms, units, pages.
_FORM = re.compile(
    r"[√✓□☑■\s]*(?:适用|不适用)|[√✓□☑■]|^\W*(?:单位|币种|货币|金额单位)|^\W*\d*\s*/?\s*\d*\W*$|年度?报告(?:全文|摘要)?$"
)
_SENTENCE = re.compile(r"[。；;！？]")
#: Characters of a heading, and how many of them are read.
_LONGEST, _MOST = 50, 3
#: A heading may reach so far into the table, in points.
_INSIDE_PT = 3.0


def headings_over(item: TableItem) -> tuple[str, ...]:
    """The headings that stand nearest above a table on its page, the nearest first."""
    page, top = item.places[0].page, item.places[0].bbox[1]
    above = sorted(
        (
            (place.bbox[3], text)
            for place, text in item.regions_text
            if place.page == page and place.bbox[3] <= top + _INSIDE_PT
        ),
        reverse=True,
    )
    found: list[str] = []
    for _, text in above:
        lines = [" ".join(each.split()) for each in text.splitlines()]
        for line in reversed([each for each in lines if each]):
            if len(line) > _LONGEST or _SENTENCE.search(line):
                continue
            if not _FORM.search(line):
                found.append(line)
            if len(found) == _MOST:
                return tuple(found)
    return tuple(found)
