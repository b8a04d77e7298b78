"""What a stretch stands in that shows it to be no name of a firm, however it is written: a word, a
title, a technology, what is called after a firm."""

from __future__ import annotations

import re

_FIRM_WORDS = frozenset(("公司", "母公司", "子公司", "孙公司"))
_EQUIPPED = re.compile("(?:搭载|采用|运用|应用|独创|首创|打造|配备)[^，。；、\n]{0,12}$")
#: What has a name of its own behind that of a firm: 体验中心, 生产筹建处; not where it makes and
#: develops, which is told of firms.
_SITE = re.compile(
    "(?!研发|生产基地|总部|制造|分公司|公司)[\u3400-\u9fff]{0,4}"
    "(?:体验中心|展厅|水?电站|水利枢纽|大坝|筹建处|冷库|博物馆|大厦|广场|体育馆|学院|奖学金|联盟)"
)
#: A field of business, and what is called by one: 电力|体制改革, 农业科技|奖, 产业投资|基金.
_FIELD = re.compile(
    "等?(?:[\u3400-\u9fff]{1,2}等)?[\u3400-\u9fff]{0,2}领域|(?:进步|创新|特别)?奖|体制|改革|基金(?!公司|管理)"
)


def cuts_firm(text: str, start: int, end: int) -> bool:
    """Whether a stretch begins or ends inside a word for a company: 公|司控|股, 6月|母|公司."""
    edges = (text[start - 1 : start + 1], text[end - 1 : end + 1], text[end - 1 : end + 2])
    return bool(_FIRM_WORDS.intersection(edges))


def is_of_title(text: str, start: int, end: int) -> bool:
    """Whether a stretch is but a part of a title or of what stands in quotation marks:
    《金天格联合阿法骨化醇的研究》, “零碳联盟”.

    >>> text = "成立“零碳联盟”，《星河改善睡眠》刊出，收购“云岭电气”。"
    >>> [is_of_title(text, text.index(each), text.index(each) + len(each))
    ...     for each in ("零碳", "星河", "云岭电气", "收购")]
    [True, True, False, False]
    """
    for opened, closed in ("《》", "“”"):
        begun = text.rfind(opened, 0, start)
        if begun < 0 or closed in text[begun:start]:
            continue
        ended = text.find(closed, end)
        whole = start == begun + 1 and ended == end
        return ended >= 0 and not whole
    return False


def is_technology(text: str, start: int, end: int) -> bool:
    """Whether a stretch is a technology that something has: 搭载的水润焕鲜科技，使…."""
    named = text.endswith("科技", start, end) and text[end : end + 1] in (
        "，",
        "。",
        "；",
        "、",
        "",
    )
    return named and _EQUIPPED.search(text, max(0, start - 16), start) is not None


def is_site(text: str, end: int) -> bool:
    """Whether what ends there is but what a place is called after: 葛洲坝|电站."""
    return _SITE.match(text, end) is not None


def is_called_after(text: str, end: int) -> bool:
    """Whether what ends there is but what a place is called after, or a field of business.

    >>> [is_called_after(text, 4) for text in ("云岭智造体验中心", "直流电器等领域", "云岭智造称")]
    [True, True, False]
    >>> is_called_after("国家电力体制改革", 4), is_called_after("神农科技奖", 4)
    (True, True)
    """
    return is_site(text, end) or _FIELD.match(text, end) is not None
