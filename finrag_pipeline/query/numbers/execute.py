"""A question for figures, answered from the views of facts: read, worked out, put in order.

What is read is `compile`'s, how figures are worked out `operands` and `arithmetic`, what is made of
many `aggregates`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from finrag_pipeline.query.numbers.aggregates import made_of_all
from finrag_pipeline.query.numbers.compile import (
    View,
    Wanted,
    all_measures,
    newest_year_select,
    wanted_facts,
)
from finrag_pipeline.query.numbers.expressions import figures_of
from finrag_pipeline.query.numbers.near import nearest_facts
from finrag_pipeline.query.numbers.operands import Held, disagreeing
from finrag_pipeline.query.numbers.printed import with_printed
from finrag_pipeline.query.numbers.records import (
    AskedPeriod,
    HeldFact,
    NumberQuestion,
    NumberResult,
    NumberRow,
)
from finrag_pipeline.query.numbers.rows import rows_of
from finrag_pipeline.query.numbers.sql_gate import CheckedSelect, checked_sql, run_checked
from finrag_pipeline.query.numbers.statements import facts_statement
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.facts import cited_facts

#: What tells figures one by one.
_TOLD = ("value", "whether")


@dataclass
class _Reads:
    """What is read for one question, and by which statements."""

    connection: Connection[Row]
    sql: list[str] = field(default_factory=list[str])
    cut: bool = False

    def facts(self, view: View, wanted: Wanted) -> tuple[HeldFact, ...]:
        return tuple(HeldFact(**row) for row in self.rows(facts_statement(view, wanted)))

    def quotes(self, fact_ids: Sequence[str]) -> Mapping[str, tuple[str, str]]:
        """Sentences or rows of facts, and their figures as printed."""
        rows = cited_facts.read(self.connection, list(fact_ids))
        return {row["fact_id"]: (row["quote"], row["text"]) for row in rows}

    def rows(self, select: CheckedSelect) -> Sequence[Mapping[str, Any]]:
        found = run_checked(self.connection, select)
        self.sql.append(select.sql)
        self.cut = self.cut or found.cut
        return found.rows


def answer_numbers(question: NumberQuestion, connection: Connection[Row]) -> NumberResult:
    """Answer a question as far as facts are held.

    Some 10 ms for one company, of which SQL takes half.

    Args:
        connection: a reader's, of one application up to a day.

    Raises:
        SqlRefused: it takes too long.
    """
    reads = _Reads(connection)
    if not (question.companies or question.everyone):
        return NumberResult(question)
    asked = replace(question, periods=_placed(question, reads))
    compared = any(each.shift for one in all_measures(asked) for each in figures_of(one.expression))
    natures: set[str] = set(question.natures)
    if not question.everyone:
        # where nothing is reported yet, what is expected is told as such, and grows on what was
        natures |= {"forecast"} | ({"actual"} if compared else set())
    wanted = wanted_facts(asked, natures)
    # of each house the newest is the best, unless an earlier document is meant
    dated = any(each.published for each in asked.houses)
    best = reads.facts("facts" if dated else "best_facts", wanted)
    beside: tuple[HeldFact, ...] = ()
    if compared and not question.everyone and best:
        beside = reads.facts("facts", replace(wanted, natures=("actual",)))
    result = worked_out(asked, best, beside)
    if compared and question.operation in _TOLD:
        rows = with_printed(result.rows, _of_one(asked, beside), reads.quotes)
        result = replace(result, rows=rows)
    near: tuple[HeldFact, ...] = ()
    if not question.everyone and any(row.value is None for row in result.rows):
        near = nearest_facts(asked, reads.facts)
    if reads.cut:
        # what is made of a part is wrong of the whole
        result = NumberResult(asked)
    return replace(
        result, nearest=(*result.nearest, *near), sql=tuple(dict.fromkeys(reads.sql)), cut=reads.cut
    )


def worked_out(
    question: NumberQuestion, best: Sequence[HeldFact], beside: Sequence[HeldFact]
) -> NumberResult:
    """What facts that are held say to a question; the pure part of `answer_numbers`.

    Args:
        best: rows of the view `best_facts`.
        beside: rows of `facts` of the same: what contradicts, and what one document tells of the
            year before.
    """
    held = Held(_of_one(question, best), _of_one(question, beside))
    names = {each.keys[0]: each.name or each.text for each in question.companies}
    rows = [
        row if row.company_name else replace(row, company_name=names.get(row.company_key))
        for each in all_measures(question)
        for row in rows_of(question, each, held)
    ]
    result = made_of_all(question, rows, held)
    disputed: list[HeldFact] = []
    told: list[NumberRow] = []
    for row in result.rows:
        others = [other for fact in row.facts for other in disagreeing(fact, beside)]
        disputed += others
        told.append(replace(row, notes=(*row.notes, "sources_disagree")) if others else row)
    return replace(result, rows=tuple(told), nearest=tuple(disputed))


def _of_one(question: NumberQuestion, facts: Sequence[HeldFact]) -> list[HeldFact]:
    """Facts under one key a company, those in the currency asked for where there are any."""
    first = {other: each.keys[0] for each in question.companies for other in each.also}
    found = [
        replace(each, company_key=first[each.company_key]) if each.company_key in first else each
        for each in facts
    ]
    asked = [each for each in found if each.currency in (None, question.currency)]
    return asked if question.currency and any(each.currency for each in asked) else found


def _placed(question: NumberQuestion, reads: _Reads) -> tuple[AskedPeriod, ...]:
    """The periods of a question over everyone that names none: the newest full years."""
    if question.periods or not question.everyone:
        return question.periods
    metrics = {
        figure.metric for each in question.measures for figure in figures_of(each.expression)
    }
    found = reads.rows(checked_sql(newest_year_select(metrics, "FY")))
    newest = found[0]["newest"] if found else None
    if newest is None:
        return ()
    count = max(question.recent, 1)
    return tuple(AskedPeriod(newest - back, "FY") for back in reversed(range(count)))
