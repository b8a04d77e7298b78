"""Reads kind and language: what sort of document this is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.stages.metadata.front import Block, Found

_KINDS = (
    ("industry", re.compile(r"行业|产业|专题|白皮书|市场研究|板块|industry|sector", re.IGNORECASE)),
    (
        "strategy",
        re.compile(
            r"策略|宏观|金融工程|金工|量化|因子|固定收益|资产配置|择时|strategy|macro|portfolio",
            re.IGNORECASE,
        ),
    ),
)
#: Names of research series: a cover prints them in its head.
_SERIES = (
    (
        "strategy",
        re.compile(r"金融工程|金工|量化|策略(?:研究|报告|专题)|宏观|固定收益|固收|资产配置"),
    ),
    ("industry", re.compile(r"行业(?:研究|深度|点评|报告|专题|周报|动态|跟踪)")),
)


def read_kind(title: Found[str], front: Sequence[Block], company: Found[str] | None) -> Found[str]:
    """A code is a company's; else what heads and title say, then what stands first on the page."""
    if company:
        return Found("company", company.places)
    heads = [block for block in front if block.kind == "header" or block.rule == "page_header"]
    for block in heads:
        for kind, pattern in _SERIES:
            if pattern.search(block.passage):
                return Found(kind, (block.place,))
    for kind, pattern in _KINDS:
        if pattern.search(title.value):
            return Found(kind, title.places)
    for block in front[:6]:
        for kind, pattern in _KINDS:
            if pattern.search(block.passage):
                return Found(kind, (block.place,))
    return Found("other")


def read_language(blocks: Sequence[Block]) -> str:
    """``zh`` or ``en`` by the first pages: disclaimers of Chinese reports are often in both."""
    text = "".join(block.passage for block in blocks if block.page <= 2)
    chinese = sum("\u4e00" <= char <= "\u9fff" for char in text)
    letters = sum(char.isalpha() for char in text)
    return "zh" if 5 * chinese >= letters else "en"
