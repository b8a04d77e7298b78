"""Models that read a question and a passage together and say how well the one answers the other.

Which candidates they see, and what their word counts beside the retrieval's, is `query.reranking`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]


class Reranker(Protocol):
    """Judges passages by their text."""

    @property
    def name(self) -> str:
        """As `FINRAG_RERANKER` names it."""
        ...

    def score(self, question: str, passages: Sequence[str]) -> Scores:
        """How well each passage answers the question, 0 to 1, shape `(len(passages),)`.

        Raises:
            ModelUnavailable, ModelReplyUnusable, BudgetExhausted: its server does not answer, or
                not as it should; nothing is wrong with the settings.
            ConfigurationError: it cannot be had here, or its server refuses the settings.
        """
        ...
