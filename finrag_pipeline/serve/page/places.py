"""Where evidence stands, as addresses write it: pages with boxes, the figure or table behind them.

/documents/d1/pages/2?at=2:72,90,300,110&fact=12
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from urllib.parse import urlencode

from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.fact import FACT
from finrag_pipeline.query.evidence.table import TABLE
from finrag_pipeline.records import Place
from finrag_pipeline.serve.page.visits import Visit

#: Boxes that one address may ask for.
MOST_PLACES = 60


def sheet_address(citation: Citation, visit: Visit) -> str:
    """The address of a cited page; empty for what stands on none."""
    if citation.document_id is None or not citation.places:
        return ""
    behind: dict[str, int] = {}
    if citation.kind in (FACT, TABLE):
        behind[citation.kind] = int(citation.key.id[2])
    return page_address(citation.document_id, citation.places, visit.kept, **behind)


def page_address(
    document_id: str, places: Iterable[Place], kept: dict[str, str], **behind: int
) -> str:
    """The address of the first of some places with all of them marked.

    Args:
        kept: what every address of the visit has.
        behind: `fact` or `table`, by its ordinal in the document.
    """
    marked = list(places)[:MOST_PLACES]
    first = marked[0].page
    pairs = [
        *kept.items(),
        *(("at", written(each)) for each in marked),
        *((name, str(ordinal)) for name, ordinal in behind.items()),
    ]
    return f"/documents/{document_id}/pages/{first}?{urlencode(pairs, safe=':,')}"


def written(place: Place) -> str:
    """A place as an address has it.

    >>> written(Place(2, (72.0, 90.25, 300.0, 110.0)))
    '2:72,90.25,300,110'
    """
    return f"{place.page}:{','.join(f'{each:g}' for each in place.bbox)}"


def read(text: str) -> Place | None:
    """The place that an address names; None for what is none.

    >>> read("2:72,90.25,300,110"), read("2:72,90"), read("2:nan,0,1,1")
    (Place(page=2, bbox=(72.0, 90.25, 300.0, 110.0)), None, None)
    """
    page, _, box = text.partition(":")
    try:
        numbers = [float(each) for each in box.split(",")]
        number = int(page)
    except ValueError:
        return None
    if len(numbers) != 4 or number < 1 or not all(map(math.isfinite, numbers)):
        return None
    x0, y0, x1, y1 = numbers
    return Place(number, (x0, y0, x1, y1))
