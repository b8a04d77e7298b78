"""The accounting identities that a Chinese financial statement obeys, checked on its rows.

No table is read here: rows are labels with one value a period.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

#: Rows that only break down the row above them, after 其中.
_PARTS = {
    "应收利息", "应收股利", "应付利息", "应付股利", "优先股", "永续债", "数据资源",
    "利息费用", "利息收入",
    "对联营企业和合营企业的投资收益", "以摊余成本计量的金融资产终止确认收益",
    "子公司吸收少数股东投资收到的现金", "子公司支付给少数股东的股利、利润",
}  # fmt: skip
_OPENING = re.compile(
    r"^(?:其中|加|减|减去|加上)[:：]?|^[（(]?[一二三四五六七八九十\d]+[)）、.．]+|^\s+"
)
_REMARK = re.compile(r"[（(].*?[)）]|[“”\"]")

BALANCE, INCOME, CASH = "balance sheet", "income statement", "cash flow statement"

_ASSETS, _LIABILITIES = "资产总计", "负债合计"
_EQUITY = ("所有者权益合计", "股东权益合计", "所有者权益总计")
_BOTH = ("负债和所有者权益总计", "负债及所有者权益总计", "负债和股东权益总计", "负债及股东权益总计")
_SALES = ("营业总收入", "营业收入")
_OPERATING, _BEFORE_TAX, _NET = "营业利润", "利润总额", "净利润"
_OF_PARENT = (
    "归属于母公司所有者权益合计", "归属于母公司股东权益合计", "归属于母公司所有者权益",
    "归属于上市公司股东的所有者权益合计",
)  # fmt: skip
_OWN_NET = ("归属于母公司股东的净利润", "归属于母公司所有者的净利润", "归属于上市公司股东的净利润")
_GAINS = ("其他收益", "投资收益", "公允价值变动收益")
_ACTIVITIES = ("经营", "投资", "筹资")
_INCREASE = "现金及现金等价物净增加额"
_CLOSING, _START = "期末现金及现金等价物余额", "期初现金及现金等价物余额"


@dataclass(frozen=True)
class Row:
    """A row of a statement: its label as printed and its value in each period, None if blank."""

    label: str
    values: tuple[Decimal | None, ...]

    @property
    def name(self) -> str:
        """The label without numbering, remarks and signs."""
        return plain_label(self.label)

    @property
    def is_part(self) -> bool:
        return "其中" in self.label[:4] or self.name in _PARTS


def plain_label(label: str) -> str:
    """A label without numbering, remarks in brackets and signs.

    >>> plain_label("三、营业利润（亏损以“－”号填列）"), plain_label("减：营业外支出")
    ('营业利润', '营业外支出')
    """
    text = "".join(label.split())
    while (shorter := _OPENING.sub("", text)) != text:
        text = shorter
    return _REMARK.sub("", text).strip("：:，,")


def parse_value(text: str) -> Decimal | None:
    """A printed figure: thousands separators dropped, brackets negative; None if it is none.

    >>> parse_value("(1,234.50)"), parse_value("－12"), parse_value("七、1")
    (Decimal('-1234.50'), Decimal('-12'), None)
    """
    shown = "".join(text.split()).replace(",", "").replace("，", "")
    negative = shown.startswith(("(", "（", "-", "－", "—", "–", "−"))
    digits = shown.strip("()（）-－—–−")
    if not re.fullmatch(r"\d+(\.\d+)?", digits):
        return None
    try:
        value = Decimal(digits)
    except InvalidOperation:
        return None
    return -value if negative else value


def kind_of(rows: Sequence[Row]) -> str | None:
    """Which statement some rows are, by the lines that only it has."""
    names = {row.name for row in rows}
    if _ASSETS in names and (_LIABILITIES in names or names & set(_BOTH)):
        return BALANCE
    if {_OPERATING, _BEFORE_TAX, "所得税费用"} <= names and names & set(_SALES):
        return INCOME
    if _INCREASE in names and any("现金流入小计" in name for name in names):
        return CASH
    return None


def failures(kind: str, rows: Sequence[Row]) -> list[str]:
    """Lines that are missing and identities that do not hold, one line each, for each period."""
    periods = max((len(row.values) for row in rows), default=0)
    if periods < 2:
        return ["two period columns not found"]
    found: list[str] = []
    for period in range(2):
        sheet = _Sheet(rows, period)
        wrong = [each.told for each in _identities(kind, sheet) if each.off]
        found += [f"period {period + 1}: {line}" for line in (*_missing(kind, sheet), *wrong)]
    return found


def verdicts(kind: str, rows: Sequence[Row], period: int) -> dict[int, bool]:
    """Whether the sums that a row stands in hold, by the row's place; others stand in none.

    A row that one sum confirms is right where another fails: one of the other's is wrong.
    """
    found: dict[int, bool] = {}
    for each in _identities(kind, _Sheet(rows, period)):
        for at in each.rows:
            found[at] = found.get(at, False) or not each.off
    return found


@dataclass(frozen=True)
class _Term:
    """What enters a sum: its value, None where the line is absent, and the rows that it is of."""

    value: Decimal | None
    rows: tuple[int, ...] = ()

    def __neg__(self) -> _Term:
        return _Term(None if self.value is None else -self.value, self.rows)


@dataclass(frozen=True)
class _Identity:
    """A sum that was tried: what it is of, by how much it is off, and its rows."""

    name: str
    off: Decimal
    rows: tuple[int, ...]

    @property
    def told(self) -> str:
        return f"{self.name}: off by {self.off}"


class _Sheet:
    """One period of a statement: its lines by name, and the tolerance of its rounding."""

    def __init__(self, rows: Sequence[Row], period: int) -> None:
        self.rows = rows
        self.period = period
        values = [row.values[period] for row in rows if len(row.values) > period]
        exponents = [value.as_tuple().exponent for value in values if value is not None]
        self.unit = Decimal(1).scaleb(min((int(e) for e in exponents), default=0))
        self._index: dict[str, int] = {}
        for at, row in enumerate(rows):
            self._index.setdefault(row.name, at)

    def at(self, *names: str) -> int | None:
        return next((self._index[name] for name in names if name in self._index), None)

    def value(self, *names: str) -> _Term:
        """The first of some lines that is there; a blank one is zero."""
        at = self.at(*names)
        return _Term(None) if at is None else self.of(at)

    def of(self, at: int) -> _Term:
        return _Term(self._value(at) or Decimal(0), (at,))

    def _value(self, at: int) -> Decimal | None:
        values = self.rows[at].values
        return values[self.period] if len(values) > self.period else None

    def missing(self, *lines: str | tuple[str, ...]) -> list[str]:
        """The key lines that are absent or blank."""
        result: list[str] = []
        for line in lines:
            at = self.at(*((line,) if isinstance(line, str) else line))
            if at is None or self._value(at) is None:
                result.append(f"no {line if isinstance(line, str) else line[0]}")
        return result

    def same(self, name: str, whole: _Term, *parts: _Term) -> list[_Identity]:
        """Whether parts add up; nothing is said where a line is absent, or none is printed."""
        values = [part.value for part in parts if part.value is not None]
        if whole.value is None or len(values) < len(parts) or not (any(values) or whole.value):
            return []
        off = whole.value - sum(values, Decimal(0))
        rows = tuple(at for term in (whole, *parts) for at in term.rows)
        allowed = self.unit * (len(parts) + 1)
        return [_Identity(name, off if abs(off) > allowed else Decimal(0), rows)]

    def sum_between(self, start: int | None, stop: int | None, name: str) -> list[_Identity]:
        """Whether the rows between two lines add up to the second."""
        if start is None or stop is None or stop <= start + 1:
            return []
        parts = [self.of(at) for at in range(start + 1, stop) if not self.rows[at].is_part]
        return self.same(name, self.of(stop), *parts)


def _missing(kind: str, sheet: _Sheet) -> list[str]:
    nets = [f"{name}活动产生的现金流量净额" for name in _ACTIVITIES]
    lines: dict[str, tuple[str | tuple[str, ...], ...]] = {
        BALANCE: (_ASSETS, _LIABILITIES, _EQUITY, _BOTH),
        INCOME: (_SALES, _OPERATING, _BEFORE_TAX, _NET),
        CASH: (*nets, _INCREASE, _CLOSING),
    }
    return sheet.missing(*lines[kind])


def _identities(kind: str, sheet: _Sheet) -> list[_Identity]:
    return {BALANCE: _balance, INCOME: _income, CASH: _cash}[kind](sheet)


def _balance(sheet: _Sheet) -> list[_Identity]:
    value = sheet.value
    assets, owed, equity, both = (
        value(_ASSETS),
        value(_LIABILITIES),
        value(*_EQUITY),
        value(*_BOTH),
    )
    fixed, later = value("非流动资产合计"), value("非流动负债合计")
    return [
        *sheet.same("assets = liabilities + equity", assets, both),
        *sheet.same("liabilities + equity = total", both, owed, equity),
        *sheet.same("current + fixed assets = assets", assets, value("流动资产合计"), fixed),
        *sheet.same("current + later = liabilities", owed, value("流动负债合计"), later),
        *sheet.same(
            "parent + minority = equity", equity, value(*_OF_PARENT), value("少数股东权益")
        ),
        *sheet.sum_between(sheet.at("流动资产"), sheet.at("流动资产合计"), "current assets"),
        *sheet.sum_between(sheet.at("非流动资产"), sheet.at("非流动资产合计"), "fixed assets"),
        *sheet.sum_between(sheet.at("流动负债"), sheet.at("流动负债合计"), "current liabilities"),
        *sheet.sum_between(sheet.at("非流动负债"), sheet.at("非流动负债合计"), "later liabilities"),
    ]


def _income(sheet: _Sheet) -> list[_Identity]:
    value = sheet.value
    sales, costs = value("营业总收入"), value("营业总成本")
    operating, before_tax, net = value(_OPERATING), value(_BEFORE_TAX), value(_NET)
    found: list[_Identity] = []
    start, stop = sheet.at("营业总成本"), sheet.at(_OPERATING)
    if start is not None and stop is not None:
        gains = next((at for at in range(start, stop) if sheet.rows[at].name in _GAINS), stop)
        added = [sheet.of(at) for at in range(gains, stop) if not sheet.rows[at].is_part]
        found += sheet.same("sales - costs + gains = operating", operating, sales, -costs, *added)
        spent = [
            sheet.of(at) for at in range(start + 1, gains) if sheet.rows[at].name not in _PARTS
        ]
        found += sheet.same("costs", costs, *spent)
    return [
        *found,
        *sheet.same(
            "operating + other = before tax",
            before_tax,
            operating,
            value("营业外收入"),
            -value("营业外支出"),
        ),
        *sheet.same("before tax - tax = net", net, before_tax, -value("所得税费用")),
        *sheet.same("parent + minority = net", net, value(*_OWN_NET), value("少数股东损益")),
        *sheet.same(
            "comprehensive income", value("综合收益总额"), net, value("其他综合收益的税后净额")
        ),
    ]


def _cash(sheet: _Sheet) -> list[_Identity]:
    value = sheet.value
    nets = {name: f"{name}活动产生的现金流量净额" for name in _ACTIVITIES}
    found: list[_Identity] = []
    for name, net in nets.items():
        came, went = f"{name}活动现金流入小计", f"{name}活动现金流出小计"
        found += sheet.same(f"{name} net", value(net), value(came), -value(went))
        head = sheet.at(f"{name}活动产生的现金流量")
        found += sheet.sum_between(head, sheet.at(came), f"{name} in")
        found += sheet.sum_between(sheet.at(came), sheet.at(went), f"{name} out")
    exchange = value("汇率变动对现金及现金等价物的影响", "汇率变动对现金的影响")
    added = () if exchange.value is None else (exchange,)
    sums = [value(net) for net in nets.values()]
    found += sheet.same("sum of nets = increase", value(_INCREASE), *sums, *added)
    return found + sheet.same(
        "opening + increase = closing", value(_CLOSING), value(_START), value(_INCREASE)
    )
