"""What kind of answer a question wants, as its words say it: a reason, a list, a view, a figure.

Which signals mean which intent, and which of several decides, are the rows of `intents.csv`, tried
in their order; the words of a signal are rows of `signals.csv`. Who writes such an answer, and
after whom, is `router`'s.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.query.question.reading import NOTHING_SAID, Reading
from finrag_pipeline.query.question.signals import asks_whole, cue

#: What is wanted where no word says more.
UNCLEAR = "passage"


@dataclass(frozen=True, slots=True)
class Intent:
    """The kind of answer that is wanted.

    Attributes:
        name: a row of `routes.csv`.
        cue: the words that say so; empty where none does.
        signal: what those words are a signal of; empty where there are none.
    """

    name: str
    cue: str = ""
    signal: str = ""


#: Of a question that no word says anything of.
ANYTHING = Intent(UNCLEAR)


@dataclass(frozen=True, slots=True)
class _Rule:
    """A row of `intents.csv`: all signals that it asks for, and none of the others."""

    intent: str
    asks: tuple[str, ...]
    without: tuple[str, ...]


def _rules() -> tuple[_Rule, ...]:
    path = Path(__file__).with_name("intents.csv")
    return tuple(
        _Rule(row["intent"], tuple(row["asks"].split()), tuple(row["without"].split()))
        for row in data_rows(path, ("intent", "asks", "without", "meaning"))
    )


_RULES = _rules()


def read_intent(question: str, reading: Reading = NOTHING_SAID, *, figures: bool = False) -> Intent:
    """The intent of a question, by the first row of `intents.csv` that fits it.

    Args:
        reading: whom it names.
        figures: whether it asks for a figure that has a name, see `numbers.reading`.

    >>> read_intent("毛利率为什么下降？")
    Intent(name='reason', cue='为什么', signal='reason')
    >>> read_intent("该不该买？").name, read_intent("分析师该不该给买入评级？").name
    ('unsupported', 'record')
    >>> read_intent("公司的主营业务？").name
    'passage'
    """
    signs = _Signs(question, reading, figures)
    for rule in _RULES:
        if all(map(signs.said, rule.asks)) and not any(map(signs.said, rule.without)):
            return Intent(rule.intent, signs.said(rule.asks[0]) or "", rule.asks[0])
    return ANYTHING


class _Signs:
    """The signals of a question, each looked for once: by its words, or by what was read of it."""

    def __init__(self, question: str, reading: Reading, figures: bool) -> None:
        self._question = question
        named = [each.text for each in reading.companies]
        houses = [each.keys[0] for each in reading.publishers]
        self._said: dict[str, str | None] = {
            "company": ", ".join(named) or None,
            "several": ", ".join(named) if reading.compared else None,
            "publisher": ", ".join(houses) or None,
            "figures": "figures" if figures else None,
            # a figure of a whole industry is a figure
            "whole": asks_whole(question),
        }

    def said(self, signal: str) -> str | None:
        """What says so; None where nothing does."""
        if signal not in self._said:
            self._said[signal] = cue(signal, self._question)
        return self._said[signal]
