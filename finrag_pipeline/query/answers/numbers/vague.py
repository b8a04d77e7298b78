"""Words that may mean several figures, 利润 or 现金流: the question in each of its meanings, and
what is asked back with the figures that are held.

The words and what they may mean are rows of `numbers/wording.csv`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from finrag_pipeline.query.answers.numbers.clarifying import AskedBack
from finrag_pipeline.query.answers.numbers.lines import Lines
from finrag_pipeline.query.answers.numbers.looking_up import Held
from finrag_pipeline.query.answers.numbers.marks import Marks
from finrag_pipeline.query.answers.numbers.wording import say
from finrag_pipeline.query.numbers.reading import read_numbers
from finrag_pipeline.query.numbers.records import NumberQuestion
from finrag_pipeline.query.numbers.wording import find
from finrag_pipeline.query.question.asked import Asked


@dataclass(frozen=True, slots=True)
class Vague:
    """A word of a question, and the question with each figure that it may mean in its place."""

    word: str
    meanings: tuple[NumberQuestion, ...]


def read_vague(asked: Asked) -> Vague | None:
    """A question whose one figure is named by such a word; None where anything else is unclear."""
    found = list(find("vague", asked.question))
    if len(found) != 1:
        return None
    names, match = found[0]
    meanings: list[NumberQuestion] = []
    for name in names.split("|"):
        text = f"{asked.question[: match.start()]}{name}{asked.question[match.end() :]}"
        read = read_numbers(text, asked.scope.catalogue, asked.where.as_of)
        if read is None or read.not_understood or read.segments or read.everyone:
            return None
        meanings.append(read)
    return Vague(match[0], tuple(meanings))


def which_figure(word: str, held: Sequence[Held], chinese: bool) -> tuple[AskedBack, Lines]:
    """Asks which of several figures is meant, and tells each."""
    items = {key: item for each in held for key, item in each.items.items()}
    lines = Lines(held[0].result.question, chinese, Marks(items))
    told = [
        f"· {lines.figure(row)}"
        for each in held
        for row in each.result.rows
        if row.value is not None
    ]
    measures = [each.result.question.measures[0] for each in held]
    choices = tuple(
        {
            "name": measure.name_zh if chinese else measure.name_en,
            "kind": "metric",
            "question": each.result.question.text,
        }
        for measure, each in zip(measures, held, strict=True)
    )
    names = lines.listed([str(each["name"]) for each in choices])
    text = "\n".join([say("which_figure", chinese, text=word, names=names), *told])
    return AskedBack(text, choices), lines
