"""Kinds of answers to open questions: a share, a day, a plan, what was done; rows of a CSV file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows

_PATH = Path(__file__).with_name("kinds.csv")
_COLUMNS = ("kind", "language", "rows", "asked", "said", "meaning")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of answer: words that ask for it, and what a quote that is one has.

    Attributes:
        rows: whether rows of tables are such answers.
    """

    name: str
    rows: bool
    asked: re.Pattern[str]
    said: re.Pattern[str]


@cache
def kinds() -> tuple[Kind, ...]:
    """All of them, in order."""
    return tuple(
        Kind(
            row["kind"],
            bool(row["rows"]),
            re.compile(row["asked"], re.IGNORECASE),
            re.compile(row["said"], 0 if row["kind"] in ("person", "place") else re.IGNORECASE),
        )
        for row in data_rows(_PATH, _COLUMNS)
    )
