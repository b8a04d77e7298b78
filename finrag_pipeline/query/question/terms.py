"""What a question asks for, term by term, and which of its terms a text lacks.

Whether that is enough for an answer is decided by who writes it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.words import fold, search_words, segmenter, subject, words

CODE = re.compile(r"\d{5,6}(?:\.[a-z]{2})?")
# the first word of a sentence is capitalised whatever it is
CAPITALISED = re.compile(
    r"(?<![.?!]\s)(?<!^)(?<![A-Za-z0-9])[A-Z][A-Za-z0-9&'-]+|[A-Za-z0-9]*[A-Z][A-Z0-9][A-Za-z0-9-]*"
)

#: What stands before such a word is the short name of a company, however common its parts are.
_LISTED = re.compile(r"([\u3400-\u9fff]{2,4}?)(?:股份|集团|银行|证券|保险|控股)")
#: Abbreviations of accounting that the tagger takes for people's names.
_NO_NAMES = {"归母", "扣非"}

#: Tags of the jieba dictionary for people, places, organisations and other proper nouns.
PROPER_TAGS = {"nr", "nrt", "nrfg", "ns", "nt", "nz"}
# Weights from which a missing term means that a text is about something else, by kind. Chosen
# with `MIN_COVERED` in `relevance` by `benchmarks/answer_threshold.py`.
PROPER_WEIGHT = 4.5
NOUN_WEIGHT = 6.0
PAIR_WEIGHT = 7.5
_NEVER = 99.0
#: Characters of a name, as evidence has it, from which what follows it is a word of its own.
LEAST_KNOWN = 3
#: Words of one character that stand beside names, and hardly ever in them.
_BESIDE_NAMES = frozenset(
    "受靠向看占未曾须凭遭卖买让使令做涉较最更很太每各某说称评论属至往随替离距除经如若则却仍才只仅均皆否别已需应约共但因故先再首另怎"
)
#: Words of one character that say how something is where they stand last.
_HOW = frozenset("大小高低多少强弱快慢好坏贵")
#: The dictionary holds some words together with the one that asks for them.
_ASKED = re.compile(r"^(?:哪些|哪个|哪家|哪种|什么|多少)(?=..)")


def terms(question: str) -> list[str]:
    """The words that say what a question is about, each once, in order.

    A Chinese word of one character says little alone: with its neighbour it is part of a name,
    unless it is one that stands beside names.

    >>> terms("凯莱英2024年的毛利率是多少？")
    ['凯莱', '莱英', '2024', '毛利率']
    """
    found: list[str] = []
    for piece in subject(question).split():
        parts = words(piece)
        for number, word in enumerate(parts):
            if len(word) > 1 or word.isascii():
                found.append(_bare(word))
            elif pair := _pair(parts, number):
                found.append(pair)
    return list(dict.fromkeys(found))


def _bare(word: str) -> str:
    """A word without one that stands beside it, where only a guess of the segmentation joins them.

    >>> _bare("看伊利"), _bare("说明书"), _bare("哪些项目")
    ('伊利', '说明书', '项目')
    """
    word = _ASKED.sub("", word)
    known = list(segmenter().cut(word, False)) if len(word) > 2 and not word.isascii() else [word]
    if len(known) > 1 and known[0] in _BESIDE_NAMES:
        return word[1:]
    if len(known) > 1 and known[-1] in _BESIDE_NAMES:
        return word[:-1]
    return word


def _pair(parts: Sequence[str], number: int) -> str | None:
    """A word of one character with the end of the one before it, else the start of the next."""
    word = parts[number]
    if word in _BESIDE_NAMES or len(parts) == 1:
        return None
    if word in _HOW and number == len(parts) - 1:
        return None
    if number == 0:
        return None if parts[1] in _BESIDE_NAMES else word + parts[1][0]
    return None if parts[number - 1] in _BESIDE_NAMES else parts[number - 1][-1] + word


def chance_pairs(question: str, texts: Iterable[str]) -> set[str]:
    """Terms of a question that join the end of a name, as texts have it, to the word after it.

    >>> terms("澄光储能赚多少？"), chance_pairs("澄光储能赚多少？", ["澄光储能的电芯"])
    (['澄光', '储能', '能赚'], {'能赚'})
    """
    known = "\n".join("".join(fold(text).split()) for text in texts)
    found: set[str] = set()
    for piece in subject(question).split():
        parts = words(piece)
        for number, word in enumerate(parts):
            before = "".join(parts[:number])
            if len(word) > 1 or len(before) < LEAST_KNOWN or word.isascii():
                continue
            start = number - 1
            while len("".join(parts[start:number])) < LEAST_KNOWN:
                start -= 1
            if "".join(parts[start:number]) in known and (pair := _pair(parts, number)):
                found.add(pair)
    return found


def has_term(term: str, text_words: Collection[str]) -> bool:
    """Whether a text, given by its `search_words`, has a term, however the text was cut."""
    if term in text_words:
        return True
    return (
        len(term) > 2
        and not term.isascii()
        and all(left + right in text_words for left, right in pairwise(term))
    )


def covered(
    asked: Sequence[str], text_words: Collection[str], context_words: Collection[str] = ()
) -> float:
    """The share, 0 to 1, of the weight of terms that a text has; its context counts half."""
    weights = WordWeights.packaged()
    total = found = 0.0
    for term in asked:
        weight = weights.weight(term)
        total += weight
        if has_term(term, text_words):
            found += weight
        elif has_term(term, context_words):
            found += weight * CONTEXT_SHARE
    return found / total if total else 0.0


#: A heading over a sentence says what it is about, but not that it says it.
CONTEXT_SHARE = 0.5


def names(question: str) -> list[str]:
    """The terms of a question without which a text is about something else.

    They are securities codes, capitalised words, and Chinese nouns that finance texts seldom use:
    companies, people, places, products. A verb may be put in other words, a name may not.

    >>> names("星河智造2024年的毛利率是多少？"), names("What was the gross margin of Zyntrex?")
    (['星河', '智造'], ['zyntrex'])
    """
    weights = WordWeights.packaged()
    pieces = subject(question).split()
    tags: dict[str, str] = {word: tag for piece in pieces for word, tag in segmenter().tag(piece)}
    # what is left of a guess is no verb
    tags = {_bare(word): "n" for word in tags} | tags
    capitalised = {word for written in CAPITALISED.findall(question) for word in words(written)}

    def least(term: str) -> float:
        if CODE.fullmatch(term):
            return 0.0
        if term.isascii():
            return PROPER_WEIGHT if term in capitalised else _NEVER
        tag = tags.get(term, "")
        if tag in PROPER_TAGS:
            return PROPER_WEIGHT
        if tag.startswith(("n", "j")):
            return NOUN_WEIGHT
        # a pair across two words: part of a name that the dictionary does not hold
        return _NEVER if tag else PAIR_WEIGHT

    listed = [match[1] for piece in pieces if (match := _LISTED.match(_from_name(piece)))]
    found = [term for term in terms(question) if rarity(term, weights) >= least(term)]
    return list(dict.fromkeys(term for term in [*listed, *found] if term not in _NO_NAMES))


def _from_name(piece: str) -> str:
    """A piece of a question without what stands before a name there."""
    parts = words(piece)
    return piece[len(parts[0]) :] if parts[0] in _BESIDE_NAMES else piece


def rarity(term: str, weights: WordWeights) -> float:
    """The weight of a term, of its rarest part where it is put together from known words."""
    parts = [part for part in segmenter().cut_for_search(term) if part != term]
    whole = len(term) > 3 and sum(map(len, parts)) >= len(term)
    return max(map(weights.weight, parts)) if whole else weights.weight(term)


def missing(wanted: Iterable[str], texts: Iterable[str]) -> list[str]:
    """The terms that none of some texts has."""
    present: set[str] = set()
    for text in texts:
        present.update(search_words(text))
    return [term for term in wanted if not has_term(term, present)]
