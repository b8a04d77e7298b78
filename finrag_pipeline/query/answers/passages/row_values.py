"""The figure of a row that is asked for: by its heading, its time, and in what it is counted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from finrag_pipeline.grammar.kinds import kind_of
from finrag_pipeline.grammar.periods import periods_in
from finrag_pipeline.grammar.quantities import Quantity, is_figure, parse_quantity
from finrag_pipeline.query.answers.passages.apart import MOST, asked_spans, clearest, spans_of
from finrag_pipeline.query.answers.passages.counting import counted_as, in_unit
from finrag_pipeline.query.answers.passages.figure_asked import asks_growth
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.evidence.kinds import Quotable
from finrag_pipeline.words import fold

#: What a column compares with, and how far it changed.
_OTHER_COLUMN = re.compile(
    r"上年|上期|去年|期初|年初(?!至)|前期|增减|变动|增长|同比|环比|yoy|change|growth",
    re.IGNORECASE,
)
_CHANGE_COLUMN = re.compile(r"增减|变动|增长|增速|增幅|同比|yoy|change|growth", re.IGNORECASE)
_GROWTH_ROW = re.compile(r"增长率|增速|增幅|同比|yoy|growth", re.IGNORECASE)
#: Columns of money, whose unit stands over their table.
_BALANCE = re.compile(r"金额|余额|账面|价值|收入|成本|费用|利润|发生额|预算|投资额")
#: Columns beside what there is in the end: 本年增加.
_DURING = re.compile(r"本[年期](?:度)?(?:增加|减少|计提|转入|转出|转回|核销)|增加额|减少额")
_PERCENT = re.compile(r"[（(][%％][)）]")
_UNIT_BEHIND = re.compile(r"（([^（）]+)）(?:$|：)")


def figure_of_row(wanted: Wanted, said: Quotable, printed: str) -> Quantity | None:
    """The one figure of a row that is of the time asked for, or tells how far that changed, as is
    asked; None of several.

    Args:
        printed: in what the table counts money; empty where it does not say.
    """
    changed = asks_growth(wanted.question)
    heading = next((each for each, _ in said.row if each), "")
    label = said.told.partition(heading)[0] if heading else ""
    if not changed and _GROWTH_ROW.search(label):
        return None  # how far it grew is not what it is
    of_row = [each for each in wanted.terms if wanted.text(label).has(each)]
    asked, unit = asked_spans(wanted), _UNIT_BEHIND.search(said.told)
    found: list[tuple[float, Quantity]] = []
    headed: list[tuple[str, Quantity]] = []
    for heading, cell in said.row:
        times = spans_of(periods_in(heading, "heading"))
        other = (times and asked and not times & asked) or _came_and_went(heading, wanted.question)
        column = _CHANGE_COLUMN if changed else _OTHER_COLUMN
        if is_figure(cell) and not other and bool(column.search(heading)) == changed:
            figure = parse_quantity(cell)
            if figure and not figure.unit and _PERCENT.search(heading):
                figure = replace(figure, unit="%")
            if figure and not figure.unit and unit:
                figure = in_unit(figure, unit[1])
            money = _BALANCE.search(heading) or kind_of(heading) == "amount"
            if figure and not figure.unit and money:
                figure = in_unit(figure, printed)
            share = wanted.topic(_without(heading, of_row))
            # what its heading names needs no unit: 质押数量
            named = figure is not None and (figure.unit or (wanted.terms and share))
            if figure and named and counted_as(wanted.question, figure):
                found.append((share, figure))
                headed.append((heading, figure))
    if wanted.topic(said.told) < MOST:
        return None
    # of columns that are of several things one says more of what is asked, by its words, else by
    # its characters: 改进前 is meant by 没改进之前
    return clearest(found) or clearest(
        [(_spelled(heading, wanted.question), figure) for heading, figure in headed]
    )


def _without(heading: str, words: Sequence[str]) -> str:
    """A heading without what its row says, too: “草木皆兵”因子测试 Rank IC of a row 草木皆兵."""
    for each in words:
        heading = heading.replace(each, " ")
    return heading


def _came_and_went(heading: str, question: str) -> bool:
    """Whether a column says what came and went in a time, and that is not asked."""
    return bool(_DURING.search(heading)) and not _DURING.search(question)


def _spelled(heading: str, question: str) -> float:
    """The share of the characters of a heading that a question has."""
    told = [each for each in fold(heading) if each.isalnum()]
    return sum(each in fold(question) for each in told) / len(told) if told else 0.0
