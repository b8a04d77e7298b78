"""Sentences that sum a company up: what it is and does, and which risks it has.

How sentences are found belongs to the lanes; which of them say it is told by the
cues of `cues.csv`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from types import MappingProxyType

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.query.answers.records.telling import Telling
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.kinds import Quotable
from finrag_pipeline.query.evidence.places import locate, squeeze
from finrag_pipeline.query.evidence.results import Result

_PATH = Path(__file__).with_name("cues.csv")
#: What a cue of a business counts: that it says what the company is, what it does, what it makes.
_BUSINESS = MappingProxyType({"is_a": 3.0, "does": 2.5, "makes": 1.0})
#: Points from which a sentence tells what a company is.
_LEAST = 2.0
#: Where a clause ends.
_PARTED = re.compile(r"[，,；;：:。]\s*")
#: A house's own list of risks, up to its full stop.
_RISK_LIST = re.compile(
    r"(?:风险(?:提示|因素)|投资风险|主要风险|(?:key |downside |main )?risks?(?: factors)?)"
    r"\s*[:：][^。]{6,400}?(?:。|$)",
    re.IGNORECASE,
)
#: Characters of the longest sentence that is quoted.
_LONGEST = 240
#: What a sentence begins with that says nothing.
_BULLET = re.compile(r"^[^\w（(《“\"]+")


@dataclass(frozen=True, slots=True)
class Found:
    """A sentence and the chunk that it stands in."""

    item: ChunkItem
    said: Quotable


def quoted(tell: Telling, found: Found, bullet: re.Pattern[str] = _BULLET) -> str:
    """A sentence with its mark.

    Args:
        bullet: what it begins with that is not told.
    """
    mark = tell.marks.quote(found.item, found.said.quote, found.said.places)
    told = bullet.sub("", found.said.told)
    return f"{told}{mark if tell.chinese else f' {mark}'}"


def business(results: Sequence[Result], names: Sequence[str], most: int) -> list[Found]:
    """The sentences that best say what a company is and does, the best first.

    Args:
        names: how the company is written; a sentence on somebody else does not count.
        most: of them.
    """
    scored: list[tuple[float, int, Found]] = []
    for rank, found in enumerate(_clauses(results)):
        text = found.said.quote
        score = sum(weight for name, weight in _BUSINESS.items() if _says(name, text))
        named = any(name in text for name in names)
        headed = any(_says("business_heading", heading) for heading in found.item.section)
        if score and (named or _says("subject", text)):
            scored.append((score + named + headed - rank / 1000, rank, found))
    best = sorted(scored, key=lambda each: -each[0])
    return _different([each for score, _, each in best if score >= _LEAST], most)


def risks(results: Sequence[Result], most: int) -> list[Found]:
    """The newest risks, one a document: a house's own list of them as a whole, else a sentence."""
    of_document: dict[str, Found] = {}
    chunks = [each.item for each in results if isinstance(each.item, ChunkItem)]
    newest = sorted(chunks, key=lambda each: each.published_on or date.min, reverse=True)
    for item in newest:
        for said in (*risk_lists(item), *_under_heading(item)):
            if item.document_id not in of_document and not _says("no_risk", said.quote):
                of_document[item.document_id] = Found(item, said)
    return _different(list(of_document.values()), most)


def risk_lists(item: ChunkItem) -> Iterator[Quotable]:
    """Lists of risks that say that they are one: 风险提示：……。"""
    for match in _RISK_LIST.finditer(item.text):
        text = match[0].strip()
        if len(text) > _LONGEST:
            end = max(text.rfind(mark, 0, _LONGEST) for mark in "；;，,、")
            text = text[: end if end > 0 else _LONGEST]
        if places := locate(text, item.regions_text):
            yield Quotable(text, " ".join(text.split()), text, places=places)


def _under_heading(item: ChunkItem) -> Iterator[Quotable]:
    """Sentences of risks under a heading that announces them."""
    if any(_says("risk_heading", heading) for heading in item.section):
        for said in item.quotes(""):
            if _says("risk", said.quote) and len(said.quote) <= _LONGEST:
                yield said


def _clauses(results: Sequence[Result]) -> Iterator[Found]:
    """Sentences without views and growth; of others the clause that says what somebody is."""
    for result in results:
        if not isinstance(result.item, ChunkItem):
            continue
        for said in result.item.quotes(""):
            if len(said.quote) <= _LONGEST and not _says("no_business", said.quote):
                yield Found(result.item, said)
                continue
            for clause in _PARTED.split(said.quote):
                if _says("is_a", clause) and not _says("no_business", clause):
                    yield Found(result.item, replace(said, quote=clause, told=clause))


def _different(found: Sequence[Found], most: int) -> list[Found]:
    """The first ones that do not repeat each other."""
    kept: list[Found] = []
    for each in found:
        own = squeeze(each.said.quote)
        others = [squeeze(other.said.quote) for other in kept]
        if not any(own in other or other in own for other in others):
            kept.append(each)
    return kept[:most]


def _says(cue: str, text: str) -> bool:
    return bool(_cues()[cue].search(text))


@cache
def _cues() -> Mapping[str, re.Pattern[str]]:
    found: dict[str, list[str]] = {}
    for row in data_rows(_PATH, ("cue", "language", "pattern")):
        found.setdefault(row["cue"], []).append(row["pattern"])
    return {name: re.compile("|".join(own), re.IGNORECASE) for name, own in found.items()}
