"""Reads sentences with labelled pairs of companies (FinRE's labels) and parts them for good.

What is learned from them is `training.relation_classifier`, how it is scored `relations`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal

from finrag_pipeline.stages.extraction.vocabulary import SYMMETRIC

Part = Literal["train", "dev", "test"]
#: A relation between two companies: head, name in the vocabulary, tail.
Labelled = tuple[str, str, str]

#: Labels of FinRE and the relations of the vocabulary. `unknown` and 自己 (the same company) are
#: none; 被… is the same relation with its arguments turned. Symmetric ones have one label.
LABELS: Mapping[str, str] = {
    "合作": "cooperates_with",
    "竞争": "competes_with",
    "拥有": "owns",
    "持股": "holds_stake_in",
    "签约": "signs_with",
    "分析": "covers",
    "纠纷": "disputes_with",
    "交易": "trades_with",
    "收购": "acquires",
    "重组": "restructures_with",
    "减持": "reduces_stake_in",
    "增持": "increases_stake_in",
    "订单": "has_order_with",
    "合并": "merges_with",
    "入股": "takes_stake_in",
    "注资": "injects_capital_into",
    "帮助": "helps",
    "合资": "jointly_establishes_with",
    "成立": "establishes",
    "拟收购": "plans_to_acquire",
    "买资": "buys_assets_from",
    "发行": "issues",
    "商讨": "negotiates_with",
    "转让": "transfers_to",
    "欠款": "owes",
    "借壳": "lists_through",
}


@dataclass(frozen=True, slots=True)
class Example:
    """One pair of companies in one sentence, in order of print, and all that holds between them.

    `relations` name head and tail by ``first`` and ``second``; symmetric ones by that order. Empty
    where the labels are only `unknown` or 自己.
    """

    text: str
    first: tuple[int, int]
    second: tuple[int, int]
    relations: tuple[Labelled, ...]
    part: Part


def read_examples(path: Path) -> list[Example]:
    """All pairs of a file ``[[head, tail, label, sentence], …]`` that stand apart in the sentence.

    A sentence with all its pairs is of one part, by its hash: 60 % train, 20 % dev, 20 % test.
    """
    pairs: dict[tuple[str, str, str], list[tuple[str, str]]] = {}
    for head, tail, label, text in json.loads(path.read_text(encoding="utf-8")):
        low, high = sorted((head, tail))
        pairs.setdefault((text, low, high), []).append((head, label))
    return [
        Example(text, first, second, relations, _part(text))
        for (text, low, high), labels in pairs.items()
        for first, second in _places(text, low, high)
        for relations in [tuple(sorted(set(_relations(text[slice(*first)], labels))))]
    ]


def _relations(first: str, labels: list[tuple[str, str]]) -> Iterator[Labelled]:
    for head, label in labels:
        name = LABELS.get(label.removeprefix("被"))
        if name is None:
            continue
        forward = (head == first) != label.startswith("被") or name in SYMMETRIC
        yield ("first", name, "second") if forward else ("second", name, "first")


def _part(text: str) -> Part:
    share = int(sha256(text.encode()).hexdigest()[:8], 16) % 5
    return "train" if share < 3 else "dev" if share == 3 else "test"


def _places(text: str, one: str, two: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Where the two names stand nearest without sharing a character; once or never."""
    found = [
        tuple(sorted((a, b)))
        for a in _occurrences(text, one, two)
        for b in _occurrences(text, two, one)
        if a[1] <= b[0] or b[1] <= a[0]
    ]
    if found:
        first, second = min(found, key=lambda pair: (pair[1][0] - pair[0][1], pair))
        yield first, second


def _occurrences(text: str, name: str, other: str) -> list[tuple[int, int]]:
    """Where a name stands, rather not as a part of the other name."""
    every = [(m.start(), m.end()) for m in re.finditer(re.escape(name), text)]
    if name not in other or name == other:
        return every
    covers = [(m.start(), m.end()) for m in re.finditer(re.escape(other), text)]
    alone = [(s, e) for s, e in every if not any(a <= s and e <= b for a, b in covers)]
    return alone or every
