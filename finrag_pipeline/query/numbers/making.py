"""One row of a result: what was worked out at a point, or that nothing was."""

from __future__ import annotations

from decimal import Decimal

from finrag_pipeline.query.numbers.arithmetic import Worked
from finrag_pipeline.query.numbers.operands import Held, Point
from finrag_pipeline.query.numbers.records import Measure, NumberRow

#: Where there is no value.
_NOTHING = Worked(Decimal(0), "", "")


def empty_row(measure: Measure, point: Point, held: Held) -> NumberRow:
    """A row that says nothing yet."""
    return told_row(measure, point, held, _NOTHING, ())


def told_row(
    measure: Measure, point: Point, held: Held, worked: Worked, notes: tuple[str, ...]
) -> NumberRow:
    known = held.named(point.company)
    return NumberRow(
        company_key=point.company,
        company_name=known.company_name if known else None,
        company_code=known.company_code if known else None,
        measure=measure,
        period=point.period,
        value=worked.value if worked is not _NOTHING else None,
        unit=worked.unit,
        nature=point.nature,
        broker=point.broker,
        published=point.published,
        segment=point.segment,
        facts=worked.facts,
        steps=worked.steps,
        notes=tuple(dict.fromkeys(notes)),
    )
