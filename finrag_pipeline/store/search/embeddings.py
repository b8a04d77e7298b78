"""Vectors of texts that a search compares, and their spaces: typed functions over `embeddings.sql`.

What is embedded is `embedded_texts`; making vectors belongs to the models. Every function takes an
open connection, the caller its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, LiteralString, cast

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector
from psycopg import Connection, sql
from psycopg.pq import TransactionStatus

from finrag_pipeline.errors import NotFound, VectorSpaceMismatch
from finrag_pipeline.records import Space
from finrag_pipeline.store.database.queries import load_queries
from finrag_pipeline.store.search.filters import Filter, Hit

if TYPE_CHECKING:
    from finrag_pipeline.store.search.embedded_texts import PendingText

Row = dict[str, Any]
Q = load_queries("search/embeddings")

#: The dimension that stands in the blocks of `nearest`; a cast takes no parameter.
_WRITTEN_DIMENSION = "halfvec(1024)"

# Strict order: what is read first is nearest. One statement, and so one way to the server.
_SCAN = sql.SQL("""
do $$ begin
    set local hnsw.iterative_scan = 'strict_order';
    set local hnsw.max_scan_tuples = 200000;
    set local hnsw.ef_search = {};
end $$
""")
# Of 100,000 vectors of 384 numbers the scan finds .97 of the ten nearest with 100, .98 with 200,
# for .4 ms more; of a million .948 with 200, .96 with 320, for 1 ms more (docs/evaluation.md).
_EF_SEARCH = 320
# So many are compared in full, in 4 ms: nothing of them is missed, and a scan that passes over nine
# in ten would take longer.
_EXACT_UP_TO = 10_000

_INDEXES = {"content": ("chunk", "table")}
_GRAPH_INDEXES = {kind: (kind,) for kind in ("entity", "relation", "community", "chain")}
_TABLES = (("embeddings", _INDEXES), ("graph_embeddings", _GRAPH_INDEXES))


@dataclass(frozen=True, slots=True)
class StoredSpace:
    """One row of `vector_spaces`."""

    space_id: str
    name: str
    dimension: int
    active: bool

    @property
    def fingerprint(self) -> str:
        """That of the embedder which the space was made for."""
        return self.space_id.rpartition("-")[0]


def space_id(space: Space) -> str:
    """The key of a space: equal only where the same text gets the same vector."""
    return f"{space.fingerprint}-{space.dimension}"


def ensure_space(connection: Connection[Row], space: Space) -> StoredSpace:
    """The stored space, made with its HNSW indexes if it is new; the first one becomes active.

    Making the indexes of a new space waits for running writers of `embeddings`.
    """
    key = {"space_id": space_id(space)}
    if row := connection.execute(Q.space, key).fetchone():
        return StoredSpace(**row)
    with connection.transaction():
        connection.execute(Q.lock_spaces)
        connection.execute(Q.add_space, key | {"name": space.name, "dimension": space.dimension})
        for table, name, kinds in _every_index():
            connection.execute(
                sql.SQL(
                    "create index if not exists {index} on {table} using hnsw "
                    "((embedding::halfvec({dimension})) halfvec_cosine_ops) "
                    "where space_id = {space_id} and kind in ({kinds})"
                ).format(
                    table=sql.Identifier(table),
                    index=_index(key["space_id"], name),
                    dimension=sql.Literal(space.dimension),
                    space_id=sql.Literal(key["space_id"]),
                    kinds=sql.SQL(", ").join(map(sql.Literal, kinds)),
                )
            )
        row = connection.execute(Q.space, key).fetchone()
    assert row is not None  # it was added above, or by another process before
    return StoredSpace(**row)


def active_space(connection: Connection[Row]) -> StoredSpace | None:
    """The space that questions go to; None while nothing was ever embedded."""
    return _active(stored_spaces(connection))


def _active(stored: Iterable[StoredSpace]) -> StoredSpace | None:
    return next((space for space in stored if space.active), None)


def check_space(connection: Connection[Row], space: Space) -> None:
    """Make sure that stored vectors can be compared with those of an embedder.

    Raises:
        VectorSpaceMismatch: another space is active.
    """
    check_active(stored_spaces(connection), space)


def check_active(stored: Iterable[StoredSpace], space: Space) -> None:
    """As `check_space`, of spaces that were read."""
    active = _active(stored)
    if active is not None and active.space_id != space_id(space):
        raise VectorSpaceMismatch(
            f"the stored vectors were made by {active.name} ({active.space_id}), the configured "
            f"embedder is {space.name} ({space_id(space)}): set FINRAG_EMBEDDER back, or run "
            "`finrag reembed`"
        )


def hold_space(connection: Connection[Row], space: Space) -> None:
    """Make sure as `check_space` does, and that it stays so until the transaction ends."""
    connection.execute(Q.hold_spaces)
    check_space(connection, space)


def vector_count(connection: Connection[Row], document_id: str, revision: str, space: Space) -> int:
    """How many vectors a revision has in a space."""
    key = {"document_id": document_id, "revision": revision, "space_id": space_id(space)}
    row = connection.execute(Q.vector_count, key).fetchone()
    assert row is not None  # an aggregate without group by always has one row
    return row["vectors"]


def replace(
    connection: Connection[Row],
    document_id: str,
    revision: str,
    space: Space,
    texts: Sequence[PendingText],
    vectors: NDArray[np.floating],
) -> None:
    """Store the vectors of texts that changed; what they were before is gone from every space."""
    connection.execute(
        Q.delete_texts,
        {
            "document_id": document_id,
            "revision": revision,
            "kinds": [text.kind for text in texts],
            "ordinals": [text.ordinal for text in texts],
        },
    )
    add(connection, document_id, revision, space, texts, vectors)


def add(
    connection: Connection[Row],
    document_id: str,
    revision: str,
    space: Space,
    texts: Iterable[PendingText],
    vectors: NDArray[np.floating],
) -> None:
    """Store the vectors of texts, row by row, shape `(len(texts), dimension)`."""
    key = {"document_id": document_id, "revision": revision, "space_id": space_id(space)}
    with connection.cursor() as cursor:
        cursor.executemany(
            Q.add_vector,
            [
                key | {"kind": t.kind, "ordinal": t.ordinal, "embedding": HalfVector(vector)}
                for t, vector in zip(texts, vectors, strict=True)
            ],
        )


def documents_lacking(connection: Connection[Row], space: Space) -> list[Row]:
    """Documents that readers see and a space does not have in full.

    Returns:
        Rows of ``document_id``, ``app_id`` and ``revision``.
    """
    return connection.execute(Q.documents_lacking, {"space_id": space_id(space)}).fetchall()


def activate(connection: Connection[Row], space: Space) -> None:
    """Send questions to a space, and drop the vectors and indexes of all others.

    Raises:
        NotFound: the space was never made by `ensure_space`.
        VectorSpaceMismatch: some document has no vectors in it yet.
    """
    key = {"space_id": space_id(space)}
    with connection.transaction():
        connection.execute(Q.lock_spaces)
        if connection.execute(Q.space, key).fetchone() is None:
            raise NotFound(f"no vectors of {space.name} are stored: run `finrag reembed`")
        if lacking := documents_lacking(connection, space):
            raise VectorSpaceMismatch(
                f"{len(lacking)} documents have no vectors of {space.name} yet, the first is "
                f"{lacking[0]['document_id']}: run `finrag reembed` again"
            )
        connection.execute(Q.retire)
        connection.execute(Q.set_active, key)
        for other in connection.execute(Q.other_spaces, key).fetchall():
            old = {"space_id": other["space_id"]}
            connection.execute(Q.delete_vectors, old)
            connection.execute(Q.delete_graph_vectors, old)
            connection.execute(Q.delete_unfinished, old)
            connection.execute(Q.delete_passes, old)
            for _, name, _ in _every_index():
                index = _index(other["space_id"], name)
                connection.execute(sql.SQL("drop index if exists {index}").format(index=index))
            connection.execute(Q.delete_space, old)


def nearest(
    connection: Connection[Row],
    space: Space,
    vector: NDArray[np.floating],
    k: int,
    where: Filter,
) -> list[Hit]:
    """The `k` chunks and tables nearest to a question's vector by cosine, best first.

    Where few pass the filter, all of them are compared. Else the index is scanned until `k` pass
    it, in the connection's transaction or one of its own.
    """
    given: dict[str, Any] = {
        "space_id": space_id(space),
        "app_id": where.app_id,
        "as_of": where.as_of,
        "document_ids": list(where.document_ids) if where.document_ids is not None else None,
        "names": list(where.entity) if where.entity is not None else None,
    }
    if where.company:
        given["document_ids"] = [
            row["document_id"]
            for row in connection.execute(
                Q.documents_of_company, given | {"company": where.company.casefold()}
            )
        ]
    # never prepared: a plan is good for the filters that it was made for, and for one space
    many = connection.execute(
        Q.holds_many, given | {"many": _EXACT_UP_TO}, prepare=False
    ).fetchone()
    asked = given | {"vector": HalfVector(vector), "k": k}
    if many is None or not many["held"]:
        rows = connection.execute(_of(space, Q.nearest_of_few), asked, prepare=False).fetchall()
    else:
        with within_transaction(connection):
            connection.execute(_SCAN.format(sql.Literal(min(1000, max(_EF_SEARCH, 2 * k)))))
            rows = connection.execute(_of(space, Q.nearest), asked, prepare=False).fetchall()
    return sorted((Hit(**row) for row in rows), key=lambda hit: hit.place)


def _of(space: Space, block: LiteralString) -> LiteralString:
    """A block that compares vectors, for those of a space."""
    written = block.replace(_WRITTEN_DIMENSION, f"halfvec({int(space.dimension)})")
    return cast(LiteralString, written)


def within_transaction(connection: Connection[Row]) -> AbstractContextManager[object]:
    """The transaction that is open, else one: what is set locally needs either."""
    is_open = connection.info.transaction_status == TransactionStatus.INTRANS
    return nullcontext() if is_open else connection.transaction()


def cosines(
    connection: Connection[Row], space: Space, vector: NDArray[np.floating], hits: Sequence[Hit]
) -> list[Hit]:
    """Some content, however it was found, with its cosine to a question's vector as score.

    In no particular order; entries that have no vector are left out.
    """
    rows = connection.execute(
        _of(space, Q.cosines),
        {
            "space_id": space_id(space),
            "vector": HalfVector(vector),
            "kinds": [hit.kind for hit in hits],
            "document_ids": [hit.document_id for hit in hits],
            "revisions": [hit.revision for hit in hits],
            "ordinals": [hit.ordinal for hit in hits],
        },
    ).fetchall()
    return [Hit(**row) for row in rows]


def _every_index() -> list[tuple[str, str, tuple[str, ...]]]:
    """Table, name and kinds of each index that a space has."""
    return [(table, name, kinds) for table, of in _TABLES for name, kinds in of.items()]


def _index(key: str, name: str) -> sql.Identifier:
    return sql.Identifier(f"embeddings_hnsw_{key.replace('-', '_')}_{name}")


def stored_spaces(connection: Connection[Row]) -> list[StoredSpace]:
    """Every space, the active one first."""
    return [StoredSpace(**row) for row in connection.execute(Q.spaces)]
