"""Causes that tables of filings give: a row's label, how its figure moved, and why.

Which columns and cells give causes is `causes`; whether a row is what is asked about `effects`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from finrag_pipeline.grammar.fact_metrics import metric_of_label
from finrag_pipeline.query.answers.passages.causes import (
    ends_cause,
    gives_cause,
    gives_causes,
    opens_cause,
)
from finrag_pipeline.query.answers.passages.effects import AskedEffect, outcomes
from finrag_pipeline.query.evidence.kinds import EvidenceItem, Quotable
from finrag_pipeline.query.question.catalogue import DocumentFacts

#: A cause of no more characters may only name another figure: 利润总额同比上升。
_SHORT = 20
#: How far a figure moved: -0.60, 增加1.01 个百分点.
_SHARE = re.compile(
    r"(?P<word>增加|减少|上升|下降)?\s*(?P<sign>[-－–])?\s*\d[\d.,]{0,10}\s*(?:[%％]|个百分点)?"
)
#: What a label says of when: 净利润_年初至报告期末.
_SINCE = re.compile(r"[_－—\-（(\s]*(?P<when>年初至报告期末|本报告期末?|本期末?)[）)\s]*$")
_QUARTERS = {3: "一", 6: "二", 9: "三", 12: "四"}


@dataclass(frozen=True, slots=True)
class CauseRow:
    """A row that gives a cause.

    Attributes:
        label: what it is the cause of, without its time.
        when: of when, as times are read; empty where the row says nothing of that.
        counted: the heading over how its figure moved, behind a comma.
        moved: how it moved, as printed.
        cause: the words of its cell.
    """

    said: Quotable
    label: str
    when: str
    counted: str
    moved: str
    cause: str


def cause_rows(
    effect: AskedEffect, question: str, item: EvidenceItem, document: DocumentFacts | None
) -> Iterator[tuple[float, Quotable, str]]:
    """Rows that give the cause of what is asked about, each with how far it is that, and the time
    that its label names; behind one that only names another figure the row of that."""
    read = (row for said in item.quotes(question) if (row := _read(said, document)))
    rows = _mended([*read])
    for row in rows:
        agreed = _agreement(effect, row)
        if not agreed:
            continue
        yield agreed, _told(row), row.when
        if len(row.cause) <= _SHORT and (named := outcomes(row.cause)):
            for other in rows:
                if other.when == row.when and _metric(other) in named - effect.metrics:
                    yield agreed, _told(other, of=row.label), other.when


def _mended(rows: Sequence[CauseRow]) -> list[CauseRow]:
    """Rows with whole causes: one cell beside several rows may be read as parts of each."""
    mended = list(rows)
    for n in range(len(mended) - 1, 0, -1):
        above, below = mended[n - 1], mended[n]
        torn = opens_cause(above.cause) and not ends_cause(above.cause)
        if torn and not opens_cause(below.cause):
            whole = f"{above.cause}{below.cause}"
            for k, row in enumerate(mended):
                if row.cause in (above.cause, below.cause):
                    mended[k] = replace(row, cause=whole)
    return mended


def _agreement(effect: AskedEffect, row: CauseRow) -> float:
    """How far a row is what is asked about: its label is the metric, and not of another one."""
    metric = _metric(row)
    if metric and effect.metrics and metric not in effect.metrics:
        return 0.0
    return effect.agreement(f"{row.label}{_direction(row.moved)}", effect.text(row.said.context))


def _metric(row: CauseRow) -> str:
    metric = metric_of_label(row.label)
    return metric.name if metric else ""


def _told(row: CauseRow, of: str = "") -> Quotable:
    """What is said of a row: its cells in their order, as the gate finds them in its quote."""
    moved = f"{row.moved} " if row.moved else ""
    line = f"{row.said.row[0][1]}{row.counted}：{moved}{row.cause}"
    return replace(row.said, told=line, about=f"{of} {row.label}\n{row.cause}".strip())


def _read(said: Quotable, document: DocumentFacts | None) -> CauseRow | None:
    """A row as one that gives a cause; None where it gives none."""
    if len(said.row) < 2:
        return None
    label, *cells = said.row
    causes = [text for heading, text in cells if len(text) > 3 and _is_cause(heading, text)]
    if not causes or not label[1]:
        return None
    match = _SINCE.search(label[1])
    when = _when(match["when"], document) if match else ""
    bare = label[1][: match.start()] if match else label[1]
    counted, moved = _moved(cells)
    return CauseRow(said, bare, when, counted, moved, causes[0])


def _is_cause(heading: str, text: str) -> bool:
    return not _SHARE.fullmatch(text.strip()) and (gives_causes(heading) or gives_cause(text))


def _moved(cells: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """How the figure of a row moved, behind the heading that says what is counted."""
    shares = [
        (heading, text.strip())
        for heading, text in cells
        if _SHARE.fullmatch(text.strip()) and re.search("[%％点]", f"{heading}{text}")
    ]
    if not shares:
        return "", ""
    heading, moved = shares[-1]
    return (f"，{heading}" if heading else ""), moved


def _direction(moved: str) -> str:
    """The word for how a figure moved."""
    match = _SHARE.fullmatch(moved)
    if match is None:
        return ""
    return "下降" if match["sign"] or match["word"] in ("减少", "下降") else "增长"


def _when(words: str, document: DocumentFacts | None) -> str:
    """The time that a label means by what it reports on, as texts write it."""
    last = document.row.period_last_on if document else None
    if last is None or last.month not in _QUARTERS:
        return ""
    if words.startswith("年初"):
        return f"{last.year}年1-{last.month}月"
    if document and document.form == "quarter":
        return f"{last.year}年第{_QUARTERS[last.month]}季度"
    return ""
