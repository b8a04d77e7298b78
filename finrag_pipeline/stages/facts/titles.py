"""What stands over a table, and which statement of whom that names.

A table's own title may be what happens to stand there; the lines above it are asked too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from finrag_pipeline.grammar.numerals import narrow
from finrag_pipeline.records import Region, Table
from finrag_pipeline.records.facts import Scope
from finrag_pipeline.script import simplified
from finrag_pipeline.stages.facts.identities import BALANCE, CASH, INCOME

#: Lines above a table that may name it, and how long such a line is at most.
_LINES, _LONG = 8, 70
_KINDS = (
    (BALANCE, r"资产负债表|财务状况表"),
    (INCOME, r"利润表|损益表|利润及利润分配表|收益表"),
    (CASH, r"现金流量表"),
)
_NAME = "|".join(pattern for _, pattern in _KINDS)
#: Words beside a statement's name that make a note, an analysis or a remark of it.
_NO_NAME = re.compile(
    r"补充|项目|科目|变动|附注|注释|分析|日后|日[期后]|比较|差异|重要|所有者权益变动|"
    r"如下|影响|披露|列报|其中|调节|[，。；]|相关"
)
_HEADING = re.compile(
    rf"(?P<before>.*?)(?P<whose>合并及母公司|合并及公司|合并|母公司|本公司|公司|综合|集团|本行|银行)?"
    rf"(?P<span>年初[到至]报告期[期]?末|本报告期)?(?P<name>{_NAME})(?P<after>.*)$"
)
_PARENT = ("母公司", "本公司", "公司", "本行", "银行")


@dataclass(frozen=True, slots=True)
class StatementName:
    """A statement as a heading names it: its kind, whose it is where that is told, the heading."""

    kind: str
    scope: Scope | None
    text: str


def statement_named(text: str) -> StatementName | None:
    """The statement that a heading names, and nothing beside it.

    >>> found = statement_named("2、母公司利润表（续）")
    >>> found.kind, found.scope
    ('income statement', 'parent')
    >>> statement_named("现金流量表补充资料"), statement_named("合并利润表项目注释")
    (None, None)
    """
    shown = simplified("".join(narrow(text).split()))
    match = _HEADING.match(shown)
    if not match or len(shown) > _LONG or _NO_NAME.search(shown):
        return None
    if re.search(_NAME, match["after"]):
        return None  # 合并资产负债表及合并利润表: a list of them
    whose = match["whose"]
    scope: Scope | None = None
    if whose in _PARENT and not match["before"].endswith(("有限", "股份", "集团")):
        scope = "parent"
    elif whose in ("合并", "综合", "集团"):
        scope = "consolidated"
    kind = next(kind for kind, pattern in _KINDS if re.search(pattern, match["name"]))
    return StatementName(kind, scope, shown)


def lines_over(table: Table, regions: Sequence[Region]) -> list[str]:
    """Short lines that may name a table, the nearest first: its title, then what stands above it.

    Args:
        regions: of the document; other tables above it end the search.
    """
    found = [table.title] if table.title else []
    above = [
        region
        for region in regions
        if region.page == table.page and region.bbox[3] <= table.bbox[1] + 2
    ]
    for region in sorted(above, key=lambda region: -region.bbox[3])[:_LINES]:
        if region.kind == "table" or region.rule == "table":
            break
        found += [line for line in reversed(region.text.splitlines()) if len(line) <= _LONG]
    return found
