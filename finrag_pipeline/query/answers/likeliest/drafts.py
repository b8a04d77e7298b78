"""What the sentences that may answer tell of a draft in words: a surer one is told before it,
another that may answer behind it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from finrag_pipeline.query.answers.likeliest.sentences import FEW, Judged, LikelySentence
from finrag_pipeline.query.answers.likeliest.telling import next_surest, surest
from finrag_pipeline.query.answers.merging import merged, without
from finrag_pipeline.query.answers.passages.apart import ALL
from finrag_pipeline.query.answers.passages.candidates import Reading
from finrag_pipeline.query.answers.passages.defining import term_asked
from finrag_pipeline.query.answers.passages.telling import tell
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.keys import Key
from finrag_pipeline.query.evidence.places import squeeze

#: Writers whose drafts are looked at: they quote sentences.
TOLD_BY = frozenset(
    (
        *("extractive", "local", "reasons", "lists", "quoted_figures"),
        *("comparison", "profile", "sections", "relations"),
    )
)
#: How sure a sentence has to be that goes before a draft, how sure those of the draft may be, and
#: how much surer it is; how sure one has to be that goes behind it.
_SURE, _DOUBTFUL, _SURER, _LIKELY = 0.5, 0.4, 0.05, 0.35
#: Below which sentences are no answer.
_UNLIKELY = 0.15
#: How sure one has to be that tells what a word means.
_SURE_MEANING = 0.6
#: Of what is said of each of several, as a list or a table.
_OF_EACH = re.compile(r"^(?:- |\|)", re.MULTILINE)
#: An item of a list that is told by its name alone.
_BARE = re.compile(r"- [^“：:]+?(?:\[\d+\])+")
#: The share of a sentence that a quote has at least which says it.
_SAYS = 0.5
_BEFORE = "the sentence that most surely answers goes first"
_BEHIND = "the sentence that most surely answers goes last"


def is_told_in_words(draft: Draft) -> bool:
    """Whether a draft answers with quotes: no figure, no refusal."""
    value = draft.value or {}
    return (
        bool(draft.citations) and not draft.status and value.keys() <= {"names", "boolean", "name"}
    )


def with_surest(reading: Reading, likely: Sequence[Judged], draft: Draft) -> Draft | None:
    """A draft with the sentence that most surely answers and what stands around it: in the place
    of lines that quote a part of that, before those that answer less surely, else behind them; and
    behind all of it another that may answer. None where no sentence is sure or the draft says
    them.

    Args:
        likely: the sentences of its passages, the surest first.
    """
    sure, best = surest(reading, likely)
    # what a term means is told by what defines it, if nothing is all but certain
    least = _SURE_MEANING if term_asked(reading.asked.question) else _LIKELY
    if best is None or sure < least:
        return None
    told = _with_best(reading, likely, draft, (sure, best))
    second = next_surest(reading, likely, best)
    if second is None or _OF_EACH.search(draft.text):
        return told
    behind = tell(reading, [second.excerpt], way=draft.way)
    [citation] = behind.citations
    whole = told or draft
    if any(_overlap(each, citation) for each in whole.citations):
        return told
    return merged(whole, [behind])


def is_unlikely(likely: Sequence[Judged], draft: Draft) -> bool:
    """Whether a draft quotes sentences none of which is likely to answer, and no other one of many
    is: what quotes other things than sentences is not judged by them."""
    if len(likely) < FEW:
        return False
    own = [sure for sure, each in likely if _says(draft, each)]
    return bool(own) and max(own) < _UNLIKELY and likely[0][0] < _LIKELY


def _with_best(
    reading: Reading, likely: Sequence[Judged], draft: Draft, first: Judged
) -> Draft | None:
    """A draft with the sentence that most surely answers; None where it says that."""
    sure, best = first
    told = tell(reading, [best.excerpt], way=draft.way)
    [citation] = told.citations
    listed = draft.text.startswith("- ")  # items are parts of what is quoted for them
    if not listed and any(_holds(each, citation.key, citation.quote) for each in draft.citations):
        return None
    parts = [each.n for each in draft.citations if _holds(citation, each.key, each.quote)]
    told_of = reading.wanted.covered(draft.text, reading.wanted.text(best.line.said.context))
    if parts and told_of >= ALL:
        return None  # nothing of the question is left over
    if listed and not _adds(draft, best):
        return None
    behind = replace(draft, way=f"{draft.way}; {_BEHIND}")
    if "boolean" in (draft.value or {}) or _OF_EACH.search(draft.text):
        return merged(behind, [told])
    rest = without(draft, parts)
    own = max((other for other, each in likely if _says(rest, each)), default=0.0)
    if 1 not in parts and (sure < _SURE or own > _DOUBTFUL or sure < own + _SURER):
        return merged(replace(rest, way=behind.way), [told])
    first_told = replace(told, kind=draft.kind, value=draft.value, way=f"{draft.way}; {_BEFORE}")
    return merged(first_told, [rest])


def _adds(draft: Draft, sentence: LikelySentence) -> bool:
    """Whether a sentence may say more than a list of bare items of one passage, which are but a
    part of it; who is listed with a quote of his own is told by that."""
    names = (draft.value or {}).get("names", ())
    bare = all(map(_BARE.fullmatch, draft.text.splitlines()))
    one = len({each.key for each in draft.citations}) == 1
    items = sum(len(squeeze(each)) for each in names)
    return bare and one and items < len(squeeze(sentence.told)) * _SAYS


def _says(draft: Draft, sentence: LikelySentence) -> bool:
    """Whether a draft quotes a sentence, or most of it."""
    key, told = sentence.line.item.key, sentence.line.said.quote
    least = len(squeeze(told)) * _SAYS
    return any(
        _holds(each, key, told)
        or (len(squeeze(each.quote)) >= least and squeeze(each.quote) in squeeze(told))
        for each in draft.citations
        if each.key == key
    )


def _overlap(one: Citation, other: Citation) -> bool:
    """Whether one of two citations quotes what the other does."""
    return _holds(one, other.key, other.quote) or _holds(other, one.key, one.quote)


def _holds(citation: Citation, key: Key, quote: str) -> bool:
    return citation.key == key and squeeze(quote) in squeeze(citation.quote)
