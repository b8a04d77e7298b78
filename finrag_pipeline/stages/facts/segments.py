"""Figures of segments: 分行业, 分产品, 分地区, 分销售模式, with revenue, cost and margin.

Every one carries its segment: none of them is the whole company's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from finrag_pipeline.grammar.fact_metrics import FactMetric, fact_metrics, metric_of_label
from finrag_pipeline.grammar.numerals import narrow
from finrag_pipeline.records.facts import FinancialFact
from finrag_pipeline.stages.facts.columns import Column
from finrag_pipeline.stages.facts.filing import Filing, instant
from finrag_pipeline.stages.facts.lines import Line, ReadTable
from finrag_pipeline.stages.facts.making import Counted, Maker

_METRICS = ("revenue", "cost_of_sales", "printed_gross_margin")
_COMPOSED = re.compile(r"营业(?:总)?收入(?:的?构成|合计|总计)|^分(?:行业|产品|地区|业务)$")
_NAMED = re.compile(r"收入构成|分行业|分产品|分地区|主营业务")
_TOTAL = re.compile(
    r"^(?:合计|总计|小计|营业(?:总)?收入(?:合计|总计)?|主营业务(?:收入)?(?:合计|小计))$"
)
_NO_SEGMENT = re.compile(
    r"^(?:分(?:行业|产品|地区|业务|销售模式)|项目|主营业务分\S*情况|按.*|.*(?:类型|分类)|(?:在)?某一时[点段].*|[\W\d]*)$"
)
_BEFORE = re.compile(r"^(?:其中[:：]?|[（(]?[一二三四五六七八九十\d]{1,2}[)）、.．]\s*)+")
_DIVIDED = re.compile(r"[分按](?:行业|产品|地区|区域|业务|销售模式|渠道|客户)")
_LONG = 40


def segment_columns(read: ReadTable) -> Mapping[int, FactMetric]:
    """The columns that count something of each row's segment; empty where a table has no such two.

    Headings say what is counted, labels of what.
    """
    found: dict[int, FactMetric] = {}
    for column, path in read.paths.items():
        metric = metric_of_label(path[-1]) if path and column and not _divided(path) else None
        if metric and metric.name in _METRICS:
            found[column] = metric
    return found if len({metric.name for metric in found.values()}) >= 2 else {}


def _divided(path: tuple[str, ...]) -> bool:
    """Whether a column is of one segment, or of all: a table of two dimensions."""
    return any("分部" in text or "合计" in text or "公司" in text for text in path)


def is_composition(read: ReadTable, over: Sequence[str]) -> bool:
    """Whether a table tells how sales are composed: a row a segment, amounts by period."""
    labels = ["".join(label.split()) for _, _, label in read.labels]
    composed = sum(bool(_COMPOSED.search(label)) for label in labels)
    named = any(_NAMED.search(text) for text in over[:3])
    return composed >= 2 or (composed == 1 and named)


def segment_facts(
    read: ReadTable, filing: Filing, metrics: Mapping[int, FactMetric]
) -> Iterator[FinancialFact]:
    """The facts of a table of segments in order of print.

    Args:
        metrics: what its columns count, see `segment_columns`; empty where all of it is sales.
    """
    maker = Maker(filing, read.table)
    own = filing.year_to_date
    default = Column(own, instant(own.last_on)) if own else None
    ambiguous = _ambiguous(read)
    for line in read.lines:
        metric = metrics.get(line.figure.column) if metrics else fact_metrics()["revenue"]
        segment = _segment(line)
        if segment in ambiguous:
            division = _division(read, line.figure.row)
            segment = f"{segment}（{division}）" if division else None
        column = line.column or (default if metrics else None)
        if metric is None or segment is None or column is None:
            continue
        fact = maker.fact(
            line,
            Counted(metric.name, metric.kind, metric.timing),
            column,
            discussion=True,
            segment=segment,
        )
        if fact:
            yield fact


def _segment(line: Line) -> str | None:
    """The segment that a row is of; None for totals and headings."""
    name = _BEFORE.sub("", "".join(narrow(line.label).split()))
    if not name or len(name) > _LONG or _TOTAL.match(name) or _NO_SEGMENT.match(name):
        return None
    return name


def _ambiguous(read: ReadTable) -> set[str]:
    """Names that rows with other figures have too: 其他 of the products and of the regions."""
    told: dict[str, dict[int, set[str]]] = {}
    for line in read.lines:
        if segment := _segment(line):
            rows = told.setdefault(segment, {})
            rows.setdefault(line.figure.row, set()).add(line.figure.text)
    return {
        segment
        for segment, rows in told.items()
        if len({frozenset(texts) for texts in rows.values()}) > 1
    }


def _division(read: ReadTable, row: int) -> str | None:
    """By what the segments at a row are divided: the last heading above it that says so."""
    above = [_DIVIDED.search(label) for at, _, label in read.labels if at <= row]
    found = [match[0] for match in above if match]
    heads = [match[0] for path in read.paths.values() if (match := _DIVIDED.search("".join(path)))]
    return found[-1] if found else heads[0] if heads else None
