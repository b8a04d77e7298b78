"""The one reader of questions: whom, which documents and when they mean.

What a word asks for is a row of `signals.csv`, how a name is written `names`, how a period is
`grammar.periods`; which documents agree with a reading is `scope`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from finrag_pipeline.grammar.periods import ReportingPeriod, periods_in
from finrag_pipeline.query.question.catalogue import Catalogue
from finrag_pipeline.query.question.houses import find_houses
from finrag_pipeline.query.question.names import Named
from finrag_pipeline.query.question.notes import notes_meant
from finrag_pipeline.query.question.signals import asks_compared, asks_latest, wanted_forms
from finrag_pipeline.query.question.spellings import WHOLE
from finrag_pipeline.query.question.timing import PLANNED, year_before

#: What a house writes about a report: 2024年报点评, 三季报业绩跟踪.
_NOTE_ON = re.compile(
    r"(?:年度?|半年|中|[一二三四]?季度?)?报?告?(?:业绩|财报)?(?:点评|跟踪|简评|速评)(?:报告|研报)?|"
    r"\s+(?:annual report|interim report|(?:form )?10-?[KQ]|earnings (?:release|report))\b",
    re.IGNORECASE,
)
_LAST_YEAR = re.compile(
    r"去年|上年(?!化)|上一年度?|前一年度?|同比|prior[- ]year|previous (?:fiscal )?year|last year|"
    r"year[- ](?:over|on)[- ]year|year earlier",
    re.IGNORECASE,
)
#: The year before the last one; 比前年 says what a growth is counted from.
_YEAR_BEFORE_LAST = re.compile(r"(?<![较比同与跟和\d])前年(?!同期)|year before last")
#: A part of a year that another period, or the day asked for, gives its year.
_PART = re.compile(
    r"(?:同年|当年|今年|本年)?(?P<part>[上下]半年|第?[一二三四]季度|前三季度|半年报|中报|[一三]季报|"
    r"(?<!\d)1?\d月(?:[123]?\d日|(?=[末底]))|"
    r"(?<![A-Za-z\d])Q[1-4](?![A-Za-z\d]))"
)
_THIS_YEAR = re.compile(r"今年|本年度?|this year|current (?:fiscal )?year", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a question says of whom and when it means; nothing said is empty.

    Attributes:
        companies: whom it names, in order; `company_key`s of what they may mean.
        publishers: houses whose documents it names.
        outsiders: houses that it names and no document is by.
        strangers: registered companies that it names and no document is about.
        forms: of documents: annual, half, quarter, current, company, industry.
        periods: the times that it names, in order, then those that it compares them with.
        latest: whether it asks for the newest view.
        compared: whether it holds several companies against each other.
        notes: ids of the notes of houses that it means by their time.
        planned: whether it asks what was planned for its times.
    """

    companies: tuple[Named, ...] = ()
    publishers: tuple[Named, ...] = ()
    outsiders: tuple[Named, ...] = ()
    forms: tuple[str, ...] = ()
    periods: tuple[ReportingPeriod, ...] = ()
    latest: bool = False
    compared: bool = False
    strangers: tuple[Named, ...] = ()
    notes: frozenset[str] = frozenset()
    planned: bool = False

    def means_as(self, other: Reading) -> bool:
        """Whether another question is of the same companies, houses, documents and times."""

        def whom(reading: Reading) -> tuple[object, ...]:
            named = (reading.companies, reading.publishers, reading.outsiders, reading.strangers)
            times = {(each.first_on, each.last_on) for each in reading.periods}
            return (
                *({each.keys for each in one} for one in named),
                times,
                set(reading.forms),
                reading.notes,
            )

        return whom(self) == whom(other)


#: The reading of a question that says nothing of whom and when.
NOTHING_SAID = Reading()


def read_question(question: str, catalogue: Catalogue, day: date | None = None) -> Reading:
    """Read a question once.

    Args:
        catalogue: the documents whose companies and publishers it may name.
        day: from which 今年 and last year are counted where the question names no time; None: from
            the newest document.
    """
    companies = catalogue.companies_in(question)
    keys = frozenset(key for each in companies for key in each.keys)
    apart = [
        each
        for each in find_houses(question, catalogue, companies, catalogue.wrote_on(keys))
        if all(each.end <= other.start or other.end <= each.start for other in companies)
    ]
    houses = [Named((each.name,), each.text, each.start, each.end, WHOLE) for each in apart]
    publishers = tuple(each for each in houses if each.keys[0] in catalogue.by_publisher)
    counted = catalogue.counted_from(day, keys)
    return Reading(
        companies,
        publishers,
        tuple(each for each in houses if each not in publishers),
        wanted_forms(question),
        # 国信2025年5月 is when a report came out
        tuple(
            period
            for period in read_periods(question, counted)
            if not (
                period.text
                and any(each.start < period.end and period.start < each.end for each in publishers)
            )
        ),
        asks_latest(question),
        asks_compared(question) and len({each.keys for each in companies}) > 1,
        catalogue.strangers(question),
        notes_meant(question, catalogue, apart, keys, day),
        PLANNED.search(question) is not None,
    )


def read_periods(question: str, day: date | None = None) -> tuple[ReportingPeriod, ...]:
    """The times that a question names, each once; relative ones where something anchors them.

    >>> [str(each) for each in read_periods("2025年上半年和下半年营收？")]
    ['2025H1', '2025H2']
    >>> [str(each) for each in read_periods("FY2023 revenue against the prior year?")]
    ['2023', '2022']
    >>> read_periods("去年营收？"), *map(str, read_periods("去年营收？", date(2026, 3, 1)))
    ((), '2025')
    """
    named = list(periods_in(question, "question"))
    anchor = named[0].last_on.year if named else day.year if day else None
    if anchor is not None:
        parts = list(_parts(question, named, anchor))
        if not named and day and parts and not _THIS_YEAR.search(question):
            # a part that is not over was that of the year before
            parts = [each if each.last_on <= day else year_before(each) for each in parts]
        named += parts
        if not named and _THIS_YEAR.search(question):
            named.append(_year(anchor))
        if _LAST_YEAR.search(question):
            named += [year_before(each) for each in named] or [_year(anchor - 1)]
        elif not named and _YEAR_BEFORE_LAST.search(question):
            named.append(_year(anchor - 2))
    once: dict[tuple[date, date], ReportingPeriod] = {}
    for each in named:
        once.setdefault((each.first_on, each.last_on), each)
    return tuple(once.values())


def in_titles(text: str, periods: Iterable[ReportingPeriod]) -> dict[int, int]:
    """By where they start, the times that only say on which report a house writes, and the ends of
    what says so; none where every time does: 2024年报点评 may expect something of 2026.

    >>> text = "2024年报点评里27年净利润"
    >>> in_titles(text, read_periods(text)), in_titles(text[:8], read_periods(text[:8]))
    ({0: 8}, {})
    """
    written = [each for each in periods if each.end]
    titles = {
        each.start: behind.end() for each in written if (behind := _NOTE_ON.match(text, each.end))
    }
    return titles if len(titles) < len({each.start for each in written}) else {}


def _parts(question: str, named: Sequence[ReportingPeriod], year: int) -> Iterator[ReportingPeriod]:
    """Parts of a year that stand alone in a question."""
    for match in _PART.finditer(question):
        if all(match.end() <= each.start or each.end <= match.start() for each in named):
            for period in periods_in(f"{year}年{match['part']}", "question"):
                yield replace(period, text=match[0], start=match.start(), end=match.end())


def _year(year: int) -> ReportingPeriod:
    return ReportingPeriod(date(year, 1, 1), date(year, 12, 31))
