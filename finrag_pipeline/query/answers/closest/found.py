"""A figure that a question may mean, with what tells how far it is meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from finrag_pipeline.query.answers.writers import Draft, Json
from finrag_pipeline.query.question.catalogue import DocumentFacts


@dataclass(frozen=True, slots=True)
class FoundFigure:
    """A figure that a question may mean.

    Attributes:
        text: what is said of it: its label and headings, or its clause.
        name: what is compared in meaning: of a cell the same without times.
        label: of that the label of its row, or the part of its clause that leads to it.
        around: what stands around it, with the title of its document; of a sentence itself first.
        ahead: of a sentence what stands before it in its passage.
        over: what that and its headings say of all figures there.
        value: the figure as JSON has it.
        document: where it stands; None of what stands in none.
        place: where it stands among the others: its table or sentence, its row and its column.
        traits: how far it is what is asked for, by the names that `traits` knows.
        tell: makes a draft of it; None where it cannot be cited.
    """

    text: str
    name: str
    label: str
    around: str
    over: str
    value: Json
    document: DocumentFacts | None
    place: tuple[str, int, int]
    traits: Mapping[str, float]
    tell: Callable[[], Draft | None]
    ahead: str = ""

    @property
    def sentence(self) -> str:
        """The sentence of a figure that stands in one."""
        return self.around.partition("\n")[0]


#: A figure with how sure it is the one asked for, 0 to 1.
Judged = tuple[float, FoundFigure]
