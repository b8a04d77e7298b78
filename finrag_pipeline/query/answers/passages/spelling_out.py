"""Whether what a quote says is of just what is asked for: by names, numbers and figures."""

from __future__ import annotations

import re

from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.query.answers.passages.candidates import Candidate
from finrag_pipeline.query.answers.passages.mentions import counts
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.answers.passages.whose import before
from finrag_pipeline.query.evidence.places import squeeze

#: Weight of words from which they tell one thing from another: 海外 does, 股份 does not.
_TELLING = 3.0
#: Up to how many nouns a row has to name each one, and the share of more.
_FEW, _MOST = 4, 0.6
#: What of a figure is that of related parties alone.
_OF_RELATED = re.compile(r"^\W*其中[^，。；]{0,24}关联方")
#: An index that is called by a number: 中证500.
_NUMBERED = re.compile(
    r"(?:沪深|中证|上证|深证|标普|创业板?|科创|恒生|国证|罗素|纳斯达克|日经)\d{2,4}"
)


def names_numbers(wanted: Wanted, candidate: Candidate) -> bool:
    """Whether a quote, or what stands right before it, has what is asked for that is called by
    a number: 中证500 is not 中证1000."""
    said = candidate.said
    printed = squeeze(f"{before(candidate.item, said)}{said.told}\n{said.context}")
    return all(each in printed for each in _NUMBERED.findall(squeeze(wanted.rest)))


def spells_out(wanted: Wanted, candidate: Candidate) -> bool:
    """Whether the figure of a quote is of what is asked about: a row names each thing, and no
    other one beside it is called the same and says otherwise; a passage has half of the names.
    """
    said, item = candidate.said, candidate.item
    if not said.row and not counts(wanted.question, said.told):
        return False
    if not said.row and _OF_RELATED.search(said.told) and "关联" not in wanted.question:
        return False
    if not names_numbers(wanted, candidate):
        return False
    near = wanted.text(f"{before(item, said)}{said.told}\n{said.context}")
    if not all(map(near.has, wanted.measured)):
        return False
    if not said.row:
        around = wanted.text(f"{item.identity}\n{item.text}")
        if wanted.metrics and not wanted.companies:  # of whom, words alone tell
            return all(around.has(each) for each in wanted.nouns)
        named = [around.has(each) for each in wanted.whole_names]
        return 2 * sum(named) >= len(named)
    told = wanted.text(f"{said.told}\n{said.context}")
    weight = WordWeights.packaged().weight
    nouns = [told.has(each) for each in wanted.nouns if weight(each) >= _TELLING]
    if sum(nouns) < len(nouns) * (1 if len(nouns) <= _FEW else _MOST):
        return False
    called = said.told.rpartition("：")[0]
    alike = [
        each for each in item.quotes(wanted.question) if each.told.rpartition("：")[0] == called
    ]
    return all(each.told == said.told for each in alike)
