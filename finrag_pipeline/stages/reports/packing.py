"""What of a community goes into the source of its report, within a budget of tokens.

Pure bookkeeping on lines that `items` made; what is asked of a model stands in `prompt`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from finrag_pipeline.stages.chunking.sentence_ends import split_sentences
from finrag_pipeline.stages.reports.items import Count, Item


@dataclass(frozen=True, slots=True)
class Packed:
    """The lines of a source, and how many more there were that did not fit."""

    items: tuple[Item, ...]
    left_out: int = 0

    @property
    def child_report_ids(self) -> tuple[str, ...]:
        """Reports that stand for the elements of sub-communities, in order of ids."""
        return tuple(
            sorted({item.source.report_id for item in self.items if item.source is not None})
        )


@dataclass(frozen=True, slots=True)
class Child:
    """A sub-community: the tokens of its elements, and of its report where it has one."""

    community_id: str
    tokens: int
    report_tokens: int | None


def tokens_of(items: Sequence[Item], count: Count) -> int:
    """At most what some lines count together."""
    return sum(item.tokens(count) for item in items)


def fill(items: Sequence[Item], budget: int, count: Count) -> Packed:
    """As many lines as fit, in their order: the first that does not fit whole ends it.

    Where that one alone exceeds the budget, its first sentences are taken.
    """
    taken: list[Item] = []
    room = budget
    for at, item in enumerate(items):
        tokens = item.tokens(count)
        if tokens > room:
            cut = _cut(item, room, count) if tokens > budget else None
            kept = [*taken, cut] if cut else taken
            return Packed(tuple(kept), len(items) - at)
        taken.append(item)
        room -= tokens
    return Packed(tuple(taken))


def replaced(children: Sequence[Child], own_tokens: int, budget: int) -> list[str]:
    """Sub-communities whose report is to stand for their elements, the largest first.

    One after the other from the largest down, until all fits; those without a report stay.

    Args:
        own_tokens: of what belongs to no sub-community: relations from one to another.
    """
    total = own_tokens + sum(child.tokens for child in children)
    found: list[str] = []
    for child in sorted(children, key=lambda each: (-each.tokens, each.community_id)):
        if total <= budget:
            break
        if child.report_tokens is not None:
            found.append(child.community_id)
            total += child.report_tokens - child.tokens
    return found


def pack(
    reports: Sequence[Sequence[Item]], items: Sequence[Item], budget: int, count: Count
) -> Packed:
    """Reports of sub-communities, then elements as far as there is room.

    Where the reports alone exceed the budget each is shortened to the same share of it; of more
    reports than there is room for titles, the last ones are left out.

    Args:
        reports: the lines of each, the most important report first.
        items: elements in their order.
    """
    whole = [line for report in reports for line in report]
    if tokens_of(whole, count) > budget:
        shares = [_shortened(report, budget // len(reports), count) for report in reports]
        told = fill([line for share in shares for line in share], budget, count)
        return Packed(told.items, len(whole) + len(items) - len(told.items))
    rest = fill(items, budget - tokens_of(whole, count), count)
    return Packed((*whole, *rest.items), rest.left_out)


def _shortened(report: Sequence[Item], share: int, count: Count) -> list[Item]:
    """The first lines of a report within a share: its title at least, whatever that counts."""
    head, *findings = report
    title = head.source.report.title if head.source else head.text
    first = head if head.tokens(count) <= share else _cut(head, share, count)
    first = first or replace(head, text=title)
    return [first, *fill(findings, max(0, share - first.tokens(count)), count).items]


def _cut(item: Item, room: int, count: Count) -> Item | None:
    """A line cut after a sentence so that it fits; None where not even the first one does."""
    kept: list[str] = []
    found: Item | None = None
    for sentence in split_sentences(item.text):
        kept.append(sentence)
        # a space where there may have been none counts nothing
        shorter = replace(item, text=" ".join(kept))
        if shorter.tokens(count) > room:
            break
        found = shorter
    return found
