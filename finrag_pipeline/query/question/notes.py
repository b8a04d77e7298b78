"""Which notes of houses a question means: 西南4月那篇, 国信的一季报点评; by whom, when and on what.

Houses and their months are `houses`'.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from datetime import date

from finrag_pipeline.query.question.catalogue import Catalogue, DocumentFacts
from finrag_pipeline.query.question.houses import House, published_within

#: What says which report is meant, and nothing of what stands in it: 金工讲VIX的那篇，
OF_REPORT = re.compile(
    r"^[^，,；;：:？?]{0,30}?(?:[那这][篇份张]|报告|白皮书|点评|纪要|论文|深度|专题)"
    r"(?:里面?|中|内|上)?(?:(?:写|列|说|提|统计|引用?|给)[到过出]?的?|的)?"
    r"(?:(?:后面|最后|末尾|前面|首页)?的?[^，,；;：:？?]{0,6}表[里中]?)?(?:[，,：:]|(?<=[里中列的])(?=[^，,]{6}))"
    r"|^[^，,；;：:？?]{0,16}首次覆盖[^，,；;：:？?]{2,12}[，,：:]"
    r"|[，,][^，,；;：:？?]{0,24}(?:[那这][篇份张]|报告|白皮书|点评|纪要|论文|深度|专题)"
    r"(?:里面?|中|内|上)?(?:有|都)?(?:写|列|说|提|统计|引用?|给)?[到过出]?[的了]?[？?\s]*$"
    r"|\b(?:in|per|by|from|according to)\b[^,;:?]{0,60}?"
    r"\b(?:notes?|reports?|updates?|initiations?|reviews?)\b"
    r"|[(（]the [^()（）]{0,40}\b(?:note|report|update|initiation|review)[)）]",
    re.IGNORECASE,
)
#: A note on a report: by which report, and of which year where it says so.
_NOTE_ON = re.compile(
    r"(?:(?P<year>(?:20)?\d\d)\s*年?的?)?(?P<report>年度?报告?|一季报|一季度报告?|半年度?报告?|中报|中期报告|三季报|三季度报告?)"
    r"(?:的|业绩|财报)*(?:点评|跟踪|简评|速评)"
)
#: The number of one of a series: 第58号.
ISSUE = re.compile(
    r"(?:第\s*(?=\d{1,4}\s*[号期])|\bno\.?\s?(?=\d)|(?<![\d.])(?=\d{1,4}\s*[号期](?:报告|形势)))"
    r"(?P<number>\d{1,4})(?:\s*[号期])?",
    re.IGNORECASE,
)
_PAIR = re.compile(r"[\u3400-\u9fff]{2}")
#: Months in which houses write on each report; on an annual one those of the next year.
_WRITTEN = {"年": (1, 5), "一": (4, 6), "半": (7, 9), "中": (7, 9), "三": (10, 12)}


def notes_meant(
    question: str,
    catalogue: Catalogue,
    houses: Iterable[House],
    companies: Collection[str],
    day: date | None = None,
) -> frozenset[str]:
    """Ids of the notes that a question means by house and time; empty where it means none, or there
    are none such.

    Args:
        companies: `company_key`s of whom it names.
        day: up to which notes are read; None: any.
    """
    if not companies and (issue := _issues(question, catalogue)):
        return issue
    named = list(houses)
    found: set[str] = set()
    for house in named:
        notes = _of(house, catalogue, companies)
        if within := published_within(house, catalogue, companies, day):
            first, last = within
            found |= {each.document_id for each in notes if first <= each.row.published_on <= last}
    if not found and companies:
        for house in named:
            found |= {each.document_id for each in notes_on(question, catalogue, house, companies)}
    return frozenset(found)


def notes_on(
    question: str, catalogue: Catalogue, house: House, companies: Collection[str]
) -> list[DocumentFacts]:
    """The notes of a house that a question means by the report that they are on: 一季报点评."""
    return notes_on_report(question, _of(house, catalogue, companies))


def notes_on_report(question: str, notes: Iterable[DocumentFacts]) -> list[DocumentFacts]:
    """Those of some notes that a question means by the report that they are on."""
    note = _NOTE_ON.search(question)
    return list(_on(note, notes)) if note else []


def _issues(question: str, catalogue: Catalogue) -> frozenset[str]:
    """Documents of a series by the number that their titles and the question say: 第58号."""
    number = ISSUE.search(question)
    if number is None:
        return frozenset()
    rest = ISSUE.sub(" ", question)
    return frozenset(
        each.document_id
        for each in catalogue.documents.values()
        if (printed := ISSUE.search(each.row.title or ""))
        and printed["number"] == number["number"]
        and any(pair in rest for pair in _pairs(ISSUE.sub(" ", each.row.title or "")))
    )


def _pairs(text: str) -> Iterator[str]:
    """The pairs of Chinese characters of a text."""
    return (text[n : n + 2] for n in range(len(text) - 1) if _PAIR.fullmatch(text, n, n + 2))


def _of(house: House, catalogue: Catalogue, companies: Collection[str]) -> list[DocumentFacts]:
    own = catalogue.by_publisher.get(house.name, ())
    return [each for each in own if not companies or each.company in companies]


def _on(note: re.Match[str], notes: Iterable[DocumentFacts]) -> Iterator[DocumentFacts]:
    """Those that were written when houses write on such a report."""
    first, last = _WRITTEN[note["report"][0]]
    later = note["report"][0] == "年"
    year = int(note["year"]) % 100 + 2000 + later if note["year"] else None
    for each in notes:
        on = each.row.published_on
        if first <= on.month <= last and year in (None, on.year):
            yield each
