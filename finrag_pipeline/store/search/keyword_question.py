"""What of a question a keyword copy is searched by: its words, and the metrics that it names.

What an entry holds of both belongs to `keyword_entries`, looking for them to `keyword_search`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from finrag_pipeline.grammar.metrics import STATEMENTS, Named, named_in, with_parts
from finrag_pipeline.words import english_stem, fold, keywords, subject, words

# Chosen with `METRIC_SHARES` in `query.weights`, see docs/evaluation.md, Fields.
#: What a statement counts that only its lines are asked for, beside one that is named.
_IMPLIED = 0.5
#: What being a statement counts beside holding a line.
_STATEMENT_SHARE = 0.5
# "Which market had the highest net sales" names a metric, too, and is about something else.
#: Share of a question's words from which its metrics count in full; below in proportion.
_ABOUT_METRICS = 0.4

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
_FIGURE = re.compile(r"\d")
_HAN = re.compile(r"[\u3400-\u9fff]")
_PIECE = re.compile(r"[\u3400-\u9fff]+|[^\s\u3400-\u9fff]+")


@dataclass(frozen=True, slots=True)
class KeywordQuestion:
    """What a question is searched by.

    Attributes:
        words: each once, in order.
        metrics: marks of entries that hold what it names, and what each counts, see `mark_line`.
        about_metrics: how far it is about those, 0 to 1.
    """

    words: tuple[str, ...]
    metrics: Mapping[str, float] = field(default_factory=dict[str, float])
    about_metrics: float = 0.0


def read_question(question: str) -> KeywordQuestion:
    """What a question is searched by: no words that only ask or say how, if others are left.

    >>> read_question("What was the FY2024 gross margin? Answer in percent.").words
    ('fy2024', '2024', 'gross', 'margin')
    """
    found = list(dict.fromkeys(keywords(subject(question)) or keywords(question)))
    told = [word for word in found if word not in _INSTRUCTION_STEMS]
    named = named_in(fold(question))
    about = min(1.0, _share(question, named) / _ABOUT_METRICS) if named else 0.0
    return KeywordQuestion(tuple(told or found), _marks(named), about)


def words_of_name(name: str) -> tuple[str, ...]:
    """The words that every entry has which holds a name, however its text is cut: neighbouring
    Chinese characters, and other words whole.

    >>> words_of_name("远山格物"), words_of_name("Zyntrex U8")
    (('远山', '山格', '格物'), ('zyntrex', 'u8'))
    """
    found: list[str] = []
    for piece in _PIECE.findall(fold(name)):
        if _HAN.match(piece) and len(piece) > 1:
            found += [left + right for left, right in pairwise(piece)]
        else:
            found += keywords(piece)
    return tuple(dict.fromkeys(found))


def mark_line(concept: str) -> str:
    """The mark of an entry that has a line of a metric."""
    return concept


def mark_statement(statement: str) -> str:
    """The mark of an entry whose lines are those of a statement."""
    return f"lines of {statement}"


def mark_title(statement: str) -> str:
    """The mark of an entry that is headed as a statement."""
    return f"headed {statement}"


def _marks(named: Iterable[Named]) -> dict[str, float]:
    """The marks of a question: lines that it names or that are computed with, their statements."""
    marks: dict[str, float] = {}
    statements: dict[str, float] = {}
    for metric in with_parts(each.metric for each in named):
        if metric.concept in STATEMENTS:
            statements[metric.concept] = 1.0
            continue
        marks[mark_line(metric.concept)] = 1.0
        if metric.statement:
            statements.setdefault(metric.statement, _IMPLIED)
    for statement, share in statements.items():
        marks[mark_statement(statement)] = marks[mark_title(statement)] = share * _STATEMENT_SHARE
    return marks


def _share(question: str, named: Sequence[Named]) -> float:
    """The share of a question's words that name metrics, without figures and words that ask."""
    folded = fold(question)
    rest = list(folded)
    for each in named:
        rest[each.start : each.stop] = " " * (each.stop - each.start)
    total, left = (_telling(text) for text in (folded, "".join(rest)))
    return 1 - left / total if total else 0.0


def _telling(text: str) -> int:
    told = (english_stem(word) for word in words(subject(text)))
    return sum(word not in _INSTRUCTION_STEMS and not _FIGURE.search(word) for word in told)
