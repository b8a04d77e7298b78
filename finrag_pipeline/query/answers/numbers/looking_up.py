"""What the store has for one question: its figures, what stands beside them, what they stand on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from finrag_pipeline.query.evidence.fact import FactItem, read_facts
from finrag_pipeline.query.numbers.execute import answer_numbers
from finrag_pipeline.query.numbers.expressions import Figure
from finrag_pipeline.query.numbers.growths import changed_measure, grown_since
from finrag_pipeline.query.numbers.records import (
    HeldFact,
    NumberQuestion,
    NumberResult,
    NumberRow,
)
from finrag_pipeline.records.facts import FinancialFact
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.facts import cited_facts

#: Days between the opening of a year and the end of its third quarter are fewer.
_WITHIN_DAYS = 300
#: Facts of a growth on a figure that is printed; one that is worked out would need its own working.
_COMPARED = 2


@dataclass(frozen=True, slots=True)
class Held:
    """What was found.

    Attributes:
        items: every figure that may be cited, by its id.
        grown: how far the one sum of money that is asked for has grown (`grown_since`).
        alike: ids of the figures that speak of the same as the one that is asked for.
    """

    result: NumberResult
    items: Mapping[str, FactItem]
    grown: NumberRow | None = None
    alike: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether every figure that is asked for is there."""
        return bool(self.result.rows) and all(row.value is not None for row in self.result.rows)


def look_up(connection: Connection[Row], question: NumberQuestion) -> Held:
    """The figures of a question.

    Args:
        connection: a reading of the app by the day asked for.
    """
    result = answer_numbers(question, connection)
    rows = [row for row in result.rows if row.value is not None]
    grown = _growth(connection, question, rows)
    single = len(rows) == 1 and not rows[0].steps and bool(rows[0].facts)
    alike = _said_alike(connection, rows[0].facts[0]) if single else []
    every = [*_fact_ids(result), *(grown.fact_ids if grown else ()), *alike]
    return Held(result, read_facts(connection, every), grown, tuple(alike))


def _said_alike(connection: Connection[Row], fact: HeldFact) -> list[str]:
    return cited_facts.said_alike(
        connection,
        company_key=fact.company_key,
        metric=fact.metric,
        segment=fact.segment,
        fiscal_year=fact.fiscal_year,
        period=fact.period,
        scope=fact.scope,
        nature=fact.nature,
        broker=fact.broker,
    )


def _fact_ids(result: NumberResult) -> Iterable[str]:
    rows = (*result.rows, *filter(None, [result.summary]), *result.without)
    for row in (*rows, *(each.otherwise for each in rows if each.otherwise)):
        yield from row.fact_ids
        for step in row.steps:
            yield from step.fact_ids
    yield from (each.fact_id for each in result.nearest)


def _growth(
    connection: Connection[Row], question: NumberQuestion, rows: Sequence[NumberRow]
) -> NumberRow | None:
    if question.operation != "value" or len(rows) != 1 or len(question.measures) != 1:
        return None
    (row,), (measure,) = rows, question.measures
    money = FinancialFact.currency_of(row.unit) is not None and "/" not in row.unit
    if not isinstance(measure.expression, Figure) or not money or row.nature != "actual":
        return None
    if row.period is None or row.steps:
        return None  # what is worked out is told with its own working alone
    grown = changed_measure(measure, "year_on_year", grown_since(measure, row.period))
    wanted = replace(
        question, measures=(grown,), periods=(row.period,), latest=False, recent=0, unit=""
    )
    found = [each for each in answer_numbers(wanted, connection).rows if each.value is not None]
    if len(found) != 1 or _opens_otherwise(found[0]) or len(found[0].facts) > _COMPARED:
        return None
    return found[0]


def _opens_otherwise(grown: NumberRow) -> bool:
    """Whether it is counted from an opening that is not the calendar's: such filers' reports
    compare otherwise."""
    days = sorted(each.last_on for each in grown.facts)
    within = (days[-1] - days[0]).days < _WITHIN_DAYS
    return within and (days[0].month, days[0].day) != (12, 31)
