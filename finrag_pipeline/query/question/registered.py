"""Companies that the registry knows and no document is about: 伊利 is one, whatever a store holds.

A question that names one is answered by what names it alone: a passage on another company's plants
is none on its own. Whom documents are about is `catalogue`'s.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import pairwise

from finrag_pipeline.grammar.publishers import publishers, publishers_in
from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.query.question.names import Named, NameIndex
from finrag_pipeline.query.question.spellings import Spelled, company_spellings
from finrag_pipeline.query.question.terms import PROPER_TAGS, rarity
from finrag_pipeline.stages.identity.companies import Company
from finrag_pipeline.stages.identity.names import opens_business
from finrag_pipeline.words import fold, segmenter, subject

_HAN = re.compile(r"[\u3400-\u9fff]+")
#: Names of listed companies that are words, too: 标准股份 weighs 4.2, 中国软件 5.2, 贵州茅台 7.0.
_LEAST_WEIGHT = 5.5
#: Characters from which a name stands for itself; shorter ones have to be tagged as names.
_LONG = 4
_SHORT = 2
#: Companies that bear a pair of characters at most, for it to be looked up: each name has one.
_MOST_BEAR = 150
_DIGITS = re.compile(r"\d{4,6}")
_PLACE = "ns"
#: What stands before a short name: nothing, what ends a clause, or a word that joins names.
_OPENS = re.compile(r"(?:^|[\s，。；：、？！,;:?!（）()“”\"对与和跟及或比看查问说让给向从])$")


class Registered:
    """Finds companies of a registry in questions and texts.

    Args:
        companies: of the registry, with all their names.
    """

    def __init__(self, companies: Iterable[Company] = ()) -> None:
        self._companies = tuple(companies)

    @cached_property
    def _by_piece(self) -> Mapping[str, tuple[Company, ...]]:
        """Companies by the pairs of characters of their names, and by the digits of their codes;
        pairs that many bear (股份, 中国) tell none of them."""
        found: defaultdict[str, dict[str, Company]] = defaultdict(dict)
        for company in self._companies:
            pieces = [code.partition(".")[0] for code in company.codes]
            pieces += [
                left + right for each in company.names for left, right in pairwise(fold(each.name))
            ]
            for piece in pieces if company.codes else ():
                found[piece].setdefault(company.codes[0], company)
        return {
            piece: tuple(held.values()) for piece, held in found.items() if len(held) <= _MOST_BEAR
        }

    def _named_in(self, question: str) -> tuple[Named, ...]:
        """Names in a question; only companies that share characters with it are spelled."""
        bare = "".join(fold(question).split())
        pieces = {*map("".join, pairwise(bare)), *_DIGITS.findall(bare)}
        held = {each.codes[0]: each for piece in pieces for each in self._by_piece.get(piece, ())}
        return _index(held.values()).find(question)

    @cached_property
    def _by_code(self) -> Mapping[str, Company]:
        return {code: each for each in self._companies for code in each.codes}

    def written_by_code(self, code: str) -> Iterator[Spelled]:
        """The ways to write the names of the company with a code that leave no doubt."""
        if code in self._by_code:
            yield from _spellings(self._by_code[code])

    def naming(self, strangers: Iterable[Named]) -> NameIndex:
        """How some of them are written, to look for them in texts."""
        return _index(self._of(strangers))

    def written(self, stranger: Named) -> tuple[str, ...]:
        """The ways to write one, as the question has it first."""
        ways = [each.spelling for company in self._of([stranger]) for each in _spellings(company)]
        return tuple(dict.fromkeys((stranger.text, *ways)))

    def _of(self, strangers: Iterable[Named]) -> Iterator[Company]:
        keys = {key for each in strangers for key in each.keys}
        return (each for each in self._companies if keys & set(each.codes))

    def strangers(
        self, question: str, known: Sequence[Named], codes: Container[str]
    ) -> tuple[Named, ...]:
        """Companies that a question names beside those that are known.

        Args:
            known: companies and houses of the question that documents are about or by.
            codes: of the companies that documents are about.
        """
        if not self._companies:
            return ()
        taken = [(each.start, each.end) for each in known]
        # a house that speaks is no company that is asked about
        taken += [(start, end) for _, start, end in publishers_in(question)]
        return tuple(
            each
            for each in self._named_in(question)
            if not any(each.start < end and start < each.end for start, end in taken)
            and not any(key in codes for key in each.keys)
            and _is_name(each, question)
        )


#: Of a store without a registry.
NONE_REGISTERED = Registered()


def _index(companies: Iterable[Company]) -> NameIndex:
    held = {each.codes[0]: each for each in companies}
    return NameIndex(
        {key: tuple(_spellings(each)) for key, each in held.items()},
        {key: each.codes for key, each in held.items()},
    )


def _spellings(company: Company) -> Iterator[Spelled]:
    """The ways to write a company's Chinese names that leave no doubt: whole names without their
    legal forms, and what tells them from all others."""
    for name in company.names:
        if not _HAN.search(name.name):
            continue
        if name.kind == "nickname":
            yield Spelled(name.name, 1.0)
            continue
        for each in company_spellings(name.name):
            if each.sure == 1.0 or len(each.spelling) == _SHORT:
                yield each


def _is_name(named: Named, question: str) -> bool:
    """Whether words are a company's name where they stand in a question.

    >>> [_is_name(Named(("k",), text, question.index(text), question.index(text) + len(text), 1.0),
    ...           question) for question, text in
    ...  [("伊利有多少基地", "伊利"), ("人造镜片统一招标", "统一"), ("老百姓买什么", "老百姓")]]
    [True, False, False]
    """
    text = "".join(named.text.split())
    if not _HAN.fullmatch(text):
        return True  # a code
    if len(text) >= _LONG:
        behind = question[named.end :]
        weighs = rarity(text, WordWeights.packaged()) >= _LEAST_WEIGHT or _tag(text) in PROPER_TAGS
        return weighs and not opens_business(behind)
    if not _OPENS.search(question[: named.start]) or text in _openings_of_houses():
        return False
    tags = {
        word: tag for piece in subject(question).split() for word, tag in segmenter().tag(piece)
    }
    tag = tags.get(text)
    if tag is None or tag == _PLACE:
        return False
    return tag in PROPER_TAGS or len(list(segmenter().cut(text, False))) > 1


@cache
def _openings_of_houses() -> frozenset[str]:
    """What houses are called for short: 信达 is the house before it is any other company."""
    return frozenset(
        name[:length] for name in publishers() for length in (_SHORT, _SHORT + 1) if len(name) > 3
    )


def _tag(text: str) -> str:
    """The tag of a text that is one word; empty for several."""
    tagged = list(segmenter().tag(text))
    return tagged[0][1] if len(tagged) == 1 else ""
