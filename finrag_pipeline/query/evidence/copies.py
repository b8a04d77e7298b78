"""Copies of one passage among what a search found: which entries say the same, and which is shown.

Every copy stays a row of its own document; groups are made anew for each search, so that they hold
only what its reader may see.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence

import numpy as np

from finrag_pipeline.grammar.quantities import numbers_in
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.documents import DocumentItem
from finrag_pipeline.query.evidence.kinds import EvidenceItem
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.stages.chunking.enrichment.minhash import SIZE, containment, overlap
from finrag_pipeline.words import fold

# Read in pairs of 1,638 chunks of Chinese reports and 2,447 of annual reports. From .95 on they
# differ by a bracket or a heading; below .93 some name another person,
# quarter or number of meetings.
#: Share of a passage's shingles that stand in the other one.
COPIED = 0.95
#: Estimate from which texts are compared in full: 97 % of the pairs of reports and 99.6 % of those
#: of annual reports that share .9 have it.
CANDIDATE = 0.6

#: Cells with text from which a table is known again: smaller ones are forms and ticked boxes.
LEAST_CELLS = 6

#: Words for whom the document is about: the same sentence of another company says another thing.
_SELF = re.compile(
    r"(?<!上市)(?<!头部)(?<!龙头)(?<!同业)(?<![子分各家])公司|本集团|本行|我司"
    r"|\b(?:we|our|the company)\b",
    re.IGNORECASE,
)


def group_copies(items: Sequence[EvidenceItem]) -> list[list[int]]:
    """Group what says the same.

    Args:
        items: what was found, best first.

    Returns:
        Groups of indexes, ordered by their best member; in each the one to show stands first, the
        most detailed, and among equally long ones the best. Tables are copies cell by cell; what is
        neither chunk nor table is a group of its own.
    """
    chunks = {
        n: item
        for n, item in enumerate(items)
        if isinstance(item, ChunkItem) and len(item.signature) == SIZE
    }
    # the longest first: each is a copy of a longer one, or leads
    longest = sorted(chunks, key=lambda n: (-chunks[n].token_count, n))
    signatures = np.array([chunks[n].signature for n in longest], dtype=np.int32).reshape(-1, SIZE)
    sizes = np.array([chunks[n].token_count for n in longest], dtype=np.int64)
    estimates = containment(signatures, sizes)
    groups: dict[int, list[int]] = {}
    for at, n in enumerate(longest):
        longer = np.flatnonzero(estimates[at, :at] >= CANDIDATE)
        likely = sorted(longer, key=lambda other: -estimates[at, other])
        leaders = (longest[other] for other in likely if longest[other] in groups)
        leader = next((lead for lead in leaders if _is_copy(chunks[n], chunks[lead])), n)
        groups.setdefault(leader, []).append(n)
    return sorted([*groups.values(), *_same_tables(items, chunks)], key=min)


def _same_tables(items: Sequence[EvidenceItem], chunks: Container[int]) -> Iterable[list[int]]:
    """Groups of what is no chunk: tables printed twice, all else by itself."""
    others = {n: item for n, item in enumerate(items) if n not in chunks}
    tables = {n: item for n, item in others.items() if isinstance(item, TableItem)}
    # cells are compared where there are as many of them: to fold all of them took 5 ms a search
    sizes = Counter(len(item.cells) for item in tables.values())
    groups: dict[object, list[int]] = {}
    for n in others:
        table = tables.get(n)
        printed = _printed(table) if table and sizes[len(table.cells)] > 1 else None
        groups.setdefault(printed or n, []).append(n)
    return groups.values()


def _printed(table: TableItem) -> object:
    """What is equal for a table printed twice: whom it is about, its title, unit and every cell.

    None for one that says too little to be known again.
    """
    cells = tuple((cell["row"], cell["column"], _bare(cell["text"])) for cell in table.cells)
    if sum(bool(text) for _, _, text in cells) < LEAST_CELLS:
        return None
    return _subject(table), _bare(table.caption or ""), _bare(table.unit or ""), cells


def _bare(text: str) -> str:
    return "".join(fold(text).split())


def _is_copy(chunk: ChunkItem, longer: ChunkItem) -> bool:
    """Whether a longer passage says all that one says: same figures, same subject."""
    if not numbers_in(chunk.text) <= numbers_in(longer.text):
        return False
    if _subject(chunk) != _subject(longer) and not _travels(chunk, longer):
        return False
    return overlap(chunk.text, longer.text) >= COPIED


def _travels(chunk: ChunkItem, longer: ChunkItem) -> bool:
    """Whether a passage may mean the same in documents on different companies.

    Chinese sentences often leave out whom they speak of: only one author's words pass unchanged
    from a report on one company to a report on another, as far as they name neither.
    """
    same_author = bool(chunk.broker) and chunk.broker == longer.broker
    return same_author and not _SELF.search(chunk.text)


def _subject(item: DocumentItem) -> str:
    return item.company_code or item.company or item.document_id
