"""What a question wants to know of a company of whom records are kept, in the order of an answer.

The words are rows of `asks.csv`; the lines of records that they ask for are named by their labels.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.query.question.names import Named
from finrag_pipeline.words import fold

_HERE = Path(__file__).parent
#: The parts of an answer, in their order.
SLOTS = ("profile", "relations", "projects", "needs", "advice")


@dataclass(frozen=True, slots=True)
class Ask:
    """A part of a record that is asked for.

    Attributes:
        slot: one of `SLOTS`.
        labels: lines of it; empty: all of them.
    """

    slot: str
    labels: frozenset[str] = frozenset()

    def wants(self, label: str) -> bool:
        """Whether a line of the part is asked for."""
        return not self.labels or label in self.labels


def without_names(question: str, companies: Sequence[Named]) -> str:
    """A question without the names of companies: 供应链 of a name asks for nothing."""
    shown = list(question)
    for each in companies:
        shown[each.start : each.end] = " " * (each.end - each.start)
    return "".join(shown)


def read_asks(text: str) -> tuple[Ask, ...]:
    """The parts of records that a question without its names asks for.

    >>> [(each.slot, sorted(each.labels)) for each in read_asks("的母公司是谁？投资方有哪些？")]
    [('relations', ['Investor', 'Parent company', '投资方', '母公司'])]
    >>> [each.slot for each in read_asks("想做实时风控，应该推荐哪个产品？")], read_asks("毛利率？")
    (['advice'], ())
    """
    asked: dict[str, set[str]] = {}
    general: set[str] = set()
    folded = fold(text)
    for slot, labels, pattern in _rows():
        if slot in SLOTS and pattern.search(folded):
            asked.setdefault(slot, set()).update(labels)
            if not labels:
                general.add(slot)
    if "relations" in asked and not {"relations"} & general and asked.keys() > {"relations"}:
        # 母公司是谁 asks for the parent, not who the company is
        asked = {slot: labels for slot, labels in asked.items() if slot != "profile" or labels}
    return tuple(
        Ask(slot, frozenset() if slot in general else frozenset(asked[slot]))
        for slot in SLOTS
        if slot in asked
    )


def says(slot: str, text: str) -> bool:
    """Whether a text has words of a row such as `advantage`."""
    return any(own == slot and pattern.search(fold(text)) for own, _, pattern in _rows())


def bare(text: str) -> str:
    """The words of a question that say what is needed, without those that only ask."""
    for own, _, pattern in _rows():
        if own in ("said", "advice"):
            text = pattern.sub(" ", text)
    return " ".join(text.split())


@cache
def _rows() -> tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...]:
    return tuple(
        (row["slot"], row.listed("labels"), re.compile(row["pattern"], re.IGNORECASE))
        for row in data_rows(_HERE / "asks.csv", ("slot", "labels", "pattern"))
    )


@cache
def phrases() -> dict[str, tuple[str, str]]:
    """What parts of an answer are called, in Chinese and English."""
    rows = data_rows(_HERE / "phrases.csv", ("phrase", "zh", "en"))
    return {row["phrase"]: (row["zh"], row["en"]) for row in rows}
