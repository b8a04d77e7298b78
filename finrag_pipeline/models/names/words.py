"""What a tagger of names says of a sentence: its words, each with its kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class TaggedWord:
    """A word from `start` to before `end` of its sentence.

    `tag` is PER, LOC, ORG or TIME, nz for another proper noun, nw for a work, else a part of
    speech such as n or v.
    """

    start: int
    end: int
    tag: str


class NameTagger(Protocol):
    """Cuts sentences into words and says which are names; called by any number of threads."""

    @property
    def name(self) -> str:
        """How the settings call it."""
        ...

    @property
    def fingerprint(self) -> str:
        """Changes whenever it may tag a sentence otherwise."""
        ...

    def tag(self, sentences: Sequence[str]) -> list[tuple[TaggedWord, ...]]:
        """The words of each sentence in order; the same, whatever the sentences beside it."""
        ...
