"""Passages of documents with the questions that their sentences answer: `sentence_wordings/`.

A line of a file is one passage, invented as documents print them:
``{"heading", "passage", "asked": [{"says", "questions", "other"}, ...]}``; `says` stands in the
passage word by word, `questions` are answered by it and by nothing else there, `other` is one in
another language.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.worded import Worded

FOLDER = Path(__file__).with_name("sentence_wordings")
#: Share of the times that a sentence is read under its heading.
HEADED = 0.2
#: Characters of the shortest sentence that stands beside others.
_LEAST = 8
_END = re.compile(r"(?<=[。！？；])|(?<=[.!?;])\s+(?=[A-Z“\"(])")


@dataclass(frozen=True, slots=True)
class WordedSentence(Worded):
    """A sentence as it is printed, and what it answers."""

    says: str = ""
    heading: str = ""

    def printed(self, chance: random.Random) -> str:
        headed = self.heading and chance.random() < HEADED
        return f"{self.heading} {self.says}" if headed else self.says

    @property
    def told(self) -> str:
        return self.says


def read_passages(folder: Path = FOLDER) -> list[list[WordedSentence]]:
    """The sentences of each passage: those that are asked for, then the others."""
    return [
        _sentences(json.loads(line))
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]


def _sentences(row: dict[str, Any]) -> list[WordedSentence]:
    heading, left = row["heading"], row["passage"]
    asked = [
        WordedSentence(tuple(each["questions"]), each["other"], each["says"], heading)
        for each in row["asked"]
    ]
    for each in asked:
        left = left.replace(each.says, "\n")
    parts = (part.strip() for line in left.splitlines() for part in _END.split(line))
    beside = [WordedSentence((), "", part, heading) for part in parts if len(part) >= _LEAST]
    return [*asked, *beside]
