"""Which sentences may be told as an answer, however surely they seem to be one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.query.answers.likeliest.sentences import Judged, LikelySentence
from finrag_pipeline.query.answers.passages.candidates import Candidate, Reading
from finrag_pipeline.query.answers.passages.causes import asks_cause, causes_in
from finrag_pipeline.query.answers.passages.synonyms import direction
from finrag_pipeline.query.answers.passages.times import Time
from finrag_pipeline.query.answers.passages.wanted import Wanted

#: What only points to where something stands.
_POINTS = re.compile(
    r"(?:如|见|参见|详见)(?:下|上|前|后)?(?:表|图|文|述)?[^，。；]{0,8}[。：:；]?\s*$"
)
#: Characters of the longest sentence that says no more than that.
_SHORT = 30
#: How sure a sentence is that needs neither the time nor a cue of the cause that is asked for, and
#: how sure one that does not need the time.
_SURELY, _WHENEVER = 0.8, 0.65


def surest(reading: Reading, likely: Sequence[Judged]) -> tuple[float, LikelySentence | None]:
    """The first of some sentences, the surest first, that may be told, and how sure it is."""
    told = (
        (sure, each)
        for sure, each in likely
        if not _only_points(each) and (sure >= _SURELY or _may_be_told(reading, each, sure))
    )
    return next(told, (0.0, None))


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
    return any(_gives_cause(reading.wanted, each) for each in (line, sentence.excerpt))


def _gives_cause(wanted: Wanted, line: Candidate) -> bool:
    """Whether a text gives a cause, names no metric but that asked for, and tells not the contrary
    of what happened."""
    told = direction(line.said.told)
    contrary = bool(wanted.direction and told and told != wanted.direction)
    causes = next(causes_in(line.said.told), None) is not None
    return causes and line.metric and not contrary
