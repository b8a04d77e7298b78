"""Rows of a registry become companies: listings of one company together, dirty rows apart.

How rows are read from text is in `registry`, how names are written differently in `variants`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations
from typing import Literal

from finrag_pipeline.stages.identity.codes import in_order, share_class
from finrag_pipeline.stages.identity.names import is_marked, without_marks
from finrag_pipeline.stages.identity.spelling import spelling
from finrag_pipeline.words import is_chinese

NameKind = Literal["full", "short", "english", "nickname"]
KINDS: tuple[NameKind, ...] = ("full", "short", "english", "nickname")


@dataclass(frozen=True, slots=True)
class RegisteredName:
    """One name that the registry holds for a company.

    `codes` are the listings whose rows hold it, first the one that stands for it. `since` is the
    day from which it holds, None where the registry does not say. `own` is false where a row
    lists it though it is another company's.
    """

    name: str
    kind: NameKind
    codes: tuple[str, ...] = ()
    since: date | None = None
    own: bool = True


@dataclass(frozen=True, slots=True)
class Company:
    """One company of the registry: its listings, the first one its anchor, and all its names.

    `names` are in the registry's order, full names first; a name that is not `own` is last.
    """

    codes: tuple[str, ...]
    names: tuple[RegisteredName, ...]
    credit_code: str | None = None

    @property
    def key(self) -> str:
        """What anchors it in the graph: ``company:600519.SH``, unlisted the credit code."""
        return f"company:{self.codes[0] if self.codes else self.credit_code}"

    @property
    def name(self) -> str:
        """What it is called today."""
        return self.name_on(date.max)

    def name_on(self, day: date | None) -> str:
        """The short name, else the full one, that held on a day; None: today.

        Of names with a day it is the latest that held by then, else the first without a day: a
        registry writes the current name first, and one in alphabetical order *ST before others.
        """
        for kind in ("short", "full", "english", "nickname"):
            some = [name for name in self.names if name.kind == kind and name.own]
            dated = sorted((name for name in some if name.since), key=_since, reverse=True)
            held = [name for name in dated if _since(name) <= (day or date.max)]
            undated = sorted((n for n in some if not n.since), key=lambda n: is_marked(n.name))
            if some:
                # before the earliest day that is known, it bore a name without a day, or that one
                return (held or undated or dated[-1:])[0].name
        return self.codes[0] if self.codes else self.credit_code or ""


@dataclass(frozen=True, slots=True, order=True)
class Row:
    """One row of the registry; a name stands beside the day since when it holds, "" for unknown."""

    code: str
    since: str
    names: tuple[tuple[NameKind, str, str], ...]
    credit_code: str = ""

    def of_kind(self, kind: NameKind) -> list[str]:
        return [name for of, name, _ in self.names if of == kind]


def companies_of(rows: Iterable[Row]) -> tuple[Company, ...]:
    """Group rows into companies, whatever their order.

    Rows are one company by the same code (its history), the same credit code, a full name that
    both bear as their own, if their short names agree with that, or a short name on two markets
    of which one gives the full name in English alone. A row that lists full names of others is
    no bridge between them.

    Returns:
        Companies in order of their keys.
    """
    ordered = sorted(set(rows))
    listings: defaultdict[str, list[Row]] = defaultdict(list)
    for row in ordered:
        listings[row.code or row.credit_code].append(row)
    own = {identity: _Own(identity, some) for identity, some in listings.items()}
    claims: defaultdict[str, list[_Own]] = defaultdict(list)
    shorts: defaultdict[str, list[_Own]] = defaultdict(list)
    for listing in own.values():
        for name in listing.full_names:
            claims[name].append(listing)
        for core in sorted(listing.cores):
            shorts[core].append(listing)
    joined = _Joined(own)
    for name, claimants in claims.items():
        for one, other in combinations(claimants, 2):
            if one.may_be(other, name):
                joined.join(one.identity, other.identity)
    for claimants in shorts.values():
        for one, other in combinations(claimants, 2):
            if one.differs_in_language_alone(other):
                joined.join(one.identity, other.identity)
    by_credit: dict[str, str] = {}
    for identity, some in listings.items():
        for row in some:
            if row.credit_code:
                joined.join(identity, by_credit.setdefault(row.credit_code, identity))
    foreign = set(_foreign(claims, joined))
    companies = [_company(group, listings, foreign) for group in joined.groups()]
    return tuple(sorted(companies, key=lambda company: company.key))


class _Own:
    """One listing and how surely it bears each of its full names."""

    def __init__(self, identity: str, rows: Sequence[Row]) -> None:
        self.identity = identity
        self.full_names = {spelling(name): None for row in rows for name in row.of_kind("full")}
        shorts = {without_marks(name)[0] for row in rows for name in row.of_kind("short")}
        self.cores = {core for core in shorts if core}

    def claim(self, full_name: str) -> int:
        """2: a short name is made of its characters; 1: its only full name; 0: one of several."""
        if any(set(core) <= set(full_name) for core in self.cores):
            return 2
        return int(len(self.full_names) == 1)

    def may_be(self, other: _Own, full_name: str) -> bool:
        """Whether two listings of one full name are one company."""
        if not self.cores and not other.cores:
            sure = self.claim(full_name) and other.claim(full_name)
            return bool(sure) and share_class(self.identity) != share_class(other.identity)
        fitting = self.claim(full_name) == other.claim(full_name) == 2
        return fitting or bool(self.cores & other.cores)

    def differs_in_language_alone(self, other: _Own) -> bool:
        """Whether listings of one short name on two markets name one company in two languages."""
        chinese = [any(map(is_chinese, each.full_names)) for each in (self, other)]
        return chinese[0] != chinese[1] and share_class(self.identity) != share_class(
            other.identity
        )


class _Joined:
    """Listings that are found to be one company (union-find)."""

    def __init__(self, identities: Iterable[str]) -> None:
        self._parents = {identity: identity for identity in identities}

    def root(self, identity: str) -> str:
        while self._parents[identity] != identity:
            identity = self._parents[identity]
        return identity

    def join(self, one: str, other: str) -> None:
        low, high = sorted((self.root(one), self.root(other)))
        self._parents[high] = low

    def groups(self) -> list[list[str]]:
        groups: defaultdict[str, list[str]] = defaultdict(list)
        for identity in self._parents:
            groups[self.root(identity)].append(identity)
        return list(groups.values())


def _foreign(claims: dict[str, list[_Own]], joined: _Joined) -> Iterator[tuple[str, str]]:
    """Listing and full name where another company bears that name more surely."""
    for name, claimants in claims.items():
        best = max(listing.claim(name) for listing in claimants)
        bearers = {joined.root(one.identity) for one in claimants if one.claim(name) == best}
        for listing in claimants:
            if joined.root(listing.identity) not in bearers:
                yield listing.identity, name


def _company(
    group: Sequence[str], listings: dict[str, list[Row]], foreign: set[tuple[str, str]]
) -> Company:
    codes = in_order({row.code for identity in group for row in listings[identity] if row.code})
    place = {code: at for at, code in enumerate(codes)}
    bearers: defaultdict[tuple[bool, NameKind, str], set[str]] = defaultdict(set)
    days: dict[tuple[bool, NameKind, str], str] = {}
    # of several rows of one listing the latest comes first: its names are the current ones
    rows = sorted((row for some in group for row in listings[some]), key=lambda row: row.since)
    rows = sorted(reversed(rows), key=lambda row: place.get(row.code, 0))
    for row in rows:
        for kind, name, since in row.names:
            strange = kind == "full" and (row.code or row.credit_code, spelling(name)) in foreign
            entry = (strange, kind, name)
            bearers[entry] |= {row.code} - {""}
            if since:
                days[entry] = min(days.get(entry, since), since)
    names = [
        RegisteredName(
            name,
            kind,
            in_order(bearers[strange, kind, name]),
            date.fromisoformat(days[strange, kind, name])
            if (strange, kind, name) in days
            else None,
            not strange,
        )
        for strange, kind, name in sorted(bearers, key=lambda e: (e[0], KINDS.index(e[1])))
    ]
    credit = sorted({row.credit_code for some in group for row in listings[some]} - {""})
    return Company(codes, tuple(names), credit[0] if credit else None)


def _since(name: RegisteredName) -> date:
    return name.since or date.min
