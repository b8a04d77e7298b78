"""Rows of a vendor's table to figures, and to why some of them are none.

What columns mean is `mapping`, how files are read `cells`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.grammar.fact_metrics import fact_metrics, metric_of_label
from finrag_pipeline.grammar.measures import Measure, printed_measure
from finrag_pipeline.grammar.quantities import is_no_figure, parse_quantity
from finrag_pipeline.records.facts import Nature, Scope, SuppliedFact
from finrag_pipeline.stages.facts.measured import measured
from finrag_pipeline.stages.identity.codes import listing_code
from finrag_pipeline.stages.identity.company_keys import company_key
from finrag_pipeline.stages.structured.cells import Sheet, cells_by_role
from finrag_pipeline.stages.structured.mapping import FileMapping, MappedMetric, unit_of
from finrag_pipeline.stages.structured.periods import UnclearPeriod, day_of, period_of

#: As `stages/facts/sources.csv` ranks it.
SOURCE = "vendor"
_SCOPES: Mapping[str, Scope] = {
    **{"consolidated": "consolidated", "合并": "consolidated", "合并报表": "consolidated"},
    **{"parent": "parent", "母公司": "parent", "母公司报表": "parent"},
}
_NATURES: Mapping[str, Nature] = {
    **{"actual": "actual", "实际": "actual", "forecast": "forecast", "预测": "forecast"},
    **{"guidance": "guidance", "指引": "guidance"},
}
_TRUE = ("true", "1", "1.0", "yes", "y", "是", "调整后")
_FALSE = ("false", "0", "0.0", "no", "n", "否", "调整前")
#: What a figure counts in where nothing has to say so.
_PLAIN = {"share": Measure("%", "%"), "multiple": Measure("", "x")} | {
    "people": Measure("人", "人"), "shares": Measure("股", "股"),
    "holders": Measure("户", "户"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Refused:
    """A row, or one figure of it, that is not taken; `column` is empty for the whole row."""

    line: int
    column: str
    reason: str


@dataclass(frozen=True, slots=True)
class Supplied:
    """What a table gives: figures in its order, and what of it is refused."""

    facts: tuple[SuppliedFact, ...]
    refused: tuple[Refused, ...]


class _Unusable(ValueError):
    """A cell that cannot be used; the line says why."""


def supplied_facts(sheet: Sheet, mapping: FileMapping, published_on: date) -> Supplied:
    """The figures of a table.

    Figures that say the same are one; those that contradict each other are all refused, since
    nothing tells which is right.

    Args:
        published_on: of rows that have no day of their own, where the mapping names none.

    Raises:
        ConfigurationError: a column that the mapping names is not there; one line.
    """
    columns = _Columns(sheet, mapping)
    facts: list[SuppliedFact] = []
    refused: list[Refused] = []
    for line, cells in sheet.rows:
        row = dict(cells_by_role(cells, columns.roles))
        try:
            base = _Base(row, mapping, published_on)
        except (_Unusable, UnclearPeriod) as error:
            refused.append(Refused(line, "", str(error)))
            continue
        for heading, said, cell in columns.figures(row, cells):
            try:
                fact = base.fact(said, heading, cell, line)
            except (_Unusable, UnclearPeriod) as error:
                refused.append(Refused(line, heading, str(error)))
                continue
            if fact is not None:
                facts.append(fact)
    single, doubled = _single(facts)
    return Supplied(single, tuple(sorted([*refused, *doubled], key=lambda each: each.line)))


class _Columns:
    """Where the columns of a table are that its mapping names."""

    def __init__(self, sheet: Sheet, mapping: FileMapping) -> None:
        self._mapping = mapping
        places = {heading: n for n, heading in reversed(list(enumerate(sheet.headings)))}
        named = {f"the column of {role}": name for role, name in mapping.columns.items()}
        self._long = "metric" in mapping.columns
        if not self._long:
            named |= {f"metrics, {name!r}": name for name in mapping.metrics}
        for what, heading in named.items():
            if heading not in places:
                there = ", ".join(filter(None, sheet.headings)) or "none"
                raise ConfigurationError(
                    f"{mapping.file}: {what}: there is no column {heading!r}; there are {there}"
                )
            if sheet.headings.count(heading) > 1:
                raise ConfigurationError(f"{mapping.file}: two columns are headed {heading!r}")
        self.roles = [(role, places[heading]) for role, heading in mapping.columns.items()]
        self._wide = [] if self._long else [
            (heading, said, places[heading]) for heading, said in mapping.metrics.items()
        ]  # fmt: skip

    def figures(
        self, row: Mapping[str, Any], cells: Sequence[Any]
    ) -> Iterator[tuple[str, MappedMetric | None, Any]]:
        """Heading or word of a metric, the metric, and its cell; None for an unknown metric."""
        if self._long:
            word = "" if row["metric"] is None else str(row["metric"])
            metric = fact_metrics().get(word) or metric_of_label(word)
            said = self._mapping.metrics.get(word) or (MappedMetric(metric) if metric else None)
            yield word, said, row["value"]
            return
        for heading, said, place in self._wide:
            yield heading, said, next(cells_by_role(cells, [("", place)]))[1]


class _Base:
    """What a row says of all its figures."""

    def __init__(self, row: Mapping[str, Any], mapping: FileMapping, published_on: date) -> None:
        self._row, self._mapping = row, mapping
        name = row.get("company")
        self._name = None if name is None else str(name)
        self._code = _code(row.get("code"))
        if self._code is None and not self._name:
            raise _Unusable("neither code nor company stands in it")
        self._scope: Scope = _word(row.get("scope"), "scope", _SCOPES) or mapping.scope
        self._nature: Nature = _word(row.get("nature"), "nature", _NATURES) or mapping.nature
        self._restated = _truth(row.get("restated"))
        broker = row.get("broker") or mapping.broker
        self._broker = None if broker is None else str(broker)
        day = row.get("published_on")
        self._published_on = day_of(day) if day else mapping.published_on or published_on

    def fact(
        self, said: MappedMetric | None, heading: str, cell: Any, line: int
    ) -> SuppliedFact | None:
        """The figure of a cell; None for an empty one."""
        if cell is None or (isinstance(cell, str) and is_no_figure(cell)):
            return None
        if said is None:
            raise _Unusable(f"{heading!r} is no metric: say what it is below `metrics`")
        metric, row, mapping = said.metric, self._row, self._mapping
        period = period_of(row.get("year"), row.get("period"), metric.timing, mapping)
        number, own = _number(cell)
        measure = own or self._unit(said, heading)
        currency = str(row.get("currency") or mapping.currency)
        counted = measured(metric.kind, number, measure, currency)
        if counted is None:
            told = f"in {measure.text!r}" if measure and measure.text else "without a unit"
            raise _Unusable(f"{cell} {told} is no {metric.name}: name its unit or currency")
        value, unit = counted
        segment = row.get("segment")
        return SuppliedFact(
            metric=metric.name,
            company_key=company_key(self._name, self._code),
            company_code=self._code,
            company_name=self._name,
            period=period,
            value=value,
            unit=unit,
            text=str(cell),
            printed_unit=measure.text if measure else "",
            source=SOURCE,
            label=heading,
            quote=self._quote(heading, cell, measure),
            sheet=mapping.sheet,
            line=line,
            published_on=self._published_on,
            nature=self._nature,
            scope=self._scope,
            segment="" if segment is None else str(segment),
            restated=self._restated,
            broker=self._broker,
        )

    def _unit(self, said: MappedMetric, heading: str) -> Measure | None:
        """What a figure is counted in: its row says it, else its metric, heading or table."""
        if (told := self._row.get("unit")) is not None:
            measure = unit_of(str(told))
            if measure is None:
                raise _Unusable(f"{told!r} is no unit")
            return measure
        kind = said.metric.kind
        whole = self._mapping.unit if kind == "amount" else None
        found = said.measure or printed_measure(heading) or whole or _PLAIN.get(kind)
        currency = self._row.get("currency") or self._mapping.currency
        return found or (Measure("", "") if currency and kind in ("per_share", "price") else None)

    def _quote(self, heading: str, cell: Any, measure: Measure | None) -> str:
        row = self._row
        cells = [row.get(role) for role in ("code", "company", "year", "period", "segment")]
        unit = f" {measure.text}" if measure and measure.text not in (None, "", heading) else ""
        return " | ".join(
            [*(str(each) for each in cells if each is not None), heading, f"{cell}{unit}"]
        )


def _code(cell: Any) -> str | None:
    if cell is None:
        return None
    written = str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)
    if written.isdigit() and not isinstance(cell, str) and len(written) < 6:
        raise _Unusable(f"the code {written} lost its zeros: keep that column as text")
    code = listing_code(written)
    if code is None:
        raise _Unusable(f"{written!r} is no securities code")
    return code


def _number(cell: Any) -> tuple[Decimal, Measure | None]:
    """The number of a cell, and what it says itself that it is counted in."""
    if isinstance(cell, bool) or not isinstance(cell, int | float | Decimal | str):
        raise _Unusable(f"{cell!r} is no number")
    if not isinstance(cell, str):
        number = Decimal(repr(float(cell))) if isinstance(cell, float) else Decimal(cell)
        if not number.is_finite():
            raise _Unusable(f"{cell} is no number")
        return number, None
    quantity = parse_quantity(cell)
    if quantity is not None and quantity.upper is None:
        if quantity.unit:
            return quantity.value, Measure(quantity.unit, quantity.unit)
        if quantity.value == quantity.number:
            return quantity.number, None
    try:
        number = Decimal(cell.strip())
    except InvalidOperation:
        raise _Unusable(f"{cell!r} is no number") from None
    if not number.is_finite():
        raise _Unusable(f"{cell!r} is no number")
    return number, None


def _word(cell: Any, role: str, known: Mapping[str, Any]) -> Any:
    if cell is None:
        return None
    found = known.get(str(cell).lower())
    if found is None:
        raise _Unusable(f"{cell!r} is no {role}: write one of {', '.join(known)}")
    return found


def _truth(cell: Any) -> bool:
    told = "" if cell is None else str(cell).lower()
    if told and told not in (*_TRUE, *_FALSE):
        raise _Unusable(f"{cell!r} does not say whether it is restated: write true or false")
    return told in _TRUE


def _single(facts: Sequence[SuppliedFact]) -> tuple[tuple[SuppliedFact, ...], list[Refused]]:
    """Figures without those that repeat or contradict another of their table."""
    by_key: dict[Any, list[SuppliedFact]] = {}
    for fact in facts:
        key = (
            *(fact.company_key, fact.metric, fact.segment, fact.period, fact.scope, fact.nature),
            *(fact.broker, fact.restated, fact.published_on),
        )
        by_key.setdefault(key, []).append(fact)
    kept: list[SuppliedFact] = []
    refused: list[Refused] = []
    for group in by_key.values():
        first = group[0]
        if len({(each.value, each.unit) for each in group}) == 1:
            kept.append(first)
            continue
        for each in group:
            other = next(o for o in group if (o.value, o.unit) != (each.value, each.unit))
            reason = f"line {other.line} says {other.text} of the same: {each.metric}"
            refused.append(Refused(each.line, each.label, f"{reason} of {each.company_key}"))
    return tuple(kept), refused
