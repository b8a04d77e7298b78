"""What a question asks for, term by term, and which of its terms a text lacks.

Whether that is enough for an answer is decided by who writes it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from finrag_pipeline.models.dictionary import translations
from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.query.question.tagging import NAMES, tagged, whole_words
from finrag_pipeline.words import fold, is_chinese, search_words, segmenter, subject, words

CODE = re.compile(r"\d{5,6}(?:\.[a-z]{2})?")
# the first word of a sentence is capitalised whatever it is
CAPITALISED = re.compile(
    r"(?<![.?!]\s)(?<!^)(?<![A-Za-z0-9])[A-Z][A-Za-z0-9&'-]+|[A-Za-z0-9]*[A-Z][A-Z0-9][A-Za-z0-9-]*"
)

#: What stands before such a word is the short name of a company, however common its parts are.
_LISTED = re.compile(r"([\u3400-\u9fff]{2,4}?)(?:股份|集团|银行|证券|保险|控股)")
#: Abbreviations of accounting that the tagger takes for people's names.
_NO_NAMES = {"归母", "扣非"}

_JOINED = re.compile(r"\b[A-Za-z]+-[a-z]+\b")

#: Tags of the jieba dictionary for people, places, organisations and other proper nouns.
PROPER_TAGS = {"nr", "nrt", "nrfg", "ns", "nt", "nz"}
_PEOPLE = {"nr", "nrt", "nrfg"}
#: Tags of the tagger for names, for what else may be called by one, and for what never is.
_WHOSE = frozenset(("ORG", "PER", "LOC"))
_CALLED = NAMES | {"n", "vn", "s"}
_NO_NAME = frozenset(("TIME", "ad", "c", "d", "f", "m", "p", "q", "r", "t", "u", "vd", "xc"))
# Weights from which a missing term means that a text is about something else, by kind. Chosen
# with `MIN_COVERED` in `relevance` by `benchmarks/answer_threshold.py`.
PROPER_WEIGHT = 4.5
NOUN_WEIGHT = 6.0
PAIR_WEIGHT = 7.5
_NEVER = 99.0
#: Tags of the tagger for things: one of one character is told with what stands before it, 验猴.
_THING = frozenset(("n", "nz"))
#: Tags of the tagger for words that say nothing by themselves.
_NO_TERM = frozenset(("c", "d", "p", "q", "r", "u", "xc"))
_COUNT = frozenset("m")
#: Tags of the dictionary for what says something, though the tagger should miss it: 先导.
_TERMS = frozenset(("n", "ns", "nt", "nz", "v", "vn"))
#: 一百零一个亿 is written in digits, as a rule.
_NUMERAL = re.compile("[一二三四五六七八九十百千万亿零两几半多个]+")
_ASKS = re.compile("哪|怎么|何时|啥|几|为啥")
#: The dictionary holds some words together with the one that asks for them.
_ASKED = re.compile(r"^(?:哪些|哪个|哪家|哪种|什么|多少)(?=..)")


def terms(question: str) -> list[str]:
    """The words that say what a question is about, each once, in order.

    A Chinese word of one character says little alone: with its neighbour it is part of a name,
    where the tagger of names holds them for one word.

    >>> terms("凯莱英2024年的毛利率是多少？"), terms("头豹按什么口径统计？")
    (['凯莱', '莱英', '2024', '毛利率'], ['头豹', '口径', '统计'])
    """
    found: list[str] = []
    whole = [word for word, _ in whole_words(question)]
    things = {word for word, tag in tagged(question) if tag in _THING}
    empty = _empty(question)
    for piece in subject(question).split():
        parts = words(piece)
        for number, word in enumerate(parts):
            if word.isascii():
                found.append(word)
            elif len(word) > 1:
                found += (each for each in _bare(word, whole) if each not in empty)
            elif pair := _pair(parts, number):
                stands = number and word in things and pair in fold(question)
                found += [pair] if stands else _within(pair, whole)
    return [each for each in dict.fromkeys(found) if not _NUMERAL.fullmatch(each)]


def _bare(word: str, whole: Sequence[str]) -> list[str]:
    """A word of the dictionary without what asks for it; of one that the segmentation only guesses
    what the tagger holds for words, too.

    >>> _bare("看伊利", ["看", "伊利"]), _bare("说明书", ["说", "明书"]), _bare("哪些项目", [])
    (['伊利'], ['说明书'], ['项目'])
    """
    word = _ASKED.sub("", word)
    return [word] if is_known(word) else _within(word, whole)


def _empty(question: str) -> set[str]:
    """Words of a question that say nothing by themselves, as both cut it: 差点, 到底, 这块."""
    cut = [tag for word, tag in tagged(question) for _ in word]
    found, at = set[str](), 0
    for word, tag in segmenter().tag(fold(question)):
        tags = set(cut[at : at + len(word)])
        at += len(word)
        silent = not tags <= _COUNT and tags <= _NO_TERM | _COUNT
        silent = silent and ("r" in tags or tag not in _TERMS)
        if silent or _ASKS.match(word):
            found.add(word)
    return found


def is_known(word: str) -> bool:
    """Whether the dictionary has a word."""
    return len(list(segmenter().cut(word, False))) == 1


def _within(guess: str, whole: Sequence[str]) -> list[str]:
    """The parts of a guess, of two characters or more, that each stand in one word.

    >>> _within("隔川膜业", ["隔川", "膜业"]), _within("豹按", ["头豹", "按"])
    (['隔川', '膜业'], [])
    """
    start, found = 0, list[str]()
    while start < len(guess) - 1:
        ends = range(len(guess), start + 1, -1)
        part = next((p for end in ends if any((p := guess[start:end]) in w for w in whole)), "")
        found += [part] if part else []
        start += len(part) or 1
    return found


def _pair(parts: Sequence[str], number: int) -> str:
    """A word of one character with the end of the one before it, else the start of the next; empty
    where it stands alone."""
    if len(parts) == 1:
        return ""
    return parts[number - 1][-1] + parts[number] if number else parts[0] + parts[1][0]


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
    cut = tagged(question)
    capitalised = {word for written in CAPITALISED.findall(question) for word in words(written)}

    def least(term: str) -> float:
        if CODE.fullmatch(term):
            return 0.0
        if term.isascii():
            return PROPER_WEIGHT if term in capitalised else _NEVER
        called = {tag for word, held in whole_words(question) if term in word for tag in held}
        if term not in tags or not (is_known(term) or tags[term].startswith("n")):
            # part of a name that the dictionary does not hold, or behind one: 星河 + 智造
            behind = any(tag in NAMES and term in word for (_, tag), (word, _) in pairwise(cut))
            return _guess_weight(called, behind=behind)
        if called and not called & _CALLED and (called <= _NO_NAME or tags[term] in _PEOPLE):
            return _NEVER  # 收盘, which the dictionary has for a person
        tag = tags[term]
        if tag in PROPER_TAGS:
            return PROPER_WEIGHT
        return NOUN_WEIGHT if tag.startswith(("n", "j")) else _NEVER

    listed = [match[1] for word, _ in cut if (match := _LISTED.match(word))]
    found = [term for term in terms(question) if rarity(term, weights) >= least(term)]
    return list(dict.fromkeys(term for term in [*listed, *found] if term not in _NO_NAMES))


def needed_names(question: str) -> list[str]:
    """Those of them that a text in either language writes so: of an English question without what
    the dictionary translates, European and Phase I.

    >>> needed_names("Which Peruvian projects does Zyntrex run in Peru?")
    ['zyntrex']
    """
    found = names(question)
    if is_chinese(question):
        return found
    # DNA-encoded is a word that says what something is
    joined = {each for written in _JOINED.findall(question) for each in words(written)}
    return [
        each for each in found if each not in joined and not (each.isalpha() and translations(each))
    ]


def called_in(question: str) -> set[str]:
    """The names of a question that are somebody's or of a place, not of a thing.

    >>> called_in("头豹的医院信息化白皮书"), called_in("the white paper of IQVIA")
    ({'头豹'}, {'iqvia'})
    """
    whose = [word for word, tag in tagged(question) if tag in _WHOSE]
    return {name for name in names(question) if name.isascii() or any(name in w for w in whose)}


def _guess_weight(called: Collection[str], *, behind: bool) -> float:
    """The weight from which a guess is a name, by the tags of the words that it stands in."""
    if NAMES.intersection(called):
        return NOUN_WEIGHT
    return PAIR_WEIGHT if behind or _CALLED.intersection(called) else _NEVER


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
