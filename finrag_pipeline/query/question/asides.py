"""What a question says beside what it asks: what is to be said if it does not fit, `asides.csv`.

What a row of it calls `kept` stays. How figures are to be rounded and where to look for them is
read in `numbers.reading`.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows


def without_asides(question: str) -> str:
    """A question without its asides; as it stands where nothing else is in it.

    >>> without_asides("Did its margin improve? If margins are not useful, state that and why.")
    'Did its margin improve?'
    >>> without_asides("伊利2024年1-9月的扣非，前三个季度加总")
    '伊利2024年1-9月的扣非'
    """
    left = question
    for pattern in _patterns():
        left = pattern.sub(lambda match: match.groupdict().get("kept") or "", left)
    return left.strip(" ;；") or question


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    rows = data_rows(Path(__file__).with_name("asides.csv"), ("pattern", "meaning"))
    return tuple(re.compile(row["pattern"], re.IGNORECASE) for row in rows)
