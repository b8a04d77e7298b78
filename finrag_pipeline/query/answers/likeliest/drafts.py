"""What the sentences that may answer tell of a draft in words: a surer one is told before it."""

from __future__ import annotations

from dataclasses import replace

from finrag_pipeline.query.answers.likeliest.sentences import judged, likely_sentences
from finrag_pipeline.query.answers.likeliest.telling import surest
from finrag_pipeline.query.answers.merging import merged
from finrag_pipeline.query.answers.passages.candidates import Reading
from finrag_pipeline.query.answers.passages.defining import term_asked
from finrag_pipeline.query.answers.passages.telling import tell
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.places import squeeze
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked

#: Writers whose drafts are looked at: they quote sentences.
TOLD_BY = frozenset(("extractive", "local", "reasons", "lists"))
#: How sure a sentence has to be, how sure those of a draft may be, and how much surer it is.
_SURE, _DOUBTFUL, _SURER = 0.6, 0.5, 0.05
#: Passages whose sentences are looked at.
_PASSAGES = 20
_WAY = "the sentence that most surely answers goes first"


def is_told_in_words(draft: Draft) -> bool:
    """Whether a draft answers with quotes alone: no figure, no yes or no, no refusal."""
    value = draft.value or {}
    return bool(draft.citations) and not draft.status and value.keys() <= {"names"}


def behind_surest(asked: Asked, found: SearchResult, draft: Draft) -> Draft | None:
    """A draft behind the sentence that surely answers, where it quotes others that do so less
    surely; None where it does not."""
    reading = Reading(asked, found.results[:_PASSAGES])
    likely = judged(likely_sentences(reading))
    sure, best = surest(reading, likely)
    if best is None or term_asked(asked.question):
        return None  # what a term means is told by what defines it
    told = tell(reading, [best.excerpt], way=draft.way)
    if sure < _SURE or _quotes(draft, told.citations[0]):
        return None
    own = max(
        (
            other
            for other, each in likely
            if any(_alike(cited, each.line.item.key, each.told) for cited in draft.citations)
        ),
        default=0.0,
    )
    if own > _DOUBTFUL or sure < own + _SURER:
        return None
    first = replace(told, kind=draft.kind, value=draft.value, way=f"{draft.way}; {_WAY}")
    return merged(first, [draft])


def _quotes(draft: Draft, citation: Citation) -> bool:
    """Whether a draft quotes a part of what is cited, or all of it."""
    return any(_alike(each, citation.key, citation.quote) for each in draft.citations)


def _alike(citation: Citation, key: object, quote: str) -> bool:
    own, other = squeeze(citation.quote), squeeze(quote)
    return citation.key == key and (own in other or other in own)
