"""Which views a question means by its times, and by the kind or month of report that it names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.grammar.periods import ReportingPeriod
from finrag_pipeline.query.answers.records.asked import RecordQuestion
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.query.views.reading import View

#: Words of titles that tell one report of a company from another.
_KINDS_OF_REPORT = re.compile(
    r"[一三]季报|季报|半年报|中报|年报|业绩预告|业绩快报|深度|首次覆盖|跟踪|调研"
)
_NAMES_YEAR = re.compile(r"\d{2}|[去今前上]年|本年|year", re.IGNORECASE)
_DISCUSSES = re.compile(r"年报|annual", re.IGNORECASE)
#: Who names the report of a period means what discusses that, not what came out within it.
_OF_REPORT = re.compile(r"季报|半年报|中报|年报|财报|业绩|results|earnings", re.IGNORECASE)
#: Days of the longest part of a year.
_PART_DAYS = 300
#: Days after a period in which reports discuss it.
_DISCUSSED_DAYS = 120


#: The month of a report that no house stands before: 10月那份, 8月份的研报.
_MONTH_OF_REPORT = re.compile(
    r"(?<![\d年])(?P<month>1[0-2]|0?[1-9])月份?(?:的|发布的?|出的?)?(?:那|这)?[份篇]?(?:的)?(?:研报|报告|点评|那份|那篇)"
)


def _told_within(document: DocumentFacts, period: ReportingPeriod) -> bool:
    """Whether a document was published in a period, or reports on it."""
    published = document.row.published_on
    return _reports_on(document, period) or period.first_on <= published <= period.last_on


def _reports_on(document: DocumentFacts, period: ReportingPeriod) -> bool:
    row = document.row
    return (row.period_first_on, row.period_last_on) == (period.first_on, period.last_on)


def _discusses(document: DocumentFacts, period: ReportingPeriod) -> bool:
    """Whether a document reports on a period, or was published so soon after it."""
    return _reports_on(document, period) or _told_after(document, period)


def _told_after(document: DocumentFacts, period: ReportingPeriod) -> bool:
    """Whether a document was published so soon after a period that it discusses it."""
    days = (document.row.published_on - period.last_on).days
    return 0 < days <= _DISCUSSED_DAYS


def _part_of_year(period: ReportingPeriod) -> bool:
    return (period.last_on - period.first_on).days < _PART_DAYS


def of_kind(views: list[View], question: str) -> list[View]:
    """Those in whose titles a kind of report stands that the question names, if there are."""
    kinds = set(_KINDS_OF_REPORT.findall(question))
    kept = [each for each in views if kinds <= set(_KINDS_OF_REPORT.findall(each.title))]
    return kept or views


def published_as_asked(views: Sequence[View], question: RecordQuestion, asked: Asked) -> list[View]:
    """Those that were published in the months by which reports are named."""
    dated = {house for house, _, _ in question.published}
    kept = [
        view
        for view in views
        if view.house not in dated
        or any(
            house == view.house and first <= view.day <= last
            for house, first, last in question.published
        )
    ]
    if match := None if dated else _MONTH_OF_REPORT.search(asked.question):
        kept = [each for each in kept if each.day.month == int(match["month"])]
    return kept


def of_times(views: Sequence[View], asked: Asked) -> list[View]:
    """Those that were published, or report, within the times that the question names.

    A part of a year without its year is a kind of report: 三季报点评.
    """
    periods = asked.scope.reading.periods
    if not periods or not _NAMES_YEAR.search(asked.question):
        return list(views)
    documents = asked.scope.catalogue.documents
    discussed = _DISCUSSES.search(asked.question) or any(map(_part_of_year, periods))
    tests = [_told_within, *([_told_after] if discussed else [])]
    if discussed and _OF_REPORT.search(asked.question):
        tests = [_discusses, _told_within]
    for told in tests:
        kept = [
            view
            for view in views
            if any(told(documents[view.cover.document_id], each) for each in periods)
        ]
        if kept:
            return kept
    return []
