"""The writer of who holds an office: by the newest document that tells it, or that of the time
asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from finrag_pipeline.errors import FinragError
from finrag_pipeline.query.answers.officers.holders import Holder, holders_in
from finrag_pipeline.query.answers.officers.offices import offices, offices_in
from finrag_pipeline.query.answers.quotes import Quote, Quotes
from finrag_pipeline.query.answers.values import name_value
from finrag_pipeline.query.answers.writers import Draft, Search, Tools
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.words import is_chinese

#: Tables and passages that are looked through for each document.
_TABLES, _PASSAGES = 24, 12
#: Documents that are read, the newest first, and people who are told.
_MOST_DOCUMENTS, _MOST_TOLD = 6, 12
_WAY = "who holds an office, by the newest document that tells it"


class OfficersWriter:
    """Answers who holds an office of a company.

    Args:
        tools: whose search finds tables of people and passages on them.
    """

    def __init__(self, tools: Tools) -> None:
        self._search: Search = tools.search

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """A draft; None where no office of one company is asked for, or nothing tells who holds
        it."""
        if len(asked.scope.reading.companies) != 1:
            return None
        told = _Told(asked)
        for office, called in offices_in(asked.question):
            for document in _documents(asked):
                held = list(_once(self._holders(asked, document, office)))
                if held:
                    told.add(document, held, called)
                    break
        return told.draft()

    def _holders(self, asked: Asked, document: DocumentFacts, office: str) -> Iterator[Holder]:
        words = "、".join(each for each in offices()[office] if not each.isascii())
        within = (document.document_id,)
        day = document.row.period_last_on or document.row.published_on
        looked = (
            ("table", f"董事 监事 高级管理人员 姓名 职务 任期 {words} 联系人", _TABLES),
            ("keyword", f"{words} 聘任 现任 担任", _PASSAGES),
        )
        for lane, question, most in looked:
            try:
                _, result = self._search(
                    asked.in_lane(lane), question, most=most, document_ids=within
                )
            except FinragError:
                continue  # the other lane may tell
            for each in result.results:
                for item in (each.item, *each.copies):
                    if isinstance(item, TableItem | ChunkItem):
                        yield from holders_in(item, office, day)


def _documents(asked: Asked) -> Sequence[DocumentFacts]:
    """Filings about the company, the newest first; of the time asked for alone."""
    every = sorted(asked.scope.about(), key=lambda each: each.spoken_on, reverse=True)
    filings = [each for each in every if each.row.kind == "filing"]
    periods = [each for each in asked.scope.reading.periods if each.text]
    if periods:
        filings = [each for each in filings if any(_reports(each, one.last_on) for one in periods)]
    return filings[:_MOST_DOCUMENTS]


def _reports(document: DocumentFacts, day: date) -> bool:
    last = document.row.period_last_on
    return last is not None and last.year == day.year


def _once(held: Iterator[Holder]) -> Iterator[Holder]:
    told: set[str] = set()
    for each in held:
        if each.name not in told:
            told.add(each.name)
            yield each


class _Told:
    """Lines on who holds which office."""

    def __init__(self, asked: Asked) -> None:
        self._chinese = is_chinese(asked.question)
        self._name_of = asked.scope.catalogue.name_of
        self._quotes = Quotes()
        self._lines: list[str] = []
        self._names: list[str] = []

    def add(self, document: DocumentFacts, held: Sequence[Holder], called: str) -> None:
        """Tell who holds an office, by what it is called."""
        name = self._name_of(document.company)
        source = getattr(held[0].item, "title", "") or document.row.published_on.isoformat()
        for each in held[:_MOST_TOLD]:
            mark = self._quotes.mark(Quote(each.item, each.quote, each.places))
            if self._chinese:
                line = f"{name}{called}：{each.name}（{each.title}，{source}）{mark}"
            else:
                line = f"{called} of {name}: {each.name} ({each.title}, {source}){mark}"
            self._lines.append(line)
            self._names.append(each.name)

    def draft(self) -> Draft | None:
        """The draft; None where nothing was told."""
        if not self._lines:
            return None
        return Draft(
            "\n".join(self._lines),
            tuple(self._quotes.made),
            self._quotes.sources,
            way=_WAY,
            kind="name" if len(self._names) == 1 else "names",
            value=name_value(self._names),
        )
