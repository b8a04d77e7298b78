"""A plan: how a question is gone about, and what there is to answer it from.

Which plan a question gets is `router`; carrying one out is `answering` and the engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from finrag_pipeline.query.weights import LANE_WEIGHTS


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What there is to answer from.

    Attributes:
        documents: whether the application has any.
        graph: whether the entity graph is switched on.
        build: whether a weekly build serves the day asked for.
        accounts: whether records of companies that the user keeps may answer.
        named: types of the entities that the question names, as far as they decide anything.
    """

    documents: bool = True
    graph: bool = True
    build: bool = False
    accounts: bool = False
    named: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Plan:
    """How a question is gone about.

    Attributes:
        steps: lanes by name that run side by side; a later step runs where those before it found
            nothing.
        writer: makes the draft; a search has none.
        fallback: what is done where the draft does not answer; None: that is said.
        refused: what is tried where the draft says why there is no answer, which is said after all
            where that does not answer either; None: nothing.
        unread: what is tried instead where it says so since words of the question were left over.
        reason: why this way, as answers tell it.
        route: what kind of evidence answers, as answers tell it: text, table, number, global,
            local, hybrid, unsupported.
        weights: what a rank in each lane counts.
        meant: whether the graph or its communities are meant: what they cannot say is told as a
            shortcoming.
        names_build: whether the weekly build is named whatever is found.
        most: pieces of evidence; None: as many as the options ask for.
        reranked: whether what the lanes found is judged again. A lane or way through the graph that
            is asked for by name is not: its own order is what is asked for.
        complete: whether places of all of them are read; a writer that cites a few of many looks
            for those itself.
        reports_share: of the results that reports may take at most; None: all of them.
        mend: why there is nothing to answer from, with its mend; nothing is done then.
    """

    steps: tuple[tuple[str, ...], ...]
    writer: str = ""
    fallback: Plan | None = None
    refused: Plan | None = None
    unread: Plan | None = None
    reason: str = ""
    route: str = "text"
    weights: Mapping[str, float] = field(default_factory=lambda: LANE_WEIGHTS)
    meant: bool = False
    names_build: bool = False
    most: int | None = None
    reranked: bool = False
    complete: bool = True
    reports_share: float | None = None
    mend: str = ""
