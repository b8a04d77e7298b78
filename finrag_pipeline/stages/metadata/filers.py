"""Reads which company a filing is of, by the forms of covers and company profiles."""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.grammar.securities import code_mentions
from finrag_pipeline.records import Place
from finrag_pipeline.stages.metadata.company import Company, short_name
from finrag_pipeline.stages.metadata.front import Block, Found, every_row

#: A periodic report as covers and running heads name it.
PERIODIC_REPORT = (
    r"(?:20\d\d|二[〇○零]\S{2})\s*年?\s*(?:年度|半年度|中期|第?[一二三四]季度)报告"
    r"(?:全文|正文|摘要)?"
)
#: An issuer with its ticker, as press releases name it.
ISSUER = re.compile(
    r"([A-Z][\w.&'’,\- ]{2,60}?)\s*\((?:NYSE|NASDAQ|Nasdaq\w*|AMEX|LSE|TSX)"
    r"[^)]{0,20}[:：]\s*[A-Z.]+[^)]{0,30}\)"
)
_HEAD = re.compile(rf"^([\u3400-\u9fffA-Za-z*]{{2,8}}(?:-[A-Z]{{1,2}})?)\s+{PERIODIC_REPORT}$")
_REGISTRANT = re.compile(r"exact\s+name\s+of\s+(?:the\s+)?registrant", re.IGNORECASE)
_LEGAL_FORM = re.compile(
    r"\b(?:inc\s?\.?|incorporated|corp(?:oration)?\.?|company|co\.|ltd\.?|limited|plc|llc|"
    r"l\.p\.|n\.v\.|group|holdings)$|\b(?-i:SE|SA|NV|AG|AB|ASA|SpA|S\.p\.A\.|Oyj|A/S)(?=$|,)",
    re.IGNORECASE,
)
#: A company by its legal name, and a fund by its own.
_FULL_NAME = re.compile(
    r"([\u3400-\u9fff（）()]{4,30}?(?:股份|集团)?有限(?:责任)?公司|[\u3400-\u9fffA-Z0-9（）()]{4,30}?基金)(?!管理)"
)
_GLUED = re.compile(r"简称\s*[:：]\s*([\u3400-\u9fff]{6,30}?有限公司)")
#: Annual reports of the Shenzhen exchange state code and short name under their company profile.
_PROFILE_PAGES = 20
_OVERLAP_PT = 4.0


def read_filer(blocks: Sequence[Block], front: Sequence[Block], found: Company) -> Company:
    """The company that files.

    Args:
        blocks: of the whole document.
        front: those of its cover.
        found: what stands beside codes on the cover: the name that a cover states, that running
            heads repeat or that the company's profile prints beside the code goes before it.
    """
    if found.code is None:
        found = _stated(blocks) or found
    name = short_name(every_row(front)) or _running_name(blocks) or found.name
    if name is None and found.code is not None:
        profile = [block for block in blocks if block.page <= _PROFILE_PAGES]
        name = _beside_code(profile, found.code.value) or short_name(every_row(profile))
    name = name or _glued_name(front) or _full_name(front)
    name = name or _registrant(front) or _released_by(front)
    return Company(name, found.code, found.codes)


def _running_name(blocks: Sequence[Block]) -> Found[str] | None:
    """The short name before the report in a running head: ``星河医药 2025年年度报告``."""
    for row, block in every_row(blocks):
        match = _HEAD.match(row.text) if block.running else None
        if match:
            return Found(match[1], (row.place,))
    return None


def _glued_name(front: Sequence[Block]) -> Found[str] | None:
    """The short name that the full one follows without a space: the longest start of theirs that
    comes again."""
    for row, _ in every_row(front):
        match = _GLUED.search(row.text)
        for size in range(6, 1, -1) if match else ():
            if match and match[1][:size] in match[1][size:]:
                return Found(match[1][:size], (row.place,))
    return None


def _beside_code(blocks: Sequence[Block], code: str) -> Found[str] | None:
    """The cell before the code in the profile's table of listings."""
    for row, _ in every_row(blocks):
        match = re.search(rf"交易所\s+(\S{{2,10}})\s+{code[:6]}(?!\d)", row.text)
        if match:
            return Found(match[1], (row.place,))
    return None


def _stated(blocks: Sequence[Block]) -> Company | None:
    """Codes beside ``代码`` in the company's profile."""
    codes: dict[str, Place] = {}
    for row, block in every_row(blocks):
        if block.page > _PROFILE_PAGES or (
            codes and block.page > min(p.page for p in codes.values())
        ):
            break
        if re.search(r"(?:股票|证券|公司|[AHB]股)代码", row.text) and len(row.text) < 120:
            spaced = re.sub(r"(?<=代码)\s*(?=\d)", "：", row.text)
            for mention in code_mentions(spaced):
                codes.setdefault(mention.code, row.place)
    if not codes:
        return None
    own = min(codes, key=lambda code: (code.endswith(".HK"), list(codes).index(code)))
    every = tuple(dict.fromkeys(codes.values()))
    return Company(None, Found(own, (codes[own],)), Found(tuple(codes), every))


def _registrant(front: Sequence[Block]) -> Found[str] | None:
    """The row above ``(Exact name of registrant …)``, else the first row that ends as a company."""
    rows = sorted(
        (row for row, _ in every_row(front)),
        key=lambda row: (round(row.place.bbox[1]), row.place.bbox[0]),
    )
    label = next((row for row in rows if _REGISTRANT.search(row.text)), None)
    if label is not None:
        glued = _REGISTRANT.split(label.text)[0].strip(" (（")
        if len(glued) > 3:
            return Found(_tidy(re.split(r"\d{4,}\s", glued)[-1]), (label.place,))
        above = [
            row
            for row in rows
            if row.place != label.place
            # rows of large print reach into the one below
            and row.place.bbox[3] <= label.place.bbox[1] + _OVERLAP_PT
            and re.search(r"[A-Za-z]{2}", row.text)
        ]
        if above:
            return Found(_tidy(above[-1].text), (above[-1].place,))
    for row in rows:
        form = _LEGAL_FORM.search(row.text)
        if form and form.end() <= 60:
            return Found(_tidy(row.text[: form.end()]), (row.place,))
    return None


def _released_by(front: Sequence[Block]) -> Found[str] | None:
    """The issuer that a press release names with its ticker."""
    for block in front:
        match = ISSUER.search(block.passage)
        if match:
            return Found(_tidy(re.split(r"[–—]|\s-\s", match[1])[-1]), (block.place,))
    return None


def _full_name(front: Sequence[Block]) -> Found[str] | None:
    for block in front:
        match = (
            _FULL_NAME.search(block.passage)
            if block.kind in ("title", "heading", "header")
            else None
        )
        if match:
            return Found(match[1], (block.place,))
    return None


def _tidy(name: str) -> str:
    return re.sub(r"\s+([.,])", r"\1", " ".join(name.split())).strip(" _-–—")
