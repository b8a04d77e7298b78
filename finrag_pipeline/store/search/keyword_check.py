"""Compares a keyword copy with what the store holds: what changed, and a part of the rest in turn.

Every document that changed since the last check is compared entry by entry, and with it those of
one prefix of ids, another one every day: each document comes up once in 16 days, or in 256 where
the copy has more than 64,000 entries. What differed once is compared until it is equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from psycopg import Connection

from finrag_pipeline.store.database.queries import load_queries
from finrag_pipeline.store.search.keyword_copy import CopyState
from finrag_pipeline.store.search.keyword_entries import entry_of, ids_of, read_entries

if TYPE_CHECKING:
    import tantivy

Row = dict[str, Any]
Q = load_queries("search/keyword_index")

#: Entries compared without a change, at most: a tenth of a second.
MOST_ENTRIES = 4000
#: What ids of documents and of weekly builds begin with, before their hexadecimal digits.
_KINDS = ("d", "b")
_SAMPLE = 5


@dataclass(frozen=True, slots=True)
class IndexComparison:
    """Entries of a copy beside those that a fresh one would hold, text included.

    Attributes:
        entries: how many the copy holds.
        documents: how many documents and builds were compared.
        changed: those of them that changed since the last comparison.
    """

    entries: int
    documents: int
    changed: int
    missing: int
    extra: int
    sample: tuple[str, ...]

    @property
    def equal(self) -> bool:
        return not (self.missing or self.extra)


def compare(
    connection: Connection[Row], index: tantivy.Index, state: CopyState, on: date
) -> tuple[IndexComparison, tuple[str, ...]]:
    """Compare a copy that has followed the store up to `state.horizon`.

    Args:
        on: the day, which chooses what is compared without a change.

    Returns:
        The comparison, and the documents that differ.
    """
    entries = index.searcher().num_docs
    prefixes = _prefixes(entries, on)
    changed = _ids(connection, Q.changed, {"since": state.verified, "until": state.horizon})
    later = _ids(connection, Q.changed_after, {"since": state.horizon})
    chosen = changed | set(state.suspects)
    for prefix in prefixes:
        chosen |= _ids(connection, Q.ids_with_prefix, {"prefix": prefix})
        chosen |= ids_of(index, prefix)
    # what is not in the copy yet is no difference
    chosen -= later
    given = {"document_ids": sorted(chosen)}
    fresh = {entry_of(row) for row in connection.execute(Q.entries, given)}
    live = set(read_entries(index, chosen))
    missing, extra = fresh - live, live - fresh
    sample = [f"missing {' '.join(map(str, each[:5]))}" for each in sorted(missing)[:_SAMPLE]]
    sample += [f"extra {' '.join(map(str, each[:5]))}" for each in sorted(extra)[:_SAMPLE]]
    documents = len({each[1] for each in fresh | live})
    comparison = IndexComparison(
        entries, documents, len(changed - later), len(missing), len(extra), tuple(sample)
    )
    return comparison, tuple(sorted({each[1] for each in missing | extra}))


def _prefixes(entries: int, on: date) -> tuple[str, ...]:
    """What the ids compared on a day begin with: everything in a small copy.

    >>> _prefixes(9, date(2026, 3, 1)), _prefixes(100_000, date(2026, 3, 1))
    (('',), ('d5c', 'b5c'))
    """
    digits = 0
    while entries > MOST_ENTRIES * 16**digits:
        digits += 1
    if not digits:
        return ("",)
    part = f"{on.toordinal() % 16**digits:0{digits}x}"
    return tuple(f"{kind}{part}" for kind in _KINDS)


def _ids(connection: Connection[Row], block: Any, given: Row) -> set[str]:
    return {row["document_id"] for row in connection.execute(block, given)}
