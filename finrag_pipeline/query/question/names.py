"""Names by which questions mean a company or a publisher, where they stand in a question.

How documents' names are spelled is `spellings`'; whose name a spelling is in a registry decides
`stages.identity` when documents are read.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.grammar.fact_metrics import fact_metrics_in
from finrag_pipeline.grammar.numerals import narrow
from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.query.question.spellings import LEAST_LATIN, SYMBOL_WEIGHT, WHOLE, Spelled
from finrag_pipeline.stages.identity.codes import written_code
from finrag_pipeline.stages.identity.names import opens_business
from finrag_pipeline.words import fold

#: A year stands by itself, whatever name ends before it or begins behind it: 万科A2021年.
_YEAR_OF = r"(?:19|20)\d\d(?!\d)"
_APART_FROM_YEARS = re.compile(
    rf"[\u3400-\u9fff]|[^\W\d_\u3400-\u9fff]+(?={_YEAR_OF})|\d+(?={_YEAR_OF}\s*年)|"
    rf"{_YEAR_OF}(?=[^\W\d_])|[^\W_\u3400-\u9fff]+"
)
#: What opens with a line of business, but is a figure, or stands apart.
_NO_BUSINESS = re.compile(
    r"\s|管理层|管理费|资产(?:总|负债|合计|周转|减值)|股份支付|投资(?:收益|活动|性)|经营(?:活动|性|净?现金|利润)|"
    r"[\u3400-\u9fff]{2,6}(?:板块|分部|事业部|产品线)"
)
#: Characters of the longest names of metrics that begin like a line of business.
_LONGEST_METRIC = 24
#: Where one clause ends; no name goes over it.
#: What a name stands in that is no company: 长江商学院.
_SCHOOL = re.compile(r"(?:工?商|管理|经济|金融)?学院|大学|协会|学会")
_CLAUSE = re.compile(r"[，。；、：？！]")
#: A word that is written with a capital, and no abbreviation.
_CAPITALISED = re.compile(r"[A-Z][a-z]")
_CODE = re.compile(
    r"(?<![A-Za-z\d.])(?:(?P<market>SH|SZ|BJ|HK)[.: ]?)?"
    r"(?P<digits>\d{4,6}|\d{1,3}(?=[. ]HK))(?:\.[A-Za-z]{2}| (?:SH|SZ|BJ|HK))?(?![A-Za-z\d])",
    re.IGNORECASE,
)
#: Units of the longest name that a question is searched for; 中国石油化工股份有限公司 has twelve.
_LONGEST = 20
#: What stands around houses in questions; rows `says` follow the short name of one whose words are
#: meant: 国信认为, 国信的研报.
_HOUSES = Path(__file__).with_name("houses.csv")
#: What a spelling means less surely than another by more than this, it does not mean: Adobe is
#: Adobe Inc. and Adobe Systems, but 中国石油 is not 中国石油化工.
_APART = 0.25


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


class NameIndex:
    """Spellings to whom they mean, and codes to companies.

    Args:
        names: per key the spellings of its names.
        codes: per key its securities codes.
    """

    def __init__(
        self, names: Mapping[str, Iterable[Spelled]], codes: Mapping[str, Iterable[str]] = {}
    ) -> None:
        self._spelled: defaultdict[str, dict[str, list[Spelled]]] = defaultdict(dict)
        for key, spellings in names.items():
            for each in spellings:
                # one way may ask for capitals that another does without: JNJ and JnJ
                known = self._spelled[each.spelling].setdefault(key, [])
                if each not in known:
                    known.append(each)
        #: By their first character how long spellings get: at most places of a text none begins.
        self._longest: defaultdict[str, int] = defaultdict(int)
        for each in self._spelled:
            self._longest[each[:1]] = max(self._longest[each[:1]], len(each))
        self._codes: defaultdict[str, list[str]] = defaultdict(list)
        for key, own in codes.items():
            for code in own:
                self._codes[code].append(key)

    def find(self, question: str) -> tuple[Named, ...]:
        """Whom a question names, the longest name at each place, in order."""
        found = [*self._coded(question)]
        units, folded = _units(question)
        # who writes no capitals but those of abbreviations writes none of names either
        flat = _CAPITALISED.search(question) is None
        at = 0
        while at < len(units):
            for until, held in self._beginning(question, units, folded, at):
                start, end = units[at][0], units[until - 1][1]
                meant = {
                    key: max(ways)
                    for key, every in held.items()
                    if (
                        ways := [
                            each.sure for each in every if _stands(each, question, start, end, flat)
                        ]
                    )
                }
                if meant:
                    sure = max(meant.values())
                    keys = tuple(key for key, each in meant.items() if sure - each <= _APART)
                    found.append(Named(keys, question[start:end], start, end, sure))
                    at = until - 1
                    break
            at += 1
        return tuple(sorted(found, key=lambda each: each.start))

    def _beginning(
        self, question: str, units: Sequence[tuple[int, int]], folded: Sequence[str], at: int
    ) -> list[tuple[int, dict[str, list[Spelled]]]]:
        """Spellings that begin at a unit: up to which each reaches and whom it means, the longest
        first."""
        longest = self._longest.get(folded[at][:1])
        if longest is None:
            return []
        found: list[tuple[int, dict[str, list[Spelled]]]] = []
        spelled = ""
        for until in range(at, _until(question, units, at)):
            spelled += folded[until]
            if len(spelled) > longest:
                break
            if held := self._spelled.get(spelled):
                found.append((until + 1, held))
        return found[::-1]

    def _coded(self, question: str) -> Iterator[Named]:
        for match in _CODE.finditer(question):
            market = match["market"]
            code = written_code(f"{match['digits']}.{market}" if market else match[0])
            if keys := self._codes.get(code or ""):
                yield Named(tuple(keys), match[0], match.start(), match.end(), WHOLE)


def _until(question: str, units: Sequence[tuple[int, int]], at: int) -> int:
    """Up to which unit a name that begins at one may reach: no further than its clause."""
    last = min(len(units), at + _LONGEST)
    end = _CLAUSE.search(question, units[at][1], units[last - 1][1])
    while end and units[last - 1][1] > end.start():
        last -= 1
    return last


@cache
def _says() -> re.Pattern[str]:
    rows = data_rows(_HOUSES, ("role", "pattern", "meaning"))
    return re.compile(
        "|".join(row["pattern"] for row in rows if row["role"] == "says"), re.IGNORECASE
    )


def _stands(name: Spelled, question: str, start: int, end: int, flat: bool) -> bool:
    """Whether a spelling is a name where it stands; `flat` where the question writes no word with a
    capital."""
    first = question[start]
    if name.capital and not (first.isupper() or first.isdigit() or (flat and name.sure == WHOLE)):
        return False
    if name.acronym and not question[start:end].isupper():
        small = not any(character.isupper() for character in question)
        rare = WordWeights.packaged().weight(name.spelling) >= SYMBOL_WEIGHT
        if not (small and rare and len(name.spelling) > LEAST_LATIN):
            return False
    if name.speaks and not _says().match(question, end):
        return False
    behind = question[end:]
    if _SCHOOL.match(behind):
        return False
    if not name.alone or not opens_business(behind) or _NO_BUSINESS.match(behind):
        return True
    # 先导资本公积: its metric, and no 先导资本
    first = next(fact_metrics_in(behind[:_LONGEST_METRIC]), None)
    return first is not None and first.start == 0


@lru_cache(maxsize=16)
def _units(text: str) -> tuple[list[tuple[int, int]], list[str]]:
    """Where each Latin word and Chinese character of a text stands, and what it is folded to."""
    places = [match.span() for match in _APART_FROM_YEARS.finditer(narrow(text))]
    return places, [fold(text[start:end]) for start, end in places]
