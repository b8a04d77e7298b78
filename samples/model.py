"""Content types of the sample reports and the arithmetic that keeps their figures consistent."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

LEFT = "<"
ABOVE = "^"


@dataclass(frozen=True)
class Theme:
    """What a broker's template fixes: names, colours, fonts and page furniture."""

    broker: str
    accent: tuple[float, float, float]
    second: tuple[float, float, float]
    disclaimer: str
    language: str = "zh"
    body_size: float = 9.2
    leading: float = 1.55
    total_in_footer: bool = True
    side_title: str = ""


@dataclass(frozen=True)
class Meta:
    """The catalogue entry of one report, as a reader of its cover would note it."""

    file: str
    title: str
    kind: str
    language: str
    company_code: str
    company_codes: tuple[str, ...]
    company_name: str
    broker: str
    analysts: tuple[str, ...]
    rating: str
    target_price: float | None
    published_on: str


@dataclass(frozen=True)
class Report:
    """One report: its catalogue entry, template, drawing function and expected phrases."""

    meta: Meta
    theme: Theme
    build: Callable[[Any], None]
    phrases: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """A table; a cell of LEFT or ABOVE is merged into its left or upper neighbour."""

    title: str
    rows: Sequence[Sequence[str]]
    unit: str = ""
    source: str = ""
    header_rows: int = 1
    widths: Sequence[float] = ()
    style: str = "grid"
    bold_rows: Sequence[int] = ()
    align_left: Sequence[int] = (0,)

    def grid(self) -> list[list[str]]:
        """Return the cells with every merged cell repeated over the area it covers."""
        out: list[list[str]] = []
        for i, row in enumerate(self.rows):
            cells: list[str] = []
            for j, cell in enumerate(row):
                if cell == LEFT:
                    cells.append(cells[j - 1])
                elif cell == ABOVE:
                    cells.append(out[i - 1][j])
                else:
                    cells.append(cell)
            out.append(cells)
        return out


@dataclass
class Outline:
    """Headings and captions with their pages, gathered while a report is laid out."""

    headings: list[tuple[int, str, int]] = field(default_factory=list)
    captions: list[tuple[str, int]] = field(default_factory=list)
    total: int = 0


def num(value: float, digits: int = 0) -> str:
    """Format a number with thousands separators and a fixed number of decimals."""
    text = f"{value:,.{digits}f}"
    return text.replace("-", "", 1) if float(text.replace(",", "")) == 0 else text


def pct(value: float, digits: int = 1) -> str:
    """Format a ratio as a percentage."""
    return f"{num(value * 100, digits)}%"


def growth(values: Sequence[float]) -> list[float]:
    """Return the period-on-period growth of each value after the first."""
    return [b / a - 1 for a, b in itertools.pairwise(values)]


@dataclass(frozen=True)
class Forecast:
    """A five-year model in millions; ratios and growth follow from the levels."""

    years: tuple[str, ...]
    prior_revenue: float
    prior_profit: float
    revenue: tuple[float, ...]
    cost: tuple[float, ...]
    profit: tuple[float, ...]
    equity: tuple[float, ...]
    shares: float
    price: float

    @property
    def revenue_growth(self) -> list[float]:
        """Growth of revenue, the first against the prior year."""
        return growth((self.prior_revenue, *self.revenue))

    @property
    def profit_growth(self) -> list[float]:
        """Growth of net profit, the first against the prior year."""
        return growth((self.prior_profit, *self.profit))

    @property
    def margin(self) -> list[float]:
        """Gross margin of each year."""
        return [1 - c / r for r, c in zip(self.revenue, self.cost, strict=True)]

    @property
    def eps(self) -> list[float]:
        """Earnings per share of each year."""
        return [p / self.shares for p in self.profit]

    @property
    def pe(self) -> list[float]:
        """Price over earnings per share, as rounded for print."""
        return [self.price / e for e in self.eps]

    @property
    def roe(self) -> list[float]:
        """Net profit over year-end equity."""
        return [p / e for p, e in zip(self.profit, self.equity, strict=True)]

    @property
    def market_value(self) -> float:
        """Share price times shares, in millions."""
        return self.price * self.shares

    def rows(self, labels: Sequence[str]) -> list[list[str]]:
        """Return the forecast table: years, revenue, profit, EPS, margin, ROE and PE rows."""
        series = [
            [num(v) for v in self.revenue],
            [pct(v) for v in self.revenue_growth],
            [num(v) for v in self.profit],
            [pct(v) for v in self.profit_growth],
            [num(v, 2) for v in self.eps],
            [pct(v) for v in self.margin],
            [pct(v) for v in self.roe],
            [num(v, 1) for v in self.pe],
        ]
        body = [[label, *row] for label, row in zip(labels[1:], series, strict=True)]
        return [[labels[0], *self.years], *body]


ZH_LABELS = (
    "会计年度",
    "营业收入（百万元）",
    "同比增速",
    "归母净利润（百万元）",
    "同比增速",
    "每股收益（元）",
    "毛利率",
    "净资产收益率",
    "市盈率（倍）",
)
EN_LABELS = (
    "Year to December",
    "Revenue (CNY m)",
    "Growth",
    "Net profit (CNY m)",
    "Growth",
    "EPS (CNY)",
    "Gross margin",
    "Return on equity",
    "P/E (x)",
)
