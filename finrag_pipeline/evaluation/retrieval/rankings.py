"""A ranking held against gold pages: which rank brings which of them, and the measures of that.

The arithmetic of the measures is `ir-measures`; what counts as found is decided here.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.extras import pip_install

#: A page of a document by its id, or with None all of the document.
Unit: TypeAlias = tuple[str, int | None]

#: Where precision, reciprocal rank and nDCG end: as many as a search shows by default.
FIRST = 10
#: Where recall is read off.
CUTOFFS = (1, 3, 5, 10, 20)


@dataclass(frozen=True, slots=True)
class Piece:
    """One result of a ranking: what it is, and the pages of the document that it stands on.

    Attributes:
        key: by which rankings of several lanes name the same piece.
        document_id: None: it stands in no document, such as a report of a community.
        pages: 1-based, of all its regions.
    """

    key: Hashable
    document_id: str | None = None
    pages: frozenset[int] = frozenset()

    def brings(self, unit: Unit) -> bool:
        """Whether it stands on a gold page, or in a gold document where no page is known."""
        document_id, page = unit
        return self.document_id == document_id and (page is None or page in self.pages)


def in_order(pieces: Sequence[Piece], gold: Sequence[Unit]) -> list[str]:
    """What each rank brings: a gold page that no rank before it brought, or nothing.

    Results count, not pages: one that stands on three pages is one rank, and repeats of a page take
    their ranks for nothing. A result that is the first to bring several gold pages takes a rank for
    each, since no measure knows two answers on one rank.

    >>> table = Piece("t", "d", frozenset({4, 5}))
    >>> in_order([Piece("a", "d", frozenset({9})), table, table], [("d", 5), ("d", 7)])
    ['nothing 1', 'gold 0', 'nothing 3']
    """
    order: list[str] = []
    seen: set[int] = set()
    for rank, piece in enumerate(pieces, 1):
        new = [n for n, unit in enumerate(gold) if n not in seen and piece.brings(unit)]
        seen.update(new)
        order += [f"gold {n}" for n in new] or [f"nothing {rank}"]
    return order


def first_rank(pieces: Sequence[Piece], gold: Sequence[Unit]) -> int:
    """1-based rank of the first result that brings a gold page, 0 where none does."""
    for rank, piece in enumerate(pieces, 1):
        if any(piece.brings(unit) for unit in gold):
            return rank
    return 0


def figures(
    rankings: Mapping[str, Sequence[Piece]],
    gold: Mapping[str, Sequence[Unit]],
    cutoffs: Sequence[int] = CUTOFFS,
) -> dict[str, float]:
    """Means over all questions of `gold`; one without a ranking counts 0 in every measure.

    Args:
        rankings: pieces by question, best first.
        gold: pages by question, each at least one; none of them is more relevant than another.
        cutoffs: ranks at which recall and success are read off.

    Returns:
        By name, in the order of a table: ``R@k``, the share of a question's gold pages among the
        first k results; ``S@k``, whether any of them is; ``MRR@10``, one by the rank of the first;
        ``nDCG@10``; ``P@10``, the share of the first ten ranks that bring a gold page.
    """
    ir_measures = library()
    measures = {
        **{f"R@{k}": ir_measures.R @ k for k in cutoffs},
        **{f"S@{k}": ir_measures.Success @ k for k in sorted({*cutoffs, FIRST} & {5, FIRST})},
        f"MRR@{FIRST}": ir_measures.RR @ FIRST,
        f"nDCG@{FIRST}": ir_measures.nDCG @ FIRST,
        f"P@{FIRST}": ir_measures.P @ FIRST,
    }
    relevant = [
        ir_measures.Qrel(question, f"gold {n}", 1)
        for question, units in gold.items()
        for n in range(len(units))
    ]
    found = [
        ir_measures.ScoredDoc(question, name, -rank)
        for question, units in gold.items()
        for rank, name in enumerate(in_order(rankings.get(question, ()), units))
    ]
    means = ir_measures.calc_aggregate(list(measures.values()), relevant, found)
    return {name: float(means[measure]) for name, measure in measures.items()}


def library() -> Any:
    """The package that computes measures.

    Raises:
        ConfigurationError: it is not there; the line says how to get it.
    """
    try:
        import ir_measures
    except ImportError as error:
        raise ConfigurationError(
            "ir-measures is not installed: it comes where it has a wheel; elsewhere, with a C "
            f"compiler, run `{pip_install('ir-measures')}`"
        ) from error
    return ir_measures


def overlap(one: Sequence[Piece], other: Sequence[Piece]) -> float | None:
    """Jaccard index of the first ten of two rankings: shared pieces of all; None: one is empty.

    >>> overlap([Piece("a"), Piece("b")], [Piece("b"), Piece("c")])
    0.3333333333333333
    """
    first, second = ({piece.key for piece in some[:FIRST]} for some in (one, other))
    return len(first & second) / len(first | second) if first and second else None
