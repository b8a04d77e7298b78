"""Traditional Chinese characters as simplified ones: filings of Hong Kong and questions on them.

Which stand for which is `script.csv`, made of a dictionary by `training.script_pairs`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PAIRS = Path(__file__).with_name("script.csv")


def simplified(text: str) -> str:
    """A text with its traditional characters simplified, one for one.

    >>> simplified("綜合財務狀況表"), simplified("著名的本公司擁有人應佔溢利")
    ('综合财务状况表', '著名的本公司拥有人应占溢利')
    """
    return text if text.isascii() else text.translate(_table())


@cache
def _table() -> dict[int, str]:
    _, *rows = _PAIRS.read_text(encoding="utf-8").splitlines()
    return {ord(one): other for one, _, other in (row.partition(",") for row in rows)}
