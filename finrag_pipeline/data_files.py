"""Rows of the CSV files that the package ships: relations, patterns, signals.

What a column means belongs to who reads it.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

#: What a word may have in one place: ``[top/first] five``.
_ALTERNATIVES = re.compile(r"\[([^\[\]]*)\]")


@dataclass(frozen=True, slots=True)
class DataRow:
    """One row by the names of its columns, and where it stands: ``patterns.csv:12``."""

    where: str
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells[column]

    def choice(self, column: str, allowed: Sequence[str]) -> str:
        """The cell of a column that holds one of a few words."""
        if self[column] not in allowed:
            self.wrong(f"{column} is {self[column]!r}, allowed are {', '.join(allowed)}")
        return self[column]

    def listed(self, column: str) -> tuple[str, ...]:
        """The words of a cell, parted by bars; empty for an empty cell."""
        return tuple(filter(None, self[column].split("|")))

    def spelled(self, column: str) -> tuple[str, ...]:
        """The words of a cell with their alternatives written out, each once.

        >>> DataRow("", {"asked": "[top/first] five[/ or ten]|five"}).spelled("asked")
        ('top five', 'top five or ten', 'first five', 'first five or ten', 'five')
        """
        words = (spelled for word in self.listed(column) for spelled in _spelled(word))
        return tuple(dict.fromkeys(words))

    def wrong(self, problem: str) -> NoReturn:
        """Refuse the row.

        Raises:
            ValueError: always; with file and line.
        """
        raise ValueError(f"{self.where}: {problem}")


def _spelled(word: str) -> Iterator[str]:
    match = _ALTERNATIVES.search(word)
    if match is None:
        yield word
        return
    for each in match[1].split("/"):
        yield from _spelled(f"{word[: match.start()]}{each}{word[match.end() :]}")


def data_rows(path: Path, columns: Sequence[str]) -> Iterator[DataRow]:
    """The rows of a file in order.

    Args:
        columns: those that it must have, in this order.

    Raises:
        ValueError: it has others, or a row has more or fewer cells; with file and line.
    """
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        head = next(reader, [])
        if head != list(columns):
            raise ValueError(f"{path.name}:1: columns are {head}, not {list(columns)}")
        for cells in reader:
            where = f"{path.name}:{reader.line_num}"
            if len(cells) != len(columns):
                raise ValueError(f"{where}: {len(cells)} cells, not {len(columns)}")
            yield DataRow(where, dict(zip(columns, cells, strict=True)))
