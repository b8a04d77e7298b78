"""The company that is asked for beside a question, by its name or a code of any of its listings.

Names inside a question are `reading`'s.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from difflib import SequenceMatcher

from finrag_pipeline.errors import NotFound
from finrag_pipeline.query.question.catalogue import Catalogue
from finrag_pipeline.stages.identity.spelling import spelling

#: Companies that are offered where a name means none or several.
_OFFERED = 5
#: How alike a name has to be to be offered.
_LEAST_ALIKE, _LEAST_ALIKE_CODES = 0.4, 0.75


def company_asked(catalogue: Catalogue, name: str) -> str | tuple[str, ...]:
    """What a company is filtered by: a code that its documents bear, else the ids of those.

    Args:
        name: a code of any listing, with or without its market; a name in any form that documents
            or the registry have.

    Raises:
        NotFound: no document is about such a company, or about several; the line names those near.
    """
    folded = name.strip().casefold()
    if any(each.bears(folded) for each in catalogue.documents.values()):
        return name.strip()
    return _filter(catalogue, _named(catalogue, name))


def company_keys(catalogue: Catalogue, name: str) -> tuple[str, ...]:
    """The keys of a company's listings by a code or a name, in any form, of one of them.

    Raises:
        NotFound: as `company_asked`.
    """
    folded = name.strip().casefold()
    bearing = [each.company for each in catalogue.documents.values() if each.bears(folded)]
    if name in catalogue.by_company:
        bearing.insert(0, name)
    if first := next(filter(None, bearing), None):
        return catalogue.listings_of(first)
    return tuple(sorted(_named(catalogue, name)))


def _named(catalogue: Catalogue, name: str) -> set[str]:
    """The keys of the listings of the one company that a name means; NotFound where none is."""
    found = [each for each in catalogue.companies.find(name) if _whole(each.text, name)]
    keys = {other for each in found for key in each.keys for other in catalogue.listings_of(key)}
    companies = {catalogue.listings_of(key) for key in keys}
    if len({frozenset(each) for each in companies}) == 1:
        return keys
    if keys:
        told = "; ".join(_told(catalogue, key) for key in sorted(keys))
        raise NotFound(f"{name!r} names several companies: {told}; give a code or a whole name")
    near = _near(catalogue, name)
    offered = f"; near to it: {'; '.join(near)}" if near else ""
    raise NotFound(f"no document is about a company {name!r}{offered}")


def _whole(text: str, name: str) -> bool:
    """Whether what was found is the name, and not a part of it."""
    return spelling(text) == spelling(name)


def _filter(catalogue: Catalogue, keys: Iterable[str]) -> str | tuple[str, ...]:
    documents = [each for key in keys for each in catalogue.by_company.get(key, ())]
    borne = Counter(code for each in documents for code in each.codes)
    for code, count in sorted(borne.items(), key=lambda each: (-each[1], each[0])):
        if count == len(documents):
            return code
    return tuple(sorted(each.document_id for each in documents))


def _near(catalogue: Catalogue, name: str) -> list[str]:
    """Companies whose names or codes are most like a name, the nearest first."""
    wanted = spelling(name)
    shares: dict[str, float] = {}
    for key, documents in catalogue.by_company.items():
        known = {catalogue.name_of(key), *(code for each in documents for code in each.codes)}
        known |= {each.name for each in documents if each.name}
        shares[key] = max(_alike(wanted, spelling(each)) for each in known)
    # any two codes share digits
    least = _LEAST_ALIKE_CODES if any(map(str.isdigit, wanted)) else _LEAST_ALIKE
    best = sorted(shares, key=lambda key: (-shares[key], key))[:_OFFERED]
    return [_told(catalogue, key) for key in best if shares[key] >= least]


def _alike(one: str, other: str) -> float:
    if one and (one in other or other in one):
        return 1.0
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _told(catalogue: Catalogue, key: str) -> str:
    """A company by its name and codes."""
    codes = {code for each in catalogue.by_company.get(key, ()) for code in each.codes}
    name = catalogue.name_of(key)
    return f"{name} ({', '.join(sorted(codes))})" if codes else name
