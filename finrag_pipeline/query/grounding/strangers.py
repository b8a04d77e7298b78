"""Names in an answer that neither its evidence nor the vocabulary has: companies that are not held.

Companies that are held are found by `names`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.grammar.fact_metrics import fact_metrics, fact_metrics_in
from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.query.grounding.figures import without_times
from finrag_pipeline.query.grounding.spans import Said
from finrag_pipeline.words import FUNCTION_WORDS, fold, segmenter, words

_PATH = Path(__file__).with_name("answer_words.csv")
#: From here on a word is seldom one of the language alone: 时代 6.0, 宁德 6.2, 贵州 6.5; 经营 3.0,
#: 提升 4.1, 复合 5.7.
_RARE_HAN, _RARE_LATIN = 5.9, 5.0
_HAN = re.compile(r"[\u3400-\u9fff]+")
_CAPITAL = re.compile(r"(?<![A-Za-z0-9_.&])[A-Z][A-Za-z&.’']*[A-Za-z]")
_NUMBER = re.compile(r"(?<=[\u3400-\u9fff])\d")
#: What may stand between a name and what is said of it: its code.
_CODE = re.compile(r"(?:[\s（(]|[（(]\d{6}(?:\.\w\w)?[)）])+$")
#: First letters of tags of words that name nothing: pronouns, adverbs, particles, numerals.
_GRAMMATICAL = "rdpcumqfy"
_BEGINS = re.compile(r"(?:^|[.!?。；;:：\n])\s*[\"“(（·*\-]*\s*$")


def strangers(text: str, said: Sequence[Said], held: str) -> Iterator[tuple[int, int]]:
    """Where a text names somebody whom its evidence does not: the words before a time, a metric or
    a figure, and words with a capital.

    Args:
        said: the times that it names.
        held: all words of what it cites, and of what stands around that.
    """
    known = fold(held)
    # a page may tear a word: 成果转 化
    whole = "".join(known.split())
    for start, end in _subjects(text, said):
        if any(_strange_han(word, whole) for word in words(text[start:end])):
            yield start, end
    for match in _CAPITAL.finditer(text):
        word = re.sub(r"[’']s$", "", match[0])
        if _strange_latin(word, known, bool(_BEGINS.search(text[: match.start()]))):
            yield match.span()


def own_words(text: str, held: str) -> list[str]:
    """Words of a text that its evidence does not have and that may be names; verbs are none.

    A sentence that puts evidence in other words may use other verbs, but says it of the same.

    Args:
        held: all words of what it rests on, in the same language.

    >>> held = "远岫能源三季度收入增长18%，主要由于储能电芯交付。"
    >>> own_words("远岫能源收入攀升，主要是储能电芯交付加快", held)
    []
    >>> own_words("云岭电池收入攀升", held), own_words("Zyntrex 收入增长", held)
    (['云岭'], ['Zyntrex'])
    """
    known = "".join(fold(held).split())
    found: list[str] = []
    for run in _HAN.findall(text):
        single = ""
        for word, tag in [*segmenter().tag(run), ("", "")]:
            if len(word) == 1 and tag[0] not in _GRAMMATICAL:
                single += word
                continue
            if len(single) > 1 and single not in known:
                found.append(single)
            single = ""
            content = len(word) > 1 and tag[0] not in _GRAMMATICAL + "v"
            if content and word not in known and word not in vocabulary():
                found += [word] if WordWeights.packaged().weight(word) >= _RARE_HAN else []
    for match in _CAPITAL.finditer(text):
        word = re.sub(r"[’']s$", "", match[0])
        if _strange_latin(word, fold(held), bool(_BEGINS.search(text[: match.start()]))):
            found.append(match[0])
    return found


def _subjects(text: str, said: Sequence[Said]) -> Iterator[tuple[int, int]]:
    """Runs of Chinese characters that stand right before a time, a metric or a figure."""
    shown = without_times(text, said, " ")
    ends = {each.start for each in said}
    ends |= {each.start for each in fact_metrics_in(shown)}
    ends |= {match.start() for match in _NUMBER.finditer(shown)}
    for end in sorted(ends):
        bare = _CODE.sub("", shown[:end])
        run = re.search(r"[\u3400-\u9fff]+$", bare)
        if run and len(run[0]) > 1:
            yield run.start(), run.end()


def _strange_han(word: str, known: str) -> bool:
    if not _HAN.fullmatch(word) or len(word) < 2 or word in known:
        return False
    # words of the language inside it: 排名第
    parts = (word[n:m] for n in range(len(word)) for m in range(n + 2, len(word) + 1))
    if any(part in vocabulary() for part in parts):
        return False
    return WordWeights.packaged().weight(word) >= _RARE_HAN


def _strange_latin(word: str, known: str, begins: bool) -> bool:
    folded = fold(word)
    if folded in known or folded in vocabulary() or len(word) < 2:
        return False
    stems = words(word)
    if any(stem in vocabulary() for stem in stems):
        return False
    weight = max((WordWeights.packaged().weight(stem) for stem in stems), default=0.0)
    return not begins or weight >= _RARE_LATIN


@cache
def vocabulary() -> frozenset[str]:
    """Words of metrics, and those that answers say around figures."""
    found: set[str] = set(FUNCTION_WORDS)
    for each in fact_metrics().values():
        for wording in (*each.asked, *each.labels, each.name_zh, each.name_en):
            found.update(words(wording))
            found.update(fold(wording).split())
    for row in data_rows(_PATH, ("words",)):
        found.update(row.listed("words"))
    return frozenset(found)
