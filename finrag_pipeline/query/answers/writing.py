"""Statements with marks to an answer: each number in it stands in a passage that it cites.

Which statements an answer has is for `global_offline` and `global_chat`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from finrag_pipeline.query.answers.citations import Citations
from finrag_pipeline.query.evidence.citation import MARK, unmarked
from finrag_pipeline.records.communities import Passage

#: Marks behind one statement; more where its numbers stand in further passages.
MARKS = 2
_MOST_MARKS = 6


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """One thing that an answer says and the passages that it may cite, the best first."""

    text: str
    passages: tuple[Passage, ...]


def cite(statement: AnswerLine, citations: Citations) -> str:
    """A statement with its marks; in the words of a passage where its numbers are in none.

    Empty where no passage can be cited.
    """
    known = [each for each in statement.passages if each in citations.cited]
    if not known:
        return ""
    text = in_one_line(statement.text)
    chosen = next(
        (known[:n] for n in range(MARKS, _MOST_MARKS + 1) if citations.grounds(text, known[:n])),
        None,
    )
    if chosen is None:
        chosen = known[:1]
        text = in_one_line(known[0].quote)
    return f"{text}{citations.mark(chosen)}" if text else ""


def cite_all(statements: Iterable[AnswerLine], citations: Citations) -> list[str]:
    """Statements with their marks, without those that say what one before them said."""
    lines: list[str] = []
    told: set[str] = set()
    for statement in statements:
        line = cite(statement, citations)
        bare = MARK.sub("", line)
        if line and bare not in told:
            told.add(bare)
            lines.append(line)
    return lines


def headline(text: str, citations: Citations, passages: Sequence[Passage]) -> str:
    """A line that is cited by those below it; empty where a number in it is not theirs."""
    line = in_one_line(text)
    known = [each for each in passages if each in citations.cited]
    return line if line and citations.grounds(line, known) else ""


def in_one_line(text: str) -> str:
    """Text in one line, without what looks like a mark.

    >>> in_one_line("利润\\n增长[7]")
    '利润 增长（7）'
    """
    return " ".join(unmarked(text).split())
