"""The spellings in which questions write the names of companies and houses, and how surely each
means its bearer: 3M COMPANY is asked for as 3M, 珠海格力电器股份有限公司 as 格力.

Where one stands in a question is `names`'.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from finrag_pipeline.grammar.publishers import publishers
from finrag_pipeline.models.dictionary import sound
from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.script import simplified
from finrag_pipeline.stages.identity.codes import written_code
from finrag_pipeline.stages.identity.company_keys import LEGAL_WORDS, stem_of
from finrag_pipeline.stages.identity.names import (
    core_of,
    split_form,
    without_marks,
    without_places,
)
from finrag_pipeline.stages.identity.places import PLACES
from finrag_pipeline.stages.identity.spelling import spelling
from finrag_pipeline.stages.identity.world import also_called
from finrag_pipeline.words import fold, segmenter

_HAN = re.compile(r"[\u3400-\u9fff]")
#: How funds end, which are asked for without: 某某产业升级混合型证券投资基金.
_FUND = re.compile(
    r"(?P<sort>(?:灵活配置|偏股|偏债)?(?:股票|混合|债券|指数|货币))?(?:市场)?型?(?:发起式)?"
    r"(?:证券投资)?基金(?:中基金)?(?:[（(]\w+[)）])?$"
)
#: Companies of a place by what they do for it: 某州市城市建设投资 is 某州城投.
_OF_PLACES = {
    short: re.compile(rf"([\u3400-\u9fff]{{2,4}}?)[省市县区]?{full}")
    for short, full in (
        ("城投", "城市(?:建设)?投资"),
        ("交投", "交通(?:建设)?投资"),
        ("国投", "国有(?:资本|资产)投资"),
        ("产投", "产业投资"),
        ("水投", "水务投资"),
    )
}
_UNIT = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
#: Words that open many companies' names: alone they name none of them.
_COMMON_WORDS = """
advanced allied american applied associated atlantic bank best block capital central china
chinese city consolidated digital eastern energy european federal financial first general
global gold great home independent industrial international life live marine national new
north northern old pacific principal public republic royal smart southern southwest
standard state sun united universal us usa waste water western world
"""
COMMON_FIRST = frozenset(_COMMON_WORDS.split())
#: Weight from which the distinguishing part of a Chinese name is one that texts seldom use
#: otherwise: 恒瑞 9.7, 格力 7.8, 伊利 8.5, but 平安 6.2, 东方 5.9 (`models.word_weights`).
_CORE_WEIGHT = 7.0
#: The same for the first half of a short name whose other half is no known line of business:
#: 昭衍 11.2, 迪安 9.2, but 华润 7.2, 比亚 7.2.
_OPENING_WEIGHT = 8.0
#: Tags of words that say what a company does.
_SAYING = frozenset(("n", "v", "vn", "a", "an"))
#: Weight from which a Latin word is no word of texts: moutai 11.2, smic 11.2, but home 5.7.
_NAME_WEIGHT = 11.0
#: The same for the first word of a name that goes on, and for a symbol where nothing is written in
#: capitals: hengrui 9.8, cypc 9.5, but next 5.0.
SYMBOL_WEIGHT = 9.0
#: No word is without one: a symbol like MSFT is a name in small letters, too.
_VOWEL = re.compile(r"[aeiouy]")
#: Lines of business of which two-character names keep one: 长江电力 is 长电, 东方航空 is 东航.
_SHORTENED = ("电力", "航空", "银行", "汽车", "钢铁", "船舶", "铝业")
_SHORT_CHINESE = re.compile(r"[\u3400-\u9fff]{2,4}")
#: What a house is, at the end of its name; without it it is named where it speaks: 中金给予.
_FORM_OF_HOUSE = re.compile(r"(?:证券|咨询|研究院|研究所|智库|数据)$")
_HOUSE_WORDS = frozenset(("securities", "research", "capital", "partners", "advisors", "markets"))
_KIND_OF_HOUSE = re.compile(r"(?:公司|研究|\s+(?:Securities|Research))$")
# How surely a spelling means the one that bears the name.
WHOLE, _KNOWN, _PART, _START, _CORE = 1.0, 0.9, 0.8, 0.6, 0.6
#: Characters of a Chinese short name; letters of the shortest word or initials that name a company.
_SHORT_NAME, LEAST_LATIN = 4, 3
#: No word has a capital inside: WuXi.
_INNER_CAPITAL = re.compile(r"[a-z][A-Z]")
#: JPMorgan Chase & Co. is asked for as JPM.
_OPENING_CAPITALS = re.compile(r"[A-Z]{3,4}(?=[a-z])")


@dataclass(frozen=True, slots=True)
class Spelled:
    """A way to write a name, as `spelling` has it.

    Attributes:
        sure: 0 to 1, how surely it means the name's bearer.
        capital: whether only a capital tells it from a word.
        speaks: whether what follows it must tell that a house speaks.
        acronym: whether it stands in capitals alone: WHO is no word.
        alone: whether a line of business behind it makes it another's name: 长江 means 长江电力,
            but not in 长江证券.
    """

    spelling: str
    sure: float
    capital: bool = False
    speaks: bool = False
    alone: bool = False
    acronym: bool = False


@lru_cache(maxsize=100_000)
def company_spellings(name: str) -> tuple[Spelled, ...]:
    """The ways in which questions write a company's name, the surest first.

    >>> [each.spelling for each in company_spellings("MGM Resorts International")]
    ['mgmresortsinternational', 'mgmresorts', 'mgm', 'mri', '美高梅']
    >>> [each.spelling for each in company_spellings("Johnson & Johnson")]
    ['johnsonjohnson', 'johnson', 'jj', 'jnj', 'jandj', '强生', '强生公司']
    >>> [each.spelling for each in company_spellings("珠海格力电器股份有限公司")]
    ['珠海格力电器股份有限公司', '珠海格力电器', '格力电器', '格力', '珠海格力']
    """
    name = simplified(name)
    found = _chinese(name) if _HAN.search(name) else _latin(name)
    # what is filed in one language is asked for in the other: 微软
    others = (Spelled(spelling(each), _KNOWN) for each in _called_in_chinese(name))
    found = (*found, *others)
    return tuple({each.spelling: each for each in reversed(list(found)) if each.spelling}.values())[
        ::-1
    ]


def _called_in_chinese(name: str) -> Iterator[str]:
    """What Chinese texts call a large company, by its name or how that begins, and the first of two
    names joined by a dot: 洛克希德·马丁."""
    units = [] if _HAN.search(name) else stem_of(name)
    starts = (" ".join(units[:count]) for count in range(len(units) - 1, 1, -1))
    ways = map(also_called, (name, *starts))
    for each in filter(_HAN.search, next(filter(None, ways), tuple[str, ...]())):
        yield each
        first, dot, _ = each.partition("·")
        if dot and len(first) >= _SHORT_NAME:
            yield first


@lru_cache(maxsize=100_000)
def printed_spellings(name: str) -> tuple[Spelled, ...]:
    """The ways in which questions write a name that a company's own profile prints beside the one
    that it goes by; a short one that is a word of texts is none, but in capitals.

    >>> [each.spelling for each in printed_spellings("GALAXY WORKS CO.,LTD. OF XINGCHENG")]
    ['galaxyworkscoltdofxingcheng', 'galaxyworks']
    """
    if _HAN.search(name):
        return company_spellings(name)
    units = stem_of(name)
    spelled = "".join(units)
    if len(units) == 1:
        if len(spelled) < LEAST_LATIN:
            return ()
        rare = WordWeights.packaged().weight(spelled) >= _NAME_WEIGHT or not _VOWEL.search(spelled)
        word = not (_INNER_CAPITAL.search(name) or (rare and len(spelled) > LEAST_LATIN))
        if word and not name.isupper():
            return ()
        return (Spelled(spelled, WHOLE, acronym=word),)
    # what stands behind a legal form says where: WORKS CO., LTD. OF XINGCHENG
    end = next((at for at, unit in enumerate(units) if at > 1 and unit in LEGAL_WORDS), len(units))
    starts = dict.fromkeys((spelled, "".join(units[:end])))
    # Hengrui Pharma is asked for as Hengrui
    if WordWeights.packaged().weight(units[0]) >= SYMBOL_WEIGHT and len(units[0]) > _SHORT_NAME:
        starts[units[0]] = None
    return tuple(Spelled(each, WHOLE) for each in starts)


def known_spellings(name: str) -> tuple[Spelled, ...]:
    """The ways in which questions write a name that the graph knows a company by, as it stands.

    >>> known_spellings("Galaxy Works")[0].spelling, known_spellings("我们")
    ('galaxyworks', ())
    """
    spelled = spelling(name)
    least = 3 if _HAN.search(name) else 4
    if len(spelled) < least or written_code(name):
        return ()
    return (Spelled(spelled, _KNOWN, capital=len(_UNIT.findall(name)) == 1 and name.isascii()),)


def sounds(spelled: Iterable[Spelled]) -> Iterator[Spelled]:
    """How short Chinese names are written in Latin letters: 三九 as Sanjiu."""
    for each in spelled:
        if _SHORT_CHINESE.fullmatch(each.spelling) and len(heard := sound(each.spelling)) > 4:
            yield Spelled(heard, each.sure, capital=True)


@lru_cache(maxsize=10_000)
def publisher_spellings(name: str) -> tuple[Spelled, ...]:
    """The ways in which questions write the name of a house.

    >>> [each.spelling for each in publisher_spellings("中国银河证券")]
    ['中国银河证券', '银河证券', '中国银河', '银河', 'chinagalaxysecurities', 'chinagalaxy',\
 'galaxysecurities', 'galaxy']
    """
    whole = spelling(name)
    found = [Spelled(whole, WHOLE)]
    if _HAN.search(name):
        near = whole.removeprefix("中国")
        if near != whole and len(near) > 2:
            found.append(Spelled(near, WHOLE))
        for each in (whole, near):
            short = _FORM_OF_HOUSE.sub("", each)
            if len(short) >= 2 and short != each:
                found.append(Spelled(short, _PART, speaks=True))
    elif short := _plain_house(name):
        found.append(Spelled(short, WHOLE))
    known = publishers().get(name)
    for each in known.spellings if known else ():
        found.append(Spelled(spelling(each), WHOLE, acronym=each.isascii() and each.isupper()))
        short = _KIND_OF_HOUSE.sub("", each)
        if short != each and len(short) >= 2:
            found.append(Spelled(spelling(short), _PART, capital=short.isascii(), speaks=True))
    return tuple(dict.fromkeys(found))


def _plain_house(name: str) -> str:
    """A Latin house without what it is, where two words are left: Galaxy Works Partners."""
    units = [unit for unit in stem_of(name) if unit not in _HOUSE_WORDS]
    return "".join(units) if 1 < len(units) < len(_UNIT.findall(name)) else ""


def _latin(name: str) -> Iterator[Spelled]:
    units = stem_of(name)
    # one word may be any word: Target, Gap, Block
    yield Spelled("".join(units), WHOLE, capital=len(units) == 1)
    for count in range(len(units) - 1, 0, -1):
        start = "".join(units[:count])
        if count > 1 or (len(start) >= LEAST_LATIN and start not in COMMON_FIRST):
            # a long word that hardly any text has is a name however it is written
            least = SYMBOL_WEIGHT if len(start) > _SHORT_NAME else _NAME_WEIGHT
            rare = WordWeights.packaged().weight(start) >= least or not _VOWEL.search(start)
            yield Spelled(start, _PART, capital=count > 1 or not rare)
    initials = "".join(unit[0] for unit in units)
    if len(initials) >= LEAST_LATIN:
        yield Spelled(initials, _PART, capital=True)
    if opening := _OPENING_CAPITALS.match(name):
        yield Spelled(fold(opening[0]), _PART, capital=True)
    if len(units) == 2 and re.search(rf"{units[0]}\s*&\s*{units[1]}", fold(name)):
        for by in ("", "n", "and"):
            called = by.join(initials)
            short = len(called) < LEAST_LATIN or bool(_VOWEL.search(called))
            yield Spelled(called, _PART, capital=short)


def _chinese(name: str) -> Iterator[Spelled]:
    yield Spelled(spelling(name), WHOLE)
    bare, _ = without_marks(name)
    yield Spelled(bare, WHOLE)
    stem, form = split_form(name)
    yield Spelled(stem, WHOLE)
    for rest in without_places(stem):
        yield Spelled(rest, WHOLE)
    if fund := _FUND.search(stem):
        for short in dict.fromkeys((stem[: fund.end("sort")], stem[: fund.start()])):
            if len(short) >= _SHORT_NAME:
                yield Spelled(short, WHOLE)
    for short, full in _OF_PLACES.items():
        if match := full.match(stem):
            yield Spelled(f"{match[1]}{short}", WHOLE)
    place = PLACES.match(stem)
    if form and len(stem) > _SHORT_NAME and not (place and place.end() > 2):
        yield Spelled(stem[:_SHORT_NAME], _START)
    core = core_of(stem)
    if len(core) >= 2 and WordWeights.packaged().weight(core) >= _CORE_WEIGHT:
        yield Spelled(core, _CORE, alone=True)
        if place:
            yield Spelled(f"{place[0]}{core}", _CORE, alone=True)
    bare = stem[place.end() :] if place else stem
    if form and len(bare) > _SHORT_NAME and _opens_words(bare):
        # of lines of business that no list knows: 禾沁宠物食品 is asked for as 禾沁
        yield Spelled(bare[:2], _CORE, alone=True)
    opening = stem[:2]
    if len(stem) == _SHORT_NAME and stem.endswith(_SHORTENED):
        yield Spelled(stem[0] + stem[2], _CORE, alone=True)
    if (
        core == stem
        and len(stem) == _SHORT_NAME
        and WordWeights.packaged().weight(opening) >= _OPENING_WEIGHT
    ):
        # of a line of business that no list knows: 星河新药 is asked for as 星河
        yield Spelled(opening, _CORE, alone=True)
    elif core == stem and len(stem) == _SHORT_NAME and _names_alone(stem[2:]):
        # behind what opens the names of a whole group: 华润三九 is asked for as 三九
        yield Spelled(stem[2:], _CORE, alone=True)


def _opens_words(stem: str) -> bool:
    """Whether a stem is two characters that texts seldom use and words of the language: 禾沁 and
    宠物, 食品."""
    rare = WordWeights.packaged().weight(stem[:2]) >= _OPENING_WEIGHT
    return rare and all(len(each) > 1 for each in segmenter().cut(stem[2:], False))


def _names_alone(closing: str) -> bool:
    """Whether the second half of a short name is no word that says what a company does."""
    tags = {tag for _, tag in segmenter().tag(closing)}
    return WordWeights.packaged().weight(closing) >= _OPENING_WEIGHT and not tags & _SAYING
