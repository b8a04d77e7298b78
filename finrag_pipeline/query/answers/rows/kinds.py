"""What the cell of a table tells by its heading and unit: an amount, a share, a change, or only the
number of its row."""

from __future__ import annotations

import re

from finrag_pipeline.grammar.kinds import kind_of
from finrag_pipeline.query.answers.passages.counting import asks_in_money, asks_in_units
from finrag_pipeline.query.answers.rows.asking import AskedRow
from finrag_pipeline.stages.tables.figures import Figure

CHANGES = re.compile(
    r"增减|变动|变化|增长|增速|增幅|同比|环比|幅度|涨跌|差值|差异|yoy|qoq|y/y|q/q|growth|change|^\(?\+/-",
    re.IGNORECASE,
)
_NUMBERS_ROWS = re.compile(r"序号|排名|排序|编号|名次|no\.?|#|rank", re.IGNORECASE)
#: What is counted by the piece: 多少员工.
_COUNTED = re.compile(
    r"(?:多少|几)[个名位家项件]?(?:员工|职工|人员|客户|供应商|股东|子公司|专利|门店|医院|国家|项目)"
    r"(?!.{0,6}(?:收入|金额|钱|费|薪|成本|投入))"
)
_SHARES = frozenset(("%", "‰", "pp", "bp"))
PERCENT = re.compile(r"[%％]")


def counts_rows(figure: Figure) -> bool:
    """Whether a cell only numbers its row."""
    return bool(figure.columns) and bool(_NUMBERS_ROWS.fullmatch(figure.columns[-1].strip()))


def is_change(figure: Figure) -> bool:
    """Whether a cell tells how far another one changed."""
    own = figure.columns[-1:] if figure.columns else ()
    label = figure.labels[-1] if figure.labels else ""
    return any(CHANGES.search(each) for each in own) or kind_of(label) == "change"


def is_share(figure: Figure) -> bool:
    """Whether a cell is counted of a hundred."""
    unit = figure.measure.unit if figure.measure else ""
    if unit and unit not in _SHARES and figure.source not in ("table", "page"):
        return bool(PERCENT.search(figure.text))  # 主力净流入（亿元） under 周涨跌%
    head = " ".join((*figure.labels[-1:], *figure.columns))
    return unit in _SHARES or bool(PERCENT.search(figure.text) or PERCENT.search(head))


def of_kind(asked: AskedRow, figure: Figure) -> bool:
    """Whether a cell is an amount, a share or a change, as is asked."""
    if is_change(figure) != (asked.change and not asked.amount):
        return False
    counted = asks_in_units(asked.words) or _COUNTED.search(asked.words)
    if counted and figure.measure and figure.measure.currency:
        return False  # 多少吨 has no answer in money
    if asks_in_money(asked.words) and figure.measure and figure.measure.unit == "x":
        return False  # EV/EBITDA is none
    if is_change(figure):
        return True
    return is_share(figure) == (asked.share or asked.rate) or (
        # what is printed without a sign may be a share for all that
        not is_share(figure) and figure.measure is None
    )
