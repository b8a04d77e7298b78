"""Figures of a filing's tables of main accounting data and indicators, and of what it discusses.

主要会计数据, 主要财务指标, 分季度主要财务数据; lower: 相关科目变动分析, 费用, 研发投入, 现金流.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from finrag_pipeline.grammar.kinds import kind_of
from finrag_pipeline.grammar.quantities import number_of
from finrag_pipeline.records.facts import FinancialFact
from finrag_pipeline.stages.facts.filing import Filing
from finrag_pipeline.stages.facts.lines import Line, ReadTable
from finrag_pipeline.stages.facts.making import Counted, Maker

#: Metrics that only tables of the filer's own main figures print together.
_OWN = frozenset(
    (
        "net_profit_attributable",
        "adjusted_net_profit",
        "equity_attributable",
        "eps",
        "diluted_eps",
        "adjusted_eps",
        "weighted_roe",
        "adjusted_weighted_roe",
    )
)
_MAIN = _OWN | {"revenue", "total_revenue", "total_assets", "operating_cash_flow"}
_NAMED = re.compile(
    r"主要会计数据|主要财务(?:数据|指标)|会计数据和财务指标|主要财务会计数据|主要经营指标"
)
#: Tables that discuss what the statements print, of the filer as a whole.
_DISCUSSED = re.compile(
    r"科目变动|变动分析|资产(?:及|、|和)?负债(?:的?主要)?(?:状况|情况|变动|构成)|资产构成(?:重大)?变动|相关科目|财务数据同比|(?:^\D{0,8}|[、.．])(?:费用|现金流|研发投入)\D{0,4}$|研发投入情况|研发人员情况|研发投入"
)
#: A column that only the table of the filer's assets and debts has.
_OF_ALL_ASSETS = re.compile(r"占总资产")
_OTHERS = re.compile(
    r"子公司|参股|合营|联营|被购买|被投资|承诺|母公司|境外|联企业|终止经营|购买日|并购|标的|备考"
)
#: A heading that names another company: notes tell of associates side by side.
_OTHER = re.compile(r"(?:有限|股份|集团)公司|子公司|合营|联营|被投资")
_SHARE_OF_KNOWN = 0.5
#: Lines of statements that stand alone in a table, beside those of the year before and how far
#: they moved, discuss them though nothing over them says so.
_LEAST_ALONE = 3
_MOVED = re.compile(r"变动|增减|变化|同比")
_SPENT = "research_investment"
#: An amount so many times smaller than another of its row is a share under a heading of amounts.
_MONEY, _DWARFED = ("CNY", "HKD", "USD"), 1_000_000


def is_main(read: ReadTable, over: Sequence[str]) -> bool:
    """Whether a table is one of the filer's own main figures.

    Args:
        over: lines that stand over it, the nearest first.
    """
    if any(_OTHER.search(text) for path in read.paths.values() for text in path):
        return False
    names = {line.metric.name for line in read.lines if line.metric and line.column}
    own = names & _OWN
    if names & _MAIN and any(_NAMED.search(text) for text in over[:1]):
        return True  # of a table that goes on overleaf one row may be here
    return len(own) >= 2 or (
        len(names & _MAIN) >= 2 and (bool(own) or any(_NAMED.search(text) for text in over[:3]))
    )


def is_discussion(read: ReadTable, over: Sequence[str]) -> bool:
    """Whether a table compares lines of the filer's own statements with those of a year before."""
    rows = {line.figure.row for line in read.lines if line.column}
    known = {
        line.figure.row: line.metric.name for line in read.lines if line.column and line.metric
    }
    # shares and parts of what is spent on research stand beside it, and have no names
    whole = _SPENT in known.values() or len(known) >= _SHARE_OF_KNOWN * len(rows)
    if not known or not whole:
        return False
    if any(_OTHERS.search(text) for text in over[:3]):
        return False
    if len(known) == len(rows) >= _LEAST_ALONE and _compares(read):
        return True
    # a head may be set in as many rows as it has lines
    of_assets = any(_OF_ALL_ASSETS.search("".join(path)) for path in read.paths.values())
    return of_assets or any(_DISCUSSED.search(text) for text in over[:3])


def _compares(read: ReadTable) -> bool:
    """Whether two periods stand side by side, and how far their figures moved."""
    columns = {line.column for line in read.lines if line.column}
    moved = any(_MOVED.search(text) for path in read.paths.values() for text in path)
    return moved and len(columns) > 1


def indicator_facts(
    read: ReadTable, filing: Filing, *, discussion: bool = False
) -> Iterator[FinancialFact]:
    """The facts of a table of main figures in order of print.

    Args:
        discussion: whether it discusses the statements: then only metrics of the vocabulary count.
    """
    maker = Maker(filing, read.table)
    largest = _largest(read)
    for line in read.lines:
        counted = _counted(line, discussion)
        if counted is None or line.column is None:
            continue
        fact = maker.fact(line, counted, line.column, discussion=discussion)
        if fact and not (
            fact.unit in _MONEY and abs(fact.value) * _DWARFED < largest.get(_row(line), 0)
        ):
            yield fact


def _row(line: Line) -> int:
    return line.figure.row


def _largest(read: ReadTable) -> dict[int, Decimal]:
    """The largest figure of each row, in the base unit of what it is counted in."""
    found: dict[int, Decimal] = {}
    for line in read.lines:
        number, measure = number_of(line.figure.text), line.figure.measure
        if number is not None and measure and measure.currency:
            value = abs(number.scaleb(measure.power))
            found[_row(line)] = max(value, found.get(_row(line), Decimal(0)))
    return found


def _counted(line: Line, discussion: bool) -> Counted | None:
    if line.metric:
        return Counted(line.metric.name, line.metric.kind, line.metric.timing)
    kind = kind_of(line.label)
    if discussion or kind not in ("amount", "per_share", "share") or not line.bare:
        return None
    column = line.column
    instant = column is not None and column.flow is None
    return Counted(line.bare, kind, "instant" if instant else "flow")
