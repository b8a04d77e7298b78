"""Names by which questions mean a company or a publisher: spellings of what documents bear, and
where one stands in a question.

Names of a registry and of the graph are spelled by `stages.identity`; this is for those that only
a cover names: 3M COMPANY is asked for as 3M, 珠海格力电器股份有限公司 as 格力.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from finrag_pipeline.grammar.numerals import narrow
from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.stages.identity.codes import written_code
from finrag_pipeline.stages.identity.names import core_of, normalised, split_form, without_places
from finrag_pipeline.stages.identity.spelling import spelling
from finrag_pipeline.stages.metadata.company import plain_name
from finrag_pipeline.words import fold

_HAN = re.compile(r"[\u3400-\u9fff]")
_UNIT = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
_CODE = re.compile(r"(?<![A-Za-z\d.])\d{4,6}(?:\.[A-Za-z]{2})?(?![A-Za-z\d])")
_LEGAL_WORDS = """
inc incorporated corp corporation company companies co ltd limited plc llc lp sa nv ag se
holdings holding group trust de new
"""
_LEGAL = frozenset(_LEGAL_WORDS.split())
#: Words that open many companies' names: alone they name none of them.
_COMMON_WORDS = """
advanced allied american applied associated atlantic bank best block capital central china
chinese city consolidated digital eastern energy european federal financial first general
global gold great home independent industrial international life live marine national new
north northern old pacific principal public republic royal smart southern southwest
standard state sun united universal us usa waste water western world
"""
_COMMON_FIRST = frozenset(_COMMON_WORDS.split())
#: Units of the longest name that a question is searched for; 中国石油化工股份有限公司 has twelve.
_LONGEST = 20
#: Weight from which the distinguishing part of a Chinese name is one that texts seldom use
#: otherwise: 恒瑞 9.7, 格力 7.8, 伊利 8.5, but 平安 6.2, 东方 5.9 (`models.word_weights`).
_CORE_WEIGHT = 7.0
#: What follows the short name of a house whose words are meant: 国信认为, 国信的研报.
_SAYS = re.compile(
    r"\s*(?:的)?(?:证券|研究|研报|报告|认为|预计|预测|观点|点评|给予|分析师|评级|看)"
)

# How surely a spelling means the one that bears the name.
_WHOLE, _PART, _CORE = 1.0, 0.8, 0.6


@dataclass(frozen=True, slots=True)
class Spelled:
    """A way to write a name, as `spelling` has it.

    Attributes:
        sure: 0 to 1, how surely it means the name's bearer.
        capital: whether only a capital tells it from a word.
        speaks: whether what follows it must tell that a house speaks.
    """

    spelling: str
    sure: float
    capital: bool = False
    speaks: bool = False


@dataclass(frozen=True, slots=True)
class Named:
    """A company or publisher that a question names.

    Attributes:
        keys: whom the spelling may mean, each a `company_key` or a publisher's name.
        text: as the question has it, from `start` to `end`.
        sure: 0 to 1, how surely one of them is meant.
    """

    keys: tuple[str, ...]
    text: str
    start: int
    end: int
    sure: float


@lru_cache(maxsize=100_000)
def company_key(name: str | None, code: str | None) -> str:
    """What documents of one company share: its code, else its name without its legal form.

    >>> company_key("NIKE, Inc.", None), company_key("格力电器", "000651.SZ")
    ('nike', '000651.SZ')
    """
    return code or (
        "".join(_stem(name)) if name and not _HAN.search(name) else normalised(name or "")
    )


@lru_cache(maxsize=100_000)
def company_spellings(name: str) -> tuple[Spelled, ...]:
    """The ways in which questions write a company's name, the surest first.

    >>> [each.spelling for each in company_spellings("MGM Resorts International")]
    ['mgmresortsinternational', 'mgmresorts', 'mgm', 'mri']
    >>> [each.spelling for each in company_spellings("Johnson & Johnson")]
    ['johnsonjohnson', 'johnson', 'jj', 'jnj', 'jandj']
    >>> [each.spelling for each in company_spellings("珠海格力电器股份有限公司")]
    ['珠海格力电器股份有限公司', '珠海格力电器', '格力电器', '格力']
    """
    found = _chinese(plain_name(name)) if _HAN.search(name) else _latin(name)
    return tuple({each.spelling: each for each in reversed(list(found)) if each.spelling}.values())[
        ::-1
    ]


@lru_cache(maxsize=10_000)
def publisher_spellings(name: str) -> tuple[Spelled, ...]:
    """The ways in which questions write the name of a house.

    >>> [each.spelling for each in publisher_spellings("中国银河证券")]
    ['中国银河证券', '银河证券', '中国银河', '银河']
    """
    whole = spelling(name)
    found = [Spelled(whole, _WHOLE)]
    if _HAN.search(name):
        near = whole.removeprefix("中国")
        if near != whole and len(near) > 2:
            found.append(Spelled(near, _WHOLE))
        for each in (whole, near):
            short = each.removesuffix("证券")
            if len(short) >= 2 and short != each:
                found.append(Spelled(short, _PART, speaks=True))
    return tuple(dict.fromkeys(found))


class NameIndex:
    """Spellings to whom they mean, and codes to companies.

    Args:
        names: per key the spellings of its names.
        codes: per key its securities codes.
    """

    def __init__(
        self, names: Mapping[str, Iterable[Spelled]], codes: Mapping[str, Iterable[str]] = {}
    ) -> None:
        self._spelled: defaultdict[str, dict[str, Spelled]] = defaultdict(dict)
        for key, spellings in names.items():
            for each in spellings:
                self._spelled[each.spelling].setdefault(key, each)
        self._codes: defaultdict[str, list[str]] = defaultdict(list)
        for key, own in codes.items():
            for code in own:
                self._codes[code].append(key)

    def find(self, question: str) -> tuple[Named, ...]:
        """Whom a question names, the longest name at each place, in order."""
        found = [*self._coded(question)]
        units = [(m.start(), m.end()) for m in _UNIT.finditer(narrow(question))]
        folded = [fold(question[start:end]) for start, end in units]
        # who writes no capitals writes none of names either
        flat = not any(character.isupper() for character in question)
        at = 0
        while at < len(units):
            for until in range(min(len(units), at + _LONGEST), at, -1):
                held = self._spelled.get("".join(folded[at:until]))
                start, end = units[at][0], units[until - 1][1]
                text = question[start:end]
                meant = {
                    key: each.sure
                    for key, each in (held or {}).items()
                    if (
                        not each.capital
                        or text[:1].isupper()
                        or text[:1].isdigit()
                        or (flat and each.sure == _WHOLE)
                    )
                    and (not each.speaks or _SAYS.match(question, end))
                }
                if meant:
                    found.append(Named(tuple(meant), text, start, end, max(meant.values())))
                    at = until - 1
                    break
            at += 1
        return tuple(sorted(found, key=lambda each: each.start))

    def _coded(self, question: str) -> Iterator[Named]:
        for match in _CODE.finditer(question):
            code = written_code(match[0])
            if keys := self._codes.get(code or ""):
                yield Named(tuple(keys), match[0], match.start(), match.end(), _WHOLE)


def _stem(name: str) -> list[str]:
    """The words of a Latin name without The and its legal form."""
    units = [fold(unit) for unit in _UNIT.findall(name)]
    units = units[1:] if len(units) > 1 and units[0] == "the" else units
    while len(units) > 1 and units[-1] in _LEGAL:
        units.pop()
    return units


def _latin(name: str) -> Iterator[Spelled]:
    units = _stem(name)
    # one word may be any word: Target, Gap, Block
    yield Spelled("".join(units), _WHOLE, capital=len(units) == 1)
    for count in range(len(units) - 1, 0, -1):
        start = units[:count]
        if count > 1 or (len(start[0]) > 1 and start[0] not in _COMMON_FIRST):
            yield Spelled("".join(start), _PART, capital=True)
    initials = "".join(unit[0] for unit in units)
    if len(initials) > 2:
        yield Spelled(initials, _PART, capital=True)
    if len(initials) == 2 and "&" in name:
        for by in ("", "n", "and"):
            yield Spelled(by.join(initials), _PART, capital=True)


def _chinese(name: str) -> Iterator[Spelled]:
    yield Spelled(spelling(name), _WHOLE)
    stem, _ = split_form(name)
    yield Spelled(stem, _WHOLE)
    for rest in without_places(stem):
        yield Spelled(rest, _WHOLE)
    core = core_of(stem)
    if len(core) >= 2 and WordWeights.packaged().weight(core) >= _CORE_WEIGHT:
        yield Spelled(core, _CORE)
