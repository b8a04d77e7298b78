"""Copies of one passage among what a search found: which entries say the same, and which is shown.

Every copy stays a row of its own document; groups are made anew for each search, so that they hold
only what its reader may see.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from finrag_pipeline.stages.chunking.enrichment.minhash import SIZE, containment, overlap
from finrag_pipeline.words import fold

Row = dict[str, Any]

# Read in pairs of 1,638 chunks of Chinese reports and 2,447 of annual reports. From .95 on they
# differ by a bracket or a heading; below .93 some name another person,
# quarter or number of meetings.
#: Share of a passage's shingles that stand in the other one.
COPIED = 0.95
#: Estimate from which texts are compared in full: 97 % of the pairs of reports and 99.6 % of those
#: of annual reports that share .9 have it.
CANDIDATE = 0.6

_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
#: Words for whom the document is about: the same sentence of another company says another thing.
_SELF = re.compile(
    r"(?<!上市)(?<!头部)(?<!龙头)(?<!同业)(?<![子分各家])公司|本集团|本行|我司"
    r"|\b(?:we|our|the company)\b",
    re.IGNORECASE,
)


def group_copies(rows: Sequence[Row]) -> list[list[int]]:
    """Group what says the same.

    Args:
        rows: what was found, best first: chunks and tables as `store.search` reads them.

    Returns:
        Groups of indexes, ordered by their best member; in each the one to show stands first, the
        most detailed, and among equally long ones the best. A table is a group of its own.
    """
    sizes = np.array([row.get("token_count") or 0 for row in rows], dtype=np.int64)
    signatures = np.zeros((len(rows), SIZE), dtype=np.int32)
    comparable: list[int] = []
    for n, row in enumerate(rows):
        if len(row.get("signature") or ()) == SIZE:
            signatures[n] = row["signature"]
            comparable.append(n)
    groups: dict[int, list[int]] = {}
    leaders: list[int] = []
    for n in sorted(comparable, key=lambda n: (-sizes[n], n)):
        estimates = containment(signatures[n], signatures[leaders], int(sizes[n]), sizes[leaders])
        likely = sorted(np.flatnonzero(estimates >= CANDIDATE), key=lambda at: -estimates[at])
        leader = next((leaders[at] for at in likely if _is_copy(rows[n], rows[leaders[at]])), n)
        if leader == n:
            leaders.append(n)
        groups.setdefault(leader, []).append(n)
    groups |= {n: [n] for n in range(len(rows)) if n not in set(comparable)}
    return sorted(groups.values(), key=min)


def _is_copy(row: Row, longer: Row) -> bool:
    """Whether a longer passage says all that one says: same figures, same subject."""
    text, other = row["text"], longer["text"]
    if not _numbers(text) <= _numbers(other):
        return False
    if _subject(row) != _subject(longer) and not _travels(row, longer):
        return False
    return overlap(text, other) >= COPIED


def _travels(row: Row, longer: Row) -> bool:
    """Whether a passage may mean the same in documents on different companies.

    Chinese sentences often leave out whom they speak of: only one author's words pass unchanged
    from a report on one company to a report on another, as far as they name neither.
    """
    same_author = bool(row["broker"]) and row["broker"] == longer["broker"]
    return same_author and not _SELF.search(row["text"])


def _subject(row: Row) -> str:
    return row["company_code"] or row["company_name"] or row["document_id"]


def _numbers(text: str) -> set[str]:
    return {number.replace(",", "") for number in _NUMBER.findall(fold(text))}
