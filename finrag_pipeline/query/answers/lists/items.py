"""Items that passages list: which lists answer a question, and what they tell together.

How a list is read and how well it fits is `listed`; which nouns go with which words `nouns.csv`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from finrag_pipeline.query.answers.lists.asking import ListQuestion
from finrag_pipeline.query.answers.lists.headings import headings
from finrag_pipeline.query.answers.lists.listed import (
    BESIDE,
    MIN_SHARE,
    NAMED,
    SURE,
    TOLD,
    Item,
    Listed,
    of_chunk,
    of_table,
    share_of,
)
from finrag_pipeline.query.answers.predicates import Predicate
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.documents import DocumentItem
from finrag_pipeline.query.evidence.results import Result
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.query.question.tagging import may_name
from finrag_pipeline.query.question.terms import missing

#: Items of one answer; a longer list is no answer but a table.
MOST_ITEMS = 30
#: A further list joins the best one where it fits nearly as well.
_MIN_OF_BEST, _MIN_OF_SAME = 0.85, 0.97
#: Share of the best agreement with the time asked for that a document has to have.
_MIN_AGREED = 0.6
#: What a document loses that is as old as this, beside the newest of its company.
_AGED, _AGED_DAYS = 0.15, 730
#: What a name of a company may end with and be the same.
_LEGAL = re.compile(r"(?:股份|集团|控股|有限|责任|公司|[()（）\s.,]|inc|corp|co|ltd|plc)*", re.I)
#: Lists of which every report adds some.
_OPEN_KINDS = frozenset(("risk", "competitor", "customer", "supplier"))


def find_items(
    asked: Asked,
    question: ListQuestion,
    results: Sequence[Result],
    companies: Collection[str] | None = None,
    whose: Sequence[str] = (),
) -> tuple[list[Item], bool]:
    """Items of the lists that fit a question best, each once; empty where none fits.

    Args:
        companies: names of which most items have to be; None: anything will do.
        whose: names of the company whose customers or shareholders are asked for; empty: nobody's.

    Returns:
        the items, and whether a heading says what they are, so that they are all that there are.
    """
    predicate = Predicate(question.rest)
    found = _lists(asked, question, predicate, results, whose)
    if companies is not None:
        found = (each for each in found if each.headed or _of_companies(each, companies))
    lists = sorted(found, key=lambda each: -each.score)
    if question.noun.kind == "shareholder" and question.ranking.most:
        # who holds most a table says; a sentence beside 股东 names whom they elect
        lists = [each for each in lists if each.headed]
    if not lists:
        return [], False
    if question.ranking.amounts:
        # what is asked of each is told of each, or the list is no answer
        measured = [each for each in lists if any(item.amounts for item in each.items)]
        lists = measured if measured or question.ranking.each else lists
    best = lists[0] if lists else Listed((), 0.0)
    least = _MIN_OF_BEST if question.noun.kind in _OPEN_KINDS else _MIN_OF_SAME
    joined = [each for each in lists if each.score >= least * best.score]
    alone = best.ranked or (best.headed and question.noun.kind not in _OPEN_KINDS)
    kept = merged(each for one in ([best] if alone else joined) for each in one.items)
    if question.noun.kind in NAMED:
        named = (each for each in kept if may_name(each.name) and not TOLD.search(each.name))
        kept = [each for each in named if not is_asked(asked, each.name)]
    return kept[: question.ranking.most or MOST_ITEMS], best.headed


def is_asked(asked: Asked, name: str) -> bool:
    """Whether a name is that of a company that the question names: it is none of its own peers.

    What goes on behind such a name, or begins before it, is another company's.
    """
    own = {key for each in asked.scope.reading.companies for key in each.keys}
    found = asked.scope.catalogue.companies.find(name)
    return any(
        own & set(each.keys) and _LEGAL.fullmatch(name.replace(each.text, "", 1)) for each in found
    )


def _of_companies(listed: Listed, companies: Collection[str]) -> bool:
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


def _same(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= 4 and short in long and len(long) <= 2 * len(short)


def _lists(
    asked: Asked,
    question: ListQuestion,
    predicate: Predicate,
    results: Sequence[Result],
    whose: Sequence[str],
) -> Iterator[Listed]:
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
            yield from of_chunk(item, question, predicate, near, () if about else whose)
        elif isinstance(item, TableItem):
            yield from of_table(item, question, predicate, near, page, whose, theirs=about)
    for row in headings(chunks, question.noun.said):
        near = 0.3 / (row.rank + 1) ** 0.5 + 0.4 * asked.scope.agreement(row.document_id)
        share = share_of(predicate, "\n".join(row.names), row.over, own=False)
        if share >= MIN_SHARE:
            listed = zip(row.names, row.quotes, strict=True)
            found = tuple(Item(name, (quote,)) for name, quote in listed)
            length = 0.03 * min(len(found), 8)
            yield Listed(found, BESIDE + SURE + share + length + near, headed=True)


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
