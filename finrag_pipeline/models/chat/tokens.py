"""Tokens of a text, counted without any model's vocabulary: for estimates, limits and budgets.

What a server says that it counted goes before this wherever money is concerned.
"""

from __future__ import annotations

import math
import re

# What one piece counts, fitted to the vocabulary of Qwen on 286 pages of reports and filings: the
# median page comes out at 1.01 of the true count, nine of ten pages between .63 and 1.14 (Chinese
# pages .78 and 1.16).
_PIECES = re.compile(
    r"(?P<han>[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])"
    r"|(?P<digit>\d)|(?P<latin>[A-Za-z]+)|(?P<letter>[^\W])|(?P<marks>[^\w\s]+)|(?P<line>\n\s*)"
)
_WEIGHTS = {"han": 0.7, "digit": 1.0, "letter": 1.0, "marks": 1.0, "line": 0.8}
_LETTERS_A_TOKEN = 6
#: Tokens that chat templates put around each message.
MESSAGE_TOKENS = 4


def count_tokens(text: str) -> int:
    """About the tokens of a text; the same on every machine.

    >>> count_tokens("营收46.3亿元, international"), count_tokens("")
    (10, 0)
    """
    total = 0.0
    for match in _PIECES.finditer(text):
        kind = match.lastgroup
        if kind == "latin":
            total += max(1.0, len(match[0]) / _LETTERS_A_TOKEN)
        else:
            total += _WEIGHTS[str(kind)]
    return math.ceil(total)


def most_tokens(text: str) -> int:
    """More tokens than a text can have: vocabularies of bytes never cut a byte in two."""
    return len(text.encode())
