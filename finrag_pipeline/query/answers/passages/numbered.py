"""Numbers that tell nothing: parts of a name, and what numbers a paper, a note, a heading."""

from __future__ import annotations

import re

from finrag_pipeline.grammar.quantities import Quantity
from finrag_pipeline.query.answers.passages.counting import counted

#: What a number is a part of the name of, whatever counts it, and where nothing does.
_NAMED = re.compile(
    r"(?:[A-Za-z]-|(?<![A-Za-z])(?:top|msci)|[上深]证|中证|沪深|科创|创业板|北证|标普|恒生|纳斯达克|罗素|日经)\s?$",
    re.IGNORECASE,
)
_NAMED_UNCOUNTED = re.compile(r"[A-Za-z]$")
#: What calls a paper, a note or a paragraph by its number: 人社部发〔2023〕41号, 注6, 本节七、83.
_CALLS = re.compile(r"(?:[〕\]］)）第字]|注释?|附注|[本该上下]节[一二三四五六七八九十]+、)\s?$")
_PAPER = re.compile(r"\s?号")
_REMARK = re.compile(r"[注释、]\s?$")
#: How headings and items are numbered: (7). 关键管理人员报酬, 4.1 需求.
_NUMBERED = re.compile(
    r"\s*[（(]?\d{1,2}(?:\.\d{1,2}){0,2}[)）]?[.、．：:]?\s*(?=[\u3400-\u9fffA-Za-z（])"
)


def is_of_name(text: str, quantity: Quantity) -> bool:
    """Whether a number is a part of a name, GLP-1类药物, Top100, 上证50, HG3918项目, or numbers a
    paper or a note, 注6, or the heading or the item that it opens.

    >>> from finrag_pipeline.grammar.quantities import quantities_in
    >>> told = "（人社部发〔2023〕41号）依从性提升41%"
    >>> [each.text for each in quantities_in(told) if not is_of_name(told, each)][-1:]
    ['41%']
    >>> [is_of_name(each, next(quantities_in(each))) for each in ("注6：子公司", "详见注释12")]
    [True, True]
    """
    opens = _NUMBERED.match(text)
    if opens and quantity.end <= opens.end() and not counted(quantity, text).unit:
        return True
    if not quantity.text.rstrip("类个种型").isdigit():
        return False
    ahead = text[: quantity.start]
    if _CALLS.search(ahead) and (_PAPER.match(text, quantity.end) or _REMARK.search(ahead)):
        return True
    named = bool(_NAMED.search(ahead))
    return named or bool(_NAMED_UNCOUNTED.search(ahead) and not counted(quantity, text).unit)
