"""Reads what a heading or a label says its figures are counted in: 百万元, RMB mn, 元/股, %, 天.

Quantities in running text are `quantities`; which of a table's units holds for a figure is decided
in `stages.tables.figures`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.grammar.numerals import narrow
from finrag_pipeline.grammar.units import SCALES

_PATH = Path(__file__).with_name("measures.csv")
_COLUMNS = ("unit", "spellings")
#: Scales that only headings shorten so; in a text they are letters and numbers.
_SHORT_SCALES = {
    -2: r"仙|cents?|¢",
    3: r"[’'‘]?000s?|thousands|K",
    5: r"lakhs?|lacs?",
    6: r"millions|mil|mm|m",
    7: r"crores?|cr",
    9: r"billions|b",
}
#: Words beside a unit that say nothing of it.
_FILLER = re.compile(
    r"(?:(?:货币|金额|计量|数量|除.{0,12}外)?单位|币种|均为?|为|以|计|in|of|the|and|"
    r"amounts?|expressed|stated|figures?|values?|all|unit|currency|[:：\s._])+",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_PARTS = re.compile(r"[,，、;；/|]")
_EXCEPT = re.compile(r"(?:,|，|;|\s)*(?:\bexcept\b|除).*$", re.IGNORECASE)
_STATES = re.compile(r"^(?:货币|金额|计量)?单位\s*[:：为]?\s*")
_SIGNS = frozenset("$¥€£")
#: Characters from which a text is no unit.
_LONG = 60
#: Names of currencies as Chinese tables write them behind an amount.
_SPOKEN = {"CNY": "元", "HKD": "港元", "USD": "美元", "EUR": "欧元", "JPY": "日元", "GBP": "英镑"}


@dataclass(frozen=True, slots=True)
class Measure:
    """What figures are counted in.

    `text` is as printed, or what is commonly written where it follows from the metric; `unit` the
    ISO code of a currency, ``%``, ``pp``, ``bp``, ``x`` (times and plain ratios) or a counting
    word, with ``/股`` and the like behind what is counted per another; empty where only a scale
    is told. A figure counts ``10 ** power`` of it; cents of a currency are -2.
    """

    text: str
    unit: str
    power: int = 0

    @property
    def currency(self) -> str:
        """The ISO code of its currency, empty without one."""
        name = self.unit.partition("/")[0]
        return name if name in currencies() else ""


@cache
def currencies() -> frozenset[str]:
    """ISO codes of the currencies that headings name."""
    return frozenset(unit for unit in _spellings() if re.fullmatch(r"[A-Z]{3}", unit))


@lru_cache(maxsize=50_000)
def measure_of(text: str) -> Measure | None:
    """The measure that a whole text writes, None where it writes anything else or two of them.

    >>> [(m.unit, m.power) for text in ("人民币百万元", "RMB mn", "US$ in millions", "元/股", "％")
    ...  if (m := measure_of(text))]
    [('CNY', 6), ('CNY', 6), ('USD', 6), ('CNY/股', 0), ('%', 0)]
    >>> [(m.unit, m.power) for text in ("港仙", "US cents", "pence", "cents")
    ...  if (m := measure_of(text))]
    [('HKD', -2), ('USD', -2), ('GBP', -2), ('', -2)]
    >>> [(m.unit, m.power) for text in ("台/套", "万瓶/盒/ 袋") if (m := measure_of(text))]
    [('台/套', 0), ('瓶/盒/袋', 4)]
    >>> measure_of("港币/人民币"), measure_of("续"), measure_of("合计")
    (None, None, None)
    """
    shown = _EXCEPT.sub("", narrow(text).strip())
    if not shown or len(shown) > _LONG:
        return None
    written = _STATES.sub("", text.strip())
    whole, slash, per = shown.partition("/")
    found = _read(whole)
    if found is None or not slash:
        return replace(found, text=written) if found else None
    others = [_read(each.strip()) for each in per.split("/")]  # 万瓶/盒/支
    units = [each.unit for each in others if each and not (each.currency or each.power)]
    if not found.unit or not all(units) or len(units) < len(others):
        return None
    return Measure(written, "/".join((found.unit, *units)), found.power)


def measures_of(text: str) -> tuple[Measure, ...]:
    """The measures of a statement that may list several: ``亿元，%``; empty where it lists none.

    >>> [m.unit for m in measures_of("百万元、元/股、%")]
    ['CNY', 'CNY/股', '%']
    """
    whole = measure_of(text)
    if whole:
        return (whole,)
    parts = [measure_of(part) for part in re.split(r"[,，、;；|]", text)]
    return tuple(dict.fromkeys(part for part in parts if part))


@lru_cache(maxsize=50_000)
def printed_measure(label: str) -> Measure | None:
    """The one measure that a label or heading prints for its figures.

    >>> [m.unit if (m := printed_measure(label)) else None for label in (
    ...     "营业收入（百万元）", "EPS(摊薄/元)", "毛利率%", "营业收入/亿元", "净利润（续）")]
    ['CNY', 'CNY', '%', 'CNY', None]
    """
    found = dict.fromkeys(measure for measure, _ in _printed(narrow(label)))
    return next(iter(found)) if len({(m.unit, m.power) for m in found}) == 1 else None


@lru_cache(maxsize=50_000)
def bare_label(label: str) -> str:
    """A label in half width without the measures it prints.

    >>> [bare_label(label) for label in ("营业收入（百万元）", "毛利率%", "(+/-%)", "A股（续）")]
    ['营业收入', '毛利率', '(+/-)', 'A股(续)']
    """
    shown = narrow(label)
    for _, (start, stop) in sorted(_printed(shown), key=lambda each: -each[1][0]):
        shown = shown[:start] + shown[stop:]
    return " ".join(shown.split())


def spoken(currency: str, chinese: bool) -> str:
    """How a table of a language writes a currency."""
    return _SPOKEN.get(currency, currency) if chinese else currency


def _printed(shown: str) -> Iterator[tuple[Measure, tuple[int, int]]]:
    """Measures in a label in half width, and where they stand, brackets and all."""
    # a sign alone belongs to the figure beside it
    whole = None if shown.strip() in _SIGNS else measure_of(shown)
    if whole:
        yield whole, (0, len(shown))
        return
    held = False
    for match in _BRACKETED.finditer(shown):
        inner = measure_of(match[1])
        named = (
            [inner] if inner else [m for part in _PARTS.split(match[1]) if (m := measure_of(part))]
        )
        if len({(m.unit, m.power) for m in named}) == 1:
            held = True
            yield named[0], match.span()
    if held:
        return
    for match in re.finditer(r"%", shown):
        yield Measure("%", "%"), match.span()
        return
    # right behind the words of what it is of: 归母净利润亿元
    joined = _JOINED.search(shown)
    if joined and (measure := measure_of(joined[1])):
        yield measure, joined.span(1)
        return
    # behind a sign or a space at the end: 营业收入/百万元; a currency alone names what it is of
    tail = re.search(r"([/_\s])\s*([^/_\s]+)$", shown)
    if tail and len(tail[2]) > 1 and not measure_of(shown[: tail.start()]):
        measure = measure_of(tail[2])
        if measure and measure.currency and (measure.power or tail[1] == "/"):
            yield measure, tail.span()


def _read(text: str) -> Measure | None:
    """A measure without a slash: a currency and its scale in either order, or a counting word."""
    rest = text.strip()
    units: set[str] = set()
    powers: list[int] = []
    while rest:
        if match := _units().match(rest):
            unit, _, power = _unit_names()[int(str(match.lastgroup)[1:])].partition(" ")
            units.add(unit)
            powers += [int(power)] if power else []
        elif match := _scales().match(rest):
            powers.append(_powers()[int(str(match.lastgroup)[1:])])
        elif not (match := _FILLER.match(rest)):
            return None
        rest = rest[match.end() :]
    if not (units or powers) or len(powers) > 2 or len(units) > 1:
        return None
    if not units and len(text.strip()) == 1 and text.isascii():
        return None  # (b) is the mark of a note
    return Measure(text, units.pop() if units else "", sum(powers))


#: A scale and a currency that end a label: 股价元 names a price, and no unit.
_JOINED = re.compile(
    r"(?<=[\u3400-\u9fff])(?<![百千十万亿])((?:[百千]?万|[百千]?亿|百万)(?:港|美|欧|日)?元)$"
)


@cache
def _spellings() -> dict[str, str]:
    return {row["unit"]: row["spellings"] for row in data_rows(_PATH, _COLUMNS)}


@cache
def _unit_names() -> tuple[str, ...]:
    return tuple(_spellings())


@cache
def _units() -> re.Pattern[str]:
    groups = [f"(?P<u{n}>{_longest(words)})" for n, words in enumerate(_spellings().values())]
    # a word of letters ends where its letters do, or a scale begins: USDmn
    end = r"(?:(?<![A-Za-z])|(?![A-Za-z])|(?=(?:mn|bn|m|b|k)(?![A-Za-z])))"
    return re.compile(rf"(?:{'|'.join(groups)}){end}", re.IGNORECASE)


def _powers() -> tuple[int, ...]:
    return tuple({**SCALES, **_SHORT_SCALES})


def _spelled(power: int) -> str:
    return "|".join(filter(None, (SCALES.get(power), _SHORT_SCALES.get(power))))


@cache
def _scales() -> re.Pattern[str]:
    groups = [f"(?P<p{n}>{_spelled(power)})" for n, power in enumerate(_powers())]
    return re.compile(rf"(?:{'|'.join(groups)})(?:(?<![A-Za-z])|(?![A-Za-z]))", re.IGNORECASE)


def _longest(words: str) -> str:
    return "|".join(sorted(words.split("|"), key=len, reverse=True))
