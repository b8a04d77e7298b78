"""In what a table counts, as the lines over it and its own headings state it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.grammar.kinds import kind_of
from finrag_pipeline.grammar.measures import measure_of, printed_measure
from finrag_pipeline.records import Cell
from finrag_pipeline.script import simplified
from finrag_pipeline.stages.tables.headers import header_paths

#: A unit that is called one, what currency it is in.
UNIT = re.compile(
    r"(?<!编制)(?<!填报)(?<!制表)(?<!主办)(?<!主管)(?<!任职)"
    r"(?:货币|金额)?单位\s*(?:均?为|[:：])\s*([^\s，,；;。)）:：]{1,16}?)"
    r"(?=[\s，,；;。)）]|币种|审计|编制|$)"
)
_MORE = re.compile(r"\s*[，,、;；]\s*([^\s，,、；;。)）:：]{1,10})")
CURRENCY = re.compile(r"币种\s*[:：]\s*([^\s，,；;)）]{2,6}?)(?=[\s，,；;。)）]|审计|编制|$)")
_HAN_AMOUNT = r"(?:人民币|港币|美元|港元|欧元|日元)?\s*(?:百万|千万|亿|万|千|十亿)?"
_HAN_COUNT = r"(?:元|美元|港元|港币|欧元|日元|股|吨|人|家|套|人民币|万元|亿元)"
#: A line that is a unit of money and nothing else.
ALONE = re.compile(rf"^\s*{_HAN_AMOUNT}元\s*$")
#: Over the numbers of notes: 附註.
_NOTES = re.compile(r"附注号?|注释|notes?", re.IGNORECASE)
_AT_END = re.compile(r"(?:人民币|港币|美元|港)(?:百万|千|万|亿|十亿)?元$")
_LATIN_AMOUNT = r"(?:mn|bn|millions?|billions?|thousands?|000s?|m|k)"
_LATIN_CURRENCY = r"(?:RMB|CNY|USD|US\$|HK\$|HKD|EUR|GBP|JPY|\$|€|£|¥|U\.S\. dollars|dollars?)"
_STATED = re.compile(
    rf"[（(]\s*({_HAN_AMOUNT}{_HAN_COUNT}|{_HAN_AMOUNT}{_HAN_COUNT}/\S{{1,3}})\s*[)）]|"
    rf"[（(]\s*((?:amounts?\s+)?(?:expressed\s+)?(?:{_LATIN_CURRENCY}\s*)?(?:in\s+)?"
    rf"(?:{_LATIN_CURRENCY}\s*)?{_LATIN_AMOUNT}(?:\s+of\s+[a-z. ]{{2,20}})?)"
    rf"\s*(?:[,;][^)）]*)?[)）]|"
    rf"(?<![\w$])((?:{_LATIN_CURRENCY}\s*)(?:in\s+)?{_LATIN_AMOUNT})\b|"
    rf"\b((?:{_LATIN_CURRENCY}\s+)?in\s+(?:millions|thousands|billions)"
    rf"(?:\s+of\s+[a-z. ]{{2,20}})?)\b",
    re.IGNORECASE,
)


def unit_in(texts: Sequence[str]) -> str | None:
    """The unit that the first of some texts states, as printed, in simplified characters."""
    texts = [simplified(text) for text in texts]
    for text in texts:
        match = UNIT.search(text)
        if match and not match[1].startswith(("名称", "负责")):
            currency = CURRENCY.search(text)
            foreign = currency and currency[1] not in ("人民币", "RMB") and currency[1]
            unit = _listed(text, match)
            return f"{unit} {foreign}" if foreign and foreign not in unit else unit
    for text in texts:
        match = _STATED.search(text)
        if match:
            return next(group for group in match.groups() if group).strip()
    return None


def _listed(text: str, first: re.Match[str]) -> str:
    """The first unit of a statement with those that follow it: ``亿元，%``."""
    stop = first.end(1)
    while (more := _MORE.match(text, stop)) and measure_of(more[1]):
        stop = more.end()
    return text[first.start(1) : stop]


def unit_of_header(cells: Sequence[Cell]) -> str | None:
    """The unit that a table's own headings state for all of its figures."""
    header = [cell.text for cell in cells if cell.header]
    stated = [text for text in header if "单位" in text]
    stated += [cell.text for cell in cells if cell.header and cell.column == 0]
    unit = unit_in(stated) or next(
        (found.text for text in stated if (found := printed_measure(text)) and found.currency), None
    )
    if unit is None:
        # over a column it speaks for that one alone, unless all columns of amounts say the same
        filled = {cell.column for cell in cells if not cell.header and cell.text} - {0}
        paths = [
            path
            for column, path in header_paths(cells).items()
            if column in filled and not any(_NOTES.fullmatch(simplified(text)) for text in path)
        ]
        amounts = [path for path in paths if kind_of(" ".join(path)) in (None, "amount")]
        units = {unit_in(path) or _ending_unit(path) for path in amounts}
        alone = len(amounts) == 1 < len(paths)
        unit = units.pop() if len(units) == 1 and not alone else None
    return unit


def _ending_unit(path: Sequence[str]) -> str | None:
    """The unit of money that a heading ends with: 二零二四年人民幣千元."""
    found = (_AT_END.search(simplified(text).strip()) for text in path)
    return next((match[0] for match in found if match), None)
