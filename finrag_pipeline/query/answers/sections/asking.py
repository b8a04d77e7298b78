"""Which section of a document a question asks for, whether all of it, and in which documents it is
looked for. What sections are called is `sections.csv`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.query.answers.gist.writer import named_documents
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.query.question.timing import period_agreement
from finrag_pipeline.words import fold, words

_PATH = Path(__file__).with_name("sections.csv")
_COLUMNS = ("name", "asked", "heading", "ahead", "listed", "meaning")
#: What is left of a question for all of a section: words that ask, and for where it stands.
_PLAIN = re.compile(
    r"(?:经营|重大|潜在|具体|提示|警示|揭示|提[到及出]|列[出示]?|写|披露|说|讲|点[出名]|强调|提醒|介绍|描述|总结|概括|列举|归纳|梳理|"
    r"面[临对]|存在|遇到|可能|主要|重大|潜在|核心|公司|自[己身]|里面?|[在中上]|的|了|过|和|是|有|都|被|会|对|"
    r"哪些|哪几[个项块条种点类]|哪[两三四五]?[个块方]面?|什么|啥|如何|怎么?样?|几[个块条项大点]|多少|"
    r"(?:半年|季|年)报|中报|财报|年度报告|半年度报告|摘要|报告期?|研报|点评|公告|首次|覆盖|评级|目标价|时候?|"
    r"给|[那这][篇份个些]|请|未来|股价|\d{1,2}个月|一下|分别|包括|内容|方面|重点|[具总整]体|情况|抓|安排|部署|做|打算|投资者|关注|注意|因素|提示|点|年度?|"
    r"\b(?:what|which|are|is|the|does|do|did|in|its|of|for|to|on|by|main|key|major|list|name|flag|cite|mention|say|see|warn|point|face|annual|report|note|interim|filing|10-[kq]|20-f|business|company|about)s?(?:ed)?\b|"
    r"['’]s|[\s，,。.？?、：:；;“”()（）《》])*",
    re.IGNORECASE,
)
#: A document that is no whole report.
_ABSTRACT = "摘要"
#: Documents that are looked through.
_MOST = 6


@dataclass(frozen=True, slots=True)
class Section:
    """A section that documents have.

    Attributes:
        heading: a pattern of the whole line by which it is headed.
        ahead: whether it tells of the year behind the one that its document reports on.
        listed: how a list of its points is headed that nothing numbers; empty where there is none.
    """

    name: str
    asked: re.Pattern[str]
    heading: str
    ahead: bool
    listed: str


@cache
def sections() -> tuple[Section, ...]:
    """All of them, in order."""
    return tuple(
        Section(
            row["name"],
            re.compile(row["asked"], re.IGNORECASE),
            row["heading"],
            bool(row["ahead"]),
            row["listed"],
        )
        for row in data_rows(_PATH, _COLUMNS)
    )


def sections_asked(wanted: Wanted) -> Iterator[tuple[Section, str]]:
    """The sections that a question names, each with what is left of the question beside it."""
    for section in sections():
        named = [*section.asked.finditer(wanted.bare)]
        if named:
            rest = wanted.bare
            for each in named:
                rest = rest.replace(each[0], " ")
            yield section, rest


def asks_all(rest: str, documents: Sequence[DocumentFacts]) -> bool:
    """Whether a question asks for all of a section: what is left of it only asks, or is said by the
    titles of the documents."""
    titles = fold(" ".join(f"{each.row.title or ''} {each.row.source}" for each in documents))
    for word in words(rest):
        if word in titles:
            rest = re.sub(re.escape(word), " ", rest, flags=re.IGNORECASE)
    return _PLAIN.fullmatch(rest) is not None


def documents_meant(asked: Asked, section: Section) -> Sequence[DocumentFacts]:
    """The documents whose section a question may mean, those that agree most first; none where it
    names neither one company nor a report by its words."""
    scope = asked.scope
    reading = scope.reading
    if not reading.companies:
        named = named_documents(asked)
        return named if len(named) == 1 else ()
    held = scope.about()
    if len({each.keys for each in reading.companies}) != 1:
        return ()
    if named := [each for each in held if each.document_id in reading.notes]:
        return named[:_MOST]
    houses = {key for named in reading.publishers for key in named.keys}
    if houses:
        held = [each for each in held if each.row.broker in houses]
    if reading.forms and any(each.form in reading.forms for each in held):
        held = [each for each in held if each.form in reading.forms]
    if not (houses or reading.forms or reading.periods):
        held = [each for each in held if each.row.kind == "filing"]

    def agrees(each: DocumentFacts) -> float:
        year = each.row.fiscal_year
        years = {period.last_on.year for period in reading.periods if period.text}
        if section.ahead and years and each.row.kind == "filing":
            # 2025年的计划 stands in the report on 2024, unless the report is named by its year
            both = {year, (year or 0) + 1} <= years
            named = year in years if reading.forms else (year or 0) + 1 in years
            return float(both or (len(years) == 1 and named))
        if not reading.periods or houses:
            return 1.0
        return period_agreement(reading.periods, each, scope.year_end(each.company))

    fitting = [each for each in held if agrees(each) >= 1.0]

    def order(each: DocumentFacts) -> tuple[bool, str]:
        whole = (_ABSTRACT in (each.row.source or "")) == (_ABSTRACT in asked.question)
        return whole, each.spoken_on.isoformat()

    return sorted(fitting, key=order, reverse=True)[:_MOST]
