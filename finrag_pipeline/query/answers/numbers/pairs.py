"""How figures that are held against each other are told: how far apart they lie, how many times
one is the other, with the working.

Which of them come first is decided in `composed`.
"""

from __future__ import annotations

from finrag_pipeline.query.answers.numbers.lines import Lines
from finrag_pipeline.query.answers.numbers.wording import say, shown_told
from finrag_pipeline.query.numbers.records import NumberResult


def held_against(lines: Lines, result: NumberResult, first: str, second: str) -> str:
    """The line that answers: how far the first lies above the second, or how many times it is.

    Args:
        first: what tells the first figure from the other; of those that lie apart the greatest.
    """
    summary, operation = result.summary, lines.question.operation
    assert summary is not None  # what is not worked out is told by itself
    amount = lines.amount(summary)
    value = lines.with_behind(amount.text, [amount.exact])
    phrase = operation if operation != "apart" or summary.value else "not_apart"
    told = say(phrase, lines.chinese, high=first, low=second, value=value)
    return f"{told}{lines.mark(summary)}"


def working(lines: Lines, result: NumberResult) -> list[str]:
    """How it was worked out; nothing where there is nothing between them."""
    summary = result.summary
    if summary is None or not summary.value or not summary.steps:
        return []
    (step,) = summary.steps
    name = say("difference" if step.name == "apart" else "quotient", lines.chinese)
    worked = shown_told(step.shown)
    return [f"{name} = {worked} = {lines.amount(summary).text}{lines.mark(summary)}"]
