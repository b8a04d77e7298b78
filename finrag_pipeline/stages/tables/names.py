"""Names that stand over tables: statements by name, and words that only head a label column."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.words import fold

_PATH = Path(__file__).with_name("names.csv")
#: What heads a column of labels and names no table.
_LABELS = "labels"
_BRACKETED = re.compile(r"\([^()]*\)|【[^】]*】|\[[^\]]*\]")
_UNIT = re.compile(
    r"(?:单位|單位|unit)\s*[:：]?.*$|"
    r"(?:人民[币幣]|港[币幣]|rmb|cny|hk\$)?(?:百[万萬]|[千亿億万萬])+(?:[美港]?元|人民[币幣])?$"
)
#: Marks and numbers before a name, and whose or which ones they are.
_BEFORE = re.compile(
    r"^(?:[^\w(]+|(?:附?[图表]+\s*)?\d+\s*[:：.、]|[一二三四五六七八九十]+、|"
    r"(?:主要|重要|关键|關鍵|核心|简要|簡要|简明|簡明|合并|合併|综合|綜合|公司|预测|預測|未?[经經][审審][核计計]"
    r"|condensed|consolidated|key|main)\s*)+"
)
_AFTER = re.compile(r"[\s:：]+$|(?:摘要|简表|预测|簡表|預測|\(?续表?\)?)$")


def is_statement_name(text: str) -> bool:
    """Whether a text names a statement, or a table of ratios, and nothing beside it but its unit.

    >>> [is_statement_name(text) for text in (
    ...     "利润表（百万元）", "主要财务比率", "合并资产负债表", "Cash Flow", "估值指标")]
    [True, True, True, True, False]
    >>> is_statement_name("簡明綜合損益表（未經審核）"), is_statement_name("現金流量表（百萬港元）")
    (True, True)
    """
    return _names().get(_bare(text), _LABELS) != _LABELS


def is_label_heading(text: str) -> bool:
    """Whether a text heads a column of labels and names no table: 会计年度, 项目, a unit.

    >>> [is_label_heading(text) for text in ("会计年度", "项目/年度", "单位：百万元", "利润表")]
    [True, True, True, False]
    """
    pieces = [piece for piece in re.split(r"[/\\|]", _plain(text)) if piece]
    return all(_names().get(piece) == _LABELS for piece in pieces)


def is_unit(text: str) -> bool:
    """Whether a text states a unit and names nothing.

    >>> [is_unit(text) for text in ("单位：百万元 币种：人民币", "（元）", "利润表（单位：元）")]
    [True, True, False]
    """
    return not _plain(text)


def same_name(one: str, two: str) -> bool:
    """Whether two headings are one, white space and marks aside."""
    return bool(_bare(one)) and _bare(one) == _bare(two)


def _bare(text: str) -> str:
    """A name without its unit, number and qualifiers."""
    shown = _BEFORE.sub("", _plain(text))
    while (shorter := _AFTER.sub("", shown)) != shown:
        shown = shorter
    return shown


def _plain(text: str) -> str:
    shown = _UNIT.sub("", _BRACKETED.sub("", fold(text)).strip())
    return " ".join(shown.split()) if shown.isascii() else "".join(shown.split())


@cache
def _names() -> Mapping[str, str]:
    return {
        wording: row["names"]
        for row in data_rows(_PATH, ("names", "wordings"))
        for wording in row.listed("wordings")
    }
