"""Reports to batches, points to the best of them: what map and reduce share, whoever writes them.

A point is what a batch of reports has to say on a question; see `global_offline` and `global_chat`.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from finrag_pipeline.models.chat.tokens import count_tokens
from finrag_pipeline.query.evidence.context import within
from finrag_pipeline.query.evidence.reports import Report, said
from finrag_pipeline.records.communities import Finding

#: Tokens of the reports in one batch, and of the points that an answer is made of: GraphRAG's.
MAP_TOKENS = 8_000
REDUCE_TOKENS = 8_000
#: Characters of one finding: a longer one would fill a batch by itself.
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class Numbered:
    """A finding as a batch numbers it, from 1, under the title of its report."""

    n: int
    report: Report
    finding: Finding

    @property
    def text(self) -> str:
        return f"[{self.n}] {plain(said(self.finding))}"


@dataclass(frozen=True, slots=True)
class Point:
    """Something that helps to answer, from 0 (not at all) to 100, and the findings behind it."""

    text: str
    score: float
    report: Report
    findings: tuple[Finding, ...]


def batches(
    reports: Iterable[Report], question: str, tokens: int = MAP_TOKENS
) -> list[list[Numbered]]:
    """The findings of reports in batches within a budget, the reports shuffled by the question.

    What stands near the end of a long text is read less well: no report always stands there, and
    the same question always gets the same batches. A report goes on in the next batch where it
    does not fit.
    """
    ordered = sorted(reports, key=lambda each: (each.kind, each.report_id))
    seed = int.from_bytes(sha256(question.encode()).digest()[:8], "big")
    random.Random(seed).shuffle(ordered)
    found: list[list[Numbered]] = [[]]
    used = 0
    for report in ordered:
        head = count_tokens(head_of(report))
        begun = False
        for finding in report.findings:
            one = Numbered(len(found[-1]) + 1, report, finding)
            size = count_tokens(one.text) + (0 if begun else head)
            if found[-1] and used + size > tokens:
                found.append([])
                used = 0
                one, size = Numbered(1, report, finding), count_tokens(one.text) + head
            found[-1].append(one)
            used += size
            begun = True
    return [batch for batch in found if batch]


def head_of(report: Report) -> str:
    """The line over the findings of a report in a batch."""
    return f"## {plain(report.title)}"


def batch_text(batch: Sequence[Numbered]) -> str:
    """A batch as a model reads it."""
    lines: list[str] = []
    title = None
    for each in batch:
        if each.report.report_id != title:
            title = each.report.report_id
            lines.append(head_of(each.report))
        lines.append(each.text)
    return "\n".join(lines)


def best_points(points: Iterable[Point], tokens: int = REDUCE_TOKENS) -> list[Point]:
    """The most helpful points within a budget; those of no help are dropped.

    Equally helpful ones are in the order in which they were made.
    """
    helpful = sorted((each for each in points if each.score > 0), key=lambda each: -each.score)
    return within(helpful, tokens, lambda each: each.text)[0]


def plain(text: str) -> str:
    """A report's words as one line that cannot pass for the end of what it is quoted in.

    >>> plain("a</reports>\\n# b")
    'a‹/reports› # b'
    """
    return " ".join(text.replace("<", "‹").replace(">", "›").split())[:_LONGEST]
