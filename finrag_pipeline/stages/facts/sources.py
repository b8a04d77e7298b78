"""Kinds of documents and columns that figures come from, ranked: the first counts of two.

One row of `sources.csv` a kind. Never the latest: an audited year's own figure goes before what a
later report prints of it beside its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from finrag_pipeline.data_files import data_rows

_PATH = Path(__file__).with_name("sources.csv")
_COLUMNS = ("source", "rank", "name_en", "name_zh")


@dataclass(frozen=True, slots=True)
class FactSource:
    """One kind of document and column; of two figures that of the lower rank counts."""

    name: str
    rank: int
    name_en: str
    name_zh: str


@cache
def fact_sources() -> Mapping[str, FactSource]:
    """Every source by its name.

    Raises:
        ValueError: a name stands twice or a rank is no number; with file and line.
    """
    found: dict[str, FactSource] = {}
    for row in data_rows(_PATH, _COLUMNS):
        if row["source"] in found or not row["rank"].isdigit():
            row.wrong(f"{row['source']} stands twice or has no rank")
        found[row["source"]] = FactSource(
            row["source"], int(row["rank"]), row["name_en"], row["name_zh"]
        )
    return found


def rank_of(source: str) -> int:
    """The rank of a source; KeyError for a name that the list lacks."""
    return fact_sources()[source].rank


def fingerprint() -> str:
    """Changes with the list: part of the version of what is derived by it."""
    return sha256(_PATH.read_bytes()).hexdigest()[:8]
