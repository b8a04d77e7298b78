"""Houses as questions name them: 国信, 东方、中原和上海, Guosen's; and which of their documents.

The short name of a house is a word, too: 上海, 东方 and 太平洋 name houses only where what stands
around says that a house speaks, or where they are listed beside others. What stands around them is
rows of `houses.csv`; houses are those of documents, and those that `grammar.publishers` lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, lru_cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.grammar.publishers import publishers
from finrag_pipeline.query.question.catalogue import Catalogue
from finrag_pipeline.query.question.names import Named
from finrag_pipeline.query.question.spellings import COMMON_FIRST
from finrag_pipeline.stages.identity.places import PLACES
from finrag_pipeline.words import FUNCTION_WORDS, segmenter

_PATH = Path(__file__).with_name("houses.csv")
#: Kinds of houses that are called by less than their names.
_SHORTENED = frozenset(("securities", "foreign", "bank"))
_HAN = re.compile(r"[\u3400-\u9fff]")
#: Characters of the shortest short name; letters of one in Latin script.
_LEAST, _LEAST_LATIN = 2, 4


@dataclass(frozen=True, slots=True)
class House:
    """A house that a question names.

    Attributes:
        name: under which its documents are kept.
        text: as the question writes it, from `start` to `end`, with the time of its document.
        months: in which its document was published, each a year, None for any, and a month; a
            day, None for any.
        listed: whether only what stands around makes the word a house.
    """

    name: str
    text: str
    start: int
    end: int
    published: tuple[int | None, int, int | None] | None = None
    listed: bool = False


def find_houses(
    question: str, catalogue: Catalogue, companies: Iterable[Named] = (), wrote: Iterable[str] = ()
) -> tuple[House, ...]:
    """The houses that a question names, in order; one with documents of two times twice.

    Args:
        companies: that it names; what names one of them is no house, unless a house speaks there
            of another one.
        wrote: houses that wrote on those companies: their short names mean them wherever they
            stand, 群益怎么评迪安诊断.
    """
    own = set(wrote)
    named = list(companies)
    found = list(_candidates(question, catalogue))
    runs = _runs(question, found)
    kept: list[House] = []
    for run in runs:
        plain = [
            each
            for each in run
            if not (
                _is_company(each, named, question)
                or _gives(each, question)
                or _is_place(each, named, question)
            )
        ]
        sure = [
            each
            for each in plain
            if not each.listed
            or each.name in own
            or _speaks(each, question)
            or (not named and _opens(each, question, catalogue))
        ]
        if sure or (len(plain) > 1 and _listed(plain, question)):
            kept += plain
    held = [replace(each, name=catalogue.held_house(each.name)) for each in kept]
    return tuple(_also_dated(question, [_dated(question, each) for each in held]))


def _candidates(question: str, catalogue: Catalogue) -> Iterator[House]:
    """Words that may be houses, the longest at each place; those of documents before others."""
    end = 0
    words, pattern = _written(tuple(catalogue.by_publisher))
    for match in pattern.finditer(question):
        name, short = words[match[0].casefold()]
        # WHO is no word
        if match.start() >= end and (match[0].isupper() or match[0].casefold() not in _acronyms()):
            yield House(name, match[0], match.start(), match.end(), listed=short)
            end = match.end()


@lru_cache(maxsize=16)
def _written(held: tuple[str, ...]) -> tuple[Mapping[str, tuple[str, bool]], re.Pattern[str]]:
    """Words of houses, those of documents before others, and what finds them."""
    own = {word: (name, short) for name in held for word, short in _spellings(name)}
    words = {**_known(), **own}
    return words, _pattern(tuple(sorted(words, key=lambda word: (-len(word), word))))


@cache
def _known() -> Mapping[str, tuple[str, bool]]:
    """Words of houses that need have no documents: whole names, and short ones of brokers."""
    found: dict[str, tuple[str, bool]] = {}
    for name, house in reversed([*publishers().items()]):
        if house.kind in _SHORTENED:
            found |= {word: (name, short) for word, short in _spellings(name)}
    return found


@cache
def _spellings(name: str) -> tuple[tuple[str, bool], ...]:
    """How a house is written, and whether that is a short name."""
    known = publishers().get(name)
    whole = dict.fromkeys((name, *(known.spellings if known else ())), False)
    short: dict[str, bool] = {}
    for each in whole:
        for _, pattern in _rows("form"):
            bare = pattern.sub("", each).strip()
            least = _LEAST if _HAN.search(bare) else _LEAST_LATIN
            common = bare.casefold() in COMMON_FIRST
            if bare != each and len(bare) >= least and bare not in whole and not common:
                # two words of a name in English are no others
                short[bare] = bool(_HAN.search(bare)) or " " not in bare
    return tuple((word.casefold(), each) for word, each in (short | whole).items())


@cache
def _acronyms() -> frozenset[str]:
    """How houses are called in capitals."""
    names = (each for name, house in publishers().items() for each in (name, *house.spellings))
    return frozenset(each.casefold() for each in names if each.isascii() and each.isupper())


def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    alternatives = (
        rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])" if word.isascii() else re.escape(word)
        for word in words
    )
    return re.compile("|".join(alternatives) or r"(?!)", re.IGNORECASE)


def _runs(question: str, found: Iterable[House]) -> list[list[House]]:
    """Houses that are listed one beside the other."""
    runs: list[list[House]] = []
    for each in found:
        between = question[_dated(question, runs[-1][-1]).end : each.start] if runs else ""
        if runs and any(pattern.fullmatch(between) for _, pattern in _rows("joined")):
            runs[-1].append(each)
        else:
            runs.append([each])
    return runs


def _is_company(house: House, companies: Iterable[Named], question: str) -> bool:
    """Whether a word names a company there: of one that is both, where no other one is named."""
    named = list(companies)
    over = [each for each in named if each.start < house.end and house.start < each.end]
    if not over:
        return False
    others = [each for each in named if each not in over]
    longer = any(each.end - each.start > house.end - house.start for each in over)
    return longer or not others or not _speaks(house, question)


def _gives(house: House, question: str) -> bool:
    """Whether it is named for what it gives: 拿到WHO认证."""
    return any(pattern.match(question, house.end) for _, pattern in _rows("gives"))


def _is_place(house: House, companies: Iterable[Named], question: str) -> bool:
    """Whether the short name of a house is the place that it is called by: of what stands there,
    中芯国际上海工厂, or of a firm whose name ends with it, 芯电上海."""
    if not PLACES.fullmatch(house.text):
        return False
    if any(pattern.match(question, house.end) for _, pattern in _rows("place")):
        return True
    if any(each.end == house.start for each in companies):
        return False
    name = 0
    for piece in reversed(list(segmenter().cut(question[: house.start], False))):
        if len(piece) > 1 or not _HAN.match(piece) or piece in FUNCTION_WORDS:
            break
        name += 1
    return name > 1


def _speaks(house: House, question: str) -> bool:
    """Whether what stands around a word says that a house speaks."""
    behind, before = question[house.end :], question[: house.start]
    after = (*_rows("behind"), *_rows("says"))
    return any(pattern.match(behind) for _, pattern in after) or any(
        pattern.search(before) for _, pattern in _rows("before")
    )


def _opens(house: House, question: str, catalogue: Catalogue) -> bool:
    """Whether a question begins with a house that writes on more than companies, and no firm's name
    begins so: 华西量价行业轮动, but 华西能源."""
    themes = any(not each.company for each in catalogue.by_publisher.get(house.name, ()))
    firm = any(pattern.match(question, house.end) for _, pattern in _rows("firm"))
    return themes and not question[: house.start].strip('《“" ') and not firm


def _listed(run: list[House], question: str) -> bool:
    """Whether what follows a list of words says that they are houses."""
    last = run[-1]
    rest = question[last.end :]
    full = any(not each.listed for each in run)
    return full or any(pattern.match(rest) for _, pattern in _rows("behind_list"))


def _dated(question: str, house: House) -> House:
    """A house with the time of the document that is named behind it: 国信11月, 西南8月那份."""
    for _, pattern in _rows("document"):
        if match := pattern.match(question, house.end):
            return _at(house, match)
    return house


def _also_dated(question: str, houses: list[House]) -> Iterator[House]:
    """Houses, and those whose second document is named without them: 国信4月和10月那份."""
    for each in houses:
        yield each
        if each.published is None:
            continue
        for _, pattern in _rows("next_document"):
            if match := pattern.match(question, each.end):
                yield _at(replace(each, start=each.end), match)
                break


def _at(house: House, match: re.Match[str]) -> House:
    said = match.groupdict()
    month = said.get("month") or "0"
    number = int(month) if month.isdigit() else _MONTHS[month[:3].casefold()]
    year = said.get("year")
    day = said.get("day")
    full = int(year) % 100 + 2000 if year else None
    return replace(
        house,
        end=match.end(),
        text=match.string[house.start : match.end()],
        published=(full, number, int(day) if day else None),
    )


_MONTHS = {
    name: at + 1
    for at, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
    )
}


def published_within(
    house: House, catalogue: Catalogue, companies: Iterable[str] = (), day: date | None = None
) -> tuple[date, date] | None:
    """First and last day on which the document of a house was published; None for any.

    A month without its year is the last one in which the house published something about one of
    the companies, else about any, up to a day.
    """
    if house.published is None:
        return None
    year, month, on = house.published
    if not month and year:
        return date(year, 1, 1), date(year, 12, 31)
    keys = set(companies)
    own = [
        each
        for each in catalogue.by_publisher.get(house.name, ())
        if each.row.published_on.month == month and (day is None or each.row.published_on <= day)
    ]
    about = [each for each in own if each.company in keys] or own
    days = sorted(each.row.published_on for each in about)
    newest = catalogue.counted_from(day)
    year = year or (days[-1].year if days else newest.year if newest else 1)
    first = date(year, month, on or 1)
    following = date(year + month // 12, month % 12 + 1, 1)
    return first, first if on else date.fromordinal(following.toordinal() - 1)


@cache
def _rows(role: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return _by_role()[role]


@cache
def _by_role() -> Mapping[str, tuple[tuple[str, re.Pattern[str]], ...]]:
    found: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
    for row in data_rows(_PATH, ("role", "pattern", "meaning")):
        try:
            compiled = re.compile(row["pattern"], re.IGNORECASE)
        except re.error as error:
            row.wrong(f"{error} in {row['pattern']!r}")
        found.setdefault(row["role"], []).append((row["meaning"], compiled))
    return {role: tuple(each) for role, each in found.items()}
