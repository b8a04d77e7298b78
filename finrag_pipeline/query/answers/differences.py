"""How far a figure lies apart at two times: both are looked up, and the difference is shown.

What the question asks of each time is `question.differing`'s.
"""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from typing import Any

from finrag_pipeline.errors import FinragError
from finrag_pipeline.query.answers.merging import merged
from finrag_pipeline.query.answers.passages.writer import write_passages
from finrag_pipeline.query.answers.several import direct
from finrag_pipeline.query.answers.values import as_asked, plain_number
from finrag_pipeline.query.answers.writers import Draft, Search, Writer
from finrag_pipeline.query.evidence.citation import MARK
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.differing import figures_apart

#: Passages in which a figure is looked for that no row and no fact has.
_PASSAGES = 10
#: Money is told in these, the greatest that both figures reach.
_SCALES = (("亿", 8), ("万", 4))
_MONEY = re.compile(r"元$|^[A-Z]{3}$")
_WAY = "the figure of each of two times is looked up, and their difference shown"


class DifferenceWriter:
    """Writes how far two figures lie apart.

    Args:
        numbers: of figures that have a name as such.
        rows: of those that rows of tables spell out.
        search: finds what states the others.
    """

    def __init__(self, numbers: Writer, rows: Writer, search: Search) -> None:
        self._writers = (numbers, rows)
        self._search = search

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """Both figures and their difference; None where no difference is asked for, or a figure of
        one time is not held, or they are counted in different things."""
        apart = figures_apart(asked.question, asked.scope.reading.periods)
        if apart is None:
            return None
        later = self._figure(asked, apart[0])
        earlier = self._figure(asked, apart[1]) if later else None
        if later is None or earlier is None:
            return None
        one, other = _value_of(later), _value_of(earlier)
        if one["unit"] != other["unit"] or later.text == earlier.text:
            return None
        left, right = (Decimal(str(each["number"])) for each in (one, other))
        both = merged(later, [earlier])
        line = _shown(left, right, str(one["unit"])) + "".join(_marks(both))
        value = as_asked(
            asked.question, {**one, "number": plain_number(left - right)}, changed=True
        )
        return replace(both, text=f"{line}\n{both.text}", value=value, kind="number", way=_WAY)

    def _figure(self, asked: Asked, question: str) -> Draft | None:
        """The line of the figure at one time; None where none has a value."""
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


def _value_of(draft: Draft) -> dict[str, Any]:
    return dict(draft.value or {})


def _marks(draft: Draft) -> list[str]:
    return list(dict.fromkeys(each[0] for each in MARK.finditer(draft.text)))


def _shown(left: Decimal, right: Decimal, unit: str) -> str:
    """A difference with its figures, in the greatest unit that both reach.

    >>> _shown(Decimal(80000000000), Decimal(39000000000), "元")
    '差额：800亿元 − 390亿元 = 410亿元'
    >>> _shown(Decimal(76), Decimal(67), "个")
    '差额：76个 − 67个 = 9个'
    >>> _shown(Decimal(63414), Decimal(64305), "人")
    '差额：63,414人 − 64,305人 = -891人'
    """
    least = min(abs(left), abs(right))
    scales = (
        (name, power) for name, power in _SCALES if least >= 10**power and _MONEY.search(unit)
    )
    name, power = next(scales, ("", 0))

    def told(value: Decimal) -> str:
        return f"{value.scaleb(-power).normalize():,f}{name}{unit}"

    return f"差额：{told(left)} − {told(right)} = {told(left - right)}"
