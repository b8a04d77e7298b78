"""The documents of an app as questions choose among them: by company, publisher, form and period.

How it is kept in memory is `catalogues`, which of its documents a question means `scope`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from types import MappingProxyType

from finrag_pipeline.query.question.names import Named, NameIndex
from finrag_pipeline.query.question.registered import NONE_REGISTERED, Registered
from finrag_pipeline.query.question.same_company import same_companies
from finrag_pipeline.query.question.spellings import (
    Spelled,
    company_spellings,
    known_spellings,
    printed_spellings,
    publisher_spellings,
    sounds,
)
from finrag_pipeline.records.enterprise import source_type
from finrag_pipeline.store.documents.catalogue import Catalogued
from finrag_pipeline.words import is_chinese

#: Days of a year, of nine months, of a half and of a quarter at least.
_YEAR_DAYS, _NINE_MONTHS_DAYS, _HALF_DAYS = 300, 250, 140


@dataclass(frozen=True)
class DocumentFacts:
    """A document by what questions choose by.

    Attributes:
        name: its company as its cover, else its file's name, has it.
        company: the `company_key` of that; empty where it is about none.
        codes: every listing of its company.
        form: annual, half, quarter or current for filings, else its kind.
    """

    row: Catalogued
    name: str | None
    company: str
    codes: frozenset[str]

    @property
    def document_id(self) -> str:
        return self.row.document_id

    def bears(self, code: str) -> bool:
        """Whether a folded code, with or without its market, is one of its company."""
        return any(code in (own.casefold(), own.casefold().partition(".")[0]) for own in self.codes)

    @cached_property
    def form(self) -> str:
        first, last = self.row.period_first_on, self.row.period_last_on
        if self.row.kind != "filing":
            return self.row.kind
        if first is None or last is None:
            return "current"
        days = (last - first).days
        if days >= _YEAR_DAYS:
            return "annual"
        return "half" if _HALF_DAYS <= days < _NINE_MONTHS_DAYS else "quarter"

    @property
    def speaks_of_a_day(self) -> bool:
        """Whether it prints its day, or what it reports on."""
        return self.row.published_on_printed or self.row.period_last_on is not None

    @cached_property
    def spoken_on(self) -> date:
        """The day by which it is new or old: printed, else the last that it reports on."""
        return (
            self.row.published_on
            if self.row.published_on_printed or (self.row.period_last_on is None)
            else self.row.period_last_on
        )


class Catalogue:
    """The documents of one app at one moment; never changed.

    Args:
        known: what else the graph calls the companies of codes, by code.
        horizon: up to which transaction every change is in it.
        registered: companies that there are, whether documents are about them or not.
    """

    def __init__(
        self,
        documents: Mapping[str, DocumentFacts],
        known: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
        horizon: int = 0,
        registered: Registered = NONE_REGISTERED,
    ) -> None:
        self.documents = documents
        self.known = known
        self.horizon = horizon
        self.registered = registered

    @cached_property
    def by_company(self) -> Mapping[str, tuple[DocumentFacts, ...]]:
        """Documents about each company, in order of ids."""
        found: defaultdict[str, list[DocumentFacts]] = defaultdict(list)
        for each in self.documents.values():
            if each.company:
                found[each.company].append(each)
        return {key: tuple(each) for key, each in found.items()}

    @cached_property
    def records(self) -> Mapping[str, tuple[DocumentFacts, ...]]:
        """Documents made of companies' records, by company."""
        found = {
            key: tuple(each for each in held if source_type(each.row.kind) != "doc")
            for key, held in self.by_company.items()
        }
        return {key: held for key, held in found.items() if held}

    def of_source_type(self, wanted: str) -> tuple[str, ...]:
        """The ids of documents of a source type."""
        return tuple(
            key for key, each in self.documents.items() if source_type(each.row.kind) == wanted
        )

    @cached_property
    def newest_on(self) -> date:
        """The day of the newest document."""
        return max((each.spoken_on for each in self.documents.values()), default=date.min)

    def counted_from(self, day: date | None, companies: Iterable[str] = ()) -> date | None:
        """The day from which 今年 and 上半年 are counted: the one asked for, else the newest that a
        document about some companies, or any, speaks of; None where there is no document.

        The day on which a document arrived says nothing of when it speaks.
        """
        if day is not None or not self.documents:
            return day
        about = [each for key in companies for each in self.by_company.get(key, ())]
        return _newest_spoken(about) or self._newest_spoken or self.newest_on

    @cached_property
    def _newest_spoken(self) -> date | None:
        return _newest_spoken(self.documents.values())

    @cached_property
    def by_publisher(self) -> Mapping[str, tuple[DocumentFacts, ...]]:
        """Documents of each house, in order of ids."""
        found: defaultdict[str, list[DocumentFacts]] = defaultdict(list)
        for each in self.documents.values():
            if each.row.broker:
                found[each.row.broker].append(each)
        return {key: tuple(each) for key, each in found.items()}

    def held_house(self, name: str) -> str:
        """The house whose documents bear a name: of an arm that only their files name, its own.

        What 兴证国际 sends out is printed as 兴业证券's.
        """
        if name in self.by_publisher:
            return name
        bearing = {
            each.row.broker
            for each in self.documents.values()
            if each.row.broker and each.row.source and name in each.row.source
        }
        # 民生证券 has become 国联民生证券
        bearing = bearing or {each for each in self.by_publisher if each.endswith(name)}
        return bearing.pop() if len(bearing) == 1 else name

    def wrote_on(self, companies: Iterable[str]) -> frozenset[str]:
        """The houses whose documents are about some companies, under any of their listings."""
        listings = {other for key in companies for other in self.listings_of(key)}
        about = (each for key in listings for each in self.by_company.get(key, ()))
        return frozenset(each.row.broker for each in about if each.row.broker)

    def companies_in(self, question: str) -> tuple[Named, ...]:
        """The companies that a question names; an English one may write them as they sound."""
        found = (self.companies if is_chinese(question) else self._sounded).find(question)
        return tuple(replace(each, keys=self._with_same(each.keys)) for each in found)

    def _with_same(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """Companies with those that are the same under a name without a code, or with one."""
        own = {self._same.get(key, key) for key in keys}
        also = own | {key for key, same in self._same.items() if same in own}
        return (*keys, *sorted(also.difference(keys)))

    @cached_property
    def _same(self) -> Mapping[str, str]:
        """Companies whose documents print no code, by the one with a code that they are."""
        return same_companies(self.by_company)

    @cached_property
    def companies(self) -> NameIndex:
        """How companies are written."""
        return NameIndex(self._spelled, self._coded)

    @cached_property
    def _sounded(self) -> NameIndex:
        spelled = {key: [*own, *sounds(own)] for key, own in self._spelled.items()}
        return NameIndex(spelled, self._coded)

    @cached_property
    def _coded(self) -> Mapping[str, set[str]]:
        """The codes of each company."""
        return {
            key: set[str]().union(*(each.codes for each in documents))
            for key, documents in self.by_company.items()
        }

    @cached_property
    def _spelled(self) -> Mapping[str, list[Spelled]]:
        """The spellings of each company."""
        borne: defaultdict[str, set[str | None]] = defaultdict(set)
        for key, documents in self.by_company.items():
            borne[key].update(each.name for each in documents)
        return {
            key: [
                *(each for name in sorted(filter(None, own)) for each in company_spellings(name)),
                *(
                    each
                    for code in sorted(self._coded[key])
                    for name in self.known.get(code, ())
                    for each in known_spellings(name)
                ),
                *(
                    each
                    for code in sorted(self._coded[key])
                    for each in self.registered.written_by_code(code)
                ),
                *(
                    each
                    for document in self.by_company[key]
                    for name in document.row.other_names
                    for each in printed_spellings(name)
                ),
                *(
                    each
                    for document in self.by_company[key]
                    for name in document.row.aliases
                    for each in known_spellings(name)
                ),
            ]
            for key, own in borne.items()
        }

    @cached_property
    def publishers(self) -> NameIndex:
        """How houses are written."""
        return NameIndex({name: publisher_spellings(name) for name in self.by_publisher})

    def strangers(self, question: str) -> tuple[Named, ...]:
        """Registered companies that a question names and no document is about."""
        known = (*self.companies_in(question), *self.publishers.find(question))
        return self.registered.strangers(question, known, self._by_code)

    @cached_property
    def _by_code(self) -> Mapping[str, frozenset[str]]:
        """Companies by the codes that their documents bear."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for company, documents in self.by_company.items():
            for code in {code for each in documents for code in each.codes}:
                found[code].add(company)
        return {code: frozenset(each) for code, each in found.items()}

    def listings_of(self, company: str) -> tuple[str, ...]:
        """Every company of which a document bears a code of one, itself the first.

        Documents on both listings of a company bear either code first; some bear its name alone.
        """
        whole = self._same.get(company, company)
        codes = {code for each in self.by_company.get(whole, ()) for code in each.codes}
        others = {other for code in codes for other in self._by_code[code]}
        others.update(self._with_same((whole, *others)))
        return (company, *sorted(others - {company}))

    def name_of(self, company: str) -> str:
        """The name that most documents of a company bear, else its key."""
        return self.names.get(company, company)

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The name that most documents of each company bear, of companies that have one."""
        found: dict[str, str] = {}
        for key, held in self.by_company.items():
            borne = Counter(each.name for each in held if each.name)
            if borne:
                found[key] = borne.most_common(1)[0][0]
        return found


def _newest_spoken(documents: Iterable[DocumentFacts]) -> date | None:
    """The newest day that a document speaks of; None where none does."""
    return max((each.spoken_on for each in documents if each.speaks_of_a_day), default=None)
