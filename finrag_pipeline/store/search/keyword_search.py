"""Searching a keyword copy: words of a question by BM25, metrics by their marks, filters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from heapq import nlargest
from typing import TYPE_CHECKING

from finrag_pipeline.store.search.filters import CONTENT, Filter, Hit
from finrag_pipeline.store.search.keyword_entries import day_number
from finrag_pipeline.store.search.keyword_question import KeywordQuestion

if TYPE_CHECKING:
    import tantivy
    from tantivy import Occur, Query

#: Digits of a score behind the point: in which order words are summed up is no matter.
_DIGITS = 4
#: Entries that are no content which may stand among the best of a search before it is done anew.
_SPARE = 20


def search_entries(
    index: tantivy.Index, asked: KeywordQuestion, k: int, where: Filter, metric_share: float = 0.0
) -> list[Hit]:
    """The `k` best entries of the copy of an app that share a word or a metric with a question and
    pass the filter.

    A word counts by BM25 over all fields, a metric by its rarity alone: how often a table repeats
    the name of a line, and how long it is, says nothing. Equally good entries are ordered by their
    ids: where they lie in a copy differs from host to host.

    Args:
        metric_share: what the metrics of a question count beside its words; 0: nothing.

    Raises:
        ValueError: the files of the index are damaged.
    """
    from tantivy import DocAddress, Query

    searcher = index.searcher()
    words = [Query.term_query(index.schema, "words", word, "freq") for word in asked.words]
    marks: list[Query] = []
    metric_share *= asked.about_metrics
    for mark, share in asked.metrics.items() if metric_share else ():
        if held := searcher.doc_freq("metrics", mark):
            marked = Query.term_query(index.schema, "metrics", mark, "basic")
            counts = metric_share * share * _rarity(held, searcher.num_docs)
            marks.append(Query.const_score_query(marked, counts))

    def best(limit: int, *others: tuple[Occur, Query]) -> list[Hit]:
        # a filter says yes or no and adds nothing to the score
        passes = [(occur, Query.const_score_query(each, 0.0)) for occur, each in others]
        scores: dict[tuple[int, int], float] = {}
        for query in _unions(words, marks, passes):
            for score, at in searcher.search(query, limit=limit, count=False).hits:
                place = (at.segment_ord, at.doc)
                scores[place] = max(scores.get(place, 0.0), round(float(score), _DIGITS))
        top = nlargest(limit, scores, key=lambda place: (scores[place], *place))
        return [_hit(searcher.doc(DocAddress(*place)), scores[place]) for place in top]

    filters = [*_filters(index, where)]
    # hardly anything is no content: to ask for what all have takes half of a search
    spare = _SPARE if set(CONTENT) <= set(where.kinds) else 0
    hits = best(k + spare, *filters) if spare else []
    own = [each for each in hits if each.kind in where.kinds][:k]
    if not spare or (len(own) < k and len(hits) == k + spare):
        own = best(k, _kinds(index, where), *filters)
    return sorted(own, key=lambda hit: hit.place)


def _unions(
    words: Sequence[Query], marks: Sequence[Query], passes: Sequence[tuple[Occur, Query]]
) -> Iterator[Query]:
    """The searches of which the best entries are the best by words and marks together.

    A union of words alone passes over what cannot be among the best; with a mark in it, it reads
    all that has any of them. So marks are looked for apart, among the few that have one: what has
    none is scored rightly by the words, what has one by the second, and too low by the first.
    """
    from tantivy import Occur, Query

    said = [(Occur.Should, each) for each in words]
    union = Query.boolean_query(said)
    yield Query.boolean_query([(Occur.Must, union), *passes]) if passes else union
    if marks:
        marked = Query.boolean_query([(Occur.Should, each) for each in marks])
        yield Query.boolean_query([(Occur.Must, marked), *said, *passes])


def holds_all(index: tantivy.Index, sought: Sequence[str], where: Filter) -> bool:
    """Whether any entry that passes a filter has all of some words.

    Raises:
        ValueError: the files of the index are damaged.
    """
    from tantivy import Occur, Query

    terms = [Query.term_query(index.schema, "words", word, "basic") for word in sought]
    found = [(Occur.Must, each) for each in terms]
    query = Query.boolean_query([*found, _kinds(index, where), *_filters(index, where)])
    return bool(index.searcher().search(query, limit=1, count=False).hits)


def _kinds(index: tantivy.Index, where: Filter) -> tuple[tantivy.Occur, tantivy.Query]:
    from tantivy import Occur, Query

    return Occur.Must, Query.term_set_query(index.schema, "kind", list(where.kinds))


def _filters(index: tantivy.Index, where: Filter) -> Iterator[tuple[tantivy.Occur, tantivy.Query]]:
    """What a search asks for beside kinds; a copy is of one app."""
    from tantivy import FieldType, Occur, Query

    fields = index.schema
    if where.document_ids is not None:
        yield Occur.Must, Query.term_set_query(fields, "document_id", list(where.document_ids))
    if where.company:
        yield Occur.Must, Query.term_query(fields, "code", where.company.casefold(), "basic")
    if where.entity is not None:
        yield Occur.Must, Query.term_set_query(fields, "entity_ids", list(where.entity))
    if where.as_of:
        last = day_number(where.as_of)
        days = Query.range_query(fields, "published_on", FieldType.Integer, upper_bound=last)
        yield Occur.Must, days


def _rarity(held: int, entries: int) -> float:
    """The inverse document frequency, as BM25 has it."""
    # what is deleted is counted among those that hold it until its segment is written anew
    entries = max(entries, held)
    return math.log(1 + (entries - held + 0.5) / (held + 0.5))


def _hit(document: tantivy.Document, score: float) -> Hit:
    kind, document_id, revision = (
        str(document.get_first(name)) for name in ("kind", "document_id", "revision")
    )
    return Hit(kind, document_id, revision, int(document.get_first("ordinal") or 0), score)
