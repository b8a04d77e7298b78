"""What kind of answer a question wants, as its words say it: a reason, a list, a view, a figure.

The words are rows of `signals.csv`; who writes such an answer, and after whom, is `router`'s.
"""

from __future__ import annotations

from dataclasses import dataclass

from finrag_pipeline.query.question.reading import NOTHING_SAID, Reading
from finrag_pipeline.query.question.signals import asks_chain, asks_whole, cue

#: Signals that decide alone, in the order in which they do.
_DECIDING = ("unsupported", "record", "reason", "influence", "profile")


@dataclass(frozen=True, slots=True)
class Intent:
    """The kind of answer that is wanted.

    Attributes:
        name: a row of `routes.csv`.
        cue: the words that say so; empty where none does.
    """

    name: str
    cue: str = ""


def read_intent(question: str, reading: Reading = NOTHING_SAID) -> Intent:
    """The intent of a question.

    >>> read_intent("毛利率为什么下降？")
    Intent(name='reason', cue='为什么')
    >>> read_intent("公司的主营业务？").name
    'passage'
    """
    for name in _DECIDING:
        if said := cue(name, question):
            return Intent(name, said)
    if said := asks_chain(question) and asks_whole(question):
        return Intent("whole", said)
    if reading.compared:
        return Intent("comparison", cue("compared", question) or "")
    if said := cue("some_of", question):
        return Intent("list", said)
    if said := asks_whole(question):
        return Intent("whole", said)
    return Intent("passage")
