"""Measures the facts that are read from documents by a gold of single figures.

The fact that ranks first must have the gold's value; a figure that is missing is told apart from
one that is wrong.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from finrag_pipeline.errors import SourceUnavailable
from finrag_pipeline.evaluation.facts.gold import GoldFigure, read_gold
from finrag_pipeline.evaluation.reading.documents import pdfs, read_documents
from finrag_pipeline.evaluation.report import Report, percent
from finrag_pipeline.records.facts import FinancialFact
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.facts.reading import read_facts
from finrag_pipeline.stages.facts.sources import rank_of

_COLUMNS = ("kind", "figures", "right", "on its page", "wrong", "missing")


def measure(folder: Path, gold: Path, settings: Settings) -> Report:
    """Read the documents that a gold names and compare their figures with it.

    Args:
        folder: where the documents are.
        gold: JSON lines of `GoldFigure`.

    Raises:
        SourceUnavailable: a document is not there, or the gold cannot be read.
    """
    wanted = read_gold(gold)
    names = {figure.file for figure in wanted}
    paths = [path for path in pdfs(folder) if path.name in names]
    if absent := sorted(names - {path.name for path in paths}):
        raise SourceUnavailable(f"{folder} holds no {absent[0]}")
    facts: dict[str, tuple[FinancialFact, ...]] = {}
    for document in read_documents(paths, settings):
        if document.metadata:
            facts[document.path.name] = read_facts(
                document.path.name, document.metadata, document.tables, document.regions
            )
    return compare(wanted, facts)


def compare(wanted: Sequence[GoldFigure], facts: Mapping[str, Sequence[FinancialFact]]) -> Report:
    """The table of a gold against the facts read from each file."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    misses: list[str] = []
    for figure in wanted:
        outcome, told = _outcome(figure, facts.get(figure.file, ()))
        for kind in (figure.kind, "all"):
            counts[kind].update(("figures", *outcome))
        if told:
            misses.append(told)
    kinds = [*sorted(kind for kind in counts if kind != "all"), *(["all"] if counts else [])]
    return Report(
        title="Single figures of documents by a gold",
        columns=_COLUMNS,
        rows=tuple((kind, *_row(counts[kind])) for kind in kinds),
        notes=(
            "Right: of the facts of that metric, period, scope, segment and broker in the file, "
            "the one that ranks first has the gold's value; where the gold has none, no fact may "
            "be there. On its page: among those whose gold names a page.",
        ),
        misses=tuple(misses),
    )


def best_of(figure: GoldFigure, facts: Sequence[FinancialFact]) -> FinancialFact | None:
    """The fact that counts for a figure of the gold: sums that fail last, then by rank."""
    held = [
        (fact.checked is False, rank_of(fact.source), not fact.restated, n)
        for n, fact in enumerate(facts)
        if _is_of(fact, figure)
    ]
    return facts[min(held)[-1]] if held else None


def _is_of(fact: FinancialFact, figure: GoldFigure) -> bool:
    return (
        fact.metric == figure.metric
        and fact.period.fiscal_year == figure.fiscal_year
        and fact.period.kind == figure.period_kind
        and fact.scope == figure.scope
        and fact.segment == figure.segment
        and fact.nature == figure.nature
        and (figure.broker is None or fact.broker == figure.broker)
    )


def _outcome(
    figure: GoldFigure, facts: Sequence[FinancialFact]
) -> tuple[tuple[str, ...], str | None]:
    best = best_of(figure, facts)
    if best is None:
        if figure.value is None:
            return ("right",), None
        return ("missing",), f"{figure.told}: missing, {figure.value}"
    if best.value != figure.value:
        return ("wrong",), f"{figure.told}: {best.value} (p. {best.place.page}) for {figure.value}"
    if figure.page is None:
        return ("right",), None
    on_page = figure.page == best.place.page
    return ("right", "paged", *(("on page",) if on_page else ())), None


def _row(count: Counter[str]) -> tuple[object, ...]:
    figures = count["figures"]
    return (
        figures,
        percent(count["right"], figures),
        percent(count["on page"], count["paged"]),
        percent(count["wrong"], figures),
        percent(count["missing"], figures),
    )
