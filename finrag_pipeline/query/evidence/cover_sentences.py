"""Sentences of first pages that say what a house changed, and what its price rests on.

Their forms are rows of `cover_sentences.csv`; a word of them is written `<name>`. What rows of
covers print is `cover`'s.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows

_PATH = Path(__file__).with_name("cover_sentences.csv")
_NAMED = re.compile(r"<(\w+)>")


@cache
def cover_sentences() -> Mapping[str, re.Pattern[str]]:
    """Forms of sentences by the field that they fill: price_change, price_before, price_basis,
    rating_before, revision.

    >>> cover_sentences()["price_before"].search("目标价 63 港元（前值：32 港元）。")[0]
    '目标价 63 港元（前值：32 港元）'
    >>> cover_sentences()["revision"].search("我们维持盈利预测不变，EPS 为 1.2 元。")[0]
    '我们维持盈利预测不变，EPS 为 1.2 元'
    """
    words: dict[str, str] = {}
    found: dict[str, list[str]] = {}
    for row in data_rows(_PATH, ("role", "name", "pattern")):
        if row.choice("role", ("word", "sentence")) == "word":
            words[row["name"]] = f"(?:{row['pattern']})"
            continue
        written = _NAMED.sub(lambda match: words[match[1]], row["pattern"])
        found.setdefault(row["name"], []).append(written)
    return {name: re.compile("|".join(own), re.IGNORECASE) for name, own in found.items()}
