"""Companies: which there are, what each is called since when, and what houses said of them.

Their figures are `figures` and `series`, relations `graph`, documents `documents`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date

from finrag_pipeline.query.browsing import graph
from finrag_pipeline.query.browsing.figures import Figure, keys_of, read_figures
from finrag_pipeline.query.browsing.frames import Tabular
from finrag_pipeline.query.browsing.graph import EntityName
from finrag_pipeline.query.browsing.viewpoint import Paged, Viewpoint, paged, part_of
from finrag_pipeline.query.lanes.entities import named
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.query.views.changes import changes
from finrag_pipeline.query.views.ratings import rating_class
from finrag_pipeline.query.views.reading import View, read_views
from finrag_pipeline.records import Place
from finrag_pipeline.stages.identity.spelling import spelling
from finrag_pipeline.store.facts import fact_lists
from finrag_pipeline.store.facts.fact_lists import HeldMetric


@dataclass(frozen=True, slots=True)
class ListedCompany:
    """A company that documents are about.

    Attributes:
        company_key: what everything about it is found by: a code, else its name without its form.
        last_published_on: of the newest of its documents.
    """

    company_key: str
    name: str
    codes: tuple[str, ...]
    documents: int
    last_published_on: date


@dataclass(frozen=True, slots=True)
class DocumentCount:
    """How many documents of a kind there are."""

    kind: str
    documents: int


@dataclass(frozen=True, slots=True)
class Company(Tabular):
    """A company with all its listings.

    Attributes:
        company_keys: of its listings, the one that was asked for first.
        entity_id: of it in the graph; None where the graph does not have it, or has several.
        names: what documents and registries call it, by time.
        houses: that write about it, those with the most documents first.
        metrics: that figures of it are held of.
    """

    company_keys: tuple[str, ...]
    name: str
    codes: tuple[str, ...]
    entity_id: str | None
    names: tuple[EntityName, ...]
    documents: tuple[DocumentCount, ...]
    houses: tuple[str, ...]
    first_published_on: date | None
    last_published_on: date | None
    metrics: tuple[HeldMetric, ...]

    @property
    def rows(self) -> tuple[HeldMetric, ...]:
        """The metrics that figures of it are held of."""
        return self.metrics


@dataclass(frozen=True, slots=True)
class ViewChange:
    """What a house says otherwise than in its document before on the company.

    Attributes:
        field: rating, target_price, or the metric of a forecast of `fiscal_year`.
        direction: 1 where it went up, -1 where it went down, 0 where it stayed.
        before: as the earlier document has it, `now` as this one does.
        since: the day of the earlier one.
    """

    field: str
    direction: int
    fiscal_year: int | None
    before: str
    now: str
    since: date


@dataclass(frozen=True, slots=True)
class HouseView:
    """What one document of a house says of a company.

    Attributes:
        rating: as printed; `rating_class` is buy, recommend, outperform, neutral, sell or empty.
        rating_places: where it is printed.
        prices: target prices, one a currency or the two ends of a range, that of the own listing
            first.
        forecasts: of whole fiscal years.
    """

    document_id: str
    source: str
    title: str
    house: str
    company_key: str
    company: str
    published_on: date
    analysts: tuple[str, ...]
    rating: str | None
    rating_class: str
    rating_places: tuple[Place, ...]
    prices: tuple[Figure, ...]
    forecasts: tuple[Figure, ...]
    changes: tuple[ViewChange, ...]


def list_companies(
    view: Viewpoint, text: str = "", *, limit: int = 50, offset: int = 0
) -> Paged[ListedCompany]:
    """Companies that documents are about, those with the most documents first.

    Args:
        text: a code, with or without its market, or a part of any name; empty for all.

    Raises:
        InvalidQuestion: `limit` or `offset` is out of range.
    """
    wanted = spelling(text)
    found = [
        _listed(view, key, documents)
        for key, documents in view.catalogue.by_company.items()
        if _meant(view, documents, text, wanted)
    ]
    found.sort(key=lambda each: (-each.documents, each.company_key))
    return part_of(found, limit, offset)


def company(view: Viewpoint, name: str) -> Company:
    """A company by a key, a code of any listing, or a name.

    Raises:
        NotFound: there is none, or there are several; the line lists them.
    """
    keys = keys_of(view, name)
    about = [each for key in keys for each in view.catalogue.by_company.get(key, ())]
    held = fact_lists.companies(view.connection, keys)
    codes = {code for each in about for code in each.codes}
    codes |= {each.company_code for each in held if each.company_code}
    called = view.catalogue.name_of(keys[0])
    if not about:
        called = next((each.company_name for each in held if each.company_name), keys[0])
    entity_id, names = _in_the_graph(view, sorted(codes), called)
    days = sorted(each.row.published_on for each in about)
    kinds = Counter(each.row.kind for each in about)
    houses = Counter(each.row.broker for each in about if each.row.broker)
    return Company(
        keys,
        called,
        tuple(sorted(codes)),
        entity_id,
        names,
        tuple(DocumentCount(kind, count) for kind, count in kinds.most_common()),
        tuple(sorted(houses, key=lambda house: (-houses[house], house))),
        days[0] if days else None,
        days[-1] if days else None,
        tuple(fact_lists.metrics_of(view.connection, keys)),
    )


def house_views(
    view: Viewpoint,
    *,
    company: str | None = None,
    broker: str | None = None,
    limit: int = 50,
    offset: int = 0,
) -> Paged[HouseView]:
    """What houses said of a company, or a house of companies, document by document, newest first.

    Args:
        broker: name of the house as documents are listed with it.

    Raises:
        InvalidQuestion: `limit` or `offset` is out of range.
        NotFound: there is no such company, or there are several.
    """
    documents = list(view.catalogue.documents.values())
    if company:
        keys = keys_of(view, company)
        documents = [each for key in keys for each in view.catalogue.by_company.get(key, ())]
    chosen = [each for each in documents if each.row.broker and broker in (None, each.row.broker)]
    names = {each.company: view.catalogue.name_of(each.company) for each in chosen if each.company}
    views = read_views(view.connection, chosen, names)
    part = part_of(views, limit, offset)
    ids = [item.fact_id for each in part.items for item in (*each.prices, *each.forecasts.values())]
    figures = read_figures(view, ids)
    told = [_told(each, views, figures) for each in part.items]
    return paged(told, part.total, limit, offset)


def _told(view: View, every: list[View], figures: dict[str, Figure]) -> HouseView:
    cover = view.cover
    return HouseView(
        cover.document_id,
        cover.source,
        view.title,
        view.house,
        view.company,
        view.name,
        view.day,
        cover.analysts,
        cover.rating,
        rating_class(cover.rating),
        tuple(cover.places.get("rating", ())),
        tuple(figures[each.fact_id] for each in view.own_prices),
        tuple(figures[each.fact_id] for each in view.forecasts.values()),
        tuple(
            ViewChange(
                each.field,
                each.direction,
                each.fiscal_year,
                each.figures[0].figure if each.figures else each.before.cover.rating or "",
                each.figures[1].figure if each.figures else each.after.cover.rating or "",
                each.before.day,
            )
            for each in changes(every, view)
        ),
    )


def _listed(view: Viewpoint, key: str, about: tuple[DocumentFacts, ...]) -> ListedCompany:
    codes = {code for each in about for code in each.codes}
    newest = max(each.row.published_on for each in about)
    return ListedCompany(key, view.catalogue.name_of(key), tuple(sorted(codes)), len(about), newest)


def _meant(view: Viewpoint, about: tuple[DocumentFacts, ...], text: str, wanted: str) -> bool:
    """Whether a company has a code, or a name with a part, that a text is."""
    if not wanted or any(each.bears(text.strip().casefold()) for each in about):
        return True
    codes = {code for each in about for code in each.codes}
    names = {each.name for each in about if each.name} | {each.company for each in about}
    names |= {name for code in codes for name in view.catalogue.known.get(code, ())}
    names |= {alias for each in about for alias in each.row.aliases}
    return any(wanted in spelling(name) for name in names)


def _in_the_graph(
    view: Viewpoint, codes: list[str], name: str
) -> tuple[str | None, tuple[EntityName, ...]]:
    """The entity of a company and its names: by a code, else by its name where that is one's."""
    for each in (*codes, name):
        found = [one for one in named(view.connection, view.app_id, each, view.as_of)]
        if len(found) == 1:
            entity = graph.entity(view, found[0].entity_id)
            return entity.entity_id, entity.names
    return None, ()
