"""Answers in the words of passages: what a question wants by type, sentences that agree with it,
reasons, yes and no.

Finding passages belongs to the lanes; what of a piece may be quoted is said by its kind.
"""

from finrag_pipeline.query.answers.passages.reasons import Reasons
from finrag_pipeline.query.answers.passages.writer import (
    Passages,
    QuotedFigures,
    confidence_of,
    write_passages,
)

__all__ = ["Passages", "QuotedFigures", "Reasons", "confidence_of", "write_passages"]
