"""The writer of refusals that quote the sentence which most likely answers: last of all of text."""

from __future__ import annotations

from finrag_pipeline.query.answers.likeliest.choice import packaged
from finrag_pipeline.query.answers.likeliest.sentences import likely_sentences
from finrag_pipeline.query.answers.passages.candidates import Reading
from finrag_pipeline.query.answers.writers import Draft, Tools
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.typed import is_fragment

#: How surely a sentence has to answer that is quoted below a refusal.
NEAR = 0.25


class Likeliest:
    """Refuses, and quotes what most likely answers with what stands around it.

    Args:
        tools: what the whole store does not know; a chat model that refused has read what there is.
    """

    def __init__(self, tools: Tools) -> None:
        self._absent = tools.absent
        self._session = tools.session

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """A refusal; None where no sentence is near, or what is asked for stands nowhere."""
        if self._session is not None or is_fragment(asked.question) or self._absent(asked):
            return None
        reading = Reading(asked, found.results)
        if not (reading.wanted.terms or reading.wanted.metrics):
            return None  # who only names whom and when asks for nothing yet
        sentences = likely_sentences(reading)
        if not sentences:
            return None
        sure = packaged().chances([each.traits for each in sentences])
        best = int(sure.argmax())
        return sentences[best].tell_near(reading) if sure[best] >= NEAR else None
