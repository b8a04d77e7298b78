"""From a fused ranking to evidence: what readers still see, by value, each passage once.

How entries were found belongs to the lanes, how a piece is read to its kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from finrag_pipeline.query.evidence.copies import group_copies
from finrag_pipeline.query.evidence.documents import DocumentItem
from finrag_pipeline.query.evidence.keys import Key
from finrag_pipeline.query.evidence.kinds import EvidenceItem, kinds
from finrag_pipeline.query.evidence.reports import COMMUNITY
from finrag_pipeline.query.evidence.results import Result
from finrag_pipeline.query.evidence.selection import (
    Group,
    Page,
    few_of_a_page,
    few_reports,
    page_of,
    supported_by_page,
)
from finrag_pipeline.query.fusion import Fused
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.weights import PAGE_PIECES
from finrag_pipeline.store.database.connections import Connection, Row

#: Reports that are read for each that may be shown: some rest on what does not pass, some a
#: reranker lifts.
_SPARE_REPORTS = 2


@dataclass(frozen=True, slots=True)
class RankedItems:
    """Entries that readers still see, best first, with what stands behind each.

    `lost` is how many passages behind some of them are gone.
    """

    ranked: Sequence[Fused[Key]]
    items: Mapping[Key, EvidenceItem]
    lost: int = 0


@dataclass(frozen=True, slots=True)
class ReadEvidence:
    """Results, best first, and how many passages behind some of them are gone."""

    results: tuple[Result, ...]
    lost: int = 0


def read_ranked(
    connection: Connection[Row],
    fused: Sequence[Fused[Key]],
    asked: Asked,
    most: int,
    reports_share: float | None = None,
) -> RankedItems:
    """What readers see behind a fused ranking, by score times factor.

    Args:
        most: of how many anything will be shown.
        reports_share: of these that reports may be at most; None: all of them.
    """
    # a report is many passages, each of which is looked for: of more than may be shown a few
    reports = most if reports_share is None else ceil(most * reports_share * _SPARE_REPORTS)
    items: dict[Key, EvidenceItem] = {}
    lost = 0
    for kind in kinds():
        keys = [entry.key for entry in fused if entry.key.kind == kind.name]
        if keys:
            few = reports if kind.name == COMMUNITY else most
            read = kind.read(connection, keys, asked, few)
            items |= read.items
            lost += read.lost
    ranked = rank_by_factor(fused, {key: item.factor for key, item in items.items()})
    return RankedItems(supported_by_page(ranked, items), items, lost)


def read_evidence(
    connection: Connection[Row],
    found: RankedItems,
    k: int,
    *,
    complete: bool = True,
    page_pieces: int = PAGE_PIECES,
    reports_share: float | None = None,
) -> ReadEvidence:
    """The best `k` pieces with what stands behind them; fewer where no more were found.

    Args:
        complete: with what only those need that are shown or quoted.
        page_pieces: of one page that stand before what other pages hold.
        reports_share: of the places that reports may take at most; None: all of them.
    """
    items = dict(found.items)
    while True:
        every = _groups(found.ranked, items)
        if reports_share is not None:
            every = few_reports(every, k, reports_share)
        groups = few_of_a_page(every, items, page_pieces)[:k]
        if not complete:
            break
        shown = [items[group[0].key] for group in groups]
        ready = _completed(connection, shown)
        for item in shown:
            items[item.key] = ready.get(item.key, item)
        gone = [item.key for item in shown if item.key not in ready]
        if not gone:
            break
        for key in gone:
            del items[key]
    under = _under(every, groups, items)
    results = tuple(
        _result(n, group, items, under.get(group[0].key, ()))
        for n, group in enumerate(groups, start=1)
    )
    return ReadEvidence(results, found.lost)


def rank_by_factor(fused: Sequence[Fused[Key]], factors: Mapping[Key, float]) -> list[Fused[Key]]:
    """The entries that have a factor, by score times that; equal ones keep their order."""
    weighed = [
        entry.scored(entry.score * factors[entry.key]) for entry in fused if entry.key in factors
    ]
    return sorted(weighed, key=lambda entry: -entry.score)


def _under(
    every: Sequence[Group], shown: Sequence[Group], items: Mapping[Key, EvidenceItem]
) -> dict[Key, tuple[DocumentItem, ...]]:
    """What was found but is not shown, under the first piece of its page that is."""
    keys = {group[0].key for group in shown}
    first: dict[Page, Key] = {}
    for group in shown:
        if page := page_of(items[group[0].key]):
            first.setdefault(page, group[0].key)
    under: dict[Key, tuple[DocumentItem, ...]] = {}
    for group in every:
        item = items.get(group[0].key)
        if group[0].key not in keys and isinstance(item, DocumentItem):
            leader = first.get(page_of(item) or ("", "", 0))
            if leader is not None:
                under[leader] = (*under.get(leader, ()), item)
    return under


def _groups(
    found: Sequence[Fused[Key]], items: Mapping[Key, EvidenceItem]
) -> list[list[Fused[Key]]]:
    """Entries that say the same, in each group the one to show first."""
    ranked = [entry for entry in found if entry.key in items]
    groups = group_copies([items[entry.key] for entry in ranked])
    return [[ranked[n] for n in group] for group in groups]


def _completed(
    connection: Connection[Row], items: Sequence[EvidenceItem]
) -> dict[Key, EvidenceItem]:
    found: dict[Key, EvidenceItem] = {}
    for kind in kinds():
        own = [item for item in items if item.key.kind == kind.name]
        if own:
            found |= {item.key: item for item in kind.complete(connection, own)}
    return found


def _result(
    rank: int,
    group: Group,
    items: Mapping[Key, EvidenceItem],
    same_page: tuple[DocumentItem, ...],
) -> Result:
    """The first entry of a group, found as well as the best of them."""
    lanes: dict[str, int] = {}
    for entry in group:
        for lane, lane_rank in entry.lanes.items():
            lanes[lane] = min(lane_rank, lanes.get(lane, lane_rank))
    copies = (items[entry.key] for entry in group[1:])
    judged = [entry.rerank for entry in group if entry.rerank is not None]
    return Result(
        rank=rank,
        score=round(max(entry.score for entry in group), 6),
        rerank=round(max(judged), 6) if judged else None,
        lanes=lanes,
        item=items[group[0].key],
        copies=tuple(each for each in copies if isinstance(each, DocumentItem)),
        same_page=same_page,
    )
