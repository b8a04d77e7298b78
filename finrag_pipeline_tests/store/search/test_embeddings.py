"""Vector spaces and their vectors: made once, searched under filters, swapped whole."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from pgvector import HalfVector
from psycopg import Connection
from psycopg.types.json import Jsonb

from finrag_pipeline.errors import NotFound, VectorSpaceMismatch
from finrag_pipeline.models.embedding import VectorSpace
from finrag_pipeline.models.offline import OfflineEmbedder
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.search import embedded_texts, embeddings
from finrag_pipeline.store.search.embeddings import Row
from finrag_pipeline.store.search.filters import Filter
from finrag_pipeline_tests.documents import add_document, publish, simple_table

SMALL = VectorSpace("small", 3, "aa11")
OTHER = VectorSpace("other", 4, "bb22")


def embed(connection: Connection[Row], document_id: str, space: VectorSpace) -> None:
    """Vectors that point at the first dimension, the less the higher the ordinal."""
    texts = embedded_texts.pending_texts(connection, document_id, "r1", space)
    vectors = np.zeros((len(texts), space.dimension), dtype=np.float32)
    for row, text in enumerate(texts):
        vectors[row, :2] = 1.0, text.ordinal
    embeddings.add(connection, document_id, "r1", space, texts, vectors)


def test_texts_are_pending_until_their_vectors_are_stored(database: Database) -> None:
    table = simple_table("盈利预测", [["指标", "2026E"], ["营收", "12.5"]])
    with database.transaction() as connection:
        add_document(connection, "d1", ["营收增长。"], tables=[table])
        embeddings.ensure_space(connection, SMALL)
        texts = embedded_texts.pending_texts(connection, "d1", "r1", SMALL)
        assert {(text.kind, text.ordinal): text.text for text in texts} == {
            ("chunk", 0): "星河新材 2026-03 | 年报点评\n"
            "本段出自关于星河新材的公司研究《年报点评》（2026-03）开头。\n营收增长。",
            ("table", 0): "星河新材 年报点评 2026-03\n盈利预测\n指标 | 2026E\n营收",
        }
        assert [row["document_id"] for row in embeddings.documents_lacking(connection, SMALL)] == [
            "d1"
        ]
        embed(connection, "d1", SMALL)
        embeddings.add(connection, "d1", "r1", SMALL, texts, np.ones((2, 3), dtype=np.float32))
        assert embedded_texts.pending_texts(connection, "d1", "r1", SMALL) == []
        assert embeddings.documents_lacking(connection, SMALL) == []


def test_the_first_space_is_the_active_one(database: Database) -> None:
    with database.transaction() as connection:
        assert embeddings.active_space(connection) is None
        embeddings.check_space(connection, SMALL)
        assert embeddings.ensure_space(connection, SMALL).active
        assert embeddings.ensure_space(connection, SMALL).active
        assert not embeddings.ensure_space(connection, OTHER).active
        embeddings.check_space(connection, SMALL)
        with pytest.raises(VectorSpaceMismatch, match=r"made by small .* `finrag reembed`"):
            embeddings.check_space(connection, OTHER)


def test_a_swap_is_refused_until_it_is_complete_then_drops_the_old_space(
    database: Database,
) -> None:
    with database.transaction() as connection:
        add_document(connection, "d1", ["营收增长。", "利润下降。"])
        embeddings.ensure_space(connection, SMALL)
        embed(connection, "d1", SMALL)
        with pytest.raises(NotFound):
            embeddings.activate(connection, OTHER)
        embeddings.ensure_space(connection, OTHER)
        with pytest.raises(VectorSpaceMismatch, match="1 documents have no vectors"):
            embeddings.activate(connection, OTHER)
        embed(connection, "d1", OTHER)
        embeddings.activate(connection, OTHER)
        active = embeddings.active_space(connection)
        assert active is not None and active.name == "other"
        spaces = connection.execute("select distinct space_id from embeddings").fetchall()
        assert [row["space_id"] for row in spaces] == [embeddings.space_id(OTHER)]
        indexes = connection.execute(
            "select indexname from pg_indexes where indexname like 'embeddings_hnsw%%'"
        ).fetchall()
        assert sorted(row["indexname"] for row in indexes) == [
            f"embeddings_hnsw_bb22_4_{name}"
            for name in (
                "chain",
                "community",
                "content",
                "entity",
                "relation",
            )
        ]
        embeddings.activate(connection, OTHER)
        embeddings.ensure_space(connection, SMALL)
        embeddings.activate(connection, OTHER)


def test_nearest_sees_what_readers_see(database: Database) -> None:
    vector = np.array([1, 0, 0], dtype=np.float32)
    with database.transaction() as connection:
        embeddings.ensure_space(connection, SMALL)
        add_document(connection, "old", ["一", "二"], published_on=date(2025, 1, 31))
        add_document(connection, "new", ["一"], code="00700.HK")
        add_document(connection, "theirs", ["一"], app_id="other")
        add_document(connection, "gone", ["一"])
        for document_id in ("old", "new", "theirs", "gone"):
            embed(connection, document_id, SMALL)
        publish(connection, "gone", None)

        def found(where: Filter, k: int = 10) -> list[str]:
            hits = embeddings.nearest(connection, SMALL, vector, k, where)
            return sorted(f"{hit.document_id}{hit.ordinal}" for hit in hits)

        assert found(Filter("default")) == ["new0", "old0", "old1"]
        assert found(Filter("other")) == ["theirs0"]
        assert found(Filter("default", as_of=date(2025, 1, 31))) == ["old0", "old1"]
        assert found(Filter("default", as_of=date(2025, 1, 30))) == []
        assert found(Filter("default", company="00700.hk")) == ["new0"]
        assert found(Filter("default", company="300999")) == ["old0", "old1"]
        assert found(Filter("default", document_ids=("new", "theirs"))) == ["new0"]
        hits = embeddings.nearest(connection, SMALL, vector, 10, Filter("default"))
        assert [hit.score for hit in hits] == pytest.approx([1, 1, 2**-0.5], abs=1e-3)


def test_a_large_store_is_searched_through_the_index_of_its_space(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    vector = np.array([1, 0, 0], dtype=np.float32)
    table = simple_table("盈利预测", [["指标", "2026E"], ["营收", "12.5"]])
    with database.transaction() as connection:
        embeddings.ensure_space(connection, SMALL)
        add_document(connection, "d1", ["营收增长。", "利润下降。"], tables=[table])
        embed(connection, "d1", SMALL)
        for setting in ("enable_seqscan", "enable_bitmapscan", "enable_sort"):
            connection.execute(f"set local {setting} = off")
        given = {
            "space_id": embeddings.space_id(SMALL),
            "vector": HalfVector(vector),
            "app_id": "default",
            "as_of": None,
            "names": None,
            "document_ids": None,
            "k": 9,
        }
        plans: list[str] = []
        for block in (embeddings.Q.nearest, embeddings.Q.nearest_of_few):
            scans = connection.execute(
                "explain " + block.replace("halfvec(1024)", "halfvec(3)"), given, prepare=False
            )
            plans.append("\n".join(row["QUERY PLAN"] for row in scans))
        assert "embeddings_hnsw_aa11_3_content" in plans[0]
        assert "embeddings_hnsw" not in plans[1]
        compared = embeddings.nearest(connection, SMALL, vector, 9, Filter("default"))
        monkeypatch.setattr(embeddings, "_EXACT_UP_TO", 2)
        scanned = embeddings.nearest(connection, SMALL, vector, 9, Filter("default"))
    kinds = {("chunk", 0), ("chunk", 1), ("table", 0)}
    assert {(hit.kind, hit.ordinal) for hit in scanned} == kinds
    assert scanned == compared


def test_headings_stand_for_a_context_that_older_revisions_lack(database: Database) -> None:
    with database.transaction() as connection:
        add_document(connection, "old", ["营收增长。"])
        connection.execute("update clique_chunks set context = '', section = '{业绩}'")
        embeddings.ensure_space(connection, SMALL)
        (text,) = embedded_texts.pending_texts(connection, "old", "r1", SMALL)
        assert text.text.endswith("\n业绩\n营收增长。")
        embed(connection, "old", SMALL)
        assert embeddings.documents_lacking(connection, SMALL) == []


def test_a_table_is_embedded_by_its_labels_and_first_rows(database: Database) -> None:
    rows = [["指标", "2026E"], *([f"第{n}项", "1"] for n in range(500))]
    told = [{"text": f"第{n}项，2026E 1。"} for n in range(500)]
    with database.transaction() as connection:
        add_document(
            connection, "d1", [], tables=[simple_table("盈利预测", rows)], title="星河新材"
        )
        connection.execute("update html_tables set statements = %s", (Jsonb(told),))
        connection.execute("update document_revisions set published_on_printed = false")
        embeddings.ensure_space(connection, SMALL)
        (pending,) = embedded_texts.pending_texts(connection, "d1", "r1", SMALL)
    first, title, header, *labels, statements = pending.text.split("\n")
    assert (first, title, header) == ("星河新材", "盈利预测", "指标 | 2026E")
    assert labels[0].startswith("第0项")
    assert statements.startswith("第0项，2026E 1。 第1项，2026E 1。")
    assert len(statements) == 900 and len(pending.text) < 1600


def test_a_selective_filter_still_fills_k_through_the_index(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(5)
    with database.transaction() as connection:
        embeddings.ensure_space(connection, SMALL)
        for number in range(40):
            document_id = f"d{number}"
            add_document(connection, document_id, ["甲"] * 20, app_id=f"app{number % 20}")
            texts = embedded_texts.pending_texts(connection, document_id, "r1", SMALL)
            vectors = random.normal(size=(len(texts), 3)).astype(np.float32)
            embeddings.add(connection, document_id, "r1", SMALL, texts, vectors)
        connection.execute("analyze")
        for up_to in (1000, 10):
            monkeypatch.setattr(embeddings, "_EXACT_UP_TO", up_to)
            connection.execute("set local enable_sort = off")
            vector = random.normal(size=3).astype(np.float32)
            hits = embeddings.nearest(connection, SMALL, vector, 30, Filter("app7"))
            assert len(hits) == 30
            assert [hit.score for hit in hits] == sorted((h.score for h in hits), reverse=True)


def test_the_offline_embedder_finds_the_chunk_a_question_is_about(database: Database) -> None:
    embedder = OfflineEmbedder()
    with database.transaction() as connection:
        add_document(connection, "d1", ["钠电池产线投产。", "毛利率因原材料涨价下降。"])
        embeddings.ensure_space(connection, embedder.space)
        texts = embedded_texts.pending_texts(connection, "d1", "r1", embedder.space)
        vectors = embedder.embed_passages([text.text for text in texts])
        embeddings.add(connection, "d1", "r1", embedder.space, texts, vectors)
        question = embedder.embed_questions(["毛利率为什么下降？"])[0]
        best = embeddings.nearest(connection, embedder.space, question, 1, Filter("default"))
        assert [hit.ordinal for hit in best] == [1]
