"""Figures as documents print them, one by one and side by side; over time they are `series`.

Which figure answers a question is `query.numbers`; this only shows what is held.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from finrag_pipeline.errors import InvalidQuestion, NotFound
from finrag_pipeline.grammar.fact_metrics import fact_metrics
from finrag_pipeline.grammar.publishers import canonical
from finrag_pipeline.query.browsing.viewpoint import (
    Paged,
    Value,
    Viewpoint,
    check_part,
    paged,
    part_of,
)
from finrag_pipeline.query.numbers.formulas import formulas
from finrag_pipeline.query.question.whom import company_keys
from finrag_pipeline.records import Place
from finrag_pipeline.stages.facts.sources import fact_sources
from finrag_pipeline.stages.identity.codes import listing_code
from finrag_pipeline.stages.identity.company_keys import company_key
from finrag_pipeline.store.facts import cited_facts, fact_lists
from finrag_pipeline.store.facts.fact_lists import FigureFilter

__all__ = ["FigureFilter"]


#: What follows the price of a share, and so is another every day.
_OF_A_DAY = tuple(
    each.name for each in fact_metrics().values() if each.kind in ("multiple", "price")
)


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure with its cell or sentence.

    Attributes:
        document_id: that prints it; None for what a user supplied, which has no page.
        source: name of the file.
        place: the box of its cell or sentence.
        table: ordinal of its table in the document, with `row` and `column` of its grid.
        printed: the figure as printed, in `printed_unit`.
        value: exact, in `unit`: money in whole units, shares in percent.
        metric: with `metric_zh` and `metric_en`, what it is called; None where it has only a label.
        label: of its row; `heading` of its column, from the top.
        nature: actual, forecast or guidance.
        broker: whose forecast.
        kind_of_source: of document and column, `kind_of_source_en` for a person.
        checked: whether the sums of its statement hold; None where nothing could be added up.
    """

    fact_id: str
    document_id: str | None
    source: str
    title: str | None
    published_on: date | None
    place: Place | None
    table: int | None
    row: int | None
    column: int | None
    printed: str
    printed_unit: str
    value: Value
    unit: str
    currency: str | None
    metric: str
    metric_zh: str | None
    metric_en: str | None
    label: str
    heading: str
    quote: str
    company_key: str
    company_code: str | None
    company_name: str | None
    segment: str
    fiscal_year: int
    period: str
    first_on: date | None
    last_on: date
    scope: str
    nature: str
    broker: str | None
    restated: bool
    checked: bool | None
    kind_of_source: str
    kind_of_source_en: str


@dataclass(frozen=True, slots=True)
class NamedMetric:
    """A metric that figures are held of, or a formula that is worked out of some.

    Attributes:
        kind: what it is counted in: amount, per_share, price, share, multiple, people, shares; of a
            formula figure, percent, plain or days.
        statement: that a metric stands in; empty where in none.
    """

    name: str
    name_zh: str
    name_en: str
    kind: str
    statement: str
    formula: bool


@dataclass(frozen=True, slots=True)
class Contradiction:
    """What sources say of one matter, where they differ by more than rounding does.

    Attributes:
        figures: the one that is believed first.
        spread_pct: how far the greatest lies over the least, of the one that is believed; None
            where that is nothing.
    """

    company_key: str
    metric: str
    fiscal_year: int
    period: str
    scope: str
    spread_pct: float | None
    figures: tuple[Figure, ...]


def list_metrics() -> tuple[NamedMetric, ...]:
    """Every metric of the vocabulary, then every formula that is none of them."""
    held = fact_metrics()
    metrics = [
        NamedMetric(each.name, each.name_zh, each.name_en, each.kind, each.statement, False)
        for each in held.values()
    ]
    worked = [each.measure for name, each in formulas().items() if name not in held]
    return (
        *metrics,
        *(
            NamedMetric(each.name, each.name_zh, each.name_en, each.kind, "", True)
            for each in worked
        ),
    )


def known_metric(name: str) -> str:
    """The name of a metric that figures are held of.

    Raises:
        NotFound: the vocabulary has none of this name.
    """
    if name not in fact_metrics():
        raise NotFound(f"there is no metric {name!r}")
    return name


def list_figures(
    view: Viewpoint,
    wanted: FigureFilter | None = None,
    *,
    company: str | None = None,
    believed: bool = False,
    limit: int = 50,
    offset: int = 0,
) -> Paged[Figure]:
    """Figures that a filter leaves, the newest period first.

    Args:
        company: a code of any listing, or a name; its figures alone.
        believed: of figures that speak of the same only the one that goes before the others.

    Raises:
        InvalidQuestion: neither company, metric nor document is named, or a part is out of range.
        NotFound: there is no such company, or there are several.
    """
    check_part(limit, offset)
    wanted = wanted or FigureFilter()
    if company:
        wanted = replace(wanted, company_keys=keys_of(view, company))
    if wanted.company_keys is None and not wanted.metric and not wanted.document_id:
        raise InvalidQuestion("name a company, a metric or a document: there are too many figures")
    if wanted.broker:
        wanted = replace(wanted, broker=canonical(wanted.broker))
    return _part(view, wanted, limit, offset, believed)


def published_figures(view: Viewpoint, wanted: FigureFilter, limit: int) -> Paged[Figure]:
    """Figures that are believed and that a filter by days of publication leaves, newest first."""
    return _part(view, wanted, limit, 0, True)


def figure(view: Viewpoint, fact_id: str) -> Figure:
    """One figure by its id.

    Raises:
        NotFound: none of this id is in sight.
    """
    owner, _, ordinal = fact_id.rpartition("/")
    found = read_figures(view, [fact_id]) if owner and ordinal.isdecimal() else {}
    for each in found.values():
        return each
    raise NotFound(f"app {view.app_id!r} has no figure {fact_id!r}")


def contradictions(
    view: Viewpoint,
    company: str,
    *,
    metric: str | None = None,
    fiscal_year: int | None = None,
    limit: int = 50,
    offset: int = 0,
) -> Paged[Contradiction]:
    """Where sources on a company contradict each other, the newest period first.

    Args:
        metric: of it alone; without, multiples and prices are left out, which change every day.

    Raises:
        InvalidQuestion: `limit` or `offset` is out of range.
        NotFound: there is no such company, or there are several.
    """
    keys = keys_of(view, company)
    metrics = [metric] if metric else None
    disputed = fact_lists.disputed(
        view.connection, keys, metrics, fiscal_year, but=() if metric else _OF_A_DAY
    )
    part = part_of(disputed, limit, offset)
    found = read_figures(view, (fact_id for each in part.items for fact_id in each.fact_ids))
    told: list[Contradiction] = []
    for each in part.items:
        figures = tuple(found[fact_id] for fact_id in each.fact_ids if fact_id in found)
        values = [figure.value for figure in figures]
        spread = float((max(values) - min(values)) / abs(values[0]) * 100) if values[0] else None
        parts = (each.company_key, each.metric, each.fiscal_year, each.period, each.scope)
        told.append(Contradiction(*parts, spread, figures))
    return paged(told, part.total, limit, offset)


def keys_of(view: Viewpoint, company: str) -> tuple[str, ...]:
    """The keys of a company's listings: by its documents, else by its figures alone.

    Raises:
        NotFound: there is no such company, or there are several.
    """
    try:
        return company_keys(view.catalogue, company)
    except NotFound:
        name = company.strip()
        keys = {name, name.upper(), company_key(name, None), listing_code(name) or name}
        held = fact_lists.companies(view.connection, keys)
        if not held:
            raise
        return tuple(sorted(each.company_key for each in held))


def read_figures(view: Viewpoint, fact_ids: Iterable[str]) -> dict[str, Figure]:
    """Figures by their ids, as far as they are in sight."""
    ids = list(dict.fromkeys(fact_ids))
    rows = cited_facts.read(view.connection, ids) if ids else []
    return {row["fact_id"]: _figure(row) for row in rows}


def _part(
    view: Viewpoint, wanted: FigureFilter, limit: int, offset: int, believed: bool
) -> Paged[Figure]:
    ids, total = fact_lists.matching(view.connection, wanted, limit, offset, best=believed)
    found = read_figures(view, ids)
    return paged([found[each] for each in ids if each in found], total, limit, offset)


def _figure(row: dict[str, Any]) -> Figure:
    metric, source = fact_metrics().get(row["metric"]), fact_sources().get(row["source_kind"])
    told = {name: row[name] for name in Figure.__slots__ if name in row and name != "row"}
    return Figure(
        **told,
        document_id=None if row["is_vendor"] else row["fact_id"].rpartition("/")[0],
        place=None if row["page"] is None else Place(row["page"], tuple(row["bbox"])),
        table=row["table_ordinal"],
        row=row["grid_row"],
        column=row["grid_column"],
        printed=row["text"],
        metric_zh=metric.name_zh if metric else None,
        metric_en=metric.name_en if metric else None,
        kind_of_source=row["source_kind"],
        kind_of_source_en=source.name_en if source else row["source_kind"],
    )
