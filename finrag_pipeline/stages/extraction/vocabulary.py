"""The relations that a graph may hold: their names, what is true of each, how they are written.

All of it stands in `vocabulary.csv`. Which words of a sentence show a relation, and between whom,
belongs to `triggers`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.words import fold, stem

#: How a relation speaks of a sector: it links it with another, works on its companies or is felt
#: by them, is their rivalry, or says that they belong together.
SECTOR_ROLES = ("", "links", "works on", "feels", "competes", "belongs")
_COLUMNS = (
    *("name", "zh", "symmetric", "classified", "goods", "group", "sector", "shared_zh"),
    *("shared_en", "said", "synonyms", "reversed_synonyms"),
)


@dataclass(frozen=True, slots=True)
class Relation:
    """One relation, read from head to tail.

    `zh` and `en` are how people see it written. `synonyms` are other spellings of the same
    direction, `reversed_synonyms` those that name the tail first (``customer of`` of supplies).
    `classified` relations are those that the trained classifier knows. Goods flow ``forward``, from
    head to tail, ``backward``, or not at all. `group` is the kind under which reports tell it.
    `sector` is one of `SECTOR_ROLES`; `shared` says, in Chinese and English, what drives several of
    a sector's companies. `said` are words of which a list of companies has one where it states the
    relation; none where it needs none.
    """

    name: str
    zh: str
    en: str
    symmetric: bool = False
    synonyms: tuple[str, ...] = ()
    reversed_synonyms: tuple[str, ...] = ()
    classified: bool = False
    goods: str = ""
    group: str = ""
    sector: str = ""
    shared: tuple[str, str] = ("", "")
    said: tuple[str, ...] = ()


def _read() -> Iterator[tuple[str, Relation]]:
    for row in data_rows(Path(__file__).with_name("vocabulary.csv"), _COLUMNS):
        name = row["name"]
        if not re.fullmatch("[a-z_]+", name) or not row["zh"]:
            row.wrong("a relation has a name of small letters and a Chinese one")
        yield (
            name,
            Relation(
                name,
                row["zh"],
                name.replace("_", " "),
                row.choice("symmetric", ("", "yes")) == "yes",
                row.listed("synonyms"),
                row.listed("reversed_synonyms"),
                row.choice("classified", ("", "yes")) == "yes",
                row.choice("goods", ("", "forward", "backward")),
                row["group"],
                row.choice("sector", SECTOR_ROLES),
                (row["shared_zh"], row["shared_en"]),
                row.listed("said"),
            ),
        )


#: Every relation by its name.
RELATIONS: Mapping[str, Relation] = MappingProxyType(dict(_read()))
#: Relations without direction.
SYMMETRIC = frozenset(name for name, relation in RELATIONS.items() if relation.symmetric)
#: What the trained classifier knows.
CLASSIFIED = frozenset(name for name, relation in RELATIONS.items() if relation.classified)
#: Relations along which goods flow from head to tail, and against that.
FORWARD = frozenset(name for name, each in RELATIONS.items() if each.goods == "forward")
BACKWARD = frozenset(name for name, each in RELATIONS.items() if each.goods == "backward")

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
