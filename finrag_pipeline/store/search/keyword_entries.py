"""What a Tantivy copy is made of: its fields, writing them, searching them, reading them back.

When it is written and from which rows belongs to `keyword_index`.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Sequence
from datetime import date
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from finrag_pipeline.store.search.filters import Filter, Hit
from finrag_pipeline.words import search_words, subject

if TYPE_CHECKING:
    import tantivy

Row = dict[str, Any]
#: app, document, revision, kind, ordinal, and a digest of all else that goes into an entry.
Entry = tuple[str, str, str, str, int, str]

#: Raise it when the fields below change, or what goes into them.
SCHEMA_VERSION = 4
_HEAP_BYTES = 64 * 1024 * 1024


def schema() -> tantivy.Schema:
    """The fields of an entry; texts come cut into words already."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    for name in ("app_id", "document_id", "revision", "kind", "digest"):
        builder.add_text_field(name, stored=True, tokenizer_name="raw", index_option="basic")
    for name in ("code", "entity_ids"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    builder.add_integer_field("ordinal", stored=True)
    builder.add_integer_field("published_on", indexed=True, fast=True)
    builder.add_text_field("words", tokenizer_name="whitespace", index_option="freq")
    return builder.build()


def write_entries(index: tantivy.Index, rows: Iterable[Row], replacing: Sequence[str]) -> None:
    """Replace the entries of some documents by rows of the block `entries`, in one commit."""
    import tantivy

    writer = index.writer(_HEAP_BYTES, 1)
    for document_id in replacing:
        writer.delete_documents_by_term("document_id", document_id)
    for row in rows:
        app_id, document_id, revision, kind, ordinal, digest = entry_of(row)
        codes = {code.casefold() for code in row["codes"]}
        writer.add_document(
            tantivy.Document(
                app_id=app_id,
                document_id=document_id,
                revision=revision,
                kind=kind,
                ordinal=ordinal,
                digest=digest,
                code=sorted(codes | {code.partition(".")[0] for code in codes}),
                entity_ids=sorted(row["entity_ids"]),
                published_on=_day(row["published_on"]),
                words=" ".join(search_words(row["text"])),
            )
        )
    writer.commit()
    writer.wait_merging_threads()


def question_terms(question: str) -> list[str]:
    """The words that a question is searched by: without those that only ask, if others are left."""
    return list(dict.fromkeys(search_words(subject(question)) or search_words(question)))


def search_entries(index: tantivy.Index, terms: Sequence[str], k: int, where: Filter) -> list[Hit]:
    """The `k` best entries by BM25 over any of the terms, among those that pass the filter.

    Equally good ones are ordered by their ids: where they lie in a copy differs from host to host.

    Raises:
        ValueError: the files of the index are damaged.
    """
    from tantivy import FieldType, Occur, Query

    fields = index.schema
    needed = [
        Query.term_query(fields, "app_id", where.app_id, "basic"),
        Query.term_set_query(fields, "kind", list(where.kinds)),
    ]
    if where.document_ids is not None:
        needed.append(Query.term_set_query(fields, "document_id", list(where.document_ids)))
    if where.company:
        needed.append(Query.term_query(fields, "code", where.company.casefold(), "basic"))
    if where.entity is not None:
        needed.append(Query.term_set_query(fields, "entity_ids", list(where.entity)))
    if where.as_of:
        needed.append(
            Query.range_query(
                fields, "published_on", FieldType.Integer, upper_bound=_day(where.as_of)
            )
        )
    any_term = Query.boolean_query(
        [(Occur.Should, Query.term_query(fields, "words", term, "freq")) for term in terms]
    )
    query = Query.boolean_query(
        [(Occur.Must, any_term)]
        # a filter says yes or no and adds nothing to the score
        + [(Occur.Must, Query.const_score_query(each, 0.0)) for each in needed]
    )
    searcher = index.searcher()
    found = searcher.search(query, limit=k, count=False).hits
    hits = [_hit(searcher.doc(address), float(score)) for score, address in found]
    return sorted(hits, key=lambda hit: hit.place)


def _hit(document: tantivy.Document, score: float) -> Hit:
    kind, document_id, revision = (
        str(document.get_first(name)) for name in ("kind", "document_id", "revision")
    )
    return Hit(kind, document_id, revision, int(document.get_first("ordinal") or 0), score)


def entry_of(row: Row) -> Entry:
    """The entry that a row of the block `entries` becomes."""
    seen = (row["text"], row["published_on"], sorted(row["codes"]), sorted(row["entity_ids"]))
    digest = blake2b(repr(seen).encode(), digest_size=8).hexdigest()
    return (
        row["app_id"],
        row["document_id"],
        row["revision"],
        row["kind"],
        row["ordinal"],
        digest,
    )


def ids_of(index: tantivy.Index, prefix: str) -> set[str]:
    """Documents of a copy whose ids begin with a prefix; some may have no entry any more."""
    return {term for term, _ in index.searcher().terms_with_prefix("document_id", prefix)}


def read_entries(index: tantivy.Index, document_ids: Collection[str]) -> Generator[Entry]:
    """Every entry of some documents in a copy."""
    from tantivy import Query

    searcher = index.searcher()
    query = Query.term_set_query(index.schema, "document_id", sorted(document_ids))
    for _, address in searcher.search(query, limit=max(1, searcher.num_docs)).hits:
        stored = searcher.doc(address)
        app_id, document_id, revision, kind, digest = (
            str(stored.get_first(name))
            for name in ("app_id", "document_id", "revision", "kind", "digest")
        )
        yield app_id, document_id, revision, kind, int(stored.get_first("ordinal") or 0), digest


def _day(day: date) -> int:
    return day.toordinal()
