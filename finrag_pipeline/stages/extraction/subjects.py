"""Where a sentence leaves out who does it, or whose it is: 公司…，并收购甲; 子公司乙投产.

What is left out is the company that the sentence speaks of, else the one the document is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from finrag_pipeline.stages.extraction.patterns import SPELLED
from finrag_pipeline.stages.extraction.triggers import Name

_CLAUSE = re.compile(
    "(?:^|[，；：。\n;:]|(?<=[\u3400-\u9fff]),)\\s*(?:[①-⑳●•◼➢\uf000-\uf0ff]|[（(]?\\d{1,2}[）).、])?\\s*"
)
_DOES = re.compile(SPELLED["DOES"])
_BELONGS = re.compile(SPELLED["BELONGS"])
_BELONGS_EN = re.compile(SPELLED["BELONGS_EN"], re.IGNORECASE)
_NAMED = re.compile(f"的?{SPELLED['SUBSIDIARY']}{SPELLED['CALLED']}")
#: Before a name that is no subject: 与甲, 向乙, and within brackets.
_NO_TOPIC = re.compile(r"(?:[与和同向对为被由从给及、（(“]|其中|包括|例如|比如|如)\s*$")
#: 选取甲、乙作为可比公司: those before are whose peers they are, not whose peers.
_CHOSEN = re.compile("(?:选取|选择|选用|参考)[^，。；]*(?:作为|为)[^，。；]{0,8}$")
#: 原实际控制人 is nobody's now.
_FORMER = ("原", "前")
_NEAR = 16


def implied(text: str, names: Sequence[Name], topic: bool) -> Iterator[tuple[int, int | None]]:
    """Where somebody is left out, and the place among the names of who it is.

    None stands for the company that the document is about.

    Args:
        text: one sentence.
        names: in order of print, none overlapping.
        topic: whether the document is about a company.
    """
    spoken: int | None = None
    firms = [at for at, name in enumerate(names) if name.type in ("company", "organisation")]
    for start, end in _clauses(text):
        inside = [at for at in firms if start <= names[at].start < end]
        opened = _DOES.match(text, start, end)
        if opened and not (inside and names[inside[0]].start < opened.end()):
            who = spoken
            if who is not None or topic:
                yield start, who
        for noun in (*_BELONGS.finditer(text, start, end), *_BELONGS_EN.finditer(text, start, end)):
            before = [at for at in firms if start <= names[at].start < noun.start()]
            chosen = _CHOSEN.search(text, start, noun.start()) is not None
            if (
                (not before or chosen)
                and text[noun.start() - 1 : noun.start()] not in _FORMER
                and (spoken is not None or topic)
                and (noun.start() > start or not opened)
            ):
                yield noun.start(), spoken
        for at in inside:
            lead = text[max(start, names[at].start - _NEAR) : names[at].start]
            if names[at].type == "company" and not _NO_TOPIC.search(lead) and len(lead) < _NEAR:
                spoken = _subsidiary(text, names, at)
                break


def _subsidiary(text: str, names: Sequence[Name], at: int) -> int:
    """The subsidiary that is named right behind a company, if one is: it is spoken of."""
    following = at + 1
    while following < len(names) and _NAMED.fullmatch(text, names[at].end, names[following].start):
        at, following = following, following + 1
    return at


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    marks = list(_CLAUSE.finditer(text))
    for one, two in zip(marks, [*marks[1:], None], strict=True):
        yield one.end(), two.start() if two else len(text)
