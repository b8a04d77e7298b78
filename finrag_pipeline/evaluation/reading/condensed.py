"""The condensed statements of broker reports: their lines by name, and what must add up.

Filings print statements in full: see `identities`. Wordings are kept in `statement_lines.csv`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.stages.facts.identities import Row

_PATH = Path(__file__).with_name("statement_lines.csv")
_COLUMNS = ("line", "statement", "wordings")
#: Statements whose lines must add up; ratios and forecasts hold no sum.
STATEMENTS = ("balance", "income", "cash")
#: Lines of its own from which a table is a statement: summaries of forecasts name one or two.
_LINES = 4


@dataclass(frozen=True)
class Checks:
    """How many sums of a statement could be checked, over all periods, and those that are off."""

    checked: int
    off: tuple[str, ...]


@cache
def wordings() -> Mapping[str, Mapping[str, str]]:
    """For each statement its lines by their folded wordings; under ``""`` the headings.

    Raises:
        ValueError: a wording stands twice in one statement; with file and line.
    """
    found: dict[str, dict[str, str]] = {}
    for row in data_rows(_PATH, _COLUMNS):
        names = found.setdefault(row.choice("statement", ("", *STATEMENTS)), {})
        for wording in row.listed("wordings"):
            if names.setdefault(folded(wording), row["line"]) != row["line"]:
                row.wrong(f"{wording} stands twice")
    return found


def folded(text: str) -> str:
    """A label or heading as wordings are compared: no white space, half-width, lower case.

    >>> folded("减：Income Tax（费用）")
    '减:incometax(费用)'
    """
    shown = "".join(text.split()).lower()
    return shown.translate(str.maketrans("（）：，＆", "():,&"))


def kind_of(rows: Sequence[Row]) -> str | None:
    """The statement whose lines most labels are; None where no statement has enough."""
    held = {kind: set(_lines(rows, kind)) for kind in STATEMENTS}
    best = max(STATEMENTS, key=lambda kind: len(held[kind]))
    return best if len(held[best]) >= _LINES else None


def check(kind: str, rows: Sequence[Row], forecast: Sequence[bool]) -> Checks:
    """Check the sums of a statement in every printed period.

    Args:
        kind: one of `STATEMENTS`.
        rows: labels with a value for each period, None if blank.
        forecast: for each period whether it is one; a change of cash that was reported includes
            that of currencies, and without their line its sum is not checked.
    """
    lines = _lines(rows, kind)
    sums = {"balance": _balance, "income": _income, "cash": _cash}[kind]
    unit = _unit(rows)
    checked, off = 0, list[str]()
    for period, expected in enumerate(forecast):
        values = {
            name: value for name, row in lines.items() if (value := row.values[period]) is not None
        }
        for told, whole, choices in sums(values, expected):
            checked += 1
            gaps = [abs(whole - sum(parts)) - unit * (len(parts) + 1) for parts in choices]
            if min(gaps) > 0:
                near = min(abs(whole - sum(parts)) for parts in choices)
                off.append(f"period {period + 1}: {told}: off by {near}")
    return Checks(checked, tuple(off))


_Values = Mapping[str, Decimal]
#: What a sum is, its total, and the ways in which brokers part it.
_Sum = tuple[str, Decimal, Sequence[Sequence[Decimal]]]


def _lines(rows: Sequence[Row], kind: str) -> dict[str, Row]:
    """Rows by the line of a statement that their label names; the first of a name counts."""
    names = wordings()[kind]
    found: dict[str, Row] = {}
    for row in rows:
        line = names.get(folded(row.label)) or names.get(folded(row.name))
        if line and any(value is not None for value in row.values):
            found.setdefault(line, row)
    return found


def _unit(rows: Sequence[Row]) -> Decimal:
    """The last printed digit of the amounts of a statement; figures per share print more."""
    exponents: dict[int, int] = {}
    for row in rows:
        for value in row.values:
            if value is not None:
                exponent = int(value.as_tuple().exponent)
                exponents[exponent] = exponents.get(exponent, 0) + 1
    return Decimal(1).scaleb(max(exponents, key=lambda e: exponents[e], default=0))


def _balance(values: _Values, _: bool) -> Iterator[_Sum]:
    get = values.get
    assets, owed = get("assets"), get("liabilities")
    if assets is not None and (both := get("liabilities_and_equity")) is not None:
        yield "assets = liabilities and equity", assets, [[both]]
    minority = get("minority_equity")
    equity, parent = get("equity"), get("parent_equity")
    if assets is not None and owed is not None:
        choices = [[owed, equity]] if equity is not None else []
        # 股东权益 is the parent's alone where the minority's stands beside it
        rest = parent if parent is not None else equity
        if rest is not None and minority is not None:
            choices.append([owed, minority, rest])
        if choices:
            yield "liabilities + equity = assets", assets, choices
    for whole, one, two in (
        (assets, get("current_assets"), get("fixed_assets")),
        (owed, get("current_liabilities"), get("later_liabilities")),
    ):
        if whole is not None and one is not None and two is not None:
            yield "current + later = total", whole, [[one, two]]


def _income(values: _Values, _: bool) -> Iterator[_Sum]:
    get = values.get
    before, tax, net = get("profit_before_tax"), get("tax"), get("net_profit")
    operating, minority, parent = (
        get("operating_profit"),
        get("minority_profit"),
        get("parent_profit"),
    )
    # some print what is taken off as negative: then its cost of sales is, too
    sign = 1 if get("cost", Decimal(0)) < 0 else -1
    if before is not None and operating is not None:
        other, came, went = get("other_net"), get("other_income"), get("other_expense")
        if other is not None:
            yield "operating + other = before tax", before, [[operating, other]]
        elif came is not None and went is not None:
            yield "operating + other = before tax", before, [[operating, came, sign * went]]
    if before is not None and tax is not None and net is not None:
        yield "before tax - tax = net", net, [[before, sign * tax]]
    if minority is not None and parent is not None:
        shares = [-minority] if sign < 0 else [-minority, minority]
        if net is not None:
            yield "net - minority = parent", parent, [[net, share] for share in shares]
        elif before is not None and tax is not None:
            choices = [[before, sign * tax, share] for share in shares]
            yield "before tax - tax - minority = parent", parent, choices


def _cash(values: _Values, forecast: bool) -> Iterator[_Sum]:
    parts = [values.get(f"{name}_cash") for name in ("operating", "investing", "financing")]
    increase, exchange = values.get("increase"), values.get("exchange")
    held = [part for part in parts if part is not None]
    if increase is None or len(held) < len(parts) or (exchange is None and not forecast):
        return
    yield "sum of activities = change of cash", increase, [[*held, exchange or Decimal(0)]]
