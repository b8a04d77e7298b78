"""Questions with their right values, read from JSON lines: our own form, those of
CFR-NumQA and of FinanceBench.

Comparing answers with them is `values`'.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from finrag_pipeline.evaluation.json_lines import read_lines

Json = dict[str, Any]

#: What FinanceBench answers with a figure alone, and what with yes or no.
_FIGURE = re.compile(r"[$]?(-?[\d,]+(?:\.(\d+))?)\s*(%?)$")
_WHETHER = re.compile(r"(yes|no)\b", re.IGNORECASE)
#: Which figures a question asks for: (in USD millions).
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9}
_SCALE = re.compile(r"\bUSD (thousand|million|billion)s?\b", re.IGNORECASE)
_CHANGED = re.compile(r"[+-]?\d+(?:\.\d+)?%$")


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """A question and what is right.

    Attributes:
        value: a number, a name, names, or yes or no; None where it must be refused.
        unit: of a number; `%` is compared by its digits.
        apart: how far a number may be from it, half of its last digit; None for what its unit says.
        pages: file and page, from 1, that hold the figure.
        printed: the figures that it is told or worked out from.
    """

    id: str
    question: str
    value: Any
    unit: str = ""
    pages: tuple[tuple[str, int], ...] = ()
    printed: tuple[float, ...] = ()
    apart: float | None = None


def read_gold(path: Path) -> list[GoldAnswer]:
    """All questions of a file, in order.

    A line is one of

    * ``{"id", "question", "value", "unit", "pages": [{"source", "page"}]}``;
    * ``{"id", "question", "absent": what is}``, which must be refused;
    * the form of CFR-NumQA: ``{"id", "question", "answer", "evidence", "meta"}``;
    * that of FinanceBench: ``{"financebench_id", "doc_name", "question", "answer", "evidence"}``,
      left out where its answer is neither a figure nor begins with yes or no.

    Raises:
        ConfigurationError: the file cannot be read, or a line is none of these; it is named.
    """
    found = read_lines(
        path,
        lambda row: _of_filings(row) if "financebench_id" in row else _gold(row),
        lacks="is no question with its answer",
        give='{"id", "question", "value", "unit", "pages": [{"source", "page"}]} or '
        '{"id", "question", "absent"}',
    )
    return [each for each in found if each is not None]


def _of_filings(row: Json) -> GoldAnswer | None:
    """A question of FinanceBench; its pages count from 0, its amounts in what it asks for."""
    question, answer = str(row["question"]), str(row["answer"]).strip()
    source = f"{row['doc_name']}.pdf"
    pages = tuple(dict.fromkeys((source, int(each["page_index"]) + 1) for each in row["evidence"]))
    named = str(row["financebench_id"])
    if told := _WHETHER.match(answer):
        return GoldAnswer(named, question, told[1].casefold() == "yes", "", pages)
    figure = _FIGURE.match(answer)
    if figure is None:
        return None
    asked = _SCALE.search(question)
    scale = _SCALES[asked[1].casefold()] if asked else 1.0
    value, apart = float(figure[1].replace(",", "")), 0.5 * 10 ** -len(figure[2] or "")
    return GoldAnswer(named, question, value * scale, figure[3], pages, (), apart * scale)


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
