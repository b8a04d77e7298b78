"""The writer of the sentence that most likely answers, last of all of text; below that surety it
refuses, and quotes it."""

from __future__ import annotations

from finrag_pipeline.grammar.quantities import numbers_in
from finrag_pipeline.query.answers.likeliest.sentences import judged, likely_sentences
from finrag_pipeline.query.answers.likeliest.telling import next_surest, surest
from finrag_pipeline.query.answers.passages.candidates import Reading
from finrag_pipeline.query.answers.passages.figure_asked import asks_one
from finrag_pipeline.query.answers.passages.lacking import called_absent, lacking_partners
from finrag_pipeline.query.answers.passages.telling import tell, tell_nearest
from finrag_pipeline.query.answers.writers import Draft, Tools
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.typed import is_fragment

#: How surely a sentence has to answer that is told, and that is quoted below a refusal.
SURE, NEAR = 0.45, 0.2
#: How sure one has to be though nothing has a name of the question: it may be cut from its words.
_SURE_THOUGH = 0.8
#: How sure one has to be that answers for a figure that is not held, or for several.
_SURE_FIGURE, _SURE_FIGURES = 0.75, 0.6
#: Intents that one sentence seldom answers.
_OF_SEVERAL = frozenset(("comparison", "table", "list", "influence"))
_WAY = "no other way answered: the sentence that most likely does, with what stands around it"
_NEAREST_WAY = "no way answered: the sentence that most likely does is quoted"


class Likeliest:
    """Answers with what most likely does, or refuses and quotes it, with what stands around it.

    Args:
        tools: what the whole store does not know; a chat model that refused has read what there is.
        figures: whether figures are asked for, none of which is held.
    """

    def __init__(self, tools: Tools, *, figures: bool = False) -> None:
        self._absent = tools.absent
        self._session = tools.session
        self._figures = figures

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """A draft; None where no sentence is near, or what is asked for stands nowhere."""
        if self._session is not None or is_fragment(asked.question):
            return None
        reading = Reading(asked, found.results)
        if not (reading.wanted.terms or reading.wanted.metrics):
            return None  # who only names whom and when asks for nothing yet
        likely = judged(likely_sentences(reading))
        sure, best = surest(reading, likely)
        if best is None:
            return None
        if self._figures:
            # what is near a figure is another one: nothing is quoted below its refusal
            least = _SURE_FIGURE if asks_one(reading.wanted) else _SURE_FIGURES
            surely = sure >= least and bool(numbers_in(best.excerpt.said.told))
            return tell(reading, [best.excerpt], way=_WAY) if surely else None
        absent = self._absent(asked)
        if sure < (_SURE_THOUGH if absent else NEAR):
            return None
        gone = called_absent(asked, absent, found) or lacking_partners(asked, self._absent)
        doubtful = gone or asked.intent.name in _OF_SEVERAL
        if sure < (_SURE_THOUGH if doubtful else SURE):
            return tell_nearest(reading, [best.excerpt], way=_NEAREST_WAY)
        second = next_surest(reading, likely, best)
        told = [best.excerpt, second.excerpt] if second else [best.excerpt]
        return tell(reading, told, way=_WAY)
