"""A question of a conversation as one that stands alone: what it leaves out, earlier ones said.

Nothing is kept between questions: whoever asks hands over what was asked before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from finrag_pipeline.query.question.catalogue import Catalogue
from finrag_pipeline.query.question.reading import Reading, read_question
from finrag_pipeline.query.question.terms import terms

#: Words that point to what was said before, and say nothing else.
_POINTING = re.compile(
    r"^(?:那么?|然后|还有|以及|再看看?|and(?: then)?\b|then\b|(?:what|how) about\b|also\b)|"
    r"(?:它们?|他们|该公司|这家公司|这家|其)(?=的|呢|在|[\u3400-\u9fff])的?|呢(?=[？?\s]*$)|"
    r"\b(?:its|their|it|they|the same|that company)\b",
    re.IGNORECASE,
)
#: Who asks which company it is means none that was named before.
_OVER_ALL = re.compile(
    r"(?:哪|所有|全部|各).{0,2}(?:公司|企业)|(?:公司|企业)有?哪|谁|compan|firms|\bwho\b", re.I
)
_ENDS = " \t，。？！；：,.?!;:、的"


@dataclass(frozen=True, slots=True)
class _Read:
    """A question with what is left of it without whom, when and what points back."""

    text: str
    reading: Reading
    rest: str
    points: bool

    @property
    def whom(self) -> list[str]:
        return [self.text[each.start : each.end] for each in self.reading.companies]

    @property
    def when(self) -> list[str]:
        # a comparison with the year before names no time of its own
        spans = {(each.start, each.end): each for each in reversed(self.reading.periods)}
        return [each.text or str(each) for _, each in sorted(spans.items())]


def in_context(
    question: str, history: Sequence[str], catalogue: Catalogue, day: date | None = None
) -> str:
    """A question with the company, the period and the matter that it takes from earlier ones.

    Args:
        history: earlier questions, the oldest first; each may itself rest on those before it.
        day: from which relative times are counted.

    Returns:
        The question as it is where it says all of that itself.
    """
    before: _Read | None = None
    for text in (*history, question):
        read = _read(text, catalogue, day)
        if before is not None:
            read = _read(_whole(read, before), catalogue, day)
        before = read
    return before.text if before else question


def _whole(read: _Read, before: _Read) -> str:
    """A question's text with what it leaves out."""
    says_what = bool(terms(read.rest))
    over_all = _OVER_ALL.search(read.text) is not None and not read.points
    if over_all or (read.whom and says_what and not read.points):
        return read.text
    whom = [] if read.whom else before.whom
    when = [] if read.when else before.when
    what = [] if says_what else [before.rest]
    if not (whom or when or what):
        return read.text
    return " ".join(filter(None, [*whom, *when, _bare(read.text), *what]))


def _read(text: str, catalogue: Catalogue, day: date | None) -> _Read:
    reading = read_question(text, catalogue, day)
    spans = {(each.start, each.end) for each in reading.companies}
    spans |= {(each.start, each.end) for each in reading.periods if each.text}
    rest = text
    for start, end in sorted(spans, reverse=True):
        rest = f"{rest[:start]} {rest[end:]}"
    rest = _POINTING.sub(" ", rest.strip())
    points = _POINTING.search(text.strip()) is not None
    return _Read(text, reading, " ".join(rest.split()).strip(_ENDS), points)


def _bare(text: str) -> str:
    return _POINTING.sub(" ", text.strip()).strip(_ENDS)
