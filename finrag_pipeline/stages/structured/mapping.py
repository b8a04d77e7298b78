"""What a YAML file says of a vendor's files: which columns hold what, and how it is counted.

Reading the files is `cells`, making figures of their rows `figures`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from typing import Any, NoReturn, cast, get_args

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.grammar.fact_metrics import FactMetric, fact_metrics, metric_of_label
from finrag_pipeline.grammar.measures import Measure, currencies, measure_of
from finrag_pipeline.records.facts import Nature, PeriodKind, Scope

#: Roles of columns. A long table has `metric` and `value`; a wide one has metrics as columns.
ROLES = (
    *("code", "company", "year", "period", "metric", "value", "unit", "currency", "scope"),
    *("nature", "broker", "segment", "restated", "published_on"),
)
#: Share of one instead of percent: 0.123 for 12.3 %.
FRACTION = "fraction"


@dataclass(frozen=True, slots=True)
class MappedMetric:
    """A metric, and what its figures are counted in where the mapping says so."""

    metric: FactMetric
    measure: Measure | None = None


@dataclass(frozen=True, slots=True)
class FileMapping:
    """How one table of a vendor is read.

    Attributes:
        file: its path as written, from the folder of the mapping.
        sheet: of a workbook; empty for its first, and for other formats.
        header: number of the line of headings, from 1.
        columns: heading by role.
        metrics: what headings of a wide table, or the words of a long one's metric column, mean.
        period_codes: what the vendor's codes of periods mean.
        unit: what amounts are counted in where nothing else tells.
        year_end: month and day on which fiscal years end.
        cumulative: whether a day as period closes a span that began with its year.
    """

    file: str
    sheet: str = ""
    encoding: str = ""
    header: int = 1
    columns: Mapping[str, str] = field(default_factory=dict[str, str])
    metrics: Mapping[str, MappedMetric] = field(default_factory=dict[str, MappedMetric])
    period_codes: Mapping[str, PeriodKind] = field(default_factory=dict[str, PeriodKind])
    unit: Measure | None = None
    currency: str = ""
    scope: Scope = "consolidated"
    nature: Nature = "actual"
    broker: str | None = None
    published_on: date | None = None
    year_end: tuple[int, int] = (12, 31)
    cumulative: bool = False


def read_mapping(text: str, name: str) -> tuple[FileMapping, ...]:
    """The tables that a mapping names, in order.

    Args:
        name: of the mapping, for errors.

    Raises:
        ConfigurationError: one line on what is wrong, with the entry.
    """
    import yaml

    try:
        # all scalars as text: a heading may be on, no or 2024
        told = yaml.load(text, Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        at = f"{name}:{mark.line + 1}" if mark else name
        problem = getattr(error, "problem", None) or "it cannot be read"
        raise ConfigurationError(f"{at}: this is no YAML: {problem}") from None
    if not isinstance(told, dict) or not isinstance(told.get("files"), list):
        raise ConfigurationError(f"{name}: it needs `files:` with a list of tables")
    found = [_Entry(name, n, each).mapping() for n, each in enumerate(told["files"], start=1)]
    seen: dict[tuple[str, str], int] = {}
    for n, each in enumerate(found, start=1):
        if (other := seen.setdefault((each.file, each.sheet), n)) != n:
            sheet = f", sheet {each.sheet!r}" if each.sheet else ""
            raise ConfigurationError(
                f"{name}: files {other} and {n} are both {each.file!r}{sheet}: map it once"
            )
    return tuple(found)


class _Entry:
    """One entry below `files`; refuses what it does not know."""

    def __init__(self, name: str, number: int, told: Any) -> None:
        self._at = f"{name}: file {number}"
        self._told = cast("dict[str, Any]", self._mapping_of(told, "the entry"))
        if file := self._told.get("file"):
            self._at = f"{name}: {file}"

    def mapping(self) -> FileMapping:
        known = {each.name for each in fields(FileMapping)} - {"year_end", "cumulative"}
        self._known(self._told, known | {"fiscal_year_end", "dates"}, "the entry")
        file = self._text("file")
        if not file:
            self._wrong("`file` is missing")
        columns = {
            role: str(heading)
            for role, heading in self._mapping_of(self._told.get("columns", {}), "columns").items()
        }
        self._known(columns, ROLES, "columns")
        metrics = {
            str(heading): self._metric(str(heading), said)
            for heading, said in self._mapping_of(self._told.get("metrics", {}), "metrics").items()
        }
        self._check_shape(columns, metrics)
        header = self._text("header") or "1"
        if not header.isdecimal() or header == "0":
            self._wrong(f"`header` is {header!r}: it is the number of a line, from 1")
        return FileMapping(
            file=file,
            sheet=self._text("sheet"),
            encoding=self._text("encoding"),
            header=int(header),
            columns=columns,
            metrics=metrics,
            period_codes=self._period_codes(),
            unit=self._measure(self._told.get("unit"), "unit"),
            currency=self._choice("currency", "", ("", *sorted(currencies()))),
            scope=cast("Scope", self._choice("scope", "consolidated", get_args(Scope))),
            nature=cast("Nature", self._choice("nature", "actual", get_args(Nature))),
            broker=self._text("broker") or None,
            published_on=self._day("published_on"),
            year_end=self._year_end(),
            cumulative=self._choice("dates", "", ("", "cumulative")) == "cumulative",
        )

    def _check_shape(self, columns: Mapping[str, str], metrics: Mapping[str, MappedMetric]) -> None:
        if not {"code", "company"} & set(columns):
            self._wrong("columns name neither `code` nor `company`: whose figures are they?")
        if not {"year", "period"} & set(columns):
            self._wrong("columns name neither `year` nor `period`: of when are its figures?")
        long = {"metric", "value"} & set(columns)
        if len(long) == 1:
            self._wrong("a long table needs both `metric` and `value` among its columns")
        if not long and not metrics:
            self._wrong(
                "name the columns `metric` and `value` of a long table, or below `metrics` what "
                "the columns of a wide one are"
            )

    def _metric(self, heading: str, said: Any) -> MappedMetric:
        unit: Any = None
        name: Any = said
        if isinstance(said, dict):
            self._known(said, ("metric", "unit"), f"metrics, {heading!r}")
            name, unit = said.get("metric"), said.get("unit")
        metric = fact_metrics().get(str(name)) or metric_of_label(str(name))
        if metric is None:
            self._wrong(f"metrics, {heading!r}: {name!r} is no metric; {_near(str(name))}")
        return MappedMetric(metric, self._measure(unit, f"metrics, {heading!r}: unit"))

    def _measure(self, said: Any, where: str) -> Measure | None:
        if not said:
            return None
        measure = unit_of(str(said))
        if measure is None:
            self._wrong(f"{where} is {said!r}: write it as 元, 万元, USD mn, 元/股, %, {FRACTION}")
        return measure

    def _period_codes(self) -> dict[str, PeriodKind]:
        told = self._mapping_of(self._told.get("period_codes", {}), "period_codes")
        for code, kind in told.items():
            if kind not in get_args(PeriodKind):
                allowed = ", ".join(get_args(PeriodKind))
                self._wrong(f"period_codes, {code!r}: {kind!r} is none of {allowed}")
        return {str(code).upper(): kind for code, kind in told.items()}

    def _year_end(self) -> tuple[int, int]:
        told = self._text("fiscal_year_end") or "12-31"
        try:
            day = date.fromisoformat(f"2024-{told}")
        except ValueError:
            self._wrong(f"`fiscal_year_end` is {told!r}: write month and day, e.g. '09-30'")
        return day.month, day.day

    def _day(self, name: str) -> date | None:
        told = self._text(name)
        try:
            return date.fromisoformat(told) if told else None
        except ValueError:
            self._wrong(f"`{name}` is {told!r}: write a day such as 2025-04-30")

    def _choice(self, name: str, default: str, allowed: tuple[str, ...]) -> str:
        told = self._text(name) or default
        if told not in allowed:
            shown = ", ".join(filter(None, allowed))
            self._wrong(f"`{name}` is {told!r}, allowed are {shown}")
        return told

    def _text(self, name: str) -> str:
        told = self._told.get(name, "")
        if not isinstance(told, str):
            self._wrong(f"`{name}` is to be one word")
        return told.strip()

    def _mapping_of(self, told: Any, where: str) -> dict[Any, Any]:
        if not isinstance(told, dict):
            self._wrong(f"{where}: write `name: value` lines")
        return cast("dict[Any, Any]", told)

    def _known(self, told: Mapping[Any, Any], known: Any, where: str) -> None:
        if unknown := [str(each) for each in told if each not in known]:
            self._wrong(f"{where}: {unknown[0]!r} is unknown, there are {', '.join(sorted(known))}")

    def _wrong(self, problem: str) -> NoReturn:
        raise ConfigurationError(f"{self._at}: {problem}")


def unit_of(text: str) -> Measure | None:
    """What a unit is, as mappings and columns of units write it; None for none.

    >>> unit_of("万元"), unit_of("fraction")
    (Measure(text='万元', unit='CNY', power=4), Measure(text='fraction', unit='x', power=0))
    """
    if text.strip().lower() == FRACTION:
        return Measure(FRACTION, "x")
    return measure_of(text)


def _near(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, list(fact_metrics()), n=1)
    known = "grammar/fact_metrics.csv lists them all"
    return f"did you mean {near[0]}? {known}" if near else known
