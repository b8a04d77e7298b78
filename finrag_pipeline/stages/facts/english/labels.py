"""Which metric a row of an English statement is, by its label and the headings over it.

`Basic` is earnings per share under one heading and shares under another; names of the filer in
`attributable to …` say no more than the company.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.grammar.fact_metrics import FactMetric, fact_metrics, metric_of_label
from finrag_pipeline.grammar.numerals import narrow

#: What follows a label without being of it: leaders, a currency's sign, marks of notes.
_TAIL = re.compile(r"(?:[.…_\s]{2,}|[\s$€£¥]+|\*+|†|‡|(?<=[a-z)])\d{1,2}(?:,\d{1,2})*)+$")
_MARKS = re.compile(
    r"\s*[(\[](?:[a-z]{1,2}|[ivx]{1,4}|\d{1,2}(?:,\s?\d{1,2})*|(?:see )?notes? [^)\]]*|"
    r"un-?audited|in [a-z ]+|as (?:re|adj)[a-z]+)[)\]]",
    re.IGNORECASE,
)
_NOTE = re.compile(r"[,;–—-]?\s*\b(?:see )?notes? \d+[a-z]?(?:(?:,| and| &) \d+)*$", re.IGNORECASE)
#: Signs and losses beside the word that counts: Net income (loss), Income/(loss) before taxes.
_LOSS = re.compile(
    r"\s*[(/]+\s*\(?(?:net )?(?:loss(?:es)?|deficit|expenses?|benefits?|decrease|increase|gains?|"
    r"income|earnings|used (?:in|for|by)|provided by|absorbed by|outflow|inflow)"
    r"(?: from(?=\)))?\)?",
    re.IGNORECASE,
)
_LEADING_LOSS = re.compile(r"^\(?(?:loss|decrease|benefit)\)?\s*[/)]+\s*", re.IGNORECASE)
_OR_LOSS = re.compile(r"\s*\b(?:or|and)\b \(?(?:loss|decrease|benefit)\)?(?=\s|$)", re.IGNORECASE)
_CONTINUING = re.compile(r"\bcontinuing\b|\bdiscontinued\b", re.IGNORECASE)
_ONLY_LOSS = re.compile(r"\bloss(?:es)?\b", re.IGNORECASE)
#: What goes on is all that is taxed: earnings from continuing operations before income taxes.
_BEFORE_TAX = re.compile(r"\bbefore\b.*\btax|\bpre-?tax\b", re.IGNORECASE)
_FROM_CONTINUING = re.compile(r",?\s*\bfrom continuing operations\b,?", re.IGNORECASE)
#: Other people's shares in what is earned or owned.
_MINORITY = r"(?:redeemable|non-?\s?controlling|minority)"
_INCLUDING = re.compile(
    rf"\s*,?\s*(?:including|before)\s(?:[a-z ,]*?)(?:{_MINORITY})[a-z ,-]*$", re.IGNORECASE
)
_ATTRIBUTABLE = re.compile(
    r"\s*(?:\(?(?:loss)\)?\s*)?,?\s*\b(?:attribut(?:able|ed)|available|applicable|allocable)\s+to"
    r"\s+(?P<whom>.+)$",
    re.IGNORECASE,
)
#: Of whom neither the company's owners nor all of them are said.
_OTHERS = re.compile(
    r"preferred|participating|unvested|nonvested|discontinued|continuing|predecessor|partners?\b|"
    r"tax|unitholders|affiliat|segment",
    re.IGNORECASE,
)
#: A heading over whose the profit above it is: Attributable to:, Profit attributable to:
_WHOSE = re.compile(
    r"^(?:(?:net )?(?:profit|income|earnings|loss|\W)*(?: for the (?:year|period))?,? ?)?"
    r"attributable to\s*:?$",
    re.IGNORECASE,
)
_OWNER = re.compile(
    r"\b(?:owners?|(?:share|stock|equity)[ -]?holders?|parent|company|non-?controlling|minority)\b",
    re.IGNORECASE,
)
_OWN_EQUITY = re.compile(
    r"^total (?P<whom>.+?)(?:['’]s?)?\s+(?:(?:common )?(?:share|stock|shareown)(?:holders|owners)?"
    r"['’]?s?['’]?|owners['’]?|members['’]?)\s+(?P<what>equity|deficit|investment|funds)",
    re.IGNORECASE,
)
_PER_SHARE = re.compile(
    r"\bper\b.{0,30}\b(?:share|ads|unit)\b|\beps\b|\b(?:earnings|income|loss)\b.{0,12}/share",
    re.IGNORECASE,
)
_SHARES = re.compile(
    r"\bshares?\b.{0,25}\b(?:outstanding|used|in issue|issued)\b|\bnumber of\b.{0,25}\bshares\b|"
    r"average.{0,25}\bshares\b|^(?:common )?shares\b|\bshares used\b",
    re.IGNORECASE,
)
_EARNINGS = re.compile(r"earnings|income|loss|profit|\beps\b", re.IGNORECASE)
_BASIC, _DILUTED = re.compile(r"\bbasic\b", re.I), re.compile(r"\bdilut(?:ed|ion)\b", re.I)
#: Figures beside what accounting rules define.
_ADJUSTED = re.compile(
    r"\badjusted\b|\bnon-gaap\b|\bpro[ -]forma\b|\bcore\b|\bunderlying\b|\bnormali[sz]ed\b|"
    r"\borganic\b|\bcomparable\b|\bexcluding\b|\boperational\b",
    re.IGNORECASE,
)
_PART = re.compile(
    r"^(?:percent|percentage|increase|decrease|change|growth)\b|\bas a % ?of\b", re.I
)
#: Words of what activities brought or took: Net cash flows (used in) provided by operations.
_CASH_WORD_LIST = """
total the net cash and equivalents flow flows inflow inflows outflow outflows was were provided
used generated from arising obtained required absorbed expended by in for to or company's
"""
_CASH_WORDS = frozenset(_CASH_WORD_LIST.split())
_ACTIVITIES = {
    "operating": "operating_cash_flow",
    "operations": "operating_cash_flow",
    "investing": "investing_cash_flow",
    "investment": "investing_cash_flow",
    "financing": "financing_cash_flow",
}
#: What rows of earnings a share are where their heading stands above the table.
_ALONE = {"basic": "eps", "diluted": "diluted_eps"}
#: Statements hold what is defined; these metrics are none.
_DEFINED_ONLY = frozenset(("adjusted_net_profit", "adjusted_eps", "ebit", "ebitda"))


def metric_of(label: str, blocks: Sequence[str] = ()) -> FactMetric | None:
    """The metric of a row; None where it is none, or only a part of one.

    Args:
        label: as printed.
        blocks: headings over the row, from the outermost.

    >>> [each.name if (each := metric_of(label, blocks)) else None for label, blocks in (
    ...     ("Basic", ["Net income per share:"]), ("Basic", ["Weighted average shares:"]),
    ...     ("Net loss attributable to Starlight Foods Inc.", []),
    ...     ("Net income", ["Adjusted measures"]), ("Total cost of revenue (Note 3)", []))]
    ['eps', 'weighted_shares', 'net_profit_attributable', None, 'cost_of_sales']
    """
    shown = plain(label)
    over = " ".join(narrow(text) for text in blocks)
    if _BEFORE_TAX.search(shown):
        shown = _FROM_CONTINUING.sub("", shown)
    if not shown or _PART.search(shown) or _CONTINUING.search(shown):
        return None
    if _ADJUSTED.search(over) or _ADJUSTED.search(shown):
        found = metric_of_label(shown)
        return (
            found if found and found.name in _DEFINED_ONLY and not _ADJUSTED.search(over) else None
        )
    if blocks and _WHOSE.search(blocks[-1]) and not re.search("comprehensive", blocks[-1], re.I):
        whose = (
            "minority_profit" if re.search(_MINORITY, shown, re.I) else "net_profit_attributable"
        )
        return fact_metrics()[whose] if _OWNER.search(shown) else None
    if activity := _net_cash(shown):
        return fact_metrics()[activity]
    per_share = _per_share(shown, list(map(narrow, blocks)))
    if per_share is not None:
        return fact_metrics().get(per_share)
    if match := _OWN_EQUITY.match(shown):
        whom = match["whom"].lower()
        if not re.search(r"liabilit|and$", whom):
            return fact_metrics()["equity_attributable"]
    found = _of_line(shown)
    # interest that may have been earned: neither of both
    both = found and found.name == "interest_expense" and "income" in label.lower()
    return None if both else found


def plain(label: str) -> str:
    """A label without leaders, signs, notes and the losses that it might have been.

    >>> [plain(each) for each in ("Net (loss) income ......... $", "Revenue (Note 2)",
    ...     "Net cash provided by (used in) operating activities", "(Loss)/income before taxes")]
    ['Net income', 'Revenue', 'Net cash provided by operating activities', 'income before taxes']
    """
    shown = " ".join(narrow(label).replace("’", "'").split())
    before = None
    while before != shown:
        before = shown
        shown = _NOTE.sub("", _MARKS.sub("", _TAIL.sub("", shown)))
        shown = _OR_LOSS.sub("", _LOSS.sub("", _LEADING_LOSS.sub("", shown))).strip(" :;,–—-")
    shown = re.sub(r"\((?:loss|benefit|decrease|expense|used)\)\s*", "", shown, flags=re.I)
    return " ".join(shown.split())


def _net_cash(shown: str) -> str | None:
    """The metric of what one kind of activities brought; None for a part of it, or a heading.

    >>> [_net_cash(each) for each in ("Net cash (used in) provided by investing activities",
    ...     "Cash from operations", "Total operating activities", "Cash used in acquisitions")]
    ['investing_cash_flow', 'operating_cash_flow', 'operating_cash_flow', None]
    """
    words = re.findall(r"[a-z'-]+", shown.lower())
    if words and words[-1] == "activities":
        words.pop()
    named = [word for word in words if word in _ACTIVITIES]
    rest = [word for word in words if word not in _ACTIVITIES]
    told = {"cash", "flow", "flows", "total", "net"} & set(rest)
    return _ACTIVITIES[named[0]] if len(named) == 1 and told and set(rest) <= _CASH_WORDS else None


def _of_line(shown: str) -> FactMetric | None:
    return _named(shown) or (
        _named(_ONLY_LOSS.sub("income", shown)) if "loss" in shown.lower() else None
    )


def _named(shown: str) -> FactMetric | None:
    whole = _INCLUDING.sub("", shown)
    match = _ATTRIBUTABLE.search(whole)
    if not match:
        return metric_of_label(whole) or metric_of_label(
            re.sub(r"^(?:less|plus)\s*:?\s*", "", whole)
        )
    whom = match["whom"]
    if re.search(r"\b(?:available|applicable|allocable)\b.*\bcommon\b", match[0], re.I):
        return None  # what preferred dividends leave
    base = whole[: match.start()].strip(" ,()")
    found = metric_of_label(base)
    owner = "minority" if re.search(_MINORITY, whom, re.I) else "own"
    if found is None or _OTHERS.search(whom):
        return None
    if found.name == "net_profit":
        return fact_metrics()[
            "minority_profit" if owner == "minority" else "net_profit_attributable"
        ]
    if found.name == "equity":
        return fact_metrics()["minority_equity" if owner == "minority" else "equity_attributable"]
    return None


def _per_share(shown: str, blocks: Sequence[str]) -> str | None:
    """The metric of what is counted per share, or of shares; empty for another of them.

    None where neither the row nor the heading nearest to it counts so.
    """
    over = next(
        (each for each in reversed(blocks) if _PER_SHARE.search(each) or _SHARES.search(each)), ""
    )
    if _CONTINUING.search(over):
        return ""
    own = bool(_PER_SHARE.search(shown) or _SHARES.search(shown))
    counted = shown if own else over
    if not counted:
        return _ALONE.get(shown.lower())
    if _counts_shares(counted):
        own_kind = _BASIC.search(shown) or _DILUTED.search(shown)
        text = shown if own_kind else f"{over} {shown}"
        known = own or _BASIC.search(shown) or _DILUTED.search(shown)
        if _DILUTED.search(text):
            return "diluted_shares" if known else None
        averaged = _BASIC.search(text) or "average" in text.lower()
        return ("weighted_shares" if averaged else "") if known else None
    if re.search(r"dividend", shown, re.I):
        return "" if "preferred" in shown.lower() else "dividends_per_share"
    if not own and not (_BASIC.search(shown) or _DILUTED.search(shown) or _EARNINGS.search(shown)):
        return None
    if not _EARNINGS.search(f"{over} {shown}"):
        return _of_label(shown)
    return _earnings_each(shown, over, own)


def _counts_shares(text: str) -> bool:
    """Whether a text counts shares, though it may say for which figure per share."""
    return bool(_SHARES.search(text)) and (
        not _PER_SHARE.search(text) or bool(re.search(r"\b(?:used|average|number)\b", text, re.I))
    )


def _earnings_each(shown: str, over: str, own: bool) -> str:
    """Basic or diluted earnings per share, by the row's own words, else by its heading's."""
    at = shown if _BASIC.search(shown) or _DILUTED.search(shown) else f"{over} {shown}"
    basic, diluted = bool(_BASIC.search(at)), bool(_DILUTED.search(at))
    if basic != diluted:
        return "eps" if basic else "diluted_eps"
    # one figure for both is the basic one, too; nothing said under a heading may be either
    return "eps" if basic or (own and not over) else ""


def _of_label(shown: str) -> str:
    found = metric_of_label(shown)
    return found.name if found else ""
