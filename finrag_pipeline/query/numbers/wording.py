"""The words of questions for figures by what they do: rows of `wording.csv`.

What they are made into is `reading`'s; what figures are called is `grammar.fact_metrics`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows

_PATH = Path(__file__).with_name("wording.csv")
_COLUMNS = ("role", "value", "pattern", "meaning")
#: How marked places are written in patterns, see `marking`.
_MARKS = {
    "{M}": "(?:[\ue100-\ue1ff]\ue00f*)",
    "{C}": "(?:\ue000+)",
    "{P}": "(?:\ue001+)",
    "{B}": "(?:\ue002+)",
}

Wording = tuple[str, re.Pattern[str]]


@cache
def wordings(role: str) -> tuple[Wording, ...]:
    """The patterns of a role in the order of the file, each with its value."""
    return _by_role()[role]


def find(role: str, text: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Where a text has words of a role, with the value of each."""
    for value, pattern in wordings(role):
        for match in pattern.finditer(text):
            if match.end() > match.start():
                yield value, match


def has(role: str, text: str) -> bool:
    """Whether a text has words of a role.

    >>> has("open", "什么是流动比率？"), has("open", "流动比率是多少？")
    (True, False)
    """
    return any(pattern.search(text) for _, pattern in wordings(role))


@cache
def _by_role() -> Mapping[str, tuple[Wording, ...]]:
    found: dict[str, list[Wording]] = {}
    for row in data_rows(_PATH, _COLUMNS):
        pattern = row["pattern"]
        for mark, written in _MARKS.items():
            pattern = pattern.replace(mark, written)
        try:
            compiled = re.compile(pattern, re.IGNORECASE)
        except re.error as error:
            row.wrong(f"{error} in {row['pattern']!r}")
        found.setdefault(row["role"], []).append((row["value"], compiled))
    return {role: tuple(each) for role, each in found.items()}
