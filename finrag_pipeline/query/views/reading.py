"""Views read from the store: one a document, each with the evidence for all that it says.

What of two views of one house differs is `changes`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from finrag_pipeline.query.evidence.cover import FIELDS, CoverItem, cover_item
from finrag_pipeline.query.evidence.fact import FactItem, read_facts
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.records import Place
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.documents import covers
from finrag_pipeline.store.documents.covers import Cover
from finrag_pipeline.store.facts import report_views
from finrag_pipeline.store.facts.report_views import PRICES, Expected

#: Pages on which a house explains its price.
_FIRST_PAGES = (1, 2)
#: Documents whose covers are read at most, the newest of them.
MOST_READ = 300


@dataclass(frozen=True, slots=True)
class View:
    """What one document says of its company.

    Attributes:
        company: the `company_key` of whom it is about; empty where it is about none.
        name: of that company, as most of its documents have it.
        prices: what it expects of the share, one a currency or the two ends of a range.
        forecasts: by metric and fiscal year.
        shown: evidence by field, as far as its pages print it.
    """

    cover: Cover
    company: str = ""
    name: str = ""
    prices: tuple[FactItem, ...] = ()
    forecasts: Mapping[tuple[str, int], FactItem] = field(
        default_factory=dict[tuple[str, int], FactItem]
    )
    shown: Mapping[str, CoverItem] = field(default_factory=dict[str, CoverItem])

    @property
    def day(self) -> date:
        return self.cover.published_on

    @property
    def title(self) -> str:
        return self.cover.title or ""

    @property
    def house(self) -> str:
        """Who says it; empty for what a company says itself."""
        return self.cover.broker or ""

    @property
    def own_prices(self) -> tuple[FactItem, ...]:
        """Its prices, those of the listing that its document bears first."""
        hong_kong = (self.cover.company_code or "").endswith(".HK")
        own = "HKD" if hong_kong else "CNY"
        return tuple(sorted(self.prices, key=lambda each: not each.unit.startswith(own)))

    @property
    def price(self) -> Decimal | None:
        """The price by which it is compared: of its own listing, a range by its middle."""
        own = self.own_prices
        values = [each.value for each in own if each.unit == own[0].unit]
        return sum(values, Decimal(0)) / len(values) if values else None

    def says(self, asked: str) -> bool:
        """Whether it has anything in a field."""
        match asked:
            case "target_price":
                return bool(self.prices) or self.cover.target_price is not None
            case "analysts":
                return bool(self.cover.analysts)
            case "rating":
                return bool(self.cover.rating)
            case "forecasts":
                return bool(self.forecasts)
            case "revision":
                return asked in self.shown
            case _:
                return True


def read_views(
    connection: Connection[Row], documents: Sequence[DocumentFacts], names: Mapping[str, str]
) -> list[View]:
    """The views of some documents, the newest first; copies of one report once.

    Args:
        documents: of which at most `MOST_READ` are read.
        names: of companies by their keys.
    """
    newest = sorted(documents, key=lambda each: (each.row.published_on, each.document_id))
    by_id = {each.document_id: each for each in newest[-MOST_READ:]}
    found = covers.covers(connection, by_id.keys())
    expected = report_views.views(connection, by_id.keys())
    items = read_facts(connection, [each.fact_id for each in expected])
    prices, forecasts = _prices(expected, items), _forecasts(expected, items)
    pages = _pages(connection, found)
    views: dict[tuple[object, ...], View] = {}
    for cover in found:
        own = {page: pages.get((cover.document_id, page), []) for page in _named_pages(cover)}
        shown = {name: item for name in FIELDS if (item := cover_item(cover, name, own))}
        company = by_id[cover.document_id].company
        view = View(
            cover,
            company,
            names.get(company, cover.company_name or ""),
            tuple(prices.get(cover.document_id, ())),
            forecasts.get(cover.document_id, {}),
            shown,
        )
        views.setdefault(_told_alike(view), view)
    return list(views.values())


def _told_alike(view: View) -> tuple[object, ...]:
    """By what two files are copies of one report."""
    cover = view.cover
    title = "".join((cover.title or "").split())
    if not cover.broker or not title:
        return (cover.document_id,)
    return view.company, cover.broker, cover.published_on, title, cover.rating, view.price


def _prices(
    expected: Iterable[Expected], items: Mapping[str, FactItem]
) -> dict[str, list[FactItem]]:
    """The prices of each document, of each metric and unit the first."""
    found: defaultdict[str, dict[tuple[str, str], FactItem]] = defaultdict(dict)
    for each in expected:
        if each.metric in PRICES and each.fact_id in items:
            found[each.document_id].setdefault((each.metric, each.unit), items[each.fact_id])
    return {document_id: list(own.values()) for document_id, own in found.items()}


def _forecasts(
    expected: Iterable[Expected], items: Mapping[str, FactItem]
) -> dict[str, dict[tuple[str, int], FactItem]]:
    found: defaultdict[str, dict[tuple[str, int], FactItem]] = defaultdict(dict)
    for each in expected:
        if each.metric not in PRICES and each.fact_id in items:
            key = each.metric, each.fiscal_year
            found[each.document_id].setdefault(key, items[each.fact_id])
    return dict(found)


def _named_pages(cover: Cover) -> list[int]:
    named = {place.page for name in FIELDS for place in cover.places.get(name, ())}
    return sorted(named | set(_FIRST_PAGES))


def _pages(
    connection: Connection[Row], found: Sequence[Cover]
) -> dict[tuple[str, int], list[tuple[Place, str]]]:
    wanted = [
        (cover.document_id, cover.revision, page) for cover in found for page in _named_pages(cover)
    ]
    return covers.regions(connection, wanted) if wanted else {}
