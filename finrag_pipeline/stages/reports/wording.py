"""How reports without a model put things, in Chinese and in English.

What they tell belongs to `offline` and `offline_findings`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from finrag_pipeline.stages.chunking.enrichment.cues import cues_in
from finrag_pipeline.stages.extraction.vocabulary import RELATIONS, SYMMETRIC
from finrag_pipeline.stages.reports.chain import STAGES, Chain
from finrag_pipeline.stages.reports.elements import Extent, Relation, Told, plain
from finrag_pipeline.stages.reports.items import TYPES, relation_words

_STAGE_WORDS = {
    "upstream": ("上游", "upstream"),
    "midstream": ("中游", "midstream"),
    "downstream": ("下游", "downstream"),
}
#: Kinds of relations in the order in which they are told; what is in none is ``other``.
GROUPS: dict[str, tuple[str, str]] = {
    "supply": ("供应与产品", "Supply and products"),
    "competition": ("竞争关系", "Competition"),
    "ownership": ("股权与资本往来", "Ownership and capital"),
    "cooperation": ("合作与签约", "Cooperation"),
    "influence": ("影响与驱动", "Influence"),
    "people": ("人员与研究覆盖", "People and coverage"),
    "structure": ("业务与归属", "Business and structure"),
    "rules": ("政策与规则", "Policies and rules"),
    "other": ("其他关系", "Other relations"),
}
GROUP_OF = {name: relation.group for name, relation in RELATIONS.items() if relation.group}
#: Names told in a row; the others are counted.
_NAMES = 4
_LONGEST, _SHORTEST = 260, 8
_SENTENCE_END = re.compile(r"[。！？；.!?;…][”’」』）)\"']*$")
#: Forms with boxes, signatures, units and columns of a table that were read as one line.
_FORM = re.compile(
    r"[□☐√✓]|负责人[:：]|单位[:：]|币种[:：]|\||财务报[表告][^。]{0,40}编制|会计准则"
)
_FIGURES = re.compile(r"[\d.,%％+\-()（）/]")


@dataclass(frozen=True, slots=True)
class Wording:
    """Phrases of one language."""

    chinese: bool

    def say(self, zh: str, en: str) -> str:
        return zh if self.chinese else en

    def names(self, names: Iterable[str], most: int = _NAMES) -> str:
        """Names in a row, of many the first.

        >>> Wording(True).names("甲乙丙丁戊"), Wording(False).names(["A", "B"])
        ('甲、乙、丙、丁等5个', 'A, B')
        """
        told = list(dict.fromkeys(names))
        row = self.say("、", ", ").join(told[:most])
        if len(told) <= most:
            return row
        return row + self.say(f"等{len(told)}个", f" and {len(told) - most} more")

    def bracketed(self, text: str) -> str:
        """A text in brackets, to stand behind another; nothing where there is none."""
        return self.say(f"（{text}）", f" ({text})") if text else ""

    def sentences(self, sentences: Iterable[str]) -> str:
        """Sentences one after another."""
        return self.say("", " ").join(filter(None, sentences))

    def quote(self, told: Told) -> str:
        """The sentence in quotation marks with the day it was published."""
        text, day = plain(told.passage.quote), told.passage.published_on.isoformat()
        return self.say(f"“{text}”（{day}）", f'"{text}" ({day})')

    def dated(self, told: Told) -> str:
        day = told.passage.published_on.isoformat()
        return self.say(f"（{day}）", f" ({day})")

    def relation(self, relation: Relation) -> str:
        """A relation in words."""
        words = relation_words(relation.key[1], self.chinese)
        if self.chinese and relation.key[1] in SYMMETRIC:
            return f"{relation.src}与{relation.dst} {words}"
        return f"{relation.src} {words} {relation.dst}"

    def type(self, name: str, number: int) -> str:
        """So many entities of a type."""
        zh, en = TYPES.get(name, (name, name))
        plural = en[:-1] + "ies" if en.endswith("y") else en + "s"
        return self.say(f"{zh}{number}个", f"{number} {en if number == 1 else plural}")

    def chain(self, chain: Chain) -> str:
        """Who stands upstream, midstream and downstream."""
        parts = [
            f"{self.say(*_STAGE_WORDS[stage])} {self.names(chain.at(stage))}"
            for stage in STAGES
            if chain.at(stage)
        ]
        return " → ".join(parts)

    def span(self, extent: Extent) -> str:
        """The days on which the documents were published."""
        first, last = str(extent.first_on), str(extent.last_on)
        if first == last:
            return self.say(f"发布于{first}", f"published on {first}")
        return self.say(f"发布于{first}至{last}", f"published from {first} to {last}")


def tellable(told: Told) -> bool:
    """Whether a sentence can be quoted to a reader: no heading, set phrase, form or table."""
    text = plain(told.passage.quote)
    if not _SHORTEST <= len(text) <= _LONGEST or not _SENTENCE_END.search(text):
        return False
    if _FORM.search(text) or cues_in(text).template:
        return False
    return len(_FIGURES.findall(text)) * 2 < len(text)


def first_distinct(told: Sequence[Told], most: int) -> list[Told]:
    """The first `most` with sentences of their own: what several claims quote is told once."""
    seen: dict[str, Told] = {}
    for each in told:
        seen.setdefault(plain(each.passage.quote), each)
    return list(seen.values())[:most]
