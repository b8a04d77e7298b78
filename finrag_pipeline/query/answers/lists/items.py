"""Items that passages list: in sentences, under numbers, in columns of tables.

What counts as a list is `enumerations`', which nouns go with which words `nouns.csv`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import zip_longest

from finrag_pipeline.query.answers.lists.asking import ListQuestion
from finrag_pipeline.query.answers.lists.enumerations import (
    Enumeration,
    enumerations,
    values_beside,
)
from finrag_pipeline.query.answers.lists.headings import headings
from finrag_pipeline.query.answers.lists.tables import blocks, entries, name_column
from finrag_pipeline.query.answers.predicates import Predicate
from finrag_pipeline.query.answers.quotes import Quote
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.documents import DocumentItem
from finrag_pipeline.query.evidence.places import locate
from finrag_pipeline.query.evidence.results import Result
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.query.question.terms import missing
from finrag_pipeline.stages.tables.phrases import is_value
from finrag_pipeline.stages.tables.row_quotes import TableRow

#: Items of one answer; a longer list is no answer but a table.
MOST_ITEMS = 30
#: A further list joins the best one where it fits nearly as well.
_MIN_OF_BEST, _MIN_OF_SAME = 0.85, 0.97
#: Share of what is asked, beside the noun, that a list and what stands around it have to say.
_MIN_SHARE = 0.5
#: The same where the title of a table has the noun.
_MIN_TITLED = 0.35
#: Where the noun stands: right beside the list, near it, in the heading over it, elsewhere in the
#: sentence.
_BESIDE, _CLOSE, _OVER, _NEAR = 1.0, 0.85, 0.8, 0.5
#: A list whose ends are sure: words lead it in, or it is a column.
_SURE = 0.3
#: What stands beside its items is wanted, and told.
_AMOUNTS = 0.3
#: Share of the best agreement with the time asked for that a document has to have.
_MIN_AGREED = 0.6
#: What a document loses that is as old as this, beside the newest of its company.
_AGED, _AGED_DAYS = 0.15, 730
#: What leads in the uses of something, and not the thing.
_ELSEWHERE = re.compile(r"(?:应用于|适用于|用于|覆盖|面向)\s*$")
#: Kinds of nouns whose members are named so.
_NAMED = frozenset(
    ("competitor", "customer", "supplier", "subsidiary", "shareholder", "partner", "company")
)
#: What a name of a company may end with and be the same.
_LEGAL = re.compile(r"(?:股份|集团|控股|有限|责任|公司|[()（）\s.,]|inc|corp|co|ltd|plc)*", re.I)
_RISKS = re.compile(
    r"风险(?:提示|因素|揭示|警示|包括|如下|有|主要)?\W*$|\brisks?\W*(?:include)?\W*$", re.I
)
#: Lists of which every report adds some.
_OPEN_KINDS = frozenset(("risk", "competitor", "customer", "supplier"))


@dataclass(frozen=True, slots=True)
class Item:
    """Something that is listed, where, and the amounts beside it, by their headings."""

    name: str
    quotes: tuple[Quote, ...]
    amounts: tuple[tuple[str, str], ...] = ()

    @property
    def spelled(self) -> str:
        return spelled(self.name)


@dataclass(frozen=True, slots=True)
class _List:
    """Items that stand in one list.

    Attributes:
        headed: whether the heading of their column says what they are.
        ranked: whether their order, how many they are, or what stands beside them is wanted.
    """

    items: tuple[Item, ...]
    score: float
    headed: bool = False
    ranked: bool = False


def find_items(
    asked: Asked,
    question: ListQuestion,
    results: Sequence[Result],
    companies: Collection[str] | None = None,
) -> tuple[list[Item], bool]:
    """Items of the lists that fit a question best, each once; empty where none fits.

    Args:
        companies: names of which most items have to be; None: anything will do.

    Returns:
        the items, and whether a heading says what they are, so that they are all that there are.
    """
    predicate = Predicate(question.rest)
    found = _lists(asked, question, predicate, results)
    if companies is not None:
        found = (each for each in found if each.headed or _of_companies(each, companies))
    lists = sorted(found, key=lambda each: -each.score)
    if not lists:
        return [], False
    if question.ranking.amounts:
        # what is asked of each is told of each, or the list is no answer
        measured = [each for each in lists if any(item.amounts for item in each.items)]
        lists = measured if measured or question.ranking.each else lists
    best = lists[0] if lists else _List((), 0.0)
    least = _MIN_OF_BEST if question.noun.kind in _OPEN_KINDS else _MIN_OF_SAME
    joined = [each for each in lists if each.score >= least * best.score]
    alone = best.ranked or (best.headed and question.noun.kind not in _OPEN_KINDS)
    kept = merged(each for one in ([best] if alone else joined) for each in one.items)
    if question.noun.kind in _NAMED:
        kept = [each for each in kept if not _is_asked(asked, each.name)]
    return kept[: question.ranking.most or MOST_ITEMS], best.headed


def _is_asked(asked: Asked, name: str) -> bool:
    """Whether a name is that of a company that the question names: it is none of its own peers.

    What goes on behind such a name, or begins before it, is another company's.
    """
    own = {key for each in asked.scope.reading.companies for key in each.keys}
    found = asked.scope.catalogue.companies.find(name)
    return any(
        own & set(each.keys) and _LEGAL.fullmatch(name.replace(each.text, "", 1)) for each in found
    )


def _of_companies(listed: _List, companies: Collection[str]) -> bool:
    """Whether most items of a list are companies, by the names that passages are known to have."""
    known = sum(
        1
        for item in listed.items
        if any(each in item.name or item.name in each for each in companies)
    )
    return 2 * known >= len(listed.items)


def merged(items: Iterable[Item]) -> list[Item]:
    """Items of one name as one, which all their places hold; in order."""
    found: list[Item] = []
    for item in items:
        own = item.spelled
        for n, held in enumerate(found):
            if own == held.spelled or _same(own, held.spelled):
                known = {each.item.key for each in held.quotes}
                further = tuple(each for each in item.quotes if each.item.key not in known)
                found[n] = replace(held, quotes=(*held.quotes, *further))
                break
        else:
            found.append(item)
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
    own = asked.scope.about()
    agreed = max((asked.scope.agreement(each.document_id) for each in own), default=0.0)
    least = _MIN_AGREED * agreed if asked.scope.reading.periods else 0.0
    newest = max((each.row.published_on for each in own), default=None)
    beside = _texts_by_page(results)
    chunks: list[ChunkItem] = []
    for result, item in _pieces(results):
        document = documents.get(str(item.key.id[0]))
        about = bool(document and document.company in of)
        if of and asked.scope.groups and not about:
            continue
        if by and document and document.row.broker not in by:
            continue
        page = beside.get(_page(item), "")
        if missing(question.names, [f"{item.identity}\n{item.text}\n{page}"]):
            continue
        agreement = asked.scope.agreement(str(item.key.id[0]))
        if agreement < least:
            continue  # of another time, while there is a document of the one asked for
        near = 0.3 / result.rank**0.5 + 0.4 * agreement - _aged(document, newest)
        if isinstance(item, ChunkItem):
            chunks.append(item)
            yield from _of_chunk(item, question, predicate, near)
        elif isinstance(item, TableItem):
            yield from _of_table(item, question, predicate, near, page)
    for row in headings(chunks, question.noun.said):
        near = 0.3 / (row.rank + 1) ** 0.5 + 0.4 * asked.scope.agreement(row.document_id)
        share = _share(predicate, "\n".join(row.names), row.over, own=False)
        if share >= _MIN_SHARE:
            listed = zip(row.names, row.quotes, strict=True)
            found = tuple(Item(name, (quote,)) for name, quote in listed)
            length = 0.03 * min(len(found), 8)
            yield _List(found, _BESIDE + _SURE + share + length + near, headed=True)


def _aged(document: DocumentFacts | None, newest: date | None) -> float:
    """What a list loses by the age of its document: of two alike the newer one is told."""
    if document is None or newest is None:
        return 0.0
    return _AGED * min(1.0, max(0, (newest - document.row.published_on).days) / _AGED_DAYS)


def _texts_by_page(results: Sequence[Result]) -> dict[tuple[str, int], str]:
    """The text of pages on which sentences were found: it says what a table there is of."""
    held: dict[tuple[str, int], dict[str, None]] = {}
    for result in results:
        if isinstance(result.item, ChunkItem):
            for place, text in result.item.regions_text:
                held.setdefault((result.item.document_id, place.page), {})[text] = None
    return {page: "\n".join(texts) for page, texts in held.items()}


def _pieces(results: Sequence[Result]) -> Iterator[tuple[Result, DocumentItem]]:
    """Each piece of evidence once, also what was found beside others on their page."""
    seen: set[object] = set()
    for result in results:
        for item in (result.item, *result.same_page):
            if isinstance(item, DocumentItem) and item.key not in seen:
                seen.add(item.key)
                yield result, item


def _page(item: DocumentItem) -> tuple[str, int]:
    return item.document_id, item.places[0].page if item.places else 0


def _of_chunk(
    item: ChunkItem, question: ListQuestion, predicate: Predicate, near: float
) -> Iterator[_List]:
    section = "\n".join(item.section[-2:])
    over = f"{item.title or ''}\n{item.source}"
    for each in enumerations(item.text):
        if _are_values(each):
            continue
        noun = _nearness(question.noun.said, each, section)
        if not noun or (question.noun.kind == "risk" and not _is_of_risks(each)):
            continue
        text = f"{each.lead}{'、'.join(each.items)}{each.tail}"
        own = question.noun.of_documents
        share = _share(predicate, text, f"{section}\n{over}\n{each.quotes[0]}", own=own)
        if share < _MIN_SHARE:
            continue
        beside = values_beside(each) if question.ranking.amounts else ()
        found = tuple(
            Item(name, (Quote(item, quote, places),), (("", value),) if value else ())
            for name, quote, value in zip_longest(each.items, each.quotes, beside, fillvalue="")
            if (places := locate(quote, item.regions_text))
        )
        if question.noun.kind in _NAMED and not _are_names(found, question):
            continue
        if len(found) > 1 or (found and question.noun.kind == "risk"):
            length = 0.03 * min(len(found), 8) + _AMOUNTS * bool(beside)
            yield _List(found, noun + share + _SURE * each.closed + length + near)


def _are_values(listed: Enumeration) -> bool:
    """Whether most items are figures, of what is listed elsewhere."""
    return 2 * sum(map(is_value, listed.items)) > len(listed.items)


def _are_names(items: Sequence[Item], question: ListQuestion) -> bool:
    """Whether most items may be names: 重要的非全资子公司 is none."""
    said = None if question.noun.kind == "company" else question.noun.said
    none = sum(1 for each in items if "的" in each.name or (said and said.search(each.name)))
    return 2 * none < len(items)


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
    item: TableItem, question: ListQuestion, predicate: Predicate, near: float, page: str
) -> Iterator[_List]:
    """Rows of its parts, by the column that the noun heads, or whose title has it.

    Args:
        page: what else was found on its page.
    """
    said, own = question.noun.said, question.noun.of_documents
    for block in blocks(item):
        column = name_column(block, said, titled=True)
        if column is None:
            continue
        headed = bool(said.search(block.header.get(column, "")))
        heads = " ".join(block.header.values())
        text = f"{block.title}\n{heads}\n{item.text[:300]}"
        share = _share(predicate, text, f"{item.identity}\n{page}", own=own and not page)
        if share < (_MIN_TITLED if said.search(block.title) and not own else _MIN_SHARE):
            continue
        found = tuple(
            Item(each.name, (_row_quote(item, each.row),), each.amounts)
            for each in entries(item, block, column, question.asked, question.ranking)
        )
        if len(found) > 1 or question.ranking.most == 1:
            noun = (_BESIDE if headed else _OVER) + _SURE
            noun += _AMOUNTS * any(each.amounts for each in found)
            length = 0.03 * min(len(found), 8)
            ranked = question.ranking.most is not None or question.ranking.amounts
            yield _List(found, noun + share + length + near, headed, ranked)


def _row_quote(item: TableItem, row: TableRow) -> Quote:
    return Quote(item, row.quote, (row.place,) if row.place else item.places)


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
