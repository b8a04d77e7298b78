"""Which of what was found is shown: few pieces of one page, few reports.

What says the same is `copies`', what a piece is worth by itself its kind's.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from finrag_pipeline.query.evidence.documents import DocumentItem
from finrag_pipeline.query.evidence.keys import Key
from finrag_pipeline.query.evidence.kinds import EvidenceItem
from finrag_pipeline.query.evidence.reports import COMMUNITY
from finrag_pipeline.query.fusion import Fused
from finrag_pipeline.query.weights import PAGE_SUPPORT

#: Entries that say the same, the one to show first.
Group = Sequence[Fused[Key]]
#: A document's revision and a page of it.
Page = tuple[str, str, int]


def page_of(item: EvidenceItem) -> Page | None:
    """The page that a piece starts on, None for what stands in no document."""
    if not isinstance(item, DocumentItem):
        return None
    return item.document_id, item.revision, item.page


def supported_by_page(
    ranked: Sequence[Fused[Key]], items: Mapping[Key, EvidenceItem], share: float = PAGE_SUPPORT
) -> list[Fused[Key]]:
    """Entries by their scores and a share of the best one of another kind on their page.

    A page whose text and whose table were both found is likelier the one that is meant; more
    pieces of one kind only say that it is long.
    """
    best: defaultdict[Page, dict[str, float]] = defaultdict(dict)
    for entry in ranked:
        if page := page_of(items[entry.key]):
            held = best[page].get(entry.key.kind, 0.0)
            best[page][entry.key.kind] = max(held, entry.score)

    def support(entry: Fused[Key]) -> float:
        page = page_of(items[entry.key])
        others = best[page].items() if page else ()
        return max((score for kind, score in others if kind != entry.key.kind), default=0.0)

    raised = [entry.scored(entry.score + share * support(entry)) for entry in ranked]
    return sorted(raised, key=lambda entry: -entry.score)


def few_of_a_page(
    groups: Sequence[Group], items: Mapping[Key, EvidenceItem], pieces: int
) -> list[Group]:
    """The first pieces of every page in their order, then all others in theirs.

    Args:
        groups: best first.
        pieces: of one page that keep their places.
    """
    seen: Counter[Page] = Counter()
    first: list[Group] = []
    others: list[Group] = []
    for group in groups:
        page = page_of(items[group[0].key])
        if page is not None:
            seen[page] += 1
        (first if page is None or seen[page] <= pieces else others).append(group)
    return first + others


def few_reports(groups: Sequence[Group], k: int, share: float) -> list[Group]:
    """Groups without the reports beyond a share of `k` results; at least one is left."""
    most = max(1, math.floor(k * share))
    reports = [group for group in groups if group[0].key.kind == COMMUNITY]
    beyond = {group[0].key for group in reports[most:]}
    return [group for group in groups if group[0].key not in beyond]
