"""What of a question a keyword copy is searched by: its words, and the metrics that it names.

What an entry holds of both belongs to `keyword_entries`, looking for them to `keyword_search`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from finrag_pipeline.grammar.metrics import STATEMENTS, metrics_in, with_parts
from finrag_pipeline.words import keywords, subject

# Chosen with `METRIC_SHARES` in `query.weights`, see docs/evaluation.md, Fields.
#: What a statement counts that only its lines are asked for, beside one that is named.
_IMPLIED = 0.5
#: What being a statement counts beside holding a line.
STATEMENT_SHARE = 0.5

#: Words by which a question says how to answer: filings have them, but not for that.
_INSTRUCTIONS = """
answer answers answering question questions following provided provide providing information respond
calculate calculating computed compute metric metrics financial financially round rounded rounding
decimal decimals place places unit units percent percents percentage percentages usd million
millions thousand thousands billion billions dollars please help need needs want wants using used
use based basing primarily solely only clearly plainly detail details detailed outlined shown
utilizing utilize referencing according agreement account taking judgment reasonable approximation
approximate exact number possible resource resources response directly strictly stated define
defined definition investment banker analyst imagine assume
"""
_INSTRUCTION_STEMS = frozenset(keywords(_INSTRUCTIONS))


@dataclass(frozen=True, slots=True)
class KeywordQuestion:
    """What a question is searched by.

    Attributes:
        words: each once, in order.
        metrics: marks of entries that hold what it names, and what each counts, see `mark_line`.
    """

    words: tuple[str, ...]
    metrics: Mapping[str, float] = field(default_factory=dict[str, float])


def read_question(question: str) -> KeywordQuestion:
    """What a question is searched by: no words that only ask or say how, if others are left.

    >>> read_question("What was the FY2024 gross margin? Answer in percent.").words
    ('fy2024', '2024', 'gross', 'margin')
    """
    found = list(dict.fromkeys(keywords(subject(question)) or keywords(question)))
    told = [word for word in found if word not in _INSTRUCTION_STEMS]
    return KeywordQuestion(tuple(told or found), _marks(question))


def mark_line(concept: str) -> str:
    """The mark of an entry that has a line of a metric."""
    return concept


def mark_statement(statement: str) -> str:
    """The mark of an entry whose lines are those of a statement."""
    return f"lines of {statement}"


def mark_title(statement: str) -> str:
    """The mark of an entry that is headed as a statement."""
    return f"headed {statement}"


def _marks(question: str) -> dict[str, float]:
    """The marks of a question: lines that it names or that are computed with, their statements."""
    marks: dict[str, float] = {}
    statements: dict[str, float] = {}
    for metric in with_parts(metrics_in(question)):
        if metric.concept in STATEMENTS:
            statements[metric.concept] = 1.0
            continue
        marks[mark_line(metric.concept)] = 1.0
        if metric.statement:
            statements.setdefault(metric.statement, _IMPLIED)
    for statement, share in statements.items():
        marks[mark_statement(statement)] = marks[mark_title(statement)] = share * STATEMENT_SHARE
    return marks
