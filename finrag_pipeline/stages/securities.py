"""Finds securities codes and the company names printed beside them.

Whether a code exists, and which company bears it, the registry in the store knows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

_SUFFIX = r"\s*[.．]?\s*(SH|SS|SZ|BJ|CH|CN|HK|US|O|N)"
_CODE = re.compile(
    rf"(?<![\d.])(?:(\d{{6}})(?:{_SUFFIX}\b)?|(\d{{1,5}})\s*[.．]?\s*(HK)\b)(?![\d.]\d)"
)
_BEFORE_CODE = re.compile(
    r"([\u4e00-\u9fffA-Za-z][\u4e00-\u9fffA-Za-z0-9·\-*&’' ]{1,40}?)\s*[（(\[]\s*"
    r"(?:股票代码|证券代码|代码)?\s*[:：]?\s*(?=\d{4,6}[^\d%])"
)
_NAME_THEN_CODE = re.compile(
    r"([\u4e00-\u9fff][\u4e00-\u9fffA-Za-z·\-*]{1,9})\s+(?=\d{6}\s?\.\s?(?:SH|SZ|BJ)|\d{4,5}\.?\s?HK)"
)
_OPENING = re.compile(r"[（(\[/／、,，\s]\s*$|代码\s*[:：]?\s*$|^$")
_BEFORE_NAME = re.compile(r"(?:研究报告|公司研究|深度报告|点评|推荐|评级|[年月日])\s*")


def with_market(code: str, suffix: str | None = None) -> str | None:
    """A securities code with its market: ``600519`` to ``600519.SH``; None for what is none."""
    if suffix == "HK" or (suffix is None and len(code) == 5):
        return f"{code.zfill(5)}.HK"
    if len(code) != 6:
        return None
    if code.startswith(("600", "601", "603", "605", "688", "689")):
        return f"{code}.SH"
    if code.startswith(("000", "001", "002", "003", "300", "301", "302")):
        return f"{code}.SZ"
    if code.startswith(("4", "8", "92")):
        return f"{code}.BJ"
    return None


def named_codes(texts: Iterable[str]) -> list[tuple[str, str | None]]:
    """Find securities codes in lines.

    Args:
        texts: lines of a cover, running heads, titles.

    Returns:
        Codes with their market in order of print, repeats included, each with the name printed
        before it or None. Bare numbers count only in brackets or after ``代码``.
    """
    found: list[tuple[str, str | None]] = []
    for text in texts:
        for match in _CODE.finditer(text):
            digits, suffix = (match[1], match[2]) if match[1] else (match[3], match[4])
            code = with_market(digits, "HK" if suffix == "HK" else None)
            bare = match[1] and not match[2]
            bracketed = bool(_OPENING.search(text[: match.start()]))
            if code is None or (bare and not bracketed):
                continue
            forms = (*_BEFORE_CODE.finditer(text), *_NAME_THEN_CODE.finditer(text))
            names = [m for m in forms if m.end() <= match.end()]
            near = names and match.start() - names[-1].end() <= 24
            found.append((code, _clean_name(names[-1][1]) if near else None))
    return found


def _clean_name(name: str) -> str | None:
    """A company's name without what a cover prints before it."""
    name = re.sub(r"^[\s—\-–·]+", "", name.strip())
    if re.search(r"[\u4e00-\u9fff]", name):
        name = re.split(r"(?:研究报告|公司研究|深度报告|点评|推荐|评级|[年月日])\s*", name)[
            -1
        ].strip()
        last = name.split(" ")[-1]
        name = last if len(last) >= 2 else name.replace(" ", "")
    return name or None


def own_code(codes: Sequence[str]) -> str | None:
    """The most printed code, mainland listings before others, earlier before later."""
    if not codes:
        return None
    counts = Counter(codes)
    return min(counts, key=lambda code: (code.endswith(".HK"), -counts[code], codes.index(code)))
