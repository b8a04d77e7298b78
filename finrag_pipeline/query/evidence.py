"""From a fused ranking to evidence: what readers still see, by value, each passage once.

How entries were found belongs to the lanes, how results are written to `results`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from psycopg import Connection

from finrag_pipeline.query.copies import group_copies
from finrag_pipeline.query.fusion import Fused
from finrag_pipeline.query.results import Copy, Result, TableContent
from finrag_pipeline.records import Place
from finrag_pipeline.store.search import entries
from finrag_pipeline.store.search.filters import Hit

Key = tuple[str, str, str, int]
Row = dict[str, Any]

# A step between ranks is 8 % at the top of a fused ranking: .93 costs a set phrase one place, 1.02
# settles near ties. 137 questions on annual reports and 160 pieces of their template text
# (`benchmarks/ranking_weights.py` tells the first): found among the first 10 in .825 and .963 of
# cases without factors and with these, set phrases among the first five half as often. .90 finds
# .956 of the pieces.
#: What the fused score of a chunk is multiplied with, by its value class.
VALUE_FACTORS = {"argument": 1.02, "plain": 1.0, "figures": 0.93, "template": 0.93}


def read_evidence(
    connection: Connection[Row],
    fused: Sequence[Fused[Key]],
    k: int,
    reports: Mapping[Key, Result] = MappingProxyType({}),
) -> tuple[Result, ...]:
    """The best `k` passages with what stands behind them; fewer where no more were found.

    Args:
        reports: those of the entries that stand in no document.
    """
    rows = _rows(connection, [entry.key for entry in fused])
    rows |= {key: {"report": result} for key, result in reports.items()}
    ranked = rank_by_value([entry for entry in fused if entry.key in rows], rows)
    groups = group_copies([rows[entry.key] for entry in ranked])[:k]
    return _with_pages(
        connection,
        [
            _result(n, [ranked[member] for member in group], rows)
            for n, group in enumerate(groups, start=1)
        ],
    )


def read_chunks(connection: Connection[Row], keys: Iterable[Key]) -> dict[Key, Result]:
    """Chunks with what stands behind them, as no lane found them; those that are gone left out."""
    rows = _rows(connection, sorted(set(keys)))
    results = [_result(0, [Fused(key, 0.0, {})], rows) for key in sorted(rows)]
    return {
        (each.kind, each.document_id, each.revision, each.ordinal): each
        for each in _with_pages(connection, results)
    }


def _rows(connection: Connection[Row], keys: Iterable[Key]) -> dict[Key, Row]:
    hits = [Hit(*key, 0.0) for key in keys]
    return {row_key(row): row for row in entries.read_found(connection, hits)} if hits else {}


def rank_by_value(
    fused: Sequence[Fused[Key]],
    rows: Mapping[Key, Row],
    factors: Mapping[str, float] = VALUE_FACTORS,
) -> list[Fused[Key]]:
    """The entries by score times the factor of their value; equal ones keep their order."""
    weighed = [
        replace(entry, score=entry.score * factors[rows[entry.key].get("value") or "plain"])
        for entry in fused
    ]
    return sorted(weighed, key=lambda entry: -entry.score)


def _result(rank: int, group: Sequence[Fused[Key]], rows: Mapping[Key, Row]) -> Result:
    """The first entry of a group, found as well as the best of them."""
    shown, *copies = group
    row = rows[shown.key]
    if "report" in row:
        found: Result = row["report"]
        return replace(found, rank=rank, score=round(shown.score, 6), lanes=shown.lanes)
    places = tuple(Place(place["page"], tuple(place["bbox"])) for place in row["places"])
    table = None
    if row["kind"] == "table":
        places = places or (Place(row["page"], tuple(row["bbox"])),)
        table = TableContent(row["caption"], row["unit"], tuple(row["cells"]))
    lanes: dict[str, int] = {}
    for entry in group:
        for lane, lane_rank in entry.lanes.items():
            lanes[lane] = min(lane_rank, lanes.get(lane, lane_rank))
    return Result(
        rank=rank,
        kind=row["kind"],
        document_id=row["document_id"],
        revision=row["revision"],
        ordinal=row["ordinal"],
        source=row["source"],
        places=places,
        score=round(max(entry.score for entry in group), 6),
        text=row["text"],
        lanes=lanes,
        title=row["title"],
        company=row["company_name"],
        company_code=row["company_code"],
        broker=row["broker"],
        published_on=row["published_on"],
        section=tuple(row.get("section") or ()),
        meta=row.get("meta") or "",
        context=row.get("context") or "",
        value=row.get("value"),
        parent_page=row.get("parent_page"),
        copies=tuple(_copy(rows[entry.key]) for entry in copies),
        table=table,
    )


def _copy(row: Row) -> Copy:
    return Copy(row["document_id"], row["source"], row["page"])


def row_key(row: Row) -> Key:
    """What a row of `store.search` is called in a ranking."""
    return (row["kind"], row["document_id"], row["revision"], row["ordinal"])


def _with_pages(connection: Connection[Row], results: Sequence[Result]) -> tuple[Result, ...]:
    pages = {
        (result.document_id, result.revision, place.page)
        for result in results
        for place in result.places
    }
    kept: dict[str, list[Row]] = {}
    for row in entries.kept_text(connection, sorted(pages)) if pages else []:
        kept.setdefault(row["document_id"], []).append(row)
    return tuple(_with_page(result, kept.get(result.document_id, [])) for result in results)


def _with_page(result: Result, kept: Sequence[Row]) -> Result:
    if not result.places:
        return result
    pages = {place.page for place in result.places}
    regions = tuple(
        (Place(row["page"], tuple(row["bbox"])), row["text"])
        for row in kept
        if row["page"] in pages
    )
    first = result.places[0].page
    page_text = "\n".join(text for place, text in regions if place.page == first)
    return replace(result, page_text=page_text, regions_text=regions)
