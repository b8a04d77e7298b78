"""Reads the day on which a filing was signed, released or disclosed; where it prints none, the day
by which the law wants it.

Days of research are `dates`; which period a filing reports on is `reporting`.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import islice

from finrag_pipeline.grammar.days import days_in, months_in
from finrag_pipeline.records import Place
from finrag_pipeline.script import simplified
from finrag_pipeline.stages.metadata.dates import Published
from finrag_pipeline.stages.metadata.front import Block, Found, Row, every_row
from finrag_pipeline.stages.metadata.reporting import Reported

_REPORT_DAY = re.compile(
    r"date of (?:earliest event reported|report)|^\W*dated?\W|^filed on", re.IGNORECASE
)
#: A row of a cover names company, report and month at most.
_COVER_ROW = 60
#: Who signs a Chinese filing stands on the row of the day or on one of those above it.
_SIGNER = re.compile(
    r"董\s*事\s*[会局]|主\s*席|董\s*事\s*长|法定代表人|公司负责人|管理人|有限公司\s*$"
)
_SIGNER_ROWS = 3
#: Signatures stand under the last notice or statement.
_SIGNED_PAGES = 2
_SIGNED = re.compile(
    r"^\W*dated?\s*[:：]?\s*$|(?:authorized|indicated(?: below)?),?\s*(?:as of|on)\s*$|"
    r"state of [a-z ]+, (?:on|this)\s*$|\bdated?\s*[:：]\s*$|\bofficer\s*$",
    re.IGNORECASE,
)
_PLACE = re.compile(r"^[A-Z][A-Za-z.' ]+(?:, [A-Z][A-Za-z.' ]+){0,2},?\s*$")
_DISCLOSED = re.compile(
    r"(?:披露|公告|报出|报送|签发|批准报[出送])(?:日期|日)?\s*[:：]?\s*$|(?:批准|同意)(?:对外)?报出.{0,12}$"
)
#: An annual report names the day of the statement on internal control that is disclosed with it.
_BESIDE = re.compile(r"内部控制(?:自我)?评价报告")
#: Nobody files so many days after the period: later days speak of something else.
_FILED_WITHIN_DAYS = 400
_SIGNED_WITHIN_DAYS = 30
#: A day alone on a row may be an agreement's; one behind `Date:` or `authorized, on` is signed.
_LABELLED_WEIGHT = 3
_PERIODIC = re.compile(
    r"(?:年度|季度|半年度|中期)\s*报告|form (?:10-?[kq]|20-?f|40-?f)|"
    r"(?:annual|interim|quarterly) report",
    re.IGNORECASE,
)
#: Months that the law gives: securities law of China, article 79; the longest term of any filer
#: elsewhere (20-F and Hong Kong's annual reports four, interim reports three, 10-Q 45 days).
_TERMS = {"zh": (4, 2, 1), "en": (4, 3, 2)}
_YEAR_DAYS, _HALF_DAYS = 300, (140, 230)


def read_filed_on(
    blocks: Sequence[Block], front: Sequence[Block], language: str, reported: Reported | None
) -> Found[Published] | None:
    """The day of a release, a report, a signature or a disclosure, else the month of the cover.

    Args:
        blocks: of the whole document.
        front: those of its cover.
        language: ``zh`` or ``en``.
        reported: the period that it reports on: it is signed after that.
    """
    if language == "zh":
        last = max((block.page for block in blocks), default=0)
        found = (
            _alone(front, reported)
            or _signed([b for b in blocks if b.page > last - _SIGNED_PAGES], reported)
            or _disclosed(blocks, reported)
        )
    else:
        released, signed = _released(front), _most_signed(blocks, reported)
        # a form is signed some days after the event that it reports
        gap = (signed.value - released.value).days if signed and released else 0
        found = signed if 0 <= gap <= _SIGNED_WITHIN_DAYS and signed else released or signed
    if found:
        return Found(Published(found.value, "day"), found.places)
    months = [
        Found(Published(month, "month"), (row.place,))
        for row, block in every_row(front)
        for month, _, _ in months_in(row.text)
        if not block.prose and len(row.text) <= _COVER_ROW and _after(month, reported)
    ]
    return months[0] if months else None


def due_on(title: str, language: str, reported: Reported | None) -> Published | None:
    """The last day on which a periodic report may be filed: the safe side of an unprinted day.

    Args:
        title: as `filing_title` gives it; announcements and releases have no term.
    """
    if reported is None or not _PERIODIC.search(
        "".join(title.split()) if language == "zh" else title
    ):
        return None
    days = (reported.last_on - reported.first_on).days
    annual, half, quarter = _TERMS.get(language, _TERMS["en"])
    within = _HALF_DAYS[0] <= days <= _HALF_DAYS[1]
    months = annual if days >= _YEAR_DAYS else half if within else quarter
    year, month = divmod(reported.last_on.year * 12 + reported.last_on.month - 1 + months, 12)
    return Published(date(year, month + 1, monthrange(year, month + 1)[1]), "deadline")


def _after(day: date, reported: Reported | None) -> bool:
    return reported is None or (
        reported.last_on < day <= reported.last_on + timedelta(_FILED_WITHIN_DAYS)
    )


def _besides(text: str, start: int, end: int) -> str:
    return re.sub(r"\W", "", text[:start] + text[end:])


def _alone(front: Sequence[Block], reported: Reported | None) -> Found[date] | None:
    """A day that stands alone on the cover."""
    for row, block in every_row(front):
        for day, start, end in days_in(row.text):
            alone = not _besides(row.text, start, end) and not block.prose
            if alone and block.kind != "table" and _after(day, reported):
                return Found(day, (row.place,))
    return None


def _signed(blocks: Sequence[Block], reported: Reported | None) -> Found[date] | None:
    """The day under a board's signature, the last one where notices follow each other."""
    signed: Found[date] | None = None
    above: list[Row] = []
    for row, block in every_row(blocks):
        days = [] if block.prose and len(block.rows) > _SIGNER_ROWS + 1 else list(days_in(row.text))
        if len(days) == 1 and len(row.text) <= 45 and _after(days[0][0], reported):
            near = [each.text for each in above[-_SIGNER_ROWS:] if len(each.text) <= 40]
            if any(_SIGNER.search(simplified(text)) for text in (row.text, *near)):
                signed = Found(days[0][0], (row.place,))
        above.append(row)
    return signed


def _disclosed(blocks: Sequence[Block], reported: Reported | None) -> Found[date] | None:
    """The day that is called the one of disclosure, else that of what is disclosed with it."""
    beside: list[tuple[date, Place]] = []
    for block in blocks:
        text = block.passage
        days = list(days_in(text)) if _BESIDE.search(text) or "报" in text else []
        for day, start, end in days:
            if not _after(day, reported) or reported is None:
                continue
            before = text[max(0, start - 30) : start]
            if _DISCLOSED.search(before) and not block.prose and not _BESIDE.search(before):
                return Found(day, (block.place,))
            if _BESIDE.search(text) and "披露" in text[max(0, start - 60) : end + 20]:
                beside.append((day, block.place))
    most = Counter(day for day, _ in beside).most_common(1)
    return next((Found(day, (place,)) for day, place in beside if day == most[0][0]), None)


def _released(front: Sequence[Block]) -> Found[date] | None:
    """The day of a dateline, of the event that a form reports, or that a cover gives its own."""
    for block in front:
        text = block.passage
        for day, start, end in days_in(text):
            dateline = start <= 60 and re.match(r"\W{0,3}\s*[–—-]", text[end:])
            if dateline or _REPORT_DAY.search(text[max(0, start - 60) : start]):
                return Found(day, (block.place,))
    return None


def _most_signed(blocks: Sequence[Block], reported: Reported | None) -> Found[date] | None:
    """The day that most signatures, certificates and consents bear, of two the later."""
    weights: Counter[date] = Counter()
    places: dict[date, Place] = {}
    for day, weight, place in _signatures(blocks, reported):
        weights[day] += weight
        places.setdefault(day, place)
    best = max(weights, key=lambda day: (weights[day], day), default=None)
    return Found(best, (places[best],)) if best else None


def _signatures(
    blocks: Sequence[Block], reported: Reported | None
) -> Iterator[tuple[date, int, Place]]:
    """Days behind the words of a signature, and, weighing less, alone or behind a place."""
    for block in blocks:
        if block.page == 1 or block.kind in ("picture", "source"):
            continue
        above = ""
        for row in block.rows:
            for day, start, end in islice(days_in(row.text), 2):
                before = row.text[:start]
                alone = not _besides(row.text, start, end) and len(block.rows) <= 3
                placed = _PLACE.match(before) and not row.text[end:].strip(" .")
                labelled = _SIGNED.search(f"{above} {before}".strip())
                if (labelled or alone or placed) and _after(day, reported):
                    yield day, _LABELLED_WEIGHT if labelled else 1, row.place
            above = row.text
