"""Finds securities codes and the company names printed beside them.

Whether a code exists, and which company bears it, the registry in the store knows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_CODE = re.compile(
    r"(?<![\d.A-Za-z])(?:"
    r"(?P<before>SH|SZ|BJ|SS)\s?[.:：]?\s?(?P<prefixed>\d{6})"
    r"|(?:HK|HKEX|SEHK|Stock\sCode|股份代[号號])\s?[.:：]\s?(?P<hong>\d{1,5})"
    r"|(?P<six>\d{6})(?:\s?[.．·]?\s?(?P<market>SH|SS|SZ|BJ|CH|CN)(?![A-Za-z]))?"
    r"|(?P<kong>\d{1,5})\s?[.．]?\s?HK(?![A-Za-z$]|\s?[$\d])"
    r"|(?P<five>\d{5})"
    r")(?![\d.]\d|\d|[%％万亿元])",
    re.IGNORECASE,
)
#: What a bare number must follow to be a code; a slash or a sign joins it to another code.
_OPENING = re.compile(
    r"([（(\[【]|代码)\s*[:：]?\s*$|(?<=[A-Z\d])\s?[/、+＋,，]\s?$", re.IGNORECASE
)
_LABEL = re.compile(r"(?:股票|证券|公司|[AHB]\s?股|港股)?代码\s*[:：]?\s*$")
_HAN = r"\u3400-\u9fff"
_CHINESE_NAME = re.compile(
    rf"((?:\*?ST\s?|[A-Z]{{1,5}})?[{_HAN}][{_HAN}A-Za-z0-9*&]{{1,11}}(?:-[A-Z]{{1,2}})?)$"
)
_ENGLISH_NAME = re.compile(r"((?:[A-Z][\w.&'’\-]*,? ?){1,6})$")
#: What parts a name from the words of a cover before it.
_PARTED = re.compile(
    r"[\s:：|｜/／、，,。；;“”\"《》【】（）()—–\[\]·•■◆]+|-(?![A-Z]{1,2}(?:$|\W))"
    r"|(?:研究报告|公司研究|深度报告|点评|推荐|评级|[年月日])"
)
_AFTER_CODE = re.compile(rf"^\s*[)）]?\s+([{_HAN}][{_HAN}A-Za-z0-9]{{1,7}})$")
_NO_NAME = re.compile(
    r"代码|简称|收盘|评级|日期|^(?:证券|股票|公司|港股|市场|行业|研究|目标|指标|指数|投资)|"
    r"(?:研究|点评|报告|行业|指数)$|^[AHB]股$|交易所|^(?:上海|深圳|北京|沪市|深市)?(?:主板|创业板|科创板|北交所)$"
)


@dataclass(frozen=True, slots=True)
class CodeMention:
    """A securities code with its market and the name printed beside it, if any."""

    code: str
    name: str | None = None


def with_market(code: str, suffix: str | None = None) -> str | None:
    """A securities code with its market: ``600519`` to ``600519.SH``; None for what is none."""
    if suffix == "HK" or (suffix is None and len(code) == 5):
        return f"{code.zfill(5)}.HK"
    if len(code) != 6:
        return None
    if code.startswith(("600", "601", "603", "605", "688", "689", "900")):
        return f"{code}.SH"
    if code.startswith(("000", "001", "002", "003", "200", "300", "301", "302")):
        return f"{code}.SZ"
    if code.startswith(("4", "8", "92")):
        return f"{code}.BJ"
    return None


def code_mentions(text: str) -> list[CodeMention]:
    """Find securities codes in one row of print.

    Args:
        text: a row of a cover, a running head, a title.

    Returns:
        Codes with their market in order of print, repeats included. Codes that share brackets
        share the name before them. Bare numbers count only in brackets or after ``代码``.
    """
    found: list[CodeMention] = []
    end, shared = 0, None
    for match in _CODE.finditer(text):
        before = text[: match.start()]
        bare = not (match["before"] or match["market"] or match["hong"] or match["kong"])
        if bare and not _OPENING.search(before):
            continue
        hong_kong = match["hong"] or match["kong"] or match["five"]
        digits = hong_kong or match["prefixed"] or match["six"]
        code = with_market(digits, "HK" if hong_kong else match["market"] or match["before"])
        if code is None:
            continue
        between = text[end : match.start()] if found else None
        joined = between is not None and re.fullmatch(r"[\s/／、,，+＋)）(（.A-Z]*", between)
        name = shared if joined else _name_before(before)
        if name is None and not found:
            after = _AFTER_CODE.match(text[match.end() :])
            name = after[1] if after and not _NO_NAME.search(after[1]) else None
        found.append(CodeMention(code, name))
        end, shared = match.end(), name
    return found


def clean_name(text: str) -> str | None:
    """A company's name at the end of a text, without what a cover prints before it.

    >>> clean_name("公司研究 | 点评：星河科技"), clean_name("Update: Galaxy Instruments")
    ('星河科技', 'Galaxy Instruments')
    """
    parts = [part for part in _PARTED.split(text.strip()) if part]
    if not parts:
        return None
    if re.search(rf"[{_HAN}]", parts[-1]):
        match = _CHINESE_NAME.search(parts[-1])
        return match[1].replace(" ", "") if match and not _NO_NAME.search(match[1]) else None
    tail = re.split(r"[:：|｜；;“”()（）—–/]|\s-\s", text.strip())[-1].strip()
    match = _ENGLISH_NAME.search(tail)
    return match[1].strip(" ,") if match and len(match[1]) > 2 else None


def _name_before(before: str) -> str | None:
    """The name that ends at most a bracket and a label before a code."""
    bare = _LABEL.sub("", before)
    opened = re.sub(r"\s*[（(\[【]\s*$", "", bare)
    if opened == bare and not re.search(r"\s$", bare):
        return None
    return clean_name(opened) if len(opened.strip()) > 1 else None
