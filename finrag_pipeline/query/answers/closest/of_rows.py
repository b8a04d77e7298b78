"""The cells of tables that a question may mean, with what they say of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from finrag_pipeline.grammar.quantities import number_of
from finrag_pipeline.query.answers.closest.found import FoundFigure
from finrag_pipeline.query.answers.closest.qualified import lacks_bound
from finrag_pipeline.query.answers.closest.wording import Wording
from finrag_pipeline.query.answers.counted import counts_otherwise
from finrag_pipeline.query.answers.passages.measured import says_topic
from finrag_pipeline.query.answers.passages.opposites import is_opposed
from finrag_pipeline.query.answers.passages.planned import lacks_standing
from finrag_pipeline.query.answers.passages.times import Time
from finrag_pipeline.query.answers.rows import RowsWriter
from finrag_pipeline.query.answers.rows.asking import AskedRow
from finrag_pipeline.query.answers.rows.cells import RowCell
from finrag_pipeline.query.answers.rows.kinds import counts_rows, is_change, is_share, of_kind
from finrag_pipeline.query.answers.rows.matching import units_of
from finrag_pipeline.query.answers.rows.strange import strange_units
from finrag_pipeline.query.answers.rows.table import TableRead
from finrag_pipeline.query.answers.rows.writer import printed
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.stages.tables.figures import Figure

#: How many names of cells are compared in meaning: those that share most of a question's
#: characters; of how many cells of such names times are read, and how many are read as a whole.
_MOST_COMPARED, _MOST_TIMED, _MOST_CELLS = 160, 300, 100
#: What it counts, beside the characters that are shared, that a name means the same, that its
#: document agrees with whom and when is meant, and that it is of the time asked for.
_MEANT, _AGREES, _TIMELY = 0.5, 0.4, 0.3
#: What is made, owed or worth, what a rate is of, and numbers that are no times: a cell that does
#: not say which is likely of another one.
_SAYS = re.compile(
    r"净?利润?|收入|营收|成本|费用?|净?亏损?|毛利|现金流|资产|负债|市值|余额|增[长加速幅]|下降|减少|同比|环比|"
    r"[\u3400-\u9fff]{2}(?=率)|-?\d+\.\d+"
)
_RATE = re.compile(r"率|比[例重]|占比|份额|[%％]")


def figures_of_rows(asked: Asked, wording: Wording, writer: RowsWriter) -> Iterator[FoundFigure]:
    """The cells that one question for a row may mean; none where several things are asked.

    Args:
        writer: finds tables and tells cells.
    """
    rows, tables = writer.read(asked, whole=True)
    if not rows:
        return
    row = rows[0]
    units = max(row.over([]).left, 1)
    agreement = asked.scope.agreement
    held: list[_Cell] = []
    for rank, (item, document) in enumerate(tables, 1):
        table = TableRead(item, document)
        unsaid = table.unsaid(row) / units
        agrees = agreement(document.document_id)
        whole = {"rank": float(rank), "unsaid": unsaid, "agrees": agrees}
        held += (
            _Cell(table, figure, table.name(figure), whole)
            for figure in _figures(table)
            if table.may_be_about(row, figure)
        )
    for cell in _likely(held, row, wording):
        table, figure = cell.table, cell.figure
        traits = _traits(row, wording, table, figure, units)
        value = printed(figure, table.label(figure), row)
        if traits is None or value is None:
            continue
        if counts_otherwise(wording.wanted.question, value) or wording.names_number(value):
            continue
        around = f"{table.around} {table.document.name or ''} {table.item.title or ''}"
        told = partial(_told, writer, row, table, figure)
        text, said = table.text(figure), {**cell.whole, **traits}
        place = f"table {said['rank']:.0f}", figure.row, figure.column
        label = table.label(figure)
        yield FoundFigure(
            text, cell.name, label, around, around, value, table.document, place, said, told
        )


def _likely(held: Sequence[_Cell], row: AskedRow, wording: Wording) -> list[_Cell]:
    """The cells that say most of what is asked for: by their names, of which those that share most
    characters are compared in meaning, and by their times."""
    meant = wording.meant([each.name for each in held])
    ways = (way for ways in row.names for way in ways)
    asked_for = frozenset(units_of(" ".join((row.words, *row.chinese, *ways))))
    shares = {
        name: len(asked_for.intersection(units_of(name))) / len(asked_for) + _MEANT * near
        for name, near in meant.items()
    }

    def share(cell: _Cell) -> float:
        return shares[cell.name] + _AGREES * cell.whole["agrees"]

    compared = sorted(held, key=share, reverse=True)
    names = list(dict.fromkeys(each.name for each in compared))[:_MOST_COMPARED]
    near = {name: bare for name, (bare, _) in zip(names, wording.near(names), strict=True)}
    worth = {
        n: share(each) + near[each.name] for n, each in enumerate(compared) if each.name in near
    }
    first = sorted(worth, key=worth.__getitem__, reverse=True)[:_MOST_TIMED]
    times = {n: _time(row, compared[n]) for n in first}
    first.sort(key=lambda n: worth[n] + _TIMELY * (times[n] >= Time.DOCUMENT), reverse=True)
    return [
        compared[n].saying(meant=meant[compared[n].name], time=times[n])
        for n in first[:_MOST_CELLS]
    ]


def _time(row: AskedRow, cell: _Cell) -> Time:
    """How far a cell is of the time asked for; of any where none is."""
    return cell.table.time(row, cell.figure) if row.times.asked else Time.NAMED


def _told(writer: RowsWriter, row: AskedRow, table: TableRead, figure: Figure) -> Draft | None:
    labels, rows = table.labels(row, figure), table.rows(figure)
    cell = RowCell(table.item, table.document, figure, labels, rows, 1.0)
    return writer.draft(cell, row)


@dataclass(frozen=True, slots=True)
class _Cell:
    """A figure of a table with its name, and what its table as a whole says of a question."""

    table: TableRead
    figure: Figure
    name: str
    whole: Mapping[str, float]

    def saying(self, **more: float) -> _Cell:
        """The same with more traits."""
        return replace(self, whole={**self.whole, **more})


def _figures(table: TableRead) -> Iterator[Figure]:
    """The figures of a table, those that its cells say in words among them."""
    for figure in (*table.item.figures(), *table.item.figures_in_words()):
        if number_of(figure.text) is not None and not counts_rows(figure):
            yield figure


def _traits(
    row: AskedRow, wording: Wording, table: TableRead, figure: Figure, units: int
) -> dict[str, float] | None:
    """What a cell says of a question; None of somebody else's, or of something else."""
    text = table.text(figure)
    if is_opposed(row.words, text) or wording.names_other(text):
        return None
    said = table.said(row, figure)
    if said is None:
        return None
    wanted, whole, label = wording.wanted, table.all_text(figure), table.label(figure)
    topics = [says_topic(each, whole) for each in wanted.topics]
    if topics and not any(topics):
        return None  # 原油产量 is not that of milk
    if lacks_standing(wanted.question, whole):
        return None
    lacks = {"no_bound": lacks_bound(wording.wanted, whole), "no_topics": not all(topics)}
    share = 1 - said.left / units
    heading = " | ".join(figure.columns)
    told = wanted.text(text)
    return {
        **lacks,
        "lacks": sum(lacks.values()),
        "table": 1,
        "said": share,
        "own": (said.units[0] + said.units[4]) / units,
        "heading": said.units[1] / units,
        "over": said.units[2] / units,
        "beside": said.units[3] / units,
        "kind": of_kind(row, figure),
        "fits": _may_be_share(row, figure) and (not wording.asks_change or is_change(figure)),
        "named": all(each in whole for each in _SAYS.findall(row.words)),
        "head": not wanted.head or any(each in whole for each in wanted.head),
        "strange": strange_units(row, label),
        "strange_heading": strange_units(row, heading),
        "covered": wanted.covered(text, wanted.text(f"{table.around} {table.item.title or ''}")),
        "topic": wanted.topic(text),
        "metric": not wanted.metrics or wanted.names_metric(text),
        "measured": all(map(told.has, wanted.measured)),
        "money": bool(figure.measure and figure.measure.currency),
        "share": is_share(figure),
        "change": is_change(figure),
    }


def _may_be_share(row: AskedRow, figure: Figure) -> bool:
    """Whether a cell may be the share or rate that is asked for; true where none is."""
    if not (row.share or row.rate) or row.change:
        return True
    if row.share and (number_of(figure.text) or 0) < 0:
        return False  # what fell
    head = " ".join((*figure.labels[-1:], *figure.columns))
    return is_share(figure) or bool(_RATE.search(head))
