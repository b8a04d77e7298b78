"""What other sources say of the same figure: told beside the one believed, never instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from finrag_pipeline.grammar.quantities import number_of
from finrag_pipeline.query.answers.numbers.lines import Lines
from finrag_pipeline.query.answers.numbers.wording import say
from finrag_pipeline.query.evidence.fact import FactItem
from finrag_pipeline.query.numbers.records import NumberRow
from finrag_pipeline.stages.facts.sources import fact_sources

#: Figures that contradict the one told, at most.
_TOLD = 2
#: Share up to which two figures are one that was rounded.
_ROUNDED = Decimal("0.001")


def contradicting(
    lines: Lines, row: NumberRow, alike: Sequence[str], items: Mapping[str, FactItem]
) -> list[str]:
    """A line for each other figure of the same, with its source and kind.

    Args:
        row: the figure as it is held.
        alike: ids of the figures that speak of the same, the one that is believed first.
    """
    assert row.value is not None  # only what is found is contradicted
    seen, told = [row.value], list[str]()
    for item in filter(None, map(items.get, alike)):
        half = half_digit(item.value, item.figure)
        if item.unit != row.unit or any(
            abs(item.value - each) <= half or not differs(item.value, each) for each in seen
        ):
            continue
        seen.append(item.value)
        figure = lines.short(replace(row, value=item.value, facts=(), notes=()))
        said = say(
            "other_source", lines.chinese, source=_source(item, lines.chinese), figure=figure
        )
        told.append(f"{said}{'' if lines.chinese else ' '}{lines.marks.of([item.fact_id])}")
        if len(told) == _TOLD:
            break
    return told


def differs(value: Decimal, other: Decimal) -> bool:
    """Whether two figures of the same are two, and not one that is rounded.

    >>> differs(Decimal("12196123456"), Decimal("12196000000")), differs(Decimal(5), Decimal(6))
    (False, True)
    """
    most = max(abs(value), abs(other))
    return most > 0 and abs(value - other) / most > _ROUNDED


def half_digit(value: Decimal, printed: str) -> Decimal:
    """What rounding may have taken from a figure: half of its last printed digit.

    >>> half_digit(Decimal(107_000_000), "1.07"), half_digit(Decimal(5), "n/a")
    (Decimal('500000.0'), Decimal('0'))
    """
    number = number_of(printed)
    exponent = number.as_tuple().exponent if number else None
    if not number or not isinstance(exponent, int):
        return Decimal(0)
    return abs(value / number) * Decimal(5).scaleb(exponent - 1)


def _source(item: FactItem, chinese: bool) -> str:
    source = fact_sources().get(item.kind_of_source)
    kind = "" if source is None else source.name_zh if chinese else source.name_en
    restated = say("restated", chinese) if item.restated else ""
    inside = ("，" if chinese else ", ").join(filter(None, [kind, restated]))
    return f"{item.source}（{inside}）" if chinese else f"{item.source} ({inside})"
