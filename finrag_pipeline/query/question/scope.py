"""Which documents agree with what a question says of whom and when: a share, never a refusal.

Companies and publishers narrow, periods and forms weigh. What a question names is `reading`'s,
what lanes do with it theirs. What a question costs here does not grow with the documents, but with
those of the companies that it names.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from finrag_pipeline.query.question.catalogue import Catalogue, DocumentFacts
from finrag_pipeline.query.question.reading import NOTHING_SAID, Reading
from finrag_pipeline.query.question.timing import YearEnd, period_agreement
from finrag_pipeline.query.weights import (
    FORM_SHARE,
    OTHER_FILINGS_SHARE,
    OTHER_RESEARCH_SHARE,
    PUBLISHER_SHARE,
    RECENCY_DAYS,
    RECENCY_SHARE,
)
from finrag_pipeline.store.search.filters import Filter

Json = dict[str, object]

#: Documents that lanes look into for each company, those that agree most first: a scan inside them
#: compares all their vectors.
MOST_NARROWED = 24
#: How filings are called by their fiscal quarter: F3Q25, 2023Q2.
_QUARTER = re.compile(
    r"(?<![A-Za-z\d])(?:F|FY\d{2,4}[ _-]?)?(?:([1-4])Q|(?:20\d\d)?Q([1-4]))(?![A-Z])"
)
#: Days between the end of a quarter of weeks and that of its month, at most.
_WEEKS_APART_DAYS = 7
#: What forms of documents are called in a reason.
_FORMS = {
    "annual": "annual reports",
    "half": "half-year reports",
    "quarter": "quarterly reports",
    "current": "notices",
    "company": "research on companies",
    "industry": "research on industries",
}
#: Companies that a question is about at most; a list of names is no question on each.
MOST_COMPANIES = 4


@dataclass(frozen=True, slots=True)
class Group:
    """Documents that lanes look into beside all others, those that agree most first.

    Attributes:
        name: the company, as its documents bear it; empty where they are of publishers.
        documents: how many there are.
    """

    document_ids: tuple[str, ...]
    name: str = ""
    documents: int = 0


class Scope:
    """How far documents agree with a question.

    Attributes:
        reading: what the question says.
        catalogue: the documents that there are.
        groups: one for each company that it names, else one for the publishers; empty where it
            names none that readers have documents of.
    """

    def __init__(
        self,
        reading: Reading = NOTHING_SAID,
        catalogue: Catalogue | None = None,
        where: Filter | None = None,
    ) -> None:
        self.reading = reading
        self.catalogue = catalogue or Catalogue({})
        self._where = where or Filter("")
        meant = [
            (named, held)
            for named in reading.companies
            if (held := self._allowed(self.catalogue.by_company, named.keys))
        ]
        self._sure = max((named.sure for named, _ in meant), default=0.0)
        self._companies = {key for named, _ in meant for key in named.keys}
        self._publishers = {key for named in reading.publishers for key in named.keys}
        self._year_ends = {
            key: end
            for key in self._companies
            if (end := _year_end(self.catalogue.by_company.get(key, ())))
        }
        self._newest = self._newest_day([each for _, held in meant for each in held])
        self.groups = self._groups([held for _, held in meant])

    def agreement(self, document_id: str) -> float:
        """0 to 1; 1 where the question says nothing that the document could disagree with."""
        document = self.catalogue.documents.get(document_id)
        return 1.0 if document is None else self._agreement(document)

    def about(self) -> list[DocumentFacts]:
        """Documents about the companies that the question surely names, each once."""
        keys = dict.fromkeys(key for named in self.reading.companies for key in named.keys)
        return self._allowed(self.catalogue.by_company, keys)

    def every(self) -> list[DocumentFacts]:
        """All documents that pass what was asked for beside the question."""
        by_id = {key: (each,) for key, each in self.catalogue.documents.items()}
        return self._allowed(by_id, by_id)

    def year_end(self, company: str) -> YearEnd | None:
        """How a company counts its fiscal years; None where no annual report tells it."""
        return self._year_ends.get(company)

    @property
    def narrows(self) -> bool:
        """Whether the question says anything of whom and when."""
        said = self.reading
        return bool(self.groups or said.periods or said.forms or said.latest)

    def to_dict(self) -> Json | None:
        """What was narrowed by, as answers tell it; None where nothing was."""
        if not self.narrows:
            return None
        return {
            "companies": [group.name for group in self.groups if group.name],
            "publishers": sorted(self._publishers),
            "periods": [str(period) for period in self.reading.periods],
            "forms": list(self.reading.forms),
            "newest": self.reading.latest,
            "documents": sum(group.documents for group in self.groups),
        }

    @property
    def reason(self) -> str:
        """The same in words, as the reason of a route; empty where nothing was narrowed."""
        if not self.narrows:
            return ""
        whom = [group.name for group in self.groups if group.name] or sorted(self._publishers)
        when = [str(period) for period in self.reading.periods]
        forms = [_FORMS[form] for form in self.reading.forms]
        newest = ["the newest"] if self.reading.latest else []
        first = ", ".join([*whom, *when, *forms, *newest])
        return f"documents that agree go first ({first})"

    def _agreement(self, document: DocumentFacts) -> float:
        said = self.reading
        share = 1.0
        if self._companies and document.company and document.company not in self._companies:
            others = OTHER_FILINGS_SHARE if document.row.kind == "filing" else OTHER_RESEARCH_SHARE
            share *= 1 - self._sure * (1 - others)
        if self._publishers and document.row.broker not in self._publishers:
            share *= PUBLISHER_SHARE
        if said.notes and document.document_id not in said.notes:
            share *= PUBLISHER_SHARE
        if said.forms and document.form not in said.forms:
            share *= FORM_SHARE
        if said.periods:
            year_end = self._year_ends.get(document.company)
            share *= period_agreement(said.periods, document, year_end, planned=said.planned)
        elif said.latest:
            age = max(self._newest - document.spoken_on, timedelta())
            share *= 1 - RECENCY_SHARE * min(1.0, age / timedelta(days=RECENCY_DAYS))
        return share

    def _groups(self, held: Iterable[list[DocumentFacts]]) -> tuple[Group, ...]:
        groups: dict[tuple[str, ...], Group] = {}
        for documents in held:
            group = self._group(documents, self.catalogue.name_of(documents[0].company))
            groups.setdefault(group.document_ids, group)
        if not groups and self._publishers:
            documents = self._allowed(self.catalogue.by_publisher, sorted(self._publishers))
            return (self._group(documents),) if documents else ()
        return tuple(groups.values())[:MOST_COMPANIES]

    def _group(self, documents: list[DocumentFacts], name: str = "") -> Group:
        newest_first = sorted(documents, key=lambda each: each.spoken_on, reverse=True)
        best = sorted(newest_first, key=lambda each: -self._agreement(each))[:MOST_NARROWED]
        return Group(tuple(each.document_id for each in best), name, len(documents))

    def _allowed(
        self, documents: Mapping[str, tuple[DocumentFacts, ...]], keys: Iterable[str]
    ) -> list[DocumentFacts]:
        """The documents under some keys that pass what was asked for beside the question."""
        where = self._where
        only = set(where.document_ids) if where.document_ids is not None else None
        code = where.company.casefold() if where.company else None
        return [
            each
            for key in keys
            for each in documents.get(key, ())
            if (where.as_of is None or each.row.published_on <= where.as_of)
            and (only is None or each.document_id in only)
            and (code is None or each.bears(code))
        ]

    def _newest_day(self, documents: list[DocumentFacts]) -> date:
        """The day from which age is counted: of the newest document asked about, else of all."""
        days = [each.spoken_on for each in documents]
        newest = max(days, default=self.catalogue.newest_on)
        return min(newest, self._where.as_of or newest)


#: Of a question that says nothing of whom and when.
EVERYTHING = Scope()


def _year_end(documents: Iterable[DocumentFacts]) -> YearEnd | None:
    """How a company counts its fiscal years, by its newest annual report; else by the quarter that
    the file of another filing is called by: F3Q25."""
    ends: dict[bool, YearEnd] = {}
    for each in documents:
        last, year = each.row.period_last_on, each.row.fiscal_year
        annual = each.form == "annual"
        quarter = 4 if annual else _quarter_of(each)
        known = ends.get(annual)
        if last and year and quarter and (known is None or last > known.last_on):
            ends[annual] = YearEnd(last if annual else _quarters_on(last, 4 - quarter), year)
    return ends.get(True) or ends.get(False)


def _quarter_of(document: DocumentFacts) -> int | None:
    """The fiscal quarter by which the file of a filing is called; None where it is by none."""
    match = _QUARTER.search(document.row.source or "") if document.row.kind == "filing" else None
    return int(match[1] or match[2]) if match else None


def _quarters_on(last: date, quarters: int) -> date:
    """The last day of the month some quarters after one that ends about a day: of a quarter of
    weeks that ends on the first days of a month, of the month before."""
    near = last - timedelta(days=_WEEKS_APART_DAYS)
    year, month = divmod(12 * near.year + near.month - 1 + 3 * quarters, 12)
    return date(year, month + 1, monthrange(year, month + 1)[1])
