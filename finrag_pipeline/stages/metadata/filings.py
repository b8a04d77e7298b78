"""Tells filings from reports, and reads their titles in forms of their own.

Their days are `filing_days`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.grammar.days import days_in
from finrag_pipeline.stages.metadata.company import Company
from finrag_pipeline.stages.metadata.filers import ISSUER, PERIODIC_REPORT
from finrag_pipeline.stages.metadata.front import Block, Found, Row, every_row

_TITLE = re.compile(
    r"(?:年度|季度|半年度|中期|半年)报告(?:全文|正文|摘要)?(?:\s*[（(].{1,12}[)）])?$|"
    r"招股(?:说明)?书|募集说明书|"
    r"(?:公告|决议|法律意见书|自查报告|审计报告|章程)$|投资者关系活动记录表?|"
    r"业绩(?:预告|快报|说明会)|(?:预案|草案|说明书)(?:[（(].{1,12}[)）])?(?:摘要)?(?:公告)?$|(?:annual|interim|quarterly)\s?report$",
    re.IGNORECASE,
)
_LABELS = r"公司代码[:：]\s*\d{6}\s*公司简称[:：]\s*"
#: A row that names the periodic report, alone or behind the company's name.
_REPORT_ROW = re.compile(
    rf"^(?:{_LABELS})?[\u3400-\u9fff（）()]{{0,40}}{PERIODIC_REPORT}(?:[（(].{{1,12}}[)）])?$"
)
#: The same in English, beside a slogan.
_ENGLISH_ROW = re.compile(
    r"^(?:annual|interim|half[- ]year(?:ly)?|quarterly) (?:financial )?report"
    r"(?: (?:and|&) accounts)?(?: (?:for )?(?:FY ?)?20\d\d)?$",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    r"for the (?:fiscal year|year|quarterly period|quarter) ended\s+", re.IGNORECASE
)
_PLEDGE = re.compile(r"董事会.{0,30}保证.{0,40}(?:真实|虚假记载)|公告编号|董事会[^。]{0,12}承担")
_FORM = re.compile(r"\bform\s+(10-?[kq]|8-?k|20-?f|6-?k|40-?f|s-?1|f-?1)(?:/a)?\b", re.IGNORECASE)


def is_filing(title: str, front: Sequence[Block]) -> bool:
    """Whether the company itself publishes the document: by its title, form or board's pledge."""
    bare = "".join(title.split())
    text = "\n".join(block.passage for block in front)
    if _FORM.search(text) and re.search(r"securities and exchange commission", text, re.I):
        return True
    if _TITLE.search(bare) or _report_row(front):
        return True
    opening = "\n".join(block.passage for block in front[:14])
    return bool(ISSUER.search(opening) and re.search(r"today (?:announced|reported)", opening)) or (
        bool(_PLEDGE.search(text)) and re.search(r"报告|公告", bare) is not None
    )


def filing_title(title: Found[str], front: Sequence[Block], company: Company) -> Found[str]:
    """A filing's title with what its cover prints apart: the report under the company's name.

    An English one is its registrant, form and period: ``Galaxy Inc. Form 10-K for the fiscal …``.
    """
    named = _report_row(front)
    if named and not title.places:
        title = Found(named.text, (named.place,))
    elif named and not re.search(PERIODIC_REPORT, title.value):
        text = f"{company.name.value} " if company.name and named.text.isascii() else title.value
        return Found(f"{text}{named.text}", (*title.places, named.place))
    printed = re.search(rf"^.*?{PERIODIC_REPORT}", title.value)
    if printed:
        name = re.escape(company.name.value) if company.name else ""
        code = company.code.value[:6] if company.code else "$"
        own = re.sub(rf"^{_LABELS}(?:{name})?|(?<=公司){code}", "", printed[0])
        return Found(own, title.places)
    for block in front:
        match = _FORM.search(block.passage)
        if match:
            name = f"{company.name.value} " if company.name else ""
            return Found(f"{name}Form {match[1].upper()}{_period(front)}", (block.place,))
    return title


def _report_row(front: Sequence[Block]) -> Row | None:
    rows = (row for row, block in every_row(front) if not block.prose)
    return next((row for row in rows if _names_report(row.text)), None)


def _names_report(text: str) -> bool:
    return bool(_REPORT_ROW.match("".join(text.split())) or _ENGLISH_ROW.match(text.strip()))


def _period(front: Sequence[Block]) -> str:
    for block in front:
        for match in _PERIOD.finditer(block.passage):
            for _, start, end in days_in(block.passage[match.end() : match.end() + 24]):
                if start == 0:
                    return f" {match[0].lower()}{block.passage[match.end() : match.end() + end]}"
    return ""
