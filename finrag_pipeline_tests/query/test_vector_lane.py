"""The vector lane: content, summaries and documents as one ranking, as long as the store has."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.models.embedding import VectorSpace
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.lanes.vector import (
    DOCUMENTS,
    chosen_documents,
    combine,
    search_vectors,
)
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.query.weights import DOCUMENT_SHARE, PASSAGES_SHARE, SUMMARY_SHARE
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.search import embedded_texts, embeddings
from finrag_pipeline.store.search.filters import Filter, Hit
from finrag_pipeline_tests.documents import add_document
from finrag_pipeline_tests.query.conftest import AddDocument


def hit(kind: str, document: str, score: float, ordinal: int = 0) -> Hit:
    return Hit(kind, document, "r", ordinal, score)


def test_content_and_summary_are_weighed_and_a_near_document_lifts_its_entries() -> None:
    content = [hit("table", "a", 0.5), hit("chunk", "b", 0.5), hit("chunk", "c", 0.4)]
    summaries = [hit("chunk", "c", 0.9), hit("chunk", "b", 0.2)]
    found = combine(content, summaries, [hit("document", "a", 0.1), hit("document", "c", 0.3)], 9)
    assert {(each.kind, each.document_id): each.score for each in found} == {
        ("table", "a"): pytest.approx(0.5 + DOCUMENT_SHARE * 0.1 + PASSAGES_SHARE * 0.5),
        ("chunk", "b"): pytest.approx(0.5 + SUMMARY_SHARE * (0.2 - 0.5) + PASSAGES_SHARE * 0.5),
        ("chunk", "c"): pytest.approx(
            0.4 + SUMMARY_SHARE * (0.9 - 0.4) + DOCUMENT_SHARE * 0.3 + PASSAGES_SHARE * 0.4
        ),
    }
    assert [each.document_id for each in found] == ["a", "c", "b"]


def test_a_document_that_speaks_of_it_in_several_places_comes_first() -> None:
    scores = {"once": (0.5, 0.0, 0.0), "often": (0.45, 0.45, 0.45), "short": (0.3,)}
    content = [
        hit("chunk", name, score, n)
        for name, found in scores.items()
        for n, score in enumerate(found)
    ]
    found = combine(content, [], [], 9)
    assert [(each.document_id, each.ordinal) for each in found[:3]] == [
        ("often", 0),
        ("often", 1),
        ("often", 2),
    ]
    assert chosen_documents(content, [hit("document", "near", 0.1)]) == (
        "near",
        "once",
        "often",
        "short",
    )


HITS = st.lists(
    st.builds(
        hit,
        st.sampled_from(["chunk", "table"]),
        st.sampled_from("abcdef"),
        st.floats(-1, 1),
        st.integers(0, 4),
    ),
    max_size=20,
)


@given(HITS, HITS, st.integers(1, 12))
def test_a_lane_is_as_long_as_what_was_found_allows(
    content: list[Hit], summaries: list[Hit], depth: int
) -> None:
    chunks = [each for each in summaries if each.kind == "chunk"]
    found = combine(content, chunks, [], depth)
    keys = {(each.kind, each.document_id, each.ordinal) for each in [*content, *chunks]}
    assert len(found) == min(depth, len(keys))
    assert len({(each.kind, each.document_id, each.ordinal) for each in found}) == len(found)
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)


def test_a_document_beyond_the_nearest_is_no_nearer_than_the_last_of_them() -> None:
    near = [hit("document", f"d{n}", 0.5 - n / 100) for n in range(DOCUMENTS)]
    found = combine([hit("chunk", "far", 0.2), hit("chunk", "d9", 0.2)], [], near, 9)
    assert found[0].score == found[1].score


def test_the_chunks_of_a_near_document_are_found_behind_nearer_ones(database: Database) -> None:
    def vector_of(document_id: str, kind: str) -> list[float]:
        nearness = {"chunk": 0.3, "document": 0.9} if document_id == "ours" else {"chunk": 0.5}
        cosine = nearness.get(kind, 0.0)
        return [cosine, (1 - cosine**2) ** 0.5]

    question = np.array([1.0, 0.0], dtype=np.float32)
    space = VectorSpace("flat", 2, "aa11")
    with database.transaction() as connection:
        embeddings.ensure_space(connection, space)
        for document_id in ("ours", *(f"d{n}" for n in range(30))):
            add_document(connection, document_id, ["订单饱满。"])
            texts = embedded_texts.pending_texts(connection, document_id, "r1", space)
            vectors = np.array([vector_of(document_id, text.kind) for text in texts])
            embeddings.add(connection, document_id, "r1", space, texts, vectors)
        nearest = embeddings.nearest(connection, space, question, 20, Filter("default"))
        assert "ours" not in {each.document_id for each in nearest}
        found = search_vectors(connection, space, question, 20, Filter("default"))
    assert found[0].document_id == "ours"
    assert found[0].score == pytest.approx(
        0.3 - SUMMARY_SHARE * 0.3 + DOCUMENT_SHARE * 0.9 + PASSAGES_SHARE * 0.3, abs=0.01
    )
    assert len(found) == 20


def test_a_weak_question_is_moved_towards_its_nearest_passages(database: Database) -> None:
    """What shares nothing with the question is found by what its nearest passages share with it."""
    space = VectorSpace("flat", 4, "aa12")
    cosines = {
        "near": [0.3, 0.954, 0, 0],
        "again": [0.25, 0.968, 0, 0],
        "beside": [0, 0.8, 0.6, 0],
        "apart": [0.1, 0, 0, 0.995],
    }

    def ask(question: list[float]) -> list[str]:
        with database.transaction() as connection:
            vector = np.array(question, dtype=np.float32)
            found = search_vectors(connection, space, vector, 4, Filter("default"))
            return [each.document_id for each in found]

    with database.transaction() as connection:
        embeddings.ensure_space(connection, space)
        for document_id, vector in cosines.items():
            add_document(connection, document_id, ["订单饱满。"])
            texts = embedded_texts.pending_texts(connection, document_id, "r1", space)
            rows = np.array([vector if text.kind == "chunk" else [0] * 4 for text in texts])
            embeddings.add(connection, document_id, "r1", space, texts, rows)
        stored = embeddings.nearest(connection, space, np.array([1, 0, 0, 0]), 1, Filter("default"))
        assert embeddings.vectors(connection, space, stored) == pytest.approx(
            np.array([cosines["near"]]), abs=0.001
        )
    assert ask([1, 0, 0, 0]) == ["near", "again", "beside", "apart"]
    # near enough to something: taken as it is
    assert ask([0.9, 0, 0, 0.436]) == ["apart", "near", "again", "beside"]


def test_what_is_unlike_all_else_is_found_in_a_small_store(
    engine: QueryEngine, add: AddDocument
) -> None:
    """An HNSW graph of near-copies drops its edges to what is unlike them."""
    told = "订单饱满。收入来自海外客户，新的产线正在调试，管理层对全年保持乐观。"
    add("ours", [told], company="星河新材", title="星河新材调研纪要")
    for n in range(15):
        add(f"d{n}", ["订单饱满。"] * 8, company=None, code=None, title=f"第{n}期")
    found = engine.search("星河新材订单饱满吗", Options(lane="vector", k=1)).results
    assert [result.item.document_id for result in found] == ["ours"]


@pytest.mark.parametrize("lane", ["keyword", "vector", None])
def test_the_company_means_the_subject_of_its_document(
    engine: QueryEngine, add: AddDocument, lane: str | None
) -> None:
    """公司 in a text is whom its document is about: meta says so in every lane."""
    said = "公司产能利用率保持在90%以上，新产线将于明年投产。"
    add("theirs", [said], company="远山生物", code="300998.SZ", title="产能爬坡点评")
    add("ours", [said], company="星河新材", code="300999.SZ", title="产能爬坡点评")
    add("others", [said], company="银杉装备", code="300997.SZ", title="产能爬坡点评")
    found = engine.search("星河新材的产能利用率是多少？", Options(lane=lane)).results
    assert [result.item.document_id for result in found][:1] == ["ours"]
    # the same words about others are other statements, shown and not folded into the first
    assert {result.item.document_id for result in found} == {"ours", "theirs", "others"}
    assert found[0].item.meta.startswith("星河新材")
