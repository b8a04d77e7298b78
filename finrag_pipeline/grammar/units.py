"""What quantities are counted in, and by which power of ten: 亿元, HK$ mn, 个百分点, 万吨.

Tables of spellings; how a quantity is put together is `quantities`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

#: Patterns of currencies by ISO 4217 code.
CURRENCIES = {
    "CNY": r"元人民币|人民币元?|元|RMB|CNY|[¥￥]",
    "HKD": r"港[元币]|HKD|HK\$",
    "USD": r"美元|USD|US\$|(?<![A-Z])\$",
    "EUR": r"欧元|EUR|€",
    "GBP": r"英镑|GBP|£",
    "JPY": r"日元|JPY",
    "TWD": r"新台币|TWD|NT\$",
}
#: Shares of a hundred and of a thousand, and what two of them differ by.
SHARES = {
    "pp": r"个?百分点|percentage points?|个?(?:pcts?|ppts?|pps?)",
    "bp": r"个?基点|basis points?|bps?",
    "%": r"%|per ?cent",
    "‰": r"‰",
}
#: What is counted; spellings of one unit under one name.
COUNTS = {
    "GWh": r"GWh|吉瓦时",
    "MWh": r"MWh|兆瓦时",
    "kWh": r"kWh|千瓦时",
    "GW": r"GW|吉瓦",
    "MW": r"MW|兆瓦",
    "kW": r"kW|千瓦",
    "x": r"倍|x",
    "千克": r"千克|公斤",
    **{word: word for word in ("平方米", "立方米", "公里", *"吨片台辆套人户家桶例")},
    "股": r"股(?![指票权东价息本市])",  # 5.5 股指期货 counts no shares
}
#: Patterns of words of scale by their power of ten.
SCALES = {
    12: r"万亿|trillion|tn",
    11: r"千亿",
    10: r"百亿",
    9: r"十亿|billion|bn",
    8: r"亿",
    7: r"千万",
    6: r"百万|million|mn",
    5: r"十万",
    4: r"[万萬]",
    3: r"千(?![瓦克])|thousand",
}
#: A unit for each of another: 元/吨.
PER = r"\s?/\s?(?:[千兆]?瓦时|平方米|[吨股片桶克瓦度])"


def _any(patterns: Mapping[str, str] | Mapping[int, str]) -> str:
    """One pattern; a word of letters ends where its letters do."""
    return rf"(?:(?:{'|'.join(patterns.values())})(?:(?<![A-Za-z])|(?![A-Za-z])))"


CURRENCY = _any(CURRENCIES)
#: Those that stand before a number: 元 behind one would reach the next.
CURRENCY_BEFORE = (
    r"(?:人民币|港[元币]|美元|RMB|CNY|HKD|HK\$|USD|US\$|EUR|GBP|JPY|TWD|NT\$|(?<![A-Z])\$|[¥￥€£])"
)
SCALE = _any(SCALES)
UNIT = rf"(?:{_any(SHARES)}|{CURRENCY}(?:{PER})?|{_any(COUNTS)})"


@cache
def power_of(written: str) -> int:
    """The power of ten that a word of scale stands for, 0 for none.

    >>> power_of("万亿"), power_of("mn"), power_of("")
    (12, 6, 0)
    """
    matches = (n for n, words in SCALES.items() if re.fullmatch(words, written, re.IGNORECASE))
    return next(matches, 0)


@cache
def unit_of(written: str) -> str:
    """The name of a unit, a currency's code included; empty for none.

    >>> [unit_of(written) for written in ("港币", "HK$", "％", "pct", "吉瓦时", "")]
    ['HKD', 'HKD', '%', 'pp', 'GWh', '']
    >>> unit_of("元/吨"), unit_of("元 / 兆瓦时")
    ('CNY/吨', 'CNY/MWh')
    """
    unit, slash, per = (each.strip() for each in written.replace("％", "%").partition("/"))
    per = next((name for name, word in COUNTS.items() if re.fullmatch(word, per)), per)
    for table in (SHARES, CURRENCIES, COUNTS):
        for name, pattern in table.items():
            if re.fullmatch(pattern, unit, re.IGNORECASE):
                return f"{name}{slash}{per}"
    return ""
