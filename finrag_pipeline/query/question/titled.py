"""The report that a question names by words of its title: TIDES高增那篇, 《小分子稳健向上》指出.

What names it says nothing of what is asked: no row and no sentence of a report repeats its title.
So it is taken out of the question, and the report alone is looked into. Which words a title has is
`titles`'.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from finrag_pipeline.grammar.periods import periods_in
from finrag_pipeline.query.question.catalogue import Catalogue, DocumentFacts
from finrag_pipeline.query.question.notes import ISSUE, notes_on_report
from finrag_pipeline.query.question.reading import Reading
from finrag_pipeline.query.question.signals import asks_figure
from finrag_pipeline.query.question.titles import LEAST_WEIGHT, own_words, titled_like
from finrag_pipeline.words import is_chinese

#: What calls a text a report, with what leads from it to what it says.
_POINTS = re.compile(
    r"(?:[那这该]一?[篇份]|一文|首篇|研究报告|研报|报告|点评|简评|速评|跟踪|更新|白皮书|论文|专题|纪要|深度|文章|"
    r"\b(?:notes?|reports?|papers?|updates?|study|reviews?|initiations?)\b)"
    r"(?:[那这该]一?[篇份]|里面?|之?中|内|上|的?(?:表格|附表|利润表|财务报表)[里中]?)*"
    r"(?:\s*(?:写|列|说|提(?!示)|给|指(?!引)|显示|认为|预计|预测|预期|估计|估算|测算|披露|表示|所附)[到出过明了]*)?的?",
    re.IGNORECASE,
)
#: A title as it is quoted, or what is said of a report in brackets.
_QUOTED = re.compile(r"《[^《》]+》|“[^“”]+”|「[^「」]+」|\"[^\"]{4,}\"|[（(][^（）()]{4,}[)）]")
_MARKS = '“"「'
_APART = re.compile(
    r"[，,；;。：:？?！!]+|(?<=[篇份])[和与及跟]|(?<=[^\x00-\x7f])\s+|\s+(?=[^\x00-\x7f])"
)
_ASKING = re.compile(
    r"谁|什么|啥|怎么?|哪|如何|为何|是否|吗|\b(?:who|what|which|how|why|when|where)\b", re.I
)
_APART_EN = re.compile(r"[,;:?!]+\s")
#: Characters behind what calls it a report that may still be of its title: 点评TIDES产能提速.
_LONGEST_REST = 16
#: Weight of the words that tell the few notes on one report apart: TIDES alone does.
_LEAST_OF_FEW = 3.0
#: What titles of research have in common.
_COMMON = re.compile(
    r"年度?报告?|半年度?报告?|[一三]季度?报告?|中报|季报|财报|业绩点评|点评|简评|速评|跟踪|信息更新|更新|事件|"
    r"首次覆盖|公司|年度|上半年|前三季度|中期|以|为题|题为|主题|标题|指出|认为|看好|讲述?|提到|给予|那|这|篇|份|一文|的|在|里|中"
)


@dataclass(frozen=True, slots=True)
class Titled:
    """A question without the title that it names, and the report of that title.

    Attributes:
        document: None where it names none, or several; the question is as it was then.
    """

    question: str
    document: DocumentFacts | None = None


def by_title(
    question: str, reading: Reading, catalogue: Catalogue, day: date | None = None
) -> Titled:
    """Take the title of a report out of a question.

    Args:
        reading: of the question: whom it names is no part of a title and stays.
        day: up to which reports are read; None: any.
    """
    named = [*reading.companies, *reading.publishers, *reading.outsiders]
    places = [(each.start, each.end) for each in named]
    pools = _pools(question, reading, catalogue, day)
    meant: dict[str, tuple[int, int]] = {}
    for span, said in _titles(question):
        phrase = _phrase(question, *said, places)
        for pool in pools:
            found = pool.found(phrase) or (pool.alone if said == span else ())
            if len(found) == 1:
                meant.setdefault(found[0], span)
                break
    if len(meant) != 1:  # of two reports neither is looked into alone
        return Titled(question)
    ((key, span),) = meant.items()
    return Titled(_without(question, span, reading), catalogue.documents[key])


def _titles(question: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Where a question may name a title: what goes with it, and the words of the title in it."""
    for start, end in _clauses(question):
        asks = _asks(question[start:end])
        quoted = list(_QUOTED.finditer(question, start, end))
        pointers = [
            each
            for each in _POINTS.finditer(question, start, end)
            if not any(_in(each.span(), other.span()) for other in quoted)
        ]
        last = max((each.end() for each in pointers), default=start)
        for quote in quoted:
            upto = max(last, quote.end())
            if quote[0][0] in _MARKS and not pointers:
                continue  # a thing is called in quotation marks, too
            if _asks(question[start:upto]):
                yield quote.span(), quote.span()
            else:
                whole = not asks and (pointers or quote.span() == (start, end))
                yield (start if pointers else quote.start(), end if whole else upto), quote.span()
        if pointers and not _asks(question[start:last]):
            behind = end - last <= _LONGEST_REST or not is_chinese(question[start:end])
            span = (start, end if behind and not asks else last)
            yield span, span


def _asks(clause: str) -> bool:
    """Whether a clause asks for anything: what does is no part of a title."""
    return asks_figure(clause) or bool(_ASKING.search(clause))


def _clauses(question: str) -> Iterator[tuple[int, int]]:
    """The clauses of a question; a title in quotes or brackets is cut nowhere."""
    held = [each.span() for each in _QUOTED.finditer(question)]
    parts = _APART if is_chinese(question) else _APART_EN
    start = 0
    for cut in parts.finditer(question):
        if any(begin < cut.start() < stop for begin, stop in held):
            continue
        if start < cut.start():
            yield start, cut.start()
        start = cut.end()
    if start < len(question):
        yield start, len(question)


def _phrase(question: str, start: int, end: int, places: Sequence[tuple[int, int]]) -> str:
    """What a question says of a title: neither whom it names nor when, nor what all titles say."""
    rest = list(question)
    for first, last in [
        *places,
        *((each.start, each.end) for each in periods_in(question, "question")),
    ]:
        rest[first:last] = " " * (last - first)
    return _COMMON.sub(" ", "".join(rest[start:end]))


@dataclass(frozen=True, slots=True)
class _Pool:
    """Reports of which one may be meant.

    Attributes:
        least: weight of the words of its title that tell it from the others.
        narrowed: whether a question says which these are, by a number or by what they are on.
    """

    documents: Sequence[DocumentFacts]
    least: float = LEAST_WEIGHT
    narrowed: bool = False

    def found(self, phrase: str) -> tuple[str, ...]:
        return titled_like(phrase, self.documents, least=self.least)

    @property
    def alone(self) -> tuple[str, ...]:
        """The one that there is, where a question says no more of it than that."""
        return tuple(each.document_id for each in self.documents) if self.narrowed else ()


def _pools(question: str, reading: Reading, catalogue: Catalogue, day: date | None) -> list[_Pool]:
    """Research that may be meant: by its number of a series; of the companies that are named, first
    what is on the report that is named; else of none."""
    research = [
        each
        for each in catalogue.documents.values()
        if each.row.kind != "filing" and (day is None or each.row.published_on <= day)
    ]
    houses = {key for each in reading.publishers for key in each.keys}
    if houses:
        research = [each for each in research if each.row.broker in houses]
    number = ISSUE.search(question)
    if number:
        printed = ((each, ISSUE.search(each.row.title or "")) for each in research)
        research = [each for each, own in printed if own and own["number"] == number["number"]]
    keys = {key for each in reading.companies for key in each.keys}
    if not keys:
        return [_Pool(research, narrowed=bool(number))]
    own = [each for each in research if each.company in keys]
    on_it = notes_on_report(question, own)
    apart = [each for each in research if not each.company]
    # what a house wrote on it, `notes` tells
    first = _Pool(on_it, _LEAST_OF_FEW, narrowed=not houses)
    return [first, _Pool(own, narrowed=bool(number)), _Pool(apart)]


def _without(question: str, title: tuple[int, int], reading: Reading) -> str:
    """A question without what names a report. Companies that are named there stay, and the time of
    what a note on a company is on where no other one is asked for: 2025年中报点评."""
    before, behind = question[: title[0]], question[title[1] :]
    kept = [(each.start, each.end) for each in reading.companies]
    if kept and not any(any(periods_in(each, "question")) for each in (before, behind)):
        kept += [(each.start, each.end) for each in periods_in(question, "question")]
    within = sorted(each for each in kept if _in(each, title))
    rest = _joined(before, "".join(question[slice(*each)] for each in within), behind)
    return rest if own_words(rest) else question


def _in(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return other[0] <= one[0] and one[1] <= other[1]


def _joined(before: str, kept: str, behind: str) -> str:
    """What is left of a question, set together."""
    before = re.sub(r"[，,：:；;\s（(]+$", "", before)
    behind = re.sub(r"^[，,：:；;\s)）]+", "", behind)
    if not re.search(r"\w", behind):
        return "，".join(filter(None, (before, kept))) + behind
    parts = [each for each in (before, kept, behind) if each.strip()]
    apart = "，" if is_chinese("".join(parts)) else ", "
    return apart.join(parts)
