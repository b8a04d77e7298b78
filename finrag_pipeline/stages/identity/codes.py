"""Securities codes however they are written, and the class of share that each stands for.

Which company bears a code, the registry knows.
"""

from __future__ import annotations

import re
from typing import Literal

from finrag_pipeline.grammar.securities import with_market

ShareClass = Literal["A", "H", "B", "BJ", "other"]
#: The listing that stands first for a company: what mainland analysts quote.
_ORDER: tuple[ShareClass, ...] = ("A", "BJ", "H", "other", "B")

_MARKETS = {
    "SH": "SH", "SS": "SH", "SSE": "SH", "XSHG": "SH",
    "SZ": "SZ", "SZE": "SZ", "SZSE": "SZ", "XSHE": "SZ",
    "BJ": "BJ", "BSE": "BJ", "CH": "", "CN": "", "CNY": "",
    "HK": "HK", "HKEX": "HK", "SEHK": "HK", "XHKG": "HK",
}  # fmt: skip
_MARKET = "|".join(sorted(_MARKETS, key=len, reverse=True))
_AFTER = re.compile(rf"(?P<digits>\d{{1,6}})\s?[.．:]?\s?(?P<market>{_MARKET})")
_BEFORE = re.compile(rf"(?P<market>{_MARKET})\s?[.．:]?\s?(?P<digits>\d{{1,6}})")
_TICKER = re.compile(
    r"(?:(?:NASDAQ|NYSE|AMEX|US)\s?[:.]\s?)?"
    r"(?P<ticker>[A-Z]{1,5}(?:[.\-][ABC])?)(?:[.\s](?:US|UN|UW|UQ|OQ|O|N))?"
)
_YEAR = re.compile(r"(?:19|20)\d\d")


def listing_code(text: str) -> str | None:
    """A listing of any market that a text as a whole writes, in the one form used here.

    Six digits get the market that they belong to, up to five are Hong Kong's, letters are a
    ticker of the United States, which stays without a market.

    >>> [listing_code(text) for text in ("sh600519", "201872", "920002", "0700.HK", "700 hk")]
    ['600519.SH', '201872.SZ', '920002.BJ', '00700.HK', '00700.HK']
    >>> [listing_code(text) for text in ("00981", "600519 CH", "NASDAQ: AAPL", "BRK.B", "2024年")]
    ['00981.HK', '600519.SH', 'AAPL', 'BRK.B', None]
    """
    folded = text.strip().strip("'=\"").upper()
    if folded.isascii() and folded.isdigit():
        return _mainland(folded) if len(folded) == 6 else _hong_kong(folded)
    match = _AFTER.fullmatch(folded) or _BEFORE.fullmatch(folded)
    if match is not None:
        digits, market = match["digits"], _MARKETS[match["market"]]
        if market == "HK":
            return _hong_kong(digits)
        whole = digits.zfill(6)
        return f"{whole}.{market}" if market else _mainland(whole)
    match = _TICKER.fullmatch(folded)
    return match["ticker"].replace("-", ".") if match else None


def written_code(text: str) -> str | None:
    """`listing_code` of a text that is surely a code, not a year, a number or a word.

    >>> [written_code(text) for text in ("600519", "0700", "2024", "12", "AAPL", "AAPL.US")]
    ['600519.SH', '00700.HK', None, None, None, 'AAPL']
    """
    bare = text.strip()
    if bare.isdigit() and (len(bare) < 4 or _YEAR.fullmatch(bare)):
        return None
    return None if bare.isalpha() else listing_code(bare)


def share_class(code: str) -> ShareClass:
    """The class of share that a code with its market stands for.

    >>> [share_class(code) for code in ("600519.SH", "900901.SH", "00700.HK", "AAPL")]
    ['A', 'B', 'H', 'other']
    """
    number, _, market = code.partition(".")
    if market in ("SH", "SZ"):
        return "B" if number.startswith(("900", "20")) else "A"
    return "H" if market == "HK" else "BJ" if market == "BJ" else "other"


def in_order(codes: set[str]) -> tuple[str, ...]:
    """Listings of one company, the one that stands for it first: A, Beijing, H, other, B shares.

    Of two of one class the higher is first: a company that moved got its higher code later.
    """
    ranked = sorted(codes, reverse=True)
    return tuple(sorted(ranked, key=lambda code: _ORDER.index(share_class(code))))


def _mainland(digits: str) -> str | None:
    known = with_market(digits)
    if known is not None:
        return known
    market = {"6": "SH", "9": "SH", "0": "SZ", "2": "SZ", "3": "SZ"}.get(digits[0])
    return f"{digits}.{market}" if market else None


def _hong_kong(digits: str) -> str | None:
    return f"{digits.zfill(5)}.HK" if len(digits) <= 5 and int(digits) else None
