"""What came in some days, read from the store: views, what changed, new figures, new risks.

How it is told is `composing`'s.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from finrag_pipeline.query.answers.digest.new_risks import items_of, new_of
from finrag_pipeline.query.answers.profile.sentences import Found, risk_lists
from finrag_pipeline.query.evidence.chunk import CHUNK, ChunkItem, read_chunks
from finrag_pipeline.query.evidence.fact import FactItem, read_facts
from finrag_pipeline.query.evidence.keys import content_key
from finrag_pipeline.query.question.catalogue import Catalogue, DocumentFacts
from finrag_pipeline.query.views.changes import Change, changes
from finrag_pipeline.query.views.reading import View, read_views
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.documents import covers
from finrag_pipeline.store.documents.covers import Quarantined
from finrag_pipeline.store.facts import report_views

#: A forecast by which houses are compared: other ones follow it.
_FORECAST = "net_profit_attributable"


@dataclass(frozen=True, slots=True)
class Surprise:
    """A figure that a company told first, and what houses expected of it before."""

    actual: FactItem
    name: str
    expected: tuple[FactItem, ...]


@dataclass(frozen=True, slots=True)
class NewRisk:
    """Risks that a document names first of its company."""

    view: View
    found: Found
    risks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Came:
    """What came from a first to a last day.

    Attributes:
        views: of each document, the newest first.
    """

    first_on: date
    last_on: date
    views: tuple[View, ...] = ()
    changes: tuple[Change, ...] = ()
    surprises: tuple[Surprise, ...] = ()
    risks: tuple[NewRisk, ...] = ()
    quarantined: tuple[Quarantined, ...] = ()


def came(
    connection: Connection[Row], app_id: str, catalogue: Catalogue, first_on: date, last_on: date
) -> Came:
    """What came in some days.

    Args:
        connection: a reading of the app; by a day, nothing later is compared with.
    """
    ids = set(covers.of_days(connection, app_id, first_on, last_on))
    new = [each for key, each in catalogue.documents.items() if key in ids]
    companies = {each.company for each in new if each.company}
    every = [each for key in sorted(companies) for each in catalogue.by_company[key]]
    names = {key: catalogue.name_of(key) for key in companies}
    about = read_views(connection, every, names)
    others = read_views(connection, [each for each in new if not each.company], names)
    views = [each for each in (*about, *others) if each.cover.document_id in ids]
    changed = [
        change
        for view in views
        for change in changes(about, view)
        if change.direction and (change.fiscal_year is None or change.field == _FORECAST)
    ]
    return Came(
        first_on,
        last_on,
        tuple(sorted(views, key=lambda each: (each.name, each.house))),
        tuple(changed),
        tuple(_surprises(connection, new, names)),
        tuple(_new_risks(connection, views, every)),
        tuple(covers.quarantined(connection, app_id, first_on, last_on)),
    )


def _surprises(
    connection: Connection[Row], new: Sequence[DocumentFacts], names: Mapping[str, str]
) -> list[Surprise]:
    """Each company's figure of a year and metric once, where a house expected it."""
    told = report_views.reported(connection, [each.document_id for each in new])
    found: dict[tuple[str, str, int], Surprise] = {}
    for each in told:
        key = each.company_key, each.metric, each.fiscal_year
        if key in found or each.company_key not in names:
            continue
        expected = [
            one
            for one in report_views.said_before(
                connection, each.company_key, [each.fiscal_year], each.published_on
            )
            if (one.metric, one.unit) == (each.metric, each.unit)
        ]
        items = read_facts(connection, [each.fact_id, *(one.fact_id for one in expected)])
        if expected and each.fact_id in items:
            those = tuple(items[one.fact_id] for one in expected if one.fact_id in items)
            found[key] = Surprise(items[each.fact_id], names[each.company_key], those)
    return list(found.values())


def _new_risks(
    connection: Connection[Row], views: Sequence[View], every: Sequence[DocumentFacts]
) -> list[NewRisk]:
    """What each new document lists first; a company of which nothing was held has none."""
    lists: defaultdict[str, list[Found]] = defaultdict(list)
    keys = [
        content_key(CHUNK, *each)
        for each in covers.risk_chunks(connection, [each.document_id for each in every])
    ]
    for item in read_chunks(connection, keys).values():
        lists[item.document_id] += _found(item)
    found: list[NewRisk] = []
    for view in views:
        earlier = [
            each.document_id
            for each in every
            if each.company == view.company and each.row.published_on < view.day
        ]
        known = [each.said.quote for key in earlier for each in lists[key]]
        for own in lists[view.cover.document_id][:1] if known and view.company else ():
            if risks := new_of(items_of(own.said.quote), known):
                found.append(NewRisk(view, own, risks))
    return found


def _found(item: ChunkItem) -> list[Found]:
    return [Found(item, said) for said in risk_lists(item)]
