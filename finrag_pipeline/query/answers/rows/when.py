"""When a cell is of: by its heading, its label, the headings over it, what stands around its table.

Headings of filings may name their periods by the filing's own: 本期, 上年同期, 期末.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from functools import lru_cache

from finrag_pipeline.grammar.periods import periods_in
from finrag_pipeline.query.answers.passages.times import Time, Times
from finrag_pipeline.query.grounding.spans import Span
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.stages.facts.columns import Column, columns_of
from finrag_pipeline.stages.facts.filing import Filing, Report
from finrag_pipeline.stages.tables.periods import relative_period

_MONTH = timedelta(days=31)
_REPORTS: dict[str, Report] = {"annual": "annual", "half": "half", "quarter": "quarter"}
#: What compares with another time; whose own time is the one that it changed to.
_COMPARES = re.compile(
    r"(?:本[年期]?(?:报告期|年度?|期)?[末金额数]*)?(?:比|较|与)(?:上年|上期|去年|期初|年初)[度同期末]*"
    r"|(?:上年|去年)同期?增[减长]|同比|环比|yoy|qoq",
    re.IGNORECASE,
)
_ONLY_TIME = re.compile(r"\s*(?:19|20)\d\d\s*年?[AE]?\s*")
#: Times before the report's own, where nothing else tells which.
_EARLIER = re.compile(r"上年|上期|去年|期初|年初(?!至)|上一年|前期|以前")


def time_of(
    times: Times,
    heading: Sequence[str],
    label: str,
    over: Sequence[str],
    around: str,
    title: str,
    document: DocumentFacts,
) -> Time:
    """How far a cell is of the time asked for.

    Args:
        heading: header cells over it, from the top.
        label: of its row.
        over: headings in the body above its row.
        around: what stands around its table, what says most last.
        title: of its table.
    """
    bare = _COMPARES.sub(" ", in_order(" ".join(heading)))
    filing = _filing(document)
    if filing is not None:
        for text in (bare, _COMPARES.sub(" ", label)):
            if column := columns_of({0: (text,)}, filing, title).get(0):
                return times.agreement(_spans(column, times), Time.NAMED)
            if relative_period(text) and (named := _loosely(text, filing, title)):
                return times.agreement(_spans(named, times), Time.NAMED)
    before = "\n".join([around, *over])
    # of rows that are years under a heading that names several, the row's own counts
    own = label if _ONLY_TIME.fullmatch(label) else f"{bare} {label}"
    found = times.of(own, before, document)
    if found != Time.NAMED and _EARLIER.search(f"{bare} {label}"):
        return Time.OTHER
    return found


@lru_cache(maxsize=10_000)
def in_order(heading: str) -> str:
    """A heading so that its parts name a time together: 前三季度 may stand over 2025, or below it.

    >>> in_order("前三季度 2025"), in_order("2025 同比")
    ('2025 前三季度', '2025 同比')
    """
    told = ((way, list(periods_in(way, "heading"))) for way in (heading, _backwards(heading)))
    return min(
        ((way, times) for way, times in told if times),
        key=lambda way: sum((each.last_on - each.first_on).days for each in way[1]),
        default=(heading, []),
    )[0]


def _backwards(heading: str) -> str:
    return " ".join(heading.split()[::-1])


def _loosely(text: str, filing: Filing, title: str) -> Column | None:
    """The column of a heading that also says which share or rate it is: 本期毛利率（%）."""
    word = relative_period(text)
    return columns_of({0: (word,)}, filing, title).get(0) if word else None


def _filing(document: DocumentFacts) -> Filing | None:
    row = document.row
    report = _REPORTS.get(document.form)
    if row.kind != "filing" or report is None or row.period_last_on is None:
        return None
    return Filing(document.company, None, document.name, report, row.period_last_on)


def _spans(column: Column, times: Times) -> list[Span]:
    """The times of a column. What is of a span stands at its end only where a day or a month is
    asked for: nine months and their last quarter end alike."""
    found: list[Span] = []
    if column.flow and column.flow.first_on:
        found.append(Span(column.flow.first_on, column.flow.last_on))
    short = all(each.last_on - each.first_on <= _MONTH for each in times.asked)
    if column.instant and (short or not found):
        found.append(Span(column.instant.last_on, column.instant.last_on, instant=True))
    return found
