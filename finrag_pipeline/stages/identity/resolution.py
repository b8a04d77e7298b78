"""Names resolved to companies of the registry: exactly, then by safe variants, else not at all.

Precision first: what could be a parent, a subsidiary or somebody else resolves to nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from finrag_pipeline.grammar.securities import code_mentions
from finrag_pipeline.stages.identity.codes import in_order, share_class, written_code
from finrag_pipeline.stages.identity.companies import Company
from finrag_pipeline.stages.identity.names import (
    LONGEST_NAME,
    LegalForm,
    is_group,
    split_form,
    without_marks,
)
from finrag_pipeline.stages.identity.registry import Registry
from finrag_pipeline.stages.identity.spelling import spelling
from finrag_pipeline.stages.identity.variants import FOREIGN, Reading, as_written

#: What a form or mark, or punctuation alone, other than registered takes from a confidence.
_OTHER_FORM, _OTHER_PUNCTUATION = 0.95, 0.99


@dataclass(frozen=True, slots=True)
class Candidate:
    """One listing that a name may mean; `code` is None for a company that is not listed."""

    code: str | None
    canonical_name: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a name means: the listing, all listings of its company, and every candidate.

    `code` is None where the registry does not hold the name, or several companies bear it alike.
    `confidence` is between 0 and 1: 1 for a registered name, 0 for none. Candidates come with the
    surest first.
    """

    name: str
    code: str | None
    codes: tuple[str, ...]
    canonical_name: str | None
    confidence: float
    candidates: tuple[Candidate, ...]
    company: Company | None = None


def resolve(registry: Registry, name: str) -> Resolution:
    """Resolve one name or code to a company of the registry.

    Args:
        registry: who there is.
        name: a full, short, former or English name, a nickname, a variant of one of them, a code
            in any form, or a name with its code in brackets.

    Returns:
        The company that bears the name most surely, if one alone does: its listing whose row
        holds the name, A shares before others. 0.1 ms.
    """
    readings = _readings(registry, name)
    best: dict[str, Reading] = {}
    for reading in readings:
        known = best.get(reading.company.key)
        if known is None or reading.confidence > known.confidence:
            best[reading.company.key] = reading
        elif reading.confidence == known.confidence:
            codes = in_order({*known.codes, *reading.codes})
            best[reading.company.key] = Reading(known.company, codes, known.confidence)
    ranked = sorted(best.values(), key=lambda r: (-r.confidence, r.company.key))
    candidates = tuple(candidate for reading in ranked for candidate in _candidates(reading))
    sure = ranked and ranked[0].confidence > FOREIGN
    alone = len(ranked) == 1 or (sure and ranked[0].confidence > ranked[1].confidence)
    if not sure or not alone:
        return Resolution(name, None, (), None, 0.0, candidates)
    first = ranked[0]
    return Resolution(
        name,
        first.codes[0] if first.codes else None,
        first.company.codes,
        first.company.name,
        first.confidence,
        candidates,
        first.company,
    )


def _candidates(reading: Reading) -> list[Candidate]:
    """Listings whose rows hold the name before the others of the company."""
    company = reading.company
    ordered = [*reading.codes, *(code for code in company.codes if code not in reading.codes)]
    return [
        Candidate(code, company.name, round(reading.confidence, 3)) for code in ordered or [None]
    ]


def _readings(registry: Registry, name: str) -> Sequence[Reading]:
    if len(name) > LONGEST_NAME:
        return []
    code = written_code(name)
    if code is None and name.strip() in registry.by_code:  # a ticker is a word like any other
        code = name.strip()
    if code is not None:
        company = registry.by_code.get(code)
        return [Reading(company, (code,), 1.0)] if company else []
    if company := registry.by_credit_code.get(name.strip().upper()):
        return [Reading(company, company.codes, 1.0)]
    exact = registry.variants.exact.get(spelling(name), [])
    if any(reading.confidence > FOREIGN for reading in exact):
        written = as_written(name)
        return [
            reading if reading.written == written else _less(reading, _OTHER_PUNCTUATION)
            for reading in exact
        ]
    for readings in _ways(registry, name):
        if readings:
            return [*readings, *exact]
    mentions = code_mentions(name)
    if len(mentions) == 1 and mentions[0].name and mentions[0].code in registry.by_code:
        return [Reading(registry.by_code[mentions[0].code], (mentions[0].code,), 1.0)]
    return exact


def _ways(registry: Registry, name: str) -> Iterator[list[Reading]]:
    """Readings of a name by ways that are less and less sure."""
    spelled = spelling(name)
    reduced, exact = registry.variants.reduced, registry.variants.exact
    yield reduced.get(spelled, [])
    stem, form = split_form(name)
    if form and len(stem) >= 2:
        found = [*exact.get(stem, ()), *reduced.get(stem, ())]
        if form == "shares":
            found += [r for r in exact.get(stem + "股份", ()) if r.confidence > FOREIGN]
        yield [_less(reading) for reading in found if _agrees(reading, stem, form)]
    bare, share = without_marks(name)
    if bare != spelled and len(bare) >= 2:
        found = exact.get(bare) or reduced.get(bare, [])
        yield [
            found_one
            for reading in found
            if (found_one := _of_class(_less(reading), share)) is not None
        ]


def _agrees(reading: Reading, stem: str, form: LegalForm) -> bool:
    """Whether a company of this form may write its name with another one.

    X集团有限公司 is mostly the parent of X集团股份有限公司, and 中国X公司 that of
    中国X股份有限公司, while X有限公司 is what X股份有限公司 was called before it had shares.
    """
    if reading.confidence <= FOREIGN:
        return False
    if reading.form == form:
        return form == "shares" or not reading.partial
    if form == "company" and stem.startswith("中国"):
        return False
    if reading.form == "" and not reading.partial and form == "company":
        return len(stem) >= 3
    if is_group(stem):
        return reading.form == "" and form == "shares"
    return form == "shares" or (len(stem) >= 4 and not reading.partial)


def _less(reading: Reading, factor: float = _OTHER_FORM) -> Reading:
    return replace(reading, confidence=reading.confidence * factor)


def _of_class(reading: Reading, share: str) -> Reading | None:
    """The reading of a name with a class of shares: the company's listing of that class."""
    if not share:
        return reading
    codes = tuple(code for code in reading.company.codes if share_class(code) == share)
    return Reading(reading.company, codes, reading.confidence) if codes else None
