"""Reads the title of a document: what its first page prints largest and says of nobody else.

Titles of filings are completed in `filings`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from finrag_pipeline.grammar.days import days_in, months_in
from finrag_pipeline.grammar.publishers import publishers_in
from finrag_pipeline.records import Place
from finrag_pipeline.script import simplified
from finrag_pipeline.stages.metadata.front import Block, Found, Row
from finrag_pipeline.stages.metadata.imprint import alone_on_a_cover

#: `公司（代码）：标题` prints the company before its title.
_COMPANY_FIRST = re.compile(r"^.{2,20}?\s?[（(][\dA-Z./\s、]+[)）]\s*[-—–:：]*\s*", re.IGNORECASE)
#: What a cover prints over titles: the series, the kind of report.
_SORT = (
    r"证券|研究|深度|专题|动态|点评|简评|跟踪|年度|季度|月度|周度|年|季|月|周|日|行业|公司|产业|宏观|策略|经济|金融|工程|"
    r"金工|量化|投资|固定|收益|固收|资产|配置|市场|海外|港股|美股|A股|报告|专刊|快报|系列|白皮书|蓝皮书|首次|覆盖|"
    r"基金|债券|信用|利率|商品|期货|晨会|纪要|要点|目录|摘要|免责|声明|的|与|及|和|[·\-—|｜/\s]"
)
_SORT_ALONE = re.compile(
    rf"(?:{_SORT})+|(?:(?:global|china|asia|equity|industry|sector|company|macro|economic|strategy|"
    r"market|investment|research|report|white ?paper|insights?|outlook|update|note|deep|dive|"
    r"special|weekly|monthly|quarterly|daily|thematic|fixed|income|credit|rates|[&|/\-·]|contents)\s*)+",
    re.IGNORECASE,
)
#: A title that only counts its series goes on in the next row.
_COUNTED = re.compile(
    r"(?:系列|专题|研究)\S{0,6}(?:之\s?[一二三四五六七八九十\d]+|[（(][一二三四五六七八九十\d]+[)）])$"
)
_PARTED = re.compile(r"——|[:：]")
#: An issuer alone, whose notice is called in the next rows; its address stands in brackets.
_ISSUER = re.compile(r"[\u3400-\u9fff（）()]{4,40}(?:有限(?:责任)?公司|基金)")
_BRACKETED = re.compile(r"[（(].*[)）]")
#: What a notice is called, at its end.
_NOTICE = re.compile(
    r"(?:公告|报告书?|说明书|摘要|决议|意见书?|活动记录表)(?:\s*[（(].*[)）])?\s*$"
)
#: Whoever asks an issuer is no house.
_EXCHANGE = "证券交易所"
_OPEN_END = re.compile(r"[:：—–\-]\s*$")
_YEARS = re.compile(
    r"(?:FY|H[12]\s?|Q[1-4]\s?)?20\d\d\s*(?:[-–—~至]\s*(?:20)?\d\d)?\s*(?:年度?|年版|版)?"
)
#: 截至2025年3月31日, but not 截至2024年12月31日止年度之年度業績公告.
_DATED = re.compile(
    r"[，,。\s]*(?:发布|更新|截)[于至]?\s*20\d\d\s*[年./-](?!.*止(?:年度|六|三|九|期)).*$"
)
#: Names with the marks of their addresses, behind the title of a paper.
_AUTHORS = re.compile(r"\s+[A-Z][\w.\-]+\s[A-Z][\w.\-]*\d,\s?[a-z\d*](?:,|\*|\s|$).*$")
_NOTE = re.compile(r"^[*＊†※]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_NUMBERS = re.compile(r"[\d.,%$¥€+\-–~亿万千百元年月日\s]+")
#: Rules of regions that are no title; a head that repeats is asked where nothing else is large.
_NO_TITLE = ("contact", "disclaimer", "contents_page", "table", "chart", "page_footer", "symbols")
_HEADS = ("page_header", "repeated_line")
#: Rows of one title differ so little in size; a smaller row under it is a subtitle.
_SAME_SIZE, _LARGER = 0.9, 1.15
_YEAR_SIZE, _OVER_SIZE = 0.5, 0.75
#: A headline lies so far down on a page of text at most; a cover prints it anywhere.
_UPPER, _TEXT_CHARACTERS = 0.5, 600
#: Characters that a title has at least where a cover prints it among its own data.
_LONG_TITLE = 8


def read_title(front: Sequence[Block], source_name: str) -> Found[str]:
    """What the layout model calls the title, unless the page prints something else larger.

    Args:
        front: blocks of the first page, or of the first two where that is a picture.
        source_name: name of the file, the last resort.
    """
    first = [block for block in front if block.page == 1]
    rows = _of_titles(first)
    headline = _headline(first)
    if headline and (not rows or headline[0].size > _LARGER * max(row.size for row in rows) > 0):
        rows = headline
    if not rows:
        heading = next((b for b in first if b.kind == "heading" and b.rule is None), None)
        rows = list(heading.rows) if heading else []
    if not rows:
        rows = [r for b in first if b.rule in _HEADS for r in b.rows if _worded(r.text)][:1]
    text = _joined(_completed(rows, first))
    bare = _AUTHORS.sub("", _DATED.sub("", _COMPANY_FIRST.sub("", text))) or text
    if not bare:
        return Found(re.sub(r"\.\w{2,4}$", "", source_name))
    return Found(bare, _places(rows))


def _of_titles(first: Sequence[Block]) -> list[Row]:
    """Rows of the first run of titles, without what only names a sort of report or its authors."""
    found: list[Row] = []
    for block in first:
        if block.kind != "title" or _NOTE.match(block.text):
            # what a table or text parts from the title is none
            if found and (block.prose or block.kind == "table"):
                break
            continue
        if not _SORT_ALONE.fullmatch(block.passage.strip(" 【】[]")):
            found += block.rows
    if not any(_worded(row.text) for row in found):
        return []
    # the box of a title may begin with the line over it: market and subject
    largest = max(row.size for row in found)
    first_large = next(n for n, row in enumerate(found) if row.size >= _OVER_SIZE * largest)
    return found[first_large:]


def _headline(first: Sequence[Block]) -> list[Row]:
    """The largest rows that could be a title, those of one size that follow each other."""
    written = sum(len(block.text) for block in first if block.prose)
    bottom = max((block.place.bbox[3] for block in first), default=0.0)
    rows = [
        row
        for block in first
        if block.kind not in ("table", "picture", "source")
        and block.rule not in (*_NO_TITLE, *_HEADS)
        and not (block.listed or block.prose)
        for row in block.rows
        if written < _TEXT_CHARACTERS or row.place.bbox[1] < _UPPER * bottom
        if row.size and _titled(row, block)
        if block.kind not in ("side", "cover") or _told_long(row.text)
    ]
    sizes = Counter[float]()
    for block in first:
        for row in block.rows:
            sizes[round(row.size, 1)] += len(row.text)
    best = max((row.size for row in rows), default=0.0)
    # what is printed in the size of the text is text, unless there is nothing but a cover
    common = max(sizes, key=sizes.__getitem__, default=0.0)
    if not rows or (written and best < _LARGER * common):
        return []
    large = [row for row in rows if row.size >= _SAME_SIZE * best]
    found = large[:1]
    for row in large[1:]:
        gap = row.place.bbox[1] - found[-1].place.bbox[3]
        if gap > 2 * row.size:
            break
        found.append(row)
    return found


def _titled(row: Row, block: Block) -> bool:
    text = row.text.strip()
    return not (
        _SORT_ALONE.fullmatch(text)
        or not _worded(text)
        or alone_on_a_cover(text, block)
        or _dated(text)
    )


def _told_long(text: str) -> bool:
    """Whether a row of a cover's own data has the words of a title beside the company's name and
    the sort of report: ratings are shorter."""
    return len(_HAN.findall(re.sub(_SORT, "", _COMPANY_FIRST.sub("", text)))) >= _LONG_TITLE


def _worded(text: str) -> bool:
    """Whether a text has the words of a title: four characters, or two English words."""
    if _NUMBERS.fullmatch(text):
        return False
    return len(_HAN.findall(text)) >= 4 or len(re.findall(r"[A-Za-z]{2,}", text)) >= 2


def _dated(text: str) -> bool:
    """Whether a row is hardly more than a date."""
    for _, start, end in (*days_in(text), *months_in(text)):
        if len(re.sub(r"[\W_]", "", text[:start] + text[end:])) <= 2:
            return True
    return False


def _completed(rows: Sequence[Row], first: Sequence[Block]) -> list[Row]:
    """With the year that is printed over it, and with what its open end announces."""
    if not rows:
        return []
    every = [row for block in first if block.rule not in _NO_TITLE for row in block.rows]
    places = [row.place for row in every]
    if rows[0].place not in places or rows[-1].place not in places:
        return list(rows)
    start, end = places.index(rows[0].place), places.index(rows[-1].place)
    found = list(rows)
    before = every[start - 1] if start else None
    if (
        before
        and _YEARS.fullmatch(before.text.strip())
        and before.size >= _YEAR_SIZE * rows[0].size
    ):
        found.insert(0, before)
    text = _joined(rows)
    named = _ISSUER.fullmatch(text)
    goes_on = named or _OPEN_END.search(text) or _counts_alone(text)
    behind = [row for row in every[end + 1 :] if not (named and _of_issuer(row.text))]
    for row in behind[:2] if goes_on else ():
        known = next(publishers_in(row.text.replace(_EXCHANGE, "")), None)
        alike = named and row.size >= _SAME_SIZE * rows[-1].size
        if row.size < _YEAR_SIZE * rows[-1].size or known or not (alike or _worded(row.text)):
            break
        if found[-1] is not rows[-1] and row.size < _SAME_SIZE * found[-1].size:
            break
        if named and _NOTICE.search(simplified(found[-1].text)):
            break
        found.append(row)
    return found


def _of_issuer(text: str) -> bool:
    """Whether a row under an issuer's name only says that name in English, or where it is."""
    return _BRACKETED.fullmatch(text) is not None or not _HAN.search(text)


def _counts_alone(text: str) -> bool:
    return bool(_COUNTED.search(text)) and not _PARTED.search(text)


def _joined(rows: Sequence[Row]) -> str:
    text = ""
    for row in rows:
        part = row.text.strip()
        latin = text and part and text[-1] < "\u2e80" and part[0] < "\u2e80"
        text += f" {part}" if latin else part
    return text


def _places(rows: Sequence[Row]) -> tuple[Place, ...]:
    return tuple(dict.fromkeys(row.place for row in rows))
