"""The list of what vectors and summaries have to follow: complete, whatever comes in between."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from finrag_pipeline.models.embedding import VectorSpace
from finrag_pipeline.models.offline import OfflineEmbedder
from finrag_pipeline.pipelines.documents.indexed_documents import withdraw_document
from finrag_pipeline.pipelines.graph.entity_graph import refreshed
from finrag_pipeline.pipelines.graph.entity_summaries import write_summaries
from finrag_pipeline.pipelines.graph.graph_texts import embed_graph
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.settings import Settings
from finrag_pipeline.store.database.connections import Database
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline.store.search import embeddings
from finrag_pipeline_tests.pipelines.graph_documents import APP, Report, Said, publish

DAY = date(2026, 3, 2)
FIRST = Report(
    "first.pdf",
    DAY,
    (Said((("星河新材", None), ("澄光储能", None)), ((0, "supplies", 1),)),) * 6,
)
SECOND = Report(
    "second.pdf",
    DAY,
    (Said((("远岫能源系统公司", None), ("汐原电力股份公司", None)), ((0, "supplies", 1),)),) * 5,
)
#: Entities without a vector of what is said of them now, and relations.
LACKING = """
select t.kind, t.text from graph_texts t
where not exists (
    select from graph_embeddings g join vector_spaces s using (space_id)
    where s.active and g.app_id = t.app_id and g.kind = t.kind
      and g.src_entity_id = t.src_entity_id and g.edge_type = t.edge_type
      and g.dst_entity_id = t.dst_entity_id
      and g.text_sha256 = encode(sha256(convert_to(t.text, 'UTF8')), 'hex'))
"""
UNTRUE = """
select from graph_embeddings g
where not exists (
    select from graph_texts t
    where g.app_id = t.app_id and g.kind = t.kind and g.src_entity_id = t.src_entity_id
      and g.edge_type = t.edge_type and g.dst_entity_id = t.dst_entity_id
      and g.text_sha256 = encode(sha256(convert_to(t.text, 'UTF8')), 'hex'))
"""


class Watched(OfflineEmbedder):
    """The offline embedder; remembers what it was given, and may do something before."""

    def __init__(self, before: Callable[[], Any] = lambda: None) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._before = before

    def embed_passages(self, texts: Sequence[str]) -> Any:
        self._before()
        self.texts += texts
        return super().embed_passages(texts)


class Other(OfflineEmbedder):
    """The offline embedder as if its vectors could not be compared with its own."""

    @property
    def space(self) -> VectorSpace:
        return replace(super().space, name="other", fingerprint="other")


@pytest.fixture(autouse=True)
def space(database: Database) -> None:
    with database.transaction() as connection:
        embeddings.ensure_space(connection, OfflineEmbedder().space)


def rows(database: Database, query: Any) -> list[dict[str, Any]]:
    with database.connection() as connection:
        return connection.execute(query).fetchall()


def listed(database: Database) -> int:
    return len(rows(database, "select from unfinished_elements"))


def unembedded(database: Database) -> int:
    return len(rows(database, "select from unfinished_elements where work <> 'summary'"))


def summarise(database: Database, settings: Settings) -> int:
    return write_summaries(Run(database, settings, Scope(APP))).written


def in_step(database: Database) -> bool:
    return not rows(database, LACKING) and not rows(database, UNTRUE)


def test_a_night_looks_at_what_changed_and_at_nothing_else(
    database: Database, settings: Settings
) -> None:
    publish(database, FIRST)
    assert embed_graph(database, APP, Watched()) == 3
    assert summarise(database, settings) == 2
    assert listed(database) == 0
    idle = Watched()
    assert (embed_graph(database, APP, idle), summarise(database, settings)) == (0, 0)
    assert idle.texts == []
    publish(database, SECOND)
    embedder = Watched()
    assert (embed_graph(database, APP, embedder), summarise(database, settings)) == (3, 2)
    assert not any("星河" in text for text in embedder.texts)
    assert in_step(database) and listed(database) == 0


def test_what_is_withdrawn_is_forgotten(database: Database, settings: Settings) -> None:
    first, second = publish(database, FIRST), publish(database, SECOND)
    embed_graph(database, APP, Watched())
    summarise(database, settings)
    withdraw_document(database, APP, second.document_id)
    withdraw_document(database, APP, first.document_id)
    assert (embed_graph(database, APP, Watched()), summarise(database, settings)) == (0, 0)
    for table in ("unfinished_elements", "embedded_names", "graph_embeddings", "entity_summaries"):
        assert rows(database, f"select from {table}") == []


def test_an_interrupted_run_leaves_the_rest_listed(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("finrag_pipeline.pipelines.graph.graph_texts._BATCH", 2)
    publish(database, FIRST)
    publish(database, SECOND)
    calls = iter((None, None))
    with pytest.raises(StopIteration):
        embed_graph(database, APP, Watched(lambda: next(calls)))
    assert not in_step(database)
    rest = Watched()
    assert embed_graph(database, APP, rest) == len(rest.texts) == 2
    assert in_step(database) and unembedded(database) == 0


def test_what_changes_while_it_is_embedded_stays_listed(database: Database) -> None:
    publish(database, FIRST)
    once = iter([lambda: publish(database, Report("third.pdf", DAY, FIRST.chunks[:1] * 2))])
    embedder = Watched(lambda: next(once, lambda: None)())
    embed_graph(database, APP, embedder)
    assert unembedded(database) > 0
    embed_graph(database, APP, embedder)
    assert in_step(database) and unembedded(database) == 0


def test_relations_follow_the_name_of_their_ends(database: Database) -> None:
    publish(database, FIRST)
    embed_graph(database, APP, Watched())
    with database.transaction() as connection:  # what a publication that renames it leaves
        connection.execute("update entities set name = '星河材料' where name = '星河新材'")
        connection.execute(
            "insert into unfinished_elements (app_id, work, kind, src_entity_id)"
            " select app_id, space_id, 'entity', entity_id from entities, vector_spaces"
            " where entities.name = '星河材料'"
        )
    embedder = Watched()
    embed_graph(database, APP, embedder)
    assert sorted(text.split("\n")[0] for text in embedder.texts) == [
        "星河材料",
        "星河材料 supplies 澄光储能",
    ]
    assert in_step(database) and unembedded(database) == 0


def test_a_summary_follows_what_is_read_otherwise_of_the_same_revision(
    database: Database, settings: Settings
) -> None:
    chunk = Said((("星河新材", None),))
    document = publish(database, Report("a.pdf", DAY, (chunk,) * 14))
    summarise(database, settings)
    with database.transaction() as connection, refreshed(connection, APP, [document.document_id]):
        connection.execute("update entity_mentions set confidence = 'low' where chunk < 3")
    assert summarise(database, settings) == 1


def test_runs_at_once_leave_nothing_out(database: Database, settings: Settings) -> None:
    publish(database, FIRST)
    with ThreadPoolExecutor(4) as pool:
        others = [
            pool.submit(embed_graph, database, APP, Watched()),
            pool.submit(publish, database, SECOND),
            pool.submit(embed_graph, database, APP, Watched()),
            pool.submit(summarise, database, settings),
        ]
        for each in others:
            each.result()
    embed_graph(database, APP, Watched())
    summarise(database, settings)
    assert in_step(database) and listed(database) == 0
    assert len(rows(database, "select from entity_summaries")) == 4


def test_a_store_of_before_is_looked_at_whole_once(database: Database, settings: Settings) -> None:
    publish(database, FIRST)
    embed_graph(database, APP, Watched())
    publish(database, SECOND)
    with database.transaction() as connection:
        connection.execute("truncate unfinished_elements, element_passes, embedded_names")
    embedder = Watched()
    assert (embed_graph(database, APP, embedder), summarise(database, settings)) == (3, 4)
    assert in_step(database) and listed(database) == 0


def test_what_is_published_while_a_space_is_filled_is_in_it(database: Database) -> None:
    publish(database, FIRST)
    embed_graph(database, APP, Watched())
    other = Other()
    with database.transaction() as connection:
        embeddings.ensure_space(connection, other.space)
    embed_graph(database, APP, other, ahead=True)
    publish(database, SECOND)
    embed_graph(database, APP, Watched())  # the night of the old space
    with database.transaction() as connection:
        connection.execute("truncate documents cascade")  # only the graph is of interest
        embeddings.activate(connection, other.space)
    assert embed_graph(database, APP, other) == 3
    assert unembedded(database) == 0
