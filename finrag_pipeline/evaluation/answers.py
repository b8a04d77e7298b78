"""How right answers are: the value, what is refused, and whether the first citation stands on a
page of the gold.

An error or a refusal of what can be answered counts as wrong: a mean over what was answered rises
as a system breaks.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from finrag_pipeline.errors import ConfigurationError, FinragError
from finrag_pipeline.evaluation.report import Report, percent
from finrag_pipeline.settings import Settings

if TYPE_CHECKING:
    from finrag_pipeline.query.engine import QueryEngine

Json = dict[str, Any]

#: How far a figure may be from the gold: half of the last digit of a percentage of two, a rounding
#: of what is told in whole units.
_PERCENT_APART = 0.0051
_SHARE_APART = 1e-6
_CHANGED = re.compile(r"[+-]?\d+(?:\.\d+)?%$")


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """A question and what is right.

    Attributes:
        value: a number, a name, names, or yes or no; None where it must be refused.
        unit: of a number; `%` is compared by its digits.
        pages: file and page, from 1, that hold the figure.
    """

    id: str
    question: str
    value: Any
    unit: str = ""
    pages: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of one question.

    Attributes:
        status: of the answer; `error` where there was none.
    """

    gold: GoldAnswer
    status: str
    value: Any
    right: bool
    on_page: bool
    degraded: bool

    @property
    def wrong_when_answered(self) -> bool:
        return self.status == "answered" and not self.right


def measure(
    files: Sequence[Path], settings: Settings, progress: Callable[[str, int, int], None]
) -> Report:
    """Ask every question of some files.

    Args:
        files: JSON lines, see `read_gold`.
        progress: told the name of a file, how many are asked, and how many there are.

    Raises:
        ConfigurationError: a file cannot be read.
    """
    from finrag_pipeline.query.engine import QueryEngine
    from finrag_pipeline.store.database.reader import open_reader

    golds = {path.name: read_gold(path) for path in files}
    judged: dict[str, list[Judged]] = {}
    with open_reader(settings) as reader:
        engine = QueryEngine(reader, settings)
        for name, questions in golds.items():
            judged[name] = []
            for gold in questions:
                judged[name].append(judge(engine, gold))
                progress(name, len(judged[name]), len(questions))
    return report(judged)


def judge(engine: QueryEngine, gold: GoldAnswer) -> Judged:
    """Ask one question and compare."""
    try:
        answer = engine.ask(gold.question).to_dict()
    except FinragError as error:
        return Judged(gold, "error", str(error), right=False, on_page=False, degraded=False)
    first = answer["evidence"][0] if answer["evidence"] else None
    cited = first is not None and (first["source"], first["page"]) in gold.pages
    status = answer["status"]
    if gold.value is None:
        right = status == "insufficient_evidence"
    else:
        right = status == "answered" and is_right(gold, answer["value"])
    degraded = bool(answer["degraded"])
    return Judged(gold, status, answer["value"] or answer["answer"], right, cited, degraded)


def is_right(gold: GoldAnswer, value: Mapping[str, Any] | None) -> bool:
    """Whether the value of an answer is that of the gold.

    >>> is_right(GoldAnswer("1", "?", -7.26, "%"), {"number": -7.2634})
    True
    >>> is_right(GoldAnswer("1", "?", "甲"), {"name": "乙"})
    False
    """
    if value is None:
        return False
    if isinstance(gold.value, bool):
        return value.get("boolean") is gold.value
    if isinstance(gold.value, str):
        return value.get("name") == gold.value
    if isinstance(gold.value, list):
        return set(value.get("names", ())) == set(gold.value)
    number = value.get("number")
    if number is None:
        return False
    apart = abs(number - gold.value)
    if gold.unit == "%":
        return apart <= _PERCENT_APART
    return apart <= _SHARE_APART * max(abs(gold.value), 1)


def read_gold(path: Path) -> list[GoldAnswer]:
    """All questions of a file, in order.

    A line is one of

    * ``{"id", "question", "value", "unit", "pages": [{"source", "page"}]}``;
    * ``{"id", "question", "absent": what is}``, which must be refused;
    * the form of CFR-NumQA: ``{"id", "question", "answer", "evidence", "meta"}``.

    Raises:
        ConfigurationError: the file cannot be read, or a line is none of these; it is named.
    """
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} cannot be read: {error}") from error
    found: list[GoldAnswer] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                found.append(_gold(json.loads(line)))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise ConfigurationError(
                    f"{path}, line {number} is no question with its answer ({error}): give "
                    '{"id", "question", "value", "unit", "pages": [{"source", "page"}]} or '
                    '{"id", "question", "absent"}'
                ) from error
    if not found:
        raise ConfigurationError(f"{path} holds no question")
    return found


def report(judged: Mapping[str, Sequence[Judged]]) -> Report:
    """A row a file, with what is to be answered and what is to be refused apart."""
    rows: list[tuple[object, ...]] = []
    misses: list[str] = []
    for name, every in judged.items():
        held = [each for each in every if each.gold.value is not None]
        absent = [each for each in every if each.gold.value is None]
        answered = [each for each in every if each.status == "answered"]
        statuses = Counter(each.status for each in every)
        rows.append(
            (
                name,
                len(every),
                percent(sum(each.right for each in held), len(held)),
                percent(sum(each.wrong_when_answered for each in every), len(answered)),
                percent(sum(each.on_page for each in held if each.gold.pages), len(held)),
                percent(sum(each.right for each in absent), len(absent)),
                statuses["insufficient_evidence"],
                statuses["needs_clarification"],
                statuses["error"],
                sum(each.degraded for each in every),
            )
        )
        misses += [
            f"{each.gold.id} {each.gold.question} | {each.gold.value} | {each.status} {each.value}"
            + ("" if each.on_page or not each.gold.pages else " | off page")
            for each in every
            if not each.right or (each.gold.pages and not each.on_page)
        ]
    columns = ("questions", "asked", "value right", "wrong when answered", "first citation on page")
    columns += ("absent refused", "refused", "asked back", "errors", "degraded")
    return Report(
        "Answers by their value",
        columns,
        tuple(rows),
        ("Errors, refusals and questions asked back count as wrong where there is an answer.",),
        tuple(misses),
    )


def _gold(row: Json) -> GoldAnswer:
    named, question = str(row["id"]), str(row["question"])
    if "absent" in row:
        return GoldAnswer(named, question, None)
    places = row["pages"] if "pages" in row else row["evidence"]
    pages = tuple(dict.fromkeys((str(each["source"]), int(each["page"])) for each in places))
    if "value" in row:
        return GoldAnswer(named, question, row["value"], str(row.get("unit", "")), pages)
    answer, meta = str(row["answer"]), row["meta"]
    if "value" in meta:
        return GoldAnswer(named, question, meta["value"], str(meta.get("unit", "")), pages)
    if _CHANGED.match(answer):
        return GoldAnswer(named, question, float(answer.rstrip("%")), "%", pages)
    return GoldAnswer(named, question, answer, "", pages)
