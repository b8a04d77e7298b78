"""The figures that a citation holds: of a table's row, of a sentence, of a stored fact.

Each is read with its time, unit, scope and company.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Protocol, runtime_checkable

from finrag_pipeline.grammar.growths import Growth
from finrag_pipeline.grammar.measures import Measure
from finrag_pipeline.grammar.quantities import parse_quantity
from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.query.grounding.figures import canonical, stated_in
from finrag_pipeline.query.grounding.names import Companies
from finrag_pipeline.query.grounding.scopes import Scope, scope_in
from finrag_pipeline.query.grounding.spans import Span, spans_in, spans_of


@runtime_checkable
class FigureItem(Protocol):
    """A kind of evidence that is one figure, with all that it is of."""

    @property
    def identity(self) -> str: ...
    @property
    def subjects(self) -> tuple[str, ...]: ...
    @property
    def metric(self) -> str: ...
    @property
    def value(self) -> Decimal: ...
    @property
    def unit(self) -> str: ...
    @property
    def figure(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def company_key(self) -> str: ...
    @property
    def fiscal_year(self) -> int | None: ...
    @property
    def period(self) -> str: ...
    @property
    def first_on(self) -> date | None: ...
    @property
    def last_on(self) -> date | None: ...
    @property
    def scope(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def heading(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Held:
    """One figure that a citation holds.

    Attributes:
        value: in `unit`, sign included.
        printed: as printed, without a sign; None where a figure may only be told by its value.
        spans: times that it may be of; empty where only what stands around tells.
        companies: keys of whom it is; empty where not known.
        scope: of whose accounts; None where it does not say.
        metric: of a stored figure.
        start: where the quote prints it, None where it does not; `end` behind it.
        either_sign: whether words beside it may turn its sign.
        exact: whether its time is that of a stored figure or a column, not read in a sentence.
    """

    value: Decimal
    unit: str
    printed: Decimal | None = None
    spans: frozenset[Span] = frozenset()
    companies: frozenset[str] = frozenset()
    scope: Scope | None = None
    metric: str = ""
    start: int | None = None
    end: int | None = None
    either_sign: bool = False
    exact: bool = False


def of_fact(item: FigureItem, whose: frozenset[str]) -> Held:
    value, unit = canonical(item.value, item.unit)
    spans: frozenset[Span] = frozenset()
    if item.fiscal_year is not None and item.last_on is not None:
        spans = spans_of(item.fiscal_year, item.period, item.first_on, item.last_on)
    scope: Scope = "parent" if item.scope == "parent" else "consolidated"
    start = item.text.find(item.figure) if item.figure else -1
    place = (start, start + len(item.figure)) if start >= 0 else (None, None)
    return Held(value, unit, None, spans, whose, scope, item.metric, *place, exact=True)


def of_growth(grown: Growth, of: Held) -> Held:
    return Held(
        grown.value,
        grown.unit,
        None,
        of.spans,
        of.companies,
        of.scope,
        "",
        grown.start,
        grown.end,
        exact=True,
    )


def of_row(
    item: TableItem, citation: Citation, whose: frozenset[str], measures: tuple[Measure, ...]
) -> Iterator[Held]:
    """The figures of the cited row, each of the time of the headings over it, and those that its
    cells state in words: 增加了9.32个百分点; what prints no unit in those of headings, too."""
    times: frozenset[Span] = frozenset()
    for figure in item.row_figures(citation.quote):
        found = parse_quantity(figure.text)
        if found is None or found.upper is not None:
            continue
        value, unit = found.value, found.unit
        if figure.measure and value == found.number:
            value = value.scaleb(figure.measure.power)
            unit = unit or figure.measure.unit
        value, unit = canonical(value, unit)
        over = "\n".join((*figure.columns, *figure.labels))
        spans = frozenset(each.span for each in spans_in(over))
        times |= spans
        start = citation.quote.rfind(figure.text)
        place = (start, start + len(figure.text)) if start >= 0 else (None, None)
        # a unit over the whole table is not that of every column
        bare = not found.unit and (not figure.measure or figure.source in ("table", "page"))
        counts = [(value, unit), *(_in(found.number, each) for each in measures if bare)]
        loss = any(word in over.casefold() for word in ("亏损", "loss", "减少", "decrease", "下降"))
        for counted, counts_in in counts:
            yield Held(
                counted,
                counts_in,
                abs(found.number),
                spans,
                whose,
                scope_in(over),
                "",
                *place,
                loss,
                exact=True,
            )
    for text in item.row_words(citation.quote):
        for each in stated_in(text, ()):
            start = citation.quote.find(text)
            start = start + each.start if start >= 0 else None
            end = start + each.end - each.start if start is not None else None
            yield Held(
                each.value,
                each.unit,
                each.printed,
                # the words of a row, its label's numbers too, are of all its times
                times | frozenset(each.spans),
                whose,
                None,
                "",
                start,
                end,
            )


def of_text(
    quote: str, companies: Companies, whose: frozenset[str], measures: tuple[Measure, ...]
) -> Iterator[Held]:
    """The figures of a sentence; such as print no unit also in those that stand around it."""
    for each in stated_in(quote, companies.names_in(quote)):
        named = frozenset(key for name in each.names for key in name.keys)
        held = Held(
            each.value,
            each.unit,
            each.printed,
            frozenset(each.spans),
            named or whose,
            None,
            "",
            each.start,
            each.end,
        )
        yield held
        if not each.unit and abs(each.value) == each.printed:
            for measure in measures:
                value, unit = _in(each.value, measure)
                yield Held(value, unit, None, held.spans, held.companies, None, "", *_at(held))


def _in(number: Decimal, measure: Measure) -> tuple[Decimal, str]:
    """A printed number that is counted in a measure."""
    return canonical(number.scaleb(measure.power), measure.unit)


def _at(held: Held) -> tuple[int | None, int | None]:
    return held.start, held.end
