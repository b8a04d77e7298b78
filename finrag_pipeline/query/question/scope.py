"""Which documents agree with what a question says of whom and when: a share, never a refusal.

Companies and publishers narrow, periods and forms weigh. What a question names is `reading`'s,
what lanes do with it theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from finrag_pipeline.query.question.catalogue import Catalogue, DocumentFacts
from finrag_pipeline.query.question.names import Named
from finrag_pipeline.query.question.reading import NOTHING_SAID, Reading
from finrag_pipeline.query.question.timing import YearEnd, period_agreement
from finrag_pipeline.query.weights import (
    FORM_SHARE,
    OTHERS_SHARE,
    PUBLISHER_SHARE,
    RECENCY_DAYS,
    RECENCY_SHARE,
)
from finrag_pipeline.store.search.filters import Filter

#: Documents that lanes look into for each company, those that agree most first: a scan inside them
#: compares all their vectors.
MOST_NARROWED = 24
#: Companies that a question is about at most; a list of names is no question on each.
MOST_COMPANIES = 4


@dataclass(frozen=True)
class Scope:
    """How far documents agree with a question.

    Attributes:
        reading: what the question says.
        groups: for each company, or for all publishers together, the documents that lanes look
            into beside all others, those that agree most first; empty where a question names none.
        companies: their names, as documents bear them.
    """

    reading: Reading = NOTHING_SAID
    groups: tuple[tuple[str, ...], ...] = ()
    companies: tuple[str, ...] = ()
    _agreement: dict[str, float] = field(default_factory=dict[str, float])
    _unknown: float = 1.0

    def agreement(self, document_id: str) -> float:
        """0 to 1; 1 where the question says nothing that a document could disagree with."""
        return self._agreement.get(document_id, self._unknown)

    @property
    def says(self) -> dict[str, object] | None:
        """What was narrowed by, as answers tell it; None where nothing was."""
        reading = self.reading
        if not (self.groups or reading.periods or reading.forms or reading.latest):
            return None
        return {
            "companies": list(self.companies),
            "publishers": list(dict.fromkeys(k for p in reading.publishers for k in p.keys)),
            "periods": [str(period) for period in reading.periods],
            "forms": list(reading.forms),
            "latest": reading.latest,
            "documents": len({each for group in self.groups for each in group}),
        }

    @property
    def reason(self) -> str:
        """The same in words, for the reason of a route."""
        said = self.says or {}
        parts = [*self.companies, *(str(p) for p in self.reading.periods)]
        parts += self.reading.forms
        parts += ["the newest first"] if self.reading.latest else []
        if not said or not parts:
            return ""
        first = f"{said['documents']} documents first" if self.groups else "documents weighed"
        return f"{first} by {', '.join(parts)}"


EVERYTHING = Scope()


def choose(reading: Reading, catalogue: Catalogue, where: Filter) -> Scope:
    """How far the documents that a question may be answered from agree with its reading."""
    named = bool(reading.companies or reading.publishers)
    if not (named or reading.periods or reading.forms or reading.latest):
        return EVERYTHING
    allowed = _allowed(catalogue, where)
    meant = [
        each for each in reading.companies if any(k in catalogue.by_company for k in each.keys)
    ]
    sure = max((each.sure for each in meant), default=0.0)
    own = {key for each in meant for key in each.keys}
    houses = {key for each in reading.publishers for key in each.keys}
    year_ends = _year_ends(catalogue, own)
    agreement: dict[str, float] = {}
    for document in allowed.values():
        share = 1.0
        if own and document.company not in own:
            share *= 1 - sure * (1 - OTHERS_SHARE)
        if houses and document.row.broker not in houses:
            share *= PUBLISHER_SHARE
        if reading.forms and document.form not in reading.forms:
            share *= FORM_SHARE
        if reading.periods:
            share *= period_agreement(reading.periods, document, year_ends.get(document.company))
        agreement[document.document_id] = share
    if reading.latest and not reading.periods:
        _weigh_newest(agreement, allowed, own)
    groups, names = _groups(meant, houses, catalogue, allowed, agreement)
    return Scope(reading, groups, names, agreement)


def _allowed(catalogue: Catalogue, where: Filter) -> dict[str, DocumentFacts]:
    """The documents that pass what was asked for beside the question."""
    only = set(where.document_ids) if where.document_ids is not None else None
    code = where.company.casefold() if where.company else None
    return {
        each.document_id: each
        for each in catalogue.documents.values()
        if (where.as_of is None or each.row.published_on <= where.as_of)
        and (only is None or each.document_id in only)
        and (code is None or _bears(each, code))
    }


def _bears(document: DocumentFacts, code: str) -> bool:
    own = filter(None, [document.row.company_code, *document.row.company_codes])
    return any(code in (each.casefold(), each.casefold().partition(".")[0]) for each in own)


def _groups(
    meant: Sequence[Named],
    houses: set[str],
    catalogue: Catalogue,
    allowed: dict[str, DocumentFacts],
    agreement: dict[str, float],
) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """Documents of each company, else of the houses, that agree most; and the companies' names."""

    def best(documents: Sequence[DocumentFacts]) -> tuple[str, ...]:
        held = [each for each in documents if each.document_id in allowed]
        held.sort(key=lambda each: each.spoken_on, reverse=True)
        held.sort(key=lambda each: -agreement[each.document_id])
        return tuple(each.document_id for each in held[:MOST_NARROWED])

    groups: dict[tuple[str, ...], str] = {}
    for each in meant:
        documents = [d for key in each.keys for d in catalogue.by_company.get(key, ())]
        if group := best(documents):
            groups.setdefault(group, catalogue.name_of(documents[0].company))
    chosen = list(groups)[:MOST_COMPANIES]
    if chosen:
        return tuple(chosen), tuple(groups[group] for group in chosen)
    of_houses = best([d for house in houses for d in catalogue.by_publisher.get(house, ())])
    return ((of_houses,) if of_houses else ()), ()


def _year_ends(catalogue: Catalogue, companies: set[str]) -> dict[str, YearEnd]:
    """How each company counts its fiscal years, by its newest annual report."""
    found: dict[str, YearEnd] = {}
    for company in companies:
        for each in catalogue.by_company.get(company, ()):
            last, year = each.row.period_last_on, each.row.fiscal_year
            known = found.get(company)
            if each.form == "annual" and last and year and (not known or last > known.last_on):
                found[company] = YearEnd(last, year)
    return found


def _weigh_newest(
    agreement: dict[str, float],
    allowed: dict[str, DocumentFacts],
    own: set[str],
) -> None:
    """Lower what is old, counted from the newest document of those asked about."""
    days = [each.spoken_on for each in allowed.values() if not own or each.company in own]
    newest = max(days, default=date.min)
    for document_id in agreement:
        age = newest - allowed[document_id].spoken_on
        share = min(1.0, max(age, timedelta()) / timedelta(days=RECENCY_DAYS))
        agreement[document_id] *= 1 - RECENCY_SHARE * share
