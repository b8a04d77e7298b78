"""What a citation holds: its figures with time, unit, scope and company, its words, and what stands
around it. What an answer says of that is `figures`; whether both agree `matching`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Protocol, runtime_checkable

from finrag_pipeline.grammar.growths import Growth, growth_behind
from finrag_pipeline.grammar.measures import Measure, measures_of
from finrag_pipeline.grammar.quantities import parse_quantity
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.documents import DocumentItem
from finrag_pipeline.query.evidence.kinds import EvidenceItem
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.query.grounding.figures import bracketed_measures, canonical, stated_in
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


@dataclass(frozen=True, slots=True)
class Ground:
    """What a segment of an answer may rest on: one citation.

    Attributes:
        n: its number.
        quote: its words.
        around: what its document and the headings over it say.
        figures: that it holds.
        spans: all times that its words, its figures and what stands around name.
        companies: keys of whom its document is, and of those that its words name.
        context: times of what it says without naming one.
        scope: what its words, or the headings over them, say of whose accounts.
        measures: in what figures around are counted.
        titles: what its document is called, which an answer may say.
    """

    n: int
    quote: str
    around: str = ""
    figures: tuple[Held, ...] = ()
    spans: frozenset[Span] = frozenset()
    companies: frozenset[str] = frozenset()
    context: frozenset[Span] = frozenset()
    scope: Scope | None = None
    measures: tuple[Measure, ...] = ()
    titles: tuple[str, ...] = ()


def ground_of(citation: Citation, item: EvidenceItem | None, companies: Companies) -> Ground:
    """What a citation holds, by its piece of evidence; only its words where that is unknown."""
    if isinstance(item, FigureItem):
        return _of_figure(citation, item)
    around = _around(item)
    if isinstance(item, TableItem):
        around = "\n".join((around, *item.row_headings(citation.quote)))
    own = companies.of_document(item.document_id) if isinstance(item, DocumentItem) else ""
    whose = frozenset([own] if own else [])
    measures = _measures(citation.quote, around, item)
    if isinstance(item, TableItem):
        figures = tuple(_of_row(item, citation, whose))
    else:
        figures = tuple(_of_text(citation.quote, companies, whose, measures))
    named = {key for each in companies.names_in(citation.quote) for key in each.keys}
    spans = {each.span for text in (citation.quote, around) for each in spans_in(text)}
    spans |= {span for each in figures for span in each.spans}
    if citation.published_on:
        spans.add(Span(citation.published_on, citation.published_on))
    return Ground(
        citation.n,
        citation.quote,
        around,
        figures,
        frozenset(spans),
        frozenset(whose | named),
        _context(citation.quote, item, around),
        scope_in(citation.quote) or scope_in(_over(item)),
        measures,
        _titles(citation, item),
    )


def _of_figure(citation: Citation, item: FigureItem) -> Ground:
    """What a stored figure holds: itself, and how far its sentence says that it has grown; nothing
    else that its row prints."""
    whose = frozenset([item.company_key] if item.company_key else [])
    held = _of_fact(item, whose)
    grown = growth_behind(item.text, item.figure) if item.figure else None
    figures = (held, *([_of_growth(grown, held)] if grown else []))
    around = "\n".join((item.identity, *item.subjects, item.label, item.heading))
    spans = held.spans
    if citation.published_on:
        spans |= {Span(citation.published_on, citation.published_on)}
    return Ground(
        citation.n,
        citation.quote,
        around,
        figures,
        spans,
        whose,
        held.spans,
        held.scope,
        titles=_titles(citation, item),
    )


def _titles(citation: Citation, item: object) -> tuple[str, ...]:
    titles = (citation.source, getattr(item, "title", None))
    return tuple(each for each in titles if each)


def _over(item: EvidenceItem | None) -> str:
    """Headings under which a citation stands."""
    if isinstance(item, ChunkItem):
        return "\n".join(item.section)
    return (item.caption or "") if isinstance(item, TableItem) else ""


def _context(quote: str, item: EvidenceItem | None, around: str) -> frozenset[Span]:
    """The times that a sentence without any is of: those named last before it, else its cover's."""
    if isinstance(item, ChunkItem):
        before = item.text.partition(quote)[0] if quote in item.text else ""
        said = [each for each in spans_in(before) if not each.compared]
        if said:
            last = max(before.rfind(end, 0, said[-1].start) for end in "。；;\n")
            return frozenset(each.span for each in said if each.start > last)
        identity = frozenset(each.span for each in spans_in(item.identity))
        if identity:
            return identity
    return frozenset(each.span for each in spans_in(around))


def _around(item: EvidenceItem | None) -> str:
    """What stands around a citation: its document's cover, headings, captions, its own text."""
    if item is None:
        return ""
    lines = [item.identity, *item.subjects]
    if isinstance(item, TableItem):
        lines += [item.caption or "", item.unit or ""]
    if isinstance(item, ChunkItem):
        lines.append(item.text)
    return "\n".join(filter(None, lines))


def _measures(quote: str, around: str, item: EvidenceItem | None) -> tuple[Measure, ...]:
    found = [measure for measure, _ in bracketed_measures(f"{quote}\n{around}")]
    if isinstance(item, TableItem) and item.unit:
        found += measures_of(item.unit)
    return tuple(dict.fromkeys(found))


def _of_fact(item: FigureItem, whose: frozenset[str]) -> Held:
    value, unit = canonical(item.value, item.unit)
    spans: frozenset[Span] = frozenset()
    if item.fiscal_year is not None and item.last_on is not None:
        spans = spans_of(item.fiscal_year, item.period, item.first_on, item.last_on)
    scope: Scope = "parent" if item.scope == "parent" else "consolidated"
    start = item.text.find(item.figure) if item.figure else -1
    place = (start, start + len(item.figure)) if start >= 0 else (None, None)
    return Held(value, unit, None, spans, whose, scope, item.metric, *place, exact=True)


def _of_growth(grown: Growth, of: Held) -> Held:
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


def _of_row(item: TableItem, citation: Citation, whose: frozenset[str]) -> Iterator[Held]:
    """The figures of the cited row, each of the time of the headings over it, and those that its
    cells state in words: 增加了9.32个百分点."""
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
        loss = any(word in over.casefold() for word in ("亏损", "loss", "减少", "decrease", "下降"))
        yield Held(
            value,
            unit,
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


def _of_text(
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
                value, unit = canonical(each.value.scaleb(measure.power), measure.unit)
                yield Held(value, unit, None, held.spans, held.companies, None, "", *_at(held))


def _at(held: Held) -> tuple[int | None, int | None]:
    return held.start, held.end
