"""Items that passages list: in sentences, under numbers, in columns of tables.

What counts as a list is `enumerations`', which nouns go with which words `nouns.csv`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from finrag_pipeline.query.answers.lists.asking import ListQuestion
from finrag_pipeline.query.answers.lists.enumerations import Enumeration, enumerations
from finrag_pipeline.query.answers.predicates import Predicate
from finrag_pipeline.query.answers.quotes import Quote
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.places import locate
from finrag_pipeline.query.evidence.results import Result
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.terms import missing
from finrag_pipeline.stages.tables.phrases import is_number
from finrag_pipeline.stages.tables.row_quotes import TableRow, table_rows

#: Items of one answer; a longer list is no answer but a table.
MOST_ITEMS = 30
#: A further list joins the best one where it fits nearly as well.
_MIN_OF_BEST = 0.85
#: Share of what is asked, beside the noun, that a list and what stands around it have to say.
_MIN_SHARE = 0.5
#: The same where the title of a table has the noun.
_MIN_TITLED = 0.35
#: Where the noun stands: right beside the list, near it, in the heading over it, elsewhere in the
#: sentence.
_BESIDE, _CLOSE, _OVER, _NEAR = 1.0, 0.85, 0.8, 0.5
#: What leads in the uses of something, and not the thing.
_ELSEWHERE = re.compile(r"(?:应用于|适用于|用于|覆盖|面向)\s*$")
#: Headings of columns of names.
_NAMES = re.compile(r"名称|公司|企业|简称|厂商|客户|供应商|股东|品牌|\b(?:name|company)\b", re.I)
#: Kinds of nouns whose members are named so.
_NAMED = frozenset(
    ("competitor", "customer", "supplier", "subsidiary", "shareholder", "partner", "company")
)
_SUMS = re.compile(
    r"合计|总计|小计|其[他它]|平均值?|均值|中位数|中值|total|others?|average|mean|median",
    re.IGNORECASE,
)
_RISKS = re.compile(
    r"风险(?:提示|因素|揭示|警示|包括|如下|有|主要)?\W*$|\brisks?\W*(?:include)?\W*$", re.I
)
#: Lists of which every report adds some.
_OPEN_KINDS = frozenset(("risk", "competitor", "customer", "supplier"))


@dataclass(frozen=True, slots=True)
class Item:
    """Something that is listed, and where."""

    name: str
    quotes: tuple[Quote, ...]

    @property
    def spelled(self) -> str:
        return spelled(self.name)


@dataclass(frozen=True, slots=True)
class _List:
    items: tuple[tuple[str, Quote], ...]
    score: float


def find_items(
    asked: Asked,
    question: ListQuestion,
    results: Sequence[Result],
    companies: Collection[str] | None = None,
) -> list[Item]:
    """Items of the lists that fit a question best, each once; empty where none fits.

    Args:
        companies: names of which most items have to be; None: anything will do.
    """
    predicate = Predicate(question.rest)
    found = _lists(asked, question, predicate, results)
    if companies is not None:
        found = (each for each in found if _of_companies(each, companies))
    lists = sorted(found, key=lambda each: -each.score)
    if not lists:
        return []
    least = _MIN_OF_BEST if question.noun.kind in _OPEN_KINDS else 0.97
    best = lists[0]
    joined = [each for each in lists if each.score >= least * best.score]
    found = merged(pair for each in joined for pair in each.items)
    if question.noun.kind in _NAMED:
        found = [each for each in found if not _is_asked(asked, each.name)]
    return found[:MOST_ITEMS]


def _is_asked(asked: Asked, name: str) -> bool:
    """Whether a name is that of a company that the question names: it is none of its own peers."""
    own = {key for each in asked.scope.reading.companies for key in each.keys}
    found = asked.scope.catalogue.companies.find(name)
    return any(own & set(each.keys) for each in found)


def _of_companies(listed: _List, companies: Collection[str]) -> bool:
    """Whether most items of a list are companies, by the names that passages are known to have."""
    known = sum(
        1 for name, _ in listed.items if any(each in name or name in each for each in companies)
    )
    return 2 * known >= len(listed.items)


def merged(pairs: Iterable[tuple[str, Quote]]) -> list[Item]:
    """Items of one name as one, which all their places hold; in order."""
    found: list[Item] = []
    for name, quote in pairs:
        own = spelled(name)
        for n, item in enumerate(found):
            if own == item.spelled or _same(own, item.spelled):
                if all(quote.item.key != each.item.key for each in item.quotes):
                    found[n] = Item(item.name, (*item.quotes, quote))
                break
        else:
            found.append(Item(name, (quote,)))
    return found


def spelled(name: str) -> str:
    """A name as items are compared: 汇率波动风险 and 汇率波动的风险 are one."""
    return re.sub(r"[\s的等“”\"'（）()]|风险$|\brisks?$", "", name.casefold())


def _same(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= 4 and short in long and len(long) <= 2 * len(short)


def _lists(
    asked: Asked, question: ListQuestion, predicate: Predicate, results: Sequence[Result]
) -> Iterator[_List]:
    of = {key for each in asked.scope.reading.companies for key in each.keys}
    by = {name for name, _, _ in question.houses}
    documents = asked.scope.catalogue.documents
    for result in results:
        document = documents.get(str(result.item.key.id[0]))
        about = bool(document and document.company in of)
        if of and asked.scope.groups and not about:
            continue
        if by and document and document.row.broker not in by:
            continue
        if missing(question.names, [f"{result.item.identity}\n{result.text}"]):
            continue
        agreement = asked.scope.agreement(str(result.item.key.id[0]))
        near = 0.3 / result.rank**0.5 + 0.4 * agreement
        if isinstance(result.item, ChunkItem):
            yield from _of_chunk(result.item, question, predicate, near)
        elif isinstance(result.item, TableItem):
            yield from _of_table(result.item, question, predicate, near)


def _of_chunk(
    item: ChunkItem, question: ListQuestion, predicate: Predicate, near: float
) -> Iterator[_List]:
    section = "\n".join(item.section[-2:])
    over = f"{item.title or ''}\n{item.source}"
    for each in enumerations(item.text):
        noun = _nearness(question.noun.said, each, section)
        if not noun or (question.noun.kind == "risk" and not _is_of_risks(each)):
            continue
        text = f"{each.lead}{'、'.join(each.items)}{each.tail}"
        own = question.noun.of_documents
        share = _share(predicate, text, f"{section}\n{over}\n{each.quotes[0]}", own=own)
        if share < _MIN_SHARE:
            continue
        pairs: list[tuple[str, Quote]] = []
        for name, quote in zip(each.items, each.quotes, strict=True):
            if places := locate(quote, item.regions_text):
                pairs.append((name, Quote(item, quote, places)))
        if len(pairs) > 1 or (pairs and question.noun.kind == "risk"):
            length = 0.03 * min(len(pairs), 8)
            yield _List(tuple(pairs), noun + share + 0.3 * each.closed + length + near)


def _nearness(said: re.Pattern[str], listed: Enumeration, section: str) -> float:
    """How near to a list the noun stands."""
    if _ELSEWHERE.search(listed.lead) and not said.search(listed.lead[-5:]):
        return _NEAR if said.search(listed.quotes[0]) else 0.0
    lead = listed.lead if listed.led else ""
    if said.search(f"{lead[-10:]} {listed.tail[:8]}"):
        return _BESIDE
    if said.search(f"{lead[-24:]} {listed.tail[:14]}"):
        return _CLOSE
    if said.search(section):
        return _OVER
    return _NEAR if said.search(listed.quotes[0]) else 0.0


def _is_of_risks(listed: Enumeration) -> bool:
    """Whether a list stands under such a heading, or most of its items are called so."""
    if _RISKS.search(listed.lead[-20:]):
        return True
    called = sum(1 for each in listed.items if "风险" in each or "risk" in each.casefold())
    return 2 * called > len(listed.items)


def _of_table(
    item: TableItem, question: ListQuestion, predicate: Predicate, near: float
) -> Iterator[_List]:
    """The column that the noun heads, or the first one where the table's title has it."""
    rows = table_rows(item.read_cells())
    if not rows:
        return
    said = question.noun.said
    headed = [n for n, head in sorted(rows[0].header.items()) if said.search(head)]
    titled = bool(item.caption and said.search(item.caption))
    if not headed and not titled:
        return
    named = [n for n, head in sorted(rows[0].header.items()) if _NAMES.search(head)]
    if question.noun.kind in _NAMED:
        headed = named or headed
    column = headed[0] if headed else 0
    own = question.noun.of_documents
    text = f"{item.caption or ''}\n{item.text[:300]}"
    share = _share(predicate, text, item.identity, own=own)
    if share < (_MIN_TITLED if titled and not own else _MIN_SHARE):
        return
    pairs = [
        (name, Quote(item, row.quote, (row.place,) if row.place else item.places))
        for row in rows
        if (name := _cell(row, column)) and row.row > 0
    ]
    if len(pairs) > 1:
        noun = _BESIDE if headed else _OVER
        yield _List(tuple(pairs), noun + share + 0.03 * min(len(pairs), 8) + near)


def _cell(row: TableRow, column: int) -> str:
    text = row.cells.get(column, "").strip()
    header = row.header.get(column, "").strip()
    fits = 1 < len(text) <= 60 and text != header and not is_number(text)
    return text if fits and not _SUMS.fullmatch(text) else ""


def _share(predicate: Predicate, text: str, around: str, *, own: bool) -> float:
    """The share of what is asked beside the noun that a list says; all where nothing is.

    Args:
        own: whether the list itself has to say some of it: whom something holds of is not told by
            the title of a report.
    """
    if not predicate.wanted:
        return 1.0
    said = predicate.said(text.replace("，", " "), around)
    if said is not None:
        return said.share
    # what stands over a list need not be said in it again
    over = None if own else predicate.said(around)
    return over.share * 0.8 if over else 0.0
