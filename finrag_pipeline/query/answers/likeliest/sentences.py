"""The sentences that may answer a question, each with how surely it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from finrag_pipeline.query.answers.choice import packaged
from finrag_pipeline.query.answers.likeliest.traits import traits_of
from finrag_pipeline.query.answers.passages.candidates import Candidate, Reading
from finrag_pipeline.query.answers.passages.excerpts import excerpts

#: The trees that say how sure sentences are, learned from questions with known answers
#: (`training.sentence_choice`).
TREES_PATH = Path(__file__).parent
#: Sentences that are judged: those that say most of the question.
_MOST = 40
#: Of fewer sentences the first leads far whatever it says: how sure it is counts so much.
FEW, _OF_FEW = 20, 0.7


@dataclass(frozen=True, slots=True)
class LikelySentence:
    """A sentence that may answer.

    Attributes:
        line: the sentence as it may be quoted.
        excerpt: the same with the sentences around it, as it is told.
        traits: how far it answers, by itself and beside the others.
    """

    line: Candidate
    excerpt: Candidate
    traits: Mapping[str, float]

    @property
    def told(self) -> str:
        """What an answer says of it."""
        return self.excerpt.said.told


#: A sentence with how sure it is that it answers, 0 to 1.
Judged = tuple[float, LikelySentence]


def likely_sentences(reading: Reading) -> list[LikelySentence]:
    """The sentences of some passages that may answer, those that say most of the question first."""
    lines = reading.candidates(rows=False, timely=False)[:_MOST]
    if not lines:
        return []
    around = [excerpts([(each, False)])[0] for each in lines]
    traits = traits_of(reading, lines, around)
    return [LikelySentence(*each) for each in zip(lines, around, traits, strict=True)]


def judged(sentences: Sequence[LikelySentence]) -> list[Judged]:
    """Sentences with how sure they are, the surest first."""
    if not sentences:
        return []
    sure = packaged(TREES_PATH).chances([each.traits for each in sentences])
    counts = _OF_FEW if len(sentences) < FEW else 1.0
    return [(float(sure[n]) * counts, sentences[n]) for n in sure.argsort(kind="stable")[::-1]]
