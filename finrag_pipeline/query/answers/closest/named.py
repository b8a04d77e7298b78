"""Figures of documents that name whom a question is on, where no document is about them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from finrag_pipeline.query.answers.attribution import Mentioned
from finrag_pipeline.query.answers.closest.found import FoundFigure, Judged
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.question.absent import Absence
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.words import FUNCTION_WORDS, fold, is_chinese, segmenter

#: Figures that are looked at: less sure ones are told nowhere.
_MOST = 12
_LEAST_NAME = 2
_HAN = re.compile(r"[\u3400-\u9fff]+")
#: A name in Latin letters, and no term in capitals: Tesla, and not EBITDA.
_LATIN_NAME = re.compile(r"[A-Z][a-z]+[A-Za-z]*(?: [A-Z][A-Za-z]+){0,3}")
#: How sure a figure of a document that has the name has to be, or the name may be none.
_NEAR = 0.1


def of_whom_is_named(asked: Asked, judged: Sequence[Judged], absent: Absence) -> list[Judged]:
    """Judged figures without those of documents that do not have a name of the question which
    others have: what a report says of another firm's pledges is not asked for.

    Args:
        judged: the surest first.
    """
    if asked.scope.reading.companies or not judged:
        return list(judged)
    if whom := _stands_before(asked):
        return [each for each in judged if fold(whom) in fold("\n".join(_stands_with(each[1])))]
    name = _opens_with(asked.question)
    if name is None:
        return list(judged)
    documents = {
        figure.document.document_id for _, figure in judged[:_MOST] if figure.document is not None
    }
    lacking = absent.lacking(asked, name, documents)
    of_named = [
        each
        for each in judged
        if each[1].document is None or each[1].document.document_id not in lacking
    ]
    # what was cut amiss stands in documents that have nothing near
    return of_named if of_named and of_named[0][0] >= _NEAR else list(judged)


def of_what_is_mentioned(
    judged: Sequence[Judged], wanted: Wanted, mentioned: Mentioned
) -> list[Judged]:
    """Judged figures without those that stand beside none of whom and what a question names."""
    if not mentioned:
        return list(judged)
    told = ((each, "\n".join(_stands_with(each[1]))) for each in judged)
    return [each for each, text in told if not mentioned.lacking(text, wanted.text(text))]


def _stands_with(figure: FoundFigure) -> Iterator[str]:
    """What is said of a figure, over, around and before it, and as the title of its document."""
    yield from (figure.text, figure.around, figure.over, figure.ahead)
    if figure.document is not None:
        yield figure.document.row.title or ""


def _opens_with(text: str) -> str | None:
    """The name that a question opens with: characters side by side that are no word of the
    language; further on they may be cut amiss, 集采拟 of 集采拟中选.

    >>> _opens_with("沐野智能的大股东质押了多少股"), _opens_with("毛利率是多少")
    ('沐野', None)
    """
    single, run = next(groupby(segmenter().cut(text, False), _is_part), (False, iter(())))
    name = "".join(run)
    return name if single and len(name) >= _LEAST_NAME else None


def _stands_before(asked: Asked) -> str | None:
    """What a question for a figure of a company opens with before its time, where no other word of
    the language does: 妙可蓝多 of 妙可蓝多25Q1净利, Tesla of Tesla2024年净利润."""
    periods = [each.start for each in asked.scope.reading.periods if each.text]
    lead = asked.question[: min(periods, default=0)].strip()
    if is_chinese(asked.question) and _LATIN_NAME.fullmatch(lead):
        return lead
    pieces = list(segmenter().cut(lead, False))
    named = len(lead) >= _LEAST_NAME and all(len(each) == 1 for each in pieces)
    return lead if named and _HAN.fullmatch(lead) else None


def _is_part(piece: str) -> bool:
    """Whether a piece of text is a character that may be one of a name."""
    return len(piece) == 1 and "\u3400" <= piece <= "\u9fff" and piece not in FUNCTION_WORDS
