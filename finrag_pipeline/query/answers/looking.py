"""Figures that are asked for as parts of a question: each is looked up as one of its own."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from finrag_pipeline.errors import FinragError
from finrag_pipeline.query.answers.merging import merged
from finrag_pipeline.query.answers.passages.writer import write_passages
from finrag_pipeline.query.answers.several import direct
from finrag_pipeline.query.answers.writers import Draft, Search, Writer
from finrag_pipeline.query.question.asked import Asked

#: Passages in which a figure is looked for that no row and no fact has.
_PASSAGES = 10


class Looking:
    """Looks figures up.

    Args:
        writers: of figures: of those that have a name as such, that rows of tables spell out, and
            that most surely are the one asked for; the first that has one is taken.
        search: finds what states the others.
    """

    def __init__(self, writers: Sequence[Writer], search: Search) -> None:
        self._writers = writers
        self._search = search

    def both(
        self, asked: Asked, one: str, other: str
    ) -> tuple[Draft, dict[str, Any], Decimal, Decimal] | None:
        """A draft of both figures, the value of the first, and both numbers; None where one is not
        held, or they are counted in different things, or both are one."""
        left = self.figure(asked, one)
        right = self.figure(asked, other) if left else None
        if left is None or right is None:
            return None
        first, second = value_of(left), value_of(right)
        same = (left.text, first["number"]) == (right.text, second["number"])
        if same or first["unit"] != second["unit"]:
            return None
        numbers = (Decimal(str(each["number"])) for each in (first, second))
        return merged(left, [right]), first, next(numbers), next(numbers)

    def figure(self, asked: Asked, question: str) -> Draft | None:
        """The line of a figure, with its value; None where it is not held."""
        try:
            part, found = self._search(asked, question, most=_PASSAGES)
        except FinragError:
            return None
        for write in self._writers:
            draft = write(part, found)
            if draft is not None and not draft.status and draft.value and "number" in draft.value:
                return direct(draft)
        quoted = write_passages(part, found, stated=True)
        if quoted.status or not quoted.value or "number" not in quoted.value:
            return None
        return direct(quoted)


def value_of(draft: Draft) -> dict[str, Any]:
    """The value of a draft that has one."""
    return dict(draft.value or {})
