"""Houses that publish research, in two languages: brokers, banks, consultancies, institutes, rating
agencies, exchanges.

One row of `publishers.csv` a house: its name, its kind and how else it is written. Which of them
wrote a document is read in `stages.metadata`; whom a question means in `query.question`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows

#: Kinds: `securities` also signs disclaimers as a Chinese securities company, `foreign` are houses
#: and asset managers from elsewhere.
KINDS = (
    "securities",
    "foreign",
    "bank",
    "futures",
    "consultancy",
    "institute",
    "rating",
    "exchange",
)
_PATH = Path(__file__).with_name("publishers.csv")
_COLUMNS = ("name", "kind", "spellings")
_SPACES = re.compile(r"[\s·]+")


@dataclass(frozen=True, slots=True)
class Publisher:
    """One house.

    Attributes:
        name: the one under which all its spellings are kept.
        kind: one of `KINDS`.
        spellings: how else it is written; neither legal forms nor names that are words, too.
    """

    name: str
    kind: str
    spellings: tuple[str, ...]


@cache
def publishers() -> Mapping[str, Publisher]:
    """Every house by its name.

    Raises:
        ValueError: a name or spelling stands twice; with file and line.
    """
    found: dict[str, Publisher] = {}
    taken: set[str] = set()
    for row in data_rows(_PATH, _COLUMNS):
        spellings = row.listed("spellings")
        for each in (row["name"], *spellings):
            if each.casefold() in taken:
                row.wrong(f"{each} stands twice")
            taken.add(each.casefold())
        found[row["name"]] = Publisher(row["name"], row.choice("kind", KINDS), spellings)
    return found


def publishers_in(text: str) -> Iterator[tuple[Publisher, int, int]]:
    """Houses that a text names and where, in order; of spellings that overlap the longest.

    >>> [(house.name, start) for house, start, _ in publishers_in("来源：艾瑞, Goldman Sachs")]
    [('艾瑞咨询', 3), ('高盛', 7)]
    """
    pattern, names = _spellings()
    for match in pattern.finditer(text):
        yield publishers()[names[_key(match[0])]], match.start(), match.end()


def canonical(name: str) -> str:
    """The name under which a house is kept, else the name as it is.

    >>> canonical("CITIC SECURITIES CO.,LTD"), canonical("中国信通院"), canonical("远山研究所")
    ('中信证券', '中国信息通信研究院', '远山研究所')
    """
    named = max(publishers_in(name), key=lambda found: found[2] - found[1], default=None)
    # a longer name that begins or ends with a house's may be another's: 上海证券 in 上海证券报
    if named is None or (
        named[0].kind == "securities"
        and "\u4e00" <= name[0] <= "\u9fff"
        and named[2] < len(name)
        and not re.match(r"[股有（(研国]", name[named[2] :])
    ):
        return name
    return named[0].name


@cache
def _spellings() -> tuple[re.Pattern[str], Mapping[str, str]]:
    names = {
        _key(each): house.name
        for house in publishers().values()
        for each in (house.name, *house.spellings)
    }
    every = sorted(
        (each for house in publishers().values() for each in (house.name, *house.spellings)),
        key=len,
        reverse=True,
    )
    # what no spelling begins with is passed over before any is tried: five times as fast
    first = "".join(sorted({form for each in every for form in (each[0].lower(), each[0].upper())}))
    return re.compile(f"(?=[{re.escape(first)}])(?:{'|'.join(map(_form, every))})"), names


def _form(spelling: str) -> str:
    """A spelling as a pattern: capitals matter in acronyms, which are words or units else."""
    pattern = r"[\s·]*".join(map(re.escape, spelling.split()))
    if spelling[0].isascii():
        pattern = rf"(?<![A-Za-z0-9@./]){pattern}"
    if spelling[-1].isascii():
        pattern = rf"{pattern}(?![A-Za-z0-9])"
    acronym = spelling.isupper() and " " not in spelling
    return pattern if acronym or not spelling.isascii() else f"(?i:{pattern})"


def _key(spelling: str) -> str:
    return _SPACES.sub("", spelling).casefold()
