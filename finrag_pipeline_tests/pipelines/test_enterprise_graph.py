"""Records of companies to documents and edges: a changed record, a removed one, a refused one."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from finrag_pipeline.pipelines.enterprise_graph import EnterpriseLoad, load_enterprise
from finrag_pipeline.pipelines.graph.graph_rebuild import rebuild_graph
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.documents.documents import Scope
from finrag_pipeline_tests.pipelines.graph_documents import graph_rows
from finrag_pipeline_tests.pipelines.stages import DAY, ingest

FIRST = {
    "id": "c1",
    "name": "星枢制造有限公司",
    "industry": "智能制造",
    "investors": ["远川资本"],
    "pain_points": ["数据孤岛"],
    "updated_on": "2025-03-01",
}
SECOND = {"id": "c2", "name": "月桥物流有限公司", "industry": "物流", "updated_on": "2025-06-01"}
EDGE = {"source": "月桥物流", "relation": "客户", "target": "星枢制造"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "companies.json"


def load(run: Run, file: Path, *companies: dict[str, Any], relations: Any = ()) -> EnterpriseLoad:
    told = {"companies": companies, "relations": list(relations)}
    file.write_text(json.dumps(told, ensure_ascii=False), "utf-8")
    settings = run.settings.model_copy(update={"app": run.scope.app_id})
    loaded = load_enterprise(run.database, settings, DAY, file)
    ingest(run, [])
    return loaded


def seen(reader: Reader, as_of: date | None = None, app: str = "default") -> dict[str, str]:
    """What readers see: chunks of documents by their source."""
    with reader.reading(app, as_of) as connection:
        rows = connection.execute(
            "select d.source, c.content from current_documents d"
            " join clique_chunks c using (document_id, revision) order by d.source"
        )
        return {row["source"]: row["content"] for row in rows}


def edges(reader: Reader) -> set[tuple[str, str, str]]:
    with reader.reading("default") as connection:
        rows = connection.execute(
            "select a.name as head, e.edge_type, b.name as tail from entity_edges e"
            " join entities a on a.entity_id = e.src_entity_id"
            " join entities b on b.entity_id = e.dst_entity_id"
        )
        return {(row["head"], row["edge_type"], row["tail"]) for row in rows}


def test_records_are_documents_and_their_edges_evidence(
    run: Run, reader: Reader, file: Path
) -> None:
    loaded = load(run, file, FIRST, SECOND, relations=[EDGE])
    assert (loaded.companies, loaded.changed, loaded.refused) == (2, 5, ())
    found = seen(reader)
    assert list(found) == [
        "companies.json#c1/needs",
        "companies.json#c1/profile",
        "companies.json#c1/relations",
        "companies.json#c2/profile",
        "companies.json#c2/relations",
    ]
    assert "远川资本投资星枢制造有限公司" in found["companies.json#c1/relations"]
    assert edges(reader) == {
        ("远川资本", "invests_in", "星枢制造有限公司"),
        ("月桥物流有限公司", "supplies", "星枢制造有限公司"),
        ("星枢制造有限公司", "part_of", "智能制造"),
        ("月桥物流有限公司", "part_of", "物流"),
    }, "what is stated, and nothing for standing side by side"
    assert set(seen(reader, date(2025, 4, 1))) == {
        name for name in found if name.startswith("companies.json#c1")
    }, "by the day of each record"
    assert load(run, file, FIRST, SECOND, relations=[EDGE]).changed == 0


def test_an_increment_equals_a_load_of_the_last_state(
    run: Run, reader: Reader, file: Path, other_app: Run
) -> None:
    changed = FIRST | {"investors": ["新岸资本"], "pain_points": []}
    load(run, file, FIRST, SECOND, relations=[EDGE])
    loaded = load(run, file, changed)
    assert loaded.removed == (
        "enterprise://records/c1/needs",
        "enterprise://records/c2/profile",
        "enterprise://records/c2/relations",
    )
    load(other_app, file, changed)
    assert seen(reader) == seen(reader, app="other")
    assert edges(reader) == {
        ("新岸资本", "invests_in", "星枢制造有限公司"),
        ("星枢制造有限公司", "part_of", "智能制造"),
    }
    assert load(run, file, FIRST, SECOND, relations=[EDGE]).changed == 4, "what went may come back"
    assert len(seen(reader)) == 5


def test_where_a_record_is_refused_nothing_is_withdrawn(
    run: Run, reader: Reader, file: Path
) -> None:
    load(run, file, FIRST, SECOND)
    loaded = load(run, file, FIRST, SECOND | {"employees": "几百"})
    assert loaded.kept_back and len(loaded.refused) == 1
    assert "companies.json#c2/profile" in seen(reader)
    assert load(run, file, FIRST).removed == ("enterprise://records/c2/profile",)


def test_a_rebuilt_graph_is_the_same(run: Run, file: Path) -> None:
    load(run, file, FIRST, SECOND, relations=[EDGE])
    before = graph_rows(run.database)
    rebuild_graph(run)
    assert graph_rows(run.database) == before


def test_apps_do_not_see_each_other(run: Run, reader: Reader, file: Path) -> None:
    load(replace(run, scope=Scope("other")), file, FIRST)
    assert seen(reader) == {} and len(seen(reader, app="other")) == 3
