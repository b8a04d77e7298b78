"""Rows of tables and sentences with the questions that mean their figures: `figure_wordings/`.

A line of a file is one figure, invented as reports print them: of a table
``{"table", "label", "heading", "unit", "asked", "other"}``, of a text
``{"sentence", "figure", "asked", "other"}``. `asked` are questions and phrases in other words,
`other` one in another language.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from training.term_wordings import read_wordings
from training.worded import Worded

FOLDER = Path(__file__).with_name("figure_wordings")
#: What a cell may be called beside its label and heading.
TIMES = [
    *("2024年", "2023年", "2025E", "2026E", "2024A", "期末余额", "本期发生额", "2024年末"),
    *("2025年6月30日", "2025H1", "25Q1", "上期发生额", "2022", "2025年1-6月"),
]
#: Figures that are told from each other at a time: of a table, of several texts, and terms.
MOST_ROWS, MOST_SENTENCES, MOST_TERMS = 16, 12, 24
#: Shares of the times that a cell is read with the title of its table, with a time, with its unit,
#: with its heading first; that a sentence is read as a whole.
TITLED, TIMED, COUNTED, HEADED, WHOLE = 0.25, 0.42, 0.1, 0.3, 0.3
#: Characters of a clause that says what its figure is of.
_LEAST_AHEAD = 8
_CLAUSE, _SENTENCE = "，。；;！", "，。；;"


@dataclass(frozen=True, slots=True)
class WordedFigure(Worded):
    """A figure as it is printed, and how it is asked for."""

    label: str = ""
    heading: str = ""
    table: str = ""
    unit: str = ""
    sentence: str = ""
    figure: str = ""

    def printed(self, chance: random.Random) -> str:
        if self.sentence:
            return self.sentence if chance.random() < WHOLE else self.clause
        parts = [self.label, self.heading]
        if chance.random() < HEADED:
            parts.reverse()
        if chance.random() < TITLED:
            parts.insert(0, self.table)
        if chance.random() < TIMED:
            parts.append(chance.choice(TIMES))
        if chance.random() < COUNTED:
            parts.append(self.unit)
        return " ".join(filter(None, parts))

    @property
    def told(self) -> str:
        return self.clause if self.sentence else f"{self.label} {self.heading}"

    @property
    def clause(self) -> str:
        """The clause of a sentence that holds its figure, with the one before where it is short.

        >>> told = "收入增长，其中液冷方案12亿元，占比三成。"
        >>> WordedFigure((), sentence=told, figure="12亿元").clause
        '收入增长，其中液冷方案12亿元'
        """
        text, at = self.sentence, self.sentence.find(self.figure)
        start = max(text.rfind(mark, 0, at) for mark in _CLAUSE) + 1
        if at - start < _LEAST_AHEAD:
            start = max(text.rfind(mark, 0, max(start - 1, 0)) for mark in _CLAUSE) + 1
        ends = [place for mark in _SENTENCE if (place := text.find(mark, at)) >= 0]
        return text[start : min(ends, default=len(text))]


def read_groups(folder: Path = FOLDER) -> list[list[WordedFigure]]:
    """Figures that stand beside each other: those of a table, some sentences of a file."""
    groups: list[list[WordedFigure]] = []
    for path in sorted(folder.glob("*.jsonl")):
        tables: dict[str, list[WordedFigure]] = {}
        sentences: list[WordedFigure] = []
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            worded = WordedFigure(**row | {"asked": tuple(row["asked"])})
            (sentences if worded.sentence else tables.setdefault(worded.table, [])).append(worded)
        for rows in tables.values():
            groups += _parts(rows, MOST_ROWS)
        groups += _parts(sentences, MOST_SENTENCES)
    return groups


def term_groups(chance: random.Random) -> list[list[WordedFigure]]:
    """Terms of `term_wordings.csv` beside others by chance."""
    told: dict[str, list[str]] = {}
    for term, wording in read_wordings():
        if term and wording != term:
            told.setdefault(term, []).append(wording)
    terms = [WordedFigure(tuple(asked), label=term) for term, asked in told.items()]
    chance.shuffle(terms)
    return _parts(terms, MOST_TERMS)


def _parts(figures: Sequence[WordedFigure], most: int) -> list[list[WordedFigure]]:
    return [list(figures[at : at + most]) for at in range(0, len(figures), most)]
