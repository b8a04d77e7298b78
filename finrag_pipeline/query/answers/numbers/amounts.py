"""How a value is told: in the unit asked for or a fitting one, rounded only here.

What a value is of, and what is said beside it, belongs to `lines`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from finrag_pipeline.query.answers.values import COUNTED_EN, MONEY_ZH, unit_told
from finrag_pipeline.records.facts import FinancialFact

#: What units of money multiply with, as questions ask for them.
SCALES = {
    "元": Decimal(1),
    "千元": Decimal(10**3),
    "万元": Decimal(10**4),
    "百万元": Decimal(10**6),
    "千万元": Decimal(10**7),
    "亿元": Decimal(10**8),
    "万亿元": Decimal(10**12),
    "thousand": Decimal(10**3),
    "million": Decimal(10**6),
    "billion": Decimal(10**9),
    "trillion": Decimal(10**12),
}
#: The scale that money is told in where none is asked for: the greatest that it reaches.
_FITTING = {
    True: (("亿元", Decimal(10**8)), ("万元", Decimal(10**4))),
    False: (
        ("trillion", Decimal(10**12)),
        ("billion", Decimal(10**9)),
        ("million", Decimal(10**6)),
    ),
}
#: Digits after the point of what is scaled or worked out.
_DECIMALS = 2
#: Digits after the point that a price or a sum per share is told with at most.
_MOST_DECIMALS = 4
_TOLD_NUMBER = re.compile(r"\d[\d,]*\.(?P<rest>\d+)")


@dataclass(frozen=True, slots=True)
class Told:
    """A value in words; `exact` is empty where the words leave no digit out."""

    text: str
    exact: str = ""

    @property
    def both(self) -> str:
        """The words with the exact figure behind them."""
        return f"{self.text}（{self.exact}）" if self.exact else self.text


def told(
    value: Decimal, unit: str, chinese: bool, asked: str = "", decimals: int | None = None
) -> Told:
    """A value as answers say it.

    Args:
        unit: as facts have it: `CNY`, `USD/股`, `%`, `x`, `人`; empty for a plain number.
        asked: the scale that is asked for, a key of `SCALES`; empty: one that fits.
        decimals: digits after the point; None: what fits.

    >>> told(Decimal("12196123456.78"), "CNY", True).both
    '121.96亿元（12,196,123,456.78元）'
    >>> told(Decimal("12196123456.78"), "USD", False, "million", 0).text
    'USD 12,196 million'
    >>> told(Decimal("5.20"), "CNY/股", True).text, told(Decimal("-9.0427"), "%", True).text
    ('5.20元/股', '-9.04%')
    """
    money = FinancialFact.currency_of(unit)
    if money and "/" not in unit:
        return _money(value, money, chinese, asked, decimals)
    if money:
        return Told(_per_share(value, money, chinese, decimals))
    if unit == "%":
        return Told(f"{grouped(value, _DECIMALS if decimals is None else decimals)}%")
    if unit == "pp":
        number = grouped(value, _DECIMALS if decimals is None else decimals)
        return Told(f"{number}个百分点" if chinese else f"{number} percentage points")
    if unit == "x":
        number = grouped(value, _DECIMALS if decimals is None else decimals)
        return Told(f"{number}倍" if chinese else f"{number}x")
    number = grouped(value, _own_decimals(value, decimals))
    counted = unit if chinese else COUNTED_EN.get(unit, unit)
    return Told(f"{number}{counted}" if chinese else f"{number} {counted}".strip())


def no_finer(whole: Told, printed: str) -> Told:
    """A value in words with no more digits than are printed: 31.9亿元 is not 31.90亿元.

    >>> no_finer(Told("31.90亿元"), "31.9").text, no_finer(Told("31.90亿元"), "3,190").text
    ('31.9亿元', '31.90亿元')
    """
    match = _TOLD_NUMBER.search(whole.text)
    if whole.exact or match is None:
        return whole
    surplus = len(_digits(match[0])) - max(len(_digits(printed)), 1)
    zeros = len(match["rest"]) - len(match["rest"].rstrip("0"))
    if (gone := min(surplus, zeros)) <= 0:
        return whole
    kept = match[0][: len(match[0]) - gone].rstrip(".")
    return Told(whole.text[: match.start()] + kept + whole.text[match.end() :])


def _digits(number: str) -> str:
    return re.sub(r"\D", "", number).lstrip("0")


def rounded(value: Decimal, decimals: int) -> Decimal:
    """Half up, as people round.

    >>> rounded(Decimal("0.125"), 2), rounded(Decimal("-0.125"), 2)
    (Decimal('0.13'), Decimal('-0.13'))
    """
    return value.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)


def grouped(value: Decimal, decimals: int) -> str:
    """A number with marks between thousands; never a negative zero."""
    number = rounded(value, decimals)
    return f"{abs(number) if number == 0 else number:,}"


def _money(value: Decimal, money: str, chinese: bool, asked: str, decimals: int | None) -> Told:
    fitting = ((asked, SCALES[asked]),) if asked in SCALES else _FITTING[chinese]
    name, scale = next(
        ((name, scale) for name, scale in fitting if asked or abs(value) >= scale),
        ("元" if chinese else "", Decimal(1)),
    )
    places = decimals
    if places is None:
        places = _own_decimals(value, None) if scale == 1 else _DECIMALS
    number = grouped(value / scale, places)
    exact = ""
    if rounded(value / scale, places) * scale != value:
        exact = _plain_money(value, money, chinese)
    if chinese:
        return Told(f"{number}{_scaled_zh(name, money)}", exact)
    return Told(f"{money} {number} {_SCALES_EN.get(name, name)}".strip(), exact)


_SCALES_EN = {"元": "", "千元": "thousand", "万元": "ten thousand", "百万元": "million"} | {
    "千万元": "ten million",
    "亿元": "hundred million",
    "万亿元": "trillion",
}
_SCALES_ZH = {"thousand": "千", "million": "百万", "billion": "十亿", "trillion": "万亿"}


def _scaled_zh(name: str, money: str) -> str:
    scale = _SCALES_ZH.get(name, name.removesuffix("元"))
    return f"{scale}{MONEY_ZH.get(money, money)}"


def _plain_money(value: Decimal, money: str, chinese: bool) -> str:
    # the cent is the least that money is counted in
    number = grouped(value, min(_own_decimals(value, None), _DECIMALS))
    return f"{number}{MONEY_ZH.get(money, money)}" if chinese else f"{money} {number}"


def _per_share(value: Decimal, money: str, chinese: bool, decimals: int | None) -> str:
    number = grouped(value, _own_decimals(value, decimals))
    return f"{number}{unit_told(f'{money}/股', True)}" if chinese else f"{money} {number} per share"


def _own_decimals(value: Decimal, decimals: int | None) -> int:
    """As many digits after the point as are asked for, else as the value has."""
    if decimals is not None:
        return decimals
    exponent = value.as_tuple().exponent
    own = -exponent if isinstance(exponent, int) and exponent < 0 else 0
    return min(own, _MOST_DECIMALS)
