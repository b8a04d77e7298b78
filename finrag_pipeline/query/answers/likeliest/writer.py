"""The writer of refusals that quote the sentence which most likely answers: last of all of text."""

from __future__ import annotations

from finrag_pipeline.query.answers.likeliest.choice import chances
from finrag_pipeline.query.answers.likeliest.sentences import likely_sentences
from finrag_pipeline.query.answers.passages.candidates import Reading
from finrag_pipeline.query.answers.writers import Draft, Tools
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked

#: How surely a sentence has to answer that is quoted below a refusal.
NEAR = 0.25
#: Passages whose sentences are judged.
PASSAGES = 20


class Likeliest:
    """Refuses, and quotes what most likely answers with what stands around it.

    Args:
        tools: whose search finds passages.
    """

    def __init__(self, tools: Tools) -> None:
        self._search = tools.search

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """A refusal; None where no sentence is near."""
        reading = self.read(asked)
        if not (reading.wanted.terms or reading.wanted.metrics):
            return None  # who only names whom and when asks for nothing yet
        sentences = likely_sentences(reading)
        if not sentences:
            return None
        sure = chances([each.traits for each in sentences])
        best = int(sure.argmax())
        return sentences[best].tell_near(reading) if sure[best] >= NEAR else None

    def read(self, asked: Asked) -> Reading:
        """A question with the passages whose sentences are judged."""
        return Reading(asked, self._search(asked, asked.question, most=PASSAGES)[1].results)
