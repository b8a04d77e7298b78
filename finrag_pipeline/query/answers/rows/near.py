"""The cell that says most of what is asked and lies near to it in meaning, where none says all: the
rest is asked in other words, 退休人员 for 离退休职工.

Cells that say every word are `cells`'.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from finrag_pipeline.grammar.quantities import number_of
from finrag_pipeline.models.embedding import Embedder
from finrag_pipeline.query.answers.passages.apart import nearest
from finrag_pipeline.query.answers.passages.opposites import is_opposed
from finrag_pipeline.query.answers.passages.times import Time
from finrag_pipeline.query.answers.rows.asking import AskedRow
from finrag_pipeline.query.answers.rows.cells import RowCell
from finrag_pipeline.query.answers.rows.kinds import counts_rows, is_share, of_kind
from finrag_pipeline.query.answers.rows.table import TableRead
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.stages.tables.figures import Figure

#: Share of what is asked that a cell has to say, how near it has to lie, see
#: `VectorSpace.nearness`, and both together.
_LEAST_SAID, _LEAST_NEAR, _LEAST = 0.6, 0.35, 1.1
#: Cells that are compared by meaning: those that say most.
_MOST_COMPARED = 40
#: What is made, owed or worth: a cell that does not say which is of another one.
_MONEY = re.compile(
    r"净?利润?|收入|营收|成本|费用?|净?亏损?|毛利|现金流|资产|负债|市值|余额|增[长加速幅]|下降|减少|同比|环比"
)
_RATE = re.compile(r"率|比[例重]|占比|份额|[%％]")
#: What a rate is of, and numbers that are no times: a cell has to say both.
_RATE_OF = re.compile(r"(?P<of>[\u3400-\u9fff]{2})率")
_NUMBER = re.compile(r"-?\d+\.\d+")


@dataclass(frozen=True, slots=True)
class _Near:
    cell: RowCell
    said: float
    text: str


def near_cell(
    asked: AskedRow,
    tables: Sequence[tuple[TableItem, DocumentFacts]],
    embedder: Embedder,
    head: Sequence[str] = (),
    parts: Sequence[str] = (),
) -> RowCell | None:
    """The cell that comes nearest to what is asked; None where none is near enough, or another
    figure is as near.

    Args:
        asked: of tables that say so much, see `AskedRow.among`.
        embedder: by which meanings are compared.
        head: words for the figure itself, one of which a cell has to say; empty: any.
        parts: businesses, projects and the like of which it has to be.
    """
    found = sorted(_said(asked, tables, head, parts), key=lambda each: -each.said)[:_MOST_COMPARED]
    if not found:
        return None
    vectors = embedder.embed_passages([each.text for each in found])
    cosines = vectors @ embedder.embed_questions([asked.words])[0]
    judged = [
        (each.said, embedder.space.nearness(float(cosine)), each.cell.value)
        for each, cosine in zip(found, cosines, strict=True)
    ]
    best = nearest(judged, _LEAST_NEAR, _LEAST)
    return found[best].cell if best is not None and found[best].said >= _LEAST_SAID else None


def _said(
    asked: AskedRow,
    tables: Sequence[tuple[TableItem, DocumentFacts]],
    head: Sequence[str],
    parts: Sequence[str],
) -> Iterator[_Near]:
    """The cells of whom, when and of the kind asked for, each with the share of the words that it
    says."""
    units = asked.over([]).left
    if not units:
        return
    for item, document in tables:
        table = TableRead(item, document)
        if not (asked.names or table.is_about(asked)):
            continue
        if table.unsaid(asked) > units * (1 - _LEAST_SAID):
            continue  # most tables
        for figure in item.figures():
            if number_of(figure.text) is None or not _may_answer(asked, figure):
                continue
            said = table.said(asked, figure)
            # some of it has to be said by the row itself
            if said is None or not (said.units[0] or said.units[4]):
                continue
            if asked.times.asked and table.time(asked, figure) < Time.DOCUMENT:
                continue
            text = table.text(figure)
            whole = table.all_text(figure)
            if is_opposed(asked.words, text) or not _says_what(asked, whole):
                continue
            if head and not any(each in whole for each in head):
                continue
            if not all(each in whole for each in parts):
                continue
            labels, rows = table.labels(asked, figure), table.rows(figure)
            share = 1 - said.left / units
            cell = RowCell(item, document, figure, labels, rows, share)
            yield _Near(cell, share, text)


def _may_answer(asked: AskedRow, figure: Figure) -> bool:
    if counts_rows(figure) or not of_kind(asked, figure):
        return False
    if not (asked.share or asked.rate) or asked.change:
        return True
    if asked.share and (number_of(figure.text) or 0) < 0:
        return False  # what fell
    head = " ".join((*figure.labels[-1:], *figure.columns))
    return is_share(figure) or bool(_RATE.search(head))


def _says_what(asked: AskedRow, text: str) -> bool:
    """Whether a text says each thing asked that is made, owed or worth, what a rate is of, and each
    number."""
    words = (*_MONEY.findall(asked.words), *_NUMBER.findall(asked.words))
    rates = _RATE_OF.findall(asked.words)
    return all(each in text for each in words) and (not rates or any(map(text.__contains__, rates)))
