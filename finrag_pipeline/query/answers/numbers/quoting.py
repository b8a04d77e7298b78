"""Figures that are not held, or held rounded, in the words of what states them: one search each.

What a quote has to say to state a figure is `passages.stated`'s.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from finrag_pipeline.errors import FinragError
from finrag_pipeline.query.answers.numbers.lines import Lines
from finrag_pipeline.query.answers.numbers.wording import say
from finrag_pipeline.query.answers.passages.writer import write_passages
from finrag_pipeline.query.answers.writers import Draft, Search
from finrag_pipeline.query.numbers.records import NumberRow
from finrag_pipeline.query.question.asked import Asked

#: Figures of one question that are looked for in text, and passages looked through for each.
_MOST_ROWS, _PASSAGES = 3, 20
_DECIMALS = re.compile(r"\d\.\d+\s?[%％]")
_MARK = re.compile(r"\[\d+\]$")
#: What reports print is rounded: shares of a hundred worked out of it differ from printed ones.
_ROUNDED = "report_"


def stated_rows(
    search: Search, asked: Asked, lines: Lines, rows: Sequence[NumberRow]
) -> list[tuple[NumberRow, Draft]]:
    """The first line that states each of some figures; figures that nothing states left out."""
    found: list[tuple[NumberRow, Draft]] = []
    for row in rows[:_MOST_ROWS]:
        question = say("what_is", lines.chinese, name=lines.name(row))
        try:
            part, results = search(asked, question, most=_PASSAGES)
        except FinragError:
            return found  # what is held is told without them
        draft = write_passages(part, results, stated=True)
        if line := _line(row, draft):
            told = [each.text for _, each in found]
            found.append((row, line if line.text not in told else Draft()))
    return found


def _line(row: NumberRow, draft: Draft) -> Draft | None:
    """The first quote of a draft; beside what was worked out the first that is less rounded."""
    if draft.status or not draft.citations:
        return None
    for n, text in enumerate(draft.text.splitlines()):
        if row.value is None or _DECIMALS.search(text):
            citation = replace(draft.citations[n], n=1)
            return Draft(_MARK.sub("[1]", text), (citation,), draft.sources)
    return None


def worked_out_of_rounded(row: NumberRow) -> bool:
    """Whether a share was worked out of figures that reports print rounded."""
    return (
        bool(row.steps)
        and row.unit == "%"
        and not row.measure.change
        and any(each.source.startswith(_ROUNDED) for each in row.facts)
    )
