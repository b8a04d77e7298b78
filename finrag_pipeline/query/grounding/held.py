"""What a citation holds: its figures with time, unit, scope and company, its words, and what stands
around it. What an answer says of that is `figures`; whether both agree `matching`.
"""

from __future__ import annotations

from dataclasses import dataclass

from finrag_pipeline.grammar.growths import growth_behind
from finrag_pipeline.grammar.measures import Measure, measures_of
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.documents import DocumentItem
from finrag_pipeline.query.evidence.kinds import EvidenceItem
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.query.grounding.figures import bracketed_measures
from finrag_pipeline.query.grounding.holding import (
    FigureItem,
    Held,
    of_fact,
    of_growth,
    of_row,
    of_text,
)
from finrag_pipeline.query.grounding.names import Companies
from finrag_pipeline.query.grounding.scopes import Scope, scope_in
from finrag_pipeline.query.grounding.spans import Span, spans_in


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
        figures = tuple(of_row(item, citation, whose, measures))
    else:
        figures = tuple(of_text(citation.quote, companies, whose, measures))
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
    held = of_fact(item, whose)
    grown = growth_behind(item.text, item.figure) if item.figure else None
    figures = (held, *([of_growth(grown, held)] if grown else []))
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
