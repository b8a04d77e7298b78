"""Words of a question laid over the words of a table, piece by piece, until none is left.

A piece is at least two Chinese characters that stand side by side, or a whole word or number in
Latin letters, which a Chinese table says by the dictionary. Which words of a question count is
`asking`'s, what stands where in a table `cells`'.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.grammar.numerals import chinese_number
from finrag_pipeline.models.dictionary import is_pinyin, sounds_in, translations
from finrag_pipeline.query.answers.passages.synonyms import in_chinese
from finrag_pipeline.words import fold, stem

#: A Chinese character, a word or number in Latin letters, or what parts them.
_UNIT = re.compile(r"[\u3400-\u9fff]|[a-z0-9]+(?:\.\d+)?|[^\s\-–_·]")
_LATIN = re.compile(r"[a-z0-9]")
_WORD = re.compile(r"<([a-z]+)>")
#: A number in characters that counts: 近三个月, 前五名, 一年以内.
_COUNT = re.compile(r"[一二三四五六七八九十]+(?=个?月|年以|年内|[名大]|个?季)")
#: A number in characters that names: 全国社保基金四一三组合.
_DIGITS = re.compile(r"[〇零一二三四五六七八九]{3,}")
_AS_DIGITS = str.maketrans("〇零一二三四五六七八九", "00123456789")
#: A phase of a trial: III 期.
_PHASES = {"i": "一", "ii": "二", "iii": "三", "iv": "四"}
_PHASE = re.compile(r"(?<![a-z])(?:i{1,3}|iv)(?=\s?期)")
#: What stands for all that parts words.
_BREAK = "|"
#: The units of the longest piece.
_LONGEST = 16
#: Letters of a name in pinyin: shorter ones are words of English as well.
_LEAST_HEARD = 6
#: Fewer Chinese characters stand side by side by chance.
_SHORTEST = 2


@lru_cache(maxsize=1 << 15)
def units_of(text: str) -> tuple[str, ...]:
    """The characters and words of a text, folded, those in Latin letters without their inflection;
    breaks where marks part them.

    >>> units_of("DNA 编码（DEL），8英寸")
    ('<dna>', '编', '码', '|', '<del>', '|', '|', '<8>', '英', '寸')
    >>> units_of("近三个月") == units_of("近3 个月"), units_of("III 期") == units_of("三期")
    (True, True)
    """
    shown = _COUNT.sub(lambda each: str(chinese_number(each[0])), fold(text))
    shown = _DIGITS.sub(lambda each: each[0].translate(_AS_DIGITS), shown)
    shown = _PHASE.sub(lambda each: _PHASES[each[0]], shown)
    return tuple(map(_unit, _UNIT.findall(shown)))


def joined(text: str) -> str:
    """A text as pieces are looked for in it."""
    return "".join(units_of(text))


@dataclass(frozen=True, slots=True)
class Place:
    """Where words of a question may stand.

    Attributes:
        text: what stands there.
        worth: what each unit counts that is found there.
        means: what it names that has several names, as pieces are asked for it.
    """

    text: str
    worth: float
    means: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Cover:
    """Words that were laid over places.

    Attributes:
        worth: of all pieces.
        units: how many units each place took, in the order of the places.
        left: how many units stand nowhere.
    """

    worth: float = 0.0
    units: tuple[int, ...] = field(default=())
    left: int = 0


def cover(
    text: str,
    places: Sequence[Place],
    plain: frozenset[str] = frozenset(),
    meant: Mapping[str, str] | None = None,
    *,
    english: bool = False,
) -> Cover:
    """The words of a text laid over places: as few units left as can be, then as much worth.

    Args:
        plain: words that need stand nowhere, joined.
        meant: what pieces mean, joined, that have several names.
        english: whether its words count where Chinese ones for them stand.

    >>> cover("有多少发明专利", [Place("发明专利 件", 1.0)], frozenset(["有", "多少"])).left
    0
    >>> cover("海外人员", [Place("研发人员", 1.0)]).left
    2
    >>> plain = frozenset(["总", "户", "数"])  # parts of what a metric is called are no talk
    >>> [cover("股东总户数", [Place("股东净利润", 1.0)], plain, meant).left
    ...  for meant in ({}, {"股东总户数": "shareholders"})]
    [0, 3]
    >>> cover("dairy products", [Place("奶制品 吨", 1.0)], english=True).left
    0
    """
    units = units_of(text)
    named = _inside(units, tuple(meant or ()))
    held = [(joined(each.text), each) for each in places]
    none = tuple([0] * len(places))
    best: list[Cover] = [Cover(units=none)]
    for end in range(1, len(units) + 1):
        last = best[end - 1]
        broken = units[end - 1] == _BREAK
        found = [Cover(last.worth, last.units, last.left + (not broken))]
        for start in range(max(0, end - _LONGEST), end):
            piece = "".join(units[start:end])
            if _BREAK in piece:
                continue
            # 户 of 股东总户数 is no word of its own
            if piece in plain and (end - start > 1 or start not in named):
                found.append(best[start])
            at = _stands(piece, end - start, held, meant or {}, english)
            if at is not None:
                taken = [*best[start].units]
                taken[at] += end - start
                # one long piece tells more than two short ones
                worth = best[start].worth + places[at].worth * (end - start - 0.01)
                found.append(Cover(worth, tuple(taken), best[start].left))
        best.append(min(found, key=lambda each: (each.left, -each.worth)))
    return best[-1]


@lru_cache(maxsize=64)
def _inside(units: tuple[str, ...], names: tuple[str, ...]) -> frozenset[int]:
    """The units that stand inside names of metrics in Chinese: one question is laid over many
    cells."""
    text = "".join(units)
    if not names or len(text) != len(units):
        return frozenset()
    return frozenset(
        at
        for name in names
        for start in range(len(text) - len(name) + 1)
        if text.startswith(name, start)
        for at in range(start, start + len(name))
    )


def _stands(
    piece: str,
    length: int,
    held: Sequence[tuple[str, Place]],
    meant: Mapping[str, str],
    english: bool,
) -> int | None:
    """The place that holds a piece and is worth most; None where none does."""
    enough = length >= _SHORTEST or (piece[0] == "<" and not piece.strip("<>").isdigit())
    spellings = _others().get(piece, ()) + ((piece,) if enough else ())
    spellings += chinese_for(piece) if english else ()
    meaning = meant.get(piece)
    heard = _heard(piece) if english else ""
    found = [
        n
        for n, (text, place) in enumerate(held)
        if any(each in text for each in spellings)
        or (meaning and meaning in place.means)
        or (heard and sounds_in(heard, text))
    ]
    return max(found, key=lambda n: held[n][1].worth, default=None)


@lru_cache(maxsize=1 << 15)
def chinese_for(piece: str) -> tuple[str, ...]:
    """Chinese words for an English one or for two that stand together, with their other spellings,
    all joined.

    >>> chinese_for(joined("overdue"))[:1], chinese_for(joined("2024")), chinese_for(joined("奶粉"))
    (('逾期',), (), ())
    """
    english = _WORD.findall(piece)
    if not english or "".join(f"<{each}>" for each in english) != piece:
        return ()
    found = in_chinese(english[0]) if len(english) == 1 else translations(*english)
    spelled = (other for each in found for other in (each, *_others().get(each, ())))
    return tuple(dict.fromkeys(spelled))


def _heard(piece: str) -> str:
    """English words that may be a Chinese name in pinyin, without what parts them: Hua Hong."""
    letters = "".join(_WORD.findall(piece))
    return letters if len(letters) >= _LEAST_HEARD and is_pinyin(letters) else ""


@lru_cache(maxsize=64)
def chinese_words(text: str) -> tuple[str, ...]:
    """Chinese words, joined, for all English ones of a text."""
    units = units_of(text)
    pieces = (*units, *map("".join, pairwise(units)))
    return tuple(dict.fromkeys(each for piece in pieces for each in chinese_for(piece)))


def _unit(unit: str) -> str:
    if _LATIN.match(unit):
        return f"<{stem(unit)}>"
    return unit if "\u3400" <= unit <= "\u9fff" else _BREAK


@cache
def _others() -> Mapping[str, tuple[str, ...]]:
    """By each word that has other spellings, joined, all of them."""
    path = Path(__file__).with_name("other_words.csv")
    found: dict[str, tuple[str, ...]] = {}
    for row in data_rows(path, ("words", "meaning")):
        group = tuple(map(joined, row.listed("words")))
        for each in group:
            found[each] = (*found.get(each, ()), *group)
    return found


@cache
def plain_words(name: str) -> frozenset[str]:
    """The words of a kind in `plain_words.csv`, joined: of `question`, of `label`, of `share`, of
    `change`.

    Raises:
        KeyError: there is no such kind.
    """
    return _plain()[name]


@cache
def _plain() -> Mapping[str, frozenset[str]]:
    path = Path(__file__).with_name("plain_words.csv")
    found: dict[str, set[str]] = {}
    for row in data_rows(path, ("kind", "words", "meaning")):
        found.setdefault(row["kind"], set()).update(map(joined, row.listed("words")))
    return {kind: frozenset(words) for kind, words in found.items()}
