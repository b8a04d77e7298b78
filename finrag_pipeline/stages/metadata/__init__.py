"""Reads what a document says of itself: company, broker, analysts, opinion, forecasts, times.

Rules only, no register of names: resolving a name to a company belongs to the store.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from finrag_pipeline.records import Metadata, PageReading, Region
from finrag_pipeline.stages.metadata.broker import read_broker
from finrag_pipeline.stages.metadata.company import named_company, read_company
from finrag_pipeline.stages.metadata.dates import Published, named_on, read_published_on
from finrag_pipeline.stages.metadata.filers import read_filer
from finrag_pipeline.stages.metadata.filing_days import due_on, read_filed_on
from finrag_pipeline.stages.metadata.filings import filing_title, is_filing
from finrag_pipeline.stages.metadata.forecasts import read_eps
from finrag_pipeline.stages.metadata.front import Block, Found, Row, every_row
from finrag_pipeline.stages.metadata.kinds import read_kind, read_language
from finrag_pipeline.stages.metadata.opinion import read_rating, read_target_price
from finrag_pipeline.stages.metadata.own_names import read_own_names
from finrag_pipeline.stages.metadata.people import licensed_analysts, read_analysts
from finrag_pipeline.stages.metadata.printed import read_blocks
from finrag_pipeline.stages.metadata.reporting import (
    Reported,
    read_discussed_period,
    read_filed_period,
)
from finrag_pipeline.stages.metadata.titles import read_title

__all__ = ["read_metadata"]

#: A cover of fewer characters holds a title and a picture; what it should say stands on page 2.
_COVER_CHARACTERS = 150


def read_metadata(
    regions: Sequence[Region],
    source_name: str,
    pages: Sequence[PageReading] = (),
    archived_name: str = "",
) -> Metadata:
    """Read the metadata of one document.

    Args:
        regions: all of its regions in order, dropped ones too: most metadata stands in them.
        source_name: file name, the last resort for the title.
        pages: what the regions were made of; with it each place is the box of a printed row and
            regions that were run together give back their rows.
        archived_name: title in the file's own information: like the file's name it may tell house
            and day where no page does.

    Returns:
        What could be read; codes carry a market suffix (``600519.SH``, ``00700.HK``), the
        company's own code is the one that the first page names most, mainland listings first.
        A filing has neither broker nor analysts. `places` holds every field that was read from
        a page.
    """
    blocks = read_blocks(regions, pages)
    names = (source_name, archived_name)
    front = _front(blocks)
    language = read_language(blocks)
    title = read_title(front, source_name)
    company = read_company(blocks, front)
    rating = read_rating(front)
    analysts = _analysts(blocks, front)
    found: dict[str, Found[Any] | None]
    if is_filing(title.value, front) and not rating and not analysts.value:
        company = read_filer(blocks, front, company)
        title = filing_title(title, front, company)
        found = {
            "title": title,
            "kind": Found("filing", title.places),
            "other_names": read_own_names(pages),
        }
        period = read_filed_period(title, front, blocks)
        reported = period and period.value
        published = read_filed_on(blocks, front, language, reported)
        fallback = named_on(names, reported and reported.last_on) or due_on(
            title.value, language, reported
        )
    else:
        code = company.code.value if company.code else None
        published = read_published_on(blocks, front)
        named = company.name or named_company(title, front)
        company = replace(company, name=named)
        found = {
            "title": title,
            "kind": read_kind(title, front, company.code or named),
            "broker": read_broker(blocks, company.name.value if company.name else None, names),
            "analysts": analysts,
            "rating": rating,
            "target_price": read_target_price(front, code),
            "eps_forecasts": read_eps(blocks, pages, published and published.value.day.year, code)
            if code
            else None,
        }
        period = read_discussed_period(title, source_name)
        fallback = named_on(names)
    found |= {
        "company_name": company.name,
        "company_code": company.code,
        "company_codes": company.codes,
    }
    found |= _reported(period) | _published(published or (Found(fallback) if fallback else None))
    read = {field: item for field, item in found.items() if item is not None and item.value}
    return Metadata(
        **{field: item.value for field, item in read.items()},
        language=language,
        places={field: item.places for field, item in read.items() if item.places},
    )


def _front(blocks: Sequence[Block]) -> list[Block]:
    """The first page, and the second where the first is hardly more than a picture."""
    first = [block for block in blocks if block.page == 1]
    printed = sum(len(block.text) for block in first)
    return first if printed >= _COVER_CHARACTERS else [b for b in blocks if b.page <= 2]


def _reported(reported: Found[Reported] | None) -> dict[str, Found[Any] | None]:
    if reported is None:
        return {}
    value, places = reported.value, reported.places
    return {
        "period_first_on": Found(value.first_on, places),
        "period_last_on": Found(value.last_on, places),
        "fiscal_year": Found(value.fiscal_year, places),
    }


def _published(published: Found[Published] | None) -> dict[str, Found[Any] | None]:
    if published is None:
        return {}
    return {
        "published_on": Found(published.value.day, published.places),
        "published_basis": Found(published.value.basis),
    }


def _analysts(blocks: Sequence[Block], front: Sequence[Block]) -> Found[tuple[str, ...]]:
    """Those on the first page, else those who sign with a licence on another."""
    rows = [row for row, block in every_row(front) if not block.listed]
    analysts = read_analysts(rows)
    return analysts if analysts.value else licensed_analysts(_others(blocks))


def _others(blocks: Sequence[Block]) -> list[Row]:
    return [row for row, block in every_row(blocks) if block.page > 1]
