"""Names that are known before a document is read, in one automaton: companies and common terms.

Whether a match stands as a word of its own is decided in `matches`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import ahocorasick
import rjieba

from finrag_pipeline.records.graph import EntityType
from finrag_pipeline.stages.extraction.wording import is_rare
from finrag_pipeline.stages.identity.names import opens_business
from finrag_pipeline.stages.identity.world import world_companies

TERMS_PATH = Path(__file__).with_name("terms.csv")
#: Part of speech of names in the segmenter's dictionary: people, places, organisations, others.
_PROPER = ("nr", "ns", "nt", "nz", "x", "eng")
#: Words that many names begin or end with and that are no name by themselves.
_COUNTRY = frozenset(["中国", "国际", "中华", "东方", "亚洲", "全球", "世界", "环球"])

#: Ends of names of companies that things and deeds do not have.
_COMPANY_END = re.compile(
    "(?:股份|科技|银行|证券|保险|控股|集团|药业|制药|乳业|糖业|矿业|铜业|电器|钢铁|能源|光电|重工)$"
)
#: What a place is called, 连云港, and a quality before a thing, 新产业: no company by itself.
_PLACE_END = re.compile("[港山海洋湖江河岛坝嘴村街井城汇界]$")
#: What any business may be called today: 智慧农业, 绿色能源.
_THEME = re.compile("智慧|数字|智能|绿色|低碳|零碳|生态|现代|未来|健康")
_QUALITY = re.compile("[新大好高老小]")
#: 线上 is as good a word as 之间, though no dictionary has it.
_PLACED = re.compile("[\u3400-\u9fff][上下内外里]")


@dataclass(frozen=True, slots=True)
class Entry:
    """One known name. `unsure` names are ordinary words as well and need a company beside them;
    `exact` ones are meant only where their capitals stand as here, or alone.
    """

    name: str
    type: EntityType
    code: str | None = None
    unsure: bool = False
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Known names and the automaton that finds them all in one pass over a text.

    Build it once a process by `build_lexicon`; `fingerprint` changes with its names.
    """

    fingerprint: str
    _automaton: Any = field(repr=False, compare=False)

    def find(self, text: str) -> Iterator[tuple[int, int, Entry]]:
        """Start, end and entry of known names, overlapping ones included."""
        lower = text.lower()
        if len(lower) != len(text):
            # İ and its like become two characters
            lower = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
        for last, entry in cast("Iterator[tuple[int, Entry]]", self._automaton.iter(lower)):
            yield last + 1 - len(entry.name), last + 1, entry


def build_lexicon(companies: Iterable[tuple[str, str]]) -> Lexicon:
    """A lexicon of registered companies and of what ships: common terms, large companies.

    Args:
        companies: pairs of a name and a securities code; a name of two companies may stand twice.

    Returns:
        The lexicon; about 0.3 s for 10,000 names.
    """
    entries: dict[str, Entry] = {entry.name.lower(): entry for entry in _terms()}
    for name in (name for names in world_companies() for name in names):
        # two characters that no dictionary has are hardly anything else: 礼来, not 苹果
        unsure = is_ordinary(name) and not (len(name) == 2 and is_rare(name))
        entries[name.lower()] = Entry(name, "company", None, unsure, name.isascii())
    for name, code in sorted(set(companies)):
        # one letter or one character names nobody
        if len(name) > 1:
            shared = entries.get(name.lower())
            other = shared is not None and shared.code is not None
            unsure = is_ordinary(name)
            entries[name.lower()] = Entry(name, "company", None if other else code, unsure)
    automaton = ahocorasick.Automaton()
    for key, entry in entries.items():
        automaton.add_word(key, entry)
    automaton.make_automaton()
    known = "\n".join(
        f"{e.name}\t{e.type}\t{e.code}\t{e.unsure}" for _, e in sorted(entries.items())
    )
    return Lexicon(sha256(known.encode()).hexdigest()[:16], automaton)


def is_ordinary(name: str) -> bool:
    """Whether a short name may as well be words of the language.

    >>> [is_ordinary(name) for name in ("机器人", "国际实业", "线上线下", "海天味业", "平安银行")]
    [True, True, True, False, False]
    >>> [is_ordinary(name) for name in ("连云港", "新产业", "葵花药业", "智慧农业")]
    [True, True, False, True]
    """
    if name.isascii():
        return len(name) < 4 or name.islower()
    if len(name) == 2:
        return True
    if len(name) > 4:
        return False
    if _THEME.match(name) and opens_business(name[2:]):
        return True
    words = cast("Sequence[str]", rjieba.cut(name, False))
    if len(words) == 1 and _PLACE_END.search(name) and _tagged(name)[0][1] in ("ns", "nr"):
        return True
    if len(words) == 2 and _QUALITY.fullmatch(words[0]):
        return True
    if any(tag.startswith(_PROPER) and word not in _COUNTRY for word, tag in _tagged(name)):
        return False
    if _COMPANY_END.search(name):
        return False
    # without guesses at new words, what the dictionary does not know falls apart: 隔/川/膜/业
    parts = cast("Sequence[str]", rjieba.cut(_PLACED.sub("之间", name), False))
    return all(len(word) > 1 for word in parts)


def _tagged(text: str) -> Sequence[tuple[str, str]]:
    return cast("Sequence[tuple[str, str]]", rjieba.tag(text))


@cache
def _terms() -> tuple[Entry, ...]:
    with TERMS_PATH.open(encoding="utf-8", newline="") as rows:
        return tuple(
            Entry(name, cast("EntityType", row["type"]))
            for row in csv.DictReader(rows)
            for name in row["names"].split("|")
        )
