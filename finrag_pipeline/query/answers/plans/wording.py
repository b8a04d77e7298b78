"""Sentences of plans in both languages, rows of `phrases.csv`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows

_PATH = Path(__file__).with_name("phrases.csv")


def say(name: str, chinese: bool, **values: object) -> str:
    """A phrase with its values.

    >>> say("of", True, of="甲", role="客户"), say("of", False, of="A", role="customers")
    ('甲的客户', 'customers of A')
    """
    in_chinese, in_english = _phrases()[name]
    return (in_chinese if chinese else in_english).format(**values)


@cache
def _phrases() -> dict[str, tuple[str, str]]:
    return {row["name"]: (row["zh"], row["en"]) for row in data_rows(_PATH, ("name", "zh", "en"))}
