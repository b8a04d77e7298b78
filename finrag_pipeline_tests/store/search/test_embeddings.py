"""Vector spaces and their vectors: made once, searched under filters, swapped whole."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from pgvector import HalfVector
from psycopg import Connection

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
            ("document", 0): "年报点评\n星河新材 300999.SZ 2026-03\n营收增长。",
            ("summary", 0): "星河新材 2026-03 | 年报点评\n营收增长。",
            ("table", 0): "星河新材\n年报点评\n2026-03\n盈利预测\n指标 | 2026E\n营收",
        }
        assert [row["document_id"] for row in embeddings.documents_lacking(connection, SMALL)] == [
            "d1"
        ]
        embed(connection, "d1", SMALL)
        embeddings.add(connection, "d1", "r1", SMALL, texts, np.ones((4, 3), dtype=np.float32))
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
                "document",
                "entity",
                "relation",
                "summary",
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


def test_each_way_of_asking_finds_its_own_kinds_through_its_own_index(database: Database) -> None:
    vector = np.array([1, 0, 0], dtype=np.float32)
    table = simple_table("盈利预测", [["指标", "2026E"], ["营收", "12.5"]])
    ways = {
        "content": embeddings.CONTENT,
        "summary": embeddings.SUMMARIES,
        "document": embeddings.DOCUMENTS,
    }
    with database.transaction() as connection:
        embeddings.ensure_space(connection, SMALL)
        add_document(connection, "d1", ["营收增长。", "利润下降。"], tables=[table])
        embed(connection, "d1", SMALL)
        connection.execute("set local enable_seqscan = off")
        connection.execute("set local enable_bitmapscan = off")
        connection.execute("set local enable_sort = off")
        found: dict[str, list[tuple[str, int]]] = {}
        for name, kinds in ways.items():
            hits = embeddings.nearest(connection, SMALL, vector, 9, Filter("default"), kinds)
            found[name] = sorted((hit.kind, hit.ordinal) for hit in hits)
            scans = connection.execute(
                "explain " + embeddings.Q.nearest.replace("halfvec(1024)", "halfvec(3)"),
                {
                    "space_id": embeddings.space_id(SMALL),
                    "vector": HalfVector(vector),
                    "kinds": list(kinds),
                    "app_id": "default",
                    "as_of": None,
                    "company": None,
                    "names": None,
                    "document_ids": None,
                    "k": 9,
                },
                prepare=False,
            ).fetchall()
            plan = "\n".join(row["QUERY PLAN"] for row in scans)
            assert f"embeddings_hnsw_aa11_3_{name}" in plan
    assert found == {
        "content": [("chunk", 0), ("chunk", 1), ("table", 0)],
        # a summary's hit names its chunk
        "summary": [("chunk", 0), ("chunk", 1)],
        "document": [("document", 0)],
    }


def test_a_revision_without_summaries_lacks_none(database: Database) -> None:
    with database.transaction() as connection:
        add_document(connection, "old", ["营收增长。"])
        connection.execute(
            "update clique_chunks set summary = '', context = '', section = '{业绩}'"
        )
        embeddings.ensure_space(connection, SMALL)
        texts = embedded_texts.pending_texts(connection, "old", "r1", SMALL)
        assert [text.kind for text in texts] == ["chunk", "document"]
        assert texts[0].text.endswith("\n业绩\n营收增长。")
        embed(connection, "old", SMALL)
        assert embeddings.documents_lacking(connection, SMALL) == []


def test_a_selective_filter_still_fills_k_through_the_index(database: Database) -> None:
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
        for forced in ("on", "off"):
            connection.execute(f"set local enable_sort = {forced}")
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
