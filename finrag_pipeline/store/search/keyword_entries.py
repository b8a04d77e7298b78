"""What a Tantivy copy is made of: its fields, writing them, reading them back.

When it is written and from which rows belongs to `keyword_index`, searching to `keyword_search`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from datetime import date
from hashlib import blake2b
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from finrag_pipeline.grammar.metrics import labelled, metrics_in, statement_of
from finrag_pipeline.store.search.keyword_question import mark_line, mark_statement, mark_title
from finrag_pipeline.words import keywords

if TYPE_CHECKING:
    import tantivy

Row = dict[str, Any]
#: app, document, revision, kind, ordinal, and a digest of all else that goes into an entry.
Entry = tuple[str, str, str, str, int, str]

#: Raise it when the fields below change, or what goes into them.
SCHEMA_VERSION = 5
_HEAP_BYTES = 64 * 1024 * 1024

# One field for BM25, as BM25F has it: with rarities and lengths of its own for each, 274 questions
# on annual reports find their page among the first 10 in .77 of cases instead of .84
# (docs/evaluation.md, Fields).
#: The texts of an entry, and how often the words of each count.
FIELDS: Mapping[str, int] = MappingProxyType({"identity": 1, "heading": 1, "body": 1, "lines": 1})

#: Where the skeleton of a table parts its title, header cells and the labels of its rows.
_LINE = re.compile(r"[;；|\n]|\*\*")


def schema() -> tantivy.Schema:
    """The fields of an entry; texts come cut into words already."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    for name in ("app_id", "document_id", "revision", "kind", "digest"):
        builder.add_text_field(name, stored=True, tokenizer_name="raw", index_option="basic")
    for name in ("code", "entity_ids", "metrics"):
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
                published_on=day_number(row["published_on"]),
                metrics=list(marks(row)) if kind == "table" else [],
                words=" ".join(_words(row)),
            )
        )
    writer.commit()
    writer.wait_merging_threads()


def entry_of(row: Row) -> Entry:
    """The entry that a row of the block `entries` becomes."""
    texts = [row[name] for name in FIELDS]
    seen = (texts, row["published_on"], sorted(row["codes"]), sorted(row["entity_ids"]))
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


def marks(row: Row) -> Iterator[str]:
    """What a table holds: lines by their metrics, and of which statement they are.

    >>> rows = "Net sales；Cost of sales；Operating income；Net earnings"
    >>> list(marks({"heading": "Statements of Earnings", "body": rows}))[-2:]
    ['lines of income_statement', 'headed income_statement']
    """
    lines = (line.strip() for line in _LINE.split(row["body"]))
    held = dict.fromkeys(metric for line in lines if line and (metric := labelled(line)))
    yield from (mark_line(metric.concept) for metric in held)
    if statement := statement_of(held):
        yield mark_statement(statement)
    for metric in metrics_in(row["heading"]):
        if metric.concept == metric.statement:
            yield mark_title(metric.concept)


def _words(row: Row) -> Iterator[str]:
    for name, weight in FIELDS.items():
        yield from keywords(row[name]) * weight


def day_number(day: date) -> int:
    """A day as the field of days has it."""
    return day.toordinal()
