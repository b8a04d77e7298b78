"""Bounds of what a report is written from; one value serves a whole build."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReportLimits:
    """Bounds in tokens and numbers.

    Attributes:
        prompt_tokens: of a whole request. GraphRAG found summaries from 8,000 tokens at a time
            better than from 16,000 to 64,000; and it leaves room for a reply and for another count
            of the same text in a context of 16,000.
        few: descriptions of an element that stand for themselves; more are summed up.
        summary_tokens: of a summary of an element.
        batch: communities that are read, written and committed together.
    """

    prompt_tokens: int = 8000
    few: int = 5
    summary_tokens: int = 200
    batch: int = 64
