"""Questions with their right values, read from JSON lines: our own form and that of CFR-NumQA.

Comparing answers with them is `values`'.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from finrag_pipeline.evaluation.json_lines import read_lines

Json = dict[str, Any]

_CHANGED = re.compile(r"[+-]?\d+(?:\.\d+)?%$")


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """A question and what is right.

    Attributes:
        value: a number, a name, names, or yes or no; None where it must be refused.
        unit: of a number; `%` is compared by its digits.
        pages: file and page, from 1, that hold the figure.
        printed: the figures that it is told or worked out from.
    """

    id: str
    question: str
    value: Any
    unit: str = ""
    pages: tuple[tuple[str, int], ...] = ()
    printed: tuple[float, ...] = ()


def read_gold(path: Path) -> list[GoldAnswer]:
    """All questions of a file, in order.

    A line is one of

    * ``{"id", "question", "value", "unit", "pages": [{"source", "page"}]}``;
    * ``{"id", "question", "absent": what is}``, which must be refused;
    * the form of CFR-NumQA: ``{"id", "question", "answer", "evidence", "meta"}``.

    Raises:
        ConfigurationError: the file cannot be read, or a line is none of these; it is named.
    """
    return read_lines(
        path,
        _gold,
        lacks="is no question with its answer",
        give='{"id", "question", "value", "unit", "pages": [{"source", "page"}]} or '
        '{"id", "question", "absent"}',
    )


def _gold(row: Json) -> GoldAnswer:
    named, question = str(row["id"]), str(row["question"])
    if "absent" in row:
        return GoldAnswer(named, question, None)
    places = row["pages"] if "pages" in row else row["evidence"]
    pages = tuple(dict.fromkeys((str(each["source"]), int(each["page"])) for each in places))
    if "value" in row:
        printed = (row["value"],) if row.get("unit", "%") != "%" else ()
        return GoldAnswer(named, question, row["value"], str(row.get("unit", "")), pages, printed)
    answer, meta = str(row["answer"]), row["meta"]
    if "value" in meta:
        unit, printed = str(meta.get("unit", "")), (meta["value"],)
        return GoldAnswer(named, question, meta["value"], unit, pages, printed)
    printed = tuple(meta.get("values") or meta.get("values_yuan") or ())
    if _CHANGED.match(answer):
        return GoldAnswer(named, question, float(answer.rstrip("%")), "%", pages, printed)
    return GoldAnswer(named, question, answer, "", pages, printed)
