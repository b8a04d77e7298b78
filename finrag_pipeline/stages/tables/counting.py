"""What a figure is counted in: the unit printed nearest to it that can count what it is.

Nearest first: its own cell, the label of its row, the heading of its column, the heading of its
block, the table. A unit that cannot count the metric is passed over (百万元 for 每股收益), and a
metric that is always counted alike needs none printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from finrag_pipeline.grammar.kinds import Kind, counts, kind_of
from finrag_pipeline.grammar.measures import (
    Measure,
    measure_of,
    measures_of,
    printed_measure,
    spoken,
)
from finrag_pipeline.records import Cell, Table
from finrag_pipeline.stages.tables.body import SAYS_WHEN, BodyRow
from finrag_pipeline.stages.tables.headers import label_columns
from finrag_pipeline.stages.tables.phrases import is_value
from finrag_pipeline.words import is_chinese

#: Where a unit stands; `page`: with the other tables of the page; `metric`: it follows from what is
#: counted.
Source = Literal["cell", "row", "column", "block", "table", "page", "metric", ""]
Counted = tuple[Measure | None, Source]

#: What a title may say of figures whose rows and columns name nothing that is counted.
_OF_TITLES = frozenset(("share", "multiple", "per_share", "days"))
#: Units that follow from the metric, as Chinese and English tables write them.
_OWN = {
    "change": ("%", "%", "%"),
    "share": ("%", "%", "%"),
    "multiple": ("倍", "x", "x"),
    "days": ("天", "days", "天"),
    "holders": ("户", "holders", "户"),
    "people": ("人", "people", "人"),
}
_SIGN = re.compile(r"(?:US|HK|NT)?[$¥￥€£]")
_AROUND_NUMBER = re.compile(r"[\d,.，]+|[()（）\[\]+\-–—−~～<>≥≤≈±*†‡/:\s]+")
#: Characters from which a cell is no label.
_LONG = 60
#: Headings of columns that name the currency of something.
_CURRENCIES = re.compile(r"币种|货币|currency", re.IGNORECASE)
_CLAUSES = re.compile(r"[及与和、&，,;；]|\band\b")


@dataclass(frozen=True, slots=True)
class _Heading:
    """What the texts of a row, a column or a block say of their figures."""

    measure: Measure | None = None
    kind: Kind | None = None

    @property
    def bare(self) -> bool:
        """Whether it prints a currency without a scale; 元 is a scale of its own."""
        measure = self.measure
        return bool(measure and measure.currency and not measure.power and measure.text != "元")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a table that says in what it counts where it does not say it itself.

    Attributes:
        currency: ISO code of the one currency that its document names, empty for several.
        amount: what all tables of its page that state a unit of amounts state alike.
        scaled: whether any table of its document counts in thousands or more.
    """

    currency: str = ""
    amount: Measure | None = None
    scaled: bool = False


#: A table of which nothing else is known.
ALONE = Surroundings()


class Counting:
    """What the figures of one table are counted in."""

    def __init__(self, table: Table, around: Surroundings = ALONE) -> None:
        self._table = table
        self._around = around
        self._chinese = is_chinese(" ".join(cell.text for cell in table.cells))

    def of(self, row: BodyRow, cell: Cell) -> Counted:
        """The measure of a figure and where it stands."""
        own = measure_in_cell(cell.text)
        if own is None:
            return self._by_headings(row, cell, "")
        if not own.currency or own.power:
            return own, "cell"
        # the sign of a currency at a figure says nothing of its scale
        measure, source = self._by_headings(row, cell, own.currency)
        if measure or self._around.scaled:
            return measure, source
        return own, "cell"

    def _by_headings(self, row: BodyRow, cell: Cell, currency: str) -> Counted:
        """The measure of a figure that prints none, but maybe the sign of a currency."""
        line, column, block = self._headings(row, cell)
        subject = kind_of(row.above[-1]) if row.above else None
        near: list[tuple[_Heading, Source]] = [(line, "row"), (column, "column"), (block, "block")]
        if column.kind == "change":
            # what a column compares is counted in its own unit
            del near[0]
            subject = line.kind
        telling = _telling(heading for heading, _ in near[:2])
        kind = telling or self._kind(line, column, block)
        if currency and kind not in ("per_share", "price"):
            kind = telling = "amount"
        for heading, source in near:
            if (
                heading.bare
                and kind in (None, "amount")
                and any(each.power for each in self.stated)
            ):
                continue  # Dollars over a column of a table in millions
            if heading.measure and _holds(heading, kind, telling):
                return self._completed(kind, heading.measure, currency), source
        if kind == "change" and subject == "share":
            return None, ""  # percent or points
        for measure in self.stated:
            if len(self.stated) == 1 and kind is None:
                return self._completed("amount" if self._signs else None, measure), "table"
            if kind and counts(kind, measure) and not (kind == "price" and measure.power):
                return self._completed(kind, measure, currency), "table"
        return self._by_metric(kind, currency)

    @cached_property
    def stated(self) -> tuple[Measure, ...]:
        """What the table itself says that its figures are counted in."""
        labels = label_columns(self._table.cells)
        corner = [cell.text for cell in self._table.cells if cell.header and cell.column < labels]
        corner = [text for text in corner if len(text) > 1 or text == "元"]
        printed = [
            measure
            for text in (*corner, self._table.title or "")
            if (measure := printed_measure(text))
            # of a row's label that stands among the headings the unit is its own
            if measure.currency or measure.power or SAYS_WHEN.search(text)
        ]
        found = [*measures_of(self._table.unit or ""), *printed]
        return tuple({(each.unit, each.power): each for each in reversed(found)}.values())[::-1]

    @cached_property
    def currency(self) -> str:
        """The one currency that the table names, else its document's, else empty."""
        found = currencies_in(self._table, self.stated) or self._signs
        return next(iter(found)) if len(found) == 1 else "" if found else self._around.currency

    @cached_property
    def _signs(self) -> frozenset[str]:
        """ISO codes of the currencies whose signs stand at its figures, or beside them."""
        short = (cell.text for cell in self._table.cells if len(cell.text) <= _LONG)
        found = (measure_of(sign) for text in short for sign in _SIGN.findall(text))
        return frozenset(each.currency for each in found if each)

    @cached_property
    def _of_amounts(self) -> bool:
        """Whether most labels of the table name amounts: a statement, where 其他 is one too."""
        names = [cell.text for cell in self._table.cells if not cell.header and cell.column == 0]
        return 2 * sum(kind_of(name) == "amount" for name in names) > len(names)

    @cached_property
    def _title_kind(self) -> Kind | None:
        clauses = _CLAUSES.split(self._table.title or "")
        kinds: list[Kind] = [kind for clause in clauses if (kind := kind_of(clause))]
        alike = len(set(kinds)) == 1 and kinds[0] in _OF_TITLES and not self.stated
        return kinds[0] if alike else None

    def _headings(self, row: BodyRow, cell: Cell) -> tuple[_Heading, _Heading, _Heading]:
        block = _heading(reversed(row.blocks))
        if block.measure and block.measure.unit == "%" and block.kind in (None, "amount"):
            block = replace(block, kind="share")
        # one character over a column is more likely torn off a word than 人 or 家 for a unit
        path = [text for text in row.paths.get(cell.column, ()) if len(text) > 1 or text in "%元"]
        names = [text for text in row.names if not self._names_currency(row, text)]
        label = " ".join(names)
        return _heading((label, *reversed(names))), _heading(reversed(path)), block

    def _names_currency(self, row: BodyRow, text: str) -> bool:
        """Whether a label is a currency as such, or one of a column of them, and no unit."""
        measure = measure_of(text)
        if measure is None or not measure.currency or measure.power:
            return False
        return len(row.names) == 1 or bool(_CURRENCIES.search(" ".join(row.label_headings)))

    def _kind(self, line: _Heading, column: _Heading, block: _Heading) -> Kind | None:
        amounts = "amount" in (line.kind, column.kind, block.kind)
        return _telling((line, column, block)) or ("amount" if amounts else self._title_kind)

    def _completed(self, kind: Kind | None, measure: Measure, currency: str = "") -> Measure:
        if kind == "per_share" and "/" not in measure.unit:
            held = measure.currency or currency or self.currency
            return replace(measure, unit=f"{held}/股" if held else "")
        if kind == "shares" and not measure.unit:
            return replace(measure, unit="股")
        if kind in ("amount", "price") and not measure.unit:
            return replace(measure, unit=currency or self.currency)
        return measure

    def _by_metric(self, kind: Kind | None, currency: str) -> Counted:
        currency = currency or self.currency
        if kind == "per_share" and currency:
            name = spoken(currency, self._chinese)
            per = f"{name}/股" if self._chinese else f"{name} per share"
            return Measure(per, f"{currency}/股"), "metric"
        amounts = kind == "amount" or (kind is None and self._of_amounts)
        if amounts and not self.stated and self._around.amount:
            return self._completed("amount", self._around.amount, currency), "page"
        if kind in _OWN:
            chinese, english, unit = _OWN[kind]
            return Measure(chinese if self._chinese else english, unit), "metric"
        return None, ""


def currencies_in(table: Table, stated: Iterable[Measure]) -> set[str]:
    """ISO codes of the currencies that a table states and prints in its labels and headings."""
    texts = {cell.text for cell in table.cells if not is_value(cell.text)}
    named = [printed_measure(text) for text in sorted(texts) if len(text) <= _LONG]
    return {each.currency for each in (*stated, *named) if each and each.currency}


def measure_in_cell(text: str) -> Measure | None:
    """The measure that a figure prints itself: ``17.2%``, ``(3.1pct)``, ``45x``, ``1,800 家``."""
    rest = " ".join(dict.fromkeys(_AROUND_NUMBER.sub(" ", text).split()))
    return measure_of(rest) if rest else None


def _telling(headings: Iterable[_Heading]) -> Kind | None:
    """The first kind that tells more than an amount."""
    kinds: list[Kind | None] = [heading.kind for heading in headings]
    if "change" in kinds[1:2]:
        return "change"
    for kind in kinds:
        if kind and kind != "amount":
            return kind
    return None


def _holds(heading: _Heading, kind: Kind | None, telling: Kind | None) -> bool:
    """Whether what a heading prints is the unit of a figure under it.

    Its own metric is counted in it, but for slips such as EPS(X); that of another heading may be.
    """
    assert heading.measure is not None
    if kind is not None and counts(kind, heading.measure):
        return True
    slip = kind == "per_share" and heading.measure.unit != "股"
    return not slip and (heading.kind or telling) in (kind, None)


def _heading(texts: Iterable[str]) -> _Heading:
    """The first measure and the first kind that some texts name, the nearest text first."""
    seen = list(texts)
    measures = (printed_measure(text) for text in seen)
    kinds: list[Kind] = [kind for text in seen if (kind := kind_of(text))]
    return _Heading(next(filter(None, measures), None), kinds[0] if kinds else None)
