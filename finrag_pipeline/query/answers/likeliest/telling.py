"""Which sentences may be told as an answer, however surely they seem to be one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.grammar.quantities import numbers_in
from finrag_pipeline.query.answers.likeliest.sentences import Judged, LikelySentence
from finrag_pipeline.query.answers.passages.candidates import Candidate, Reading
from finrag_pipeline.query.answers.passages.causes import asks_cause, causes_in
from finrag_pipeline.query.answers.passages.synonyms import direction
from finrag_pipeline.query.answers.passages.times import Time
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.evidence.clauses import CLAUSE_END
from finrag_pipeline.query.evidence.places import squeeze

#: What only points to where something stands.
_POINTS = re.compile(
    r"(?:如|见|参见|详见)(?:下|上|前|后)?(?:表|图|文|述)?[^，。；]{0,8}[。：:；]?\s*$"
)
#: Characters of the longest sentence that says no more than that, and of the shortest clause.
_SHORT, _CLAUSE = 30, 6
#: How sure a sentence has to be that is told behind a surer one.
SECOND = 0.25
#: How sure a sentence is that needs neither the time nor a cause of what is asked for, how sure one
#: whose cause needs no cue, and one that does not need the time.
_SURELY, _UNCUED, _WHENEVER = 0.7, 0.6, 0.55


def surest(reading: Reading, likely: Sequence[Judged]) -> tuple[float, LikelySentence | None]:
    """The first of some sentences, the surest first, that may be told, and how sure it is."""
    told = (
        (sure, each)
        for sure, each in likely
        if not _only_points(each) and (sure >= _SURELY or _may_be_told(reading, each, sure))
    )
    return next(told, (0.0, None))


def next_surest(
    reading: Reading, likely: Sequence[Judged], first: LikelySentence
) -> LikelySentence | None:
    """Another of some sentences that may be told behind the surest one, which says none of it:
    what is asked may stand in two places."""
    others = [
        (sure, each)
        for sure, each in likely
        if sure >= SECOND and not _overlap(each, first) and reading.is_surely_of_company(each.line)
    ]
    return surest(reading, others)[1]


def _overlap(one: LikelySentence, other: LikelySentence) -> bool:
    """Whether what is told of two sentences is in part the same."""
    told, its = squeeze(one.told), squeeze(other.told)
    return told in its or its in told or squeeze(one.line.said.told) in its


def _only_points(sentence: LikelySentence) -> bool:
    """Whether a sentence says no more than where something stands."""
    told = sentence.line.said.told
    return len(told) <= _SHORT and _POINTS.search(told) is not None


def _may_be_told(reading: Reading, sentence: LikelySentence, sure: float) -> bool:
    """Whether a sentence is of no other time than is asked for and, where it is asked why, gives a
    cause, of no other figure and of what happened."""
    line = sentence.line
    if line.time <= Time.BEFORE and sure < _WHENEVER:
        return False
    if not asks_cause(reading.wanted.question):
        return True
    cued = sure < _UNCUED
    return any(_gives_cause(reading.wanted, each, cued) for each in (line, sentence.excerpt))


def _says_more_than_figures(text: str) -> bool:
    """Whether a clause of several has no figure: what fell beside what is asked is no cause."""
    clauses = [each for each in CLAUSE_END.split(text) if len(each.strip()) >= _CLAUSE]
    return len(clauses) > 1 and any(not numbers_in(each) for each in clauses)


def _gives_cause(wanted: Wanted, line: Candidate, cued: bool) -> bool:
    """Whether a text gives a cause, names no metric but that asked for, and tells not the contrary
    of what happened.

    Args:
        cued: whether a cue has to say that it is one: 财政先保工资，回款率降到61% has none.
    """
    told = direction(line.said.told)
    contrary = bool(wanted.direction and told and told != wanted.direction)
    causes = next(causes_in(line.said.told), None) is not None
    causes = causes or (not cued and _says_more_than_figures(line.said.told))
    return causes and line.metric and not contrary
