"""The writer of who holds an office: by the newest document that tells it, or that of the time
asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from finrag_pipeline.errors import FinragError
from finrag_pipeline.query.answers.officers.holders import Holder, holders_in
from finrag_pipeline.query.answers.officers.offices import office_in, offices
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
        companies = asked.scope.reading.companies
        named = office_in(asked.question)
        if named is None or len(companies) != 1:
            return None
        office, called = named
        for document in _documents(asked):
            held = list(_once(self._holders(asked, document, office)))
            if held:
                return _told(asked, document, held, called)
        return None

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


def _told(asked: Asked, document: DocumentFacts, held: Sequence[Holder], called: str) -> Draft:
    chinese = is_chinese(asked.question)
    quotes = Quotes()
    name = asked.scope.catalogue.name_of(document.company)
    source = getattr(held[0].item, "title", "") or document.row.published_on.isoformat()
    lines: list[str] = []
    for each in held[:_MOST_TOLD]:
        mark = quotes.mark(Quote(each.item, each.quote, each.places))
        if chinese:
            lines.append(f"{name}{called}：{each.name}（{each.title}，{source}）{mark}")
        else:
            lines.append(f"{called} of {name}: {each.name} ({each.title}, {source}){mark}")
    names = [each.name for each in held[:_MOST_TOLD]]
    return Draft(
        "\n".join(lines),
        tuple(quotes.made),
        quotes.sources,
        way=_WAY,
        kind="name" if len(names) == 1 else "names",
        value=name_value(names),
    )
