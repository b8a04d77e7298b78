"""`finrag evaluate graph relations` on sentences labelled with all that they state, or nothing.

Made sentences stand in the labels; those of documents are known by file, page and first characters,
and are read from the documents as the pipeline reads them; those of FinRE by the number of their
row. Pairs of companies with FinRE's labels belong to `relations`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from finrag_pipeline.evaluation.report import Report, percent
from finrag_pipeline.records.graph import Mention, RelationStatement
from finrag_pipeline.stages.extraction.vocabulary import SYMMETRIC

#: What labels call a relation, and the relations of the vocabulary that say it.
KINDS: Mapping[str, tuple[str, ...]] = {
    "supply": ("supplies", "has_order_with", "trades_with"),
    "competition": ("competes_with", "comparable_to"),
    "holding": (
        *("owns", "holds_stake_in", "establishes", "invests_in", "takes_stake_in"),
        *("injects_capital_into", "increases_stake_in", "reduces_stake_in"),
    ),
    "acquisition": (
        *("acquires", "plans_to_acquire", "merges_with", "buys_assets_from"),
        *("transfers_to", "lists_through"),
    ),
    "cooperation": ("cooperates_with", "signs_with", "jointly_establishes_with"),
    "product": ("produces",),
}
_KIND_OF = {relation: kind for kind, relations in KINDS.items() for relation in relations}
#: The company that the document is about; whoever or whatever.
_OWN, _ANY = "@", "*"
_DROPPED = re.compile(r"[\s（）()“”\"'’.,，®™]")
#: Characters of a sentence by which halves are drawn.
_DRAWN = 16
_SHORTEST_PART = 2


@dataclass(frozen=True, slots=True)
class Fact:
    """Head, kinds of which one must be read, tail; names that mean the same are parted by bars."""

    head: str
    kinds: tuple[str, ...]
    tail: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A labelled sentence: what it states, what one may read in it and what it is known by."""

    facts: tuple[Fact, ...]
    maybe: tuple[Fact, ...]
    company: str | None
    text: str = ""
    file: str = ""
    page: int = 0
    starts: str = ""

    @property
    def half(self) -> str:
        """``open`` or ``kept``, by its hash."""
        known = f"{self.file} {self.page} {self.starts[:_DRAWN]}" if self.file else self.text
        return "kept" if int(sha256(known.encode()).hexdigest(), 16) % 2 else "open"


def read_sentences(labels: Mapping[str, Any]) -> list[Sentence]:
    """The sentences of a file of labels in order."""
    return [
        Sentence(
            _facts(row.get("facts", [])),
            _facts(row.get("maybe", [])),
            row.get("company"),
            row.get("text", ""),
            row.get("file", ""),
            row.get("page", 0),
            row.get("starts", ""),
        )
        for row in labels["sentences"]
    ]


def _facts(rows: list[list[str]]) -> tuple[Fact, ...]:
    return tuple(Fact(head, tuple(kinds.split("|")), tail) for head, kinds, tail in rows)


@dataclass(frozen=True, slots=True)
class Reading:
    """What an extractor states in one sentence, with the mentions of its chunk."""

    mentions: tuple[Mention, ...]
    relations: tuple[RelationStatement, ...]
    company: str | None
    code: str | None = None


def score(pairs: Iterable[tuple[Sentence, Reading]]) -> Report:
    """Precision and recall by kind and half; negated and conditional statements say nothing."""
    counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    misses: list[str] = []
    stating: Counter[tuple[str, bool]] = Counter()
    for sentence, reading in pairs:
        stating[sentence.half, bool(sentence.facts)] += 1
        found: set[int] = set()
        for each in reading.relations:
            kind = _KIND_OF.get(each.relation)
            if kind is None or each.modality in ("negated", "conditional"):
                continue
            right = [at for at, fact in enumerate(sentence.facts) if _is(fact, each, reading)]
            found.update(right)
            if right or not any(_is(fact, each, reading) for fact in sentence.maybe):
                verdict = "right" if right else "wrong"
                _count(counts, sentence.half, kind, verdict)
                if not right:
                    misses.append(f"wrong: {_shown(each, reading)}: {each.description}")
        for at, fact in enumerate(sentence.facts):
            _count(counts, sentence.half, fact.kinds[0], "found" if at in found else "missed")
            if at not in found:
                misses.append(f"missed: {fact}: {sentence.text or sentence.file}")
    return Report(
        title="Relations stated in labelled sentences",
        columns=("half", "kind", "precision", "recall"),
        rows=tuple(
            (
                half,
                kind,
                percent(each["right"], each["right"] + each["wrong"]),
                percent(each["found"], each["found"] + each["missed"]),
            )
            for half in ("open", "kept")
            for kind in (*KINDS, "all")
            if (each := counts[half, kind])
        ),
        notes=(
            "; ".join(
                f"{half}: {stating[half, True]} sentences state a relation, "
                f"{stating[half, False]} none"
                for half in ("open", "kept")
            ),
            "Direction must be right; of a name a part is enough. Halves are drawn by hash.",
        ),
        misses=tuple(misses),
    )


def _count(
    counts: defaultdict[tuple[str, str], Counter[str]], half: str, kind: str, verdict: str
) -> None:
    for column in (kind, "all"):
        counts[half, column][verdict] += 1


def _shown(each: RelationStatement, reading: Reading) -> str:
    head, tail = reading.mentions[each.head], reading.mentions[each.tail]
    return f"{head.name} {each.relation} {tail.name}"


def _is(fact: Fact, each: RelationStatement, reading: Reading) -> bool:
    """Whether a statement says what the label does."""
    if _KIND_OF[each.relation] not in fact.kinds and _ANY not in fact.kinds:
        return False
    head, tail = reading.mentions[each.head], reading.mentions[each.tail]
    forward = _names(fact.head, head, reading) and _names(fact.tail, tail, reading)
    turned = _names(fact.head, tail, reading) and _names(fact.tail, head, reading)
    return forward or (turned and each.relation in SYMMETRIC | {"transfers_to"})


def _names(label: str, mention: Mention, reading: Reading) -> bool:
    if label == _ANY:
        return True
    shown = {_plain(name) for name in (mention.text, mention.name, *mention.aliases)}
    for name in label.split("|"):
        if name == _OWN:
            code = reading.code is not None and mention.code == reading.code
            if code or (reading.company is not None and _plain(reading.company) in shown):
                return True
            continue
        one = _plain(name)
        if any(
            one == other or (len(other) >= _SHORTEST_PART and (one in other or other in one))
            for other in shown
        ):
            return True
    return False


def _plain(name: str) -> str:
    return _DROPPED.sub("", name).lower()
