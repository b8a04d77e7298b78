"""Gold in JSON lines: read line by line, the one that is none named with what to give.

What a line means is said by who reads it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from finrag_pipeline.errors import ConfigurationError

Json = dict[str, Any]
T = TypeVar("T")

_WRONG = (ValueError, KeyError, TypeError, AttributeError, re.error)


def read_lines(path: Path, make: Callable[[Json], T], *, lacks: str, give: str) -> list[T]:
    """What is made of each line of a file that holds any, in order.

    Args:
        make: makes it of a line; what it raises for a wrong one is told.
        lacks: what is said of a wrong line: `is no question`.
        give: the form of a right one.

    Raises:
        ConfigurationError: the file cannot be read, holds nothing, or a line is wrong.
    """
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} cannot be read: {error}") from error
    found: list[T] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                found.append(make(json.loads(line)))
            except _WRONG as error:
                raise ConfigurationError(
                    f"{path}, line {number} {lacks} ({error}): give {give}"
                ) from error
    if not found:
        raise ConfigurationError(f"{path} holds no question")
    return found
