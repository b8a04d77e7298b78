"""What stands in documents with the questions that mean it, as `training.matching` learns it."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from dataclasses import dataclass

#: Share of the times that a question is the one in the other language.
FOREIGN = 0.15


@dataclass(frozen=True, slots=True)
class Worded(ABC):
    """What is printed, and how it is asked for; by nobody, where it only stands beside others.

    Attributes:
        asked: questions and phrases in other words.
        other: one in another language.
    """

    asked: tuple[str, ...]
    other: str = ""

    @abstractmethod
    def printed(self, chance: random.Random) -> str:
        """What stands of it in a document, in one of the ways it is read."""

    @property
    @abstractmethod
    def told(self) -> str:
        """The same as it is read most often."""

    def question(self, chance: random.Random) -> str:
        """One of the ways to ask for it."""
        foreign = self.other and chance.random() < FOREIGN
        return self.other if foreign else chance.choice(self.asked)
