"""The writer of profiles: what a company does, its latest figures, who says what of it, its risks.

Every line is cited; a section without any is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from finrag_pipeline.errors import FinragError
from finrag_pipeline.query.answers.item_marks import ItemMarks
from finrag_pipeline.query.answers.numbers.amounts import told
from finrag_pipeline.query.answers.numbers.looking_up import look_up
from finrag_pipeline.query.answers.numbers.wording import metric_told, period_told
from finrag_pipeline.query.answers.phrasing import Phrasebook
from finrag_pipeline.query.answers.profile.sentences import business, quoted, risks
from finrag_pipeline.query.answers.records.telling import Telling
from finrag_pipeline.query.answers.writers import Draft, Search
from finrag_pipeline.query.evidence.fact import FactItem, read_facts
from finrag_pipeline.query.evidence.results import Result, SearchResult
from finrag_pipeline.query.numbers.reading import read_numbers
from finrag_pipeline.query.numbers.records import AskedPeriod
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.query.views.changes import newest_of
from finrag_pipeline.query.views.reading import View, read_views
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.facts import report_views
from finrag_pipeline.store.facts.report_views import Newest
from finrag_pipeline.words import is_chinese

_WAY = "business, figures, views and risks of one company"
_say = Phrasebook(Path(__file__).with_name("phrases.csv"))
#: Metrics of the latest figures, in the order in which they are told.
_METRICS = ("revenue", "net_profit_attributable", "gross_margin", "eps")
#: Sentences on the business and of risks, lines of views.
_MOST_BUSINESS, _MOST_RISKS, _MOST_VIEWS = 2, 2, 4
#: Passages that are looked through for a section, in so many of the newest documents.
_PASSAGES, _DOCUMENTS = 30, 24


@dataclass(frozen=True, slots=True)
class _Company:
    """Whom a profile is of."""

    key: str
    name: str
    documents: list[DocumentFacts]


class ProfileWriter:
    """Sums a company up.

    Args:
        reader: of an open store.
        search: for passages on its business and its risks.
    """

    def __init__(self, reader: Reader, search: Search) -> None:
        self._reader = reader
        self._search = search

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """A draft; None where no one company is named, or nothing is held that sums it up."""
        documents = asked.scope.about()
        keys = {each.company for each in documents}
        if len({each.keys for each in asked.scope.reading.companies}) != 1 or not keys:
            return None
        key = documents[0].company
        company = _Company(key, asked.scope.catalogue.name_of(key), documents)
        tell = Telling(is_chinese(asked.question), ItemMarks())
        # looked for before a connection is taken: both may take a second
        does = self._passages(asked, company, "ask_business", tell.chinese)
        fears = self._passages(asked, company, "ask_risks", tell.chinese)
        names = [company.name, asked.scope.reading.companies[0].text]
        sections = {
            "business": [quoted(tell, each) for each in business(does, names, _MOST_BUSINESS)]
        }
        with self._reader.reading(asked.where.app_id, asked.where.as_of) as connection:
            views = read_views(connection, documents, dict.fromkeys(keys, company.name))
            sections["figures"] = list(_figures(connection, asked, company, tell))
        sections["views"] = _views(tell, views)
        sections["risks"] = [quoted(tell, each) for each in risks(fears, _MOST_RISKS)]
        lines: list[str] = []
        for name, own in sections.items():
            lead = f"{_say(name, tell.chinese)}{'' if tell.chinese else ' '}"
            lines += [f"{'' if n else lead}{line}" for n, line in enumerate(own)]
        if not tell.marks.made:
            return None
        cited = tuple(tell.marks.made)
        return Draft("\n".join(lines), cited, tell.marks.cited_from, way=_WAY, kind="text")

    def _passages(
        self, asked: Asked, company: _Company, phrase: str, chinese: bool
    ) -> Sequence[Result]:
        """Passages of the newest documents of a company; none where no lane finds any."""
        newest = sorted(company.documents, key=lambda each: each.spoken_on, reverse=True)
        ids = tuple(each.document_id for each in newest[:_DOCUMENTS])
        question = _say(phrase, chinese, company=company.name)
        try:
            _, found = self._search(asked, question, most=_PASSAGES, document_ids=ids)
        except FinragError:
            return ()  # the other sections stand without it
        return found.results


def _figures(
    connection: Connection[Row], asked: Asked, company: _Company, tell: Telling
) -> Iterator[str]:
    """The latest figures, a line a period: the newest part of a year first."""
    newest = report_views.newest_actual(connection, company.key, _METRICS)
    items = read_facts(connection, [each.fact_id for each in newest])
    last: dict[str, Newest] = {}
    for each in newest:
        if each.kind not in last or each.last_on > last[each.kind].last_on:
            last[each.kind] = each
    for of_kind in sorted(last.values(), key=lambda each: each.last_on, reverse=True):
        if of_kind.kind == "part" and "FY" in last and of_kind.last_on < last["FY"].last_on:
            continue  # it is in the year that is told
        period = AskedPeriod(of_kind.fiscal_year, of_kind.period)  # pyright: ignore[reportArgumentType]
        own = {
            each.metric: items[each.fact_id]
            for each in newest
            if (each.fiscal_year, each.period) == (period.fiscal_year, of_kind.period)
            and each.fact_id in items
        }
        parts = [
            _figure(connection, asked, company, own[metric], period, tell)
            for metric in _METRICS
            if metric in own
        ]
        if parts:
            when = period_told(period, False, tell.chinese)
            lead = f"{company.name}{'' if tell.chinese else ' '}{when}"
            yield f"{lead}{'' if tell.chinese else ': '}{tell.joined(parts)}"


def _figure(
    connection: Connection[Row],
    asked: Asked,
    company: _Company,
    item: FactItem,
    period: AskedPeriod,
    tell: Telling,
) -> str:
    """A figure, and how far it has grown on the year before where that is held."""
    name = metric_told(item.metric, tell.chinese)
    amount = told(item.value, item.unit, tell.chinese).text
    text = f"{name}{amount}" if tell.chinese else f"{name} {amount}"
    when = period_told(period, False, tell.chinese)
    words = _say("figure", tell.chinese, company=company.name, period=when, metric=name)
    question = read_numbers(words, asked.scope.catalogue, asked.where.as_of)
    if question and not question.not_understood and len(question.companies) == 1:
        grown = look_up(connection, replace(question, unit="")).grown
        if grown is not None and grown.value is not None and "negative_base" not in grown.notes:
            growth = told(grown.value, grown.unit, tell.chinese, decimals=2).text
            behind = f"（同比{growth}）" if tell.chinese else f" ({growth} year on year)"
            more = read_facts(connection, grown.fact_ids)
            cited = [item, *(each for key, each in more.items() if key != item.fact_id)]
            return f"{text}{behind}{tell.mark(cited)}"
    return f"{text}{tell.mark([item])}"


def _views(tell: Telling, views: Sequence[View]) -> list[str]:
    rated = [each for each in views if each.says("rating") or each.says("target_price")]
    newest = [each for each in newest_of(rated) if each.house]
    lines = [tell.line(each, ("rating", "target_price")) for each in newest[:_MOST_VIEWS]]
    expecting = [each for each in newest_of(views) if each.forecasts][:1]
    return [line for line in (*lines, *map(tell.forecasts, expecting)) if line]
