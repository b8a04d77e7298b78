"""How right answers are: the value, what is refused, and whether the first citation stands on a
page of the gold.

An error or a refusal of what can be answered counts as wrong: a mean over what was answered rises
as a system breaks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from finrag_pipeline.errors import FinragError
from finrag_pipeline.evaluation.answering.gold import GoldAnswer, read_gold
from finrag_pipeline.evaluation.report import Report, percent
from finrag_pipeline.grammar.quantities import numbers_in
from finrag_pipeline.settings import Settings

if TYPE_CHECKING:
    from finrag_pipeline.query.engine import QueryEngine

#: How far a figure may be from the gold: half of the last digit of a percentage of two, a rounding
#: of what is told in whole units.
_PERCENT_APART = 0.0051
_SHARE_APART = 1e-6


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of one question.

    Attributes:
        status: of the answer; `error` where there was none.
        on_page: whether the first citation stands on a page of the gold.
        states: whether that citation prints a figure of the gold, on whichever page.
    """

    gold: GoldAnswer
    status: str
    value: Any
    right: bool
    on_page: bool
    states: bool
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
        return Judged(gold, "error", str(error), False, False, False, False)
    first = answer["evidence"][0] if answer["evidence"] else None
    cited = first is not None and (first["source"], first["page"]) in gold.pages
    states = first is not None and _states(first["quote"], gold.printed)
    status = answer["status"]
    if gold.value is None:
        right = status == "insufficient_evidence"
    else:
        right = status == "answered" and is_right(gold, answer["value"])
    degraded = bool(answer["degraded"])
    return Judged(gold, status, answer["value"] or answer["answer"], right, cited, states, degraded)


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
    if gold.apart is not None:
        if value.get("unit") == "%" and gold.unit != "%":
            number /= 100  # a ratio told in percent
        return abs(number - gold.value) <= gold.apart * (1 + _SHARE_APART)
    apart = abs(number - gold.value)
    if gold.unit == "%":
        return apart <= _PERCENT_APART
    return apart <= _SHARE_APART * max(abs(gold.value), 1)


def report(judged: Mapping[str, Sequence[Judged]]) -> Report:
    """A row a file, with what is to be answered and what is to be refused apart."""
    rows: list[tuple[object, ...]] = []
    misses: list[str] = []
    for name, every in judged.items():
        held = [each for each in every if each.gold.value is not None]
        absent = [each for each in every if each.gold.value is None]
        printed = [each for each in held if each.gold.printed]
        answered = [each for each in every if each.status == "answered"]
        statuses = Counter(each.status for each in every)
        rows.append(
            (
                name,
                len(every),
                percent(sum(each.right for each in held), len(held)),
                percent(sum(each.wrong_when_answered for each in every), len(answered)),
                percent(sum(each.on_page for each in held if each.gold.pages), len(held)),
                percent(sum(each.states for each in printed), len(printed)),
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
    columns += ("first citation prints it",)
    columns += ("absent refused", "refused", "asked back", "errors", "degraded")
    return Report(
        "Answers by their value",
        columns,
        tuple(rows),
        ("Errors, refusals and questions asked back count as wrong where there is an answer.",),
        tuple(misses),
    )


def _states(quote: str, figures: Sequence[float]) -> bool:
    """Whether a quote prints one of some figures."""
    held = {Decimal(number) for number in numbers_in(quote)}
    return any(Decimal(str(figure)) in held for figure in figures)
