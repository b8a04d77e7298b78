"""What a question asks of covers: which fields, which houses, which ratings, of which documents.

Its words are rows of `wording.csv`; what is told is `telling`'s.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.grammar.publishers import publishers
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.houses import House, find_houses, published_within
from finrag_pipeline.query.question.names import NameIndex
from finrag_pipeline.query.question.notes import OF_REPORT
from finrag_pipeline.query.question.spellings import publisher_spellings
from finrag_pipeline.query.views.ratings import classes_in
from finrag_pipeline.words import fold

_PATH = Path(__file__).with_name("wording.csv")
#: What is told of documents beside their houses and days.
_FIELDS = ("rating", "target_price", "analysts", "title", "revision")
#: What is told of a document where a question asks for none of it in particular.
_PLAIN = ("rating", "target_price")
#: A price that the question gives itself, before it asks for something else.
_GIVEN = re.compile(
    r"(?:目标价|target price)[^，,。；;？?\d]{0,8}\d[\d.,]*\s*"
    r"(?:元|港[元币]|美[元金]|块|hkd|usd|cny)?[^，,；;？?]{0,6}"
    r"[，,；;](?=.*(?:为什么|为何|什么|哪|怎么|如何|是否|吗|why|what|how))"
)
#: What a question for a day speaks of, where it means that of a report.
_OF_NOTE = re.compile(
    r"报告(?!期)|研报|点评|覆盖|评级|目标价|发布|发表|发的|出的|写的|note|report|publish|cover|rating|target"
)
#: What follows a house that speaks of another company: 华泰证券对贵州茅台.
_SPEAKS_OF = re.compile(r"\s*(?:最新)?(?:对|给|关于|怎么看|如何看|认为|覆盖|['’]s\b|on\b|rates?\b)")
#: A house that nobody lists, by its form or by what it gives: 远海证券, Canglan's target price.
_FORMED = re.compile(
    r"(?:^|[^\u4e00-\u9fff]|[请问说由看])([\u4e00-\u9fff]{2,4}?证券)(?=对|给|的|最|关|认|怎|如|目|评|覆)|"
    r"\b([A-Z][\w&]*(?: [A-Z][\w&]*)*)(?:['’]s?)? (?:latest |current |own )?"
    r"(?:price target|target price|rating|view|analysts?)\b"
)


@dataclass(frozen=True, slots=True)
class RecordQuestion:
    """A question for what covers say.

    Attributes:
        fields: rating, target_price, analysts, title, revision, in the order in which they are
            told.
        houses: by their names, whether they are held or not; empty: any.
        published: first and last day of the documents of a house that is named with their month.
        classes: of ratings, where only such are asked for.
        asks: everything that its words ask for, by the names of `wording.csv`.
    """

    fields: tuple[str, ...]
    houses: tuple[str, ...] = ()
    published: tuple[tuple[str, date, date], ...] = ()
    classes: frozenset[str] = frozenset()
    asks: frozenset[str] = frozenset()


def read_records(asked: Asked) -> RecordQuestion:
    """Read what a question asks of covers."""
    question = _GIVEN.sub(" ", fold(asked.question.strip()))
    if asked.scope.reading.publishers:
        question = OF_REPORT.sub(" ", question)  # 上调目标价那篇 says which note is meant
    asks = {name for name, pattern in _wording().items() if pattern.search(question)}
    if asks == {"day"} and not _OF_NOTE.search(question):
        asks = set()  # when something else happens
    fields = [name for name in _FIELDS if name in asks]
    if "multiple" in asks and "rating" not in asks and "target_price" not in asks:
        fields.append("target_price")  # what a multiple is of
    chosen = asks & {"houses", "companies", "title"} or _whether(question)
    classes = classes_in(asked.question) if chosen and "rating" in asks else ()
    if not fields and not asks & {"houses", "day", "coverage"}:
        fields = list(_PLAIN)
    return RecordQuestion(
        tuple(fields), houses_in(asked), _published(asked), frozenset(classes), frozenset(asks)
    )


def houses_in(asked: Asked) -> tuple[str, ...]:
    """The houses that a question names, also such as no document is of."""
    return tuple(named_houses(asked))


def named_houses(asked: Asked) -> dict[str, tuple[int, int]]:
    """The same with where the question names each."""
    said = asked.scope.reading
    companies = [
        each
        for each in said.companies
        if len(said.companies) == 1 or not _SPEAKS_OF.match(asked.question, each.end)
    ]
    found = [*asked.scope.catalogue.publishers.find(asked.question)]
    found += _every_house().find(asked.question)
    kept = [
        each
        for each in sorted(found, key=lambda each: each.start - each.end)
        if all(each.end <= other.start or other.end <= each.start for other in companies)
    ]
    names: dict[str, tuple[int, int]] = {}
    if not kept and companies:
        for match in _FORMED.finditer(asked.question):
            start, end = next(span for span in match.regs[1:] if span[0] >= 0)
            if all(end <= each.start or each.end <= start for each in companies):
                names[asked.question[start:end]] = (start, end)
    for each in kept:  # the longest at each place
        inside = any(s <= each.start and each.end <= e for s, e in names.values())
        same = any((each.start, each.end) == place for place in names.values())
        house = asked.scope.catalogue.held_house(each.keys[0])
        if house not in names and (not inside or same):
            names[house] = (each.start, each.end)
    for each in _mentioned(asked):
        apart = all(each.end <= s or e <= each.start for s, e in names.values())
        if each.name not in names and apart:
            names[each.name] = (each.start, each.end)
    return dict(sorted(names.items(), key=lambda each: each[1]))


def _published(asked: Asked) -> tuple[tuple[str, date, date], ...]:
    """When the documents of houses were published that a question names by their months."""
    catalogue, day = asked.scope.catalogue, asked.where.as_of
    keys = [key for each in asked.scope.reading.companies for key in each.keys]
    return tuple(
        (house.name, *within)
        for house in _mentioned(asked)
        if (within := published_within(house, catalogue, keys, day))
    )


def _mentioned(asked: Asked) -> tuple[House, ...]:
    """Houses by any of their names, short ones where they speak or wrote on the company."""
    catalogue, said = asked.scope.catalogue, asked.scope.reading
    keys = {key for each in said.companies for key in each.keys}
    return find_houses(asked.question, catalogue, said.companies, catalogue.wrote_on(keys))


def _whether(question: str) -> bool:
    """Whether a question asks if a rating is given, and not which."""
    return bool(
        re.search(r"吗[？?]?$|是不是|是否|有没有(?:给|人)|^(?:is|are|does|do|has)\b", question)
    )


@cache
def _every_house() -> NameIndex:
    return NameIndex({name: publisher_spellings(name) for name in publishers()})


@cache
def _wording() -> Mapping[str, re.Pattern[str]]:
    found: dict[str, list[str]] = {}
    for row in data_rows(_PATH, ("asks", "language", "pattern")):
        found.setdefault(row["asks"], []).append(row["pattern"])
    return {name: re.compile("|".join(patterns), re.IGNORECASE) for name, patterns in found.items()}
