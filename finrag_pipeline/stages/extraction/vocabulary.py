"""The relations that a graph may hold: their names, both languages, and how they are written.

Which words of a sentence show a relation, and between whom, belongs to `triggers`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from finrag_pipeline.words import fold, stem


@dataclass(frozen=True, slots=True)
class Relation:
    """One relation, read from head to tail.

    `zh` and `en` are how people see it written. `synonyms` are other spellings of the same
    direction, `reversed_synonyms` those that name the tail first (``customer of`` of supplies).
    """

    name: str
    zh: str
    en: str
    symmetric: bool = False
    synonyms: tuple[str, ...] = ()
    reversed_synonyms: tuple[str, ...] = ()


def _read() -> Iterator[tuple[str, Relation]]:
    path = Path(__file__).with_name("vocabulary.csv")
    with path.open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            name = row["name"]
            synonyms, reverse = (
                tuple(filter(None, row[column].split("|")))
                for column in ("synonyms", "reversed_synonyms")
            )
            english = name.replace("_", " ")
            symmetric = bool(row["symmetric"])
            yield name, Relation(name, row["zh"], english, symmetric, synonyms, reverse)


#: Every relation by its name.
RELATIONS: Mapping[str, Relation] = MappingProxyType(dict(_read()))
#: Relations without direction.
SYMMETRIC = frozenset(name for name, relation in RELATIONS.items() if relation.symmetric)

#: What says when or how, not what. 拟 stays: 拟收购 is not yet 收购.
_CHINESE_EDGES = re.compile(
    r"^(?:已经?|正在|主要|直接|间接|进一步|共同|联合|将|是|为|其|的)+|[了着过的]+$"
)
_ENGLISH_EDGES = frozenset(
    {"is", "are", "was", "were", "be", "been", "being", "has", "have", "had"}
    | {"a", "an", "the", "its", "their", "also", "mainly", "directly"}
)


def canonical_relation(text: str) -> tuple[str, bool] | None:
    """The relation that somebody wrote, Chinese or English, active or passive.

    Args:
        text: a verb or a noun phrase without its arguments; case, spaces, ``_`` and inflection
            do not count.

    Returns:
        Its name and whether head and tail must be swapped (never for symmetric relations); None
        for words that the vocabulary does not know.

    >>> canonical_relation("得益于"), canonical_relation("BENEFITS_FROM")
    (('benefits_from', False), ('benefits_from', False))
    >>> canonical_relation("被收购"), canonical_relation("was acquired by")
    (('acquires', True), ('acquires', True))
    >>> canonical_relation("customer of"), canonical_relation("与…合作"), canonical_relation("吃")
    (('supplies', True), ('cooperates_with', False), None)
    """
    written = _plain(text)
    known = _spellings()
    if found := known.get(written):
        return found
    active = _active(written)
    found = known.get(_CHINESE_EDGES.sub("", active or written))
    if found is None:
        return None
    name, reverse = found
    return name, reverse != (active is not None) and not RELATIONS[name].symmetric


def _active(written: str) -> str | None:
    """The active words of a passive: 被…, 遭…, … by; None where it is none."""
    if written.startswith(("被", "遭")) and len(written) > 1:
        return written[1:]
    return written[:-3] if written.endswith(" by") else None


def _plain(text: str) -> str:
    """One spelling: folded, English stemmed and without auxiliaries, Chinese without 与…, 是…的."""
    folded = re.sub(r"[_\-\s]+", " ", fold(text)).strip(" .,:;，。：；“”\"'")
    if folded.isascii():
        return " ".join(stem(word) for word in folded.split() if word not in _ENGLISH_EDGES)
    return re.sub(r"^[与和同向为对由是](?:…+|\.{2,}|其|x|a|b)的?|[…\s]", "", folded)


@cache
def _spellings() -> Mapping[str, tuple[str, bool]]:
    """Every written form to its relation; names go before synonyms, then the first one wins."""
    known: dict[str, tuple[str, bool]] = {}
    for relation in RELATIONS.values():
        for form in (relation.name, relation.zh, relation.en):
            known[_plain(form)] = relation.name, False
    for relation in RELATIONS.values():
        for form in relation.synonyms:
            known.setdefault(_plain(form), (relation.name, False))
        for form in relation.reversed_synonyms:
            known.setdefault(_plain(form), (relation.name, not relation.symmetric))
    return known
