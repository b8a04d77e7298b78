"""Rerankers by name: how the first of a fused ranking are judged again, with the question at hand.

A new reranker is one module and one call of `register`; `FINRAG_RERANKER` names it, with what it
needs behind a colon. Which entries are judged, and where the others stay, is `order`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.models.chat import ChatSession
from finrag_pipeline.query.evidence.kinds import EvidenceItem
from finrag_pipeline.query.question.asked import Asked

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A piece of evidence as retrieval found it.

    Attributes:
        fused: its fused score times its factor.
        lanes: its 1-based rank in each lane that has it.
        scores: its score there; they only compare within a lane.
        cosine: of its vector and the question's; None where it has none, or no lane compared any.
        agreement: how far its document is of whom and when the question means, 0 to 1.
    """

    item: EvidenceItem
    fused: float
    lanes: Mapping[str, int] = field(default_factory=dict[str, int])
    scores: Mapping[str, float] = field(default_factory=dict[str, float])
    cosine: float | None = None
    agreement: float = 1.0


class CandidateReranker(Protocol):
    """Judges candidates, for any number of threads."""

    def score(self, asked: Asked, candidates: Sequence[Candidate]) -> Scores:
        """One number a candidate, higher is better, shape `(len(candidates),)`.

        Args:
            candidates: one at least, in the order of their fused scores.

        Raises:
            FinragError: as `models.reranking.Reranker.score`.
        """
        ...


@dataclass(frozen=True, slots=True)
class Tools:
    """What rerankers are made of: the chat model where there is one."""

    chat: ChatSession | None = None


#: Makes a reranker of the part of the setting behind the colon, empty where there is none.
Make = Callable[[Tools, str], CandidateReranker | None]

_rerankers: dict[str, tuple[Make, str]] = {}


def register(name: str, make: Make, *, argument: str = "") -> None:
    """Make a reranker known; one of the same name is replaced.

    Args:
        make: loads it, once an engine; None of it leaves the ranking as it is.
        argument: what stands behind the colon of the setting; empty: nothing does.
    """
    _rerankers[name] = (make, argument)


def load(setting: str, tools: Tools) -> CandidateReranker | None:
    """The reranker that `FINRAG_RERANKER` names; None where rankings stay as they are.

    Raises:
        ConfigurationError: there is none of that name, or it cannot be had here.
    """
    name, _, argument = setting.partition(":")
    make, wanted = _rerankers.get(name, (None, ""))
    if make is None or bool(wanted) != bool(argument):
        known = ", ".join(f"{each}:{of}" if of else each for each, (_, of) in _rerankers.items())
        raise ConfigurationError(f"FINRAG_RERANKER: {setting!r} is unknown; use one of {known}")
    return make(tools, argument)
