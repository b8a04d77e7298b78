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
        check = {BALANCE: _balance, INCOME: _income, CASH: _cash}[kind]
        found += [f"period {period + 1}: {line}" for line in check(sheet)]
    return found


class _Sheet:
    """One period of a statement: its lines by name, and the tolerance of its rounding."""

    def __init__(self, rows: Sequence[Row], period: int) -> None:
        self.rows = rows
        self.period = period
        values = [value for row in rows for value in row.values if value is not None]
        exponents = [value.as_tuple().exponent for value in values]
        self.unit = Decimal(1).scaleb(min((int(e) for e in exponents), default=0))
        self._index: dict[str, int] = {}
        for at, row in enumerate(rows):
            self._index.setdefault(row.name, at)

    def at(self, *names: str) -> int | None:
        return next((self._index[name] for name in names if name in self._index), None)

    def value(self, *names: str) -> Decimal | None:
        """The value of the first of some lines that is there; a blank one is zero."""
        at = self.at(*names)
        return None if at is None else self.of(self.rows[at])

    def of(self, row: Row) -> Decimal:
        return row.values[self.period] or Decimal(0)

    def missing(self, *lines: str | tuple[str, ...]) -> list[str]:
        """The key lines that are absent or blank."""
        result: list[str] = []
        for line in lines:
            at = self.at(*((line,) if isinstance(line, str) else line))
            if at is None or self.rows[at].values[self.period] is None:
                result.append(f"no {line if isinstance(line, str) else line[0]}")
        return result

    def same(self, told: str, whole: Decimal | None, *parts: Decimal | None) -> list[str]:
        """Whether parts add up; nothing is said where a line is absent."""
        if whole is None or any(part is None for part in parts):
            return []
        total = sum((part for part in parts if part is not None), Decimal(0))
        off = whole - total
        return [f"{told}: off by {off}"] if abs(off) > self.unit * (len(parts) + 1) else []

    def sum_between(self, start: int | None, stop: int | None, told: str) -> list[str]:
        """Whether the rows between two lines add up to the second."""
        if start is None or stop is None or stop <= start + 1:
            return []
        rows = [row for row in self.rows[start + 1 : stop] if not row.is_part]
        return self.same(told, self.of(self.rows[stop]), *(self.of(row) for row in rows))


def _balance(sheet: _Sheet) -> list[str]:
    value = sheet.value
    current, fixed = value("流动资产合计"), value("非流动资产合计")
    owed, later = value("流动负债合计"), value("非流动负债合计")
    parent = value("归属于母公司所有者权益合计", "归属于母公司股东权益合计")
    parent = parent or value("归属于母公司所有者权益", "归属于上市公司股东的所有者权益合计")
    minority = value("少数股东权益")
    return [
        *sheet.missing(_ASSETS, _LIABILITIES, _EQUITY, _BOTH),
        *sheet.same("assets = liabilities + equity", value(_ASSETS), value(*_BOTH)),
        *sheet.same(
            "liabilities + equity = total", value(*_BOTH), value(_LIABILITIES), value(*_EQUITY)
        ),
        *sheet.same("current + fixed assets = assets", value(_ASSETS), current, fixed),
        *sheet.same("current + later = liabilities", value(_LIABILITIES), owed, later),
        *sheet.same("parent + minority = equity", value(*_EQUITY), parent, minority),
        *sheet.sum_between(sheet.at("流动资产"), sheet.at("流动资产合计"), "current assets"),
        *sheet.sum_between(sheet.at("非流动资产"), sheet.at("非流动资产合计"), "fixed assets"),
        *sheet.sum_between(sheet.at("流动负债"), sheet.at("流动负债合计"), "current liabilities"),
        *sheet.sum_between(sheet.at("非流动负债"), sheet.at("非流动负债合计"), "later liabilities"),
    ]


def _income(sheet: _Sheet) -> list[str]:
    value = sheet.value
    sales, costs = value("营业总收入"), value("营业总成本")
    found = sheet.missing(_SALES, _OPERATING, _BEFORE_TAX, _NET)
    start, stop = sheet.at("营业总成本"), sheet.at(_OPERATING)
    if start is not None and stop is not None and sales is not None and costs is not None:
        gains = next(
            (
                at
                for at in range(start, stop)
                if sheet.rows[at].name in ("其他收益", "投资收益", "公允价值变动收益")
            ),
            stop,
        )
        rows = [row for row in sheet.rows[gains:stop] if not row.is_part]
        added = [sheet.of(row) for row in rows]
        found += sheet.same(
            "sales - costs + gains = operating", value(_OPERATING), sales, -costs, *added
        )
        spent = [sheet.of(row) for row in sheet.rows[start + 1 : gains] if row.name not in _PARTS]
        found += sheet.same("costs", costs, *spent)
    out, tax = value("营业外支出"), value("所得税费用")
    found += sheet.same(
        "operating + other = before tax",
        value(_BEFORE_TAX),
        value(_OPERATING),
        value("营业外收入"),
        None if out is None else -out,
    )
    found += sheet.same(
        "before tax - tax = net", value(_NET), value(_BEFORE_TAX), None if tax is None else -tax
    )
    parent = value(
        "归属于母公司股东的净利润", "归属于母公司所有者的净利润", "归属于上市公司股东的净利润"
    )
    found += sheet.same("parent + minority = net", value(_NET), parent, value("少数股东损益"))
    other = value("其他综合收益的税后净额")
    return found + sheet.same("comprehensive income", value("综合收益总额"), value(_NET), other)


def _cash(sheet: _Sheet) -> list[str]:
    value = sheet.value
    nets = {name: f"{name}活动产生的现金流量净额" for name in _ACTIVITIES}
    found = sheet.missing(*nets.values(), _INCREASE, _CLOSING)
    for name, net in nets.items():
        came, went = f"{name}活动现金流入小计", f"{name}活动现金流出小计"
        out = value(went)
        found += sheet.same(f"{name} net", value(net), value(came), None if out is None else -out)
        head = sheet.at(f"{name}活动产生的现金流量")
        found += sheet.sum_between(head, sheet.at(came), f"{name} in")
        found += sheet.sum_between(sheet.at(came), sheet.at(went), f"{name} out")
    exchange = value("汇率变动对现金及现金等价物的影响", "汇率变动对现金的影响")
    sums = [value(net) for net in nets.values()]
    found += sheet.same("sum of nets = increase", value(_INCREASE), *sums, exchange or Decimal(0))
    return found + sheet.same(
        "opening + increase = closing", value(_CLOSING), value(_START), value(_INCREASE)
    )
