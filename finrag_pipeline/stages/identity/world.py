"""Large companies that a registry of one country's listings lacks, by their names in two languages.

`companies.csv` holds one company a row; what a registry knows goes before it.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

from finrag_pipeline.stages.identity.names import normalised

COMPANIES_PATH = Path(__file__).with_name("companies.csv")


@cache
def world_companies() -> tuple[tuple[str, ...], ...]:
    """The names of each company, the one that stands for it first."""
    with COMPANIES_PATH.open(encoding="utf-8", newline="") as rows:
        return tuple(tuple(row["names"].split("|")) for row in csv.DictReader(rows))


def canonical(name: str) -> str:
    """The name that stands for a large company's, in whatever language; any other name itself.

    >>> canonical("Pfizer Inc."), canonical("TSMC"), canonical("星河新材")
    ('辉瑞', '台积电', '星河新材')
    """
    return _canonical().get(normalised(name), name)


def also_called(name: str) -> tuple[str, ...]:
    """Every name of a large company in whatever language, the given one too; empty for another.

    >>> also_called("Pfizer Inc."), also_called("星河新材")
    (('辉瑞', '辉瑞制药', 'Pfizer'), ())
    """
    return _by_first().get(canonical(name), ())


@cache
def _by_first() -> dict[str, tuple[str, ...]]:
    return {names[0]: names for names in world_companies()}


@cache
def _canonical() -> dict[str, str]:
    return {normalised(name): names[0] for names in world_companies() for name in names}
