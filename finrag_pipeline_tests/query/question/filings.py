"""Documents of made-up companies as a catalogue holds them."""

from __future__ import annotations

from datetime import date

from finrag_pipeline.query.question.catalogue import Catalogue
from finrag_pipeline.query.question.catalogues import facts_of
from finrag_pipeline.store.documents.catalogue import Catalogued


def filing(
    document_id: str,
    name: str | None,
    last_on: date | None = None,
    fiscal_year: int | None = None,
    *,
    first_on: date | None = None,
    code: str | None = None,
    kind: str = "filing",
    broker: str | None = None,
    published_on: date | None = None,
    source: str | None = None,
    other_names: tuple[str, ...] = (),
) -> Catalogued:
    """A document; its period is the year that ends on `last_on`, unless it begins elsewhere."""
    begins = last_on and (first_on or date.fromordinal(last_on.toordinal() - 364))
    return Catalogued(
        document_id,
        name,
        code,
        [code] if code else [],
        broker,
        kind,
        published_on or date(2026, 1, 1),
        published_on is not None,
        begins,
        last_on,
        fiscal_year or (last_on.year if last_on else None),
        other_names,
        source,
    )


def catalogue(*documents: Catalogued, known: dict[str, tuple[str, ...]] | None = None) -> Catalogue:
    return Catalogue(facts_of(documents), known or {})
