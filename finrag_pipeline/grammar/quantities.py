"""Quantities as they are written: 1,234.5万元, (1,234), 10%~15%, HK$12.3bn, 负五亿元, 3个百分点.

Values are exact decimals, never floats. Which of them a claim, a forecast or an answer speaks of is
decided in its room; times are `periods`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from functools import cache, lru_cache

from finrag_pipeline.grammar.numerals import chinese_number, narrow
from finrag_pipeline.grammar.units import CURRENCY_BEFORE, SCALE, UNIT, power_of, unit_of
from finrag_pipeline.words import fold

#: Digits with separators of thousands, without a sign.
NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
SIGN = r"[-+−－＋–]"
#: What is compared, a unit of measure with its power of ten: 亿元, %, 万吨.
MEASURE = rf"(?i:(?:{SCALE}\s?)?{UNIT})"


#: Times, what is numbered, and names that have a number: Omega-3, H1N1.
_COUNTS_NOTHING = re.compile(
    r"(?<![\d.,])(?:19|20)\d\d(?:[-/.]\d{1,2}){2}"
    r"|(?<![\d.,])(?:19|20)\d\d(?:\s*[-–—~至到]\s*(?:(?:19|20)\d\d|\d\d(?=\s*[年E])))?"
    r"(?:\s*年度?|[AEF]|(?=\s*[QH/.-]\s*\d)|(?![\d.,]*\d|\s*[%万亿元个家人名股]))"
    r"|(?<![\d.])\d\d?\s*(?:[-–—~至到]\s*\d\d?\s*)?月(?!内)(?:份|\s*\d\d?\s*日?)?"
    r"|(?<![\d.])(?:1[5-9]|2\d|3[0-5])(?:年(?!前(?![一二三五十\d]+[大名家])|[内来间以期])|(?=[QH][1-4]))"
    r"|(?<![A-Za-z])(?:[QH]\s?[1-4]|(?:[1-4]\s?[QH]|9M)(?:\s?(?:20)?\d\d)?)(?!\d)"
    r"|第\s*\d+\s*[季期次届批号章节页条]|[图表注]\s*\d+|\b(?:Figure|Table|Chart|Note)s?\s*\d+"
    r"|[A-Za-z]{2,}[-–]\d+(?![\d.,]*\s*[%万亿])|(?<=[\[［])\d+(?=[\]］])|^\s*[（(]?\d{1,2}[）).、]",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with what it counts.

    `value` is exact and in `unit`, its scale multiplied in: 1.5亿元 is 150000000 of CNY; a share
    stays as it is written, 12.3% is 12.3 of ``%``. `upper` is the other end of a range. `number` is
    what is printed before words of scale. `unit` is a currency's ISO code, ``%``, ``‰``, ``pp``,
    ``bp``, ``x``, a counting word, or empty. `text` is what is written, `start` and `end` where.
    """

    value: Decimal
    unit: str
    number: Decimal
    upper: Decimal | None = None
    text: str = ""
    start: int = 0
    end: int = 0


def quantities_in(text: str) -> Iterator[Quantity]:
    """Every quantity in a text, in order of print; words of rise and fall are not its sign.

    Brackets are a minus around what has separators of thousands and before a unit; else they are
    only brackets, as in 同比（+3.2%）.

    >>> [(str(q.value), q.unit) for q in quantities_in("营收1.5万元，下降3.2%，亏损(1,234)元")]
    [('1.5E+4', 'CNY'), ('3.2', '%'), ('-1234', 'CNY')]
    >>> [(q.value, q.upper, q.unit) for q in quantities_in("增长10-15%")]
    [(Decimal('10'), Decimal('15'), '%')]
    >>> [(int(q.value), q.unit) for q in quantities_in("1,600余万吨，3万多台，20多亿元，多晶硅3多")]
    [(16000000, '吨'), (30000, '台'), (2000000000, 'CNY'), (3, '')]
    """
    for match in _compiled(_QUANTITY).finditer(_folded(text)):
        if found := _read(match, text):
            yield found


def prints_figure(text: str) -> bool:
    """Whether a text prints a number that counts something: no time, and none of a name.

    >>> [prints_figure(each) for each in ("占比12%", "2024年1-9月", "Omega-3", "第3季度", "28nm")]
    [True, False, False, False, True]
    """
    return bool(_DIGIT.search(_COUNTS_NOTHING.sub(" ", narrow(text))))


def parse_quantity(text: str) -> Quantity | None:
    """The quantity that a text is, as a cell of a table is one; None where it is more or none.

    >>> [f"{parse_quantity(text).value:f}" for text in ("$ (1,234)", "−3.2％", "负五亿元", "十二")]
    ['-1234', '-3.2', '-500000000', '12']
    >>> parse_quantity("约3倍左右") is None
    True
    """
    shown = _folded(text)
    if match := _BRACKETED.fullmatch(shown):
        inner = parse_quantity(f"{match['before'] or ''}{match['inner']}{match['after']}")
        if inner is None or inner.value < 0 or inner.upper is not None:
            return None
        value, number = inner.value.copy_negate(), inner.number.copy_negate()
        return Quantity(value, inner.unit, number, None, text, 0, len(text))
    blank = len(shown) - len(shown.lstrip())
    if match := _compiled(_QUANTITY).fullmatch(shown, blank, len(shown.rstrip())):
        return _read(match, text)
    whole = chinese_number(shown.strip())
    if whole is None:
        return None
    return Quantity(Decimal(whole), "", Decimal(whole), None, text, 0, len(text))


def number_of(text: str) -> Decimal | None:
    """The exact number that a text writes, unit and scale aside.

    >>> number_of("1,234.50"), number_of("(0.3)"), number_of("n/a")
    (Decimal('1234.50'), Decimal('-0.3'), None)
    """
    found = parse_quantity(text)
    return None if found is None or found.upper is not None else found.number


@lru_cache(maxsize=1 << 14)
def is_figure(text: str) -> bool:
    """Whether a text is one figure as a cell prints it, with marks of notes and a remark at most.

    >>> [is_figure(text) for text in ("(1,234.5)", "12.3%", "US$ 5*", "3-5", "2 years", "A-1", "—")]
    [True, True, True, True, False, False, False]
    """
    return bool(_compiled(_FIGURE).match(text.strip()))


def is_no_figure(text: str) -> bool:
    """Whether a text stands where there is no figure: a dash, n/a, 不适用."""
    return bool(_NO_FIGURE.match(text.strip()))


def numbers_in(text: str) -> set[str]:
    """The unsigned numbers that a text prints in digits, without separators: what answers quote.

    >>> sorted(numbers_in("营收1,234.5万元，２０２５年"))
    ['1234.5', '2025']
    """
    return {number.replace(",", "") for number in _NUMBER.findall(fold(text))}


_NUMBER = re.compile(NUMBER)
# Patterns with all units take 40 ms to compile: what only searches does without.
_FIGURE = (
    rf"^[(（\[<>≤≥~≈±+\-–—−]*\s*(?:{CURRENCY_BEFORE}\s*)?[(（+\-–—−]?\s*\d[\d,，.\s]*"
    r"(?:[.:/\-~–]\d+)*\s*(?:[%％‰xX倍*†‡)）\]]|pct|bps?|pp)*\s*(?:[(（][\d.,%\-]+[)）])?[*a-d]?$"
)
_NO_FIGURE = re.compile(r"^(?:[-–—−－/.…]+|n\.?/?[am]\.?|不适用)$", re.IGNORECASE)
_NUMERAL = r"[零〇一二三四五六七八九两]"
#: Chinese numerals count where a unit follows, or say hundreds and more.
_HAN = (
    rf"(?:百分之(?P<share>[零〇一二三四五六七八九十百点两]+)|"
    rf"(?P<han>(?:{_NUMERAL}|十)(?:{_NUMERAL}|[十百千万亿])*(?:点{_NUMERAL}+)?|半)(?P<han_unit>{MEASURE}))"
)
#: More than is said, before a scale or a unit: 1,600余万吨, 3万多台.
_OVER = rf"(?:[余多](?=\s?(?:{SCALE}|{UNIT})))?"
_TO = r"\s?(?:[-–—~～]|至|到)\s?"
_QUANTITY = (
    # behind a number or a date a dash is a range
    rf"(?:(?P<sign>负|(?<![A-Za-z0-9.)%年月日季度])[-+–])\s?)?"
    rf"(?:(?P<open>\()(?=\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?\)\s?{MEASURE}))?"
    rf"(?:(?P<currency>{CURRENCY_BEFORE})\s?(?P<minus>[-–])?)?"
    rf"(?:(?P<number>{NUMBER})"
    # of another unit it is what something has become: 增长12%至3亿元
    rf"(?:(?:\s?(?P<low>{SCALE}))?(?:\s?(?P<low_unit>{UNIT}))?{_TO}(?P<upper>{NUMBER})"
    rf"(?(low_unit)(?=\s?(?:{SCALE})?\s?(?P=low_unit))|(?=\s?(?:{SCALE}|{UNIT}))))?"
    rf"(?(open)\))(?:(?P<short>[kmb](?![A-Za-z]))|{_OVER}\s?(?P<scale>{SCALE}))?"
    rf"(?:{_OVER}\s?(?P<unit>{UNIT}))?"
    rf"|{_HAN})"
)
_BRACKETED = re.compile(
    rf"\s*(?P<before>{CURRENCY_BEFORE}\s*)?\(\s*(?P<inner>[^()]*\d[^()]*)\)(?P<after>[^()]*)",
    re.IGNORECASE,
)
_SHORT = {"k": 3, "m": 6, "b": 9}
_MEASURED = rf"(?P<scale>{SCALE})?\s?(?P<unit>{UNIT})"
_WIDE_COMMA = re.compile(r"(?<=[０-９])，(?=[０-９]{3})")
# arithmetic of the default context rounds at 28 digits
_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _folded(text: str) -> str:
    return narrow(_WIDE_COMMA.sub(",", text))


def _read(match: re.Match[str], text: str) -> Quantity | None:
    found = match.groupdict()
    upper: Decimal | None = None
    digits = found["number"]
    number = _decimal(digits) if digits else _han(found["share"] or found["han"])
    if number is None:
        return None
    if found["share"]:
        low, unit = 0, "%"
    elif found["han"]:
        measure = _compiled(_MEASURED).fullmatch(found["han_unit"])
        assert measure is not None
        low = power_of(measure["scale"] or "")
        unit = unit_of(measure["unit"])
    else:
        short = (found["short"] or "").lower()
        power = _SHORT[short] if short else power_of(found["scale"] or "")
        low = power_of(found["low"]) if found["low"] else power
        unit = unit_of(found["unit"] or "") or unit_of(found["currency"] or "")
        upper = _scaled(_decimal(found["upper"]), power) if found["upper"] else None
    if (found["sign"] or "+") in "负-–" or found["open"] or found["minus"]:
        number = number.copy_negate()
    return Quantity(
        _scaled(number, low), unit, number, upper, text[slice(*match.span())], *match.span()
    )


def _scaled(number: Decimal, power: int) -> Decimal:
    return number.scaleb(power, _EXACT)


def _decimal(digits: str) -> Decimal:
    return Decimal(digits.replace(",", ""))


def _han(numeral: str) -> Decimal | None:
    if numeral == "半":
        return Decimal("0.5")
    written, _, part = numeral.partition("点")
    whole = chinese_number(written)
    digits = "".join(str(chinese_number(digit)) for digit in part)
    return None if whole is None else Decimal(f"{whole}.{digits}")
