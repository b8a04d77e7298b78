"""Invented figures and passages, cited, for what is said of them."""

from __future__ import annotations

from calendar import monthrange
from datetime import date
from decimal import Decimal

from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.fact import FactItem, fact_key
from finrag_pipeline.query.evidence.keys import content_key
from finrag_pipeline.query.evidence.kinds import EvidenceItem
from finrag_pipeline.query.grounding import Grounding, grounded
from finrag_pipeline.query.question.catalogue import Catalogue
from finrag_pipeline.query.question.catalogues import facts_of
from finrag_pipeline.records import Place
from finrag_pipeline.stages.identity.company_keys import company_key
from finrag_pipeline.store.documents.catalogue import Catalogued

PLACE = Place(3, (0, 0, 9, 9))
PUBLISHED = date(2025, 4, 1)
STAR = ("d1", "星河电器股份有限公司", "600901.SH")
CLOUD = ("d2", "云岭药业股份有限公司", "000902.SZ")
GALAXY = ("d3", "Galaxy Works, Inc.", None)
_ENDS = {"FY": (1, 12), "H1": (1, 6), "Q1": (1, 3), "Q3": (7, 9), "9M": (1, 9)}


def catalogue() -> Catalogue:
    """Three companies with a document each."""
    return Catalogue(
        facts_of(
            Catalogued(key, name, code, [code] if code else [], None, "filing", PUBLISHED, True)
            for key, name, code in (STAR, CLOUD, GALAXY)
        )
    )


def figure(
    metric: str,
    value: str,
    *,
    whose: tuple[str, str, str | None] = STAR,
    year: int = 2024,
    period: str = "FY",
    unit: str = "CNY",
    scope: str = "consolidated",
    ordinal: int = 0,
) -> FactItem:
    """A stored figure of a company's document."""
    document_id, name, code = whose
    begins, ends = _ENDS[period]
    first, last = date(year, begins, 1), date(year, ends, monthrange(year, ends)[1])
    shown = f"{Decimal(value):,}"
    return FactItem(
        key=fact_key(f"{document_id}/{ordinal}", "r1"),
        text=f"项目 {metric} {shown}",
        source=f"{document_id}_{year}.pdf",
        places=(PLACE,),
        company=name,
        company_code=code,
        published_on=PUBLISHED,
        fact_id=f"{document_id}/{ordinal}",
        figure=shown,
        value=Decimal(value),
        unit=unit,
        metric=metric,
        company_key=company_key(name, code),
        fiscal_year=year,
        period=period,
        first_on=first,
        last_on=last,
        scope=scope,
    )


def passage(text: str, title: str = "星河电器2024年年报点评") -> ChunkItem:
    """A chunk of a report on the first company."""
    return ChunkItem(
        content_key("chunk", "d1", "r1", 0),
        text=text,
        source="d1.pdf",
        places=(PLACE,),
        title=title,
        company="星河电器",
        company_code="600901.SH",
        published_on=PUBLISHED,
        regions_text=((PLACE, text),),
    )


def say(answer: str, *cited: tuple[EvidenceItem, str] | FactItem) -> Grounding:
    """An answer held against what its marks stand for, in their order."""
    pairs: list[tuple[EvidenceItem, str]] = [
        (each, each.text) if isinstance(each, FactItem) else each for each in cited
    ]
    citations = [item.cite(n, quote, (PLACE,)) for n, (item, quote) in enumerate(pairs, 1)]
    return grounded(answer, citations, [item for item, _ in pairs], catalogue())


def lacks(found: Grounding) -> set[str]:
    """What evidence does not hold, by kind."""
    return {each.lack for each in found.spans if each.lack}
