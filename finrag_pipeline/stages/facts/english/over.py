"""What stands over an English table: of when and whose it is, where the table does not say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from finrag_pipeline.records import Region, Table

#: Lines over a table that may tell, and how long such a line is at most.
_LINES, _LONG = 8, 110
#: Height in points of less than two lines.
_LINE_PT = 18.0
_PARENT = re.compile(
    r"parent[ -]company|company[ -]only|\(parent only\)|of (?:the )?registrant|"
    r"(?:statements?|balance sheets?|position) of the company\b|unconsolidated",
    re.IGNORECASE,
)
#: Figures of others, or as they might have been.
_HYPOTHETICAL = re.compile(
    r"pro[ -]forma|non-gaap|reconciliation of|as adjusted to|equity[- ]method invest|affiliates?\b|"
    r"investees?|guarantor|discontinued operations|held for sale|purchase price|"
    r"variable interest",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\b(?:years?|months?|weeks?|quarters?|half|fiscal|as (?:of|at))\b|\b(?:19|20)\d\d\b", re.I
)


@dataclass(frozen=True, slots=True)
class Over:
    """What stands over a table.

    Attributes:
        text: lines that may say when it is of.
        parent: whether it is of the parent company alone.
        hypothetical: whether it is of others, or adjusted.
    """

    text: str
    parent: bool
    hypothetical: bool


def over_table(table: Table, regions: Sequence[Region]) -> Over:
    """What stands over a table on its page, up to the table before it."""
    above = [
        region
        for region in regions
        if region.page == table.page and region.bbox[3] <= table.bbox[1] + 2
    ]
    lines: list[str] = []
    for region in sorted(above, key=lambda each: -each.bbox[3])[:_LINES]:
        if (region.kind == "table" or region.rule == "table") and not _is_line(region):
            break
        lines += [line for line in reversed(region.text.splitlines()) if len(line) <= _LONG]
    lines = lines[:_LINES]
    named = " ".join(filter(None, (table.title, *lines)))
    return Over(
        " ".join(line for line in reversed(lines) if _WHEN.search(line) and len(line) < 80),
        bool(_PARENT.search(named)),
        bool(_HYPOTHETICAL.search(table.title or "")),
    )


def _is_line(region: Region) -> bool:
    """Whether what was taken for a table is one line: years that stand over the next one."""
    return region.bbox[3] - region.bbox[1] < _LINE_PT and "\n" not in region.text
